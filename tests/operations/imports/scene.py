"""A stage for import tests: write a small `state.db`, import it, read the outcome in short form.

stage = scene.play([session("a")], talk("a", "hello", "hi there"))
stage.scroll("a") == ["user: hello", "assistant: hi there"]
"""

import itertools
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import select

from hermes_sessions.handoff import render_handoff
from hermes_sessions.operations.documents.compactions import compactions_document
from hermes_sessions.operations.documents.encoding import plain
from hermes_sessions.operations.documents.lineage import lineage_document
from hermes_sessions.operations.documents.messages import show_document
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.operations.imports.import_report import ImportReport
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Compaction, Conversation, Message, Session
from tests.agents.hermes.hermes_builder import row, state_db

NOW = 1_790_000_000.0


def talk(session_id: str, *texts: Any, first: str = "user", **columns: Any) -> list[dict[str, Any]]:
    """Return rows of *session_id* whose roles take turns, beginning with *first*."""
    roles = itertools.cycle(("user", "assistant") if first == "user" else ("assistant", "user"))
    return [row(session_id, role, text, **columns) for role, text in zip(roles, texts, strict=False)]


def handoff(session_id: str, body: str = "What was done.", *, role: str = "user", **columns: Any) -> Any:
    """Return a row that is a handoff and nothing else."""
    return row(session_id, role, render_handoff(body), **columns)


def again(rows: Iterable[Mapping[str, Any]], session_id: str, **columns: Any) -> list[dict[str, Any]]:
    """Return the same rows in another session, as a compaction carries them over."""
    return [{**one, "session_id": session_id, **columns} for one in rows]


class Scene:
    """One store, and the databases imported into it."""

    def __init__(self, folder: Path, database: Database) -> None:
        self.folder = folder
        self.database = database
        self.now = NOW

    def write(
        self,
        sessions: Iterable[Mapping[str, Any]],
        messages: Iterable[Mapping[str, Any]],
        *,
        version: int = 17,
        name: str = "agent/state.db",
    ) -> Path:
        """Write a database and return its path."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        return state_db(path, version=version, sessions=sessions, messages=messages)

    def play(
        self,
        sessions: Iterable[Mapping[str, Any]],
        messages: Iterable[Mapping[str, Any]],
        *,
        version: int = 17,
        name: str = "agent/state.db",
    ) -> "Scene":
        """Write a database and import it."""
        self.bring(self.write(sessions, messages, version=version, name=name))
        return self

    def bring(self, path: Path, **options: Any) -> ImportReport:
        """Import *path*; afterwards the store must agree with itself."""
        self.report = import_path(self.database, path, ImportOptions(clock=lambda: self.now, **options))
        with self.database.read() as db:
            assert check_store(db) == []
        return self.report

    def alter(self, *statements: str, name: str = "agent/state.db") -> ImportReport:
        """Change a database as its agent might, and import it again."""
        connection = sqlite3.connect(self.folder / name, isolation_level=None)
        for statement in statements:
            connection.execute(statement)
        connection.close()
        return self.bring(self.folder / name)

    def scroll(self, conversation: str, *, every: bool = False) -> list[str]:
        """Return what the one scroll shows, a line for each part; handoffs as `handoff: body`."""
        with self.database.read() as db:
            messages = plain(show_document(db, conversation, every=every))["messages"]
        return [
            f"{message['role'] if part['kind'] == 'message' else 'handoff'}: {part['text']}"
            for message in messages
            for part in message["parts"] or [{"kind": "message", "text": ""}]
        ]

    def messages(self, conversation: str) -> list[dict[str, Any]]:
        """Return the one scroll as documents show it."""
        with self.database.read() as db:
            found: list[dict[str, Any]] = plain(show_document(db, conversation))["messages"]
            return found

    def rows(self) -> dict[int, Message]:
        """Return every stored row by its id at the origin."""
        with self.database.read() as db:
            return {one.origin_row_id or 0: one for one in db.scalars(select(Message))}

    def copies(self) -> dict[int, int]:
        """Return which origin row repeats which."""
        rows = self.rows()
        ids = {one.id: origin for origin, one in rows.items()}
        return {origin: ids[one.copy_of] for origin, one in rows.items() if one.copy_of is not None}

    def kinds(self) -> dict[int, str]:
        """Return the kind of every row that is more than a message, by its id at the origin."""
        return {origin: one.kind for origin, one in self.rows().items() if one.kind != "message"}

    def states(self) -> dict[int, str]:
        """Return the state of every row that is not live, by its id at the origin."""
        return {origin: one.state for origin, one in self.rows().items() if one.state != "live"}

    def session(self, foreign_id: str) -> Session:
        """Return a stored session."""
        with self.database.read() as db:
            return db.scalars(select(Session).where(Session.foreign_id == foreign_id)).one()

    def relations(self) -> dict[str, str]:
        """Return what every session is to its parent; forks have a star."""
        with self.database.read() as db:
            return {one.foreign_id: one.relation + "*" * one.fork for one in db.scalars(select(Session))}

    def events(self) -> list[tuple[str, str]]:
        """Return (realisation, status) of all compactions in their order."""
        with self.database.read() as db:
            ordered = select(Compaction).order_by(Compaction.conversation_id, Compaction.ordinal)
            return [(one.realisation, one.status) for one in db.scalars(ordered)]

    def compactions(self, conversation: str) -> list[dict[str, Any]]:
        """Return the compactions of a conversation as documents show them."""
        with self.database.read() as db:
            found: list[dict[str, Any]] = plain(compactions_document(db, conversation))["compactions"]
            return found

    def spans(self, conversation: str) -> list[tuple[int | None, int | None, int | None]]:
        """Return (first, last, how many) of every span, as ids of the origin."""
        ids = {one.id: origin for origin, one in self.rows().items()}
        return [
            (ids.get(span["first"]), ids.get(span["last"]), span["messages"])
            for one in self.compactions(conversation)
            for span in [one["span"]]
        ]

    def family(self, conversation: str) -> dict[str, Any]:
        """Return the lineage document."""
        with self.database.read() as db:
            found: dict[str, Any] = plain(lineage_document(db, conversation))
            return found

    def conversations(self) -> dict[str, Conversation]:
        """Return every conversation by its public id."""
        with self.database.read() as db:
            return {one.public_id: one for one in db.scalars(select(Conversation))}
