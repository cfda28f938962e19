"""A `Source` whose families other processes read while the ones before are stored: all cores, one writer.

Families come in the order in which they are planned, with the same values and the same notes as
without processes. What a process cannot answer (it was killed, or met an error) is read here; so is a
family further on, instead of waiting for an answer.
"""

import contextlib
import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from hermes_sessions.agents.checked import CheckedSource
from hermes_sessions.agents.contract import Cursor, Entry, Opening, Source
from hermes_sessions.agents.values import Family, MessageBatches, MessageRow, Rejected, Warned
from hermes_sessions.errors import SourceChangedError, SourceError
from hermes_sessions.operations.imports.parallel.family_frames import (
    READY_CHARS,
    WHOLE_ROWS,
    EndOfFamily,
    FamilyNotes,
    FamilyTask,
    SentFamily,
    SentRows,
    batches_of,
    listed,
)
from hermes_sessions.operations.imports.parallel.pace import Pace
from hermes_sessions.operations.imports.parallel.reading_pool import (
    EarlyProcesses,
    ReadingPool,
    ReadingProcess,
)
from hermes_sessions.operations.writing.ready_rows import ready_batches

logger = logging.getLogger(__name__)

LEAST_ROWS: Final = 12_000
"""An import with fewer rows than this is over before a process would have begun to help."""
_FIRST_ROWS: Final = 1_000
"""So many rows are read here while the processes start, or the first family, whose rows are nobody's else."""
_FIRST_FAMILY: Final = 8_000
"""A first family with more rows is a process's: it is stored while it is read."""
_AHEAD_ROWS: Final = 3_500
"""So many rows a process has before it when its answer is being stored, in two families at least."""
_MOST_HELD: Final = 8_000
"""So many rows at most are read here beforehand, where the one who stores would wait for an answer."""
_KEPT_NOTES: Final = 10_000

Batches = Iterator[tuple[str, Sequence[MessageRow]]]


class ReadingHelp(NamedTuple):
    """What may be had from other processes.

    Attributes:
        jobs: how many processes at most are at work, the one that asks included.
        grammar: how the agent frames a summary.
        least_rows: with fewer rows no process is started.
        early: processes that were started before it was known what there is to read.
    """

    jobs: int
    grammar: str
    least_rows: int = LEAST_ROWS
    early: EarlyProcesses | None = None


class PlannedFamily(NamedTuple):
    """A family that will be read.

    Attributes:
        new: none of its sessions is stored, and it is stored as it is read.
        rows: how many, as far as is known before it is read.
    """

    ids: tuple[str, ...]
    new: bool
    rows: int


@contextmanager
def reading_ahead(
    source: CheckedSource, planned: Sequence[PlannedFamily], helping: ReadingHelp
) -> Iterator[Source]:
    """Give a source that has *planned* families read by processes; *source* itself where few are planned."""
    few = sum(one.rows for one in planned) < helping.least_rows
    whole = len(planned) == 1 and planned[0].rows <= _FIRST_FAMILY  # it would be stored after it was read
    portable = None if helping.jobs < 2 or few or whole or not planned else source.portable()
    if portable is None:
        yield source
        return
    with ReadingPool(portable, helping.grammar, helping.jobs - 1, helping.early) as pool:
        yield _ReadingAhead(source, planned, pool.processes, helping.grammar)


class _AskedFamily(NamedTuple):
    planned: PlannedFamily
    process: ReadingProcess


class _ReadingAhead:
    """A `Source`: what it says of the origin is what the source says."""

    def __init__(
        self,
        source: CheckedSource,
        planned: Sequence[PlannedFamily],
        processes: Sequence[ReadingProcess],
        grammar: str,
    ) -> None:
        self._source = source
        self._grammar = grammar
        self._notes: tuple[list[Rejected], list[Warned]] = ([], [])
        self._planned = iter(planned)
        self._asked: dict[tuple[str, ...], _AskedFamily] = {}
        self._load = dict.fromkeys(processes, 0)
        self._open: tuple[str, ...] | None = None
        self._held: dict[tuple[str, ...], Family] = {}
        self._held_rows = 0
        self._new = {one.ids for one in planned if one.new}
        self._pace = Pace(sum(one.rows for one in planned))
        self._following: PlannedFamily | None = None
        rows = 0
        for one in self._planned:
            if one.rows > (_FIRST_FAMILY if not rows else _FIRST_ROWS) or rows >= _FIRST_ROWS:
                self._following = one
                break
            rows += one.rows  # read here
        self._ask()

    @property
    def location(self) -> Path:
        """As it says."""
        return self._source.location

    @property
    def schema_version(self) -> str:
        """As it says."""
        return self._source.schema_version

    @property
    def entries(self) -> Mapping[str, Entry]:
        """As it says."""
        return self._source.entries

    @property
    def damage(self) -> Sequence[str]:
        """As it says."""
        return self._source.damage

    @property
    def rejected(self) -> Sequence[Rejected]:
        """As it says, and what the processes left out."""
        return [*self._source.rejected, *self._notes[0]]

    @property
    def warnings(self) -> Sequence[Warned]:
        """As it says, and what the processes kept raw."""
        return [*self._source.warnings, *self._notes[1]]

    @property
    def complete(self) -> bool:
        """As it says."""
        return self._source.complete

    def openings(self, also: Collection[str] = ()) -> Iterable[tuple[str, Opening]]:
        """Yield what it says."""
        return self._source.openings(also)

    def families(self) -> Sequence[tuple[str, ...]]:
        """Return what it says."""
        return self._source.families()

    def cursor(self) -> Cursor:
        """Return what it says."""
        return self._source.cursor()

    def read(self, ids: Sequence[str]) -> Family:
        """Read a family, or take what a process read of it.

        Raises:
            SourceChangedError: a process ended while the rows of a large family came from it.
        """
        self._pace.begins()
        family = self._taken(ids)
        self._pace.ends(family.row_count)
        return family

    # -- inside ------------------------------------------------------------------------------------

    def _taken(self, ids: Sequence[str]) -> Family:
        self._pass_open()
        held = self._held.pop(tuple(ids), None)
        if held is not None:
            self._held_rows -= held.row_count
            return held
        asked = self._asked.pop(tuple(ids), None)
        if asked is None:
            return self._read_here(tuple(ids))
        self._use_the_wait(asked.process)
        sent = asked.process.answer()
        self._settle(asked, ended=sent is None)
        if not isinstance(sent, SentFamily):
            return self._source.read(ids)
        if sent.batches is None:
            self._open = tuple(ids)
            self._asked[self._open] = asked
            stream: Iterator[SentRows] = self._stream(asked)
        if not self._source.claim([row.foreign_id for row in sent.family.sessions]):
            return self._source.read(ids)
        if sent.notes is not None:
            self._note(sent.notes)
        whole = sent.whole()
        if whole is not None:
            return whole
        once = iter([stream])

        def following() -> Batches:
            first = next(once, None)
            if first is None:
                raise SourceChangedError(f"{self.location}: the rows of a family are read once")
            return (one.batch() for one in first)

        return sent.read(following)

    def _ask(self) -> None:
        """Ask each process for families until it has enough to do."""
        while self._following is not None and self._load:
            process = min(self._load, key=lambda one: self._load[one])
            families = sum(one.process is process for one in self._asked.values())
            if self._load[process] >= _AHEAD_ROWS and families > 1:
                return
            self._ask_one(self._following, process)

    def _ask_one(self, one: PlannedFamily, process: ReadingProcess) -> None:
        process.ask(FamilyTask(one.ids, prepared=one.new))
        self._asked[one.ids] = _AskedFamily(one, process)
        self._load[process] += max(1, one.rows)
        self._following = next(self._planned, None)

    def _use_the_wait(self, process: ReadingProcess) -> None:
        """Read families that nobody was asked for, until *process* says something."""
        while not process.has_said:
            one = self._following
            if one is not None and process in self._load and self._load[process] <= _MOST_HELD:
                self._ask_one(one, process)  # it has something to do when it is through with this one
                one = self._following
            if one is None or self._held_rows + one.rows > _MOST_HELD:
                return
            if not self._pace.is_reading_behind(self._held_rows, len(self._load), one.rows):
                return  # what is left to be stored takes longer anyway
            self._following = next(self._planned, None)
            with contextlib.suppress(SourceError):  # it is met again when it is this one's turn
                self._held[one.ids] = self._read_here(one.ids)
                self._held_rows += self._held[one.ids].row_count

    def _read_here(self, ids: tuple[str, ...]) -> Family:
        """Read a family as a process would, so that the time it takes is that of one."""
        with self._pace.reading() as read:
            family = self._source.read(ids)
            if family.row_count > _MOST_HELD:
                return family  # its rows are read as they are stored
            batches = self._held_batches(family) if ids in self._new else None
            read.append(family.row_count)
            return family if batches is None else replace(family, batches=batches)

    def _held_batches(self, family: Family) -> MessageBatches | None:
        """Return all rows of a family, in the form in which it is stored; None where they are too long."""
        if family.row_count <= WHOLE_ROWS:
            return ready_batches(family, self._grammar, READY_CHARS)
        rows = listed(batches_of(family, prepared=True), READY_CHARS)
        return None if rows is None else lambda: (one.batch() for one in rows)

    def _settle(self, asked: _AskedFamily, *, ended: bool = False) -> None:
        """Note that a process is through with a family, whose rows may still come, or has ended."""
        if ended:
            self._miss(asked.process)
        elif asked.process in self._load:
            self._load[asked.process] -= max(1, asked.planned.rows)
        self._ask()

    def _miss(self, process: ReadingProcess) -> None:
        """Ask a process that has ended for nothing more."""
        if self._load.pop(process, None) is not None:
            logger.warning(
                "%s: a process that helps reading (%d) ended; going on without it", self.location, process.pid
            )

    def _stream(self, asked: _AskedFamily) -> Iterator[SentRows]:
        """Yield the rows of a family that comes in pieces."""
        while True:
            self._use_the_wait(asked.process)
            with self._pace.waiting():
                sent = asked.process.answer()
            if isinstance(sent, SentRows):
                yield sent
                continue
            self._open = None
            self._asked.pop(asked.planned.ids, None)
            if sent is None:
                self._miss(asked.process)
            if not isinstance(sent, EndOfFamily):
                why = "a process that read it ended" if sent is None else "it could not be read again"
                raise SourceChangedError(f"{self.location}: {why}; try again")
            self._note(sent.notes)
            return

    def _pass_open(self) -> None:
        """Pass over the rest of a family that nobody wanted to its end."""
        if self._open is not None:
            for _ in self._stream(self._asked[self._open]):
                pass

    def _note(self, notes: FamilyNotes) -> None:
        room = max(0, _KEPT_NOTES - len(self._notes[1]))
        self._notes[0].extend(notes.rejected)
        self._notes[1].extend(chain(notes.warnings[:room]))
        self._source.add_restarts(notes.restarts)
