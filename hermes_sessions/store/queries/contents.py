"""The user's prompts of a conversation, each by its beginning: what a table of contents lists."""

from dataclasses import dataclass

from sqlalchemy import and_, func, not_, or_, select
from sqlalchemy import orm as sa_orm

from hermes_sessions.handoff import CLIENT_WORDS
from hermes_sessions.messages import MessageKind, Role
from hermes_sessions.store.queries.paging import ScrollPlace
from hermes_sessions.store.queries.transcript_rows import TranscriptRow, select_rows
from hermes_sessions.store.schema.models import Message, Session

BEGINNING_CHARS = 400
_ASKED = or_(
    Message.text.is_(None),
    not_(or_(*(Message.text.startswith(one, autoescape=True) for one in CLIENT_WORDS))),
)
"""What a client did in the user's name is no prompt."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt: where it stands, when it was written, how it begins."""

    id: int
    place: ScrollPlace
    created_at: float | None
    text: str


def list_prompts(
    db: sa_orm.Session,
    conversation_id: int,
    *,
    after: ScrollPlace | None = None,
    before: ScrollPlace | None = None,
    limit: int = 500,
) -> tuple[Prompt, ...]:
    """Return the prompts that the one scroll shows, in its order.

    Args:
        after: from behind this place on.
        before: the last ones ahead of this place instead; give one of the two.
    """
    stmt = (
        select(
            Message.id,
            Session.ordinal,
            Message.position,
            Message.created_at,
            Message.kind,
            func.substr(Message.text, 1, BEGINNING_CHARS),
        )
        .join(Session, Session.id == Message.session_id)
        .where(
            Session.conversation_id == conversation_id,
            Session.fork.is_(False),
            Message.shown.is_(True),
            Message.role == Role.USER,
            Message.kind != MessageKind.HANDOFF,
            _ASKED,
            # The reply of a merged row that is a copy is shown where it was first.
            or_(Message.kind != MessageKind.MERGED, Message.copy_of.is_(None)),
        )
        .limit(limit)
    )
    if after is not None:
        same = and_(Session.ordinal == after.ordinal, Message.position > after.position)
        stmt = stmt.where(or_(Session.ordinal > after.ordinal, same))
    if before is not None:
        same = and_(Session.ordinal == before.ordinal, Message.position < before.position)
        stmt = stmt.where(or_(Session.ordinal < before.ordinal, same))
        rows = db.execute(stmt.order_by(Session.ordinal.desc(), Message.position.desc())).all()[::-1]
    else:
        rows = db.execute(stmt.order_by(Session.ordinal, Message.position)).all()
    merged = _replies(db, [id for id, *_, kind, _ in rows if kind == MessageKind.MERGED])
    return tuple(
        Prompt(id, ScrollPlace(ordinal, position), at, merged.get(id, text or ""))
        for id, ordinal, position, at, _, text in rows
    )


def _replies(db: sa_orm.Session, ids: list[int]) -> dict[int, str]:
    """Return what the user said in rows that a handoff was merged into."""
    if not ids:
        return {}
    rows = (TranscriptRow(**row._mapping) for row in db.execute(select_rows().where(Message.id.in_(ids))))
    said = ((row.id, " ".join(part.text for part in row.parts if part.kind == "message")) for row in rows)
    return {id: text[:BEGINNING_CHARS] for id, text in said}
