"""All of so many, where the last count was that only some of them are: `all 9 pages` for `7 of 9 pages`."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode, is_heading
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.late_patterns import late_pattern

_ALL: Final = "all|alle[nr]?|sämtliche|toute?s?|tous|les|tod[oa]s|tutt[ei]|wszystkie|wszystkich|все|всех"
_THE: Final = "the|of the|den|les|l[oa]s|os|as|i|gli|le|de"
_ALL_OF: Final = (
    late_pattern(rf"\b(?:{_ALL})(?: (?:{_THE}))? ([1-9]\d{{0,5}})(?![\d.,:/%-]*\d)(?! ?%)", re.I),
    late_pattern(r"(?<![\d.,:/-])([1-9]\d{0,5}) ?[^\W\d_]{0,4}(?:全部|都|すべて|全て)"),
    late_pattern(r"全 ?([1-9]\d{0,5})(?!\d)"),
)
_OF: Final = rf"(?: ?/ ?| (?:out )?(?:of|von|sur|de|di|van|z|из|aus)(?: (?:{_THE}))? )"


def all_of_some(claims: Sequence[Statement], texts: Sequence[tuple[int, str]]) -> Iterator[Deviation]:
    """Yield sentences with all of a number of which the source has parts alone, or had a part last."""
    for claim in claims:
        if claim.mode is Mode.PLANNED or is_heading(claim.text) or is_negated(claim.text):
            continue
        for whole in (match[1] for shape in _ALL_OF for match in shape.finditer(claim.text)):
            if (last := _last_part(whole, texts)) is not None:
                message, line = last
                yield Deviation(
                    Grade.NOT_VERBATIM, "number", claim.text, claim.text, "all-of-some",
                    line, line, message or None,
                )  # fmt: skip
                break


def _last_part(whole: str, texts: Sequence[tuple[int, str]]) -> tuple[int, str] | None:
    """Return where the source counts a part of *whole* last, None where that is all of it."""
    shape = re.compile(rf"(?<![\d.,:/-])([1-9]\d{{0,5}}){_OF}0*{whole}(?![\d/-]|[.,]\d)")
    for message, text in reversed(texts):
        found = list(shape.finditer(text)) if whole in text else []
        if found:
            last = found[-1]
            if int(last[1]) >= int(whole):
                return None
            start, end = text.rfind("\n", 0, last.start()) + 1, text.find("\n", last.end())
            return message, text[start : end if end >= 0 else None].strip()[:400]
    return None
