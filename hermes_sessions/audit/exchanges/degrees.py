"""More for less, after for before, at most for at least: words of degree beside a figure, and what the source has beside it."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.items import plain_number
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.exchanges.degree_words import DEGREES
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.facts.polarity import NEGATION
from hermes_sessions.facts.quantities.amounts import NUMBER_WORDS
from hermes_sessions.late_patterns import late_pattern

_FIGURE: Final = late_pattern(
    r"(?<![\w./-])\d+(?:[.,:]\d+)*(?![\w/-]*[/_-]\w)|(?<=[\u2e80-\ud7ff])\d+(?:[.,:]\d+)*"
)
_WORD: Final = late_pattern(r"[^\W\d_]+")
_ONE: Final = late_pattern(
    r"\b(?:an?|one|ein(?:e[nrm]?)?|une?|una|uma|uno|um|een|jeden|jedną|один|одну|одна)\s(?=(?:hour|stunde|heure|hora|ora\b|uur|godzin|час|minut|day\b|tag\b|jour\b|día\b|dia\b|giorno|dag\b|dzień|день|week|woche|semaine|semana|settimana|tydzień|недел|month|monat|mois|mes\b|mês|mese\b|maand|miesiąc|месяц|year|jahr|an\b|año|ano\b|anno|jaar|rok\b|год))",
    re.I,
)
_CUT: Final = late_pattern(r"[.;:!?,(]\s|[。；，、（]")
_FAR: Final = 3
"""So many words may stand between a word of degree and its figure."""
_FAR_SIGNS: Final = 6
_DENIED: Final = 14
"""So near before a word of degree a denial is of it."""
_MOST_CHARS: Final = 400
_MOST_PLACES: Final = 120
"""A figure that stands at more places tells nothing."""
_TELLING: Final = 2
"""A figure of so many digits at few places is of one thing."""
_FEW: Final = 2


class Degree(NamedTuple):
    """A figure, and the side of an axis that a word beside it is on."""

    axis: str
    side: int
    figure: str


class _ToldDegree(NamedTuple):
    """A degree of the source, its line and message."""

    degree: Degree
    line: str
    message: int


def turned_degrees(claims: Sequence[Clause], index: ClauseIndex) -> Iterator[Deviation]:
    """Yield clauses with a word of degree beside a figure of which the source only has the opposite word.

    Nobody is accused: who is ahead of one is behind the other.
    """
    for claim in claims:
        for one in read_degrees(claim.text):
            near = [each for each in _told_degrees(one, index) if each.degree[::2] == one[::2]]
            near = [each for each in near if len(near) <= _FEW or _is_of_same(claim, each.line)]
            if near and all(each.degree.side != one.side for each in near) and _tells(claim, one, near[-1]):
                origin = near[-1]
                yield Deviation(
                    Grade.NOT_VERBATIM, "opposite", claim.text, claim.said.text, "degree", origin.line, origin.line,
                    origin.message or None,
                )  # fmt: skip
                break


def _tells(claim: Clause, one: Degree, origin: _ToldDegree) -> bool:
    """Return whether both are of one thing: they name another one, or the figure is no small number."""
    return sum(map(str.isdigit, one.figure)) >= _TELLING or _is_of_same(claim, origin.line)


def _is_of_same(claim: Clause, line: str) -> bool:
    shared = read_terms(claim.said.text).all & read_terms(line).all
    return any(not term[:1].isdigit() for term in shared)


def _told_degrees(one: Degree, index: ClauseIndex) -> Iterator[_ToldDegree]:
    """Yield the degrees of the source's sentences that name the figure of *one*, where these are not many."""
    items = (f"#{one.figure}", f"#{one.figure}:00")
    places = (at for item in items if index.count(item) <= _MOST_PLACES for at in index.places(item))
    for said in dict.fromkeys(index.said(at) for at in sorted(places)):
        line = said.text[:_MOST_CHARS]
        yield from (_ToldDegree(found, line.strip(), said.message) for found in read_degrees(line))


@lru_cache(maxsize=8_192)
def _figures(text: str) -> dict[tuple[int, int], str]:
    """Return the figures of a text by their places, as they are written shortest; small ones in words, too."""
    found = {match.span(): _plain(match.group()) for match in _FIGURE.finditer(text)}
    for match in _WORD.finditer(text):
        if (number := NUMBER_WORDS.get(match.group().casefold())) is not None:
            found[match.span()] = _plain(str(number))
    for match in _ONE.finditer(text):
        found[match.span()] = "1"
    return found


def _plain(number: str) -> str:
    return plain_number(number.removesuffix(":00"))


@lru_cache(maxsize=8_192)
def read_degrees(text: str) -> tuple[Degree, ...]:
    """Return the figures of *text* beside a word of degree, of every axis on which that is on one side alone."""
    figures = _figures(text)
    return tuple(dict.fromkeys(_read(text, figures))) if figures else ()


def _read(text: str, figures: dict[tuple[int, int], str]) -> Iterator[Degree]:
    rest = text
    for axis, shapes in DEGREES.items():
        sides: dict[str, set[int]] = {}
        for side, word in _words(rest, shapes):
            for place, figure in figures.items():
                if _are_beside(text, place, word):
                    sides.setdefault(figure, set()).add(side)
        yield from (Degree(axis, min(found), one) for one, found in sides.items() if len(found) == 1)
        if axis == "bound":  # `no more than` is no `more`
            for shape in shapes:
                rest = shape.sub(lambda match: " " * len(match.group()), rest)


def _words(text: str, shapes: Sequence[re.Pattern[str]]) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield the side and the place of each word of an axis that nothing denies."""
    for side, shape in enumerate(shapes):
        for match in shape.finditer(text):
            if NEGATION.search(text, max(0, match.start() - _DENIED), match.start()) is None:
                yield side, match.span()


def _are_beside(text: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether few words, and no comma, stand between two places."""
    first, second = sorted((one, other))
    between = text[first[1] : second[0]]
    if second[0] < first[1] or _CUT.search(between):
        return False
    is_signs = bool(between) and max(between) > "\u2e7f"
    return len(between) <= _FAR_SIGNS if is_signs else len(_WORD.findall(between)) <= _FAR
