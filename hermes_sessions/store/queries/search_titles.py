"""Conversations found by their title, their folder or the id of one of their sessions."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, func, literal, or_, select
from sqlalchemy import orm as sa_orm

from hermes_sessions.messages import ConversationKind
from hermes_sessions.store.models import Conversation, Origin, Session
from hermes_sessions.store.queries.search_plan import session_conditions
from hermes_sessions.store.query_filters import Scope
from hermes_sessions.store.query_terms import Term
from hermes_sessions.store.query_text import Query


def find_conversations(db: sa_orm.Session, query: Query, limit: int = 6) -> list[tuple[int, str]]:
    """Return (key, where: title, folder or id) of conversations that the words name, newest first.

    A title has all words somewhere, in any case; an id begins with the one word given.
    Filters about conversations count; those about messages leave titles out.
    """
    groups = query.words
    if not groups or len(groups) != len(query.groups):
        return []
    found = dict(_by_id(db, groups))
    conditions = list(_conversation_conditions(db, query.scope))
    for column, where in ((Conversation.title, "title"), (Conversation.cwd, "folder")):
        if where == "folder" and not any("/" in term.text for group in groups for term in group):
            continue
        named = [or_(*(_named(column, term) for term in group)) for group in groups]
        named += [~_named(func.coalesce(column, ""), term) for term in query.excluded if not term.mark]
        stmt = select(Conversation.id).where(*named, *conditions)
        stmt = stmt.order_by(Conversation.last_active_at.desc(), Conversation.id.desc()).limit(limit)
        for key in db.scalars(stmt):
            found.setdefault(key, where)
    return list(found.items())[:limit]


def _named(column: Any, term: Term) -> Any:
    """Return whether *column* holds the term as typed, or in another case where LIKE knows only ASCII."""
    text = term.text.rstrip("*")
    variants = dict.fromkeys((text, text.lower(), text.upper(), text.capitalize(), text.title()))
    if text.isascii():
        # LIKE of SQLite folds ASCII by itself; ILIKE on the other engine.
        return column.ilike(f"%{_escaped(text)}%", escape="/")
    return or_(*(column.contains(one, autoescape=True) for one in variants))


def _escaped(text: str) -> str:
    return text.replace("/", "//").replace("%", "/%").replace("_", "/_")


def _by_id(db: sa_orm.Session, groups: Sequence[Sequence[Term]]) -> Iterator[tuple[int, str]]:
    """Yield conversations one of whose sessions' ids begins with the one word typed."""
    if len(groups) != 1 or len(groups[0]) != 1 or len(groups[0][0].text) < 4:
        return
    text = groups[0][0].text.rstrip("*")
    begun = Session.public_id >= literal(text)
    stmt = select(Session.public_id, Session.conversation_id).where(begun).order_by(Session.public_id)
    for public_id, key in db.execute(stmt.limit(5)).all():
        if public_id.startswith(text):
            yield key, "id"
    origins = select(Origin.id)
    own = select(Session.conversation_id).where(Session.origin_id.in_(origins), Session.foreign_id == text)
    for key in db.scalars(own.limit(5)):
        yield key, "id"


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
