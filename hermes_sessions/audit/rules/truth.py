"""Rules about what a handoff says that its source does not."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from hermes_sessions.audit.checking.deviation import SECRET, Deviation, Grade
from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.rules.base import Rule, RuleHit
from hermes_sessions.facts import shorten_line
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Severity
from hermes_sessions.redact import is_mask, redact

_MAX_NAMED: Final = 40
_MAX_CHARS: Final = 200


def _contradicts(found: MeasuredCompaction) -> Iterator[RuleHit]:
    yield from _hits(found, Grade.CONTRADICTS)


def _invented(found: MeasuredCompaction) -> Iterator[RuleHit]:
    yield from _hits(found, Grade.INVENTED)


def _not_verbatim(found: MeasuredCompaction) -> Iterator[RuleHit]:
    yield from _hits(found, Grade.NOT_VERBATIM)


def _hits(found: MeasuredCompaction, grade: Grade) -> Iterator[RuleHit]:
    """Yield one hit for all that departs so from the source; an error where any of it is grave.

    What looks the same once secrets are masked is listed and counted once.
    """
    told = found.departs(grade)
    if not told:
        return
    handoff = found.case.handoff
    rows = dict.fromkeys([handoff.id] if handoff else [])
    rows.update(dict.fromkeys(one.message for one in told if one.message))
    listed = [_named(one) for one in _gravest(told)]
    values = [one for at, one in enumerate(listed) if one not in listed[:at]]
    yield RuleHit(
        messages=tuple(one for one in rows if one is not None),
        evidence={"count": len(told) - len(listed) + len(values), "values": values},
        severity=Severity.ERROR if any(one.grave for one in told) else None,
    )


def _gravest(told: Sequence[Deviation]) -> Sequence[Deviation]:
    return sorted(told, key=lambda one: not one.grave)[:_MAX_NAMED]


def _named(one: Deviation) -> dict[str, Any]:
    """Return a deviation as evidence: both values, and where each stands; secrets masked."""
    value = masked(one.value, one.line)
    source = masked(one.source, one.source_line) if one.source else ""
    kind = SECRET if is_mask(value) or source == value != one.value else one.kind
    named: dict[str, Any] = {"kind": kind, "value": value}
    if one.key:
        named["key"] = redact(one.key).text
    if one.source:
        named["source"] = source
    if one.value not in ("", one.line) and one.line:
        named["line"] = excerpt(masked(one.line), one.value, _MAX_CHARS)
    if one.source not in ("", one.source_line) and one.source_line:
        named["source_line"] = excerpt(masked(one.source_line), one.source, _MAX_CHARS)
    if one.message:
        named["message"] = one.message
    return named


def masked(value: str, line: str = "") -> str:
    """Return *value* with its secrets masked; a value that is part of a secret of its *line* is one."""
    shown = _TOKEN.sub("[redacted]", redact(value).text)
    if shown == value and line and value != line:
        hidden = redact(line).text.casefold()
        if value.casefold() in line.casefold() and value.casefold() not in hidden:
            return "[redacted]"
    return shown


def excerpt(text: str, value: str, max_chars: int) -> str:
    """Return *text* on one line, or the part of it around *value* where all of it is too long."""
    line = " ".join(text.split())
    place = line.find(" ".join(value.split()))
    if len(line) <= max_chars or place < 0 or place + len(value) < max_chars // 2:
        return shorten_line(line, max_chars)
    start = max(0, place - max_chars // 2)
    start = line.find(" ", start, place) + 1 or start
    return f"…{shorten_line(line[start:], max_chars - 1)}"


_TOKEN: Final = late_pattern(
    r"(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_|sk-|[sr]k_(?:live|test)_|glpat-|xox[abprs]-|AKIA|hf_|npm_|pypi-|AIza|ya29\.)[\w.-]{6,}",
    re.I,
)
"""What begins like a token is masked even where it is shorter than one: nobody needs it to find the line."""


RULES: Final = (
    Rule(
        code="contradicts",
        severity=Severity.WARNING,
        about="The handoff states another value than its source, or the opposite of it. An error where it"
        " turns round a request, a rule or a test result.",
        advice="Tell the agent the right value: it relies on the one in the handoff.",
        compaction=_contradicts,
    ),
    Rule(
        code="invented",
        severity=Severity.WARNING,
        about="The handoff quotes words that nobody said, reports as done a file or a commit that is"
        " nowhere before it, or gives a figure that nothing before it has or adds up to.",
        advice="Check these before you rely on them; tell the agent which are wrong.",
        compaction=_invented,
    ),
    Rule(
        code="not-verbatim",
        severity=Severity.INFO,
        about="Values of the handoff are nowhere in its source, or belong to something else there; sentences"
        " deny, order or report what no sentence of the source clearly does. Nothing says for sure that they"
        " are wrong: many are counts, sums and other words.",
        advice="Nothing to do; look here first where something seems odd. The source's nearest sentence is"
        " beside each, where it has one.",
        compaction=_not_verbatim,
    ),
)
