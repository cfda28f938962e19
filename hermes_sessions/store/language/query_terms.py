"""The terms that an engine is asked for. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from hermes_sessions.store.language.segment import segment_phrase


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for: a word or phrase, or its beginning.

    A `mark` is one of our own words for a message (see `indexed.mark`): it is looked for
    as it stands.
    """

    text: str
    prefix: bool = False
    mark: bool = False

    def phrase(self) -> tuple[str, bool]:
        """Return the words as the index has them, and whether the last is only a beginning."""
        if self.mark:
            return self.text, self.prefix
        phrase, begun = segment_phrase(self.text)
        return phrase, self.prefix or begun

    @property
    def expression(self) -> str:
        """The term in FTS5's syntax."""
        phrase, begun = self.phrase()
        quoted = phrase.replace('"', " ").replace("\0", " ")
        return f'"{quoted}"{" *" if begun else ""}'


def match_expression(groups: Sequence[Sequence[Term]], excluded: Sequence[Term] = ()) -> str:
    """Return the FTS5 expression for what must be there and what must not."""
    wanted = " AND ".join(f"({' OR '.join(term.expression for term in group)})" for group in groups)
    if not excluded:
        return wanted
    return f"({wanted}) NOT ({' OR '.join(term.expression for term in excluded)})"
