"""The one who stores reads families itself only while the processes would be done last."""

import pytest

from hermes_sessions.operations.imports.parallel.pace import Pace


@pytest.fixture
def clock() -> list[float]:
    """The time, which tests set."""
    return [0.0]


def paced(clock: list[float], *, reading: float, storing: float) -> Pace:
    """Return a pace of 10,000 rows, of which 2,500 were read here and stored, in so many seconds a row."""
    pace = Pace(10_000, lambda: clock[0])
    for _ in range(2):
        pace.begins()
        with pace.reading() as rows:
            clock[0] += 1_250 * reading
            rows.append(1_250)
        pace.ends(1_250)
        clock[0] += 1_250 * storing
    pace.begins()
    return pace


def test_reading_is_behind_where_a_row_takes_longer_than_to_store_it(clock):
    assert paced(clock, reading=2.0, storing=1.0).is_reading_behind(0, processes=1)
    assert not paced(clock, reading=1.0, storing=2.0).is_reading_behind(0, processes=1)


def test_several_processes_read_faster(clock):
    assert not paced(clock, reading=2.0, storing=1.5).is_reading_behind(0, processes=2)


def test_what_was_read_here_is_not_left_to_be_read(clock):
    assert not paced(clock, reading=2.0, storing=1.5).is_reading_behind(4_000, processes=1)


def test_as_long_as_nothing_is_stored_it_is_worth_reading(clock):
    assert Pace(10_000, lambda: clock[0]).is_reading_behind(0, processes=1)


def test_what_is_read_or_waited_for_between_two_families_is_not_the_time_of_storing(clock):
    pace = paced(clock, reading=2.0, storing=1.0)
    pace.ends(1_000)
    clock[0] += 1_000
    with pace.waiting():
        clock[0] += 100_000
    with pace.reading() as rows:
        clock[0] += 200_000
        rows.append(100_000)
    pace.begins()
    assert pace.is_reading_behind(0, processes=1)


def test_a_family_whose_rows_are_read_later_says_nothing_of_the_time_it_takes(clock):
    pace = paced(clock, reading=2.0, storing=1.5)
    with pace.reading():
        clock[0] += 1
    assert pace.is_reading_behind(0, processes=1)


def test_a_family_is_read_here_while_the_processes_are_busy_longer_with_the_others(clock):
    pace = paced(
        clock, reading=2.0, storing=1.0
    )  # 7,500 rows are left: 15,000 s to be read, 7,500 to be stored
    assert pace.is_reading_behind(0, processes=1, rows=1_800)
    assert not pace.is_reading_behind(0, processes=1, rows=2_000)
