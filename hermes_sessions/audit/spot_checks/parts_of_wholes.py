"""A part of a whole that the source gives another part of, and never this one: `147 of 147` for `143 of 147`."""

from collections.abc import Iterator, Sequence
from re import I as ANY_CASE
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.items import plain_number
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.late_patterns import late_pattern

_N: Final = r"(?<![A-Za-z\u00c0-\u04ff\d_.,:/-])(?P<{0}>\d{{1,3}}(?:[.,]\d{{3}})+|\d{{1,9}})(?![\d:]|[.,]\d)"
_WHOLE: Final = _N.format("whole").replace("/-", "-")
_OF: Final = late_pattern(
    rf"{_N.format('part')}(?: [^\W\d_]{{1,14}})? ?(?:of|out of|/|von|sur|de|di|из|van|z|av|/)(?: (?:the|den|las|los|les|alle|all|todas|todos))? ?{_WHOLE}(?![/-])",
    ANY_CASE,
)
_AMONG: Final = late_pattern(
    rf"{_N.format('whole')}[^\W\d_]{{0,3}}[中里のうち内]{{1,3}}(?:有|の)?{_N.format('part')}"
)
_LEAST: Final = 10
_MOST_LINE: Final = 400


class _PartOfWhole(NamedTuple):
    part: str
    whole: str
    text: str


def other_parts_of_wholes(
    claims: Sequence[Statement], texts: Sequence[tuple[int, str]]
) -> Iterator[Deviation]:
    """Yield parts of a whole of ten or more that *texts* have with other parts alone, none of which the handoff has."""
    own = [(claim, one) for claim in claims for one in _read(claim.text)]
    asked = [(claim, one) for claim, one in own if claim.mode is not Mode.OWN]
    if not asked:
        return
    wholes = {one.whole for _, one in asked}
    known: dict[str, dict[str, tuple[int, str, str]]] = {}
    for message, text in texts:
        if not any(whole in text.replace(",", "").replace(".", "") for whole in wholes):
            continue
        for line in text.splitlines():
            for one in _read(line):
                if one.whole in wholes:
                    place = (message, one.text, line.strip()[:_MOST_LINE])
                    known.setdefault(one.whole, {})[one.part] = place
    has = {(one.part, one.whole) for _, one in own}
    for claim, one in asked:
        parts = known.get(one.whole, {})
        if parts and one.part not in parts and not any((part, one.whole) in has for part in parts):
            message, other, line = list(parts.values())[-1]
            yield Deviation(
                Grade.NOT_VERBATIM,
                "number",
                one.text,
                claim.text,
                "other-part-of",
                other,
                line,
                message or None,
            )


def _read(text: str) -> Iterator[_PartOfWhole]:
    for shape in (_OF, _AMONG):
        for match in shape.finditer(text):
            part, whole = plain_number(match["part"]), plain_number(match["whole"])
            if whole.isdecimal() and part.isdecimal() and int(part) <= int(whole) >= _LEAST:
                yield _PartOfWhole(part, whole, match.group())
