"""What an agent gives for its sessions on a shelf to be read as a source."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeVar

from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.contract import Entry
from hermes_sessions.agents.told_messages import Refuse, ToldMessage
from hermes_sessions.agents.values import SessionRow

RecordT = TypeVar("RecordT", covariant=True)


class SessionState(NamedTuple):
    """How a session is, without its contents.

    Attributes:
        mark: changes when any of it does.
        rows: how many messages, or pieces of them, it has.
        newest: epoch seconds of its last change; 0 where none is known.
    """

    mark: str
    rows: int
    newest: float


class Shelf(Protocol[RecordT]):
    """Where the sessions of one agent are read from: a database, or a tree of files.

    Attributes:
        schema_version: of what it is, in a word.
        sessions: by id, in the order in which they began.
        states: by id.
    """

    @property
    def schema_version(self) -> str: ...  # noqa: D102
    @property
    def sessions(self) -> Mapping[str, RecordT]: ...  # noqa: D102
    @property
    def states(self) -> Mapping[str, SessionState]: ...  # noqa: D102

    def connect(self, connection: sqlite3.Connection) -> None:
        """Read the same rows through *connection* from now on: the one it had stayed in another process."""
        ...


class HeardOnShelf(Protocol):
    """What is remembered of one message.

    Attributes:
        ref: its number in its family.
        same: a hash that a copy in another session has too.
    """

    @property
    def ref(self) -> int: ...  # noqa: D102
    @property
    def key(self) -> str: ...  # noqa: D102
    @property
    def same(self) -> int: ...  # noqa: D102


class SaidOnShelf(Protocol):
    """A message as the agent has it; `key` is what it is found again by."""

    key: str
    role: str
    text: str


class ShelfOutline(Protocol):
    """One session as far as it was read.

    Attributes:
        unknown: kinds of pieces that nobody here knows, and how many of each.
    """

    @property
    def heard(self) -> Sequence[HeardOnShelf]: ...  # noqa: D102
    @property
    def unknown(self) -> Mapping[str, int]: ...  # noqa: D102


SaidT = TypeVar("SaidT", bound=SaidOnShelf)
OutlineT = TypeVar("OutlineT", bound=ShelfOutline)


class ShelfForm(Protocol[SaidT, OutlineT]):
    """The sessions of one opened shelf, as one agent writes them.

    Attributes:
        version: the schema of the shelf, in a word.
        piece: what messages are made of, as warnings name one.
        states: by session, in the order in which they began.
        parents: session -> the one that it hangs on, which may be gone.
    """

    @property
    def version(self) -> str: ...  # noqa: D102
    @property
    def piece(self) -> str: ...  # noqa: D102
    @property
    def states(self) -> Mapping[str, SessionState]: ...  # noqa: D102
    @property
    def parents(self) -> Mapping[str, str | None]: ...  # noqa: D102

    def connect(self, connection: sqlite3.Connection) -> None:
        """Go on with *connection*, in another process than the one that made this."""
        ...

    def began(self, session: str) -> float | None:
        """Return when a session began, in epoch seconds."""
        ...

    def is_delegate(self, session: str) -> bool:
        """Return whether a session worked for another one."""
        ...

    def outline(self, session: str) -> OutlineT:
        """Return an outline of a session of which nothing was read."""
        ...

    def messages(self, session: str, outline: OutlineT, refuse: Refuse) -> Iterator[SaidT]:
        """Yield the messages of a session in order, and take note of the rest in *outline*.

        *refuse* is told of each record that cannot be read.

        Raises:
            SourceError: it cannot be read any more.
        """
        ...

    def note(self, outline: OutlineT, said: SaidT, ref: int) -> None:
        """Take a message into the outline, as the last that was heard."""
        ...

    def told(self, said: SaidT, place: int) -> ToldMessage:
        """Return what is stored of a message; *place* is its number in its session."""
        ...

    def conclude(self, work: FamilyConclusions, outline: OutlineT, copied: int) -> None:
        """Conclude one session, of whose messages the first *copied* are another's."""
        ...

    def row(self, outline: OutlineT, entry: Entry, copied: int) -> SessionRow:
        """Return the row of a session."""
        ...


def copied_rows(mine: Sequence[HeardOnShelf], theirs: Sequence[HeardOnShelf]) -> int:
    """Return how many of a session's first messages repeat those of another one."""
    count = 0
    for one, other in zip(mine, theirs, strict=False):
        if one.same != other.same:
            break
        count += 1
    return count
