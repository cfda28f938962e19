"""Derive sessions' and conversations' kept columns a second time, in another way than `conversation_upkeep`.

One judges the other: `conversation_upkeep` follows what a write touched, this counts the whole
store from its base rows. Reads only.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import text as sql
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.handoff import as_typed
from hermes_sessions.lineage import Relation
from hermes_sessions.titles import conversation_title

IS_NOTE: Final = (
    "(m.role IN ('user', 'assistant') AND coalesce(m.tool_calls, '') = '' AND coalesce(m.text, '') IN ("
    "'[Note by the compaction: between these two messages others were replaced by the handoff above.]',"
    " '[Note by the compaction: a tool call that never got a result is left out here.]'))"
)
"""Which messages are notes of our engine and nobody's words, over the alias m."""

IS_SHOWN: Final = (
    "(m.role <> 'session_meta' AND m.state <> 'rewound'"
    f" AND ((m.copy_of IS NULL AND NOT {IS_NOTE}) OR"
    " (m.copy_of IS NOT NULL AND m.kind = 'merged' AND m.state <> 'superseded')))"
)
"""Which messages the one scroll shows, over the alias m."""

_COUNTS = sql(
    f"SELECT m.session_id, count(*), count(*) FILTER (WHERE {IS_SHOWN}), max(m.created_at)"
    " FROM messages m GROUP BY m.session_id"
)
_OWNERS: Final = {
    table: sql(f"SELECT session_id, conversation_id, {key} FROM {table} GROUP BY session_id, conversation_id")
    for table, key in (("messages", "min(id)"), ("session_tags", "session_id"))
}
"""Table -> where its rows say they belong: session, conversation, the key of one such row."""
_COMPACTIONS = sql(
    "SELECT id, conversation_id, ordinal, number, session_id, child_id, realisation, status, method"
    " FROM compactions ORDER BY id"
)
_FIRST_TEXT = (
    "SELECT substr(m.text, 1, 800) FROM messages m"
    " WHERE m.session_id = :session AND m.kind = 'message' AND m.text <> ''"
    f" AND {IS_SHOWN} {{role}} ORDER BY m.position LIMIT 1"
)
_FIRST_ASKED = sql(_FIRST_TEXT.format(role="AND m.role = 'user'"))
_FIRST_SAID = sql(_FIRST_TEXT.format(role=""))
_SUMS: Final = (
    "tool_call_count",
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "reasoning_tokens",
)


_TAGS = sql("SELECT tag FROM session_tags WHERE session_id = :session")
_SESSIONS = sql(
    "SELECT id, origin_id, foreign_id, public_id, conversation_id, ordinal, parent_session_id, parent_id,"
    " relation, fork, source, model, title, cwd, started_at, ended_at, end_reason,"
    " message_count, shown_count, last_active_at, estimated_cost_usd, actual_cost_usd,"
    " origin_archived, archived, pinned, note, trashed_at, gone_at,"
    " (SELECT count(*) FROM session_tags t WHERE t.session_id = sessions.id) AS tag_count,"
    f" {', '.join(_SUMS)} FROM sessions ORDER BY id"
)


@dataclass(slots=True)
class Member:
    """A session with what its own rows say, and its place in its conversation."""

    row: Any
    message_count: int = 0
    shown_count: int = 0
    newest: float | None = None
    ordinal: int = 0
    owners: list[tuple[str, int, int]] = field(default_factory=list)
    """Where what it holds says that it belongs: table, conversation, the key of one such row."""

    @property
    def last_active_at(self) -> float | None:
        """The newest known time of the session and its messages."""
        return _newest((self.row.started_at, self.row.ended_at, self.newest))


@dataclass(slots=True)
class RederivedSessions:
    """The sessions of one conversation: all of them, and the chain from root to tip."""

    members: list[Member] = field(default_factory=list)
    compactions: list[Any] = field(default_factory=list)

    @property
    def chain(self) -> list[Member]:
        """Root to tip; forks left out."""
        root, *others = sorted(self.members, key=lambda one: (one.ordinal, one.row.id))
        return [root, *(one for one in others if not one.row.fork)]


def load_members(db: OrmSession) -> dict[int, Member]:
    """Return every session by key, with its counts."""
    members = {row.id: Member(row) for row in db.execute(_SESSIONS)}
    for session, count, shown, newest in db.execute(_COUNTS):
        if session in members:
            one = members[session]
            one.message_count, one.shown_count, one.newest = count, shown, newest
    for table, statement in _OWNERS.items():
        for session, conversation, key in db.execute(statement):
            if session in members:
                members[session].owners.append((table, conversation, key))
    return members


def group_members(db: OrmSession, members: Mapping[int, Member]) -> dict[int, RederivedSessions]:
    """Return the conversations by the key of their root session; sets each member's ordinal."""
    groups: dict[int, RederivedSessions] = defaultdict(RederivedSessions)
    roots = _find_roots(members)
    for key, one in members.items():
        root, one.ordinal = roots[key]
        groups[root].members.append(one)
    owner = {one.row.id: root for root, group in groups.items() for one in group.members}
    for row in db.execute(_COMPACTIONS):
        if row.session_id in owner:
            groups[owner[row.session_id]].compactions.append(row)
    for group in groups.values():
        group.compactions.sort(key=lambda row: _order(row, members))
    return dict(groups)


def conversation_columns(db: OrmSession, group: RederivedSessions) -> dict[str, Any]:
    """Return the kept columns of the conversation that *group* makes up."""
    chain = group.chain
    root, tip = chain[0].row, chain[-1].row
    rows = [one.row for one in group.members]
    counted = [row for row in group.compactions if row.status in ("committed", "interrupted")]
    columns = {
        "public_id": root.public_id,
        "origin_id": root.origin_id,
        "root_id": root.id,
        "tip_id": tip.id,
        "kind": "trash" if any(row.trashed_at is not None for row in rows) else _kind(root),
        "title": conversation_title([one.row.title for one in chain]),
        "preview": _preview(db, chain),
        "source": root.source,
        "model": _newest_named(chain, "model"),
        "cwd": _newest_named(chain, "cwd"),
        "started_at": root.started_at,
        "last_active_at": _newest(one.last_active_at for one in group.members) or 0.0,
        "ended_at": tip.ended_at,
        "end_reason": tip.end_reason,
        "message_count": sum(one.shown_count for one in chain),
        "session_count": len(rows),
        "fork_count": sum(bool(row.fork) for row in rows),
        "compaction_count": sum(row.method != "prune" for row in counted),
        "prune_count": sum(row.method == "prune" for row in counted),
        "archived": any(row.archived for row in rows) or bool(tip.origin_archived),
        "pinned": any(row.pinned for row in rows),
        "note": _notes(group),
        "tags": _tags(db, rows),
        "gone": all(row.gone_at is not None for row in rows),
    }
    columns |= {name: sum(getattr(row, name) for row in rows) for name in _SUMS}
    for name in ("estimated_cost_usd", "actual_cost_usd"):
        costs = [getattr(row, name) for row in rows if getattr(row, name) is not None]
        columns[name] = sum(costs) if costs else None
    return columns


def derive_parents(db: OrmSession, members: Mapping[int, Member]) -> Iterable[tuple[int, int | None]]:
    """Yield (session, parent) where the resolved parent is not the one that the agent named.

    A session without a resolved parent is right when its parent descends from it: a
    circle of links was cut there. A session made here may continue one of any origin.
    """
    ours = set(db.scalars(sql("SELECT id FROM origins WHERE kind = 'local'")))
    by_id = {(one.row.origin_id, one.row.foreign_id): key for key, one in members.items()}
    descent = _Descent(members)
    for key, one in members.items():
        named = by_id.get((one.row.origin_id, one.row.parent_session_id))
        parent = members.get(one.row.parent_id)
        if one.row.origin_id in ours and parent and parent.row.foreign_id == one.row.parent_session_id:
            continue
        if one.row.parent_session_id is None or one.row.parent_id == named:
            if one.row.parent_session_id is None and one.row.parent_id is not None:
                yield key, None
        elif one.row.parent_id is not None or not descent.descends(named, key):
            yield key, named


def _find_roots(members: Mapping[int, Member]) -> dict[int, tuple[int, int]]:
    """Return of each session the root of its conversation, and how many continuations below it it is.

    Each session is walked over once. In a circle, which no store should hold, each is its own root.
    """
    roots: dict[int, tuple[int, int]] = {}
    for start in members:
        path: dict[int, int] = {}
        key: int | None = start
        while key is not None and key not in roots and key not in path:
            path[key] = len(path)
            key = _continued(key, members)
        walked = list(path)
        if key in path:
            circle = walked[path[key] :]
            roots.update((one, (one, 0)) for one in circle)
            walked = walked[: path[key]]
        elif key is None:
            key = walked.pop()
            roots[key] = (key, 0)
        root, depth = roots[key]
        roots.update((one, (root, depth + step)) for step, one in enumerate(reversed(walked), start=1))
    return roots


def _continued(key: int, members: Mapping[int, Member]) -> int | None:
    """Return the session that this one continues, or None for the root of a conversation."""
    row = members[key].row
    return row.parent_id if row.relation == Relation.COMPACTION and row.parent_id in members else None


class _Descent:
    """Which session descends from which, by two numbers for each: when a walk enters it, and leaves it."""

    def __init__(self, members: Mapping[int, Member]) -> None:
        children: dict[int | None, list[int]] = defaultdict(list)
        for key, one in members.items():
            children[one.row.parent_id if one.row.parent_id in members else None].append(key)
        self._entered: dict[int, int] = {}
        self._left: dict[int, int] = {}
        pending = [(key, False) for key in children[None]]
        while pending:
            key, done = pending.pop()
            if done:
                self._left[key] = len(self._entered)
                continue
            self._entered[key] = len(self._entered)
            pending.append((key, True))
            pending.extend((child, False) for child in children[key])

    def descends(self, key: int | None, ancestor: int) -> bool:
        """Return whether *key* is *ancestor* or hangs below it; in a circle nothing does."""
        if key not in self._entered or ancestor not in self._entered:
            return False
        return self._entered[ancestor] <= self._entered[key] < self._left[ancestor]


def _order(row: Any, members: Mapping[int, Member]) -> tuple[Any, ...]:
    """A rotation stands before what happened inside its child, and before forks.

    Within a session only its importer knows the order: there the ordinals are taken as they are.
    """
    of = members[row.session_id]
    inside = row.realisation != "rotation"
    fork, started = bool(of.row.fork), of.row.started_at or 0.0
    return of.ordinal, row.child_id is None, inside, fork, started, row.ordinal, row.id


def _kind(root: Any) -> str:
    if root.relation == Relation.DELEGATE or root.source in ("tool", "subagent"):
        return "delegate"
    return "scheduled" if root.source == "cron" else "chat"


def _notes(group: RederivedSessions) -> str | None:
    ordered = sorted(group.members, key=lambda one: (one.ordinal, one.row.id))
    return "\n".join(one.row.note for one in ordered if one.row.note) or None


def _tags(db: OrmSession, rows: list[Any]) -> str | None:
    tagged = [row.id for row in rows if row.tag_count]
    found = {tag for key in tagged for tag in db.execute(_TAGS, {"session": key}).scalars()}
    return " ".join(sorted(found)) or None


def _newest_named(chain: list[Member], column: str) -> str | None:
    named = [value for one in chain if (value := getattr(one.row, column))]
    return named[-1] if named else None


def _preview(db: OrmSession, chain: list[Member]) -> str | None:
    for statement in (_FIRST_ASKED, _FIRST_SAID):
        for one in chain:
            text = db.execute(statement, {"session": one.row.id}).scalar() if one.shown_count else None
            if text is not None:
                return " ".join(as_typed(text).split())[:200]
    return None


def _newest(times: Iterable[float | None]) -> float | None:
    return max((time for time in times if time is not None), default=None)
