"""Write what a store has of an origin, or one conversation, as a file of an agent.

Imported rows become what they were, with their ids. Sessions made here that go on with
them come along as rows that the agent would have written.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from sqlalchemy import ColumnElement, Result, func, select, true
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.agents.contract import Columns, WritableMessage, WritableSession, Writer
from hermes_sessions.agents.registry import get_writer
from hermes_sessions.errors import ExportError, NotEnoughSpaceError
from hermes_sessions.messages import CompactionMethod, CompactionStatus, MessageState, Realisation
from hermes_sessions.operations.agent.append import LOCAL
from hermes_sessions.operations.transcript import message_of
from hermes_sessions.operations.writing.origins import get_origin
from hermes_sessions.output import whole_file
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.conversations import get_conversation
from hermes_sessions.store.schema.models import (
    Compaction,
    Conversation,
    Message,
    Origin,
    Session,
    SystemPrompt,
)

ROWS_AT_ONCE: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginOrder:
    """What to write: one conversation, one origin, or all there is of the only origin.

    Attributes:
        format: the kind of the agent that is to read it.
    """

    format: str
    conversation: str | None = None
    origin: str | None = None
    force: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginExport:
    """What was written."""

    origin: str
    schema_version: int
    conversations: int
    sessions: int
    messages: int
    notes: tuple[str, ...]
    bytes: int = 0


def export_origin(database: Database, target: Path, order: OriginOrder) -> OriginExport:
    """Write an agent's file to *target*, whole or not at all.

    Raises:
        ExportError: the file is there or cannot be written, the order does not name one
            origin, or no agent has such a format.
        NotEnoughSpaceError: the disk is full.
        NotFoundError: there is no such conversation or origin.
    """
    writer = get_writer(order.format)
    with database.read() as db, whole_file(target, force=order.force) as part:
        label, chosen = _choose(db, order, writer)
        rows = ChosenRows(db, chosen, writer.kind)
        try:
            written = writer.write(part, rows)
        except (ExportError, NotEnoughSpaceError) as error:  # of a file whose name nobody knows
            raise type(error)(f"{target}: {error}") from error
        finally:
            rows.close()
        return OriginExport(
            origin=label,
            schema_version=written.schema_version,
            conversations=len(rows.conversations),
            sessions=rows.stored,
            messages=rows.messages,
            notes=(*written.notes, *rows.untold(writer.file_type)),
            bytes=part.stat().st_size,
        )


def _choose(db: DbSession, order: OriginOrder, writer: Writer) -> tuple[str, ColumnElement[bool]]:
    """Return a name for what is written, and the condition on sessions."""
    if order.conversation is not None:
        if order.origin is not None:
            raise ExportError("--conversation and --origin: name one of them")
        conversation = get_conversation(db, order.conversation)
        return conversation.origin or "", Session.conversation_id == conversation.id
    if order.origin is not None:
        origin = get_origin(db, order.origin)
        families = select(Session.conversation_id).where(Session.origin_id == origin.id)
        return origin.label, Session.conversation_id.in_(families)
    used = select(Session.origin_id).distinct()
    origins = db.scalars(select(Origin).where(Origin.id.in_(used)).order_by(Origin.label)).all()
    foreign = [one.label for one in origins if one.kind != LOCAL]
    if len(foreign) > 1:
        raise ExportError(
            f"{writer.file_type} has room for one origin, because their ids clash; name one with --origin:"
            f" {', '.join(foreign)}"
        )
    if not origins:
        raise ExportError("the store holds no session to export")
    return (foreign or [origins[0].label])[0], true()


# -- rows ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class ChosenRows:
    """The `WritableRows` of a writer: what was chosen, read while it is written, and counted.

    Attributes:
        kind: the writer's; rows of other origins come as messages too.
        stored: sessions that have a row of their own at their origin, so far.
    """

    db: DbSession
    chosen: ColumnElement[bool]
    kind: str
    stored: int = 0
    messages: int = 0
    conversations: set[int] = field(default_factory=set)
    _prompts: dict[str, str] = field(default_factory=dict)
    _reading: Result[Any] | None = None

    @property
    def next_row_id(self) -> int:
        """Above every id that a row of the writer's kind has, or had before it was deleted there."""
        highest = self.db.scalar(
            select(func.max(Message.origin_row_id))
            .join(Session, Session.id == Message.session_id)
            .join(Origin, Origin.id == Session.origin_id)
            .where(self.chosen, Origin.kind == self.kind)
        )
        return max(highest or 0, self._highest_gone(), 0) + 1

    def sessions(self) -> Iterator[WritableSession]:
        """Yield sessions by their start, a few hundred at a time."""
        self.stored, self.messages, self.conversations = 0, 0, set()
        kinds = {one.id: one.kind for one in self.db.execute(select(Origin.id, Origin.kind))}
        order = (func.coalesce(Session.started_at, 0.0), Session.id)
        keys = self.db.scalars(select(Session.id).where(self.chosen).order_by(*order)).all()
        for at in range(0, len(keys), 200):
            stmt = select(*Session.__table__.columns).where(Session.id.in_(keys[at : at + 200]))
            found = {row.id: dict(row._mapping) for row in self.db.execute(stmt)}
            for key in keys[at : at + 200]:
                yield self._session(found[key], kinds[found[key]["origin_id"]])

    def close(self) -> None:
        """Stop reading: where a writer gave up there may be rows that nobody took."""
        if self._reading is not None:
            self._reading.close()

    def interrupted(self) -> Iterator[tuple[Columns, float | None]]:
        """Yield what is left of compactions that were interrupted while they held a lock."""
        stmt = (
            select(*Session.__table__.columns, Compaction.started_at.label("begun_at"))
            .join(Compaction, Session.id == Compaction.session_id)
            .where(self.chosen, Compaction.status == CompactionStatus.INTERRUPTED)
            .where(Compaction.origin_key.is_not(None))
            .where((Compaction.realisation == Realisation.IN_PLACE) | Compaction.started_at.is_not(None))
        )
        for row in self.db.execute(stmt):
            yield dict(row._mapping), row.begun_at

    def untold(self, file_type: str) -> Iterator[str]:
        """Yield a line for each compaction that no row of an agent's file tells of."""
        pruned = (Compaction.status == CompactionStatus.COMMITTED) & (
            Compaction.realisation == Realisation.NATIVE
        )
        stmt = (
            select(Conversation.public_id, Compaction.number, Compaction.method, Compaction.status)
            .join(Session, Session.id == Compaction.session_id)
            .join(Conversation, Conversation.id == Compaction.conversation_id)
            .where(self.chosen, Compaction.handoff_id.is_(None))
            .where(pruned | (Compaction.status == CompactionStatus.ABORTED))
            .order_by(Conversation.public_id, Compaction.ordinal)
        )
        for row in self.db.execute(stmt):
            why = "was aborted" if row.status == CompactionStatus.ABORTED else "has no handoff"
            name = "prune" if row.method == CompactionMethod.PRUNE else "compaction"
            yield f"{name} {row.number} of {row.public_id} {why}: {file_type} has no place for it"

    def _session(self, columns: dict[str, Any], origin: str) -> WritableSession:
        live = select(func.count()).where(
            Message.session_id == columns["id"], Message.state == MessageState.LIVE
        )
        own = origin == self.kind
        self.conversations.add(columns["conversation_id"])
        self.stored += "$placeholder" not in (columns["extra"] or {})
        return WritableSession(
            columns=columns,
            prompt=self._prompt(columns["system_prompt_hash"]),
            own=own,
            origin=origin,
            live=0 if own else self.db.scalar(live) or 0,
            messages=partial(self._messages, columns["id"], own=own),
        )

    def _messages(self, session: int, *, own: bool) -> Iterator[WritableMessage]:
        stmt = (
            select(*Message.__table__.columns)
            .where(Message.session_id == session)
            .order_by(Message.position)
            .execution_options(yield_per=ROWS_AT_ONCE)
        )
        self._reading = self.db.execute(stmt)
        for row in self._reading:
            self.messages += 1
            yield WritableMessage(dict(row._mapping), None if own else message_of(row))

    def _prompt(self, key: str | None) -> str | None:
        if key is None:
            return None
        if key not in self._prompts:
            if len(self._prompts) > 50:
                self._prompts.clear()
            stmt = select(SystemPrompt.text).where(SystemPrompt.hash == key)
            self._prompts[key] = self.db.scalars(stmt).one()
        return self._prompts[key]

    def _highest_gone(self) -> int:
        """Return the highest id that a row deleted at the origin had: it is written with it."""
        stmt = (
            select(Message.extra)
            .join(Session, Session.id == Message.session_id)
            .join(Origin, Origin.id == Session.origin_id)
            .where(self.chosen, Message.origin_row_id.is_(None), Origin.kind == self.kind)
        )
        found = (extra for extra in self.db.scalars(stmt) if extra and "$gone" in extra)
        return max((extra["$gone"]["id"] for extra in found), default=0)
