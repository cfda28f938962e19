"""Values out of files of settings: under their whole keys, and which of them the talk is about. Pure.

A file of settings that was read can be read again; a value in it that somebody spoke of is what it was read
for.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from hermes_sessions.compaction.economy.fact_lines import STATEMENT, WHOLE_KINDS, FactLine, one_line
from hermes_sessions.compaction.economy.settings.reading import COLUMN, MARKED
from hermes_sessions.facts.values import Fact, FactKind
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_NAME: Final = late_pattern(r"[A-Za-z](?=\w*[-_.]\w)\w*(?:[-.]\w+)*|[a-z]{2,30}[A-Z]\w*|[A-Z][A-Z0-9]{3,40}")
_OWN_NAME: Final = late_pattern(r"\w+[-_]\w+|[a-z]+[A-Z]\w*")
_WORD: Final = late_pattern(r"[^\W\d_]{2,40}")
_LINE_CHARS: Final = 400
"""A longer line of talk names too much for two of its words to be about one thing."""


@dataclass(frozen=True, slots=True)
class SpokenOf:
    """What was named in talk.

    Attributes:
        names: names that only a program has, in small letters, and the last parts of those with dots.
        together: for each word the numbers of the lines of talk that it stands in.
    """

    names: frozenset[str] = frozenset()
    together: dict[str, set[int]] = field(default_factory=dict)

    def includes(self, key: str) -> bool:
        """Return whether a setting is spoken of: by its name, or by the words of its key in one line."""
        above, _, last = key.lower().rpartition(".")
        if _OWN_NAME.fullmatch(key.rpartition(".")[2]):
            return last in self.names
        section = above.rpartition(".")[2]
        if not section:
            return key.isupper() and last in self.names
        shared = self.together.get(section, set()) & self.together.get(last, set())
        return f"{section}.{last}" in self.names or bool(shared)


def spoken_of(said: Iterable[tuple[int, str, str]]) -> SpokenOf:
    """Return what (index, speaker, text) of talk name."""
    names: set[str] = set()
    together: dict[str, set[int]] = {}
    number = 0
    for _, _, text in said:
        for line in text.split("\n"):
            number += 1
            for name in _NAME.findall(line):
                parts = name.lower().split(".")
                names.update((name.lower(), parts[-1], ".".join(parts[-2:])))
            if len(line) <= _LINE_CHARS:
                for word in set(_WORD.findall(line.lower())):
                    together.setdefault(word, set()).add(number)
    return SpokenOf(frozenset(names), together)


def settings_spoken_of(lines: Sequence[FactLine], spoken: SpokenOf) -> frozenset[FactLine]:
    """Return the values in tools' outputs that the talk is about; columns of tables are none."""
    keyed = [(line, key) for line in lines for key in _keys(line)]
    values = Counter((line.at, key) for line, key in keyed)
    return frozenset(line for line, key in keyed if values[line.at, key] < COLUMN and spoken.includes(key))


def is_setting(line: FactLine) -> bool:
    """Return whether a line is a value under the whole key that a file or an edit gives it."""
    return line.kind != STATEMENT and any(
        fact.kind == FactKind.CONFIG and line.text == f"{fact.key} = {one_line(fact.value)}"
        for fact in line.slots
    )


def _keys(line: FactLine) -> Iterator[str]:
    """Yield the keys of the values in a line of a tool."""
    if line.speaker == Role.TOOL and line.kind not in WHOLE_KINDS:
        yield from dict.fromkeys(fact.key for fact in line.slots if fact.key)


def with_whole_keys(messages: Sequence[Sequence[FactLine]]) -> list[list[FactLine]]:
    """Return *messages*, what an edit set under the one key that a file gave it before."""
    whole: dict[str, set[str]] = {}
    found: list[list[FactLine]] = []
    for lines in messages:
        found.append([_under_its_key(line, whole) for line in lines])
        for line in lines:
            for fact in line.slots:
                if fact.kind == FactKind.CONFIG and "." in fact.key:
                    whole.setdefault(fact.key.rpartition(".")[2], set()).add(fact.key)
    return found


def _under_its_key(line: FactLine, whole: dict[str, set[str]]) -> FactLine:
    edit = next((fact for fact in line.slots if fact.span == MARKED and "." not in fact.key), None)
    if edit is None or len(keys := whole.get(edit.key, ())) != 1:
        return line
    key = min(keys)
    text = f"{key} = {edit.value}"
    named: Fact = edit._replace(key=key, text=text)
    return line._replace(text=text, slots=tuple(named if fact == edit else fact for fact in line.slots))
