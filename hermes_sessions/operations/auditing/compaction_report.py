"""The report of one compaction, from the store."""

from dataclasses import replace

from sqlalchemy import func, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.audit.claims import trace_claims
from hermes_sessions.audit.ledger.ledger import build_ledger
from hermes_sessions.audit.measure import measure_compaction
from hermes_sessions.audit.report import Report, ReportSubject, build_report
from hermes_sessions.audit.rules import check_compaction, check_conversation
from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.messages import CompactionMethod
from hermes_sessions.operations.auditing.conversation_case import load_case
from hermes_sessions.operations.auditing.load_reader import load_reader
from hermes_sessions.operations.auditing.one_compaction import CompactionAudit
from hermes_sessions.store.queries.compactions import ListedCompaction
from hermes_sessions.store.queries.stored_audits import FindingListing
from hermes_sessions.store.schema.models import Compaction, Conversation


def only_compaction(db: DbSession, listing: FindingListing) -> int:
    """Return the key of the one compaction that a listing is about.

    Raises:
        InvalidQueryError: it is about none, or about several.
    """
    if listing.compaction_id is not None:
        return listing.compaction_id
    keys = (
        []
        if listing.conversation_id is None
        else db.scalars(
            select(Compaction.id)
            .where(Compaction.conversation_id == listing.conversation_id)
            .order_by(Compaction.ordinal)
        ).all()
    )
    if len(keys) == 1:
        return keys[0]
    known = f"one of {', '.join(str(key) for key in keys[:20])}" if keys else "`audit` lists them"
    raise InvalidQueryError(f"a report is about one compaction: give its number ({known})")


def make_report(db: DbSession, row: ListedCompaction, audit: CompactionAudit, *, mask: bool = True) -> Report:
    """Return the report of a compaction that was audited on demand; with *mask* secrets are masked."""
    subject = ReportSubject(
        conversation=row.conversation,
        title=row.conversation_title,
        compactions=_count_of_kind(db, row.id),
    )
    return build_report(subject, audit.measured, audit.claims, audit.findings, ledger=audit.ledger, mask=mask)


def load_report(db: DbSession, compaction_id: int, *, mask: bool = True) -> Report:
    """Return the report of one compaction; with *mask* secrets are masked."""
    row = db.execute(
        select(Conversation.id, Conversation.public_id, Conversation.title)
        .join(Compaction, Compaction.conversation_id == Conversation.id)
        .where(Compaction.id == compaction_id)
    ).one()
    conversation = load_case(db, row.id)
    case = next(one for one in conversation.compactions if one.facts.id == compaction_id)
    reader = load_reader(db, row.id, compaction_id)
    measured = measure_compaction(case, reader)
    conversation = replace(
        conversation, ledger=build_ledger(conversation, reader.rules, {compaction_id: measured.deviations})
    )
    about = (one for one in check_conversation(conversation) if one.compaction == compaction_id)
    return build_report(
        ReportSubject(
            conversation=row.public_id, title=row.title, compactions=_count_of_kind(db, compaction_id)
        ),
        measured,
        trace_claims(case, reader.facts),
        (*check_compaction(measured), *about),
        ledger=conversation.ledger or (),
        mask=mask,
    )


def _count_of_kind(db: DbSession, compaction_id: int) -> int:
    """Return the highest number among the compactions of its conversation; of a prune, among the prunes."""
    own = db.get_one(Compaction, compaction_id)
    is_prune = Compaction.method == CompactionMethod.PRUNE
    same = is_prune if own.method == CompactionMethod.PRUNE else ~is_prune
    stmt = select(func.max(Compaction.number)).where(Compaction.conversation_id == own.conversation_id, same)
    return db.execute(stmt).scalar_one()
