"""Which chunks of a transcript may name an item that is asked for: all are looked through at once.

What is found here need not name one; what is not found does not.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from hermes_sessions.audit.words.concepts import beginnings_of
from hermes_sessions.audit.words.poles import BEGINNINGS, SPANNING, beginnings_of_poles
from hermes_sessions.late_patterns import late_pattern

_HEAD: Final = 3
_STEM: Final = 6
"""Words are asked for without their endings, which leaves so many letters at most."""
_LONGEST: Final = 64
"""Of what is longer the beginning is looked for: a pattern nests as deep as its words are long."""
_HAS_DIGIT: Final = late_pattern(r"\d")
_JOINS: Final = "[_.@/:+-]"
"""What is of a word, and ends none."""
_MASK: Final = str.maketrans("123456789", "000000000")
_DIGITS: Final = late_pattern(r"[\d.,:]+")
_LONE_LETTER: Final = late_pattern(r"[A-Z](?<![^\W\d_].)(?![\w'-]|\.\w)")

_BEGINS_WORD: Final = r"(?<![^\W\d_])(?<![^\W\d_][_.@/:+-])(?<![^\W\d_][_.@/:+-][_.@/:+-])(?<!\d[@/:_-])"
"""Where a word may begin: what stands behind a letter and a sign that joins is of the same word."""
_IS_PLAIN: Final = r"[a-z+-]*(?![a-z0-9_]|[@/:.]+[^\W_])"
"""A word without a sign that makes it a name: a name is asked for as it stands."""
_BEGUN_NUMBER: Final = r"(?<![^\W_].)(?<![^\W_][./:@+_-].)"
"""Behind the first sign of a number."""
_BETWEEN: Final = "[.,:]?"
_OF_PARTS: Final = "(?:ab|an|auf|aus|ein|heraus|hin|los|nach|um|weg|weiter)[a-z]{5}|ge[a-z]{4}"
"""Words of which the second part may say what they are."""

_Trie = dict[str, "_Trie"]


class ChunkShapes:
    """The chunks of a transcript by their shapes: with every digit alike most of them are of a few.

    Attributes:
        plain: those that are ASCII.
        foreign: all others.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        """Take the chunks of *texts*."""
        chunks: set[str] = set()
        for text in texts:
            chunks.update(text.split())
        self.plain: Sequence[str] = [one for one in chunks if one.isascii()]
        self.foreign: Sequence[str] = [one for one in chunks if not one.isascii()]
        self._by_shape: dict[str, list[str]] = {}
        for one, shape in zip(self.plain, mask("\n".join(self.plain)).split("\n"), strict=False):
            self._by_shape.setdefault(shape, []).append(one)

    @property
    def shapes(self) -> Collection[str]:
        """The shapes of the plain chunks."""
        return self._by_shape.keys()

    def shapes_with(self, heads: Collection[str]) -> Collection[str]:
        """Return the shapes that hold one of *heads*, which are in small letters."""
        text = "\n".join(self.shapes)
        lowered = text.lower()
        return {line for head in heads for line in _lines_at(_places_of(head, lowered), text)}

    def of(self, shapes: Iterable[str]) -> Iterator[str]:
        """Yield the chunks of *shapes*; an empty text has an empty shape, and no chunk of it."""
        return chain.from_iterable(self._by_shape.get(one, ()) for one in shapes)


def mask(text: str) -> str:
    """Return *text* with every digit alike."""
    return text.translate(_MASK)


def find_likely(chunks: ChunkShapes, asked: frozenset[str]) -> frozenset[str]:
    """Return those of the plain *chunks* that may name one of *asked*, or change what others name."""
    text = "\n".join(chunks.shapes)
    found = {*_lines_with(_beginning(asked), text.lower(), text)}
    if any(one.startswith("letter ") for one in asked):
        found.update(_lines_with(_LONE_LETTER, text, text))
    likely = {*chunks.of(found)}
    if (number := _number(asked)) is not None:
        written = "\n".join(chunks.plain)
        likely.update(_lines_with(number, written.lower(), written))
    return frozenset(likely)


def _lines_with(shape: re.Pattern[str], searched: str, text: str) -> Iterator[str]:
    """Yield the lines of *text* where *searched*, of the same length, has a shape."""
    return _lines_at((match.start() for match in shape.finditer(searched)), text)


def _places_of(head: str, text: str) -> Iterator[int]:
    place = text.find(head)
    while place >= 0:
        yield place
        place = text.find(head, place + 1)


def _lines_at(places: Iterable[int], text: str) -> Iterator[str]:
    """Yield the lines of *text* at *places*, which are in their order."""
    end = -1
    for place in places:
        if place > end:
            start = text.rfind("\n", 0, place) + 1
            end = text.find("\n", place)
            end = len(text) if end < 0 else end
            yield text[start:end]


def _beginning(asked: frozenset[str]) -> re.Pattern[str]:
    """Return how a word begins that may be one of *asked*, or stands beside a pole; all digits are alike."""
    plain = [one for one in asked if not _HAS_DIGIT.search(one)]
    begins = (*plain, *beginnings_of(asked))
    items = [one[: _STEM if one.isalpha() else _HEAD] for one in begins]
    words = _shape_of(one for one in items if one[:1].isalnum() and one.isascii())
    given = (one for one in asked if not (one.isalpha() or _DIGITS.fullmatch(one)))
    whole, begun = _cut_long(mask(one) for one in given if one[:1].isalnum() and one.isascii())
    signs = _shape_of(mask(one[:_HEAD]) for one in asked if one[:1] not in "#" and _is_sign(one[0]))
    poles = _shape_of(one for one in {*SPANNING, *beginnings_of_poles(asked)} if one.isascii())
    beside = _shape_of(one for one in BEGINNINGS if one.isascii())
    ends = rf"(?:(?!{_JOINS}*[a-z0-9])|{_JOINS}+{beside})"
    names = f"{_shape_of(whole)}{ends}|{_shape_of(begun)}"
    return re.compile(
        rf"(?:{_BEGINS_WORD}(?:(?:{words}|{_OF_PARTS}){_IS_PLAIN}|{names})|{signs}|(?<![^\W\d])(?:{poles}|{beside}\w*[.@/:+-]))"
    )


def _cut_long(words: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of usual length, and the beginnings of the others."""
    found = frozenset(words)
    long = frozenset(one for one in found if len(one) > _LONGEST)
    return found - long, frozenset(one[:_LONGEST] for one in long)


def _is_sign(sign: str) -> bool:
    return sign.isascii() and not sign.isalnum()


def _number(asked: frozenset[str]) -> re.Pattern[str] | None:
    """Return the shape of a number of *asked*, however it is written, or None."""
    found = {
        re.sub(r"\D", "", one).strip("0") or "0" for one in asked if _DIGITS.fullmatch(one.removeprefix("#"))
    }
    if not found:
        return None
    whole, begun = _cut_long(found)
    ends = r"[0.,:]*(?!\d|\w*[@/:_-]\w)"
    shapes = [f"{_of_digits(whole)}{ends}"] if whole else []
    shapes += [_of_digits(begun)] if begun else []
    return re.compile(rf"[0-9.,:]{_BEGUN_NUMBER}(?:{'|'.join(shapes)})")


def _of_digits(numbers: Iterable[str]) -> str:
    """Return a pattern of any of *numbers* behind its first sign, with zeros before it or without."""
    trie = _trie_of(numbers)
    begun = "|".join(f"(?<={sign}){_tail(rest, _BETWEEN)}" for sign, rest in sorted(trie.items()))
    return rf"(?:(?<=[0.,:])[0.,:]*{_pattern(trie, _BETWEEN)}|{begun})"


def _shape_of(words: Iterable[str]) -> str:
    """Return a pattern of any of *words*, those that begin alike tried once."""
    trie = _trie_of(words)
    return _pattern(trie) if trie else "(?!)"


def _trie_of(words: Iterable[str]) -> _Trie:
    trie: _Trie = {}
    for word in words:
        here = trie
        for sign in word:
            here = here.setdefault(sign, {})
        here[""] = {}
    return trie


def _pattern(trie: _Trie, between: str = "") -> str:
    """Return a pattern of the words of *trie*, *between* each two signs."""
    parts = [re.escape(sign) + _tail(rest, between) for sign, rest in sorted(trie.items()) if sign]
    return f"(?:{'|'.join(parts)}){'?' if '' in trie else ''}"


def _tail(rest: _Trie, between: str) -> str:
    return f"{between}{_pattern(rest, between)}" if rest.keys() > {""} or "" not in rest else ""
