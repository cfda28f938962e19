"""Words as PostgreSQL's vectors, and a parsed query as its queries. Pure.

A vector holds at most 1 MB, 16,383 places and 255 places of one word; beyond that
PostgreSQL drops places without a word, and phrases would be missed. So a long text gets
one vector that has all its words, and more of them for the places that did not fit.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hermes_sessions.store.language.query_terms import Term
from hermes_sessions.store.language.tokenizer_words import words

MAX_PLACES: Final = 16_000
MAX_PLACES_OF_ONE: Final = 250
MAX_BYTES: Final = 1_000_000
OVERLAP: Final = 120
"""Words that a vector repeats from the one before: phrases up to this length are found anywhere."""
_ENTRY_BYTES: Final = 6
_PLACE_BYTES: Final = 2
_LONGEST_CHARACTER: Final = 4
"""Bytes in UTF-8."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """What the index stores of one text, in PostgreSQL's notation: all words, and further places."""

    vector: str
    more: tuple[str, ...]


def vectors(found: Sequence[str]) -> Vectors:
    """Return what to store for a text with these words, in order."""
    if (small := _small_piece(found)) is not None:
        return Vectors(_written(small), ())
    pieces: list[dict[str, list[int]]] = []
    start = 0
    while start < len(found) or not pieces:
        piece, end = _piece(found, start)
        pieces.append(piece)
        if end >= len(found):
            break
        start = max(end - OVERLAP, start + 1)
    first, *others = pieces
    if others:
        _add_words(first, found)
    return Vectors(_written(first), tuple(map(_written, others)))


def _small_piece(found: Sequence[str]) -> dict[str, list[int]] | None:
    """Return the words with their places where they certainly fit into one vector, without weighing each."""
    count = len(found)
    most = _LONGEST_CHARACTER * sum(map(len, found)) + count * (_ENTRY_BYTES + _PLACE_BYTES)
    if count > MAX_PLACES or most > MAX_BYTES // 2:
        return None
    piece: dict[str, list[int]] = {}
    for at, word in enumerate(found, 1):
        if word in piece:
            piece[word].append(at)
        else:
            piece[word] = [at]
    return None if max(map(len, piece.values()), default=0) > MAX_PLACES_OF_ONE else piece


def _piece(found: Sequence[str], start: int) -> tuple[dict[str, list[int]], int]:
    """Return the words from *start* on with their places, and where the vector was full."""
    piece: dict[str, list[int]] = {}
    size = 0
    for at in range(start, min(len(found), start + MAX_PLACES)):
        word = found[at]
        places = piece.get(word)
        if places is None:
            size += len(word.encode()) + _ENTRY_BYTES
            piece[word] = [at - start + 1]
        elif len(places) >= MAX_PLACES_OF_ONE:
            return piece, at
        else:
            places.append(at - start + 1)
        size += _PLACE_BYTES
        if size > MAX_BYTES // 2:
            return piece, at + 1
    return piece, start + MAX_PLACES


def _add_words(piece: dict[str, list[int]], found: Iterable[str]) -> None:
    """Add all other words without places, as many as a vector takes."""
    size = sum(len(word.encode()) + _ENTRY_BYTES + _PLACE_BYTES * len(at) for word, at in piece.items())
    for word in found:
        if word not in piece:
            size += len(word.encode()) + _ENTRY_BYTES
            if size > MAX_BYTES:
                return
            piece[word] = []


def _written(piece: dict[str, list[int]]) -> str:
    # Words are letters, digits and marks: nothing in them needs escaping.
    return " ".join(
        [
            f"'{word}':{','.join(map(str, places))}" if places else f"'{word}'"
            for word, places in piece.items()
        ]
    )


@dataclass(frozen=True, slots=True)
class Sought:
    """One term of a query: its words in order, the last perhaps only a beginning."""

    words: tuple[str, ...]
    begun: bool

    @property
    def exact(self) -> str:
        """The term as a query: a word or a phrase."""
        return f"({' <-> '.join(self._quoted())})"

    @property
    def loose(self) -> str:
        """What a text with the term has at least: all its words, wherever."""
        return f"({' & '.join(self._quoted())})"

    def _quoted(self) -> list[str]:
        quoted = [f"'{word}'" for word in self.words]
        if self.begun:
            quoted[-1] += ":*"
        return quoted


def sought(term: Term) -> Sought | None:
    """Return what *term* looks for; None when no word is left of it."""
    phrase, begun = term.phrase()
    found = tuple(words(phrase))
    return Sought(found, begun) if found else None
