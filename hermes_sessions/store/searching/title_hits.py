"""Conversations found by their title, their folder or the id of one of their sessions."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from sqlalchemy import BigInteger, ColumnElement, Select, and_, case, false, func, literal, not_, or_, select
from sqlalchemy import orm as sa_orm
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from hermes_sessions.messages import ConversationKind
from hermes_sessions.store.language.name_folding import fold_name
from hermes_sessions.store.language.query_filters import Scope
from hermes_sessions.store.language.query_terms import Term
from hermes_sessions.store.language.query_text import Query
from hermes_sessions.store.queries.find_session import prefix_end
from hermes_sessions.store.schema.models import Conversation, Origin, Session
from hermes_sessions.store.searching.message_hits import Search, read_cursor
from hermes_sessions.store.searching.search_plan import session_conditions

BESIDE_MESSAGES: Final = 6
"""How many conversations stand above the messages of a search that finds both."""
COUNTED: Final = 100
"""So far they are counted there: a word of every title must not cost more than a rare one."""
_STREAMED: Final = 500
"""Rows that a server sends at a time, where not all may be wanted."""
_FEW_BY_ID: Final = 5
"""Up to so many conversations whose id was typed stand in front; a date begins very many ids."""
_IN_FRONT: Final = 10**17
"""Added to a time in microseconds: later than all."""


@dataclass(frozen=True, slots=True)
class NamedPage:
    """One page of the conversations that a query's words name.

    Attributes:
        found: (key, where: title, folder or id); ids in front, then the newest first.
        total: how many there are on all pages, beside messages counted up to `COUNTED`;
            None where nobody asked.
        next: cursor of the following page; None at the end.
    """

    found: tuple[tuple[int, str], ...] = ()
    total: int | None = None
    next: str | None = None


def find_named(db: sa_orm.Session, search: Search) -> NamedPage:
    """Return the conversations of one page of a search.

    Where titles alone are looked into, its cursor walks through all of them; else a few
    stand on the first page.

    Raises:
        InvalidQueryError: the cursor is none of ours.
    """
    if search.query.scope.titles:
        below = None if search.cursor is None else read_cursor(search.cursor)
        return find_conversations(db, search.query, search.limit, below)
    if search.cursor is not None or search.query.scope.titles is False:
        return NamedPage()
    # The cursor of such a search walks through messages.
    return replace(find_conversations(db, search.query, most=COUNTED), next=None)


def find_conversations(
    db: sa_orm.Session,
    query: Query,
    limit: int = BESIDE_MESSAGES,
    below: tuple[int, int] | None = None,
    most: int | None = None,
) -> NamedPage:
    """Return conversations that the words name, behind the place *below*.

    A title has all words somewhere, folded as the index folds messages; an id begins with
    the one word given. Filters about conversations count; those about messages leave
    titles out. Of more than *most* the newest are found.
    """
    groups = query.words
    if not groups or len(groups) != len(query.groups):
        return NamedPage(total=0)
    conditions = list(_conversation_conditions(db, query.scope))
    by_id = dict(_by_id(db, groups, conditions))
    front = _IN_FRONT if len(by_id) <= _FEW_BY_ID else 0
    places = {key: (micros + front, key, "id") for key, micros in by_id.items()}
    words = _Words.of(groups, query.excluded)
    for column, where in _columns(groups):
        for key, micros in _by_words(db, column, words, conditions, most):
            places.setdefault(key, (micros, key, where))
    following = sorted((one for one in places.values() if below is None or one[:2] < below), reverse=True)
    page = following[:limit]
    return NamedPage(
        found=tuple((key, where) for _, key, where in page),
        total=len(places) if most is None else min(most, len(places)),
        next=f"{page[-1][0]}.{page[-1][1]}" if len(following) > limit else None,
    )


def may_be_named(db: sa_orm.Session, query: Query) -> ColumnElement[bool] | None:
    """Return whether the words may name a conversation; None where they name none.

    A name that the engine cannot fold fits as well: `name_place` reads it. Asks *db* only about `conv:`.
    """
    groups = query.words
    if not groups or len(groups) != len(query.groups):
        return None
    words = _Words.of(groups, query.excluded)
    named = [words.may_fit(column) for column, _ in _columns(groups)]
    return and_(or_(*named, is_named_by_id(query)), *_conversation_conditions(db, query.scope))


def is_named_by_id(query: Query) -> ColumnElement[bool]:
    """Return whether the one word of a query begins the id of a session of a conversation."""
    return or_(false(), *map(Conversation.id.in_, _sessions_by_id(query.words)))


def name_place(query: Query, title: str | None, cwd: str | None) -> str | None:
    """Return what of a conversation holds the words: title or folder; None where neither does."""
    words, names = _Words.of(query.words, query.excluded), {"title": title, "folder": cwd}
    places = (where for _, where in _columns(query.words))
    return next((one for one in places if (name := names[one]) and words.fit(fold_name(name))), None)


def _columns(groups: Sequence[Sequence[Term]]) -> Iterator[tuple[Any, str]]:
    """Yield what is looked into: the title, and the folder where a path was typed."""
    yield Conversation.title, "title"
    if any("/" in term.text for group in groups for term in group):
        yield Conversation.cwd, "folder"


# -- by words --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Words:
    """What a name must hold: of each group one, and none of the excluded; all of it folded."""

    groups: tuple[tuple[str, ...], ...]
    excluded: tuple[str, ...]

    @classmethod
    def of(cls, groups: Sequence[Sequence[Term]], excluded: Sequence[Term]) -> "_Words":
        return cls(
            tuple(tuple(_folded(group)) for group in groups),
            tuple(_folded(term for term in excluded if not term.mark)),
        )

    def fit(self, folded: str) -> bool:
        """Return whether a folded name is one of those wanted."""
        return all(any(word in folded for word in group) for group in self.groups) and not any(
            word in folded for word in self.excluded
        )

    def condition(self, column: Any) -> ColumnElement[bool]:
        """Return the same for a column that holds only ASCII, which every engine folds."""
        wanted = (or_(false(), *(_holds(column, word) for word in group)) for group in self.groups)
        return and_(*wanted, *(not_(_holds(column, word)) for word in self.excluded))

    def may_fit(self, column: Any) -> ColumnElement[bool]:
        """Return whether a column may hold such a name: one that is not ASCII has to be read."""
        return or_(not_(_is_plain(column)), self.condition(column))


class byte_length(FunctionElement[int]):
    """How many bytes a text has."""

    type = BigInteger()
    inherit_cache = True


@compiles(byte_length)
def _byte_length(element: byte_length, compiler: Any, **options: Any) -> str:
    column = compiler.process(element.clauses, **options)
    if compiler.dialect.name == "sqlite":
        return f"length(CAST({column} AS BLOB))"
    return f"octet_length({column})"


def _is_plain(column: Any) -> ColumnElement[bool]:
    return byte_length(column) == func.length(column)


def _folded(terms: Any) -> Iterator[str]:
    return (folded for term in terms if (folded := fold_name(term.text.rstrip("*"))))


def _holds(column: Any, word: str) -> ColumnElement[bool]:
    if not word.isascii():
        return false()
    escaped = word.replace("/", "//").replace("%", "/%").replace("_", "/_")
    found: ColumnElement[bool] = column.ilike(f"%{escaped}%", escape="/")
    return found


def _by_words(
    db: sa_orm.Session,
    column: Any,
    words: _Words,
    conditions: Sequence[ColumnElement[bool]],
    most: int | None,
) -> Iterator[tuple[int, int]]:
    """Yield (key, microseconds of last activity); of more than *most* the newest.

    The engine finds ASCII names, others are read through.
    """
    to_read = case((_is_plain(column), None), else_=column)
    stmt = select(Conversation.id, Conversation.last_active_at, to_read)
    stmt = stmt.where(words.may_fit(column), *conditions)
    if most is not None:
        stmt = stmt.order_by(Conversation.last_active_at.desc(), Conversation.id.desc())
        stmt = stmt.execution_options(stream_results=True, max_row_buffer=_STREAMED)
    with closing(db.connection().execute(stmt)) as rows:
        fitting = ((key, at) for key, at, name in rows if name is None or words.fit(fold_name(name)))
        for key, at in islice(fitting, most):
            yield key, _micros(at)


def _micros(at: float) -> int:
    return max(0, round(at * 1_000_000))


# -- by id -----------------------------------------------------------------------------------------


def _by_id(
    db: sa_orm.Session, groups: Sequence[Sequence[Term]], conditions: Sequence[ColumnElement[bool]]
) -> Iterator[tuple[int, int]]:
    """Yield conversations one of whose sessions' ids begins with the one word typed."""
    for sessions in _sessions_by_id(groups):
        stmt = select(Conversation.id, Conversation.last_active_at)
        for key, at in db.execute(stmt.where(Conversation.id.in_(sessions), *conditions)):
            yield key, _micros(at)


def _sessions_by_id(groups: Sequence[Sequence[Term]]) -> Iterator[Select[Any]]:
    if len(groups) != 1 or len(groups[0]) != 1 or len(groups[0][0].text) < 4:
        return
    text = groups[0][0].text.rstrip("*")
    begun = Session.public_id >= literal(text)
    if (end := prefix_end(text)) is not None:
        begun &= Session.public_id < literal(end)
    own = Session.origin_id.in_(select(Origin.id)) & (Session.foreign_id == text)
    for condition in (begun, own):
        yield select(Session.conversation_id).where(condition)


def _conversation_conditions(db: sa_orm.Session, scope: Scope) -> Iterator[ColumnElement[bool]]:
    yield Conversation.kind != ConversationKind.TRASH
    if scope.after is not None:
        yield Conversation.last_active_at >= scope.after
    if scope.before is not None:
        yield Conversation.started_at < scope.before
    if scope.of_sessions:
        stmt = select(Session.id).where(
            Session.conversation_id == Conversation.id, *session_conditions(db, scope)
        )
        yield stmt.correlate(Conversation).exists()
