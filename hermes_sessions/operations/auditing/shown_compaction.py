"""What the page of a compaction shows: measured when it is asked for, judged as the last audit did."""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import ValidationError
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.audit.claims import Claim, trace_claims
from hermes_sessions.audit.ledger.values import RulesLedger
from hermes_sessions.audit.measure import MeasuredSpan, Reader, measure_span
from hermes_sessions.audit.values import FindingValue
from hermes_sessions.audit.verdict.build import judge_compaction
from hermes_sessions.audit.verdict.values import CompactionVerdict
from hermes_sessions.facts.collector import without_collector
from hermes_sessions.operations.auditing.audit_conversations import is_audited
from hermes_sessions.operations.auditing.conversation_case import load_fact_notes
from hermes_sessions.operations.auditing.one_compaction import (
    CompactionAudit,
    audit_compaction,
    load_compaction_case,
    load_stored_findings,
    sort_findings,
)
from hermes_sessions.operations.documents.audit import (
    InventionJson,
    MeasuredJson,
    VerdictJson,
    load_ledger,
    measured_value,
    read_ledger,
)
from hermes_sessions.operations.documents.document import shaped
from hermes_sessions.store.queries.compactions import ListedCompaction
from hermes_sessions.store.schema.models import Compaction


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCompaction:
    """A compaction as its page shows it.

    Attributes:
        span: what became of its messages and their facts.
        claims: what the handoff says, each with its likeliest sources.
        findings: the worst first.
        contradicted: how often the handoff says otherwise than its source.
        invented: what it says and nobody said or did; secrets are masked.
        ledger: the rules of the conversation, as the last audit found them.
    """

    span: MeasuredSpan
    claims: tuple[Claim, ...]
    findings: tuple[FindingValue, ...]
    verdict: CompactionVerdict
    contradicted: int
    invented: Sequence[InventionJson]
    ledger: RulesLedger


@without_collector
def show_compaction(db: DbSession, row: ListedCompaction) -> ShownCompaction:
    """Return what is known of one compaction.

    To hold a handoff against all that was said takes longer than everything else: where its
    conversation is what it was when it was audited, that answer is taken over.
    """
    judged = _load_judged(db, row)
    if judged is None:
        audit = audit_compaction(db, row)
        span: MeasuredSpan = audit.measured
        judged = _measured(audit)
        claims, findings, ledger = audit.claims, audit.findings, audit.ledger
    else:
        reader = Reader(load_fact_notes(db, row.conversation_id))
        span = measure_span(load_compaction_case(db, row.id), reader)
        claims = trace_claims(span.case, reader.facts)
        findings = sort_findings(load_stored_findings(db, row.id))
        ledger = read_ledger(load_ledger(db, row.conversation_id))
    return ShownCompaction(
        span=span,
        claims=claims,
        findings=findings,
        verdict=shaped(judged.verdict, CompactionVerdict),
        contradicted=len(judged.contradicted),
        invented=judged.invented,
        ledger=ledger,
    )


def load_verdict(db: DbSession, row: ListedCompaction) -> VerdictJson:
    """Return the verdict on a compaction: that of a current audit, or one that is made now."""
    return (_load_judged(db, row) or _measured(audit_compaction(db, row))).verdict


def _measured(audit: CompactionAudit) -> MeasuredJson:
    return measured_value(audit.measured, judge_compaction(audit.measured, audit.findings))


def _load_judged(db: DbSession, row: ListedCompaction) -> MeasuredJson | None:
    """Return what the last audit found, None where there was none, or it was of something else."""
    if not is_audited(db, row.conversation_id):
        return None
    stored = db.get_one(Compaction, row.id).audit
    try:
        return None if stored is None else shaped(stored, MeasuredJson)
    except ValidationError:  # of a version whose rules were the same, and its documents were not
        return None
