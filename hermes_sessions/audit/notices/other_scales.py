"""A measure of a handoff with the number of its source and another prefix of its unit: `60 mA` for `60 µA`. Pure."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode, Passage
from hermes_sessions.late_patterns import late_pattern

_MEASURE: Final = late_pattern(
    r"(?<![\w.,])(\d{1,9}(?:[.,]\d{1,6})?)[ \u00a0\u202f]?([pnuµμmkMGT]?)(A|V|W|Wh|Ah|Hz|F|Ω|J|Pa|g|L|l|Bq|Sv)(?![\w])"
)
_SAME: Final = {"u": "µ", "μ": "µ"}


def other_scales(passages: Sequence[Passage], text: str) -> Iterator[Deviation]:
    """Yield each measure whose number stands in *text* with another prefix of the unit, and never with this one."""
    asked = [
        (match, one) for one in passages if one.mode is not Mode.OWN for match in _MEASURE.finditer(one.text)
    ]
    if not asked:
        return
    known: dict[tuple[str, str], dict[str, str]] = {}
    for number in {match[1] for match, _ in asked}:
        for match in _measures_with(number, text):
            known.setdefault((number, match[3]), {}).setdefault(_prefix(match), match.group())
    for match, passage in asked:
        told = known.get((match[1], match[3]), {})
        if told and _prefix(match) not in told:
            other = next(iter(told.values()))
            yield Deviation(
                Grade.NOT_VERBATIM, "number", match.group(), passage.text[:400], "other-scale", other, other
            )


def _measures_with(number: str, text: str) -> Iterator[re.Match[str]]:
    for place in re.finditer(re.escape(number), text):
        match = _MEASURE.match(text, place.start())
        if match is not None and match[1] == number:
            yield match


def _prefix(match: re.Match[str]) -> str:
    return _SAME.get(match[2], match[2])
