"""Findings about figures that the source has after all: rounded, converted, or worked out. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from hermes_sessions.audit.checking.contexts import is_scaled, is_swapped
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.figures.told_figures import EACH, FigureTelling, ToldFigures
from hermes_sessions.audit.support.mistakable import may_be_mistaken
from hermes_sessions.facts.equivalence import outcome
from hermes_sessions.late_patterns import late_pattern

_FIGURES: Final = frozenset({"number", "money", "duration", "percentage"})
_NEAR: Final = frozenset({"replaced-since", "stands-nearer"})
_NONE_LEFT: Final = late_pattern(r"0(?![\d.,])")
_RESULTS: Final = late_pattern(r"(?<![\w.,])(\d{1,6}) (?:tests? )?([^\W\d_]{3,20})")
_OTHER: Final = frozenset({"only-value", "same-line", "same-noun", "same-sentence", "same-slot"})
_OF_ITS_SORT: Final = frozenset({"only-value", "same-noun"})
"""What binds a value to the one of the source is its sort: if it is said, it may be of another thing."""
_DECIMALS: Final = late_pattern(r"\d[.,]\d{1,2}(?!\d)")
_UNSAID: Final = frozenset({"not-said", "misspelt", "only-value", "same-line", "same-noun", "same-slot"})


def is_told_otherwise(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether a finding names a figure that is told of the source in another form."""
    if one.rule in _NEAR and one.grade is Grade.NOT_VERBATIM:
        return not may_be_mistaken(one) or _is_result_told(one, figures)
    if one.rule == "same-outcome" and _NONE_LEFT.match(one.value):
        return any(_is_clean(text) for text in figures.texts)
    if one.kind not in _FIGURES or one.value == one.line:
        return False
    if one.rule == "other-unit":
        return figures.lasts(one.value, one.line)
    if one.rule not in _UNSAID or one.grade is not Grade.NOT_VERBATIM:
        return False
    telling = figures.telling(one.value, one.line)
    return telling in (FigureTelling.REWORDED, FigureTelling.RECKONED) or (
        telling is FigureTelling.SAID and one.rule == "not-said"
    )


def _is_clean(text: str) -> bool:
    """Return whether a run of tests counts what passed, and nothing that did not: `135 passed in 18 s`."""
    runs = [(count, outcome(word)) for count, word in _RESULTS.findall(text)]
    return any(word == "passed" for _, word in runs) and not any(
        word not in ("", "passed", "skipped") and count.strip("0") for count, word in runs
    )


def _is_result_told(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether a value counts tests of one outcome as the source does: each run has its own."""
    found = re.search(rf"(?<![\w.,]){re.escape(one.value)} ([^\W\d_]{{3,20}})", one.line)
    return found is not None and bool(outcome(found[1])) and figures.holds(found.group())


def softened(one: Deviation, figures: ToldFigures) -> Deviation:
    """Return an accusation as a note where the figure is worked out of the few numbers of the source.

    So is one that is ten times another one and follows from the source: ten crates of 6.8 kg are 68 kg.
    And so is one that stands in the source, where only its sort ties it to another one, or it has decimals.
    """
    if one.grade is not Grade.CONTRADICTS or one.kind not in _FIGURES:
        return one
    if one.rule == "misspelt" and is_scaled(one.value, one.source):
        is_told = EACH.search(one.line) and figures.telling(one.value, one.line) >= FigureTelling.LIKELY
        return one._replace(grade=Grade.NOT_VERBATIM, grave=False) if is_told else one
    if one.rule not in _OTHER:
        return one
    is_tied = one.rule not in _OF_ITS_SORT and _DECIMALS.search(one.value) is None
    if not is_tied and figures.telling(one.value, one.line) is FigureTelling.SAID:
        return one._replace(grade=Grade.NOT_VERBATIM, grave=False)
    if one.kind == "duration" and _is_apart(one):
        return one._replace(grade=Grade.NOT_VERBATIM, grave=False)
    is_short = sum(map(str.isdigit, one.value)) <= _SHORT
    if is_short or not figures.is_sparse or is_swapped(one.value, one.source):
        return one
    is_reckoned = figures.telling(one.value, one.line) in (FigureTelling.LIKELY, FigureTelling.RECKONED)
    return one._replace(grade=Grade.NOT_VERBATIM, grave=False) if is_reckoned else one


def _is_apart(one: Deviation) -> bool:
    """Return whether a duration tells how far two days are apart: `five days before the deadline`."""
    behind = one.line[one.line.find(one.value) + len(one.value) :]
    return _APART.match(behind) is not None


_APART: Final = late_pattern(
    r"[\s,]*(?:before|after|later|earlier|ahead|vor(?:her)?|nach(?:her)?|danach|davor|später|früher|avant|après"
    r"|plus t[ôa]\w+|antes|después|depois|prima|dopo|più tardi|voor|na|later|eerder|przed|po|później"
    r"|wcześniej|до|после|спустя|раньше|позже)\b|[前后後]|まえ|あと",
    re.I,
)


def without_repeated(found: Sequence[Deviation]) -> list[Deviation]:
    """Return *found* without the numbers that are nowhere where another accusation names them already."""
    named = [one.value for one in found if one.grade is not Grade.NOT_VERBATIM and one.rule != _NOWHERE]
    return [one for one in found if one.rule != _NOWHERE or not any(one.value in value for value in named)]


_SHORT: Final = 2
_NOWHERE: Final = "said-nowhere"
