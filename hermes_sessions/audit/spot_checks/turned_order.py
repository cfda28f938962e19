"""Which of two values came first, turned round: `from 48 to 36` where 36 was named first, and given up for 48."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.alignment.items import plain_number
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.late_patterns import late_pattern

_VALUE: Final = r"(?<![A-Za-z\u00c0-\u04ff\d_.,:])(?P<{0}>\d[\d.,:\u00a0\u202f]*\d|\d)"
_BETWEEN: Final = r"(?: ?(?:%|°C?|€|\$|£|¥|元|円|[^\W\d_]{1,12}\.?)){0,2}"
_FIRST: Final = _VALUE.format("old")
_SECOND: Final = _VALUE.format("new")
_ORDERS: Final = (
    late_pattern(
        rf"(?:\b(?:from|von|vom|de|du|da|dal|dalle|desde|с|со|van|z|från)|从) ?(?:the |den? |la |le |el |las )?[$€£]?{_FIRST}{_BETWEEN},? ?"
        rf"(?:(?:to|auf|zu|à|au|a|al|alle|para|até|до|на|do|naar|till)\b|(?:改为|改成|改到|到|降到|降至|升到|升至)) ?(?:the |den? |la |le |el |las )?[$€£]?{_SECOND}",
        re.I,
    ),
    late_pattern(rf"{_FIRST}{_BETWEEN} ?(?:→|->|=>|⇒) ?[$€£]?{_SECOND}", re.I),
    late_pattern(rf"{_FIRST}[^\W\d_]{{0,4}}から、?{_SECOND}", re.I),
    late_pattern(
        rf"{_SECOND}{_BETWEEN},? ?[(（]?(?:instead of|rather than|was|formerly|previously|earlier|before|up from|down from|statt|anstatt|vorher|zuvor|bisher|früher|au lieu de|plutôt que|auparavant|avant"
        rf"|en vez de|en lugar de|antes|em vez de|invece di|invece dei|anziché|prima|вместо|раньше|было|ранее|zamiast|wcześniej|in plaats van|eerst|原来(?:是)?|之前(?:是)?|原先(?:是)?|以前は?|もともと)[:：]? ?(?:the |de |den? |los |i )?[$€£]?{_FIRST}",
        re.I,
    ),
)
_NUMBER: Final = late_pattern(_VALUE.format("number"))
_DIGITS: Final = 2


def turned_orders(claims: Sequence[Statement], texts: Sequence[tuple[int, str]]) -> Iterator[Deviation]:
    """Yield sentences whose older value is named first, and last, after the newer one."""
    asked = [
        (claim, plain_number(match["old"]), plain_number(match["new"]))
        for claim in claims
        if claim.mode is not Mode.OWN
        for shape in _ORDERS
        for match in shape.finditer(claim.text)
    ]
    wanted = {one for _, old, new in asked for one in (old, new) if sum(map(str.isdigit, one)) >= _DIGITS}
    if not wanted:
        return
    heads = tuple({one[:1] for one in wanted})
    places: dict[str, list[int]] = {}
    lines: dict[int, tuple[int, str]] = {}
    at = 0
    for message, text in texts:
        for line in text.splitlines():
            if not any(head in line for head in heads):
                continue
            found = {plain_number(match["number"]) for match in _NUMBER.finditer(line)} & wanted
            if found:
                at += 1
                lines[at] = (message, line.strip()[:400])
                for one in found:
                    places.setdefault(one, []).append(at)
    for claim, old, new in asked:
        if old == new or old not in places or new not in places:
            continue
        if places[new][0] < places[old][0] and places[new][-1] <= places[old][-1]:
            message, line = lines[places[old][-1]]
            yield Deviation(
                Grade.NOT_VERBATIM,
                "order",
                claim.text,
                claim.text,
                "named-later",
                line,
                line,
                message or None,
            )
