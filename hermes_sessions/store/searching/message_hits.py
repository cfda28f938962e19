"""Finding messages and conversations: a parsed query to hits, newest first or by relevance.

Newest first walks the index from its end and stops. What the index does not know (a
state, a source with many sessions) is looked at row by row, up to a bound: then the
answer says how far it came, and its cursor goes on from there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import BindParameter, ColumnElement, Select, select
from sqlalchemy import orm as sa_orm

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import ConversationKind, MessageKind
from hermes_sessions.store.language.highlight import Highlighter
from hermes_sessions.store.language.query_terms import Term
from hermes_sessions.store.language.query_text import Query, parse_query
from hermes_sessions.store.language.segment import is_unspaced
from hermes_sessions.store.queries.paging import check_limit
from hermes_sessions.store.schema.models import Conversation, Message, Session
from hermes_sessions.store.searching.full_text import MAX_KEY, select_newest, select_scored
from hermes_sessions.store.searching.search_plan import Plan, make_plan, message_conditions

MAX_LIMIT: Final = 500
RANKED: Final = 5_000
"""Relevance orders the newest so many matches."""
_BATCHES: Final = (500, 2_000, 5_500, 12_000)


_SHORT_CHARS: Final = 2
_READ: Final = (100, 1_000)
"""How many of the newest messages are read for a very short beginning before the index is asked."""
_KEY: Any = Message.search_key
_CURSOR = late_pattern(r"([0-9]{1,18})(?:\.([0-9]{1,18}))?")


class Order(StrEnum):
    """How hits are ordered."""

    NEWEST = "newest"
    RELEVANCE = "relevance"


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What is searched for, and which page of it.

    Attributes:
        query: as `parse_query` returns it.
        limit: hits wanted at most.
        cursor: where the page before ended; None for the first.
    """

    query: Query
    order: Order = Order.NEWEST
    limit: int = 50
    cursor: str | None = None

    @classmethod
    def of(cls, typed: str, now: datetime, **more: Any) -> "Search":
        """Read what was typed; see `parse_query` for errors."""
        return cls(query=parse_query(typed, now), **more)


@dataclass(frozen=True, slots=True)
class MessageHit:
    """A message that was found: which one, and where it stands."""

    key: int
    id: int
    session_id: int
    conversation_id: int


@dataclass(frozen=True, slots=True)
class HitPage:
    """A page of hits.

    Attributes:
        hits: in the order asked for.
        next: cursor of the following page; None at the end.
        looked_at: how many rows of the index were looked at.
        cut_short: fewer hits than wanted, because the bound was reached; `next` goes on.
        notes: what the user should know: filters that nothing fits, what was ranked.
    """

    hits: tuple[MessageHit, ...]
    next: str | None = None
    looked_at: int = 0
    cut_short: bool = False
    notes: tuple[str, ...] = ()


def find_hits(db: sa_orm.Session, search: Search) -> HitPage:
    """Return one page of the messages that a query finds.

    Raises:
        InvalidQueryError: the cursor is none of ours, the limit leaves no room for a hit, or an id of
            the query fits several sessions.
    """
    check_limit(search.limit)
    if search.query.scope.titles:
        return HitPage(())
    plan = make_plan(db, search.query)
    if plan.notes:
        return HitPage((), notes=plan.notes)
    short = [group for group in search.query.words if _is_short(group)]
    if short and (read := _by_reading(db, search, plan, short)) is not None:
        return read
    if search.order is Order.RELEVANCE and search.query.words:
        return _by_relevance(db, search, plan)
    return _newest(db, search, plan)


def load_places(db: sa_orm.Session, hits: Sequence[MessageHit]) -> list[int]:
    """Return the messages of *hits* in the order of the scroll."""
    stmt = (
        select(Message.id)
        .join(Session, Session.id == Message.session_id)
        .where(Message.id.in_([hit.id for hit in hits]))
        .order_by(Session.ordinal, Session.fork, Session.id, Message.position)
    )
    return list(db.scalars(stmt))


def find_carriers(db: sa_orm.Session, hits: Sequence[MessageHit]) -> frozenset[int]:
    """Return the messages among *hits* that hold a handoff."""
    stmt = select(Message.id).where(
        Message.id.in_([hit.id for hit in hits]), Message.kind != MessageKind.MESSAGE
    )
    return frozenset(db.scalars(stmt))


def is_walked(search: Search) -> bool:
    """Return whether the index alone answers, newest first: no look at sessions or texts is needed."""
    query = search.query
    return not (query.scope.titles or query.scope.of_sessions or any(map(_is_short, query.words)))


def select_placed(search: Search, keys: BindParameter[int]) -> Select[Any]:
    """Return a statement for the hits among the places *keys*, for a search that `is_walked`.

    Its columns are the fields of `MessageHit`; a row that the filters leave out is none.
    """
    return _select_hits().where(Message.search_key.in_(keys), *message_conditions(search.query.scope))


# -- walking ---------------------------------------------------------------------------------------


def _newest(db: sa_orm.Session, search: Search, plan: Plan) -> HitPage:
    below = min(plan.matching.below, read_cursor(search.cursor)[0])
    hits: list[MessageHit] = []
    looked_at = 0
    for size in (search.limit + 1, *_BATCHES) if plan.condition is None else _BATCHES:
        matching = replace(plan.matching, below=below)
        rows = _rows(db, select_newest(db, matching, size), plan.condition)
        looked_at += len(rows)
        hits += [MessageHit(*row[:4]) for row in rows if row[4]]
        if len(hits) > search.limit:
            hits = hits[: search.limit]
            return HitPage(tuple(hits), str(hits[-1].key), looked_at)
        if len(rows) < size:
            return HitPage(tuple(hits), None, looked_at)
        below = rows[-1][0]
    return HitPage(tuple(hits), str(below), looked_at, cut_short=True)


# -- very short beginnings -------------------------------------------------------------------------


def _is_short(group: Sequence[Term]) -> bool:
    """Return whether a group asks for words by so short a beginning that the index has too many."""
    return any(
        begun and len(phrase.strip().rstrip("*")) <= (1 if is_unspaced(phrase.strip()[:1]) else _SHORT_CHARS)
        for phrase, begun in (term.phrase() for term in group)
    )


def _by_reading(
    db: sa_orm.Session, search: Search, plan: Plan, short: Sequence[Sequence[Term]]
) -> HitPage | None:
    """Find the newest messages with such beginnings by reading them; None where they are not that many.

    The index would merge the lists of all words that begin so, before the first hit.
    """
    rest = tuple(group for group in plan.matching.groups if group not in short)
    finders = [Highlighter.of(group) for group in short]
    below = min(plan.matching.below, read_cursor(search.cursor)[0])
    hits: list[MessageHit] = []
    for size in _READ:
        matching = replace(plan.matching, groups=rest, below=below)
        rows = _rows(db, select_newest(db, matching, size), plan.condition)
        hits += _read([MessageHit(*row[:4]) for row in rows if row[4]], db, finders)
        if len(hits) > search.limit:
            notes: tuple[str, ...] = ()
            if search.order is Order.RELEVANCE:
                notes = ("so short a beginning is everywhere: newest first",)
            hits = hits[: search.limit]
            return HitPage(tuple(hits), str(hits[-1].key), len(rows), notes=notes)
        if len(rows) < size:
            break
        below = rows[-1][0]
    return None


def _read(hits: Sequence[MessageHit], db: sa_orm.Session, finders: Sequence[Highlighter]) -> list[MessageHit]:
    columns = (Message.id, Message.text, Message.tool_name, Message.tool_calls)
    rows = db.execute(select(*columns).where(Message.id.in_([hit.id for hit in hits])))
    texts = {key: "\n".join(filter(None, cells)) for key, *cells in rows}
    return [hit for hit in hits if all(one.spans(texts.get(hit.id, "")) for one in finders)]


# -- by relevance ----------------------------------------------------------------------------------


def _by_relevance(db: sa_orm.Session, search: Search, plan: Plan) -> HitPage:
    """Order the newest matches by relevance; a page is a stretch of that order."""
    top, offset = read_cursor(search.cursor)
    matching = replace(plan.matching, below=min(plan.matching.below, top))
    scored = select_scored(db, matching, RANKED).subquery()
    rows = db.execute(select(scored.c.key, scored.c.score)).all()
    keys = sorted(rows, key=lambda row: (row[1], -row[0]))
    hits: list[MessageHit] = []
    at = offset
    while at < len(keys) and len(hits) <= search.limit:
        wanted = [key for key, _ in keys[at : at + 2 * search.limit + 1]]
        fitting = _look_up(db, wanted, plan.condition)
        for key in wanted:
            if len(hits) == search.limit and key in fitting:
                return _ranked(hits, f"{_top(keys)}.{at}", keys)
            at += 1
            hits += [fitting[key]] if key in fitting else []
    return _ranked(hits, None, keys)


def _ranked(hits: Sequence[MessageHit], cursor: str | None, keys: Sequence[Any]) -> HitPage:
    notes = (f"ordered by relevance: the newest {RANKED:,} matches",) if len(keys) == RANKED else ()
    return HitPage(tuple(hits), cursor, len(keys), notes=notes)


def _top(keys: Sequence[Any]) -> int:
    return max(int(key) for key, _ in keys) + 1


_VISIBLE: Final[ColumnElement[bool]] = Conversation.kind != ConversationKind.TRASH


def _rows(db: sa_orm.Session, keys: Any, condition: ColumnElement[bool] | None) -> list[Any]:
    """Return (key, message, session, conversation, whether it fits) of each key, newest first."""
    found = keys.subquery()
    fits = _VISIBLE if condition is None else _VISIBLE & condition
    # Outer joins keep the order: the keys first, each looked up.
    stmt = (
        select(found.c.key, Message.id, Message.session_id, Session.conversation_id, fits.label("fits"))
        .outerjoin_from(found, Message, Message.search_key == found.c.key)
        .outerjoin(Session, Session.id == Message.session_id)
        .outerjoin(Conversation, Conversation.id == Session.conversation_id)
        .order_by(found.c.key.desc())
    )
    return list(db.execute(stmt))


def _select_hits() -> Select[Any]:
    return (
        select(_KEY.label("key"), Message.id, Message.session_id, Session.conversation_id)
        .join(Session, Session.id == Message.session_id)
        .join(Conversation, Conversation.id == Session.conversation_id)
        .where(_VISIBLE)
    )


def _look_up(
    db: sa_orm.Session, keys: Sequence[int], condition: ColumnElement[bool] | None
) -> dict[int, MessageHit]:
    stmt = _select_hits().where(Message.search_key.in_(keys))
    if condition is not None:
        stmt = stmt.where(condition)
    return {hit.key: hit for row in db.execute(stmt) for hit in [MessageHit(*row)]}


def read_cursor(cursor: str | None) -> tuple[int, int]:
    """Return where a page ended: below which key, and behind how many ranked hits."""
    if cursor is None:
        return MAX_KEY, 0
    found = _CURSOR.fullmatch(cursor)
    if found is None:
        raise InvalidQueryError("search: this page cursor is not one of ours; start from the first page")
    return int(found[1]), int(found[2] or 0)
