"""Figures that nobody said and that follow from none: accusations, whatever the words around. Pure.

Of the faithful summaries of the pairs, and of sixty by strangers, none has such a figure: what a summary
works out by itself follows from figures that were said.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

from hermes_sessions.audit.checking.asked_values import JudgedValue
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.figures.line_numbers import read_line
from hermes_sessions.audit.figures.told_figures import FigureTelling, ToldFigures
from hermes_sessions.audit.sources.source_index import SourceIndex
from hermes_sessions.audit.unheard.accusing import are_of_one_line
from hermes_sessions.facts.compare import Likeness
from hermes_sessions.facts.quantities.amounts import is_physical
from hermes_sessions.late_patterns import late_pattern

_RULES: Final = frozenset({"not-said", "said-nowhere"})
_MEASURED: Final = frozenset({"money", "duration", "percentage"})
_COUNTED: Final = 20
"""Up to so many things a summary may have counted by itself."""
_YEAR: Final = late_pattern(r"(?:19|20)\d\d")
_YEAR_IN: Final = late_pattern(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_YEARS_NEAR: Final = 5
_TOTALS: Final = late_pattern(
    r"\W{0,4}(?:total\w*|sum(?:me|ma|a)?|gesamt\w*|insgesamt|zusammen|totaal|razem|łącznie|итого|всего|toplam|合計|总计|合计|합계)\b[^|\n]{0,12}\|",
    re.I,
)
"""The row of a table that adds up the ones above it."""
_DAY_OR_TIME: Final = late_pattern(r"[0-3]?\d[.:][0-5]?\d(?![\d%])(?!\s?[€$£¥])")
"""`25.07`, `11.15`: a day, or a time of day, which a source may have in other words."""


def unheard(
    found: Sequence[Deviation], judged: Iterable[JudgedValue], source: SourceIndex, figures: ToldFigures
) -> list[Deviation]:
    """Return *found* with an accusation for each such figure of the handoff, once for a line.

    What was noted of it becomes the accusation; what is only planned is left out where nothing was noted.
    """
    named: dict[str, list[str]] = defaultdict(list)
    for one in found:
        if one.grade is not Grade.NOT_VERBATIM:
            named[_digits(one.value)].append(one.line)
    stated = (one for one, mode in judged if mode is Mode.STATED)
    unsaid = (one for one in stated if source.says(one.kind, one.value).likeness is Likeness.ABSENT)
    asked = (Deviation(Grade.NOT_VERBATIM, one.kind, one.value, one.text, "said-nowhere") for one in unsaid)
    kept = list(found)
    for at, one in chain(enumerate(found), ((None, one) for one in asked)):
        told = _accused(one, figures)
        lines = named[_digits(told.value)]
        if told is one or any(are_of_one_line(told.line, line) for line in lines):
            continue
        lines.append(told.line)
        if at is None:
            kept.append(told)
        else:
            kept[at] = told
    return kept


def _is_in_a_row(value: str, figures: ToldFigures) -> bool:
    """Return whether a text has the digits with either sign between, in a row too: `13:58,622.410`."""
    parts = _SIGN.split(value)
    if len(parts) < _OF_PARTS:
        return False
    shape = re.compile(rf"(?<!\d){'[.,]'.join(map(re.escape, parts))}(?!\d)")
    return any(map(shape.search, figures.texts))


_SIGN: Final = late_pattern(r"[.,]")
_OF_PARTS: Final = 2


def _accused(one: Deviation, figures: ToldFigures) -> Deviation:
    """Return the accusation, with the figure as it is written; the finding itself where it is none."""
    is_figure = (one.kind == "number" or one.kind in _MEASURED) and one.value != one.line
    if one.grade is not Grade.NOT_VERBATIM or not is_figure or one.rule not in _RULES:
        return one
    written = next(iter(read_line(one.line).of(one.value)), None)
    if written is None or not written.is_free or _DAY_OR_TIME.match(one.line, written.start):
        return one
    if _is_year(one.value, figures) or _is_in_a_row(one.line[written.start : written.end], figures):
        return one
    is_measured = one.kind in _MEASURED or is_physical(one.value)
    if not is_measured and written.size <= _COUNTED and written.step == 1:
        return one
    is_nowhere = figures.telling(one.value, one.line) is FigureTelling.NOWHERE
    if not is_nowhere or _TOTALS.match(one.line) or figures.adds_up(one.value, one.line):
        return one
    value = one.value if one.value in one.line else one.line[written.start : written.end]
    grade = Grade.CONTRADICTS if one.source else Grade.INVENTED
    return one._replace(grade=grade, value=value)


def _is_year(value: str, figures: ToldFigures) -> bool:
    """Return whether a bare number is a year, one that the source names or one near it."""
    if _YEAR.fullmatch(value) is None:
        return False
    known = {int(year) for text in figures.texts for year in _YEAR_IN.findall(text)}
    return any(abs(year - int(value)) <= _YEARS_NEAR for year in known)


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))
