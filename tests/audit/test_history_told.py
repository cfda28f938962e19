"""What a faithful handoff tells of how the work went, and what somebody tampered with in it."""

import pytest

from hermes_sessions.audit.directives.conditions import is_condition
from tests.audit.builders import assistant, call, tool, user
from tests.audit.test_check import departures, graver

VITEST = [
    user("The unit tests broke. Repair them please."),
    assistant("", call("terminal", command="npx vitest run")),
    tool("c1", "Tests  1 failed | 55 passed (56)"),
    assistant("separates tenants passes now. evicts oldest still expects 200 entries."),
    user("Adapt that test to 120, then commit. No push, CI is frozen."),
    assistant("All 56 tests pass, committed as e3a90b7d on refactor/query-cache, not pushed."),
    user("Go on"),
]
VENUE = [
    user("Find a venue, 22 participants, 9,400 EUR at most."),
    assistant("De Oude Drukkerij costs 640 EUR a day. So De Oude Drukkerij: 3 days, 1,920 EUR."),
    assistant("A caterer offers lunch for 23.50 EUR a person and day."),
    user("Wait with the caterer until Ruben has compared prices. Femke sends the names."),
]


def test_a_state_in_between_is_not_denied_by_the_last_one() -> None:
    assert graver('Then 1 failed, 55 passed; the test "evicts oldest" was adapted to 120.', VITEST) == []
    assert graver("All 56 tests pass, committed and pushed.", VITEST) != []


def test_an_amount_that_the_line_works_out_is_no_other_amount() -> None:
    assert graver("Catering: 23.50 EUR x 22 x 3 = 1,551 EUR, not ordered.", VENUE) == []
    assert any(
        "1,515" in one[2]
        for one in departures("Catering: 23.50 EUR x 22 x 3 = 1,515 EUR, not ordered.", VENUE)
    )


def test_what_a_share_is_of_belongs_to_the_share() -> None:
    line = "The venue is De Oude Drukkerij, about 1.9k EUR for three days (20 % of the 9,400 EUR)."
    assert graver(line, VENUE) == []


def test_the_work_waits_for_one_person_alone() -> None:
    assert graver("Catering is on hold until Ruben has compared prices.", VENUE) == []
    assert departures("Catering is on hold until Femke has compared prices.", VENUE) != []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Lunch at 12:15, not later; 11 are vegetarian.", True),
        ("Abfahrt spätestens um 9:40", True),
        ("Departamento: salida a las 8:00 a más tardar", True),
        ("Book the bus by 9:40 at the latest", False),
        ("Send the letter, no later than Friday", False),
    ],
)
def test_a_limit_in_time_is_a_condition_where_nobody_has_to_do_anything(line: str, expected: bool) -> None:
    assert is_condition(line) is expected
