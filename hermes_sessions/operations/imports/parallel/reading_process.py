"""A process that reads families for an import: it decodes, concludes, checks, and makes texts of the index.

It sees the agent's files and no store. It ends when whoever started it closes its end of a pipe, or is
gone.
"""

import os
import signal
import sys
from collections.abc import Iterator
from typing import BinaryIO, Final

from hermes_sessions.agents.checked import CheckedSource
from hermes_sessions.agents.contract import Source
from hermes_sessions.operations.imports.parallel.family_frames import (
    READY_CHARS,
    WHOLE_ROWS,
    EndOfFamily,
    FailedFamily,
    FamilyNotes,
    FamilyTask,
    ReadingOrder,
    batches_of,
    listed,
    packed,
    read_frame,
    sent_family,
    unpacked,
)
from hermes_sessions.operations.writing.ready_rows import ready_batches

WHOLE_CHARS: Final = 64_000_000
"""Of a family that is sent in one piece; one with more is left to whoever asked."""


def main() -> None:
    """Read what the standard input asks for and write it to the standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who asks is interrupted, and ends this
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever an agent's importer prints is no frame
    try:
        _serve(sys.stdin.buffer, out)
        out.close()
    except BrokenPipeError:
        os._exit(0)  # nobody waits for an answer; what is left in the buffer cannot be written


def _serve(asked: BinaryIO, out: BinaryIO) -> None:
    first = read_frame(asked)
    if first is None:
        return
    order: ReadingOrder = unpacked(first)
    with order.source.opened() as opened:
        reader = _FamilyReader(opened, order.grammar)
        while (frame := read_frame(asked)) is not None:
            for one in reader.answer(unpacked(frame)):
                out.write(one)
            out.flush()


class _FamilyReader:
    """Reads families of one source, and knows which of its notes were sent already."""

    def __init__(self, source: Source, grammar: str) -> None:
        self._grammar = grammar
        self._source = CheckedSource(source)
        _ = self._source.entries  # ids that are stored in another form are known from here on
        self._source.take_notes()  # whoever asks has these already

    def answer(self, task: FamilyTask) -> Iterator[bytes]:
        """Yield the frames about one family."""
        try:
            yield from self._frames(task)
        except Exception:  # of whatever kind: whoever asked reads the family again, and reports what it meets
            yield packed(FailedFamily())

    def _frames(self, task: FamilyTask) -> Iterator[bytes]:
        family = self._source.read(task.ids)
        if task.prepared and family.row_count <= WHOLE_ROWS:
            ready = ready_batches(family, self._grammar, READY_CHARS)
            if ready is not None:
                yield packed(sent_family(family, ready, self._new_notes()))
                return
        batches = batches_of(family, prepared=task.prepared)
        if family.row_count <= WHOLE_ROWS:
            whole = listed(batches, WHOLE_CHARS)
            if whole is None:
                self._source.take_notes()  # whoever asked makes them again
                yield packed(FailedFamily())
                return
            yield packed(sent_family(family, whole, self._new_notes()))
            return
        yield packed(sent_family(family))
        for batch in batches:
            yield packed(batch)
        yield packed(EndOfFamily(self._new_notes()))

    def _new_notes(self) -> FamilyNotes:
        return FamilyNotes(*self._source.take_notes(), self._source.take_restarts())
