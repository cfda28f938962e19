"""Figures and codes of a handoff that everybody names only to say that another one counts: `port 9074 (not 9000)`."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode, is_heading
from hermes_sessions.audit.notices.polarity import YES, denial
from hermes_sessions.audit.relations.replacing import tells_former
from hermes_sessions.audit.relations.statements import Statement, ToldSentences
from hermes_sessions.facts.polarity import is_portuguese
from hermes_sessions.late_patterns import late_pattern

_VALUE: Final = late_pattern(r"(?<![\w.,:/-])(?:\d{2,}|[^\W_][\w.:/-]*\d[\w-]*)(?![\w.,:/-]*\d)")
_MOST: Final = 3
"""What is named more often is not named to be set aside alone."""
_BEFORE: Final = late_pattern(
    r"(?:\b(?:not|nicht|kein\w*|pas|no|non|não|nie|niet|geen|не|instead of|rather than|statt|anstatt|au lieu d[eu]|plutôt que"
    r"|en (?:vez|lugar) de|em vez de|invece d\w+|вместо|zamiast|in plaats van)\s(?:[^\W\d_]+\s)?|不是|而非)[`'\"“«(]?$",
    re.I,
)
"""What stands before a value that does not count."""
_LEAD: Final = 40


def values_set_aside(
    claims: Sequence[Statement], told: ToldSentences, texts: Sequence[tuple[int, str]]
) -> Iterator[Deviation]:
    """Yield the figures that stand only behind *not* or *instead of* in all that was said, called and returned."""
    for claim in claims:
        if claim.mode is not Mode.STATED or is_heading(claim.text) or denial(claim.text) != YES:
            continue
        if tells_former(claim.text):
            continue
        for match in _VALUE.finditer(claim.text):
            value = match.group()
            if _is_aside(value, claim.text):
                continue
            said = [one for one in told if value in one.text]
            if not 0 < len(said) <= _MOST or any(is_portuguese(one.text) for one in said):
                continue
            if not all(_sets_aside(value, one.text, claim.text) for one in said):
                continue
            if sum(text.count(value) for _, text in texts) > sum(one.text.count(value) for one in said):
                continue  # somebody calls it so, or a tool does
            last = said[-1]
            yield Deviation(
                Grade.NOT_VERBATIM, "value", value, claim.text, "set-aside", last.text, last.text, last.message or None
            )  # fmt: skip


def _sets_aside(value: str, text: str, line: str) -> bool:
    """Return whether *text* names a value to set it aside, for another one that *line* has not."""
    if not _is_aside(value, text):
        return False
    others = {match.group() for match in _VALUE.finditer(text)} - {value}
    return not any(one in line for one in others)


def _is_aside(value: str, text: str) -> bool:
    at = text.find(value)
    return _BEFORE.search(text[max(0, at - _LEAD) : at]) is not None
