"""Which replica is read, as a function of what was seen."""

from collections import Counter
from typing import Any

import pytest

from hermes_sessions.store.opening.replica_choice import (
    KEPT_SAMPLES,
    STALE_SECONDS,
    ReplicaState,
    Standing,
    Wish,
    as_heard,
    holds,
    in_order,
    lag_seconds,
    left_out,
    remember,
)

NOW = 1000.0


def seen(name: str = "a", **columns) -> ReplicaState:
    return ReplicaState(
        name=name, **{"looked_at": NOW, "replayed": 100, "lag_bytes": 0, "lag_seconds": 0.0, **columns}
    )


@pytest.mark.parametrize(
    ("state", "words"),
    [
        pytest.param(seen(), None, id="well"),
        pytest.param(seen(lag_seconds=9.0), None, id="a little behind"),
        pytest.param(seen(lag_seconds=11.0), "11 s behind the primary", id="too far behind"),
        pytest.param(seen(problem="cannot be reached"), "cannot be reached", id="down"),
        pytest.param(seen(looked_at=NOW - STALE_SECONDS - 1), "has not answered for 6 s", id="silent"),
    ],
)
def test_why_a_replica_is_left_out(state: ReplicaState, words: str | None) -> None:
    assert left_out(state, max_lag_seconds=10.0, now=NOW) == words


def test_figures_that_are_too_old_are_not_told() -> None:
    assert as_heard(seen(), NOW + STALE_SECONDS + 1).lag_seconds is None
    assert as_heard(seen(), NOW + STALE_SECONDS - 1).lag_seconds == 0.0


def names(states: list[ReplicaState], reader: str) -> list[str]:
    return [one.name for one in in_order(states, reader, max_lag_seconds=10.0, now=NOW)]


def test_readers_are_spread_and_each_stays_where_it_is() -> None:
    three = [seen("a"), seen("b"), seen("c")]
    first = {str(reader): names(three, str(reader)) for reader in range(300)}
    assert all(60 < count < 140 for count in Counter(order[0] for order in first.values()).values())
    assert all(names(three[::-1], reader) == order for reader, order in first.items())


def test_only_the_readers_of_a_replica_that_goes_are_moved() -> None:
    well, ill = [seen("a"), seen("b"), seen("c")], [seen("a"), seen("b", problem="down"), seen("c")]
    for reader in map(str, range(100)):
        before = names(well, reader)
        assert names(ill, reader) == [one for one in before if one != "b"]


@pytest.mark.parametrize(
    ("standing", "wish", "at_least", "expected"),
    [
        pytest.param({}, {}, 0, True, id="nothing wished for"),
        pytest.param({}, {"position": 100}, 0, True, id="just replayed"),
        pytest.param({}, {"position": 101}, 0, False, id="own change not replayed"),
        pytest.param({}, {"cursor": 7}, 0, True, id="told of it"),
        pytest.param({}, {"cursor": 8}, 0, False, id="told of something newer"),
        pytest.param({}, {}, 101, False, id="restarted at an older place"),
        pytest.param({"replica": False}, {}, 0, False, id="promoted"),
    ],
)
def test_what_a_replica_must_hold(
    standing: dict[str, Any], wish: dict[str, Any], at_least: int, expected: bool
) -> None:
    there = Standing(**{"replica": True, "position": 100, "cursor": 7, "token": "t", **standing})
    assert holds(there, Wish(reader="r", **wish), at_least=at_least) is expected


HISTORY = ((10.0, 100), (12.0, 200), (15.0, 300))


@pytest.mark.parametrize(
    ("replayed", "since_replay", "expected"),
    [
        pytest.param(300, 900.0, 0.0, id="everything, however old"),
        pytest.param(350, None, 0.0, id="more than was seen of the primary"),
        pytest.param(250, 900.0, 5.0, id="since the look that found more"),
        pytest.param(150, None, 8.0, id="since an earlier one"),
        pytest.param(50, None, 10.0, id="at least since the first look"),
        pytest.param(50, 900.0, 900.0, id="before the first look the servers' clocks say more"),
        pytest.param(50, 1.0, 10.0, id="and never less"),
    ],
)
def test_how_far_behind(replayed: int, since_replay: float | None, expected: float) -> None:
    assert lag_seconds(HISTORY, replayed, now=20.0, since_replay=since_replay) == expected


def test_nothing_known_of_the_primary_is_no_lag() -> None:
    assert lag_seconds((), 50, now=20.0) == 0.0


def test_the_history_grows_with_the_log_only_and_not_forever() -> None:
    history = remember((), 1.0, 100)
    assert remember(history, 2.0, 100) == history
    for step in range(2 * KEPT_SAMPLES):
        history = remember(history, 2.0 + step, 101 + step)
    assert len(history) == KEPT_SAMPLES
    assert history[-1] == (2.0 + 2 * KEPT_SAMPLES - 1, 100 + 2 * KEPT_SAMPLES)


def test_a_log_that_went_back_begins_a_new_history() -> None:
    assert remember(HISTORY, 30.0, 250) == ((30.0, 250),)
