"""What one window of a transcript is made of: rows, and everything shown around them, as values."""

import math
from dataclasses import dataclass, replace

from sqlalchemy import orm as sa_orm

from hermes_sessions.store.queries.compactions import ListedCompaction, load_compactions_of
from hermes_sessions.store.queries.conversations import ConversationRow
from hermes_sessions.store.queries.lineage import (
    FamilySession,
    HiddenRow,
    load_hidden,
    load_merged_copies,
    load_offshoots,
    load_sessions_between,
    load_sessions_by_key,
)
from hermes_sessions.store.queries.paging import ScrollPlace
from hermes_sessions.store.queries.windows import View, Window, WindowQuery, load_window

Key = tuple[float, float]
"""Where something stands: session ordinal, and a position at or between rows."""

BEGINNING: Key = (-math.inf, -math.inf)
END: Key = (math.inf, math.inf)
BEHIND_ROW = 0.4
"""What happened while a row was the newest stands this far behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowMaterial:
    """What a window is made of, all of it values."""

    conversation: ConversationRow
    query: WindowQuery
    window: Window
    sessions: dict[int, FamilySession]
    parents: dict[int, FamilySession]
    compactions: tuple[ListedCompaction, ...]
    hidden: tuple[HiddenRow, ...]
    offshoots: tuple[FamilySession, ...]
    merged_copies: dict[int, int]

    @property
    def low(self) -> Key:
        """Key behind the row before the window; what is shown comes behind that."""
        before = self.window.previous
        return (before.place.ordinal, before.place.position + BEHIND_ROW) if before else BEGINNING

    @property
    def high(self) -> Key:
        """Key behind the window's last row, or the end of everything."""
        if self.window.following is None or not self.window.rows:
            return END
        last = self.window.rows[-1]
        return (last.ordinal, last.position + BEHIND_ROW)


def load_material(db: sa_orm.Session, conversation: ConversationRow, query: WindowQuery) -> WindowMaterial:
    """Load a window and everything that is shown around its rows."""
    window = load_window(db, conversation.id, query)
    whole = query.view is View.WHOLE
    sessions = _load_sessions(db, conversation, query, window)
    keys = sorted(sessions)
    ids = [row.id for row in window.rows]
    roots = [row.parent_id for row in sessions.values() if row.inherited_count and row.parent_id]
    behind, up_to = _hidden_bounds(window)
    return WindowMaterial(
        conversation=conversation,
        query=query,
        window=window,
        sessions=sessions,
        parents=load_sessions_by_key(db, roots) if roots else {},
        compactions=_load_compactions(db, conversation, sessions),
        hidden=load_hidden(db, keys, behind=behind, up_to=up_to) if whole else (),
        offshoots=load_offshoots(db, keys) if query.view is not View.TALK else (),
        merged_copies=load_merged_copies(db, ids) if whole and ids else {},
    )


def up_to(material: WindowMaterial, last: ScrollPlace) -> WindowMaterial:
    """Return the rows up to a place alone, without anything around them."""
    rows = tuple(row for row in material.window.rows if ScrollPlace(row.ordinal, row.position) <= last)
    return replace(material, window=Window(rows, None, None), offshoots=(), compactions=(), sessions={})


def _load_sessions(
    db: sa_orm.Session, conversation: ConversationRow, query: WindowQuery, window: Window
) -> dict[int, FamilySession]:
    """Return the sessions whose rows or events can stand in the window."""
    if not query.view.one_scroll:
        return load_sessions_by_key(db, [query.session_id or 0])
    first = window.previous.place.ordinal if window.previous else 0
    last = window.rows[-1].ordinal if window.rows and window.following else None
    return {row.id: row for row in load_sessions_between(db, conversation.id, first, last)}


def _load_compactions(
    db: sa_orm.Session, conversation: ConversationRow, sessions: dict[int, FamilySession]
) -> tuple[ListedCompaction, ...]:
    if not sessions or not (conversation.compaction_count or conversation.prune_count):
        return ()
    return load_compactions_of(db, conversation.id, sorted(sessions))


def _hidden_bounds(window: Window) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """Return the bounds of the window's range as (session key, position), where they cut a session."""
    if not window.rows:
        return None, None
    first, last = window.rows[0], window.rows[-1]
    before, after = window.previous, window.following
    behind = None
    if before is not None and before.place.ordinal == first.ordinal:
        behind = (first.session_id, before.place.position)
    up_to = (last.session_id, last.position) if after is not None else None
    return behind, up_to
