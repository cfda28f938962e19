"""What a process that reads families says of them, on its way through a pipe: frames of pickled values.

A frame is its length in eight bytes, then the value. Both ends are this program, and nobody else has
the pipe: no value comes from a foreign file as a pickle.
"""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, NamedTuple

from hermes_sessions.agents.contract import PortableSource
from hermes_sessions.agents.values import Family, MessageRow, Rejected, Warned

_LENGTH: Final = 8


class ReadingOrder(NamedTuple):
    """The first frame to a reading process: what it reads from."""

    source: PortableSource


class FamilyTask(NamedTuple):
    """A family to be read.

    Attributes:
        prepared: what the index gets of its rows is to be made too: all of them are new.
    """

    ids: tuple[str, ...]
    prepared: bool


class SentRows(NamedTuple):
    """A batch of rows of one session, each as a plain tuple in the order of `MessageRow`."""

    session: str
    rows: Sequence[tuple[Any, ...]]

    def batch(self) -> tuple[str, Sequence[MessageRow]]:
        """Return the batch as a `Family` has it."""
        return self.session, [MessageRow._make(row) for row in self.rows]


class FamilyNotes(NamedTuple):
    """What was odd in a family."""

    rejected: Sequence[Rejected]
    warnings: Sequence[Warned]


@dataclass(frozen=True, slots=True)
class SentFamily:
    """A family; its rows are in `batches`, or in frames of their own up to an `EndOfFamily`.

    Attributes:
        family: without batches.
        batches: None where they follow.
        notes: None where they follow.
    """

    family: Family
    batches: Sequence[SentRows] | None
    notes: FamilyNotes | None


@dataclass(frozen=True, slots=True)
class EndOfFamily:
    """The last frame of a family that was sent in pieces."""

    notes: FamilyNotes


@dataclass(frozen=True, slots=True)
class FailedFamily:
    """A family that could not be read to its end; whoever asked reads it and meets the reason."""


Sent = SentFamily | SentRows | EndOfFamily | FailedFamily


def packed(value: object) -> bytes:
    """Return *value* as a frame."""
    written = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return len(written).to_bytes(_LENGTH, "big") + written


def read_frame(stream: BinaryIO) -> bytes | None:
    """Return the next frame without its length; None where the other end is gone."""
    length = stream.read(_LENGTH)
    if len(length) < _LENGTH:
        return None
    size = int.from_bytes(length, "big")
    written = stream.read(size)
    return written if len(written) == size else None


def unpacked(frame: bytes) -> Any:
    """Return the value of a frame."""
    return pickle.loads(frame)
