"""What of a query the index answers, and what is looked at row by row afterwards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy import orm as sa_orm

from hermes_sessions.messages import MessageState
from hermes_sessions.store.language.indexed_text import mark
from hermes_sessions.store.language.query_filters import Scope
from hermes_sessions.store.language.query_terms import Term
from hermes_sessions.store.language.query_text import Query
from hermes_sessions.store.queries.find_session import find_session
from hermes_sessions.store.schema.models import Conversation, Message, Origin, Session
from hermes_sessions.store.searching.full_text import MAX_KEY, MIN_KEY, Matching, key_at

FEW_SESSIONS: Final = 200
"""Up to so many sessions a filter becomes marks that the index itself knows."""
_OVERRUN_SECONDS: Final = 4 * 3_600
"""How far keys may run ahead of their time where many rows share a second."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the index is asked, what rows must fit besides, and why nothing can be found."""

    matching: Matching
    condition: ColumnElement[bool] | None
    notes: tuple[str, ...] = ()


def make_plan(db: sa_orm.Session, query: Query) -> Plan:
    """Return how to answer *query*.

    Raises:
        AmbiguousIdError: `conv:` fits several conversations.
    """
    scope = query.scope
    groups, excluded = list(query.groups), list(query.excluded)
    conditions = list(message_conditions(scope))
    if scope.of_sessions:
        wanted = and_(*session_conditions(db, scope))
        few = _few_sessions(db, wanted)
        if few is None:
            conditions.append(wanted)
        elif few:
            groups.append(tuple(Term(mark("s", key), mark=True) for key in few))
        else:
            return Plan(Matching(()), None, (_nothing_fits(db, scope),))
    low = MIN_KEY if scope.after is None else key_at(db, scope.after)
    below = MAX_KEY if scope.before is None else key_at(db, scope.before + _OVERRUN_SECONDS)
    matching = Matching(tuple(groups), tuple(excluded), low, below)
    return Plan(matching, and_(*conditions) if conditions else None)


def message_conditions(scope: Scope) -> Iterator[ColumnElement[bool]]:
    """Yield what the filters say about a message that the index does not know."""
    if scope.after is not None:
        yield Message.created_at >= scope.after
    if scope.before is not None:
        yield Message.created_at < scope.before
    if scope.archived is not None:
        archived = or_(Message.archived_by.is_not(None), Message.state == MessageState.COMPACTED)
        yield archived if scope.archived else ~archived
    if scope.undone is not None:
        undone = Message.state.in_((MessageState.REWOUND, MessageState.SUPERSEDED))
        yield undone if scope.undone else ~undone


def session_conditions(db: sa_orm.Session, scope: Scope) -> Iterator[ColumnElement[bool]]:
    """Yield what the filters say about a session and its conversation."""
    lists = (
        ("sources", _of_source),
        ("models", _of_model),
        ("origins", _of_origin),
        ("kinds", lambda values: Conversation.kind.in_(values)),
        ("conversations", lambda values: Session.conversation_id.in_(_conversations(db, values))),
    )
    for name, fits in lists:
        if wanted := getattr(scope, name):
            yield fits(wanted)
        if unwanted := getattr(scope, f"not_{name}"):
            yield ~fits(unwanted)


def _of_source(values: Sequence[str]) -> ColumnElement[bool]:
    return cast(ColumnElement[bool], _lower(Session.source).in_(_lowered(values)))


def _of_model(values: Sequence[str]) -> ColumnElement[bool]:
    return or_(*(_lower(Session.model).contains(value.lower(), autoescape=True) for value in values))


def _of_origin(values: Sequence[str]) -> ColumnElement[bool]:
    return Session.origin_id.in_(select(Origin.id).where(_lower(Origin.label).in_(_lowered(values))))


def _lower(column: Any) -> Any:
    return func.lower(func.coalesce(column, ""))


def _conversations(db: sa_orm.Session, ids: Sequence[str]) -> list[int]:
    """Return the keys of conversations by any of their ids.

    Raises:
        AmbiguousIdError: an id fits several.
    """
    return [found[1] for one in ids if (found := find_session(db, one)) is not None]


def _few_sessions(db: sa_orm.Session, wanted: ColumnElement[bool]) -> list[int] | None:
    """Return the sessions that fit, or None where they are many."""
    stmt = select(Session.id).join(Conversation, Conversation.id == Session.conversation_id)
    found = list(db.scalars(stmt.where(wanted).limit(FEW_SESSIONS + 1)))
    return found if len(found) <= FEW_SESSIONS else None


def _nothing_fits(db: sa_orm.Session, scope: Scope) -> str:
    """Say which values there are, where a filter about sessions fits none."""
    if scope.conversations and not _conversations(db, scope.conversations):
        return f"no conversation has the id {', '.join(scope.conversations)}"
    known: list[str] = []
    if scope.sources:
        known = list(db.scalars(select(Session.source).distinct().limit(12)))
    elif scope.origins:
        known = list(db.scalars(select(Origin.label).limit(12)))
    elif scope.models:
        known = list(db.scalars(select(Session.model).distinct().limit(12)))
    there = ", ".join(sorted(one for one in known if one))
    return "no session fits these filters" + (f"; there are: {there}" if there else "")


def _lowered(values: Sequence[str]) -> list[str]:
    return [value.lower() for value in values]
