"""What an agent's folder gives to the rest of the program. Nothing outside a folder names an agent.

An importer finds an agent's files, opens one origin, bounded at that moment, and reads it family by
family as the plain values of `values`. A writer, where an agent has one, makes a file for that agent
from stored rows. Neither sees the store; the store never sees a file.

What an importer gives is looked at by `checked` before it is stored: values that no engine holds are
replaced and kept in `extra`, rows that contradict each other are rejected, the rest of an importer's
faults is an error of that origin.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, runtime_checkable

from hermes_sessions.agents.values import Family, Rejected, Warned
from hermes_sessions.handoff.grammars.grammar import HandoffGrammar

KEPT_ROWS: Final = 20_000
Cursor: TypeAlias = Mapping[str, Any]
"""JSON of the importer's own: per stream its number, identity, offset, hashes. Opaque to everybody else."""


class Found(NamedTuple):
    """What sync and follow are given: a database, or the root of a tree of files."""

    path: Path
    label: str


class Entry(NamedTuple):
    """The index's line on one session, made without parsing bodies where nothing moved.

    Attributes:
        id: unique in the origin.
        parent: what it hangs on; may dangle.
        mark: opaque; another mark means "look".
        rows: messages that can be read.
        newest: time of its last activity; 0 where none is known.
        stored: False where only messages of it exist.
        grown: only appended to since the cursor.
    """

    id: str
    parent: str | None
    mark: str
    rows: int
    newest: float
    stored: bool
    grown: bool = False


class Opening(NamedTuple):
    """How a session begins: what two origins with the same ids are told apart by."""

    started_at: float | None
    role: str | None
    text: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenOptions:
    """How to open an origin; the clock comes from outside.

    Attributes:
        now: a lock that has not expired by then is at work, not left behind.
        scratch: folder for private copies; None is the system's temporary folder.
        kept_rows: how large a family may be to be held in memory.
        damage: what an earlier reading stumbled on; the file is rescued first.
        full: disregard the cursor: look at everything.
    """

    now: float
    scratch: Path | None = None
    kept_rows: int = KEPT_ROWS
    damage: str | None = None
    full: bool = False


class Source(Protocol):
    """One open origin; what is written to it later is for the next run.

    Attributes:
        entries: every session by id, in the order in which sessions began.
        damage: what could not be read, a line each.
        rejected: rows that are not stored; grows while families are read.
        warnings: values kept raw; grows while families are read.
        complete: False for damage or a partial copy: sessions that are missing are not gone.
    """

    @property
    def location(self) -> Path: ...  # noqa: D102
    @property
    def schema_version(self) -> str: ...  # noqa: D102
    @property
    def entries(self) -> Mapping[str, Entry]: ...  # noqa: D102
    @property
    def damage(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def rejected(self) -> Sequence[Rejected]: ...  # noqa: D102
    @property
    def warnings(self) -> Sequence[Warned]: ...  # noqa: D102
    @property
    def complete(self) -> bool: ...  # noqa: D102

    def openings(self, also: Collection[str] = ()) -> Iterable[tuple[str, Opening]]:
        """Yield how the origin's first sessions begin, and those of *also*: its fingerprint."""
        ...

    def families(self) -> Sequence[tuple[str, ...]]:
        """Return the ids of each family, the family with the newest activity first."""
        ...

    def read(self, ids: Sequence[str]) -> Family:
        """Read and reconstruct one of `families`; streams; only what grew, where it only grew.

        Raises:
            SourceDamagedError: damage was met that had not shown before; open again with it.
            SourceChangedError: the file was replaced meanwhile; open again.
            SourceError: it became unreadable.
        """
        ...

    def cursor(self) -> Cursor:
        """Return where the next run goes on; stored with the last transaction of this one."""
        ...


@runtime_checkable
class GrowingSource(Protocol):
    """A `Source` that can read on from where it was, by what its cursor kept. No source need be one."""

    def read_grown(self, ids: Sequence[str]) -> Family | None:
        """Read what was added to a family since the cursor; None where all of it must be read.

        The family is `grown`: every row that an earlier run read is stored, or was taken away on purpose.
        """
        ...


@runtime_checkable
class RestartingSource(Protocol):
    """A `Source` whose cursor keeps where files may be read on from, found while families are read.

    Attributes:
        restarts: file -> the place, as JSON of the importer's own; grows. What another process found
            is added, so that the cursor is the same whoever read.
    """

    @property
    def restarts(self) -> MutableMapping[str, Any]: ...  # noqa: D102


class PortableSource(Protocol):
    """What a further process needs to read an origin as it was when it was opened; it can be pickled."""

    def opened(self) -> AbstractContextManager[Source]:
        """Open it again.

        Raises:
            SourceError: it is no longer what it was.
        """
        ...


@runtime_checkable
class SharedSource(Protocol):
    """A `Source` whose families other processes may read at the same time. No source need be one."""

    def portable(self) -> PortableSource | None:
        """Return what opens it elsewhere; None where that is impossible, as with damage."""
        ...


@runtime_checkable
class Importer(Protocol):
    """Everything the program asks of one agent's files."""

    @property
    def kind(self) -> str:
        """The word in `origins.kind`; never changes."""
        ...

    @property
    def grammar(self) -> HandoffGrammar:
        """How this agent frames a summary; its name is stored with each handoff."""
        ...

    def discover(self, home: Path, env: Mapping[str, str]) -> Iterator[Found]:
        """Yield what is in the usual places, by names alone; nothing is opened."""
        ...

    def folders(self, home: Path, env: Mapping[str, str]) -> Sequence[Path]:
        """Return the folders in which further ones would appear."""
        ...

    def locate(self, path: Path) -> Path | None:
        """Return what *path* (a file or a folder) means to this importer, by content; None: not mine."""
        ...

    def token(self, path: Path) -> str:
        """Return a text that changes when anything below may have; parses nothing."""
        ...

    def open(self, path: Path, cursor: Cursor | None, options: OpenOptions) -> AbstractContextManager[Source]:
        """Open a located path.

        Raises:
            SourceError: it cannot be read at all.
        """
        ...

    def resume_command(self, session: str) -> str | None:
        """Return the shell command that continues a session in its agent; None: there is none."""
        ...


@runtime_checkable
class VersionedImporter(Protocol):
    """An `Importer` that counts its ways of reading. No importer need be one."""

    @property
    def reading(self) -> int:
        """Raised when it makes something else of the same files: what is stored of them is read again."""
        ...


def reading_of(importer: Importer) -> int:
    """Return the number of an importer's way of reading; 0 where it counts none."""
    return importer.reading if isinstance(importer, VersionedImporter) else 0


# -- rows that come back ---------------------------------------------------------------------------

Line: TypeAlias = dict[str, Any]
"""One checked line of an export of ours: columns by name, links as numbers within the file."""


class RestoredRows(Protocol):
    """What a store held, on its way into one; every line has every field of its kind.

    Attributes:
        origins: by number, from 1, as are `sessions`; `prompts` by hash.
        compactions: complete when `messages` was read to its end.
    """

    @property
    def path(self) -> Path: ...  # noqa: D102
    @property
    def origins(self) -> Sequence[Line]: ...  # noqa: D102
    @property
    def prompts(self) -> Mapping[str, str]: ...  # noqa: D102
    @property
    def sessions(self) -> Sequence[Line]: ...  # noqa: D102
    @property
    def compactions(self) -> Sequence[Line]: ...  # noqa: D102

    def messages(self) -> Iterator[Line]:
        """Yield the messages in order, once.

        Raises:
            SourceError: a line is not what the format says, or the file is cut off.
        """
        ...


@runtime_checkable
class Restorer(Protocol):
    """Brings rows of a store back whole, with what was decided about them; nothing is reconstructed."""

    @property
    def kind(self) -> str:
        """What such files are called."""
        ...

    @property
    def older_kinds(self) -> Collection[str]:
        """What they were called in stores of earlier releases."""
        ...

    def locate(self, path: Path) -> Path | None:
        """Return what *path* means, by content; None: not mine."""
        ...

    def token(self, path: Path) -> str:
        """Return a text that changes when the file does; parses nothing."""
        ...

    def restore(self, path: Path) -> AbstractContextManager[RestoredRows]:
        """Open a located path and read it up to its first message.

        Raises:
            SourceError: it cannot be read, or is not what its format says.
        """
        ...


# -- writing ---------------------------------------------------------------------------------------

Columns: TypeAlias = Mapping[str, Any]
"""A stored row by the names of its columns (`docs/store.md`)."""


class WritableMessage(NamedTuple):
    """A message on its way to a file.

    Attributes:
        columns: its row.
        said: the message as the OpenAI API has it, where the row is not the writer's own kind.
    """

    columns: Columns
    said: Mapping[str, Any] | None


class WritableSession(NamedTuple):
    """A session on its way to a file.

    Attributes:
        columns: its row.
        prompt: its system prompt.
        own: it was imported from files of the writer's kind: what was kept raw is to come back exactly.
        origin: the kind of its origin.
        live: how many of its messages the model sees.
        messages: call it to stream them in order.
    """

    columns: Columns
    prompt: str | None
    own: bool
    origin: str
    live: int
    messages: Callable[[], Iterator[WritableMessage]]


class WritableRows(Protocol):
    """What is to be written; may be read again from the start.

    Attributes:
        next_row_id: above every row id that sessions of the writer's own kind have or had.
    """

    @property
    def next_row_id(self) -> int: ...  # noqa: D102

    def sessions(self) -> Iterator[WritableSession]:
        """Stream the sessions in the order in which they began."""
        ...

    def interrupted(self) -> Iterator[tuple[Columns, float | None]]:
        """Yield the session's columns and the start of each compaction that was begun and not ended."""
        ...


class Written(NamedTuple):
    """What a writer says of its file."""

    schema_version: int
    notes: Sequence[str]


@runtime_checkable
class Writer(Protocol):
    """Makes a file that one agent reads, from what a store has of it and what was made here."""

    @property
    def kind(self) -> str:
        """The word after `export --format`; the kind of its agent's origins."""
        ...

    @property
    def file_type(self) -> str:
        """What such a file is called, in a sentence: "a state.db"."""
        ...

    @property
    def suffix(self) -> str:
        """The ending by which a file's name asks for this format."""
        ...

    def write(self, path: Path, rows: WritableRows) -> Written:
        """Write everything into *path*, an empty file that nobody else knows.

        Raises:
            ExportError: a row cannot be written.
            NotEnoughSpaceError: the disk is full.
        """
        ...
