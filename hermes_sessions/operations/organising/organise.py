"""Pin, archive, tag, note, throw away: what the user decides about conversations, and undo for it.

All of it lives in this store; an origin's file is never touched. Marks are set on root
sessions; every change is one transaction and one entry of the journal.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.operations.organising.journal import Item, apply_items, read_marks, record_change
from hermes_sessions.storable_text import storable
from hermes_sessions.store.engines.statements import chunks
from hermes_sessions.store.keeping.row_locks import lock_conversations
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.conversations import get_conversation
from hermes_sessions.store.queries.find_session import find_session
from hermes_sessions.store.queries.lineage import load_family
from hermes_sessions.store.schema.models import Conversation, Session

MAX_TAG_CHARS: Final = 40
MAX_NOTE_CHARS: Final = 10_000
MAX_AT_ONCE: Final = 500
"""How many conversations one change may name."""


class Action(StrEnum):
    """What can be done to conversations."""

    PIN = "pin"
    UNPIN = "unpin"
    ARCHIVE = "archive"
    UNARCHIVE = "unarchive"
    TAG = "tag"
    """Add tags."""
    UNTAG = "untag"
    """Take tags away."""
    SET_TAGS = "set_tags"
    """Have exactly these tags."""
    NOTE = "note"
    """Replace the note; an empty one takes it away."""
    TRASH = "trash"
    RESTORE = "restore"


_TAKES_TEXT: Final = frozenset({Action.TAG, Action.UNTAG, Action.SET_TAGS, Action.NOTE})
_WHOLE_FAMILY: Final = frozenset({Action.TRASH, Action.RESTORE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Organised:
    """What a change did.

    Attributes:
        change: its number in the journal, for undo; None where nothing was different.
        conversations: how many it changed. The trash takes whole families.
        unchanged: how many were so already.
        held: how many stay archived because their agent archived them.
    """

    action: Action
    change: int | None
    conversations: int
    unchanged: int = 0
    held: int = 0


def organise(
    database: Database, ids: Sequence[str], action: Action, text: str = "", *, now: float
) -> Organised:
    """Do *action* to conversations, in one transaction.

    Args:
        ids: ids of the conversations or of any of their sessions, or unique beginnings.
        text: the tags, with spaces or commas between them, or the note.

    Raises:
        NotFoundError: an id is unknown; nothing was changed.
        InvalidQueryError: no id, too many, or a text that is no tag or too long.
    """
    value = read_value(action, text)
    if not ids:
        raise InvalidQueryError("no conversation was named")
    if len(ids) > MAX_AT_ONCE:
        raise InvalidQueryError(f"at most {MAX_AT_ONCE} conversations at once")

    def change(db: DbSession) -> Organised:
        conversations = list(dict.fromkeys(_find(db, one, action) for one in ids))
        return change_conversations(db, conversations, action, value, now=now)

    return database.run(change)


def change_conversations(
    db: DbSession, conversations: Sequence[int], action: Action, value: Any = None, *, now: float
) -> Organised:
    """Do *action* to conversations by key, in the caller's transaction; see `organise`."""
    if action in _WHOLE_FAMILY:
        conversations = family_keys(db, conversations)
    while lock_conversations(db, conversations) and action in _WHOLE_FAMILY:
        conversations = family_keys(db, conversations)  # what came to it before it was locked
    items: list[Item] = []
    changed: set[int] = set()
    for chunk in chunks(conversations):
        for key, marks in _marks_by_conversation(db, chunk).items():
            wanted = _WANTED[action](marks, value, now)
            found = [item for one in wanted for item in one]
            items += found
            if found:
                changed.add(key)
    apply_items(db, items)
    change = record_change(db, action, items, now)
    return Organised(
        action=action,
        change=change,
        conversations=len(changed),
        unchanged=len(set(conversations)) - len(changed),
        held=_count_archived(db, changed) if action is Action.UNARCHIVE else 0,
    )


def read_value(action: Action, text: str) -> Any:
    """Return what *action* takes: a list of tags, a note, or None.

    Raises:
        InvalidQueryError: the text is no tag, or too long.
    """
    if action not in _TAKES_TEXT:
        return None
    if action is not Action.NOTE:
        tags = read_tags(text)
        if not tags and action is not Action.SET_TAGS:
            raise InvalidQueryError("no tag was named")
        return tags
    note = storable(text.replace("\0", "")).replace("\r\n", "\n").strip()
    if len(note) > MAX_NOTE_CHARS:
        raise InvalidQueryError(f"a note has at most {MAX_NOTE_CHARS:,} characters")
    return note or None


def read_tags(text: str) -> list[str]:
    """Return the tags in *text*, sorted: lower case, without `#`, spaces or commas between them.

    Raises:
        InvalidQueryError: one is too long, or has nothing to read in it.
    """
    found: set[str] = set()
    for word in text.replace(",", " ").split():
        tag = unicodedata.normalize("NFC", storable(word.replace("\0", ""))).casefold().removeprefix("#")
        if len(tag) > MAX_TAG_CHARS:
            raise InvalidQueryError(f"a tag has at most {MAX_TAG_CHARS} characters: {tag[:MAX_TAG_CHARS]}…")
        if not tag.isprintable() or not any(character.isalnum() for character in tag):
            raise InvalidQueryError(f"{word!r} is not a tag: it has neither letters nor digits")
        found.add(tag)
    return sorted(found)


def family_keys(db: DbSession, conversations: Iterable[int]) -> list[int]:
    """Return the conversations of the whole families: roots with everything that descends from them."""
    found: dict[int, None] = {}
    for key in conversations:
        if key not in found:
            found |= dict.fromkeys(row.conversation_id for row in load_family(db, key).sessions)
    return list(found)


def _find(db: DbSession, public_id: str, action: Action) -> int:
    if action is not Action.RESTORE:
        return get_conversation(db, public_id).id
    found = find_session(db, public_id, trashed=True)
    # Names what is wrong with an id that is known nowhere.
    return get_conversation(db, public_id, trashed=True).id if found is None else found[1]


def _marks_by_conversation(db: DbSession, conversations: Sequence[int]) -> dict[int, "_Members"]:
    """Return the marks of every session, the root first."""
    rows = db.execute(
        select(Session.id, Session.conversation_id)
        .where(Session.conversation_id.in_(conversations))
        .order_by(Session.conversation_id, Session.ordinal, Session.id)
    ).all()
    marks = read_marks(db, [row.id for row in rows])
    found: dict[int, dict[int, Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault(row.conversation_id, {})[row.id] = marks[row.id]
    return {**found}


def _count_archived(db: DbSession, conversations: Iterable[int]) -> int:
    found = 0
    for chunk in chunks(conversations):
        stmt = select(Conversation.id).where(Conversation.id.in_(chunk), Conversation.archived)
        found += len(db.scalars(stmt).all())
    return found


# -- what becomes of the marks -----------------------------------------------------------------------

_Members = Mapping[int, Mapping[str, Any]]
_Plan = Callable[[_Members, Any, float], list[list[Item]]]


def _moved(members: _Members, field: str, wanted: Any) -> list[Item]:
    """Have the root say *wanted*, and the others nothing: their marks count as well."""
    return [
        Item(session=session, field=field, before=marks[field], after=after)
        for at, (session, marks) in enumerate(members.items())
        if (after := wanted if at == 0 else _NOTHING[field]) != marks[field]
    ]


_NOTHING: Final[Mapping[str, Any]] = {"pinned": False, "archived": False, "note": None, "tags": []}


def _set(field: str, wanted: bool) -> _Plan:
    def plan(members: _Members, value: Any, now: float) -> list[list[Item]]:
        if wanted and any(marks[field] for marks in members.values()):
            return []
        return [_moved(members, field, wanted)]

    return plan


def _set_tags(change: Callable[[set[str], set[str]], set[str]]) -> _Plan:
    def plan(members: _Members, value: Any, now: float) -> list[list[Item]]:
        has = {tag for marks in members.values() for tag in marks["tags"]}
        wanted = change(has, set(value))
        return [] if wanted == has else [_moved(members, "tags", sorted(wanted))]

    return plan


def _set_note(members: _Members, value: Any, now: float) -> list[list[Item]]:
    notes = [marks["note"] for marks in members.values() if marks["note"]]
    return [] if "\n".join(notes) == (value or "") else [_moved(members, "note", value)]


def _throw_away(members: _Members, value: Any, now: float) -> list[list[Item]]:
    return [
        [Item(session=one, field="trashed_at", before=None, after=now)]
        for one, marks in members.items()
        if marks["trashed_at"] is None
    ]


def _bring_back(members: _Members, value: Any, now: float) -> list[list[Item]]:
    return [
        [Item(session=one, field="trashed_at", before=marks["trashed_at"], after=None)]
        for one, marks in members.items()
        if marks["trashed_at"] is not None
    ]


_WANTED: Final[Mapping[Action, _Plan]] = {
    Action.PIN: _set("pinned", True),
    Action.UNPIN: _set("pinned", False),
    Action.ARCHIVE: _set("archived", True),
    Action.UNARCHIVE: _set("archived", False),
    Action.TAG: _set_tags(set.union),
    Action.UNTAG: _set_tags(set.difference),
    Action.SET_TAGS: _set_tags(lambda has, given: given),
    Action.NOTE: _set_note,
    Action.TRASH: _throw_away,
    Action.RESTORE: _bring_back,
}
