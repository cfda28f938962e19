"""Families of sessions: ancestors, continuations, branches, resets and delegates of a conversation.

A family is walked conversation by conversation, so a chain of a thousand sessions
is one step, and a circle ends at the first conversation seen twice.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from sqlalchemy import Select, select
from sqlalchemy import orm as sa_orm

from hermes_sessions.messages import Role
from hermes_sessions.store.schema.models import Conversation, Message, Session, SystemPrompt

CHUNK = 500
MAX_CHILDREN = 200
MAX_HIDDEN = 4_000
_ROOT: Final = sa_orm.aliased(Session)
_PARENT: Final = sa_orm.aliased(Session)
"""Made once: an alias takes longer to make than such a question to answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilySession:
    """One session of a family; `parent` is the parent's public id where that is stored."""

    id: int
    public_id: str
    foreign_id: str
    conversation_id: int
    conversation: str
    conversation_title: str | None
    conversation_preview: str | None
    conversation_kind: str
    is_tip: bool
    ordinal: int
    parent_id: int | None
    parent_session_id: str | None
    parent: str | None
    relation: str
    fork: bool
    inherited_count: int
    source: str | None
    model: str | None
    title: str | None
    started_at: float | None
    ended_at: float | None
    end_reason: str | None
    last_active_at: float | None
    message_count: int
    shown_count: int
    gone_at: float | None


@dataclass(frozen=True, slots=True)
class SessionFamily:
    """Every session related to a conversation, parents before children where possible.

    `complete` is False where the walk stopped at its bound.
    """

    sessions: tuple[FamilySession, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class HiddenRow:
    """A row that the one scroll folds away, and why."""

    session_id: int
    position: int
    id: int
    state: str
    role: str
    copy_of: int | None


@cache
def select_sessions() -> Select[Any]:
    """Return a statement whose rows are the fields of `SessionRow`; made once."""
    parent = sa_orm.aliased(Session)
    joined = {
        "conversation": Conversation.public_id,
        "conversation_title": Conversation.title,
        "conversation_preview": Conversation.preview,
        "conversation_kind": Conversation.kind,
        "is_tip": Conversation.tip_id == Session.id,
        "parent": parent.public_id,
    }
    own = [getattr(Session, name) for name in FamilySession.__slots__ if name not in joined]
    return (
        select(*own, *(column.label(name) for name, column in joined.items()))
        .join(Conversation, Conversation.id == Session.conversation_id)
        .outerjoin(parent, parent.id == Session.parent_id)
    )


def load_family(db: sa_orm.Session, conversation_id: int, *, most: int | None = None) -> SessionFamily:
    """Return the whole family of a conversation, walking up to its ancestors first.

    Args:
        most: stop after about this many sessions; None means never.
    """
    top = _ancestor(db, conversation_id)
    seen = {top}
    level = [top]
    found: list[FamilySession] = []
    while level and (most is None or len(found) < most):
        rows = list(_sessions_of(db, level))
        found += rows
        level = sorted(set(_children_of(db, level)) - seen)
        seen.update(level)
    complete = not level
    if most is not None and len(found) > most:
        own = [row for row in found if row.conversation_id == conversation_id]
        others = [row for row in found if row.conversation_id != conversation_id]
        found = (own + others)[:most]
        complete = False
    return SessionFamily(tuple(found), complete)


def load_sessions(db: sa_orm.Session, conversation_id: int) -> tuple[FamilySession, ...]:
    """Return the sessions of one conversation, the chain in order, forks behind their place."""
    return tuple(_sessions_of(db, [conversation_id]))


def load_sessions_between(
    db: sa_orm.Session, conversation_id: int, first: int, last: int | None
) -> tuple[FamilySession, ...]:
    """Return the chain's sessions from ordinal *first* to *last*, both included, at most `CHUNK`.

    None means up to the tip.
    """
    stmt = select_sessions().where(
        Session.conversation_id == conversation_id, Session.fork.is_(False), Session.ordinal >= first
    )
    if last is not None:
        stmt = stmt.where(Session.ordinal <= last)
    rows = db.execute(stmt.order_by(Session.ordinal).limit(CHUNK))
    return tuple(FamilySession(**row._mapping) for row in rows)


def load_session(db: sa_orm.Session, session_id: int) -> FamilySession | None:
    """Return one session by key, or None."""
    row = db.execute(select_sessions().where(Session.id == session_id)).first()
    return None if row is None else FamilySession(**row._mapping)


def load_sessions_by_key(db: sa_orm.Session, keys: Sequence[int]) -> dict[int, FamilySession]:
    """Return sessions by key; unknown keys are left out."""
    rows = db.execute(select_sessions().where(Session.id.in_(keys)))
    return {row.id: FamilySession(**row._mapping) for row in rows}


def load_offshoots(db: sa_orm.Session, session_ids: Sequence[int]) -> tuple[FamilySession, ...]:
    """Return forks, branches, resets and delegates that left these sessions, at most `MAX_CHILDREN`.

    A continuation on the chain is not one: the scroll goes on with it.
    """
    child, parent = Session, _PARENT
    stmt = (
        select_sessions()
        .join(parent, parent.id == child.parent_id)
        .where(
            child.parent_id.in_(session_ids),
            child.fork.is_(True) | (child.conversation_id != parent.conversation_id),
        )
        .order_by(child.started_at, child.id)
        .limit(MAX_CHILDREN)
    )
    return tuple(FamilySession(**row._mapping) for row in db.execute(stmt))


def has_system_prompt(db: sa_orm.Session, session_id: int) -> bool:
    """Return whether a session's system prompt is stored."""
    stmt = select(Session.system_prompt_hash).where(Session.id == session_id)
    return db.execute(stmt).scalar() is not None


def load_system_prompt(db: sa_orm.Session, session_id: int) -> str | None:
    """Return the system prompt of a session, or None where none was stored."""
    stmt = (
        select(SystemPrompt.text)
        .join(Session, Session.system_prompt_hash == SystemPrompt.hash)
        .where(Session.id == session_id)
    )
    return db.execute(stmt).scalar()


def load_hidden(
    db: sa_orm.Session,
    session_ids: Sequence[int],
    *,
    behind: tuple[int, int] | None = None,
    up_to: tuple[int, int] | None = None,
) -> tuple[HiddenRow, ...]:
    """Return what the scroll folds away in these sessions, `session_meta` rows left out.

    Args:
        behind: (session key, position) that bounds that session from below, not included.
        up_to: (session key, position) that bounds that session from above.
    """
    columns = (
        Message.session_id,
        Message.position,
        Message.id,
        Message.state,
        Message.role,
        Message.copy_of,
    )
    stmt = (
        select(*columns)
        .where(
            Message.session_id.in_(session_ids),
            Message.shown.is_(False),
            Message.role != Role.SESSION_META,
        )
        .order_by(Message.session_id, Message.position)
        .limit(MAX_HIDDEN)
    )
    if behind is not None:
        stmt = stmt.where((Message.session_id != behind[0]) | (Message.position > behind[1]))
    if up_to is not None:
        stmt = stmt.where((Message.session_id != up_to[0]) | (Message.position <= up_to[1]))
    return tuple(HiddenRow(*row) for row in db.execute(stmt))


def load_merged_copies(db: sa_orm.Session, message_ids: Sequence[int]) -> dict[int, int]:
    """Return, for replies repeated inside a merged row, the id of that row."""
    stmt = select(Message.copy_of, Message.id).where(
        Message.copy_of.in_(message_ids), Message.kind == "merged", Message.shown.is_(True)
    )
    rows = db.execute(stmt.order_by(Message.id.desc()))
    return {original: merged for original, merged in rows if original is not None}


def _ancestor(db: sa_orm.Session, conversation_id: int) -> int:
    """Return the topmost conversation that this one descends from."""
    root, parent = _ROOT, _PARENT
    seen: set[int] = set()
    current = conversation_id
    while current not in seen:
        seen.add(current)
        stmt = (
            select(parent.conversation_id)
            .join(root, root.parent_id == parent.id)
            .join(Conversation, Conversation.root_id == root.id)
            .where(Conversation.id == current)
        )
        above = db.execute(stmt).scalar()
        if above is None or above in seen:
            return current
        current = above
    return current


def _sessions_of(db: sa_orm.Session, conversations: Sequence[int]) -> Iterator[FamilySession]:
    for chunk in _chunks(conversations):
        stmt = select_sessions().where(Session.conversation_id.in_(chunk))
        order = (Session.conversation_id, Session.ordinal, Session.fork, Session.id)
        for row in db.execute(stmt.order_by(*order)):
            yield FamilySession(**row._mapping)


def _children_of(db: sa_orm.Session, conversations: Sequence[int]) -> Iterator[int]:
    parent = _PARENT
    for chunk in _chunks(conversations):
        stmt = (
            select(Session.conversation_id)
            .join(parent, parent.id == Session.parent_id)
            .where(parent.conversation_id.in_(chunk), Session.conversation_id != parent.conversation_id)
            .distinct()
        )
        yield from db.scalars(stmt)


def _chunks(keys: Sequence[int]) -> Iterable[Sequence[int]]:
    return (keys[start : start + CHUNK] for start in range(0, len(keys), CHUNK))
