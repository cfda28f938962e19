"""Words without which a rule finds nothing: all of them are looked for at once, in one pass over a text.

Most rules need one of some dozens of words, in a dozen languages. To ask a text for each of
them takes longer than every rule together, so a page is asked once, for the words of all
gates, and each word that it is made of is looked at once.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import Final, NamedTuple

from hermes_sessions.late_patterns import late_pattern


class Gate:
    """Some words, in lower case, in the order in which their rule asks for them."""

    __slots__ = ("words",)

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(dict.fromkeys(words))


Opened = Mapping[Gate, Sequence[str]]
"""The gates that a text opens, each with those of its words that are in it."""

_GATES: Final[list[Gate]] = []


def gate(*words: str) -> Gate:
    """Return a gate whose words `open_gates` looks for. For the constants of a module."""
    made = Gate(words)
    _GATES.append(made)
    _index.cache_clear()
    return made


class GatedShape(NamedTuple):
    """A pattern, and words one of which is in everything that it matches."""

    gate: Gate
    pattern: re.Pattern[str]


class GatedShapes(tuple[GatedShape, ...]):
    """Patterns, found by their gates: a page opens few of them."""

    @cached_property
    def places(self) -> Mapping[Gate, Sequence[int]]:
        """The places of the patterns of each gate."""
        found: dict[Gate, list[int]] = {}
        for at, shape in enumerate(self):
            found.setdefault(shape.gate, []).append(at)
        return found


def gated(*given: tuple[tuple[str, ...], str]) -> GatedShapes:
    """Return patterns, letters of any case, each to be tried only where one of its words is."""
    return GatedShapes(GatedShape(gate(*words), late_pattern(pattern, re.I)) for words, pattern in given)


Shapes = tuple[tuple[Sequence[str], re.Pattern[str]], ...]
"""Patterns that a page can hold, each with those of its words that are there."""


def present(shapes: GatedShapes, opened: Opened) -> Shapes:
    """Return the patterns whose gates are open."""
    places = shapes.places
    found = sorted(at for gate in opened if gate in places for at in places[gate])
    return tuple((opened[shapes[at].gate], shapes[at].pattern) for at in found)


def holds(shapes: Shapes, text: str, lowered: str) -> bool:
    """Return whether any of the patterns is in *text*, a part of the page, whose lower case is *lowered*."""
    for words, pattern in shapes:
        for word in words:
            if word in lowered:
                if pattern.search(text):
                    return True
                break
    return False


def open_gates(lower: str) -> Opened:
    """Return the gates with a word in *lower*, a text in lower case."""
    index = _index()
    tokens = set(lower.encode("utf-8", "surrogatepass").translate(_BLANKS).split())
    found: set[int] = set()
    uses: set[int] = set()
    for token in tokens.difference(index.barren):
        runs, entries = index.fertile.get(token) or _look(token, index)
        found.update(runs)
        uses.update(entries)
    for run in index.words.keys() & found:  # a text has few of them, the index has thousands
        for word, others in index.words[run]:
            if others <= found and word in lower:
                uses.update(index.uses[word])
    for word in index.bare:
        if word in lower:
            uses.update(index.uses[word])
    opened: dict[Gate, list[str]] = {}
    for number in sorted(uses):
        gate, word = index.entries[number]
        opened.setdefault(gate, []).append(word)
    return opened


_BLANKS: Final = bytes(sign if sign >= 128 or chr(sign).isalpha() else 32 for sign in range(256))
_HEAD: Final = 3
_TOKEN_BYTES: Final = 40
_MAX_TOKENS: Final = 50_000


class _Run(NamedTuple):
    """A run of letters of a word; whether a sign stands in the word before it, and behind it."""

    letters: bytes
    begins: bool
    ends: bool


class _GateIndex(NamedTuple):
    """The words of all gates by their runs of letters, and what tokens were seen to hold.

    Attributes:
        entries: each gate with each of its words, in order.
        uses: numbers of the entries of a word.
        whole: numbers of the entries of a word that is one run, by its number: where the run is, the word is.
        words: other words by the number of their longest run, each with the numbers of its runs.
        parts: the numbers of the runs of those.
        bare: words without letters.
        runs: all runs, each with its number, by their first bytes.
        barren: tokens that hold no run, as most do.
        fertile: tokens that do, each with its runs, and with the entries of those that are whole words.
    """

    entries: tuple[tuple[Gate, str], ...]
    uses: dict[str, list[int]]
    whole: dict[int, list[int]]
    words: dict[int, list[tuple[str, frozenset[int]]]]
    parts: set[int]
    bare: tuple[str, ...]
    runs: dict[bytes, list[tuple[_Run, int]]]
    barren: set[bytes]
    fertile: dict[bytes, "_Held"]


_Held = tuple[tuple[int, ...], tuple[int, ...]]
"""Runs that are in a token, and entries whose word is in it."""


@cache
def _index() -> _GateIndex:
    entries = tuple((one, word) for one in _GATES for word in one.words)
    uses: dict[str, list[int]] = {}
    for number, (_, word) in enumerate(entries):
        uses.setdefault(word, []).append(number)
    runs_of = {word: _runs_of(word) for word in uses}
    bare = tuple(word for word, runs in runs_of.items() if not runs)
    index = _GateIndex(entries, uses, {}, {}, set(), bare, {}, set(), {})
    known: dict[_Run, int] = {}
    for word, numbers in uses.items():
        runs = runs_of[word]
        placed = [known.setdefault(one, len(known)) for one in runs]
        if runs == (_Run(word.encode(), begins=False, ends=False),):
            index.whole[placed[0]] = numbers
        elif runs:
            longest = known[max(runs, key=_length)]
            index.words.setdefault(longest, []).append((word, frozenset(placed)))
            index.parts.update(placed)
    for run, number in known.items():
        index.runs.setdefault(run.letters[:_HEAD], []).append((run, number))
    return index


def _length(run: _Run) -> int:
    return len(run.letters)


def _runs_of(word: str) -> tuple[_Run, ...]:
    """Return the runs of letters of a word, in order."""
    letters = word.encode().translate(_BLANKS)
    runs = letters.split()
    last = len(runs) - 1
    return tuple(
        _Run(run, at > 0 or letters[:1] == b" ", at < last or letters[-1:] == b" ")
        for at, run in enumerate(runs)
    )


def _look(token: bytes, index: _GateIndex) -> _Held:
    """Return what *token* holds; of a short one that is remembered."""
    runs = _find_runs(token, index.runs)
    entries = tuple(number for run in runs for number in index.whole.get(run, ()))
    held = tuple(run for run in runs if run not in index.whole or run in index.parts), entries
    if len(token) <= _TOKEN_BYTES:
        seen: set[bytes] | dict[bytes, _Held] = index.fertile if runs else index.barren
        if len(seen) >= _MAX_TOKENS:
            seen.clear()
        if runs:
            index.fertile[token] = held
        else:
            index.barren.add(token)
    return held


def _find_runs(token: bytes, runs: Mapping[bytes, Sequence[tuple[_Run, int]]]) -> tuple[int, ...]:
    """Return the runs that are in *token*, which is letters only: at its edges where a word has signs there."""
    found: dict[int, None] = {}
    for place in range(len(token)):
        for size in range(1, _HEAD + 1):
            for run, number in runs.get(token[place : place + size], ()):
                end = place + len(run.letters)
                if (
                    not (run.begins and place)
                    and not (run.ends and end != len(token))
                    and token.startswith(run.letters, place)
                ):
                    found[number] = None
    return tuple(found)
