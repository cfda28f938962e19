"""In which order a list of conversations stands. The largest value is first; ids break ties."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import ColumnElement, func, literal, tuple_

from hermes_sessions.store.queries.paging import TimeCursor
from hermes_sessions.store.schema.models import Conversation


class ConversationOrder(StrEnum):
    """What is first in a list."""

    ACTIVE = "active"
    MESSAGES = "messages"
    COST = "cost"
    COMPACTIONS = "compactions"


_COLUMNS: Final[Mapping[ConversationOrder, Any]] = {
    ConversationOrder.ACTIVE: Conversation.last_active_at,
    ConversationOrder.MESSAGES: Conversation.message_count,
    ConversationOrder.COST: func.coalesce(
        Conversation.actual_cost_usd, Conversation.estimated_cost_usd, literal(0.0)
    ),
    ConversationOrder.COMPACTIONS: Conversation.compaction_count,
}


def order_value(order: ConversationOrder) -> Any:
    """Return what a list is ordered by."""
    return _COLUMNS[order]


def order_columns(order: ConversationOrder, *, backwards: bool) -> list[ColumnElement[Any]]:
    """Return what to order by, the other way round for a page that is walked backwards."""
    columns = (_COLUMNS[order], Conversation.id)
    return [column.asc() if backwards else column.desc() for column in columns]


def beyond(order: ConversationOrder, cursor: TimeCursor, *, backwards: bool) -> ColumnElement[bool]:
    """Return the condition that a row comes after a cursor, or before it where walked backwards."""
    key = tuple_(_COLUMNS[order], Conversation.id)
    # A list's every row has a value; a cursor without one is of another listing and begins anew.
    edge = tuple_(literal(cursor.at or 0.0), literal(cursor.id))
    return key > edge if backwards else key < edge


def place_of(order: ConversationOrder, row: Any) -> TimeCursor:
    """Return where a listed row stands in the order."""
    values = {
        ConversationOrder.ACTIVE: row.last_active_at,
        ConversationOrder.MESSAGES: row.message_count,
        ConversationOrder.COST: row.cost,
        ConversationOrder.COMPACTIONS: row.compaction_count,
    }
    return TimeCursor(values[order], row.id)
