"""One value of a handoff that belongs to something else in the transcript."""

import pytest

from tests.audit.builders import assistant, user
from tests.audit.relations.test_relations import accusations, remarks

HALLS = (
    user("Vents open at 26 °C in the nursery and at 29 °C in the main hall."),
    assistant("The config says: nursery opens at 31, main hall at 29. Fans start at 33 °C in both halls."),
)
BOARDS = (
    user("Sensor boards rev C drop off the bus every 40 minutes, rev B boards do not."),
    assistant("I suspect the watchdog: on rev C it fires after 2,400 s. The bus speed is 400 kHz."),
)
COMMITS = (
    user("The page is slow since the deploy."),
    assistant("The cause is 7ac91d0, which shortened the cache. The log change 19be44f is harmless."),
)
SPEED = (
    user("The copy needs 70 minutes for 900 GB, I think."),
    assistant("Limited to 200 MB/s. That makes it roughly 75 minutes."),
)


@pytest.mark.parametrize(
    ("said", "summary"),
    [
        (HALLS, "Fans start at 29 °C."),
        (BOARDS, "Rev B sensor boards drop off the bus every 40 minutes."),
        (COMMITS, "Cause: 19be44f, it shortened the cache."),
    ],
)
def test_a_value_of_something_else_is_found(said, summary):
    assert "bound-elsewhere" in {rule for rule, _ in remarks(summary, *said)}


@pytest.mark.parametrize(
    ("said", "summary"),
    [
        (HALLS, "Fans start at 33 °C."),
        (HALLS, "The main hall opens at 29 °C."),
        (BOARDS, "Rev C sensor boards drop off the bus every 40 minutes."),
        (COMMITS, "Cause: 7ac91d0, it shortened the cache."),
        (SPEED, "The copy of 900 GB takes about 75 minutes."),
    ],
)
def test_a_value_where_it_belongs_is_not_accused(said, summary):
    assert accusations(summary, *said) == []
