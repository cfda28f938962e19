"""Which replica is read: a choice over frozen values. No I/O, no clock.

Positions are places in the primary's write-ahead log, in bytes; a replica that has
replayed a position holds every commit before it. Times are a monotonic clock's.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

MAX_LAG_SECONDS: Final = 10.0
"""How far behind a replica may be and still be read, unless the user says otherwise."""
STALE_SECONDS: Final = 5.0
"""A replica that nothing was heard of for so long is left out."""
KEPT_SAMPLES: Final = 900

Sample = tuple[float, int]
"""When the primary's log was seen to reach which position."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaState:
    """What the last look at a replica found.

    Attributes:
        name: its address, without a password.
        looked_at: when.
        problem: why it cannot be read at all.
        replayed: the position up to which it holds everything.
        lag_bytes: how much of the primary's log it lacks; None where it could not be asked.
        lag_seconds: since when it lacks something; 0 when it lacks nothing.
    """

    name: str
    looked_at: float
    problem: str | None = None
    replayed: int = 0
    lag_bytes: int | None = None
    lag_seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a server is at one moment.

    Attributes:
        replica: it replays a primary's log.
        position: how far it has replayed.
        cursor: the highest change of a conversation that it holds.
        token: a text that every commit it replays changes.
    """

    replica: bool
    position: int
    cursor: int
    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a reader must find.

    Attributes:
        reader: whose questions they are; the same reader is given the same replica while that is well.
        position: the reader's own last change.
        cursor: the last change of a conversation that the reader was told of.
    """

    reader: str
    position: int = 0
    cursor: int = 0


def left_out(state: ReplicaState, *, max_lag_seconds: float, now: float) -> str | None:
    """Return why a replica is not read; None when it is."""
    if state.problem is not None:
        return state.problem
    silent = now - state.looked_at
    if silent > STALE_SECONDS:
        return f"has not answered for {silent:.0f} s"
    if state.lag_seconds is not None and state.lag_seconds > max_lag_seconds:
        return f"{state.lag_seconds:.0f} s behind the primary"
    return None


def as_heard(state: ReplicaState, now: float) -> ReplicaState:
    """Return the state without figures that are too old to mean anything."""
    if now - state.looked_at <= STALE_SECONDS:
        return state
    return replace(state, lag_bytes=None, lag_seconds=None)


def in_order(
    states: Iterable[ReplicaState], reader: str, *, max_lag_seconds: float, now: float
) -> tuple[ReplicaState, ...]:
    """Return the replicas to try for a reader, the first one first.

    Each reader has an order of its own (rendezvous hashing): readers are spread evenly, one
    reader meets one replica and so never an older state, and a replica that goes moves only its own.
    """
    well = (one for one in states if left_out(one, max_lag_seconds=max_lag_seconds, now=now) is None)
    return tuple(sorted(well, key=lambda state: _digest(reader, state.name)))


def holds(standing: Standing, wish: Wish, *, at_least: int = 0) -> bool:
    """Return whether a server that stands there is a replica that holds what is wished for.

    Args:
        standing: asked of the server just now.
        wish: what is wished for.
        at_least: where it stood before; one that was restarted may begin before that.
    """
    return (
        standing.replica
        and standing.position >= max(wish.position, at_least)
        and standing.cursor >= wish.cursor
    )


def remember(history: Sequence[Sample], now: float, position: int) -> tuple[Sample, ...]:
    """Return the history of the primary's log with one more look at it."""
    if history and position < history[-1][1]:  # another server took over, and lost what was not copied
        return ((now, position),)
    if history and position == history[-1][1]:
        return tuple(history)
    return (*history[-KEPT_SAMPLES + 1 :], (now, position))


def lag_seconds(
    history: Sequence[Sample], replayed: int, *, now: float, since_replay: float | None = None
) -> float:
    """Return since when the primary's log holds something that a replica has not replayed.

    Measured by one clock, ours. Only where the history does not reach back far enough,
    the age of the last transaction it replayed says more, by the servers' clocks.
    """
    missed = next((at for at, position in history if position > replayed), None)
    if missed is None:
        return 0.0
    lag = max(0.0, now - missed)
    if missed == history[0][0] and since_replay is not None:
        return max(lag, since_replay)
    return lag


def _digest(reader: str, name: str) -> bytes:
    return hashlib.blake2b(f"{reader}\0{name}".encode(), digest_size=8).digest()
