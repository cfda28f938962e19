"""An overview adds up what a time holds, by local days, at a cost that does not grow with messages."""

from typing import Any

import pytest
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.overview import Offset, OverviewQuery, active_span, load_overview
from hermes_sessions.store.schema.models import Conversation, Session
from tests.builders import NOON, a_compaction, a_conversation, a_message, a_session
from tests.statements import recorded

DAY = 86_400.0
FIRST = int(NOON // DAY)


def talk(db: OrmSession, at: float = NOON, *, messages: int = 1, **columns: Any) -> Conversation:
    conversation = a_conversation(db, started_at=at, **columns)
    for _ in range(messages):
        a_message(db, db.get_one(Session, conversation.root_id), created_at=at)
    return conversation


def test_days_count_conversations_and_their_messages_by_kind(db: OrmSession) -> None:
    talk(db, NOON, messages=3)
    talk(db, NOON + 60, messages=2)
    talk(db, NOON + 60, kind="scheduled")
    talk(db, NOON + DAY)
    a_conversation(db)  # nothing was said in it
    days = load_overview(db, OverviewQuery()).days
    assert [(one.day - FIRST, one.kind, one.conversations, one.messages) for one in days] == [
        (0, "chat", 2, 5),
        (0, "scheduled", 1, 1),
        (1, "chat", 1, 1),
    ]


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        pytest.param(NOON + DAY / 2, 1, id="midnight begins a day"),
        pytest.param(NOON + DAY / 2 - 0.25, 0, id="a moment before it does not"),
        pytest.param(NOON - DAY / 2, 0, id="the day's own midnight"),
    ],
)
def test_days_begin_at_midnight(db: OrmSession, at: float, expected: int) -> None:
    talk(db, at)
    [day] = load_overview(db, OverviewQuery()).days
    assert day.day - FIRST == expected


def test_days_follow_the_clock_and_its_changes(db: OrmSession) -> None:
    change = NOON + 10 * DAY
    offsets = (Offset(NOON, 3_600), Offset(change, 7_200))
    half_past_ten = NOON + 10.5 * 3_600
    talk(db, half_past_ten)  # 23:30 with one hour ahead
    talk(db, half_past_ten + 11 * DAY)  # 0:30 of the next day with two
    days = [one.day - FIRST for one in load_overview(db, OverviewQuery(offsets=offsets)).days]
    assert days == [0, 12]


def test_a_time_holds_its_beginning_and_not_its_end(db: OrmSession) -> None:
    for at in (NOON - 1, NOON, NOON + DAY - 1, NOON + DAY):
        talk(db, at)
    found = load_overview(db, OverviewQuery(since=NOON, until=NOON + DAY))
    assert sum(group.conversations for group in found.sources) == 2


def test_groups_add_up_tokens_and_the_best_known_cost(db: OrmSession) -> None:
    one = talk(db, source="cli", model="model-a", messages=2)
    one.input_tokens, one.output_tokens, one.estimated_cost_usd = 100, 10, 1.0
    two = talk(db, source="cli", model="")
    two.input_tokens, two.estimated_cost_usd, two.actual_cost_usd = 1, 9.0, 0.5
    db.flush()
    found = load_overview(db, OverviewQuery())
    [cli] = found.sources
    assert (cli.name, cli.conversations, cli.messages) == ("cli", 2, 3)
    assert (cli.input_tokens, cli.output_tokens, cli.cost_usd, cli.estimated) == (101, 10, 1.5, 1)
    assert [group.name for group in found.models] == ["model-a", None]


def test_compactions_say_what_they_saved_by_either_count(db: OrmSession) -> None:
    child = a_session(db, talk(db))
    sizes = {"sizes": {"before": 700, "after": 300}}
    a_compaction(db, child, tokens_before=900, tokens_after=100, finished_at=NOON, retained=0.5)
    a_compaction(db, child, realisation="in_place", finished_at=NOON, audit=sizes, retained=0.25)
    a_compaction(db, child, realisation="in_place", finished_at=NOON, status="undone")
    a_compaction(db, child, realisation="in_place", finished_at=NOON + DAY)
    found = load_overview(db, OverviewQuery())
    first, second = found.compactions
    assert (first.compactions, first.told, first.told_saved) == (2, 1, 800)
    assert (first.measured, first.measured_saved) == (1, 400)
    assert (second.compactions, second.told, second.measured) == (1, 0, 0)
    assert found.retained == pytest.approx(0.375)


def test_leaders_are_the_largest_of_the_time(db: OrmSession) -> None:
    for number in range(1, 8):
        talk(db, messages=number, id=f"c{number}")
    talk(db, NOON + DAY, messages=20, id="later")
    biggest = load_overview(db, OverviewQuery(until=NOON + DAY)).biggest
    assert [one.public_id for one in biggest] == ["c7", "c6", "c5", "c4", "c3"]


def test_the_size_is_that_of_the_whole_store(db: OrmSession) -> None:
    a_compaction(db, a_session(db, talk(db, messages=4)))
    size = load_overview(db, OverviewQuery(until=NOON - DAY)).size
    assert (size.conversations, size.sessions, size.rows, size.compactions) == (1, 2, 4, 1)
    assert size.bytes > 10_000


def test_an_empty_store_has_an_empty_overview(db: OrmSession) -> None:
    found = load_overview(db, OverviewQuery())
    assert (found.days, found.sources, found.biggest, found.retained) == ((), (), (), None)
    assert active_span(db) is None


def test_no_statement_reads_messages(db: OrmSession, database: Database) -> None:
    talk(db, messages=3)
    db.commit()
    with recorded(database) as statements, database.read() as reading:
        load_overview(reading, OverviewQuery())
    assert statements
    assert not any(
        "messages." in statement.replace("sum(sessions.message_count)", "") for statement, _ in statements
    )
