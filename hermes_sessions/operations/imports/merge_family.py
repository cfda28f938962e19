"""Bring a family that is (partly) in the store up to date with its origin.

Also the way a family too large for one transaction is stored: sessions first, then
rows in batches, then what points at rows; the session's mark is written last, so that
a run that was killed is picked up where it stopped. Rows of ours (made here, or gone
at the origin) are never touched.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.agents.values import Family, MessageRow
from hermes_sessions.call_names import named_extra
from hermes_sessions.handoff.grammars.registry import grammar_named
from hermes_sessions.messages import MessageState
from hermes_sessions.operations.imports.merge_compactions import (
    Merge,
    find_made_here,
    find_replacing,
    forget_rewritten,
    link_compactions,
    write_compactions,
    yield_to_origin,
)
from hermes_sessions.operations.imports.rewritten_rows import (
    change_earlier,
    count_grown,
    fold_again,
    join_replaced,
)
from hermes_sessions.operations.writing.row_values import (
    PLAIN,
    ImportedFrom,
    Keys,
    message_values,
    prompts_of,
    session_values,
)
from hermes_sessions.store.engines.row_keys import next_keys
from hermes_sessions.store.engines.statements import update_rows
from hermes_sessions.store.keeping.audit_marks import forget_audits
from hermes_sessions.store.keeping.conversation_upkeep import refresh_conversations, refresh_sessions
from hermes_sessions.store.keeping.row_locks import lock_sessions
from hermes_sessions.store.language.indexed_text import INDEXED
from hermes_sessions.store.schema.models import Message, Session
from hermes_sessions.store.writes import (
    UNPLACED,
    add_messages,
    add_prompts,
    add_rows,
    change_messages,
    free_public_id,
    taken_public_ids,
)

WriteTransaction = Callable[[], AbstractContextManager[DbSession]]

TRANSACTION_ROWS: Final = 2_000

_COMPARED = (
    "kind", "handoff_grammar", "state", "copy_of", "archived_by", "origin_row_id", "digest",
    "reply_start", "reply_end", "role",
)  # fmt: skip
_FOLDED = ("kind", "handoff_grammar", "copy_of", "reply_start", "reply_end")
_IN_INDEX = (*INDEXED, "copy_of", "search_key")


def merge_family(
    write: WriteTransaction, origin: ImportedFrom, family: Family, *, complete: bool = True
) -> None:
    """Store what is new or different in *family*.

    Args:
        write: opens a write transaction; several are used, one after the other.
        complete: every row of these sessions could be read; False keeps rows that are
            missing from the file as they are, instead of taking them for deleted, but for
            those that the family says it has read again (`since`).
    """
    with write() as db:
        merge = _merge_sessions(db, origin, family)
        change_earlier(db, merge)
    present: dict[str, set[str]] = {row.foreign_id: set() for row in family.sessions}
    for batches in _transactions(family):
        with write() as db:
            lock_sessions(db, {merge.keys.sessions[session] for session, _ in batches})
            find_made_here(db, merge)  # others may have compacted since the last transaction
            for session, batch in batches:
                _merge_batch(db, merge, session, batch)
                present[session].update(row.origin_key for row in batch)
            touched = [merge.keys.sessions[session] for session, _ in batches]
            _refresh(db, merge, touched, [rows for _, rows in batches])
    with write() as db:
        lock_sessions(db, merge.keys.sessions.values())
        find_made_here(db, merge)
        gone: dict[str, list[int]] = {}
        if complete or family.since is not None:
            for session, rows in present.items():
                gone[session] = _mark_gone_rows(db, merge, session, rows)
        fold_again(
            db, {one: known for one, known in merge.unfolded.items() if known["copy_of"] in merge.deleted}
        )
        forget_rewritten(db, merge)
        link_compactions(db, merge)
        for session, lost in gone.items():
            if lost:
                replacing = find_replacing(merge, session)
                grammar = grammar_named(merge.origin.grammar)
                join_replaced(db, merge.keys.sessions[session], lost, replacing, grammar)
        sessions = list(merge.keys.sessions.values())
        update_rows(
            db,
            Session,
            [
                {"key": merge.keys.sessions[row.foreign_id], "origin_mark": row.mark}
                for row in family.sessions
            ],
        )
        _refresh(db, merge, sessions, ())


def _refresh(
    db: DbSession, merge: Merge, sessions: Sequence[int], batches: Iterable[Sequence[MessageRow]]
) -> None:
    """Count again what changed, where the rows are *batches*, and what hangs on it."""
    if merge.family.grown:
        count_grown(db, sessions, batches)
    else:
        refresh_sessions(db, sessions)
    refresh_conversations(db, sessions)


def _transactions(family: Family) -> Iterator[list[tuple[str, Sequence[MessageRow]]]]:
    """Yield batches of rows, as many together as one transaction should hold.

    Each looks at all sessions of the family once more: where these are many, so are the rows.
    """
    most = max(TRANSACTION_ROWS, len(family.sessions) // 2)
    together: list[tuple[str, Sequence[MessageRow]]] = []
    rows = 0
    for session, batch in family.batches():
        together.append((session, batch))
        rows += len(batch)
        if rows >= most:
            yield together
            together, rows = [], 0
    if together:
        yield together


# -- sessions and compactions ----------------------------------------------------------------------


def _merge_sessions(db: DbSession, origin: ImportedFrom, family: Family) -> Merge:
    add_prompts(db, [prompts_of(family)])
    stored = _stored_sessions(db, origin.id, [row.foreign_id for row in family.sessions])
    merge = Merge(family, origin, Keys({}, {}, {}))
    merge.keys.sessions.update({one: row.id for one, row in stored.items()})
    lock_sessions(db, merge.keys.sessions.values())
    stored = _stored_sessions(db, origin.id, list(stored))  # as they are now that nobody changes them
    fresh = [row.foreign_id for row in family.sessions if row.foreign_id not in stored]
    merge.keys.sessions.update(zip(fresh, next_keys(db, Session, len(fresh)), strict=True))
    _write_sessions(db, merge, stored)
    find_made_here(db, merge)
    yield_to_origin(db, merge)
    write_compactions(db, merge)
    sessions = list(merge.keys.sessions.values())
    refresh_conversations(db, sessions)
    for at in range(0, len(sessions), 500):
        merge.deleted.update(
            db.scalars(
                select(Message.id).where(
                    Message.session_id.in_(sessions[at : at + 500]), Message.origin_key.is_(None)
                )
            )
        )
    return merge


def _write_sessions(db: DbSession, merge: Merge, stored: Mapping[str, Any]) -> None:
    new, changed = [], []
    # What goes on from something in the trash goes there too: a family is never torn.
    trashed = {one: row.trashed_at for one, row in stored.items() if row.trashed_at is not None}
    taken = taken_public_ids(db, [row.foreign_id for row in merge.family.sessions])
    for row in merge.family.sessions:
        placed = merge.family.placements[row.foreign_id]
        parent = merge.keys.sessions.get(placed.parent) if placed.parent is not None else None
        values = session_values(row, placed, parent)
        values["inherited_count"] = merge.family.inherited.get(row.foreign_id, 0)
        values["origin_mark"] = None
        known = stored.get(row.foreign_id)
        if known is None:
            values |= {
                "id": merge.keys.sessions[row.foreign_id],
                "origin_id": merge.origin.id,
                "foreign_id": row.foreign_id,
                "public_id": free_public_id(row.foreign_id, merge.origin.label, taken),
                **UNPLACED,
                "archived": False,
                "pinned": False,
                "trashed_at": trashed.get(placed.parent or ""),
                "message_count": 0,
                "shown_count": 0,
                "last_active_at": row.started_at,
            }
            if values["trashed_at"] is not None:
                trashed[row.foreign_id] = values["trashed_at"]
            new.append(values)
            continue
        if known.parent_id is not None and parent is None and known.parent_gone_at is not None:
            # The origin pruned the parent; the link is known here and stays.
            for name in ("parent_session_id", "parent_id", "relation", "fork", "inherited_count"):
                values[name] = getattr(known, name)
            merge.links_lost.add(row.foreign_id)
        changed.append({"key": known.id, **values})
    add_rows(db, Session, new)
    update_rows(db, Session, changed)


def _stored_sessions(db: DbSession, origin_id: int, ids: Sequence[str]) -> dict[str, Any]:
    parent = Session.__table__.alias("parent")
    found: dict[str, Any] = {}
    for at in range(0, len(ids), 5000):
        for row in db.execute(
            select(
                Session.id,
                Session.foreign_id,
                Session.parent_id,
                Session.parent_session_id,
                Session.relation,
                Session.fork,
                Session.inherited_count,
                Session.trashed_at,
                parent.c.gone_at.label("parent_gone_at"),
            )
            .outerjoin(parent, Session.parent_id == parent.c.id)
            .where(Session.origin_id == origin_id, Session.foreign_id.in_(ids[at : at + 5000]))
        ):
            found[row.foreign_id] = row
    return found


# -- messages --------------------------------------------------------------------------------------


def _merge_batch(db: DbSession, merge: Merge, session: str, batch: Sequence[MessageRow]) -> None:
    session_id = merge.keys.sessions[session]
    conversation = db.scalars(select(Session.conversation_id).where(Session.id == session_id)).one()
    stored = _stored_rows(db, session_id, [row.origin_key for row in batch])
    _give_keys(db, merge, batch, stored)
    new, changed = [], []
    for row in batch:
        known = stored.get(row.origin_key)
        verdict = merge.family.verdicts.get(row.ref, PLAIN)
        values = message_values(row, verdict, session_id, merge.keys, merge.origin.grammar)
        values["conversation_id"] = conversation
        if known is None:
            values["id"] = merge.keys.messages[row.ref]
            new.append(values)
            continue
        _keep_known(merge, session, known, values)
        # Stores of older versions have results without the name of their call.
        named = bool(values["tool_name"]) and not known.tool_name
        if named or any(values[name] != getattr(known, name) for name in _COMPARED):
            changed.append((known, values))
    change_messages(db, changed)
    if changed:
        forget_audits(db, [conversation])
    moved = any(values["origin_row_id"] != known.origin_row_id for known, values in changed)
    _place_rows(db, session_id, new, moved=moved)
    add_messages(db, new)


def _give_keys(db: DbSession, merge: Merge, batch: Sequence[MessageRow], stored: Mapping[str, Any]) -> None:
    """Note the key of every row of *batch*: rows before it were noted earlier, and none refers ahead."""
    fresh = iter(next_keys(db, Message, sum(row.origin_key not in stored for row in batch)))
    for row in batch:
        known = stored.get(row.origin_key)
        merge.keys.messages[row.ref] = next(fresh) if known is None else known.id


def _keep_known(merge: Merge, session: str, known: Any, values: dict[str, Any]) -> None:
    """Keep what the store knows of a row and the origin no longer shows."""
    if session in merge.links_lost or known.copy_of in merge.deleted:
        values.update({name: getattr(known, name) for name in (*_FOLDED, "shown")})
    elif known.copy_of is not None and values["copy_of"] is None:
        merge.unfolded[known.id] = {name: getattr(known, name) for name in _FOLDED}
    if values["archived_by"] is None and known.archived_by in merge.made_here:
        values["archived_by"] = known.archived_by
    if known.tool_name and not values["tool_name"] and known.tool_call_id == values["tool_call_id"]:
        # The name of its call, which the origin has deleted.
        values["extra"] = named_extra(values["extra"], values["tool_name"])
        values["tool_name"] = known.tool_name


def _stored_rows(db: DbSession, session_id: int, keys: Sequence[str]) -> dict[str, Any]:
    if not keys:
        return {}
    columns = [Message.id, Message.origin_key, Message.shown, Message.created_at]
    columns += [getattr(Message, name) for name in dict.fromkeys((*_COMPARED, *_IN_INDEX))]
    found = db.execute(select(*columns).where(Message.session_id == session_id, Message.origin_key.in_(keys)))
    return {row.origin_key: row for row in found}


def _place_rows(db: DbSession, session_id: int, new: Sequence[dict[str, Any]], *, moved: bool) -> None:
    """Give new rows their positions: nearly always behind all others; else the others move.

    Args:
        moved: rows that are stored have other places at the origin now.
    """
    if not new and not moved:
        return
    mine = Message.session_id == session_id
    free = db.scalar(select(func.max(Message.position)).where(mine))
    for at, values in enumerate(new, start=0 if free is None else free + 1):
        values["position"] = at
    # Rows of an origin are in its order, so the last of them is the highest.
    last = db.scalar(
        select(Message.origin_row_id)
        .where(mine, Message.origin_row_id.is_not(None))
        .order_by(Message.position.desc())
        .limit(1)
    )
    if not moved and (last is None or new[0]["origin_row_id"] >= last):
        return
    _renumber(db, session_id, [(values["origin_row_id"], values) for values in new])


def _renumber(db: DbSession, session_id: int, new: Iterable[tuple[int, dict[str, Any]]]) -> None:
    """Put rows that turned up late where the origin's order has them; rows of ours keep their neighbours."""
    stored = db.execute(
        select(Message.id, Message.position, Message.origin_row_id)
        .where(Message.session_id == session_id)
        .order_by(Message.position)
    ).all()
    ordered: list[tuple[int, int, Any]] = []
    before = -(2**63)
    for at, row in enumerate(stored):
        before = row.origin_row_id if row.origin_row_id is not None else before
        ordered.append((before, at, row))
    ordered += [(one, len(stored) + at, values) for at, (one, values) in enumerate(new)]
    ordered.sort(key=lambda item: item[:2])
    moves = []
    for position, (_, _, item) in enumerate(ordered):
        if isinstance(item, dict):
            item["position"] = position
        elif item.position != position:
            moves.append((item.id, position))
    # The index on positions is unique: step aside first, then take the place.
    update_rows(db, Message, [{"key": one, "position": -1 - position} for one, position in moves])
    update_rows(db, Message, [{"key": one, "position": position} for one, position in moves])


def _mark_gone_rows(db: DbSession, merge: Merge, session: str, present: set[str]) -> list[int]:
    """Keep rows that the origin deleted: no longer live, and no longer waited for.

    Undo, retry and the older way of compacting delete a session's rows and write others.
    Returns the keys of those that were live.
    """
    mine = [Message.session_id == merge.keys.sessions[session], Message.origin_key.is_not(None)]
    if merge.family.since is not None:
        mine.append(Message.origin_row_id >= merge.family.since)
    columns = ("id", "origin_key", "origin_row_id", "extra", "state", "shown")
    known = db.execute(select(*(getattr(Message, name) for name in columns)).where(*mine))
    gone = [row for row in known if row.origin_key not in present]
    update_rows(
        db,
        Message,
        [
            {
                "key": row.id,
                "origin_key": None,
                "origin_row_id": None,
                "state": MessageState.REWOUND.value if row.state == MessageState.LIVE else row.state,
                "shown": row.shown and row.state != MessageState.LIVE,
                "extra": {**(row.extra or {}), "$gone": _gone(row)},
            }
            for row in gone
        ],
    )
    merge.deleted.update(row.id for row in gone)
    return [row.id for row in gone if row.state == MessageState.LIVE]


def _gone(row: Any) -> dict[str, Any]:
    """Return what is kept of a deleted row: its number, its key where that is another, its state."""
    told = {"id": row.origin_row_id, "state": row.state}
    return told if row.origin_key == str(row.origin_row_id) else {**told, "key": row.origin_key}
