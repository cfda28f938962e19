"""Windows over a conversation: a bounded run of rows around a place, in either direction.

Sessions are walked by their kept counts, so a place deep inside a chain of a
thousand sessions costs what the first one costs. There is no OFFSET anywhere.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy import orm as sa_orm

from hermes_sessions.errors import InvalidQueryError, NotFoundError
from hermes_sessions.handoff import ENGINE_NOTES
from hermes_sessions.messages import ConversationKind, MessageState, Role
from hermes_sessions.store.queries.paging import ScrollPlace
from hermes_sessions.store.queries.transcript_rows import TranscriptRow, select_rows
from hermes_sessions.store.schema.models import Conversation, Message, Session

END = ScrollPlace(999_999_999, 0)
"""A place behind every row."""
SESSION_BATCH = 64
TOOL_SLACK = 24
"""How many tool results a window may run over its size to keep them with their call."""

_EDGE_COLUMNS: tuple[Any, ...] = (Message.position, Message.created_at)


class View(StrEnum):
    """Which rows of a conversation a page shows."""

    WHOLE = "whole"
    TALK = "talk"
    """Of the whole what the user and the assistant said, without tools and thoughts."""
    MODEL = "model"
    SESSION = "session"

    @property
    def one_scroll(self) -> bool:
        """Whether it goes through the whole conversation, not through one session."""
        return self in (View.WHOLE, View.TALK)


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowQuery:
    """Which run of rows to load.

    Attributes:
        view: the one scroll, what was said in it, what the model sees now, or all rows of one session.
        session_id: the session of the last two views; unused in the others.
        after: rows behind this place; before: rows ahead of it; at: this place first.
        limit: rows wanted; a few more may come to keep tool results with their call.
        max_chars: stop early when the texts add up to more, but never before one row.
    """

    view: View = View.WHOLE
    session_id: int | None = None
    after: ScrollPlace | None = None
    before: ScrollPlace | None = None
    at: ScrollPlace | None = None
    limit: int = 50
    max_chars: int = 90_000


@dataclass(frozen=True, slots=True)
class WindowEdge:
    """The row next to a window: its place and time."""

    place: ScrollPlace
    created_at: float | None


@dataclass(frozen=True, slots=True)
class Window:
    """A run of rows in order.

    Attributes:
        rows: at least one where the view has any in that direction.
        previous: the row right before, None at the beginning.
        following: the row right behind, None at the end.
    """

    rows: tuple[TranscriptRow, ...]
    previous: WindowEdge | None
    following: WindowEdge | None


@dataclass(frozen=True, slots=True)
class _Stop:
    """A session on the walk and how many rows it can give."""

    id: int
    ordinal: int
    count: int


@dataclass(frozen=True, slots=True)
class _Scope:
    """What is walked: one view of one conversation in one open session."""

    db: sa_orm.Session
    conversation_id: int
    query: WindowQuery


def load_window(db: sa_orm.Session, conversation_id: int, query: WindowQuery) -> Window:
    """Load one window of a conversation."""
    scope = _Scope(db, conversation_id, query)
    backwards = query.before is not None
    start = query.before or query.at or query.after
    walked = list(_walk(scope, start, backwards=backwards))
    rows = walked[: _fit(walked, query)]
    beyond = walked[len(rows)] if len(walked) > len(rows) else None
    far = WindowEdge(ScrollPlace(beyond.ordinal, beyond.position), beyond.created_at) if beyond else None
    if start is None:
        return Window(tuple(rows), None, far)
    if backwards:
        rows.reverse()
    nearest = (rows[-1] if backwards else rows[0]) if rows else None
    near = None if start == END else _edge(scope, nearest, backwards=not backwards)
    return Window(tuple(rows), far, near) if backwards else Window(tuple(rows), near, far)


def get_row(db: sa_orm.Session, message_id: int) -> tuple[TranscriptRow, str]:
    """Return a message, every cell complete, and its conversation's public id.

    Raises:
        NotFoundError: no message has this id.
    """
    stmt = (
        select_rows(whole=True)
        .add_columns(Conversation.public_id.label("conversation"))
        .join(Conversation, Conversation.id == Session.conversation_id)
        .where(Message.id == message_id, Conversation.kind != ConversationKind.TRASH)
    )
    row = db.execute(stmt).first()
    if row is None:
        raise NotFoundError(f"no message has the id {message_id}")
    fields = dict(row._mapping)
    conversation = fields.pop("conversation")
    return TranscriptRow(**fields), conversation


def find_prompt(db: sa_orm.Session, conversation_id: int, query: WindowQuery) -> int | None:
    """Return the id of the user's next prompt behind `after`, or of the last one ahead of `before`."""
    scope = _Scope(db, conversation_id, query)
    backwards = query.before is not None
    start = query.before or query.after
    for stop in _stops(scope, start, backwards=backwards):
        stmt: Select[Any] = select(Message.id).where(*_of_sessions(query, stop), Message.role == Role.USER)
        stmt = stmt.where(or_(Message.text.is_(None), Message.text.not_in(ENGINE_NOTES)))
        stmt = _ordered(_beyond(stmt, stop, start, backwards=backwards), backwards=backwards).limit(1)
        found: int | None = db.execute(stmt).scalar()
        if found is not None:
            return found
    return None


def step_back(db: sa_orm.Session, conversation_id: int, query: WindowQuery, count: int) -> ScrollPlace:
    """Return the place up to *count* rows ahead of `at`, so that what led there is visible too."""
    assert query.at is not None
    places = _places(_Scope(db, conversation_id, query), query.at, backwards=True, count=count)
    return places[-1][0] if places else query.at


def count_earlier(db: sa_orm.Session, conversation_id: int, place: ScrollPlace) -> int:
    """Return how many rows the one scroll has ahead of a place."""
    chain = (Session.conversation_id == conversation_id, Session.fork.is_(False))
    sessions = select(func.coalesce(func.sum(Session.shown_count), 0)).where(
        *chain, Session.ordinal < place.ordinal
    )
    rows = (
        select(func.count())
        .select_from(Message)
        .join(Session, Session.id == Message.session_id)
        .where(*chain, Session.ordinal == place.ordinal)
        .where(Message.shown.is_(True), Message.position < place.position)
    )
    return int(db.execute(select(sessions.scalar_subquery() + rows.scalar_subquery())).scalar_one())


def iter_rows(db: sa_orm.Session, conversation_id: int, *, every: bool) -> Iterator[TranscriptRow]:
    """Yield the rows of the one scroll, or every stored row, session by session, complete.

    Forks come behind the chain's session that has their place.
    """
    sessions = select(Session.id).where(Session.conversation_id == conversation_id)
    if not every:
        sessions = sessions.where(Session.fork.is_(False), Session.shown_count > 0)
    for session_id in db.scalars(sessions.order_by(Session.ordinal, Session.fork, Session.id)).all():
        stmt = select_rows(whole=True).where(Message.session_id == session_id)
        if not every:
            stmt = stmt.where(Message.shown.is_(True))
        for row in db.execute(stmt.order_by(Message.position)):
            yield TranscriptRow(**row._mapping)


# -- walking ---------------------------------------------------------------------------------------


def _walk(scope: _Scope, start: ScrollPlace | None, *, backwards: bool) -> Iterator[TranscriptRow]:
    """Yield rows from *start* on until there are enough for a window and its slack."""
    wanted = scope.query.limit + TOOL_SLACK + 1
    stops = _stops(scope, start, backwards=backwards)
    for group in _grouped(stops, start, wanted):
        stmt = select_rows().where(*_of_sessions(scope.query, *group))
        if len(group) > 1:
            stmt = stmt.order_by(Session.ordinal.desc() if backwards else Session.ordinal)
        stmt = _beyond(stmt, group[0], start, backwards=backwards, inclusive=scope.query.at is not None)
        for row in scope.db.execute(_ordered(stmt, backwards=backwards).limit(wanted)):
            yield TranscriptRow(**row._mapping)
            wanted -= 1
        if wanted <= 0:
            return


def _grouped(stops: Iterable[_Stop], start: ScrollPlace | None, size: int) -> Iterator[list[_Stop]]:
    """Put sessions that are wanted whole into one statement; the first and large ones stand alone."""
    group: list[_Stop] = []
    total = 0
    for stop in stops:
        alone = start is not None and stop.ordinal == start.ordinal
        if group and (total + stop.count > size or alone):
            yield group
            group, total = [], 0
        group.append(stop)
        total += stop.count
        if total >= size or alone:
            yield group
            group, total = [], 0
    if group:
        yield group


def _stops(scope: _Scope, start: ScrollPlace | None, *, backwards: bool) -> Iterator[_Stop]:
    """Yield the sessions of the walk that have rows to give, a batch per statement."""
    if not scope.query.view.one_scroll:
        yield from _one_stop(scope)
        return
    ordinal = start.ordinal if start else None
    inclusive = True
    while True:
        stmt = select(Session.id, Session.ordinal, Session.shown_count).where(
            Session.conversation_id == scope.conversation_id, Session.fork.is_(False), Session.shown_count > 0
        )
        if ordinal is not None:
            stmt = stmt.where(_bound(Session.ordinal, ordinal, backwards=backwards, inclusive=inclusive))
        order = Session.ordinal.desc() if backwards else Session.ordinal
        found = [_Stop(*row) for row in scope.db.execute(stmt.order_by(order).limit(SESSION_BATCH))]
        yield from found
        if len(found) < SESSION_BATCH:
            return
        ordinal, inclusive = found[-1].ordinal, False


def _one_stop(scope: _Scope) -> Iterator[_Stop]:
    if scope.query.session_id is None:
        raise InvalidQueryError("this view needs a session")
    row = scope.db.execute(
        select(Session.id, Session.ordinal, Session.message_count).where(
            Session.id == scope.query.session_id, Session.conversation_id == scope.conversation_id
        )
    ).first()
    if row is not None:
        yield _Stop(*row)


def _of_sessions(query: WindowQuery, *stops: _Stop) -> list[ColumnElement[bool]]:
    keys = [stop.id for stop in stops]
    own = Message.session_id == keys[0] if len(keys) == 1 else Message.session_id.in_(keys)
    if query.view is View.TALK:
        said = or_(Message.role == Role.USER, and_(Message.role == Role.ASSISTANT, Message.text != ""))
        return [own, Message.shown.is_(True), said]
    if query.view is View.WHOLE:
        return [own, Message.shown.is_(True)]
    if query.view is View.MODEL:
        return [own, Message.state == MessageState.LIVE, Message.role != Role.SESSION_META]
    return [own]


def _beyond(
    stmt: Select[Any], stop: _Stop, start: ScrollPlace | None, *, backwards: bool, inclusive: bool = False
) -> Select[Any]:
    """Leave out what of the first session lies on the wrong side of *start*."""
    if start is None or stop.ordinal != start.ordinal:
        return stmt
    return stmt.where(_bound(Message.position, start.position, backwards=backwards, inclusive=inclusive))


def _bound(
    column: sa_orm.InstrumentedAttribute[int], value: int, *, backwards: bool, inclusive: bool
) -> ColumnElement[bool]:
    if backwards:
        return column <= value if inclusive else column < value
    return column >= value if inclusive else column > value


def _ordered(stmt: Select[Any], *, backwards: bool) -> Select[Any]:
    return stmt.order_by(Message.position.desc() if backwards else Message.position)


def _edge(scope: _Scope, row: TranscriptRow | None, *, backwards: bool) -> WindowEdge | None:
    """Return the row next to *row* (or next to the query's start)."""
    start = _place(row) or scope.query.before or scope.query.at or scope.query.after
    if start is None:
        return None
    found = _places(scope, start, backwards=backwards, count=1)
    return WindowEdge(*found[0]) if found else None


def _places(
    scope: _Scope, start: ScrollPlace, *, backwards: bool, count: int
) -> list[tuple[ScrollPlace, float | None]]:
    """Return place and time of up to *count* rows next to *start*, nearest first."""
    found: list[tuple[ScrollPlace, float | None]] = []
    for stop in _stops(scope, start, backwards=backwards):
        stmt = select(*_EDGE_COLUMNS).where(*_of_sessions(scope.query, stop))
        stmt = _ordered(_beyond(stmt, stop, start, backwards=backwards), backwards=backwards)
        rows = scope.db.execute(stmt.limit(count - len(found)))
        found += [(ScrollPlace(stop.ordinal, position), at) for position, at in rows]
        if len(found) >= count:
            break
    return found


# -- fitting ---------------------------------------------------------------------------------------


def _fit(rows: Sequence[TranscriptRow], query: WindowQuery) -> int:
    """Return how many of the walked rows make the window.

    A cut never falls between a tool call and its results where the slack allows.
    """
    end = _fit_chars(rows, query)
    if end >= len(rows):
        return len(rows)
    cut = end
    if query.before is None:
        while cut < len(rows) and rows[cut].role == Role.TOOL:
            cut += 1
        return cut if cut < len(rows) else end
    while cut < len(rows) and rows[cut - 1].role == Role.TOOL:
        cut += 1
    return cut if cut < len(rows) else end


def _fit_chars(rows: Sequence[TranscriptRow], query: WindowQuery) -> int:
    total = 0
    for count, row in enumerate(rows[: query.limit]):
        total += weight(row)
        if count and total > query.max_chars:
            return count
    return min(query.limit, len(rows))


def weight(row: TranscriptRow) -> int:
    """Return about how many characters of a row a page shows, long texts being cut there."""
    shown = min(row.text_length or 0, 3_000 if row.role == Role.TOOL else 12_000)
    return shown + min(len(row.tool_calls or ""), 6_000) + min(len(row.reasoning or ""), 3_000)


def _place(row: TranscriptRow | None) -> ScrollPlace | None:
    return None if row is None else ScrollPlace(row.ordinal, row.position)
