"""Rules about the handoff itself: its form, and what must not stand in it."""

from collections.abc import Iterator
from typing import Final

from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.rules.base import Rule, RuleHit
from hermes_sessions.handoff import MOST_OF_PREFIX, eras_from, has_known_prefix, starts_handoff
from hermes_sessions.handoff.grammars.bracketed import BRACKETED
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import MessageKind, Severity
from hermes_sessions.redact import redact

RESUMING_ERAS: Final = ("P1", "P3", "P4")
"""Prefixes that tell the model to go on with the summary's task."""

_TAIL_TAG = late_pattern(r"(?m)^[ \t]*<verbatim_tail>|</verbatim_tail>")
_LINE_START = late_pattern(r"(?m)^[^\S\n]*(?=\[CONTEXT)")


def _end_marker_missing(found: MeasuredCompaction) -> Iterator[RuleHit]:
    handoff, wording = found.case.handoff, found.case.wording
    if handoff is None or wording is None or wording.has_end:
        return
    merged = handoff.kind == MessageKind.MERGED
    severity = Severity.WARNING if merged else Severity.INFO
    yield RuleHit(messages=(handoff.id,), evidence={"era": wording.era, "merged": merged}, severity=severity)


def _merged_handoff(found: MeasuredCompaction) -> Iterator[RuleHit]:
    handoff = found.case.handoff
    if handoff is not None and handoff.kind == MessageKind.MERGED:
        yield RuleHit(messages=(handoff.id,), evidence={"role": handoff.role, "repeats": handoff.is_copy})


def _nested_handoff(found: MeasuredCompaction) -> Iterator[RuleHit]:
    handoff, wording = found.case.handoff, found.case.wording
    if handoff is None or wording is None:
        return
    depth = wording.nested + sum(1 for _ in _inner_handoffs(found.case.body))
    if depth > 1:
        yield RuleHit(messages=(handoff.id,), evidence={"prefixes": depth})


def _stale_directive(found: MeasuredCompaction) -> Iterator[RuleHit]:
    handoff, wording = found.case.handoff, found.case.wording
    if handoff is None or wording is None:
        return
    inner: dict[int, str] = {}
    for at in _inner_handoffs(found.case.body):
        if at not in inner:
            inner |= eras_from(found.case.body, at)
    eras = [*wording.eras, *inner.values()]
    stale = next((era for era in eras if era in RESUMING_ERAS), None)
    if stale is not None:
        yield RuleHit(messages=(handoff.id,), evidence={"era": stale})


def _inner_handoffs(body: str) -> Iterator[int]:
    """Yield where each older prefix stands that begins a line of the body."""
    for match in _LINE_START.finditer(body):
        text = body[match.end() : match.end() + MOST_OF_PREFIX]
        if starts_handoff(text) and has_known_prefix(text):
            yield match.end()


def _secret_in_handoff(found: MeasuredCompaction) -> Iterator[RuleHit]:
    counts = redact(found.case.body).counts
    if counts:
        handoff = found.case.handoff
        yield RuleHit(messages=() if handoff is None else (handoff.id,), evidence={"secrets": dict(counts)})


def _tail_anchor_stacked(found: MeasuredCompaction) -> Iterator[RuleHit]:
    tails = _closed_tails(found.case.body)
    if tails > 1:
        handoff = found.case.handoff
        yield RuleHit(messages=() if handoff is None else (handoff.id,), evidence={"tails": tails})


def _closed_tails(body: str) -> int:
    """Return how many tails are opened at the start of a line and closed; a mere mention is none."""
    opened = closed = 0
    for tag in _TAIL_TAG.finditer(body):
        if not tag.group().startswith("</"):
            opened += 1
        elif opened:
            opened -= 1
            closed += 1
    return closed


RULES: Final = (
    Rule(
        code="end-marker-missing",
        severity=Severity.WARNING,
        about="No end marker follows the summary. Info where nothing shares its row.",
        advice="Update the agent: a model can take what follows for a part of the summary.",
        compaction=_end_marker_missing,
        applies_to=BRACKETED,
    ),
    Rule(
        code="merged-handoff",
        severity=Severity.INFO,
        about="The summary shares its row with a real message.",
        advice="Nothing to do here: both are shown apart. Other viewers may hide the message.",
        compaction=_merged_handoff,
    ),
    Rule(
        code="nested-handoff",
        severity=Severity.WARNING,
        about="An older handoff's prefix is inside the handoff.",
        advice="Update the agent: its release does not recognise handoffs of an earlier one.",
        compaction=_nested_handoff,
        applies_to=BRACKETED,
    ),
    Rule(
        code="stale-directive",
        severity=Severity.WARNING,
        about="A prefix, one inside included, is of an old release and tells the model to continue the"
        " summary's task.",
        advice="Say explicitly what to do next; an update of the agent rewrites the prefix.",
        compaction=_stale_directive,
        applies_to=BRACKETED,
    ),
    Rule(
        code="secret-in-handoff",
        severity=Severity.ERROR,
        about="The summary holds what looks like a key, a token or a password.",
        advice="Revoke it: it went to the summarising model and is sent again with every request.",
        compaction=_secret_in_handoff,
    ),
    Rule(
        code="tail-anchor-stacked",
        severity=Severity.WARNING,
        about="More than one verbatim tail is in the handoff: older ones were not replaced.",
        advice="Update the agent; every compaction makes the handoff longer.",
        compaction=_tail_anchor_stacked,
    ),
)
