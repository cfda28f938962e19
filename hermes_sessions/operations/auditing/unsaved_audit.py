"""Audit without keeping anything: for a store that cannot be written."""

from collections.abc import Iterator

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.audit.values import FindingValue
from hermes_sessions.operations.auditing.audit_conversations import (
    ConversationAudit,
    audit_case,
    compaction_documents,
)
from hermes_sessions.operations.auditing.conversation_case import load_case
from hermes_sessions.operations.auditing.load_reader import load_reader
from hermes_sessions.operations.documents.audit import (
    AuditJson,
    LedgerRuleJson,
    MeasuredJson,
    audited_value,
    ledger_value,
)
from hermes_sessions.operations.documents.findings import FindingJson
from hermes_sessions.store.progress import Progress, silent
from hermes_sessions.store.queries.stored_audits import FindingListing, iter_conversations
from hermes_sessions.store.schema.models import Conversation, Session


def audit_unsaved(db: DbSession, listing: FindingListing, progress: Progress = silent) -> AuditJson:
    """Return the audit of a listing, made anew; the same shape and order as what is stored.

    Every conversation of the listing is read: without stored results none can be skipped.
    """
    keys = [key for key, _ in iter_conversations(db, listing)]
    findings: list[tuple[int, FindingJson]] = []
    compactions: list[MeasuredJson] = []
    rules: list[LedgerRuleJson] = []
    for number, key in enumerate(keys):
        progress("audit", number, len(keys))
        public_id = db.scalars(select(Conversation.public_id).where(Conversation.id == key)).one()
        audit = audit_case(load_case(db, key), load_reader(db, key))
        findings += _findings(db, listing, key, public_id, audit)
        compactions += _compactions(listing, public_id, audit)
        rules += ledger_value(audit.ledger, public_id)
    progress("audit", len(keys), len(keys))
    findings.sort(key=lambda found: -found[0])
    return AuditJson(findings=[value for _, value in findings], compactions=compactions, rules=rules)


def _findings(
    db: DbSession, listing: FindingListing, key: int, public_id: str, audit: ConversationAudit
) -> Iterator[tuple[int, FindingJson]]:
    """Yield (rank of the severity, finding) of what the listing is about."""
    own = select(Session.id, Session.public_id).where(Session.conversation_id == key)
    sessions = {row.id: row.public_id for row in db.execute(own)}
    for one in audit.findings:
        if _is_wanted(listing, one):
            yield (
                one.severity.rank,
                FindingJson(
                    rule=one.rule,
                    severity=one.severity,
                    conversation=public_id,
                    session=None if one.session is None else sessions.get(one.session),
                    compaction=one.compaction,
                    messages=list(one.messages),
                    evidence=dict(one.evidence),
                ),
            )


def _is_wanted(listing: FindingListing, finding: FindingValue) -> bool:
    about = listing.compaction_id in (None, finding.compaction)
    return about and listing.rule in (None, finding.rule)


def _compactions(listing: FindingListing, public_id: str, audit: ConversationAudit) -> Iterator[MeasuredJson]:
    documents = compaction_documents(audit)
    for one in sorted((*audit.compactions, *audit.unfinished), key=lambda one: one.case.facts.ordinal):
        facts = one.case.facts
        if listing.compaction_id in (None, facts.id):
            yield audited_value(documents[facts.id], facts.id, public_id, facts.ordinal)
