"""What the audit stored: derived again for `db check`, and marked as out of date by whoever changes rows.

The audit itself sees what a sync, an append or a compaction changes: it moves a count or
a mark of a session. Whoever rewrites *text* in place moves neither, and calls
`forget_audits` in the same transaction; that also takes away what quotes the text as it was.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from sqlalchemy import select, update
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.messages import Severity
from hermes_sessions.store.engines.statements import chunks
from hermes_sessions.store.keeping.judgements import forget_judgements
from hermes_sessions.store.queries.stored_audits import digest_conversations
from hermes_sessions.store.schema.models import Compaction, Conversation, Finding

Difference = tuple[str, int, str, Any, Any]
"""Table, key, column, what is stored, what should be."""

COLUMNS: Final[Mapping[tuple[str, str], type[Conversation] | type[Compaction]]] = {
    ("conversations", "worst_finding"): Conversation,
    ("compactions", "retained"): Compaction,
    ("compactions", "saved_tokens"): Compaction,
    ("compactions", "worst_rank"): Compaction,
}
"""What a list or a ledger reads of the audit's results."""


def forget_audits(db: DbSession, conversation_ids: Iterable[int]) -> None:
    """Have these conversations audited again by the next run.

    Call it in the transaction that rewrites stored text (masking a secret, emptying a
    message): nothing else tells the audit. What was found stays listed until that run;
    judgements of handoffs, which quote messages unmasked, are gone at once.
    """
    conversation_ids = set(conversation_ids)
    forget_judgements(db, conversation_ids)
    for chunk in chunks(conversation_ids):
        db.execute(
            update(Conversation)
            .where(Conversation.id.in_(chunk))
            .values(audit_mark=None)
            .execution_options(synchronize_session=False)
        )


def compare_audits(db: DbSession) -> Iterator[Difference]:
    """Yield what is kept of findings and measurements and does not follow from them.

    Conversations that changed since they were audited are left out: the next audit sees to them.
    """
    current = _audited_as_they_are(db)
    worst = _worst_ranks(db, Finding.conversation_id)
    for key, stored in db.execute(select(Conversation.id, Conversation.worst_finding)).all():
        derived = list(Severity)[worst[key]].value if key in worst else None
        if key in current and stored != derived:
            yield "conversations", key, "worst_finding", stored, derived
    yield from _compactions(db, current)


def mend_audits(db: DbSession, differences: Iterable[Difference]) -> None:
    """Write what should be."""
    for table, key, column, _, derived in differences:
        target = COLUMNS[table, column]
        db.execute(
            update(target)
            .where(target.id == key)
            .values({column: derived})
            .execution_options(synchronize_session=False)
        )


# -- inside ----------------------------------------------------------------------------------------


def _audited_as_they_are(db: DbSession) -> set[int]:
    marked = select(Conversation.id, Conversation.audit_mark).where(Conversation.audit_mark.is_not(None))
    marks = {key: (mark or "").partition(":")[2] for key, mark in db.execute(marked)}
    digests = digest_conversations(db, list(marks))
    return {key for key, mark in marks.items() if digests[key] == mark}


def _worst_ranks(db: DbSession, column: Any) -> dict[int, int]:
    stmt = select(column, Finding.severity).where(column.is_not(None)).distinct()
    worst: dict[int, int] = {}
    for key, severity in db.execute(stmt):
        worst[key] = max(worst.get(key, 0), Severity(severity).rank)
    return worst


def _compactions(db: DbSession, current: set[int]) -> Iterator[Difference]:
    worst = _worst_ranks(db, Finding.compaction_id)
    stmt = select(
        Compaction.id,
        Compaction.conversation_id,
        Compaction.retained,
        Compaction.saved_tokens,
        Compaction.worst_rank,
        Compaction.tokens_before,
        Compaction.tokens_after,
        Compaction.audit,
    )
    for row in db.execute(stmt.order_by(Compaction.id)):
        if row.conversation_id not in current:
            continue
        derived = {
            "retained": _retained(row.audit),
            "saved_tokens": _saved(row),
            "worst_rank": worst.get(row.id),
        }
        for column, value in derived.items():
            stored = getattr(row, column)
            if stored != value:
                yield "compactions", row.id, column, stored, value


def _retained(audit: Mapping[str, Any] | None) -> float | None:
    matter = (audit or {}).get("matter") or {}
    count = matter.get("total") or 0
    return (count - matter.get("lost", 0)) / count if count else None


def _saved(row: Any) -> int | None:
    """Tokens less than before: as the agent counted them where it left both, else estimated."""
    if row.audit is None:
        return None
    before, after = row.tokens_before, row.tokens_after
    if before and after is not None:
        return int(before - after)
    sizes = row.audit.get("sizes") or {}
    before, after = sizes.get("before") or 0, sizes.get("after") or 0
    return int(before - after) if before and after else None
