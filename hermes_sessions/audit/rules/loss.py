"""Rules about what a compaction lost, and what it wrote in its place."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from hermes_sessions.audit.claims import cut_claims
from hermes_sessions.audit.fates import is_tail_stored, keeps_tail
from hermes_sessions.audit.last_request import RequestState, find_request_state, last_request
from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.rules.base import Rule, RuleHit, ids
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.emptiness import why_summary_is_empty
from hermes_sessions.messages import CompactionMethod, Severity

_MIN_SAVING: Final = 0.1
_SMALL_CONTEXT: Final = 2_000
"""A context of fewer tokens costs little, however it is compacted."""

_MAX_CLAIMS: Final = 500


def _last_request_lost(found: MeasuredCompaction) -> Iterator[RuleHit]:
    case = found.case
    request = last_request(case.before)
    if request is None or case.is_stale:
        return
    state = find_request_state(found, request)
    if state is RequestState.GONE:
        yield RuleHit(messages=(request.id,), evidence={"in_handoff": False})
    elif state is RequestState.PERHAPS:
        yield RuleHit(messages=(request.id,), evidence={"in_handoff": "perhaps"}, severity=Severity.INFO)
    elif state is RequestState.PERHAPS_ANSWERED:
        evidence = {"in_handoff": False, "answered": "perhaps"}
        yield RuleHit(messages=(request.id,), evidence=evidence, severity=Severity.INFO)
    elif state is RequestState.IN_SUMMARY and keeps_tail(case):
        # The agent promises the request word for word; the model still has it, so this is a note.
        yield RuleHit(messages=(request.id,), evidence={"in_handoff": True}, severity=Severity.INFO)


def _reply_swallowed(found: MeasuredCompaction) -> Iterator[RuleHit]:
    case = found.case
    answer = _last(case.before, lambda row: row.is_reply and not row.calls)
    # What is said beside a tool call is the last reply only where nothing else was said.
    place = answer if answer is not None else _last(case.before, lambda row: row.is_reply)
    if place is None or case.is_stale or not case.after or not keeps_tail(case):
        return
    reply = case.before[place]
    if reply.original in case.kept:
        return
    stored = is_tail_stored(case)
    severity = Severity.ERROR if stored else Severity.WARNING
    yield RuleHit(messages=(reply.id,), evidence={"tail_stored": stored}, severity=severity)


def _last(rows: Sequence[AuditMessage], is_wanted: Callable[[AuditMessage], bool]) -> int | None:
    return next((at for at in range(len(rows) - 1, -1, -1) if is_wanted(rows[at])), None)


def _no_receipt(found: MeasuredCompaction) -> Iterator[RuleHit]:
    case = found.case
    marker = case.wording is not None and case.wording.marker
    without = case.handoff is None and not case.body.strip()
    if case.is_stale:
        return
    if case.facts.method == CompactionMethod.MARKER or marker or (without and case.span):
        removed = case.wording.removed if case.wording else None
        count = len(case.span) or removed
        yield RuleHit(
            messages=ids(case.span),
            evidence={"messages": count, "stands_instead": "nothing" if without else "a count"},
        )


def _fallback_used(found: MeasuredCompaction) -> Iterator[RuleHit]:
    case = found.case
    said_so = case.wording is not None and case.wording.fallback
    if case.facts.method == CompactionMethod.FALLBACK or said_so:
        handoff = () if case.handoff is None else (case.handoff.id,)
        yield RuleHit(messages=handoff, evidence={"method": case.facts.method})


def _empty_summary(found: MeasuredCompaction) -> Iterator[RuleHit]:
    handoff = found.case.handoff
    if handoff is None:
        return
    claims = [text for _, text in islice(cut_claims(found.case.body), _MAX_CLAIMS)]
    if why := why_summary_is_empty(claims):
        yield RuleHit(messages=(handoff.id,), evidence={"chars": len(found.case.body), "why": why})


def _summary_larger(found: MeasuredCompaction) -> Iterator[RuleHit]:
    sizes = found.sizes
    context = found.case.facts.tokens_before or sizes.before
    if found.case.span and sizes.summary > sizes.span:
        handoff = found.case.handoff
        yield RuleHit(
            messages=() if handoff is None else (handoff.id,),
            evidence={"span_tokens": sizes.span, "summary_tokens": sizes.summary, "counted": sizes.method},
            severity=_severity(context),
        )


def _ineffective(found: MeasuredCompaction) -> Iterator[RuleHit]:
    change = found.change
    if found.case.after and change and change.saved / change.before < _MIN_SAVING:
        yield RuleHit(
            evidence={
                "tokens_before": change.before,
                "tokens_after": change.after,
                "saved": round(change.saved / change.before, 3),
                "counted": change.counted,
            },
            severity=_severity(change.before),
        )


def _severity(context_tokens: int) -> Severity | None:
    """Return a note where the context was small, else leave it to the rule."""
    return Severity.INFO if context_tokens < _SMALL_CONTEXT else None


RULES: Final = (
    Rule(
        code="last-request-lost",
        severity=Severity.ERROR,
        about="The user's last request is neither in the new transcript, nor in the summary, nor answered"
        " before: promises, questions and failures do not count as answers. A note where only the summary"
        " has it, or perhaps has it in other words, or where it is perhaps answered; nothing of agents that"
        " never keep a tail.",
        advice="Ask again, or open the message and paste it, unless the agent works on it.",
        compaction=_last_request_lost,
    ),
    Rule(
        code="reply-swallowed",
        severity=Severity.ERROR,
        about="The last reply the user could read was summarised away. A warning where none of the tail is"
        " stored: what the agent kept cannot be known there. Agents that never keep a tail"
        " are left alone.",
        advice="Read the reply here; quote it when you refer to it, the agent knows only its summary.",
        compaction=_reply_swallowed,
    ),
    Rule(
        code="no-receipt",
        severity=Severity.ERROR,
        about="Turns left the context with nothing in their place, or with a mere count of them.",
        advice="Tell the agent what was decided in them; the originals are listed here.",
        compaction=_no_receipt,
    ),
    Rule(
        code="fallback-used",
        severity=Severity.WARNING,
        about="No model answered; the summary was put together by rule.",
        advice="Check the summarising model's key and limits; re-read what the span decided.",
        compaction=_fallback_used,
    ),
    Rule(
        code="empty-summary",
        severity=Severity.ERROR,
        about="There is a handoff, and it says nothing: it is empty, a refusal, a template left unfilled, or"
        " the summariser's own instructions.",
        advice="Treat the span as lost to the agent; check what its summarising model returns.",
        compaction=_empty_summary,
    ),
    Rule(
        code="summary-larger",
        severity=Severity.WARNING,
        about="The summary is longer than what it summarises. Info in a context below 2,000 tokens.",
        advice="Compact later, or bound the summary's length.",
        compaction=_summary_larger,
    ),
    Rule(
        code="ineffective",
        severity=Severity.WARNING,
        about="The compaction saved less than a tenth of the context. Info in a context below 2,000 tokens.",
        advice="Lower the tail's budget; large tool output in the tail is the usual cause.",
        compaction=_ineffective,
    ),
)
