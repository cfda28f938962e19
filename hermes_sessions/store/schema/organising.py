"""The tables of what the user decides here: tags, the journal of changes, what is forgotten or masked.

Pins, notes and the trash are columns of `models.Session`. No queries.
"""

from typing import Any

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from hermes_sessions.store.schema import column_types as t
from hermes_sessions.store.schema.models import Base


class SessionTag(Base):
    """A tag on a session; it counts for the conversation that the session is part of."""

    __tablename__ = "session_tags"
    __table_args__ = (Index("ix_session_tags_tag", "tag", "session_id"),)

    session_id: Mapped[t.big] = mapped_column(
        ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    tag: Mapped[t.text] = mapped_column(primary_key=True)
    conversation_id: Mapped[t.big]
    """*Kept*: its session's."""


class Change(Base):
    """One thing the user did, as a whole to be taken back."""

    __tablename__ = "changes"

    id: Mapped[t.key]
    action: Mapped[t.text]
    created_at: Mapped[t.epoch]
    undone_at: Mapped[t.epoch | None]


class ChangeItem(Base):
    """One value that a change replaced: of a session, or of a saved search."""

    __tablename__ = "change_items"

    id: Mapped[t.key]
    change_id: Mapped[t.big] = mapped_column(ForeignKey("changes.id", ondelete="CASCADE"), index=True)
    session_id: Mapped[t.big | None] = mapped_column(
        ForeignKey("sessions.id", ondelete="CASCADE"), index=True
    )
    field: Mapped[t.text]
    """A mark of the session; for a saved search its name."""
    before: Mapped[Any | None] = mapped_column(t.json_type)
    after: Mapped[Any | None] = mapped_column(t.json_type)


class SavedSearch(Base):
    """A list or search page under a name: its path and query string."""

    __tablename__ = "saved_searches"

    id: Mapped[t.key]
    name: Mapped[t.text] = mapped_column(unique=True)
    target: Mapped[t.text]
    created_at: Mapped[t.epoch]


class Setting(Base):
    """A value the store as a whole has: the salt of its hashes, work that is not finished."""

    __tablename__ = "settings"

    name: Mapped[t.text] = mapped_column(primary_key=True)
    value: Mapped[t.text]


class Forgotten(Base):
    """A session that was erased here and is not to come back; only a keyed hash of its id is kept."""

    __tablename__ = "forgotten"
    __table_args__ = (UniqueConstraint("origin_id", "session_hash"),)

    id: Mapped[t.key]
    origin_id: Mapped[t.big | None] = mapped_column(ForeignKey("origins.id", ondelete="SET NULL"))
    """NULL: the origin was removed; the id is met whatever it comes from."""
    session_hash: Mapped[t.text] = mapped_column(index=True)
    family: Mapped[bool]
    """Its branches and delegates are forgotten with it, also those still to come."""
    created_at: Mapped[t.epoch]


class Mask(Base):
    """Something that is masked wherever it is met: a kind of secret, or one secret as salted hash."""

    __tablename__ = "masks"

    id: Mapped[t.key]
    pattern: Mapped[t.text | None]
    """Name of a kind that `redact` knows; NULL for one secret."""
    salt: Mapped[t.text | None]
    digest: Mapped[t.text | None]
    shape: Mapped[t.text | None]
    """A pattern of the kinds of characters it has, in order: what is worth hashing."""
    created_at: Mapped[t.epoch]
    applied_at: Mapped[t.epoch | None]
    """When everything stored had been masked; NULL while that is not finished."""
