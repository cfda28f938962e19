"""Prune: find whole families by age, source and size, put them into the trash, empty it.

A family is a root with everything that descends from it: continuations, forks, branches,
delegates. It is pruned as a whole or not at all, and not while anything in it is pinned.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import LargeBinary, cast, func, select
from sqlalchemy import orm as sa_orm

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.messages import ConversationKind
from hermes_sessions.operations.organising.forget import Forgetting, finish, forget_keys
from hermes_sessions.operations.organising.organise import Action, change_conversations, family_keys
from hermes_sessions.store.engines.statements import chunks
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.progress import Progress, silent
from hermes_sessions.store.schema.models import Conversation, Message, Origin, Session

FAMILIES_AT_ONCE: Final = 100
"""How many families one transaction puts into the trash."""

_TEXTS: Final = (Message.text, Message.blocks, Message.tool_calls, Message.reasoning)


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneQuery:
    """Which families to prune: all that meet everything that is given.

    Attributes:
        inactive_since: nothing in it was active at this time or later, epoch seconds.
        source: its topmost session came from there.
        min_bytes: the text of its messages is this large, or larger.
        origin: its topmost session is of the origin with this label.
    """

    inactive_since: float | None = None
    source: str | None = None
    min_bytes: int | None = None
    origin: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrunableFamily:
    """One family as a dry run shows it.

    Attributes:
        id: public id of its topmost conversation.
        bytes: text of all its messages, UTF-8; indexes and what else a row has not counted.
        keys: its conversations.
    """

    id: str
    title: str | None
    source: str | None
    last_active_at: float
    conversations: int
    sessions: int
    messages: int
    bytes: int
    keys: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """What was put into the trash; each of `changes` can be undone."""

    families: int
    conversations: int
    changes: tuple[int, ...]


def find_prunable(database: Database, query: PruneQuery) -> list[PrunableFamily]:
    """Return the families that *query* means, longest inactive first; nothing is changed.

    Raises:
        InvalidQueryError: nothing was given to choose by.
    """
    if query == PruneQuery():
        raise InvalidQueryError("say what to prune: by age, source, size or origin")
    with database.read() as db:
        found = [
            family
            for members in _families(db, trashed=False)
            if _is_meant(query, members) and (family := _measured(db, members, query.min_bytes)) is not None
        ]
    return sorted(found, key=lambda one: (one.last_active_at, one.id))


def prune(
    database: Database,
    families: Sequence[PrunableFamily],
    *,
    clock: Callable[[], float] = time.time,
    progress: Progress = silent,
) -> Pruned:
    """Put families into the trash, some at a time; after a kill the rest is found again."""
    changes: list[int] = []
    conversations = 0
    for at in range(0, len(families), FAMILIES_AT_ONCE):
        progress("prune", at, len(families))
        batch = families[at : at + FAMILIES_AT_ONCE]
        with database.write() as db:
            known = _still_there(db, [key for family in batch for key in family.keys])
            done = change_conversations(db, known, Action.TRASH, now=clock())
        conversations += done.conversations
        changes += [done.change] if done.change is not None else []
    progress("prune", len(families), len(families))
    return Pruned(families=len(families), conversations=conversations, changes=tuple(changes))


def list_trash(database: Database) -> list[PrunableFamily]:
    """Return the families in the trash, longest inactive first."""
    with database.read() as db:
        found = [_measured(db, members, None) for members in _families(db, trashed=True)]
    return sorted((one for one in found if one is not None), key=lambda one: (one.last_active_at, one.id))


def empty_trash(
    database: Database, *, clock: Callable[[], float] = time.time, progress: Progress = silent
) -> Forgetting:
    """Erase what is in the trash, a family in each transaction, and keep it forgotten.

    After a kill what was not erased yet is still in the trash, and the file is scrubbed by
    the next call.
    """
    families = list_trash(database)
    conversations = sessions = messages = 0
    for at, family in enumerate(families):
        progress("erase", at, len(families))
        done = forget_keys(database, family.keys, family=True, clock=clock)
        conversations += done.conversations
        sessions += done.sessions
        messages += done.messages
    progress("erase", len(families), len(families))
    reason = finish(database, progress)
    return Forgetting(
        conversations=conversations, sessions=sessions, messages=messages, clean=reason is None, reason=reason
    )


def _families(db: sa_orm.Session, *, trashed: bool) -> Iterable[list[Any]]:
    """Yield the conversations of each family, the topmost first."""
    root, parent = sa_orm.aliased(Session), sa_orm.aliased(Session)
    in_trash = Conversation.kind == ConversationKind.TRASH
    rows = db.execute(
        select(
            Conversation.id, Conversation.public_id, Conversation.title, Conversation.preview,
            Conversation.source, Conversation.last_active_at, Conversation.session_count,
            Conversation.pinned, Origin.label, parent.conversation_id.label("above"),
        )
        .join(Origin, Origin.id == Conversation.origin_id)
        .join(root, root.id == Conversation.root_id)
        .outerjoin(parent, parent.id == root.parent_id)
        .where(in_trash if trashed else ~in_trash)
        .order_by(Conversation.id)
    ).all()  # fmt: skip
    above = {row.id: row.above for row in rows}
    groups: dict[int, list[Any]] = defaultdict(list)
    for row in rows:
        groups[_topmost(row.id, above)].append(row)
    for top, members in groups.items():
        yield sorted(members, key=lambda row: row.id != top)


def _topmost(key: int, above: Mapping[int, int | None]) -> int:
    seen = {key}
    while (following := above.get(key)) is not None and following in above and following not in seen:
        key = following
        seen.add(key)
    return min(seen) if following in seen else key


def _is_meant(query: PruneQuery, members: Sequence[Any]) -> bool:
    top = members[0]
    newest = max(row.last_active_at for row in members)
    # Where no time is known nothing says that it is old.
    old = query.inactive_since is None or 0 < newest < query.inactive_since
    source = query.source is None or top.source == query.source
    origin = query.origin is None or top.label == query.origin
    return old and source and origin and not any(row.pinned for row in members)


def _measured(db: sa_orm.Session, members: Sequence[Any], min_bytes: int | None) -> PrunableFamily | None:
    keys = [row.id for row in members]
    messages = size = 0
    for chunk in chunks(keys):
        counted = db.execute(
            select(func.count(), func.coalesce(func.sum(_text_bytes(db)), 0))
            .select_from(Message)
            .join(Session, Session.id == Message.session_id)
            .where(Session.conversation_id.in_(chunk))
        ).one()
        messages, size = messages + int(counted[0]), size + int(counted[1])
    if min_bytes is not None and size < min_bytes:
        return None
    top = members[0]
    return PrunableFamily(
        id=top.public_id,
        title=top.title or top.preview,
        source=top.source,
        last_active_at=max(row.last_active_at for row in members),
        conversations=len(keys),
        sessions=sum(row.session_count for row in members),
        messages=messages,
        bytes=size,
        keys=tuple(keys),
    )


def _text_bytes(db: sa_orm.Session) -> Any:
    """Return the bytes of a message's texts, as an expression."""
    sqlite = db.get_bind().dialect.name == "sqlite"

    def size(column: Any) -> Any:
        counted = func.length(cast(column, LargeBinary)) if sqlite else func.octet_length(column)
        return func.coalesce(counted, 0)

    total = size(_TEXTS[0])
    for column in _TEXTS[1:]:
        total = total + size(column)
    return total


def _still_there(db: sa_orm.Session, keys: Sequence[int]) -> list[int]:
    """Return those of *keys* that still are conversations, and whose families have no pin since."""
    pinned: set[int] = set()
    found: list[int] = []
    for chunk in chunks(keys):
        for row in db.execute(select(Conversation.id, Conversation.pinned).where(Conversation.id.in_(chunk))):
            found.append(row.id)
            pinned.update(family_keys(db, [row.id]) if row.pinned else ())
    return [key for key in found if key not in pinned]
