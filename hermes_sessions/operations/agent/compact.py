"""Compact a session of the store: load, plan and summarise without a transaction, record in one.

Rotation ends the session and goes on in a child; in place archives its rows and goes
on in the same session. Nothing is lost either way: what was summarised stays, marked
with the compaction that took it out of the context.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.compaction import (
    CompactionContext,
    CompactionPlan,
    CompactionResult,
    compact_transcript,
    context_tokens,
    plan_compaction,
)
from hermes_sessions.errors import (
    CompactionBusyError,
    CompactionRefusedError,
    InvariantError,
    StaleTranscriptError,
    StoreError,
)
from hermes_sessions.lineage import Relation
from hermes_sessions.messages import CompactionOutcome, MessageKind
from hermes_sessions.operations.agent.append import LOCAL
from hermes_sessions.operations.agent.record_compaction import CompactionOrder, Record, StoredCompaction
from hermes_sessions.operations.transcript import Transcript, find_session, load_transcript
from hermes_sessions.operations.writing.lease_holders import is_over, make_holder
from hermes_sessions.store.keeping.leases import acquire, release
from hermes_sessions.store.keeping.row_locks import lock_sessions
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Origin, Session
from hermes_sessions.tokens import token_counter


@dataclass(frozen=True, slots=True)
class CompactionPreview:
    """What a compaction would do, without a summary."""

    plan: CompactionPlan
    result: CompactionResult
    transcript: Transcript


def preview_compaction(database: Database, order: CompactionOrder) -> CompactionPreview:
    """Plan and write the handoff's mechanical parts, store nothing.

    Raises:
        NotFoundError: no such session.
        CompactionRefusedError: it cannot be compacted this way.
    """
    transcript = database.look(lambda db: _load(db, order))
    result = _compacted(transcript, order)
    return CompactionPreview(result.plan, result, transcript)


def compact_session(database: Database, order: CompactionOrder) -> StoredCompaction:
    """Compact one session and store what happened; on any error the session is as it was.

    Raises:
        NotFoundError: no such session.
        CompactionBusyError: another process compacts it.
        CompactionRefusedError: it cannot be compacted this way.
        StaleTranscriptError: its rows were changed while the summary was written.
    """
    started = order.clock()
    with _leased(database, order) as still_ours:
        transcript = database.look(lambda db: _load(db, order))
        result = _compacted(transcript, order)
        if result.status is CompactionOutcome.NOTHING and not _was_due(order, result):
            return StoredCompaction(result=result, compaction_id=None, session_id=order.session_id)

        def store(db: DbSession) -> StoredCompaction:
            still_ours(db)
            lock_sessions(db, [transcript.session.id])
            _check_unchanged(db, order, transcript.session)
            record = Record(db, order, transcript, result, started)
            if result.status is not CompactionOutcome.COMMITTED:
                return record.aborted()
            return record.in_place() if order.in_place else record.rotation()

        return database.run(store)


def _compacted(transcript: Transcript, order: CompactionOrder) -> CompactionResult:
    """Run the engine. Where its own check fails nothing was applied: an agent's loop goes on."""
    try:
        return compact_transcript(
            transcript.messages,
            policy=order.policy,
            summarize=order.summarize,
            context=_context(transcript, order),
        )
    except InvariantError as error:
        counter = token_counter(order.policy.encoding)
        tokens = context_tokens(transcript.messages, order.policy.encoding)
        return CompactionResult(
            status=CompactionOutcome.ABORTED,
            messages=transcript.messages,
            plan=plan_compaction(transcript.messages, order.policy),
            tokens_before=tokens,
            tokens_after=tokens,
            tokens_method=counter.method,
            reason=f"the engine's own check failed: {error}",
        )


def _was_due(order: CompactionOrder, result: CompactionResult) -> bool:
    """Whether a compaction was called for though nothing could go: without a record it would be for ever."""
    policy = order.policy
    return order.due or result.tokens_before + policy.overhead_tokens >= policy.threshold_tokens


# -- before ----------------------------------------------------------------------------------------


def _load(db: DbSession, order: CompactionOrder) -> Transcript:
    session = find_session(db, order.session_id)
    kind = db.scalar(select(Origin.kind).where(Origin.id == session.origin_id))
    if order.in_place and kind != LOCAL:
        raise CompactionRefusedError(
            f"{order.session_id}: an imported session is not changed; compact it without --in-place"
        )
    following = _following(db, session)
    if following is not None:
        raise CompactionRefusedError(
            f"{order.session_id}: was already compacted and continues in {following}"
        )
    return load_transcript(db, session)


def _check_unchanged(db: DbSession, order: CompactionOrder, session: Session) -> None:
    """Refuse to go on where another compacted the session meanwhile, or took it away.

    Raises:
        StaleTranscriptError: it did.
    """
    known = db.scalar(select(Session.public_id).where(Session.id == session.id))
    if known != session.public_id:  # keys are given again
        raise StaleTranscriptError(
            f"{order.session_id}: was taken away meanwhile, as undoing a compaction does; nothing was changed"
        )
    overtaken_by = _following(db, session)
    if overtaken_by is not None:
        raise StaleTranscriptError(
            f"{order.session_id}: was compacted by another process meanwhile and continues in {overtaken_by};"
            " nothing was changed"
        )


def _following(db: DbSession, session: Session) -> str | None:
    """Return the public id of the session that a compaction of *session* goes on in."""
    return db.scalar(
        select(Session.public_id)
        .where(
            Session.parent_id == session.id,
            Session.relation == Relation.COMPACTION,
            Session.fork == session.fork,
        )
        .limit(1)
    )


def _context(transcript: Transcript, order: CompactionOrder) -> CompactionContext:
    lead = [None] * len(transcript.lead)
    return CompactionContext(
        focus=order.focus,
        prefix=order.prefix,
        pointer=order.pointer,
        notes=order.notes,
        session_id=transcript.session.public_id,
        # The number by which `show` knows a message: places begin again in every session of a chain.
        positions=(*lead, *(row.original for row in transcript.rows)),
        handoffs=frozenset(
            at for at, row in enumerate(transcript.rows, len(lead)) if row.kind != MessageKind.MESSAGE
        ),
        grammars={
            at: row.grammar for at, row in enumerate(transcript.rows, len(lead)) if row.grammar is not None
        },
    )


@contextmanager
def _leased(database: Database, order: CompactionOrder) -> Iterator[Callable[[DbSession], None]]:
    """Hold the session's lease, renewed by a thread while a model thinks."""
    name = f"session:{order.session_id}"
    holder = make_holder()
    done = threading.Event()

    def take(db: DbSession) -> None:
        if not acquire(db, name, holder, now=order.clock(), seconds=order.lease_seconds, is_over=is_over):
            raise CompactionBusyError(
                f"{order.session_id}: another process is compacting it;"
                f" should that one have died, try again in {order.lease_seconds:.0f} s"
            )

    def renew() -> None:
        while not done.wait(order.lease_seconds / 3):
            # A store that is busy now may be free the next time; `take` has the last word.
            with suppress(StoreError), database.write(beside=True) as db:
                acquire(db, name, holder, now=order.clock(), seconds=order.lease_seconds)

    database.run(take)
    keeper = threading.Thread(target=renew, name="keep lease", daemon=True)
    keeper.start()
    try:
        yield take
    finally:
        done.set()
        keeper.join()
        # It expires by itself; what was stored must not look as if it had failed.
        with suppress(StoreError):
            database.run(lambda db: release(db, name, holder))
