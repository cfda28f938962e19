"""How Goose's sessions are read: a `ShelfForm`."""

import sqlite3
from collections.abc import Iterator

from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.contract import Entry
from hermes_sessions.agents.goose.conclude import GooseOutline, conclude, note
from hermes_sessions.agents.goose.copies import DELEGATES, copies_of
from hermes_sessions.agents.goose.hidden import own_words
from hermes_sessions.agents.goose.records import GooseShelf
from hermes_sessions.agents.goose.rows import session_row, told_of
from hermes_sessions.agents.goose.said import GooseSayings, SaidToGoose
from hermes_sessions.agents.parsed_values import text_of
from hermes_sessions.agents.told_messages import Refuse, ToldMessage
from hermes_sessions.agents.values import SessionRow


class GooseForm:
    """The sessions of one shelf; a copy hangs on the session that it repeats."""

    piece = "piece"

    def __init__(self, shelf: GooseShelf) -> None:
        self._shelf = shelf
        self.version = shelf.schema_version
        copies = copies_of(shelf)
        self.states = {one: shelf.states[one] for one in shelf.sessions}
        self.parents = {one: copies.get(one) for one in shelf.sessions}

    def connect(self, connection: sqlite3.Connection) -> None:
        """Go on with another connection."""
        self._shelf.connect(connection)

    def began(self, session: str) -> float | None:
        """Return when a session began."""
        return self._shelf.sessions[session].began

    def is_delegate(self, session: str) -> bool:
        """Return whether an agent began it."""
        return self._shelf.sessions[session].kind in DELEGATES

    def outline(self, session: str) -> GooseOutline:
        """Return an outline in which nothing is heard."""
        return GooseOutline(session)

    def messages(self, session: str, outline: GooseOutline, refuse: Refuse) -> Iterator[SaidToGoose]:
        """Yield the messages of a session."""
        sayings = GooseSayings()
        for record, own in own_words(self._shelf.messages(session, refuse)):
            kinds = (text_of(part.get("type")) for part in record.content if isinstance(part, dict))
            outline.kinds.update(kind or "" for kind in kinds)
            yield from sayings.read(record, own=own)

    def note(self, outline: GooseOutline, said: SaidToGoose, ref: int) -> None:
        """Take a message into the outline."""
        note(outline, said, ref)

    def told(self, said: SaidToGoose, place: int) -> ToldMessage:
        """Return what is stored of a message."""
        return told_of(said, place)

    def conclude(self, work: FamilyConclusions, outline: GooseOutline, copied: int) -> None:
        """Conclude one session."""
        conclude(work, outline, copied)

    def row(self, outline: GooseOutline, entry: Entry, copied: int) -> SessionRow:
        """Return the row of a session; its totals are the agent's own."""
        return session_row(self._shelf.sessions[outline.session], outline, entry)
