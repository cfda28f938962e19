"""Finding a session by its id or a unique beginning of one."""

from sqlalchemy import orm as sa_orm
from sqlalchemy import select

from hermes_sessions.errors import AmbiguousIdError
from hermes_sessions.messages import ConversationKind
from hermes_sessions.storable_text import is_storable
from hermes_sessions.store.schema.models import Conversation, Session


def find_session(
    db: sa_orm.Session, public_id: str, *, trashed: bool = False, whole: bool = False
) -> tuple[int, int] | None:
    """Return (session key, conversation key) of an exact id or a unique prefix, or None.

    What is in the trash is not found, unless *trashed*; a prefix is none where *whole*.

    Raises:
        AmbiguousIdError: several sessions of different conversations begin like this.
    """
    if not is_storable(public_id):
        return None
    columns = (Session.id, Session.conversation_id, Session.public_id)
    # Outer, so that an exact id is one look-up and nothing walks the conversations.
    stored = select(*columns).outerjoin(Conversation, Conversation.id == Session.conversation_id)
    if not trashed:
        stored = stored.where(Conversation.kind != ConversationKind.TRASH)
    exact = db.execute(stored.where(Session.public_id == public_id)).first()
    if exact is not None:
        return exact[0], exact[1]
    if whole or not public_id:
        return None  # an agent may have called a session nothing; everything begins like that
    upper = prefix_end(public_id)
    starts = Session.public_id >= public_id
    if upper is not None:
        starts &= Session.public_id < upper
    found = db.execute(stored.where(starts).order_by(Session.public_id).limit(6)).all()
    found = [row for row in found if row[2].startswith(public_id)]
    if len({row[1] for row in found}) > 1:
        names = [row[2] for row in found]
        raise AmbiguousIdError(f"several sessions begin with {public_id!r}: {', '.join(names[:5])}", names)
    return (found[0][0], found[0][1]) if found else None


def prefix_end(prefix: str) -> str | None:
    """Return the smallest text behind everything that begins with *prefix*."""
    last = ord(prefix[-1])
    if last >= 0x10FFFF:
        return None
    # Surrogates cannot be stored as UTF-8; the next usable code point follows them.
    return prefix[:-1] + chr(0xE000 if 0xD7FF <= last < 0xE000 else last + 1)
