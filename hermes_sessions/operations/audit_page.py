"""Audit one compaction on demand: only the sessions it touches are read, nothing is stored."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.audit.claims import Claim, trace_claims
from hermes_sessions.audit.measure import MeasuredCompaction, Reader, measure_compaction
from hermes_sessions.audit.rules import RULES, check_compaction
from hermes_sessions.audit.spans import cut_conversation
from hermes_sessions.audit.values import CompactionCase, FindingValue, SessionFacts, Severity
from hermes_sessions.handoff import is_synthetic
from hermes_sessions.messages import MessageKind, Role
from hermes_sessions.operations.audit import measured_document
from hermes_sessions.operations.audit_case import compaction_facts, in_place_compactions, load_rows
from hermes_sessions.operations.documents import compaction_value
from hermes_sessions.store.models import Compaction, Message, Session
from hermes_sessions.store.queries.audit_pages import FindingLine, load_finding_lines_of
from hermes_sessions.store.queries.compactions import CompactionRow

_MAX_REQUESTS: Final = 2_000
"""So many of the user's earlier messages are known to the look for invented quotations."""

_MAX_REQUEST_CHARS: Final = 20_000


@dataclass(frozen=True, slots=True)
class CompactionAudit:
    """What the audit says about one compaction.

    Attributes:
        claims: what the handoff says, each with its likeliest sources.
        findings: fresh ones about this compaction, then stored ones that rest on the whole conversation.
    """

    measured: MeasuredCompaction
    claims: tuple[Claim, ...]
    findings: tuple[FindingValue, ...]


def audit_compaction(db: DbSession, row: CompactionRow) -> CompactionAudit:
    """Measure one compaction and ask the rules for it.

    Rules that look at a whole conversation are not asked again: what the last run stored
    for them is taken over.
    """
    reader = Reader()
    case = load_compaction_case(db, row.id)
    measured = measure_compaction(case, reader)
    stored = (_stored_value(line) for line in load_finding_lines_of(db, row.id))
    findings = [*check_compaction(measured), *(one for one in stored if _is_about_conversation(one.rule))]
    findings.sort(key=lambda one: -one.severity.rank)
    return CompactionAudit(measured, trace_claims(case, reader.facts), tuple(findings))


def compaction_audit_document(row: CompactionRow, audit: CompactionAudit) -> dict[str, Any]:
    """Return `{compaction, audit, fates, claims, findings}`.

    Measurements mask what looks like a secret; summary and claims are as stored.
    """
    return {
        "compaction": compaction_value(row),
        "audit": measured_document(audit.measured),
        "fates": [
            {"message": one.message, "fate": one.fate.value, "now": one.now}
            for one in audit.measured.fates.messages
        ],
        "claims": [
            {
                "section": claim.section,
                "text": claim.text,
                "sources": [{"message": one.message, "overlap": one.overlap} for one in claim.sources],
            }
            for claim in audit.claims
        ],
        "findings": [
            {
                "rule": one.rule,
                "severity": one.severity.value,
                "messages": list(one.messages),
                "evidence": dict(one.evidence),
            }
            for one in audit.findings
        ],
    }


def load_compaction_case(db: DbSession, compaction_id: int) -> CompactionCase:
    """Return one compaction with what stood around it."""
    row = db.get_one(Compaction, compaction_id)
    own = compaction_facts(row)
    keys = [key for key in dict.fromkeys((own.parent, own.session, own.child)) if key is not None]
    compactions = {facts.id: facts for key in keys for facts in in_place_compactions(db, key)}
    compactions.setdefault(own.id, own)
    ordered = sorted(compactions.values(), key=lambda facts: (facts.ordinal, facts.id))
    cases = cut_conversation(_sessions(db, keys), ordered).compactions
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


def _sessions(db: DbSession, keys: Sequence[int]) -> list[SessionFacts]:
    columns = (Session.id, Session.foreign_id, Session.fork)
    found = db.execute(select(*columns).where(Session.id.in_(keys)).order_by(Session.ordinal, Session.id))
    return [
        SessionFacts(key=row.id, foreign_id=row.foreign_id, fork=row.fork, rows=load_rows(db, row.id))
        for row in found.all()
    ]


def _earlier_requests(db: DbSession, conversation_id: int, keys: Iterable[int]) -> list[str]:
    """Return what the user said in the sessions before these, newest sessions first."""
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
    return [text for text in said if not is_synthetic(text)]
