"""Read one conversation from the store as the entries of a readable export, in order, a few rows at a time.

The one scroll: chain sessions in order, shown rows only, every cell complete. What is
folded away becomes a line; other conversations are named by their ids and nothing else.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.exporters.readable_entries import CompactionLine, Entry, ExportedHandoff, Heading, Note
from hermes_sessions.handoff import ENGINE_NOTES
from hermes_sessions.messages import (
    CompactionStatus,
    ConversationKind,
    MessageState,
    Realisation,
    Role,
)
from hermes_sessions.operations.exports.entries_of_rows import row_entries
from hermes_sessions.store.queries.compactions import ListedCompaction, load_compactions
from hermes_sessions.store.queries.conversations import ConversationRow
from hermes_sessions.store.queries.lineage import FamilySession, load_offshoots, load_session, load_sessions
from hermes_sessions.store.queries.transcript_rows import TranscriptRow, select_rows
from hermes_sessions.store.schema.models import Message

ROWS_AT_ONCE: Final = 50
PARENT_WORDS: Final = {
    "branch": "Branch of",
    "reset": "Begun after a reset of",
    "delegate": "Delegate of",
    "compaction": "Continues",
}
_OFFSHOOTS: Final = {"delegate": "Delegate", "branch": "Branch", "reset": "Reset", "compaction": "Fork"}
_FOLDS: Final = {
    "copy": ("copy of an earlier message, folded", "copies of earlier messages, folded"),
    "undone": ("message undone by the user, left out", "messages undone by the user, left out"),
    "older": ("older version of a message, left out", "older versions of messages, left out"),
}

Placed = tuple[float, Entry]
"""An entry that is no row, and the position it stands before."""


def load_heading(db: DbSession, conversation: ConversationRow) -> Heading:
    """Return what a document says ahead of the messages."""
    root = load_session(db, conversation.root_id) if conversation.root_id is not None else None
    return Heading(
        id=conversation.public_id,
        title=conversation.title,
        preview=conversation.preview,
        source=conversation.source,
        model=conversation.model,
        started_at=conversation.started_at,
        last_active_at=conversation.last_active_at or None,
        messages=conversation.message_count,
        sessions=conversation.session_count,
        compactions=conversation.compaction_count,
        prunes=conversation.prune_count,
        parent=root.parent_session_id if root else None,
        parent_words=PARENT_WORDS.get(root.relation, "Left") if root else "",
        delegated=conversation.kind == ConversationKind.DELEGATE,
    )


def iter_entries(db: DbSession, conversation: ConversationRow) -> Iterator[Entry]:
    """Yield everything the conversation shows, oldest first; reads while it is iterated."""
    sessions = [row for row in load_sessions(db, conversation.id) if not row.fork]
    compactions = load_compactions(db, conversation.id)
    for session in sessions:
        mine = {
            row.id: (row, compaction_line(row, conversation))
            for row in compactions
            if _session_of(row) == session.id
        }
        placed = [
            *((_place_of(row, session), line) for row, line in mine.values() if not row.handoff_shown),
            *_inherited(session),
            *_folds(db, session),
            *((math.inf, note) for note in _offshoots(db, session)),
        ]
        placed.sort(key=lambda item: item[0])
        carried = {row.handoff_id: line for row, line in mine.values() if row.handoff_shown}
        yield from _woven(db, session, placed, carried)


def _session_of(row: ListedCompaction) -> int:
    """Return the session in which a compaction's line stands: where its handoff is, or its own."""
    return row.handoff_session_id if row.handoff_shown and row.handoff_session_id else row.session_id


def _woven(
    db: DbSession,
    session: FamilySession,
    placed: Sequence[Placed],
    carried: Mapping[int | None, CompactionLine],
) -> Iterator[Entry]:
    """Put what is no row between the rows of a session.

    Args:
        carried: the lines of compactions by the row that carries their handoff.
    """
    upcoming: Iterator[tuple[float, Entry | None]] = iter([*placed, (math.inf, None)])
    at, entry = next(upcoming)
    for row, own in row_entries(_rows(db, session), session):
        while entry is not None and at <= row.position:
            yield entry
            at, entry = next(upcoming)
        line = carried.get(row.id)
        for one in own:
            if isinstance(one, ExportedHandoff) and line is not None:
                yield line
                line = None
            yield one
    yield from (late for late in (entry, *(rest for _, rest in upcoming)) if late is not None)


def _rows(db: DbSession, session: FamilySession) -> Iterator[TranscriptRow]:
    stmt = (
        select_rows(whole=True)
        .where(Message.session_id == session.id, Message.shown.is_(True))
        .order_by(Message.position)
        .execution_options(yield_per=ROWS_AT_ONCE)
    )
    for row in db.execute(stmt):
        yield TranscriptRow(**row._mapping)


# -- what is no row --------------------------------------------------------------------------------


def _place_of(row: ListedCompaction, session: FamilySession) -> float:
    if row.status in (CompactionStatus.INTERRUPTED, CompactionStatus.ABORTED):
        return math.inf
    if row.realisation == Realisation.ROTATION:
        return -1.0
    if row.handoff_position is not None and row.handoff_session_id == session.id:
        return float(row.handoff_position)
    if row.span_last_position is not None and row.span_last_session_id == session.id:
        return row.span_last_position + 0.5
    return math.inf


def compaction_line(row: ListedCompaction, conversation: ConversationRow) -> CompactionLine:
    """Return the line of a compaction as readers of a document see it."""
    return CompactionLine(
        ordinal=row.ordinal,
        total=conversation.prune_count if row.is_prune else conversation.compaction_count,
        status=row.status,
        realisation=row.realisation,
        method=row.method,
        at=row.at,
        span_messages=row.span_messages,
        span_stored=row.span_stored,
        tokens_before=row.tokens_before,
        tokens_after=row.tokens_after,
        error=row.error,
        summary=None if row.handoff_shown else row.summary,
        encrypted=row.is_encrypted,
        number=row.id,
    )


def _inherited(session: FamilySession) -> Iterator[Placed]:
    if session.inherited_count:
        count = _plural(session.inherited_count, "message", "messages")
        yield -0.5, Note(text=f"{count} inherited from {session.parent_session_id}")
        yield session.inherited_count - 0.5, Note(text="The branch begins here")


def _offshoots(db: DbSession, session: FamilySession) -> Iterator[Note]:
    """Name what left the session; its words stay where they are."""
    for row in load_offshoots(db, [session.id]):
        label = "Fork" if row.fork else _OFFSHOOTS.get(row.relation, "Related session")
        size = _plural(row.message_count, "message", "messages")
        yield Note(text=f"{label}: {row.public_id}, {size}, not in this document")


def _folds(db: DbSession, session: FamilySession) -> Iterator[Placed]:
    """Yield one line for each run of hidden rows of one kind; shown rows end a run."""
    stmt = (
        select(
            Message.position,
            Message.shown,
            Message.state,
            Message.text.in_(ENGINE_NOTES),
        )
        .where(Message.session_id == session.id, Message.role != Role.SESSION_META)
        .order_by(Message.position)
    )
    run: tuple[str, int, int] | None = None
    for position, shown, state, is_note in db.execute(stmt):
        if not shown and is_note:
            continue
        why = "" if shown else _why(state)
        if run is not None and run[0] != why:
            yield _fold(run)
            run = None
        if why:
            run = (why, run[1] if run else position, run[2] + 1 if run else 1)
    if run is not None:
        yield _fold(run)


def _fold(run: tuple[str, int, int]) -> Placed:
    why, first, count = run
    one, many = _FOLDS[why]
    return float(first), Note(text=_plural(count, one, many))


def _why(state: str) -> str:
    if state == MessageState.REWOUND:
        return "undone"
    return "older" if state == MessageState.SUPERSEDED else "copy"


def _plural(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
