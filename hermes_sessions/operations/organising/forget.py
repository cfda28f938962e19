"""Forget conversations: erase them for real, and keep them out of later syncs.

Of a forgotten session only a keyed hash of its id is kept. What its agent adds to it
later (a continuation; branches and delegates where the whole family was forgotten) is
forgotten as well.
"""

import hashlib
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from sqlalchemy import delete, func, insert, or_, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.agents.values import Family, MessageBatches, MessageRow
from hermes_sessions.errors import NotFoundError, OriginBusyError
from hermes_sessions.lineage import Relation
from hermes_sessions.operations.organising.erase import erase_conversations, read_again
from hermes_sessions.operations.organising.organise import family_keys
from hermes_sessions.operations.organising.redact_undo import make_final
from hermes_sessions.operations.writing.lease_holders import is_over, make_holder
from hermes_sessions.store.engines.row_keys import next_keys
from hermes_sessions.store.keeping.leases import acquire, release
from hermes_sessions.store.keeping.secure_erase import is_scrub_pending, scrub
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.progress import Progress, silent
from hermes_sessions.store.queries.conversations import get_conversation
from hermes_sessions.store.queries.lineage import load_family
from hermes_sessions.store.schema.models import Origin, Session
from hermes_sessions.store.schema.organising import Forgotten, Setting
from hermes_sessions.store.writes import add_rows

_SALT: Final = "salt"
_WAIT_SECONDS: Final = 30.0
_LEASE_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgetting:
    """What was erased.

    Attributes:
        conversations, sessions, messages: how many.
        relatives: branches and delegates that stay; they may repeat what was erased.
        clean: nothing of it is readable in the store's file any more. False: the next call finishes.
        reason: why it is not clean: a reader keeps old pages alive, or the disk is full.
    """

    conversations: int = 0
    sessions: int = 0
    messages: int = 0
    relatives: int = 0
    clean: bool = True
    reason: str | None = None


def forget(
    database: Database,
    public_id: str,
    *,
    family: bool,
    clock: Callable[[], float] = time.time,
    progress: Progress = silent,
) -> Forgetting:
    """Erase a conversation, in the trash or not, and keep it forgotten.

    Args:
        family: with everything that descends from its topmost ancestor, and that ancestor.

    Raises:
        NotFoundError: nothing has this id.
        OriginBusyError: a sync of its origin did not end in time.
    """
    with database.read() as db:
        key = get_conversation(db, public_id, trashed=True).id
        relatives = {row.conversation_id for row in load_family(db, key).sessions} - {key}
        keys = family_keys(db, [key]) if family else [key]
    done = forget_keys(database, keys, family=family, clock=clock)
    done = replace(done, relatives=0 if family else len(relatives))
    reason = finish(database, progress)
    return replace(done, clean=reason is None, reason=reason)


def forget_keys(
    database: Database, keys: Sequence[int], *, family: bool, clock: Callable[[], float]
) -> Forgetting:
    """Erase conversations by key in one transaction, and keep them forgotten; the file is not scrubbed."""
    deadline = clock() + _WAIT_SECONDS
    while True:
        with database.write() as db:
            rows = db.execute(
                select(Session.id, Session.origin_id, Session.foreign_id).where(
                    Session.conversation_id.in_(keys)
                )
            ).all()
            if hold_origins(db, {row.origin_id for row in rows}, clock()):
                block = ForgottenEntry(family, clock())
                add_forgotten(db, {(row.origin_id, row.foreign_id): block for row in rows})
                messages = erase_conversations(db, keys)
                return Forgetting(conversations=len(keys), sessions=len(rows), messages=messages)
        if clock() > deadline:
            raise OriginBusyError("a sync of its origin is under way; try again when it is done")
        time.sleep(0.2)


def hold_origins(db: DbSession, origins: Iterable[int], now: float) -> bool:
    """Return whether no sync of *origins* is under way; none can begin before this transaction ends."""
    holder = make_holder()
    held = []
    for origin in sorted(origins):
        name = f"origin:{origin}"
        if not acquire(db, name, holder, now=now, seconds=_LEASE_SECONDS, is_over=is_over):
            break
        held.append(name)
    for name in held:
        release(db, name, holder)
    return len(held) == len(set(origins))


def finish(database: Database, progress: Progress = silent) -> str | None:
    """Scrub the file where that is due, also what a run that was killed left; return why that is not done.

    A masking that could be undone is final from here on.
    """
    make_final(database)
    with database.read() as db:
        pending = is_scrub_pending(db)
    return scrub(database, progress) if pending else None


# -- what is forgotten -----------------------------------------------------------------------------


def hash_id(db: DbSession, foreign_id: str) -> str:
    """Return the store's keyed hash of a session's id."""
    return _hash(_salt(db), foreign_id)


def _hash(salt: str, foreign_id: str) -> str:
    text = foreign_id.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, key=bytes.fromhex(salt), digest_size=20).hexdigest()


def _salt(db: DbSession) -> str:
    salt = db.scalar(select(Setting.value).where(Setting.name == _SALT))
    if salt is None:
        salt = secrets.token_hex(32)
        db.execute(insert(Setting).values(name=_SALT, value=salt))
    return salt


@dataclass(frozen=True, slots=True)
class ForgottenEntry:
    """How a session was forgotten: with its family or not, and when; that tells what went together."""

    family: bool
    at: float


def add_forgotten(db: DbSession, sessions: Mapping[tuple[int, str], ForgottenEntry]) -> None:
    """Note sessions, by origin and id there, as forgotten."""
    salt = _salt(db)
    rows = {(origin, _hash(salt, one)): block for (origin, one), block in sessions.items()}
    known = {
        (row.origin_id, row.session_hash)
        for row in db.execute(select(Forgotten.origin_id, Forgotten.session_hash))
    }
    fresh = sorted(rows.keys() - known)
    new = [
        {
            "id": key,
            "origin_id": origin,
            "session_hash": hashed,
            "family": rows[origin, hashed].family,
            "created_at": rows[origin, hashed].at,
        }
        for key, (origin, hashed) in zip(next_keys(db, Forgotten, len(fresh)), fresh, strict=True)
    ]
    add_rows(db, Forgotten, new)


def count_forgotten(db: DbSession) -> int:
    """Return how many sessions are forgotten."""
    return db.scalar(select(func.count(func.distinct(Forgotten.session_hash)))) or 0


def remember(database: Database, public_id: str | None) -> int:
    """Lift the block on a session with what was forgotten together with it, or on all (None).

    The next sync brings them back where their origin still has them.

    Raises:
        NotFoundError: the id was not forgotten; it has to be the whole one.
    """
    with database.write() as db:
        chosen = select(Forgotten.id, Forgotten.origin_id)
        if public_id is not None:
            hashed = {hash_id(db, one) for one in (public_id, public_id.partition(":")[2]) if one}
            at = select(Forgotten.created_at).where(Forgotten.session_hash.in_(hashed))
            chosen = chosen.where(Forgotten.created_at.in_(at))
        found = db.execute(chosen).all()
        if not found and public_id is not None:
            raise NotFoundError(f"no session with the id {public_id!r} was forgotten; give the whole id")
        db.execute(delete(Forgotten).where(Forgotten.id.in_([row.id for row in found])))
        origins = {row.origin_id for row in found}
        every = select(Origin.id)
        read_again(db, db.scalars(every).all() if None in origins else origins)
        return len(found)


# -- at the import ---------------------------------------------------------------------------------


@dataclass(slots=True)
class ForgottenIds:
    """Which of an origin's sessions are forgotten, and how."""

    ids: dict[str, ForgottenEntry] = field(default_factory=dict)

    def __contains__(self, foreign_id: object) -> bool:
        return foreign_id in self.ids

    def grow(self, family: Family) -> set[str]:
        """Add what goes on from forgotten sessions of *family*; return what was added."""
        added: set[str] = set()
        for row in family.sessions:
            placed = family.placements[row.foreign_id]
            if row.foreign_id in self.ids or placed.parent not in self.ids or placed.parent is None:
                continue
            block = self.ids[placed.parent]
            if block.family or placed.relation is Relation.COMPACTION:
                self.ids[row.foreign_id] = block
                added.add(row.foreign_id)
        return added


def load_forgotten(db: DbSession, origin_id: int, ids: Iterable[str], *, new: bool) -> ForgottenIds:
    """Return which of an origin's session *ids* are forgotten.

    Args:
        new: nothing of the origin is stored: it may be a known one in another place, so what
            was forgotten of any counts.
    """
    stmt = select(Forgotten.session_hash, Forgotten.family, Forgotten.created_at)
    if not new:
        stmt = stmt.where(or_(Forgotten.origin_id == origin_id, Forgotten.origin_id.is_(None)))
    hashes = {row.session_hash: ForgottenEntry(row.family, row.created_at) for row in db.execute(stmt)}
    if not hashes:
        return ForgottenIds()
    salt = _salt(db)
    hashed = ((one, _hash(salt, one)) for one in ids)
    return ForgottenIds({one: hashes[name] for one, name in hashed if name in hashes})


def leave_out(family: Family, forgotten: ForgottenIds) -> Family:
    """Return *family* without its forgotten sessions; where each belongs was concluded with them."""
    if not any(row.foreign_id in forgotten for row in family.sessions):
        return family
    kept = {row.foreign_id for row in family.sessions if row.foreign_id not in forgotten}
    compactions = [row for row in family.compactions if row.session in kept]
    return replace(
        family,
        sessions=[row for row in family.sessions if row.foreign_id in kept],
        placements={one: placed for one, placed in family.placements.items() if one in kept},
        compactions=compactions,
        batches=_kept_batches(family.batches, kept),
    )


def _kept_batches(batches: MessageBatches, kept: set[str]) -> MessageBatches:
    def stream() -> Iterable[tuple[str, Sequence[MessageRow]]]:
        return ((session, rows) for session, rows in batches() if session in kept)

    return lambda: iter(stream())
