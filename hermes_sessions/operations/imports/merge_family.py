"""Bring a family that is (partly) in the store up to date with its origin.

Also the way a family too large for one transaction is stored: sessions first, then
rows in batches, then what points at rows; the session's mark is written last, so that
a run that was killed is picked up where it stopped. Rows of ours (made here, or gone
at the origin) are never touched.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.agents.values import Family, MessageRow
from hermes_sessions.call_names import named_extra
from hermes_sessions.handoff.grammars.registry import grammar_named
from hermes_sessions.messages import Realisation
from hermes_sessions.operations.imports.gone_rows import join_deleted_span, mark_gone_rows
from hermes_sessions.operations.imports.merge_compactions import (
    Merge,
    find_made_here,
    find_replacing,
    forget_inherited,
    forget_rewritten,
    link_compactions,
    write_compactions,
    yield_to_origin,
)
from hermes_sessions.operations.imports.renamed_rows import rename_rows
from hermes_sessions.operations.imports.rewritten_rows import (
    change_earlier,
    count_grown,
    fold_again,
    join_replaced,
)
from hermes_sessions.operations.imports.row_places import place_inherited, place_rows
from hermes_sessions.operations.imports.row_transactions import transactions
from hermes_sessions.operations.writing.absent_parents import find_absent_parents
from hermes_sessions.operations.writing.ready_rows import PLAIN
from hermes_sessions.operations.writing.row_values import (
    ImportedFrom,
    Keys,
    message_values,
    prompts_of,
    session_values,
)
from hermes_sessions.store.engines.row_keys import next_keys
from hermes_sessions.store.engines.statements import chunks, update_rows
from hermes_sessions.store.keeping.audit_marks import forget_audits
from hermes_sessions.store.keeping.conversation_upkeep import (
    refresh_conversations,
    refresh_sessions,
)
from hermes_sessions.store.keeping.conversation_values import is_shown
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

_COMPARED = (
    "kind", "handoff_grammar", "state", "copy_of", "archived_by", "origin_row_id", "digest",
    "reply_start", "reply_end", "role",
)  # fmt: skip
_FOLDED = ("kind", "handoff_grammar", "copy_of", "reply_start", "reply_end")
_IN_INDEX = (*INDEXED, "copy_of", "search_key")
_KNOWN = tuple(
    getattr(Message, name)
    for name in dict.fromkeys(("id", "origin_key", "shown", "created_at", "position", *_COMPARED, *_IN_INDEX))
)


def merge_family(
    write: WriteTransaction,
    origin: ImportedFrom,
    family: Family,
    *,
    complete: bool = True,
    unread: Collection[str] = (),
) -> None:
    """Store what is new or different in *family*.

    Args:
        write: opens a write transaction; one is used, or several for more rows than one should hold.
        complete: every row of these sessions could be read; False keeps rows that are
            missing from the file as they are, instead of taking them for deleted, but for
            those that the family says it has read again (`since`).
        unread: stored sessions that could not be read: what hangs on one keeps its link.
    """
    is_read = complete or family.since is not None
    merge = Merge(family, origin, Keys({}, {}, {}), complete=complete, unread=unread)
    present: dict[str, set[str]] = {row.foreign_id: set() for row in family.sessions}
    several = transactions(family)
    batches, is_last = next(several)
    if is_last:  # whoever reads meanwhile sees no compaction whose handoff is not linked yet
        with write() as db:
            _merge_sessions(db, merge)
            if complete:
                rename_rows(db, merge, batches)
            _merge_batches(db, merge, batches, present)
            _conclude(db, merge, present, is_read=is_read)
        return
    with write() as db:
        _merge_sessions(db, merge)
    for together, _ in chain([(batches, False)], several):
        with write() as db:
            _merge_batches(db, merge, together, present)
        together.clear()  # they may be large, and the next ones are read now
    with write() as db:
        _conclude(db, merge, present, is_read=is_read)


def _conclude(db: DbSession, merge: Merge, present: Mapping[str, set[str]], *, is_read: bool) -> None:
    """Do what needs all rows of the family: mark what is gone, link what belongs together, count."""
    lock_sessions(db, merge.keys.sessions.values())
    find_made_here(db, merge)
    gone: dict[str, list[int]] = {}
    if is_read:
        for session, rows in present.items():
            if session not in merge.fresh:
                gone[session] = mark_gone_rows(db, merge, session, rows)
    if not merge.is_told_whole:
        folded = {one: was for one, was in merge.unfolded.items() if was["copy_of"] in merge.deleted}
        fold_again(db, folded)
    forget_rewritten(db, merge)
    forget_inherited(db, merge)
    link_compactions(db, merge)
    for session, lost in gone.items():
        if lost and (native := find_replacing(merge, session, Realisation.NATIVE)) is not None:
            join_deleted_span(db, merge.keys.sessions[session], lost, native)
        elif lost and not merge.is_told_whole:
            replacing = find_replacing(merge, session, Realisation.IN_PLACE)
            grammar = grammar_named(merge.origin.grammar)
            join_replaced(db, merge.keys.sessions[session], lost, merge.added, replacing, grammar)
    inherited = {
        merge.keys.sessions[one]: count
        for one, count in merge.family.inherited.items()
        if count and one not in merge.links_lost
    }
    place_inherited(db, inherited)
    sessions = list(merge.keys.sessions.values())
    update_rows(
        db,
        Session,
        [
            {
                "key": merge.keys.sessions[row.foreign_id],
                "origin_mark": None if row.foreign_id in merge.waiting else row.mark,
            }
            for row in merge.family.sessions
        ],
    )
    _refresh(db, merge, sessions, ())


def _merge_batches(
    db: DbSession,
    merge: Merge,
    batches: Sequence[tuple[str, Sequence[MessageRow]]],
    present: dict[str, set[str]],
) -> None:
    if not batches:
        return
    touched = [merge.keys.sessions[session] for session, _ in batches]
    lock_sessions(db, set(touched))
    find_made_here(db, merge)  # others may have compacted since the last transaction
    for session, batch in batches:
        _merge_batch(db, merge, session, batch)
        present[session].update(row.origin_key for row in batch)
    _refresh(db, merge, touched, [rows for _, rows in batches])


def _refresh(
    db: DbSession, merge: Merge, sessions: Sequence[int], batches: Iterable[Sequence[MessageRow]]
) -> None:
    """Count again what changed, where the rows are *batches*, and what hangs on it."""
    fresh = {merge.keys.sessions[one] for one in merge.fresh}
    if merge.family.grown or (batches and fresh.issuperset(sessions)):
        count_grown(db, sessions, batches)
    else:
        refresh_sessions(db, sessions)
    refresh_conversations(db, sessions)


# -- sessions and compactions ----------------------------------------------------------------------


def _merge_sessions(db: DbSession, merge: Merge) -> None:
    family, origin = merge.family, merge.origin
    add_prompts(db, [prompts_of(family)])
    stored = _stored_sessions(db, origin.id, [row.foreign_id for row in family.sessions])
    merge.keys.sessions.update({one: row.id for one, row in stored.items()})
    lock_sessions(db, merge.keys.sessions.values())
    stored = _stored_sessions(db, origin.id, list(stored))  # as they are now that nobody changes them
    fresh = [row.foreign_id for row in family.sessions if row.foreign_id not in stored]
    merge.fresh.update(fresh)
    merge.keys.sessions.update(zip(fresh, next_keys(db, Session, len(fresh)), strict=True))
    _write_sessions(db, merge, stored)
    find_made_here(db, merge)
    yield_to_origin(db, merge)
    write_compactions(db, merge)
    sessions = list(merge.keys.sessions.values())
    refresh_conversations(db, sessions)
    key = Message.extra["$gone"]["key"].as_string().label("key")
    for at in range(0, len(sessions), 500):
        mine = Message.session_id.in_(sessions[at : at + 500])
        for row in db.execute(
            select(Message.id, Message.session_id, key).where(mine, Message.origin_key.is_(None))
        ):
            merge.deleted.add(row.id)
            if row.key is not None:
                merge.gone[row.session_id, row.key] = row.id
    change_earlier(db, merge)


def _write_sessions(db: DbSession, merge: Merge, stored: Mapping[str, Any]) -> None:
    new, changed = [], []
    # What goes on from something in the trash goes there too: a family is never torn.
    trashed = {one: row.trashed_at for one, row in stored.items() if row.trashed_at is not None}
    taken = taken_public_ids(db, [row.foreign_id for row in merge.family.sessions])
    absent = merge.absent = find_absent_parents(db, merge.origin.id, [merge.family], merge.fresh)
    for row in merge.family.sessions:
        placed = merge.family.placements[row.foreign_id]
        if row.foreign_id in merge.fresh:
            placed = absent.place(row, placed)
            merge.waiting.update([row.foreign_id] if absent.may_return(placed.parent) else ())
        parent = absent.key_among(merge.keys.sessions, placed.parent)
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
                "trashed_at": trashed.get(placed.parent or "", absent.trashed_at(placed.parent)),
                "message_count": 0,
                "shown_count": 0,
                "last_active_at": row.started_at,
            }
            if values["trashed_at"] is not None:
                trashed[row.foreign_id] = values["trashed_at"]
            new.append(values)
            continue
        is_unread = known.parent_foreign_id in merge.unread
        if parent is None and (known.parent_gone_at is not None or is_unread):
            # The origin pruned the parent, or it cannot be read; the link is known here and stays.
            for name in ("parent_session_id", "parent_id", "relation", "fork", "inherited_count"):
                values[name] = getattr(known, name)
            merge.links_lost[row.foreign_id] = known.inherited_count
            merge.waiting.update([row.foreign_id] if is_unread else ())
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
                parent.c.foreign_id.label("parent_foreign_id"),
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
    known_keys = [] if session in merge.fresh else [row.origin_key for row in batch]
    stored = _stored_rows(db, session_id, known_keys)
    stored |= _returned_rows(db, merge, session_id, [key for key in known_keys if key not in stored])
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
    place_rows(db, session_id, new, moved=moved)
    add_messages(db, new)
    merge.added.update(values["id"] for values in new)


def _give_keys(db: DbSession, merge: Merge, batch: Sequence[MessageRow], stored: Mapping[str, Any]) -> None:
    """Note the key of every row of *batch*: rows before it were noted earlier, and none refers ahead."""
    fresh = iter(next_keys(db, Message, sum(row.origin_key not in stored for row in batch)))
    for row in batch:
        known = stored.get(row.origin_key)
        merge.keys.messages[row.ref] = next(fresh) if known is None else known.id


def _keep_known(merge: Merge, session: str, known: Any, values: dict[str, Any]) -> None:
    """Keep what the store knows of a row and the origin no longer shows."""
    inherited = merge.links_lost.get(session)
    if inherited is not None and known.position < inherited:
        values.update({name: getattr(known, name) for name in (*_FOLDED, "state", "archived_by", "shown")})
    elif inherited is not None or (known.copy_of in merge.deleted and not merge.is_told_whole):
        values.update({name: getattr(known, name) for name in _FOLDED})
        values["shown"] = is_shown(values)
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
    mine = (Message.session_id == session_id, Message.origin_key.in_(keys))
    return {row.origin_key: row for row in db.execute(select(*_KNOWN).where(*mine))}


def _returned_rows(db: DbSession, merge: Merge, session_id: int, keys: Sequence[str]) -> dict[str, Any]:
    """Return rows that the origin had deleted and has again: a file was half written, or is back."""
    back = {merge.gone.pop((session_id, key)): key for key in keys if (session_id, key) in merge.gone}
    merge.deleted.difference_update(back)
    rows = (row for chunk in chunks(back) for row in db.execute(select(*_KNOWN).where(Message.id.in_(chunk))))
    return {back[row.id]: row for row in rows}
