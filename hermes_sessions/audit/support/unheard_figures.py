"""Figures that nobody said and that follow from none: accusations, whatever the words around. Pure.

Of the faithful summaries of the pairs, and of sixty by strangers, none has such a figure: what a summary
works out by itself follows from figures that were said.
"""

from collections.abc import Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.figures.line_numbers import read_line
from hermes_sessions.audit.figures.told_figures import FigureTelling, ToldFigures
from hermes_sessions.facts.quantities.amounts import is_physical
from hermes_sessions.late_patterns import late_pattern

_RULES: Final = frozenset({"not-said", "said-nowhere"})
_MEASURED: Final = frozenset({"money", "duration", "percentage"})
_DIGITS: Final = 3
"""So many digits tell a figure from what somebody counts; with a unit one fewer does."""
_DAY_OR_TIME: Final = late_pattern(r"[0-3]?\d[.:][0-5]?\d(?![\d%])(?!\s?[€$£¥])")
"""`25.07`, `11.15`: a day, or a time of day, which a source may have in other words."""


def unheard(found: Sequence[Deviation], figures: ToldFigures) -> list[Deviation]:
    """Return *found* with every note as an accusation that names such a figure, once for a line."""
    named = {(one.line, _digits(one.value)) for one in found if one.grade is not Grade.NOT_VERBATIM}
    kept: list[Deviation] = []
    for one in found:
        told = _accused(one, figures)
        if told is not one:
            place = (one.line, _digits(told.value))
            if place in named:
                told = one
            named.add(place)
        kept.append(told)
    return kept


def _accused(one: Deviation, figures: ToldFigures) -> Deviation:
    """Return the accusation, with the figure as it is written; the finding itself where it is none."""
    is_figure = (one.kind == "number" or one.kind in _MEASURED) and one.value != one.line
    if one.grade is not Grade.NOT_VERBATIM or not is_figure or one.rule not in _RULES:
        return one
    written = next(iter(read_line(one.line).of(one.value)), None)
    if written is None or not written.is_free or _DAY_OR_TIME.match(one.line, written.start):
        return one
    digits = len(_digits(one.value).strip("0"))
    if digits < _DIGITS - (one.kind in _MEASURED or is_physical(one.value)):
        return one
    is_nowhere = figures.telling(one.value, one.line) is FigureTelling.NOWHERE
    if not is_nowhere or figures.adds_up(one.value, one.line):
        return one
    value = one.value if one.value in one.line else one.line[written.start : written.end]
    grade = Grade.CONTRADICTS if one.source else Grade.INVENTED
    return one._replace(grade=grade, value=value)


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))
