"""What a process that reads families says of them, on its way through a pipe: frames of pickled values.

A frame is its length in eight bytes, then the value. Both ends are this program, and nobody else has
the pipe: no value comes from a foreign file as a pickle.
"""

import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, Final, NamedTuple

from hermes_sessions.agents.contract import PortableSource
from hermes_sessions.agents.values import Family, MessageBatches, MessageRow, Rejected, Verdict, Warned
from hermes_sessions.messages import MessageKind
from hermes_sessions.operations.writing.ready_rows import ReadyBatches
from hermes_sessions.store.language.indexed_text import halved, indexable_words, is_searchable

_LENGTH: Final = 8
WHOLE_ROWS: Final = 4_000
"""A family with more rows is sent in pieces: it is stored piece by piece as well."""
READY_CHARS: Final = 24_000_000
"""A family with more is not stored together with others, nor held as rows that are ready."""


class ReadingOrder(NamedTuple):
    """The first frame to a reading process: what it reads from, and how its agent frames a summary."""

    source: PortableSource
    grammar: str


class FamilyTask(NamedTuple):
    """A family to be read.

    Attributes:
        prepared: what the index gets of its rows is to be made too: all of them are new.
    """

    ids: tuple[str, ...]
    prepared: bool


class SentRows(NamedTuple):
    """A batch of rows of one session, each as a plain tuple in the order of `MessageRow`.

    Where what the index gets holds the row's text as it is, only what is before and after that is sent.
    """

    session: str
    rows: Sequence[tuple[Any, ...]]

    @classmethod
    def of(cls, session: str, rows: Iterable[MessageRow]) -> "SentRows":
        """Return *rows* as they are sent."""
        return cls(session, [_halved(row) for row in rows])

    def batch(self) -> tuple[str, Sequence[MessageRow]]:
        """Return the batch as a `Family` has it."""
        return self.session, [MessageRow._make(row) for row in self.rows]


def _halved(row: MessageRow) -> tuple[Any, ...]:
    words = row.indexed
    return (*row[:-1], halved(words, row.text)) if isinstance(words, str) else tuple(row)


def batches_of(family: Family, *, prepared: bool) -> Iterator[SentRows]:
    """Yield the rows of *family* as they are sent; *prepared*: with what the index gets of them."""
    for session, rows in family.batches():
        yield SentRows.of(session, (_prepared(row, family) for row in rows) if prepared else rows)


def listed(batches: Iterable[SentRows], most_chars: int) -> list[SentRows] | None:
    """Return *batches*; None, and no more of them is read, once their texts are longer than *most_chars*."""
    found: list[SentRows] = []
    chars = 0
    for batch in batches:
        chars += sum(len(value) for row in batch.rows for value in row if isinstance(value, str))
        if chars > most_chars:
            return None
        found.append(batch)
    return found


def _prepared(row: MessageRow, family: Family) -> MessageRow:
    """Return *row* with what the index gets of it; as it is where search does not find it."""
    verdict = family.verdicts.get(row.ref)
    columns = {
        "role": row.role,
        "kind": MessageKind.MESSAGE.value if verdict is None else verdict.kind.value,
        "copy_of": None if verdict is None else verdict.copy_of,
        "text": row.text,
        "tool_name": row.tool_name,
        "tool_calls": row.tool_calls,
        "tool_call_id": row.tool_call_id,
    }
    return row._replace(indexed=indexable_words(columns)) if is_searchable(columns) else row


class FamilyNotes(NamedTuple):
    """What was odd in a family.

    Attributes:
        restarts: where its files may be read on from, for the cursor (`RestartingSource`).
    """

    rejected: Sequence[Rejected]
    warnings: Sequence[Warned]
    restarts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SentFamily:
    """A family; its rows are in `batches`, or in frames of their own up to an `EndOfFamily`.

    Attributes:
        family: without batches and verdicts.
        verdicts: by the row's `ref`, each as a plain tuple: there may be one for every row.
        batches: ready to be stored, or as they were read; None where they follow.
        notes: None where they follow.
    """

    family: Family
    verdicts: Mapping[int, tuple[Any, ...]]
    batches: ReadyBatches | Sequence[SentRows] | None
    notes: FamilyNotes | None

    def whole(self) -> Family | None:
        """Return the family with its rows; None where they follow."""
        if self.batches is None or isinstance(self.batches, ReadyBatches):
            return None if self.batches is None else self.read(self.batches)
        rows = [one.batch() for one in self.batches]
        return self.read(lambda: iter(rows))

    def read(self, batches: MessageBatches) -> Family:
        """Return the family with its rows and what was found out about them."""
        verdicts = {ref: Verdict._make(told) for ref, told in self.verdicts.items()}
        return replace(self.family, batches=batches, verdicts=verdicts)


def sent_family(
    family: Family, batches: ReadyBatches | Sequence[SentRows] | None = None, notes: FamilyNotes | None = None
) -> SentFamily:
    """Return *family* as it is sent."""
    told = {ref: tuple(one) for ref, one in family.verdicts.items()}
    return SentFamily(replace(family, batches=_no_rows, verdicts={}), told, batches, notes)


def _no_rows() -> Iterator[tuple[str, list[MessageRow]]]:
    return iter(())


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
