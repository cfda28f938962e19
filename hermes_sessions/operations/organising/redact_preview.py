"""A few examples of what a masking finds, in context; of a secret itself only how it begins. No I/O."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

_EXAMPLES_A_KIND: Final = 3
_CONTEXT_CHARS: Final = 40
_SHOWN_CHARS: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One place.

    Attributes:
        table, row: where it is stored.
        before, after: what stands around it; other secrets in there are masked.
        begins: its first characters, a quarter of it at most.
        chars: how long it is.
    """

    kind: str
    table: str
    row: int | str
    before: str
    begins: str
    chars: int
    after: str


@dataclass(slots=True)
class Examples:
    """The first different ones of each kind, and how many places each kind has."""

    counts: Counter[str] = field(default_factory=Counter)
    chosen: list[Example] = field(default_factory=list)
    _seen: set[tuple[str, int]] = field(default_factory=set)
    _chosen: Counter[str] = field(default_factory=Counter)

    def add(self, table: str, row: object, text: str, places: Sequence[tuple[int, int, str]]) -> None:
        """Count the *places* (start, end, kind) found in *text*, and keep some."""
        for at, (start, end, kind) in enumerate(places):
            self.counts[kind] += 1
            key = (kind, hash(text[start:end]))
            if self._chosen[kind] >= _EXAMPLES_A_KIND or key in self._seen:
                continue
            self._seen.add(key)
            self._chosen[kind] += 1
            self.chosen.append(
                Example(
                    kind=kind,
                    table=table,
                    row=row if isinstance(row, int) else str(row),
                    before=_around(text, places[:at], start - _CONTEXT_CHARS, start),
                    begins=text[start : start + min(_SHOWN_CHARS, (end - start) // 4)],
                    chars=end - start,
                    after=_around(text, places[at + 1 :], end, end + _CONTEXT_CHARS),
                )
            )


def _around(text: str, others: Sequence[tuple[int, int, str]], low: int, high: int) -> str:
    """Return a part of *text* with the *others* in it masked."""
    pieces, at, high = [], max(low, 0), min(high, len(text))
    for start, end, kind in others:
        if end > at and start < high:
            pieces += [text[at:start], f"[{kind}]"]
            at = end
    return "".join(pieces) + text[at:high]
