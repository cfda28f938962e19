"""Make sessions and append messages: the agent's side of the store, one transaction each.

Appending brings counts and last activity up to date by adding, not by counting again.
"""

import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.errors import InvalidQueryError, NotFoundError
from hermes_sessions.lineage import CONTINUED, Relation
from hermes_sessions.messages import Role
from hermes_sessions.operations.agent.name_results import name_results
from hermes_sessions.operations.transcript import RAW, kept_text, plain_row, row_of
from hermes_sessions.store.engines.bulk_insert import FEW
from hermes_sessions.store.engines.exchange import Direct, OpenLine, Planned, Step, exchange
from hermes_sessions.store.engines.row_keys import key_step, next_key, next_keys, read_keys
from hermes_sessions.store.keeping.conversation_upkeep import refresh_conversations
from hermes_sessions.store.keeping.row_locks import lock_conversations
from hermes_sessions.store.opening.database import Database
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
_SAID_IN_IT: Final = ("created_at", "role", "text")
_STORED: Final = select(Message.id).where(
    Message.id == bindparam("id"),
    *(
        getattr(Message, name).is_not_distinct_from(bindparam(name, type_=getattr(Message, name).type))
        for name in _SAID_IN_IT
    ),
)
"""Asks whether a row stands there as it was given: after a crash its key alone may be another's."""
_NO_PLACE = -1
_NEWEST: Final = object()
"""Under which a connection that only appends remembers the newest key."""


def append_messages(
    database: Database, public_id: str, messages: Iterable[Mapping[str, Any]], now: float
) -> list[int]:
    """Append *messages* in a transaction of their own, as `append_rows` does; return the keys of the rows.

    A few that a list does not show are two exchanges with a server: what is asked, with the beginning, and
    what is written, with the commit.
    """
    given = list(messages)  # it may be tried again
    keys: list[int] | None = None
    if 0 < len(given) <= FEW:
        keys = database.run_directly(lambda line: _plan_append(line, public_id, given, now))
    if keys is None:
        last = plain_row(row_of(given[-1], now)) if given else {}
        keys = database.run(
            lambda db: append_rows(db, public_id, given, now)[1],
            prove=(lambda keys: _proof(keys[-1], last)) if given else None,
        )
    return keys


def _proof(key: int, row: Mapping[str, Any]) -> Step:
    return Step(_STORED, {"id": key, **{name: row[name] for name in _SAID_IN_IT}})


def _plan_append(
    line: Direct, public_id: str, messages: Sequence[Mapping[str, Any]], now: float
) -> Planned[list[int]] | None:
    """Return what is to be written, None where more is to be known first."""
    rows = [plain_row(row_of(message, now)) for message in messages]
    known: _Standing | None = line.recall(public_id) or _ask_standing(line, public_id, len(rows))
    if known is None:
        return None
    place = known.place
    if _changes_list(place, rows, known.was_asked):
        return None
    keys = list(known.keys or range((first := line.recall(_NEWEST) + 1), first + len(rows)))
    _fill(line, (place.id, place.conversation_id), known.last + 1, rows, keys)
    # A branch or a delegate may have been written to meanwhile: its time is the conversation's, too.
    times = _Times(
        max(known.active_at, place.last_active_at or 0.0),
        max(line.recall(place.conversation_id) or 0.0, place.conversation_active_at),
    ).later(rows)
    steps = [*message_steps(line, rows), *_counts(place, rows, times)]
    line.remember(_NEWEST, keys[-1])
    line.remember(place.conversation_id, times.conversation)
    line.remember(public_id, _Standing(place, known.last + len(rows), known.was_asked, (), times.session))
    return Planned(steps, keys, partial(_proof, keys[-1], rows[-1]))


def _ask_standing(line: Direct, public_id: str, count: int) -> "_Standing | None":
    """Ask how an open session stands, and for keys; None where another is to be written to, or none."""
    asked = {"public_id": public_id}
    steps = [Step(_PLACE_LOCKED, asked), Step(_STANDING, asked), key_step(line, Message, count)]
    found, standing, numbers = line.ask(steps)
    if not found or not _is_open(place := _WritePlace(*found[0])):
        return None
    return _Standing(place, *_read_standing(standing), tuple(read_keys(line, numbers, count)))


def _changes_list(place: "_WritePlace", rows: Sequence[Mapping[str, Any]], was_asked: bool) -> bool:
    """Return whether a list would show one of *rows*: it shows what is asked first."""
    if not place.preview or was_asked:
        return not place.preview
    return any(row["role"] == Role.USER and row["text"] and row["shown"] for row in rows)


def append_rows(
    db: DbSession, public_id: str, messages: Sequence[Mapping[str, Any]], now: float
) -> tuple[str, list[int]]:
    """Append *messages* to a session, or to where it went on after a compaction.

    Returns:
        The session that got them, and the keys of the rows.
    """
    rows = [plain_row(row_of(message, now)) for message in messages]
    place = _locked_place(db, public_id)
    if not rows:
        return place.public_id, []
    line = db.connection()
    [standing] = exchange(line, [Step(_STANDING, {"public_id": place.public_id})])
    last, was_asked = _read_standing(standing)
    keys = list(next_keys(db, Message, len(rows)))
    _fill(line, (place.id, place.conversation_id), last + 1, rows, keys)
    times = _Times(place.last_active_at or 0.0, place.conversation_active_at).later(rows)
    if len(rows) <= FEW:
        exchange(line, [*message_steps(line, rows), *_counts(place, rows, times)])
    else:
        add_messages(db, rows)
        exchange(line, _counts(place, rows, times))
    if _changes_list(place, rows, was_asked):
        refresh_conversations(db, [place.id])
    return place.public_id, keys


def _read_standing(found: Sequence[tuple[Any, ...]]) -> tuple[int, bool]:
    [(last, was_asked)] = found
    return _NO_PLACE if last is None else last, bool(was_asked)


def _is_open(place: "_WritePlace") -> bool:
    return place.kind == LOCAL and place.end_reason != CONTINUED


def place_rows(db: DbSession, session_id: int, rows: Sequence[dict[str, Any]]) -> list[int]:
    """Store rows behind the session's last; fills in key, session, position and names of tools."""
    line = db.connection()
    [[(position, conversation)]] = exchange(line, [Step(_LAST, {"session": session_id})])
    first_position = 0 if position is None else position + 1
    keys = list(next_keys(db, Message, len(rows)))
    _fill(line, (session_id, conversation), first_position, rows, keys)
    add_messages(db, rows)
    return keys


def _fill(
    line: OpenLine, place: tuple[int, int], first: int, rows: Sequence[dict[str, Any]], keys: Sequence[int]
) -> None:
    """Say of new rows where they are (session, conversation), from position *first* on; name their tools."""
    session, conversation = place
    name_results(line, session, first, rows)
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


class _Times(NamedTuple):
    """When a session and its conversation were last active."""

    session: float
    conversation: float

    def later(self, rows: Sequence[Mapping[str, Any]]) -> "_Times":
        """Return them as they are once *rows* are there."""
        newest = max([row["created_at"] for row in rows])
        return _Times(max(self.session, newest), max(self.conversation, newest))


class _Standing(NamedTuple):
    """How a session stands.

    Its place as it was read, its last position, whether the user has spoken, keys for new rows, and when it
    was last active since.
    """

    place: _WritePlace
    last: int
    was_asked: bool
    keys: tuple[int, ...] = ()
    active_at: float = 0.0


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


def _counts(place: _WritePlace, rows: Sequence[Mapping[str, Any]], times: _Times) -> list[Step]:
    """Return what brings session and conversation up to date for *rows* that stand for themselves."""
    shown = sum([row["shown"] for row in rows])
    session = {"key": place.id, "rows": len(rows), "shown": shown, "at": times.session}
    conversation = {
        "key": place.conversation_id,
        "shown": 0 if place.fork else shown,
        "at": times.conversation,
    }
    return [Step(_COUNT_SESSION, session), Step(_COUNT_CONVERSATION, conversation)]
