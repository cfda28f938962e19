"""What stands between two blanks: what it names of the items asked for, and whether a clause may end there.

A transcript repeats itself. Each of its chunks is read once, however often it stands there, and most
of them name nothing that a handoff asks for.
"""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final, cast

from hermes_sessions.audit.alignment.items import LETTER, items_of_word, names_in
from hermes_sessions.audit.alignment.likely_chunks import ChunkShapes, find_likely
from hermes_sessions.audit.words.concepts import PARTICLE_HEADS, beginnings_of, cut_words, is_of_signs
from hermes_sessions.audit.words.poles import (
    has_pole_of_two_words,
    has_poles,
    has_signs,
    may_span_words,
)
from hermes_sessions.late_patterns import late_pattern

_LOOSE_DIGIT: Final = late_pattern(r"(?<![\w.-])[.]?\d")
"""Where a number may begin: every other digit belongs to a word."""
_DIGITS: Final = late_pattern(r"\d+")
_LETTER_ALONE: Final = late_pattern(r"[A-Z](?![\w'’-]|\.\w)")
_CUTTING: Final = late_pattern(r".*(?:[,;·.!?:]$|:\*|[、，；。：\ue000-\ue004])|[*|/]+$", re.S)
_ENDS: Final = late_pattern(r"[\x21-\x29\x2b-\x7b\x7d\x7e]*[,;.!?]")
_JOINING: Final = frozenset({
    *("and", "but", "while", "whereas", "although", "instead", "rather", "und", "aber", "während", "obwohl"),
    *("statt", "et", "mais", "tandis", "y", "e", "pero", "mientras", "mas", "ma", "mentre", "и", "а", "но"),
})  # fmt: skip
_NOTHING: Final = frozenset[str]()
_HEAD: Final = 3


@lru_cache(maxsize=65_536)
def may_cut(chunk: str) -> bool:
    """Return whether a clause may end at *chunk*, or stand under it."""
    return chunk in _JOINING or _CUTTING.match(chunk) is not None


def cuts_nothing(text: str) -> bool:
    """Return whether *text* is one clause for sure, and has none above it."""
    chunks = text.split()
    if not chunks or any(map(may_cut, chunks[:-1])):
        return False
    last = chunks[-1]
    return not may_cut(last) or (text.isascii() and _ENDS.fullmatch(last) is not None)


class NamedByChunk(dict[str, frozenset[str] | None]):
    """What chunks name of the items that are asked for; None where that may take the words around it.

    A chunk is read when it is first looked up. A text none of whose chunks is None names what they
    name together. So does one without a pole of two words whose chunks only may begin such a pole.
    """

    def __init__(self, asked: frozenset[str]) -> None:
        """Take the items that are asked for."""
        super().__init__()
        self._asked = asked
        self._asks_letters = any(one.startswith("letter ") for one in asked)
        self._heads = frozenset(one[:_HEAD] for one in (*asked, *beginnings_of(asked)))
        self._short = frozenset(one for one in self._heads if len(one) < _HEAD)
        self._by_word: dict[str, frozenset[str]] = {}
        self._by_itself: dict[str, frozenset[str]] = {}
        """What chunks that may begin a pole of two words name where none is there."""

    def naming(self, chunks: ChunkShapes) -> frozenset[str]:
        """Return those of *chunks* that name something, or may with the words around them."""
        likely = {*find_likely(chunks, self._asked), *chunks.foreign}
        self.update(dict.fromkeys(chunks.plain, _NOTHING))
        self.update((one, self._read(one)) for one in likely)
        return frozenset(one for one in likely if self[one] is not _NOTHING)

    def __missing__(self, chunk: str) -> frozenset[str] | None:
        """Read *chunk*, and remember what it names."""
        found = self[chunk] = self._read(chunk)
        return found

    def in_text(self, text: str) -> frozenset[str]:
        """Return what *text* names."""
        return self.in_chunks(text.split(), text)

    def in_chunks(self, chunks: Collection[str], text: str) -> frozenset[str]:
        """Return what *text*, which is of *chunks*, names."""
        found = self.together(chunks, text)
        return names_in(text) & self._asked if found is None else found

    def together(self, chunks: Collection[str], text: str) -> frozenset[str] | None:
        """Return what *chunks* of *text* name together; None where the text has to be read whole."""
        named = [*map(self.__getitem__, chunks)]
        if None not in named:
            return _NOTHING.union(*cast("list[frozenset[str]]", named))
        read = [self._by_itself.get(one) if self[one] is None else self[one] for one in chunks]
        if None in read or has_pole_of_two_words(text):
            return None
        return _NOTHING.union(*cast("list[frozenset[str]]", read))

    def _read(self, chunk: str) -> frozenset[str] | None:
        if self._asks_letters and _LETTER_ALONE.match(chunk):
            return None
        if chunk.isascii() and _LOOSE_DIGIT.search(chunk) is None and not has_poles(chunk):
            if self._asks_letters and LETTER.search(chunk):
                return self._whole(chunk)
            words = [one for word in cut_words(chunk) if (one := self._of_word(word))]
            return _NOTHING.union(*words) if words else _NOTHING
        if is_of_signs(chunk) or has_signs(chunk):
            return None
        if may_span_words(chunk) or may_span_words(_DIGITS.sub(" ", chunk)):
            self._by_itself[chunk] = self._whole(chunk)
            return None
        return self._whole(chunk)

    def _whole(self, chunk: str) -> frozenset[str]:
        return (names_in(chunk) & self._asked) or _NOTHING

    def _of_word(self, word: str) -> frozenset[str]:
        known = self._by_word.get(word)
        if known is None:
            known = (items_of_word(word) & self._asked) or _NOTHING if self._may_be_asked(word) else _NOTHING
            self._by_word[word] = known
        return known

    def _may_be_asked(self, word: str) -> bool:
        """Whether the ASCII *word* begins like an item that is asked for, or is of more than one part."""
        word = word.strip(".:-").lower()
        head = word[:_HEAD]
        return (
            head in self._heads
            or head[:2] in self._short
            or head[:2] in PARTICLE_HEADS
            or (head[:1].isdigit() and ("." in word or "," in word))
        )
