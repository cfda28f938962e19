"""Where something goes from and to, in a handoff that gives the two ends the other way round."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.relations.statements import Statement, contradiction
from hermes_sessions.late_patterns import late_pattern

_A: Final = r"(?P<a{0}>[\w.@-]*\w(?: [A-Z0-9]\b)?)(?: ?\([^)\n]{{0,30}}\))?"
_B: Final = r"(?P<b{0}>[\w.@-]*\w(?: [A-Z0-9]\b)?)"
_FORMS: Final = (
    r"\bfrom (?:the |drive |zone )?{a} (?:in|on|over|across)?(?:to|into) (?:the |drive |zone )?{b}",
    r"\b(?:von|vom|aus) (?:de[rmn] )?{a} (?:in|nach|auf|zu|zum|zur|ins|an) (?:die |das |de[nrm] )?{b}",
    r"\b(?:de la |de l['’]|du |de |d['’]){a} (?:vers|à|au|en) (?:la |le |l['’])?{b}",
    r"\b(?:del?|desde|da|do|dal|dalla) (?:la |el |o |a |il )?{a}"
    r" (?:al?|hacia|para|ao|à|alla|verso) (?:la |el |o |a |il )?{b}",
    r"\b(?:с|со|из|от) (?:диска |зоны )?{a} (?:на|в|к|до) (?:диск |зону )?{b}",
    r"{a} ?(?:->|→|⇒|=>|»|➜) ?{b}",
)
_SHAPES: Final = tuple(
    late_pattern(form.replace("{a}", _A.format("")).replace("{b}", _B.format("")), re.I) for form in _FORMS
)
_SIGNS: Final = (
    late_pattern(
        r"[从由](?P<a>[^\s，。从由]{1,6}?)(?:移|改|换|调|搬|转|迁|发)?[到至成往]了?(?P<b>[^\s，。]{1,6})"
    ),
    late_pattern(r"(?P<a>[^\s、。はがのを]{1,8})から(?P<b>[^\s、。]{1,8}?)(?:へ|に)"),
    late_pattern(r"(?P<a>[가-힣A-Za-z0-9.]{1,10})에서 (?P<b>[가-힣A-Za-z0-9.]{1,10}?)(?:으로|로)\b"),
)
_HINTS: Final = late_pattern(
    r"\b(?:from|von|vom|aus|de|del|desde|da|do|du|dal|dalla|с|со|из|от)\b|->|→|⇒|=>|➜|d['’]|[从由]|から|에서",
    re.I,
)


class _Way(NamedTuple):
    """Both ends as what they name."""

    start: frozenset[str]
    end: frozenset[str]


def turned_ways(claims: Sequence[Statement], told: Sequence[Statement]) -> Iterator[Deviation]:
    """Yield sentences that go from B to A where every way told between both goes from A to B."""
    asked = [(claim, way) for claim in claims for way in _ways(claim.text)]
    if not asked:
        return
    known = [(said, way) for said in told for way in _ways(said.text)]
    for claim, way in asked:
        straight = any(way.start & one.start and way.end & one.end for _, one in known)
        turned = [
            said
            for said, one in known
            if way.start & one.end and way.end & one.start and not way.start & one.start
        ]
        if turned and not straight:
            yield contradiction(claim, turned[-1], "swapped-ends", "order")


def _ways(text: str) -> Iterator[_Way]:
    if _HINTS.search(text) is None:
        return
    for shape in (*_SHAPES, *(() if text.isascii() else _SIGNS)):
        for match in shape.finditer(text):
            start, end = read_items(f"x {match['a']}").all, read_items(f"x {match['b']}").all
            if start - end and end - start:
                yield _Way(start - end, end - start)
