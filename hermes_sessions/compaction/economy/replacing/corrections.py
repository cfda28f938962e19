"""Which lines a correction is about that names their thing. Pure.

*I misread my notes on Wick weir: make that 44* says the thing, the new value, perhaps the old one, and no
more. Where one earlier line tells the old value of that thing, or its single value of that kind, the
correction takes its place. Where it is not sure which line is meant, or that is a rule, both stay, and the
correction weighs what they weigh.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hermes_sessions.compaction.economy.fact_lines import STATEMENT, WHOLE_KINDS, FactLine
from hermes_sessions.compaction.economy.wording.correcting_words import (
    corrected_pieces,
    is_given_up,
    names,
    stands_in,
)
from hermes_sessions.facts.values import FactKind
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_RANKS: Final = {Role.TOOL.value: 0, Role.ASSISTANT.value: 1, Role.SYSTEM.value: 2, Role.USER.value: 2}
_TOLD_OFTEN: Final = 16
_WORD: Final = late_pattern(r"[^\W\d_\u3040-\u30ff\u3400-\u9fff]{3,}|[\u3040-\u30ff\u3400-\u9fff]{2}")
_TIME: Final = late_pattern(r"(?<![\d.:/-])\d{1,2}:\d\d(?![\d:])")
_CODE: Final = late_pattern(
    r"(?<![A-Za-z0-9/-])(?=[A-Za-z0-9/-]*\d)(?=\d*[A-Za-z/-])[A-Za-z0-9]+(?:[/-][A-Za-z0-9]+)*(?![A-Za-z0-9/-])"
)
_NUMBER: Final = late_pattern(
    r"(?<![\w.,/-])\d[\d.,]*(?<![.,])(?![\w/-])|(?<=[\u3400-\u9fff])\d[\d.,]*(?<![.,])"
)
_PEOPLE: Final = late_pattern(
    r"(?<![\w'’-])[^\W\d_a-zß-ÿ][^\W\d_]+(?: [^\W\d_a-zß-ÿ][^\W\d_]+){1,2}(?![\w'’-])"
)


class Corrections(NamedTuple):
    """What corrections are about.

    Attributes:
        replaced: the places of lines whose place a correction takes, each with the place of that one.
        beside: for each place of a correction those of the lines that stay beside it.
    """

    replaced: dict[int, int]
    beside: dict[int, tuple[int, ...]]


def corrections(lines: Sequence[FactLine]) -> Corrections:
    """Return which of *lines*, oldest first, correct which."""
    correcting = {
        place: pieces
        for place, line in enumerate(lines)
        if line.speaker != Role.TOOL and (pieces := corrected_pieces(line.text))
    }
    replaced: dict[int, int] = {}
    beside: dict[int, tuple[int, ...]] = {}
    if not correcting:
        return Corrections(replaced, beside)
    sought = {_key(piece) for pieces in correcting.values() for piece in pieces if names(piece)}
    known = _places(lines, sought - {""})
    for place, pieces in correcting.items():
        about = [
            at
            for at in _near(known, pieces, place)
            if _is_before(lines, at, place, at in correcting) and _is_about(lines[place], pieces, lines[at])
        ]
        about = [at for at in about if not _holds_another(lines, at, about)]
        sure = len({lines[at].text for at in about}) == 1 or _tells_the_old(pieces, lines, about)
        for at in about:
            if sure and _may_go(lines[at]):
                replaced.setdefault(at, place)
        if stays := tuple(at for at in about if replaced.get(at) != place):
            beside[place] = stays
    return Corrections(replaced, beside)


def weighed(
    scored: Sequence[tuple[FactLine, float]], lines: Sequence[FactLine], found: Corrections
) -> Iterator[tuple[FactLine, float]]:
    """Yield *scored*, corrections with at least the score of the lines that they are about.

    Args:
        lines: those that *found* gives the places of.
    """
    scores = {line.text: score for line, score in scored}
    least: dict[str, float] = {}
    pairs = [(place, (at,)) for at, place in found.replaced.items()]
    for place, about in (*pairs, *found.beside.items()):
        text = lines[place].text
        worth = (scores.get(lines[at].text, lines[at].weight) for at in about)
        least[text] = max(least.get(text, 0.0), *worth)
    for line, score in scored:
        yield line, max(score, least.get(line.text, score))


def _key(piece: str) -> str:
    """Return the longest word of a piece: by it the lines about it are found."""
    return max(_WORD.findall(piece), key=len, default="")


def _places(lines: Sequence[FactLine], words: set[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {word: [] for word in words}
    for place, line in enumerate(lines):
        text = line.text.lower()
        for word in set(_WORD.findall(text)) & words:
            found[word].append(place)
    return found


def _near(known: dict[str, list[int]], pieces: Sequence[str], place: int) -> Iterator[int]:
    """Yield the newest lines with the longest word of the thing that a correction names."""
    places = {at for piece in pieces if names(piece) for at in known.get(_key(piece), ())}
    yield from sorted(places - {place})[-_TOLD_OFTEN:]


def _is_before(lines: Sequence[FactLine], at: int, place: int, corrects: bool) -> bool:
    """Whether a line was said before a correction by the same or a lower speaker.

    A handoff lists its lines by kind: there a correction is later than what is none.
    """
    line, earlier = lines[place], lines[at]
    later = earlier.at < line.at or (earlier.at == line.at and (at < place or (line.at < 0 and not corrects)))
    return later and _RANKS[line.speaker] >= _RANKS[earlier.speaker]


def _is_about(line: FactLine, pieces: Sequence[str], earlier: FactLine) -> bool:
    """Whether an earlier line tells another value of the thing that a correction names."""
    text = earlier.text.lower()
    told = [piece for piece in pieces if stands_in(piece, text)]
    new = [piece for piece in pieces if piece not in told]
    if len(new) != 1 or not any(map(names, told)) or (" " not in text and text.isascii()):
        return False
    if is_given_up(new[0], line.text.lower()):
        return False
    if len(told) > 1:
        return True
    thing = next(piece for piece in told if names(piece))
    given = _values(line, new[0]) or _people(line.text, thing, new[0])
    if not given:
        return False
    kind, value = given[0]
    values = {found for one, found in (*_values(earlier, text), *_people(earlier.text, thing)) if one == kind}
    return len(values) == 1 and value not in values and _fits(new[0], kind, text)


def _fits(piece: str, kind: str, text: str) -> bool:
    """Whether the words beside a new number, its unit, stand beside the old one, too."""
    return kind != "number" or all(stands_in(word, text) for word in _WORD.findall(piece))


def _values(line: FactLine, text: str) -> list[tuple[str, str]]:
    """Return kind and text of the values in *text*, a piece of *line*: days, times, codes, then numbers."""
    found = []
    days = {fact.value.lower() for fact in line.slots if fact.kind == FactKind.DATE}
    for day in sorted(days, key=len, reverse=True):
        if day in text:
            found.append(("date", day))
            text = text.replace(day, " ; ")
    for kind, shape in (("time", _TIME), ("code", _CODE), ("number", _NUMBER)):
        found += [(kind, value) for value in shape.findall(text)]
        text = shape.sub(" ; ", text)
    return found


def _people(text: str, thing: str, piece: str = "") -> list[tuple[str, str]]:
    """Return the names in capitals in *text* besides that of a thing; of *piece* alone, where it is given."""
    at = text.lower().find(thing)
    rest = text if at < 0 else f"{text[:at]} ; {text[at + len(thing) :]}"
    found = [("name", name.lower()) for name in _PEOPLE.findall(rest)]
    return [one for one in found if not piece or one[1] == piece]


def _tells_the_old(pieces: Sequence[str], lines: Sequence[FactLine], about: Sequence[int]) -> bool:
    return bool(about) and all(
        sum(stands_in(piece, lines[at].text.lower()) for piece in pieces) > 1 for at in about
    )


def _holds_another(lines: Sequence[FactLine], at: int, about: Sequence[int]) -> bool:
    """Whether a line is a whole message, of which a sentence that is meant has a line of its own."""
    return any(
        other != at and lines[other].at == lines[at].at and lines[other].text in lines[at].text
        for other in about
    )


def _may_go(line: FactLine) -> bool:
    return line.kind == STATEMENT or line.kind not in WHOLE_KINDS or line.kind == FactKind.DECISION
