"""The list of conversations in words: its days, filters and orders. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import Final

from hermes_sessions.store.queries.conversation_order import ConversationOrder
from hermes_sessions.store.queries.conversations import ConversationRow
from hermes_sessions.web.text.filters import day, moment

ORDERS: Final[Mapping[ConversationOrder, str]] = {
    ConversationOrder.ACTIVE: "newest activity",
    ConversationOrder.MESSAGES: "most messages",
    ConversationOrder.COST: "highest cost",
    ConversationOrder.COMPACTIONS: "most compactions",
}
FILTER_LABELS: Final[Mapping[str, str]] = {
    "title": "Title",
    "source": "Source",
    "model": "Model",
    "origin": "Origin",
    "tag": "Tag",
    "pinned": "Pinned",
    "since": "From",
    "until": "To",
    "compacted": "Compactions",
    "archived": "Archived",
}
FILTER_WORDS: Final[Mapping[tuple[str, str], str]] = {
    ("compacted", "yes"): "some",
    ("compacted", "no"): "none",
    ("archived", "yes"): "only",
    ("archived", "no"): "hidden",
}


def in_groups(
    rows: Sequence[ConversationRow], now: float, *, by_time: bool
) -> Iterator[tuple[str, str, list[ConversationRow]]]:
    """Yield (id, words, rows) of each day, in the order of the rows: "Today", "Thu 12 Mar 2026".

    In another order than that of time there is one group without words; of no rows there is none.
    """
    if rows and not by_time:
        yield "", "", list(rows)
        return
    today = datetime.fromtimestamp(now, UTC).astimezone().date()
    named = {today: "Today", today - timedelta(days=1): "Yesterday"}
    for key, group in groupby(rows, key=_day):
        found = list(group)
        words = named.get(key) if key else "At an unknown time"
        yield f"day-{key or 'unknown'}", words or day(found[0].last_active_at), found


def _day(row: ConversationRow) -> date | None:
    when = moment(row.last_active_at)
    return when.date() if when else None
