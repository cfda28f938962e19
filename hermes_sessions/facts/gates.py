"""Words without which a rule finds nothing: all of them are looked for at once, in one pass over a text.

Most rules need one of some dozens of words, in a dozen languages. To ask a text for each of
them takes longer than every rule together, so a page is asked once, for the words of all
gates, and each word that it is made of is looked at once.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple


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


def gated(*given: tuple[tuple[str, ...], str]) -> tuple[GatedShape, ...]:
    """Return patterns, letters of any case, each to be tried only where one of its words is."""
    return tuple(GatedShape(gate(*words), re.compile(pattern, re.I)) for words, pattern in given)


Shapes = tuple[tuple[Sequence[str], re.Pattern[str]], ...]
"""Patterns that a page can hold, each with those of its words that are there."""


def present(shapes: Iterable[GatedShape], opened: Opened) -> Shapes:
    """Return the patterns whose gates are open."""
    return tuple((opened[gate], pattern) for gate, pattern in shapes if gate in opened)


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
    likely = {*index.bare}
    for token in tokens.difference(index.barren):
        likely.update(_words_in(token, index))
    uses: set[int] = set()
    for word in likely:
        if word in index.whole or word in lower:
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


class _GateIndex(NamedTuple):
    """The words of all gates by their longest run of letters, and what tokens were seen to hold.

    Attributes:
        entries: each gate with each of its words, in order.
        uses: numbers of the entries of a word.
        whole: words that are letters only: where the letters are, the word is.
        bare: words without letters.
        runs: the runs, each with its words, by their first bytes.
        barren: tokens that hold no word, as most do.
        fertile: tokens that do, each with its words.
    """

    entries: tuple[tuple[Gate, str], ...]
    uses: dict[str, list[int]]
    whole: frozenset[str]
    bare: tuple[str, ...]
    runs: dict[bytes, list[tuple[bytes, tuple[str, ...]]]]
    barren: set[bytes]
    fertile: dict[bytes, tuple[str, ...]]


@cache
def _index() -> _GateIndex:
    entries = tuple((one, word) for one in _GATES for word in one.words)
    uses: dict[str, list[int]] = {}
    for number, (_, word) in enumerate(entries):
        uses.setdefault(word, []).append(number)
    by_run: dict[bytes, list[str]] = {}
    for word in uses:
        by_run.setdefault(max(word.encode().translate(_BLANKS).split(), key=len, default=b""), []).append(
            word
        )
    bare = tuple(by_run.pop(b"", ()))
    runs: dict[bytes, list[tuple[bytes, tuple[str, ...]]]] = {}
    for run, words in by_run.items():
        runs.setdefault(run[:_HEAD], []).append((run, tuple(words)))
    whole = frozenset(word for word in uses if word.encode() in by_run)
    return _GateIndex(entries, uses, whole, bare, runs, set(), {})


def _words_in(token: bytes, index: _GateIndex) -> tuple[str, ...]:
    """Return the words whose run of letters is in *token*; of a short one what was found before."""
    if len(token) > _TOKEN_BYTES:
        return _find_words(token, index.runs)
    found = index.fertile.get(token)
    if found is None:
        found = _find_words(token, index.runs)
        seen: set[bytes] | dict[bytes, tuple[str, ...]] = index.fertile if found else index.barren
        if len(seen) >= _MAX_TOKENS:
            seen.clear()
        if found:
            index.fertile[token] = found
        else:
            index.barren.add(token)
    return found


def _find_words(
    token: bytes, runs: Mapping[bytes, Sequence[tuple[bytes, tuple[str, ...]]]]
) -> tuple[str, ...]:
    """Return the words whose run of letters is in *token*, which is letters only."""
    found: dict[str, None] = {}
    for place in range(len(token)):
        for size in range(1, _HEAD + 1):
            for run, words in runs.get(token[place : place + size], ()):
                if token.startswith(run, place):
                    found.update(dict.fromkeys(words))
    return tuple(found)
