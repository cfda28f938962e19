"""Store what a compaction did, in one transaction: rows, states, the compaction itself."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.compaction import CompactionPolicy, CompactionResult
from hermes_sessions.errors import StaleTranscriptError
from hermes_sessions.handoff import is_engine_note, split_handoff
from hermes_sessions.lineage import CONTINUED, Relation
from hermes_sessions.messages import (
    CompactionStatus,
    MessageKind,
    MessageState,
    Realisation,
    Summarize,
    read_message,
)
from hermes_sessions.operations.agent.append import LOCAL, NewSession, add_session, place_rows
from hermes_sessions.operations.transcript import (
    StoredMessage,
    Transcript,
    find_session,
    kept_text,
    load_later,
    plain_row,
    row_of,
)
from hermes_sessions.store.engines.row_keys import next_key
from hermes_sessions.store.engines.statements import update_rows
from hermes_sessions.store.keeping.conversation_upkeep import refresh_conversations, refresh_sessions
from hermes_sessions.store.schema.models import Compaction, Message, Origin, Session
from hermes_sessions.store.writes import add_rows
from hermes_sessions.titles import next_title

NOTE = "$note"
"""Marks, in `extra`, a row that the engine wrote between messages."""
FRONT = "$front"
"""In `extra` of a handoff's row: how many rows of its compaction stand in front of it."""
_TEXTS = ("summary", "summarizer_model", "trigger", "focus", "error")
"""What a model or a caller wrote: stored as both engines hold it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionOrder:
    """What to compact, and how.

    Attributes:
        clock: returns epoch seconds.
        in_place: keep the session id and archive its rows, instead of going on in a child.
        trigger: who asked: `manual`, `auto`, ...
        summarizer_model: name of the model behind *summarize*, for the record.
        prefix, pointer, notes: see `CompactionContext`.
        due: it was found to be due by a count that may be another than the engine's.
        lease_seconds: how long a dead holder keeps others away; renewed while this one lives.
    """

    session_id: str
    policy: CompactionPolicy
    summarize: Summarize
    clock: Callable[[], float]
    in_place: bool = False
    focus: str = ""
    trigger: str = "manual"
    summarizer_model: str | None = None
    prefix: str = ""
    pointer: str = ""
    notes: str = ""
    due: bool = False
    lease_seconds: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCompaction:
    """How a compaction ended.

    Attributes:
        result: the engine's result; what arrived meanwhile is not in it, but in the session.
        compaction_id: its row; also an aborted one has one, and one that was due and found
            nothing that may go. None when there was nothing to do.
        session_id: the session to go on with.
        span_messages: how many messages were summarised; an earlier handoff is none.
    """

    result: CompactionResult
    compaction_id: int | None
    session_id: str
    span_messages: int = 0


class Record:
    """One transaction that stores what a compaction did."""

    def __init__(
        self,
        db: DbSession,
        order: CompactionOrder,
        transcript: Transcript,
        result: CompactionResult,
        started: float,
    ) -> None:
        self.db = db
        self.order = order
        self.session = find_session(db, order.session_id)
        self.transcript = transcript
        self.result = result
        self.started = started
        self.now = order.clock()
        # The engine's input may begin with the system prompt, which is no row.
        self.shift = len(transcript.lead)

    def aborted(self) -> StoredCompaction:
        """Keep the reason; nothing else changes.

        Only where there was a summary, and it saved too little, is there a size afterwards.
        """
        key = self._add(
            Realisation.IN_PLACE if self.order.in_place else Realisation.ROTATION,
            status=CompactionStatus.ABORTED.value,
            method="none",
            tokens_after=None if self.result.failure else self.result.tokens_after,
            error=self.result.reason,
        )
        refresh_conversations(self.db, [self.session.id])
        return StoredCompaction(result=self.result, compaction_id=key, session_id=self.session.public_id)

    def rotation(self) -> StoredCompaction:
        """End the session, go on in a child that begins with head, handoff and tail."""
        late = self._late_rows()
        child = add_session(
            self.db,
            NewSession(
                source=self.session.source or LOCAL,
                model=self.session.model,
                system_prompt=self.transcript.system_prompt,
                title=self._next_title(),
                cwd=self.session.cwd,
                parent_id=self.session.id,
                parent_session_id=self.session.foreign_id,
                relation=Relation.COMPACTION,
                fork=self.session.fork,
            ),
            self.now,
        )
        rows = self._rows(late)
        keys = place_rows(self.db, child, rows)
        compaction = self._add(
            Realisation.ROTATION,
            session_id=child,
            child_id=child,
            fork=self.session.fork,
            handoff_id=self._handoff_key(keys, rows),
            **self._outcome(len(late)),
        )
        self._archive(compaction)
        if self._is_local():
            self.db.execute(
                update(Session)
                .where(Session.id == self.session.id)
                .values(ended_at=self.now, end_reason=CONTINUED)
            )
        refresh_sessions(self.db, [self.session.id, child])
        refresh_conversations(self.db, [self.session.id, child])
        public_id = self.db.scalars(select(Session.public_id).where(Session.id == child)).one()
        return self._stored(compaction, public_id)

    def in_place(self) -> StoredCompaction:
        """Archive the live rows, go on behind them in the same session."""
        late = self._late_rows()
        live = [row.id for row in (*self.transcript.rows, *late)]
        rows = self._rows(late)
        keys = place_rows(self.db, self.session.id, rows)
        compaction = self._add(
            Realisation.IN_PLACE,
            child_id=self.session.id,
            handoff_id=self._handoff_key(keys, rows),
            **self._outcome(len(late)),
        )
        update_rows(self.db, Message, [{"key": one, "state": MessageState.COMPACTED.value} for one in live])
        self._archive(compaction)
        refresh_sessions(self.db, [self.session.id])
        refresh_conversations(self.db, [self.session.id])
        return self._stored(compaction, self.session.public_id)

    def _stored(self, compaction: int, session_id: str) -> StoredCompaction:
        return StoredCompaction(
            result=self.result,
            compaction_id=compaction,
            session_id=session_id,
            span_messages=len(self._span()),
        )

    def _late_rows(self) -> Sequence[StoredMessage]:
        """Return rows that arrived while the summary was written; refuse when others changed."""
        late = load_later(self.db, self.transcript)
        if late is None:
            raise StaleTranscriptError(
                f"{self.order.session_id}: its messages were changed meanwhile; run it again"
            )
        self._refuse_parted_results(late)
        return late

    def _refuse_parted_results(self, late: Sequence[StoredMessage]) -> None:
        """Refuse where a result came whose call would not stand before it any more."""
        wanted = {one for row in late for one in read_message(row.message).result_ids}
        if not wanted:
            return
        live = _call_ids([*(placed.message for placed in self.result.placed), *(row.message for row in late)])
        parted = wanted & (_call_ids([row.message for row in self.transcript.rows]) - live)
        if parted:
            raise StaleTranscriptError(
                f"{self.order.session_id}: the result of call {min(parted)} came meanwhile; run it again"
            )

    def _rows(self, late: Sequence[StoredMessage]) -> list[dict[str, Any]]:
        """Return the rows of the new transcript: copies, handoff, copies, late arrivals."""
        rows: list[dict[str, Any]] = []
        for placed in self.result.placed:
            source = None if placed.source is None else placed.source - self.shift
            if source is not None and source < 0:
                continue  # the system prompt is the session's, not a row
            stored = None if source is None else self.transcript.rows[source]
            at = self.now if stored is None or stored.created_at is None else stored.created_at
            values = plain_row(row_of(placed.message, at), placed.kind)
            if stored is not None:
                values["copy_of"] = stored.original
                values["shown"] = placed.kind is MessageKind.MERGED
            elif placed.kind is MessageKind.MESSAGE:
                values["extra"] = {**(values["extra"] or {}), NOTE: True}
            if placed.kind is MessageKind.MERGED:
                values |= self._reply_place(values["text"], stored)
            if placed.kind is not MessageKind.MESSAGE:
                values["extra"] = {**(values["extra"] or {}), FRONT: len(rows)}
            rows.append(values)
        for row in late:
            values = plain_row(row_of(row.message, self.now))
            rows.append({**values, "created_at": row.created_at, "copy_of": row.original, "shown": False})
        return rows

    def _reply_place(self, text: str | None, stored: StoredMessage | None) -> dict[str, int]:
        """Return where the reply is in a merged row whose text alone does not tell."""
        said = None if stored is None else stored.message.get("content")
        if text is None or not isinstance(said, str) or not said or not text.endswith(f"\n\n{said}"):
            return {}
        if [part.text for part in split_handoff(text)][1:] == [said]:
            return {}
        return {"reply_start": len(text) - len(said), "reply_end": len(text)}

    def _outcome(self, late: int) -> dict[str, Any]:
        """Return what the compaction's row says of head, span, tail and summary."""
        plan = self.result.plan
        span = [row.id for row in self._span()]
        handoff = next(part for part in split_handoff(self.result.handoff) if part.kind == "handoff")
        return {
            "status": CompactionStatus.COMMITTED.value,
            "method": self.result.method.value if self.result.method is not None else "unknown",
            "summary": handoff.text,
            "span_first_id": span[0] if span else None,
            "span_last_id": span[-1] if span else None,
            "span_messages": len(span),
            "head_messages": max(0, plan.head_end - self.shift),
            "tail_messages": len(plan.kept) + late,
            "tokens_after": self.result.tokens_after,
            "error": self.result.reason or None,
        }

    def _span(self) -> list[StoredMessage]:
        """Return the messages that the summary replaces; an earlier handoff is none, nor a note."""
        rows = [self.transcript.rows[index - self.shift] for index in self.result.plan.span]
        return [row for row in rows if row.kind != MessageKind.HANDOFF and not _is_note(row.message)]

    def _archive(self, compaction: int) -> None:
        update_rows(self.db, Message, [{"key": row.id, "archived_by": compaction} for row in self._span()])

    def _add(self, realisation: Realisation, **values: Any) -> int:
        key = next_key(self.db, Compaction)
        row = {
            "id": key,
            "conversation_id": self.session.conversation_id,
            "session_id": self.session.id,
            "realisation": realisation.value,
            "parent_session_id": self.session.foreign_id,
            "parent_id": self.session.id,
            "summarizer_model": self.order.summarizer_model,
            "trigger": self.order.trigger,
            "focus": self.order.focus or None,
            "policy": asdict(self.order.policy),
            "tokens_before": self.result.tokens_before,
            "tokens_method": self.result.tokens_method,
            "started_at": self.started,
            "finished_at": self.now,
            **values,
        }
        row |= {name: kept_text(row.get(name), name, {}) for name in _TEXTS}
        add_rows(self.db, Compaction, [row])
        return key

    def _handoff_key(self, keys: list[int], rows: list[dict[str, Any]]) -> int | None:
        wanted = (MessageKind.HANDOFF.value, MessageKind.MERGED.value)
        return next((key for key, row in zip(keys, rows, strict=True) if row["kind"] in wanted), None)

    def _is_local(self) -> bool:
        return self.db.scalar(select(Origin.kind).where(Origin.id == self.session.origin_id)) == LOCAL

    def _next_title(self) -> str | None:
        """Return the parent's title with the next number; an untitled parent has untitled children."""
        if not self.session.title:
            return None
        titles = self.db.scalars(
            select(Session.title).where(Session.conversation_id == self.session.conversation_id)
        )
        return next_title(self.session.title, titles)


def _is_note(message: Mapping[str, Any]) -> bool:
    text = message.get("content")
    calls = "called" if message.get("tool_calls") else None
    return is_engine_note(str(message.get("role")), text if isinstance(text, str) else None, calls)


def _call_ids(messages: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return every id of the tool calls in *messages*."""
    return {one for message in messages for call in read_message(message).tool_calls for one in call.ids}
