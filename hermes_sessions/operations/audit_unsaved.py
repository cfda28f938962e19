"""Audit without keeping anything: for a store that cannot be written."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.audit.values import FindingValue
from hermes_sessions.operations.audit import ConversationAudit, audit_case, measured_document
from hermes_sessions.operations.audit_case import load_case
from hermes_sessions.store.models import Conversation, Session
from hermes_sessions.store.progress import Progress, silent
from hermes_sessions.store.queries.audits import FindingListing, iter_conversations

Document = dict[str, Any]


def audit_unsaved(db: DbSession, listing: FindingListing, progress: Progress = silent) -> Document:
    """Return `{findings, compactions}` of a listing, made anew; the same shape and order as what is stored.

    Every conversation of the listing is read: without stored results none can be skipped.
    """
    keys = [key for key, _ in iter_conversations(db, listing)]
    findings: list[tuple[int, Document]] = []
    compactions: list[Document] = []
    for number, key in enumerate(keys):
        progress("audit", number, len(keys))
        public_id = db.scalars(select(Conversation.public_id).where(Conversation.id == key)).one()
        audit = audit_case(load_case(db, key))
        findings += _findings(db, listing, key, public_id, audit)
        compactions += _compactions(listing, public_id, audit)
    progress("audit", len(keys), len(keys))
    findings.sort(key=lambda found: -found[0])
    return {"findings": [document for _, document in findings], "compactions": compactions}


def _findings(
    db: DbSession, listing: FindingListing, key: int, public_id: str, audit: ConversationAudit
) -> Iterator[tuple[int, Document]]:
    """Yield (rank of the severity, document) of what the listing is about."""
    own = select(Session.id, Session.public_id).where(Session.conversation_id == key)
    sessions = {row.id: row.public_id for row in db.execute(own)}
    for one in audit.findings:
        if _is_wanted(listing, one):
            yield (
                one.severity.rank,
                {
                    "rule": one.rule,
                    "severity": one.severity.value,
                    "conversation": public_id,
                    "session": None if one.session is None else sessions.get(one.session),
                    "compaction": one.compaction,
                    "messages": list(one.messages),
                    "evidence": dict(one.evidence),
                },
            )


def _is_wanted(listing: FindingListing, finding: FindingValue) -> bool:
    about = listing.compaction_id in (None, finding.compaction)
    return about and listing.rule in (None, finding.rule)


def _compactions(listing: FindingListing, public_id: str, audit: ConversationAudit) -> Iterator[Document]:
    for one in audit.compactions:
        facts = one.case.facts
        if listing.compaction_id in (None, facts.id):
            measured = measured_document(one, audit.survival[facts.id])
            yield {"id": facts.id, "conversation": public_id, "ordinal": facts.ordinal, **measured}
