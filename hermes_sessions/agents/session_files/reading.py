"""What an agent gives for its files to be read as a source, and a session while its family is read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.json_lines.file_state import WrittenState
from hermes_sessions.agents.session_files.survey import FiledFacts, FiledSession, Growth, SessionFile
from hermes_sessions.agents.session_files.told import RememberedMessage, SessionOutline
from hermes_sessions.agents.told_messages import Refuse, ToldMessage

OutlineT = TypeVar("OutlineT", bound=SessionOutline)


@dataclass(slots=True)
class HeardSession(Generic[OutlineT]):
    """A session that was read, to be concluded.

    Attributes:
        parent: the session that it hangs on, concluded before; None where it is not there.
    """

    session: FiledSession
    outline: OutlineT
    parent: "HeardSession[OutlineT] | None"

    @property
    def id(self) -> str:
        """The session's id."""
        return self.session.id

    @property
    def heard(self) -> Sequence[RememberedMessage]:
        """Its messages."""
        return self.outline.heard


class FileFormat(Protocol[OutlineT]):
    """How one agent writes its sessions."""

    @property
    def source(self) -> str:
        """What the list of conversations says of where one is from."""
        ...

    def files(self, place: Path) -> Sequence[Path]:
        """Return the files of sessions below *place*; nothing is opened.

        Raises:
            SourceError: the place cannot be read.
        """
        ...

    def look(self, path: Path, state: WrittenState, growth: Growth | None) -> FiledFacts | None:
        """Return what is known of a file before it is read; None: nothing is in it yet.

        Raises:
            SourceError: it is none that can be read; its text says why.
        """
        ...

    def beside(self, path: Path) -> str:
        """Return what changes when a file beside the one at *path* does that says something of it."""
        ...

    def outline(self) -> OutlineT:
        """Return an outline of a session of which nothing was read."""
        ...

    def messages(self, file: SessionFile, outline: OutlineT, refuse: Refuse) -> Iterator[ToldMessage]:
        """Yield the messages of a file in the order of the scroll, and take note of the rest in *outline*.

        *refuse* is told of each record that cannot be read.
        """
        ...

    def conclude(self, work: FamilyConclusions, heard: HeardSession[OutlineT]) -> None:
        """Conclude one session: copies, compactions, what was taken back."""
        ...

    def extra(self, heard: HeardSession[OutlineT]) -> Mapping[str, Any]:
        """Return what is kept of a session beside its columns."""
        ...
