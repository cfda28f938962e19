"""The overview page: bars, tables behind them, times to choose from."""

import time
from datetime import UTC, date, datetime
from itertools import pairwise

import pytest
from flask.testing import FlaskClient
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.web.overviews.days import (
    Period,
    Unit,
    choose_unit,
    clock_offsets,
    cut,
    day_start,
    local_date,
)
from tests.builders import NOON, a_compaction, a_conversation, a_message, a_session
from tests.web import stories
from tests.web.html import Element, read


def page(client: FlaskClient, address: str = "/overview?range=all") -> Element:
    response = client.get(address)
    assert response.status_code == 200
    return read(response.text)


def chart(found: Element, beginning: str) -> Element:
    return next(one for one in found.by_class("bars") if one.attributes["aria-label"].startswith(beginning))


def test_every_conversation_stands_in_a_bar_and_in_the_table(db: OrmSession, client: FlaskClient) -> None:
    stories.family(db)
    stories.swallowed_reply(db)
    db.commit()
    found = page(client)
    activity = chart(found, "Conversations by the day")
    assert {"tone-chat", "tone-delegate"} == {
        name for rect in activity.by_tag("rect") for name in rect.classes
    }
    figures = found.by_class("figures")[0].by_tag("tbody")[0]
    chats = [one.text for one in figures.all(lambda one: one.attributes.get("data-label") == "Chats")]
    assert sum(int(count) for count in chats) == 3
    assert [one.text for one in activity.by_tag("title")] == ["1 Jan 2026: 3 chats, 1 delegate"]


def test_savings_are_drawn_where_sizes_are_known(db: OrmSession, client: FlaskClient) -> None:
    stories.swallowed_reply(db)
    db.commit()
    found = page(client)
    words = chart(found, "Tokens saved by compactions per day, counted by the agent").attributes["aria-label"]
    assert "82.6k tokens" in words
    assert chart(found, "Compactions per day")


def test_the_last_days_leave_older_ones_out(db: OrmSession, client: FlaskClient) -> None:
    old = a_conversation(db, title="Long ago", started_at=NOON - 400 * 86_400)
    a_message(db, stories.root_of(db, old), created_at=NOON - 400 * 86_400)
    new = a_conversation(db, title="Just now", started_at=time.time() - 60)
    a_message(db, stories.root_of(db, new), created_at=time.time() - 60)
    db.commit()
    for key in ("30", "90", "365"):
        text = page(client, f"/overview?range={key}").text
        assert "Just now" in text
        assert "Long ago" not in text
    assert "Long ago" in page(client).text


def test_a_quiet_time_says_so_and_leads_on(db: OrmSession, client: FlaskClient) -> None:
    a_message(db, stories.root_of(db, a_conversation(db, started_at=1e9)), created_at=1e9)
    db.commit()
    found = page(client, "/overview?range=30")
    assert "Nothing happened in this time." in found.text
    assert found.by_class("empty")[0].by_tag("a")[0].attributes["href"].endswith("range=all")


def test_an_empty_store_says_how_to_fill_it(client: FlaskClient) -> None:
    assert "hermes-sessions import PATH" in page(client).text


def test_unknown_ranges_are_refused(client: FlaskClient) -> None:
    response = client.get("/overview?range=7")
    assert response.status_code == 400
    assert "range is one of 30, 90, 365, all" in response.text


def test_hostile_names_stay_text(db: OrmSession, client: FlaskClient) -> None:
    stories.hostile(db)
    db.commit()
    text = client.get("/overview?range=all").text
    assert "<img" not in text
    assert "<script>" not in text


def test_the_twin_has_the_days_and_the_store(db: OrmSession, client: FlaskClient) -> None:
    child = a_session(db, a_conversation(db, id="one"))
    a_message(db, child)
    a_compaction(db, child, tokens_before=10, tokens_after=4, finished_at=NOON)
    db.commit()
    document = client.get("/api/overview?range=all").get_json()
    assert document["days"][0] == {"day": "2026-01-01", "kind": "chat", "conversations": 1, "messages": 1}
    assert document["compactions"][0]["told_saved"] == 6
    assert document["biggest"][0]["id"] == "one"
    assert document["store"]["rows"] == 1
    assert client.get("/api/overview?range=x").status_code == 400


# -- days ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("last", "unit", "bars"),
    [
        (date(2026, 1, 1), Unit.DAY, 1),
        (date(2026, 4, 10), Unit.DAY, 100),
        (date(2026, 4, 11), Unit.WEEK, 15),
        (date(2028, 12, 31), Unit.MONTH, 36),
        (date(2060, 6, 30), Unit.YEAR, 35),
    ],
)
def test_bars_are_as_fine_as_there_is_room_for(last: date, unit: Unit, bars: int) -> None:
    first = date(2026, 1, 1)
    assert choose_unit(first, last) is unit
    periods = cut(first, last, unit)
    assert len(periods) == bars
    assert (periods[0].first, periods[-1].last) == (first, last)
    assert all(a.last.toordinal() + 1 == b.first.toordinal() for a, b in pairwise(periods))


def test_weeks_begin_on_monday() -> None:
    periods = cut(date(2026, 1, 1), date(2026, 1, 12), Unit.WEEK)
    assert periods[1] == Period(date(2026, 1, 5), date(2026, 1, 11))


def test_clock_changes_are_found_to_the_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        since, until = (datetime(2026, month, 1, tzinfo=UTC).timestamp() for month in (1, 12))
        offsets = clock_offsets(since, until)
        assert [one.seconds for one in offsets] == [3_600, 7_200, 3_600]
        assert offsets[1].since == datetime(2026, 3, 29, 1, tzinfo=UTC).timestamp()
        assert offsets[2].since == datetime(2026, 10, 25, 1, tzinfo=UTC).timestamp()
        assert local_date(day_start(date(2026, 3, 30))) == date(2026, 3, 30)
        assert local_date(day_start(date(2026, 3, 30)) - 1) == date(2026, 3, 29)
    finally:
        monkeypatch.undo()
        time.tzset()


def test_an_overview_begins_with_the_first_activity(db: OrmSession, client: FlaskClient) -> None:
    now = time.time()
    for days in (3, 1):
        made = a_conversation(db, started_at=now - days * 86_400)
        a_message(db, stories.root_of(db, made))
    db.commit()
    lead = page(client, "/overview?range=90").text
    first = local_date(now - 3 * 86_400)
    assert f"{first.day} {first:%b %Y}" in lead
    days = client.get("/api/overview?range=90").json["days"]  # type: ignore[index]
    assert days[0]["day"] == first.isoformat()
    drawn = chart(page(client, "/overview?range=90"), "Conversations by the day")
    assert float(drawn.by_tag("rect")[0].attributes["x"].rstrip("%")) < 25
