"""Audit one compaction on demand: only the sessions it touches are read, nothing is stored."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.audit.claims import Claim, trace_claims
from hermes_sessions.audit.ledger.values import RulesLedger
from hermes_sessions.audit.measure import MeasuredCompaction, Reader, measure_compaction
from hermes_sessions.audit.rules import RULES, check_compaction
from hermes_sessions.audit.spans import cut_conversation
from hermes_sessions.audit.values import AuditedSession, CompactionCase, FindingValue
from hermes_sessions.audit.verdict.build import judge_compaction
from hermes_sessions.facts.collector import without_collector
from hermes_sessions.handoff import asks_nothing
from hermes_sessions.messages import MessageKind, Role, Severity
from hermes_sessions.operations.auditing.conversation_case import (
    compaction_facts,
    in_place_compactions,
    load_fact_notes,
    load_prompts,
    load_rows,
)
from hermes_sessions.operations.documents.audit import (
    ClaimJson,
    CompactionAuditJson,
    FateJson,
    FreshFindingJson,
    ledger_value,
    load_ledger,
    measured_value,
    read_ledger,
)
from hermes_sessions.operations.documents.compactions import compaction_value
from hermes_sessions.operations.documents.document import shaped
from hermes_sessions.store.queries.compactions import ListedCompaction
from hermes_sessions.store.queries.findings import FindingLine, load_finding_lines_of
from hermes_sessions.store.schema.models import Compaction, Message, Session

_MAX_REQUESTS: Final = 2_000
"""So many of the user's earlier messages are known to the look for invented quotations."""

_MAX_REQUEST_CHARS: Final = 20_000


@dataclass(frozen=True, slots=True)
class CompactionAudit:
    """What the audit says about one compaction.

    Attributes:
        claims: what the handoff says, each with its likeliest sources.
        findings: fresh ones about this compaction, then stored ones that rest on the whole conversation.
        ledger: the rules of the conversation, as the last audit found them.
    """

    measured: MeasuredCompaction
    claims: tuple[Claim, ...]
    findings: tuple[FindingValue, ...]
    ledger: RulesLedger = ()


@without_collector
def audit_compaction(db: DbSession, row: ListedCompaction) -> CompactionAudit:
    """Measure one compaction and ask the rules for it.

    Rules that look at a whole conversation are not asked again: what the last run stored
    for them is taken over.
    """
    reader = Reader(load_fact_notes(db, row.conversation_id))
    case = load_compaction_case(db, row.id)
    measured = measure_compaction(case, reader)
    stored = (one for one in load_stored_findings(db, row.id) if _is_about_conversation(one.rule))
    findings = sort_findings((*check_compaction(measured), *stored))
    ledger = read_ledger(load_ledger(db, row.conversation_id))
    return CompactionAudit(measured, trace_claims(case, reader.facts), findings, ledger)


def load_stored_findings(db: DbSession, compaction_id: int) -> tuple[FindingValue, ...]:
    """Return what the last audit found about one compaction, in its order."""
    return tuple(map(_stored_value, load_finding_lines_of(db, compaction_id)))


def sort_findings(findings: Iterable[FindingValue]) -> tuple[FindingValue, ...]:
    """Return findings, the worst first."""
    return tuple(sorted(findings, key=lambda one: -one.severity.rank))


def compaction_audit_document(row: ListedCompaction, audit: CompactionAudit) -> CompactionAuditJson:
    """Return what was found; measurements mask what looks like a secret, summary and claims are as stored."""
    return CompactionAuditJson(
        compaction=compaction_value(row),
        audit=measured_value(audit.measured, judge_compaction(audit.measured, audit.findings)),
        fates=[shaped(one, FateJson) for one in audit.measured.fates.messages],
        claims=[shaped(one, ClaimJson) for one in audit.claims],
        findings=[shaped(one, FreshFindingJson) for one in audit.findings],
        rules=ledger_value(audit.ledger),
    )


def load_compaction_case(db: DbSession, compaction_id: int) -> CompactionCase:
    """Return one compaction with what stood around it."""
    row = db.get_one(Compaction, compaction_id)
    own = compaction_facts(row)
    keys = [key for key in dict.fromkeys((own.parent, own.session, own.child)) if key is not None]
    compactions = {facts.id: facts for key in keys for facts in in_place_compactions(db, key)}
    compactions.setdefault(own.id, own)
    ordered = sorted(compactions.values(), key=lambda facts: (facts.place, facts.id))
    cases = cut_conversation(_sessions(db, row.conversation_id, keys), ordered).compactions
    case = next(one for one in cases if one.facts.id == compaction_id)
    earlier = _earlier_requests(db, row.conversation_id, keys)
    return replace(case, known_requests=(*earlier, *case.known_requests))


# -- inside ----------------------------------------------------------------------------------------


def _is_about_conversation(code: str) -> bool:
    rule = RULES.get(code)
    return rule is None or rule.conversation is not None


def _stored_value(line: FindingLine) -> FindingValue:
    return FindingValue(
        rule=line.rule,
        severity=Severity(line.severity),
        compaction=line.compaction,
        messages=tuple(one for one in line.messages or () if isinstance(one, int)),
        evidence=line.evidence or {},
    )


def _sessions(db: DbSession, conversation_id: int, keys: Sequence[int]) -> list[AuditedSession]:
    columns = (
        Session.id, Session.foreign_id, Session.fork, Session.inherited_count, Session.system_prompt_hash,
    )  # fmt: skip
    prompts = load_prompts(db, conversation_id)
    found = db.execute(select(*columns).where(Session.id.in_(keys)).order_by(Session.ordinal, Session.id))
    return [
        AuditedSession(
            key=row.id,
            foreign_id=row.foreign_id,
            fork=row.fork,
            inherited=row.inherited_count or 0,
            prompt=prompts.get(row.system_prompt_hash, ""),
            rows=load_rows(db, row.id),
        )
        for row in found.all()
    ]


def _earlier_requests(db: DbSession, conversation_id: int, keys: Iterable[int]) -> list[str]:
    """Return what the user said in the sessions before these, oldest first."""
    before = select(func.min(Session.ordinal)).where(Session.id.in_(list(keys))).scalar_subquery()
    said = db.scalars(
        select(func.substr(Message.text, 1, _MAX_REQUEST_CHARS))
        .join(Session, Session.id == Message.session_id)
        .where(
            Session.conversation_id == conversation_id,
            Session.fork.is_(False),
            Session.ordinal < before,
            Message.role == Role.USER,
            Message.kind == MessageKind.MESSAGE,
            Message.copy_of.is_(None),
            Message.text != "",
        )
        .order_by(Session.ordinal.desc(), Message.position.desc())
        .limit(_MAX_REQUESTS)
    )
    return [text for text in reversed(said.all()) if not asks_nothing(text)]
