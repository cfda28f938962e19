"""How OpenCode's sessions are read: a `ShelfForm`."""

import sqlite3
from collections.abc import Iterator

from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.contract import Entry
from hermes_sessions.agents.opencode.conclude import conclude
from hermes_sessions.agents.opencode.forks import forks_of
from hermes_sessions.agents.opencode.outline import OpenCodeOutline, note_record, note_said
from hermes_sessions.agents.opencode.records import OpenCodeShelf
from hermes_sessions.agents.opencode.rows import session_row, told_of
from hermes_sessions.agents.opencode.said import SaidHere, said_in
from hermes_sessions.agents.session_shelves.cells import row_name
from hermes_sessions.agents.told_messages import Refuse, ToldMessage
from hermes_sessions.agents.values import Rejected, SessionRow


class OpenCodeForm:
    """The sessions of one shelf; a fork hangs on the session that it copied."""

    piece = "part"

    def __init__(self, shelf: OpenCodeShelf) -> None:
        self._shelf = shelf
        self.version = shelf.schema_version
        forks = forks_of(shelf)
        self.states = {one: shelf.states[one] for one in shelf.sessions}
        self.parents = {one: record.parent or forks.get(one) for one, record in shelf.sessions.items()}

    def connect(self, connection: sqlite3.Connection) -> None:
        """Go on with another connection."""
        self._shelf.connect(connection)

    def began(self, session: str) -> float | None:
        """Return when a session began."""
        created = self._shelf.sessions[session].created
        return None if created is None else created / 1000

    def is_delegate(self, session: str) -> bool:
        """Return whether the agent itself says for whom it worked."""
        return self._shelf.sessions[session].parent is not None

    def outline(self, session: str) -> OpenCodeOutline:
        """Return an outline in which nothing is heard."""
        return OpenCodeOutline(self._shelf.sessions[session])

    def messages(self, session: str, outline: OpenCodeOutline, refuse: Refuse) -> Iterator[SaidHere]:
        """Yield the messages of a session."""
        for record in self._shelf.messages(session, refuse):
            role = record.value.get("role")
            if role not in ("user", "assistant"):
                refuse(Rejected("message", row_name(record.id), f"its role is not known: {str(role)[:80]!r}"))
                continue
            note_record(outline, record)
            yield from said_in(record)

    def note(self, outline: OpenCodeOutline, said: SaidHere, ref: int) -> None:
        """Take a message into the outline."""
        note_said(outline, said, ref)

    def told(self, said: SaidHere, place: int) -> ToldMessage:
        """Return what is stored of a message."""
        return told_of(said, place)

    def conclude(self, work: FamilyConclusions, outline: OpenCodeOutline, copied: int) -> None:
        """Conclude one session."""
        conclude(work, outline, copied)

    def row(self, outline: OpenCodeOutline, entry: Entry, copied: int) -> SessionRow:
        """Return the row of a session."""
        return session_row(outline, entry, copied)
