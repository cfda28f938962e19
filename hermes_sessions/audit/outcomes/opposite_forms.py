"""A word that nobody used, where the source has its opposite by a prefix: `incomplete` for `complete`."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple
from unicodedata import normalize

from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import is_heading
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.late_patterns import late_pattern

_DENYING: Final = tuple(
    [
        "in",
        "im",
        "il",
        "ir",
        "un",
        "non",
        "non-",
        "dis",
        "des",
        "de",
        "mis",
        "s",
        "ent",
        "miss",
        "nicht",
        "on",
        "nie",
        "не",
        "бес",
        "без",
        "o",
    ]
)
"""Prefixes that deny what they are put before."""
_PAIRS: Final = tuple(
    one.split("/")
    for one in [
        "con/in",
        "en/dis",
        "in/ex",
        "in/de",
        "im/ex",
        "under/over",
        "ein/aus",
        "an/ab",
        "an/aus",
        "auf/zu",
        "zu/ab",
        "sub/sobre",
        "in/uit",
        "aan/uit",
        "w/wy",
        "za/roz",
        "за/раз",
        "в/вы",
        "при/у",
    ]
)
"""Prefixes of which one is the opposite of the other."""
_OPPOSITES: Final = sorted(
    {
        (one, other)
        for pair in (*_PAIRS, *(["", one] for one in _DENYING))
        for one, other in (pair, pair[::-1])
    }
)
_LONGEST: Final = 6
_STEM: Final = 4
_WORD: Final = late_pattern(r"(?:\bnon-)?[^\W\d_]{5,}")
_ENDS: Final = SentenceCut(r"[.!?;]\s|\n")
_REACH: Final = 400
_MARKS: Final = late_pattern("[\u0300-\u036f]")


class _WordPlace(NamedTuple):
    """Where a word stands in the source."""

    message: int
    text: str
    start: int


def opposite_forms(claims: Sequence[Clause], texts: Sequence[tuple[int, str]]) -> Iterator[Deviation]:
    """Yield clauses with a word of which the source has only the opposite, beside something they name."""
    known = _vocabulary(texts)
    for claim in claims:
        if is_heading(claim.said.text):
            continue
        for word in _WORD.findall(claim.text):
            stem = _stem(word)
            if stem in known:
                continue
            opposite = next((one for one in _opposites(stem) if one in known), None)
            if opposite is None or (told := _beside(_places(known[opposite], texts), claim, word)) is None:
                continue
            line = _line_at(told)
            if is_negated(line) != is_negated(claim.text):
                continue  # `unfinished` is `not finished`
            yield Deviation(
                Grade.NOT_VERBATIM, "opposite", claim.text, claim.said.text, "opposite-form",
                line, line, told.message or None,
            )  # fmt: skip
            break


def _vocabulary(texts: Sequence[tuple[int, str]]) -> dict[str, list[str]]:
    """Return the stems of all words of the source with the words of each."""
    words = set[str]()
    for _, text in texts:
        words.update(_WORD.findall(text))
    found: dict[str, list[str]] = {}
    for word in sorted(words):
        found.setdefault(_stem(word), []).append(word)
    return found


def _places(words: Sequence[str], texts: Sequence[tuple[int, str]]) -> list[_WordPlace]:
    """Return the first places of *words*, one a text."""
    found = (_WordPlace(message, text, text.find(word)) for word in words for message, text in texts)
    return list(islice((one for one in found if one.start >= 0), _MOST_PLACES))


_MOST_PLACES: Final = 8


def _stem(word: str) -> str:
    """Return a word in small letters, without accents and its last letter: what most endings leave."""
    folded = word.casefold()
    if not folded.isascii():
        folded = _MARKS.sub("", normalize("NFD", folded))
    return folded[:-1]


def _opposites(stem: str) -> Iterator[str]:
    for one, other in _OPPOSITES:
        if stem.startswith(one) and len(stem) - len(one) >= _STEM:
            yield other + stem[len(one) :]


def _beside(places: Sequence[_WordPlace], claim: Clause, word: str) -> _WordPlace | None:
    """Return the last place of a word whose line names something else that the clause names."""
    about = claim.named - read_items(f"x {word}").all
    return next((one for one in reversed(places) if about & read_items(_line_at(one)).all), None)


def _line_at(told: _WordPlace) -> str:
    """Return the sentence that a word stands in; of a long one what is near."""
    first, last = max(0, told.start - _REACH), told.start + _REACH
    near = told.text[first:last]
    start, end = _ENDS.around(near, told.start - first, told.start - first)
    return near[start:end]
