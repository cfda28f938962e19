"""A fact of a span with where it still stands. Values only."""

from typing import Final, NamedTuple

MATTERS: Final = 7.0
"""From this weight on a fact matters: requests, rules, decisions, errors, changed files, what users gave."""


class KeptFact(NamedTuple):
    """One fact of a span: where it came from, and where it still stands.

    Attributes:
        messages: rows of the span that hold it.
        in_tail: it stands in a message that was kept verbatim, head or tail.
        in_handoff: the summary says it, or an older one that was carried along.
        text: the line it stands in.
        weight: how much its loss hurts.
        in_doubt: it is in neither in words that can be compared, and the summary may say it in others.
    """

    kind: str
    value: str
    messages: tuple[int, ...]
    in_tail: bool
    in_handoff: bool
    key: str = ""
    text: str = ""
    speaker: str = ""
    weight: float = 0.0
    in_doubt: bool = False

    @property
    def is_lost(self) -> bool:
        """Whether it surely stands nowhere in the new transcript."""
        return not (self.in_tail or self.in_handoff or self.in_doubt)

    @property
    def matters(self) -> bool:
        """Whether the agent needs it to go on rightly."""
        return self.weight >= MATTERS
