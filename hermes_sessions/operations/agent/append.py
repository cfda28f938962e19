"""Make sessions and append messages: the agent's side of the store, one transaction each.

Appending brings counts and last activity up to date by adding, not by counting again.
"""

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.errors import InvalidQueryError, NotFoundError
from hermes_sessions.lineage import CONTINUED, Relation
from hermes_sessions.messages import Role
from hermes_sessions.operations.agent.name_results import name_results
from hermes_sessions.operations.transcript import RAW, kept_text, plain_row, row_of
from hermes_sessions.store.engines.bulk_insert import FEW
from hermes_sessions.store.engines.exchange import Step, exchange, exchange_at_end
from hermes_sessions.store.engines.row_keys import key_step, next_key, next_keys, read_keys
from hermes_sessions.store.keeping.conversation_upkeep import refresh_conversations
from hermes_sessions.store.keeping.row_locks import lock_conversations
from hermes_sessions.store.schema.models import Conversation, Message, Origin, Session
from hermes_sessions.store.writes import (
    UNPLACED,
    add_messages,
    add_prompts,
    add_rows,
    message_steps,
    prompt_hash,
)

LOCAL: Final = "local"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession:
    """What a session made here begins with."""

    session_id: str | None = None
    source: str = LOCAL
    model: str | None = None
    system_prompt: str | None = None
    title: str | None = None
    cwd: str | None = None
    parent_id: int | None = None
    parent_session_id: str | None = None
    relation: Relation = Relation.ROOT
    fork: bool = False


def local_origin(db: DbSession, now: float) -> int:
    """Return the origin of what is made here, making it the first time."""
    known = db.scalar(select(Origin.id).where(Origin.kind == LOCAL).order_by(Origin.id).limit(1))
    if known is not None:
        return known
    taken = set(db.scalars(select(Origin.label)))
    label = LOCAL if LOCAL not in taken else f"{LOCAL}-{secrets.token_hex(2)}"
    origin = Origin(kind=LOCAL, label=label, created_at=now, paused=False)
    db.add(origin)
    db.flush()
    return origin.id


def add_session(db: DbSession, new: NewSession, now: float) -> int:
    """Store a session and its conversation; return its key.

    Raises:
        InvalidQueryError: the id is taken, or is no text that can be stored.
    """
    public_id = new.session_id or make_session_id(now)
    raw: dict[str, str] = {}
    if kept_text(public_id, "id", raw) != public_id:
        raise InvalidQueryError(f"a session cannot have the id {public_id!r}: not all of it can be stored")
    if db.scalar(select(Session.id).where(Session.public_id == public_id)) is not None:
        raise InvalidQueryError(f"a session with the id {public_id!r} is there already")
    prompt = kept_text(new.system_prompt, "system_prompt", raw)
    if prompt is not None:
        add_prompts(db, [{prompt_hash(prompt): prompt}])
    key = next_key(db, Session)
    values: dict[str, Any] = {
        "id": key,
        "origin_id": local_origin(db, now),
        "foreign_id": public_id,
        "public_id": public_id,
        **UNPLACED,
        "parent_session_id": new.parent_session_id,
        "parent_id": new.parent_id,
        "relation": new.relation.value,
        "fork": new.fork,
        "source": kept_text(new.source, "source", raw),
        "model": kept_text(new.model, "model", raw),
        "title": kept_text(new.title, "title", raw),
        "cwd": kept_text(new.cwd, "cwd", raw),
        "system_prompt_hash": prompt_hash(prompt) if prompt is not None else None,
        "started_at": now,
        "last_active_at": now,
        "extra": {RAW: raw} if raw else None,
    }
    add_rows(db, Session, [values])
    refresh_conversations(db, [key])
    return key


def make_session_id(now: float) -> str:
    """Return a new session id: the time, for people, and enough chance."""
    return f"{time.strftime('%Y%m%d_%H%M%S', time.gmtime(now))}_{secrets.token_hex(6)}"


# Built once: appending is what an agent waits for, and building costs more than running.
_PLACE: Final[Any] = (
    select(
        Session.id,
        Session.public_id,
        Session.conversation_id,
        Session.fork,
        Session.end_reason,
        Session.last_active_at,
        Origin.kind,
        Conversation.preview,
        Conversation.last_active_at.label("conversation_active_at"),
    )
    .join(Origin, Origin.id == Session.origin_id)
    .join(Conversation, Conversation.id == Session.conversation_id)
)
_PLACE_BY_ID = _PLACE.where(Session.public_id == bindparam("public_id"))
_PLACE_BEHIND = (
    _PLACE.where(
        Session.parent_id == bindparam("parent"),
        Session.relation == Relation.COMPACTION,
        # What goes on from a fork is a fork too.
        Session.fork == bindparam("fork"),
    )
    .order_by(Session.id.desc())
    .limit(1)
)
_LAST = select(
    select(func.max(Message.position)).where(Message.session_id == bindparam("session")).scalar_subquery(),
    select(Session.conversation_id).where(Session.id == bindparam("session")).scalar_subquery(),
)
_COUNT_SESSION = (
    update(Session)
    .where(Session.id == bindparam("key"))
    .values(
        message_count=Session.message_count + bindparam("rows"),
        shown_count=Session.shown_count + bindparam("shown"),
        last_active_at=bindparam("at"),
    )
)
_COUNT_CONVERSATION = (
    update(Conversation)
    .where(Conversation.id == bindparam("key"))
    .values(
        message_count=Conversation.message_count + bindparam("shown"),
        last_active_at=bindparam("at"),
    )
)
_PLACE_LOCKED = _PLACE_BY_ID.with_for_update(of=[Conversation, Session])
_SAID = Message.session_id == Session.id
_STANDING = select(
    select(func.max(Message.position)).where(_SAID).correlate(Session).scalar_subquery(),
    select(Message.id)
    .where(_SAID, Message.shown, Message.role == Role.USER, Message.text != "")
    .correlate(Session)
    .exists(),
).where(Session.public_id == bindparam("public_id"))
"""The last place that is taken, and whether the user has said something there."""
_NO_PLACE = -1


def append_rows(
    db: DbSession, public_id: str, messages: Sequence[Mapping[str, Any]], now: float
) -> tuple[str, list[int]]:
    """Append *messages* to a session, or to where it went on after a compaction.

    A few of them are two exchanges with a server: what is asked, and what is written, with the commit.
    Nothing may follow in the transaction.

    Returns:
        The session that got them, and the keys of the rows.
    """
    rows = [plain_row(row_of(message, now)) for message in messages]
    place, last, was_asked, keys = _take_place(db, public_id, len(rows))
    if not rows:
        return place.public_id, []
    _fill(db, (place.id, place.conversation_id), last + 1, rows, keys)
    steps = _counts(place, rows)
    if len(rows) <= FEW:
        steps = [*message_steps(db, rows), *steps]
    else:
        add_messages(db, rows)
    asks = any(row["role"] == Role.USER and row["text"] and row["shown"] for row in rows)
    if not place.preview or (asks and not was_asked):  # a list shows what is asked first
        exchange(db.connection(), steps)
        refresh_conversations(db, [place.id])
    else:
        exchange_at_end(db.connection(), steps)
    return place.public_id, list(keys)


def _take_place(db: DbSession, public_id: str, count: int) -> tuple["_WritePlace", int, bool, Sequence[int]]:
    """Lock where to write; return it, its last position, whether the user spoke there, and new keys."""
    connection = db.connection()
    asked = {"public_id": public_id}
    steps = [Step(_PLACE_LOCKED, asked), Step(_STANDING, asked), key_step(db, Message, count)]
    found, standing, numbers = exchange(connection, steps)
    if found and _is_open(place := _WritePlace(*found[0])):
        return place, *_read_standing(standing), read_keys(db, numbers, count)
    place = _locked_place(db, public_id)
    [standing] = exchange(connection, [Step(_STANDING, {"public_id": place.public_id})])
    return place, *_read_standing(standing), next_keys(db, Message, count)


def _read_standing(found: Sequence[tuple[Any, ...]]) -> tuple[int, bool]:
    [(last, was_asked)] = found
    return _NO_PLACE if last is None else last, bool(was_asked)


def _is_open(place: "_WritePlace") -> bool:
    return place.kind == LOCAL and place.end_reason != CONTINUED


def place_rows(db: DbSession, session_id: int, rows: Sequence[dict[str, Any]]) -> list[int]:
    """Store rows behind the session's last; fills in key, session, position and names of tools."""
    position, conversation = db.connection().execute(_LAST, {"session": session_id}).one()
    first_position = 0 if position is None else position + 1
    keys = list(next_keys(db, Message, len(rows)))
    _fill(db, (session_id, conversation), first_position, rows, keys)
    add_messages(db, rows)
    return keys


def _fill(
    db: DbSession, place: tuple[int, int], first: int, rows: Sequence[dict[str, Any]], keys: Sequence[int]
) -> None:
    """Say of new rows where they are (session, conversation), from position *first* on; name their tools."""
    session, conversation = place
    name_results(db, session, first, rows)
    for at, (row, key) in enumerate(zip(rows, keys, strict=True)):
        row |= {"id": key, "session_id": session, "conversation_id": conversation, "position": first + at}


class _WritePlace(NamedTuple):
    """A session to write to, in the order of `_PLACE`."""

    id: int
    public_id: str
    conversation_id: int
    fork: bool
    end_reason: str | None
    last_active_at: float | None
    kind: str
    preview: str | None
    conversation_active_at: float


def _locked_place(db: DbSession, public_id: str) -> _WritePlace:
    """Return where to write as it is now that no other writer can change it."""
    place = _writable_place(db, public_id)
    while lock_conversations(db, [place.conversation_id]):
        place = _writable_place(db, public_id)
    return place


def _writable_place(db: DbSession, public_id: str) -> _WritePlace:
    """Follow compactions to the session that is still open; only ours can be written."""
    connection = db.connection()
    found = connection.execute(_PLACE_BY_ID, {"public_id": public_id}).first()
    if found is None:
        raise NotFoundError(f"no session has the id {public_id!r}")
    place = _WritePlace(*found)
    while not _is_open(place):
        following = connection.execute(_PLACE_BEHIND, {"parent": place.id, "fork": place.fork}).first()
        if following is None:
            break
        place = _WritePlace(*following)
    if place.kind != LOCAL:
        raise InvalidQueryError(
            f"{place.public_id}: imported sessions are not written to; compact it to continue here"
        )
    return place


def _counts(place: _WritePlace, rows: Sequence[Mapping[str, Any]]) -> list[Step]:
    """Return what brings session and conversation up to date for *rows* that stand for themselves."""
    shown = sum(row["shown"] for row in rows)
    newest = max(row["created_at"] for row in rows)
    session = {
        "key": place.id,
        "rows": len(rows),
        "shown": shown,
        "at": max(place.last_active_at or 0.0, newest),
    }
    conversation = {
        "key": place.conversation_id,
        "shown": 0 if place.fork else shown,
        "at": max(place.conversation_active_at, newest),
    }
    return [Step(_COUNT_SESSION, session), Step(_COUNT_CONVERSATION, conversation)]
