"""Write sessions as OpenCode does: into its database, or as the files of its older releases."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

BEGAN = 1_780_000_000_000
DDL = """
CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL,
    directory text NOT NULL, title text NOT NULL, version text NOT NULL, revert text,
    time_created integer NOT NULL, time_updated integer NOT NULL, time_archived integer, agent text,
    model text);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE event (id text PRIMARY KEY, aggregate_id text NOT NULL, seq integer NOT NULL,
    data text NOT NULL);
"""
INDEXES = """
CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
CREATE INDEX part_message_id_id_idx ON part (message_id, id);
CREATE INDEX part_session_idx ON part (session_id);
"""


class Kept(Protocol):
    """Where sessions are written; `clock` is in milliseconds and moves with everything that is written."""

    clock: int

    def has(self, session: str) -> bool:
        """Return whether there is such a session."""
        ...

    def put_session(self, one: str, **fields: Any) -> None:
        """Write a session anew: its object as files have it."""
        ...

    def put_message(self, session: str, one: str, value: Any) -> None:
        """Write a message anew; text is written as it is."""
        ...

    def put_part(self, session: str, message: str, one: str, value: Any) -> None:
        """Write a part anew; text is written as it is."""
        ...

    def messages(self, session: str) -> list[str]:
        """Return the ids of a session's messages."""
        ...

    def delete(self, session: str, message: str | None = None) -> None:
        """Take a message away with its parts, or a whole session."""
        ...

    def read(self) -> dict[str, list[tuple[str, dict[str, Any], list[tuple[str, dict[str, Any]]]]]]:
        """Return what was written by session: (id, message, its parts with their ids)."""
        ...


class KeptInDatabase:
    """A `Kept`: a database, which is open only while it is written to."""

    def __init__(self, path: Path, *, indexes: bool = True) -> None:
        self.path = path
        self.clock = BEGAN
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(path)) as connection:
                connection.executescript(DDL + (INDEXES if indexes else ""))
        else:
            [[last]] = self.run(
                "SELECT max(t) FROM (SELECT max(time_updated) AS t FROM message"
                " UNION SELECT max(time_updated) FROM part UNION SELECT max(time_updated) FROM session)"
            )
            self.clock = max(BEGAN, last or 0)

    def run(self, statement: str, *values: Any) -> list[Any]:
        """Run a statement of any kind."""
        with closing(sqlite3.connect(self.path)) as connection, connection:
            return connection.execute(statement, values).fetchall()

    @contextmanager
    def holding(self) -> Iterator[sqlite3.Connection]:
        """Keep the database open as the agent does, with what is written only in its log."""
        with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA wal_autocheckpoint = 0")
            yield connection

    def has(self, session: str) -> bool:
        return bool(self.run("SELECT 1 FROM session WHERE id = ?", session))

    def put_session(self, one: str, **fields: Any) -> None:
        self.clock += 1
        model, revert = fields.get("model"), fields.get("revert")
        self.run("DELETE FROM session WHERE id = ?", one)
        self.run(
            "INSERT INTO session VALUES (?, 'global', ?, ?, ?, ?, '1.4.3', ?, ?, ?, ?, 'build', ?)",
            one, fields.get("parentID"), f"slug-{one}", fields.get("directory", "/home/u/w"),
            fields.get("title", f"Title of {one}"), json.dumps(revert) if revert else None,
            fields.get("created", self.clock), self.clock, fields.get("archived"),
            json.dumps(model) if model else None,
        )  # fmt: skip

    def put_message(self, session: str, one: str, value: Any) -> None:
        self.clock += 1
        insert = "INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?, ?)"
        self.run(insert, one, session, self.clock, self.clock, _written(value))

    def put_part(self, session: str, message: str, one: str, value: Any) -> None:
        self.clock += 1
        insert = "INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?, ?)"
        self.run(insert, one, message, session, self.clock, self.clock, _written(value))

    def messages(self, session: str) -> list[str]:
        return [
            one for (one,) in self.run("SELECT id FROM message WHERE session_id = ? ORDER BY id", session)
        ]

    def delete(self, session: str, message: str | None = None) -> None:
        if message is not None:
            self.run("DELETE FROM part WHERE message_id = ?", message)
            self.run("DELETE FROM message WHERE id = ?", message)
            return
        for table, column in (("part", "session_id"), ("message", "session_id"), ("session", "id")):
            self.run(f"DELETE FROM {table} WHERE {column} = ?", session)

    def read(self) -> dict[str, list[tuple[str, dict[str, Any], list[tuple[str, dict[str, Any]]]]]]:
        found: dict[str, list[Any]] = {one: [] for (one,) in self.run("SELECT id FROM session")}
        for one, session, data in self.run("SELECT id, session_id, data FROM message ORDER BY id"):
            parts = self.run("SELECT id, data FROM part WHERE message_id = ? ORDER BY id", one)
            found.setdefault(session, []).append(
                (one, json.loads(data), [(p, json.loads(d)) for p, d in parts])
            )
        return found


class KeptInFiles:
    """A `Kept`: the folder `storage`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        times = [one.stat().st_mtime_ns for one in folder.rglob("*.json")]
        self.clock = BEGAN + 10_000 * len(times)

    def has(self, session: str) -> bool:
        return (self.folder / "session" / "global" / f"{session}.json").exists()

    def put_session(self, one: str, **fields: Any) -> None:
        self.clock += 1
        times = {"created": fields.pop("created", self.clock), "updated": self.clock}
        if fields.get("archived"):
            times["archived"] = fields.pop("archived")
        value = {"id": one, "directory": "/home/u/w", "title": f"Title of {one}", "version": "1.0.1"}
        self._write(self.folder / "session" / "global" / f"{one}.json", {**value, "time": times, **fields})

    def put_message(self, session: str, one: str, value: Any) -> None:
        self.clock += 1
        self._write(self.folder / "message" / session / f"{one}.json", value)

    def put_part(self, session: str, message: str, one: str, value: Any) -> None:
        self.clock += 1
        self._write(self.folder / "part" / message / f"{one}.json", value)

    def messages(self, session: str) -> list[str]:
        return sorted(one.stem for one in (self.folder / "message" / session).glob("*.json"))

    def delete(self, session: str, message: str | None = None) -> None:
        for one in self.messages(session) if message is None else [message]:
            for part in (self.folder / "part" / one).glob("*.json"):
                part.unlink()
            (self.folder / "message" / session / f"{one}.json").unlink()
        if message is None:
            (self.folder / "session" / "global" / f"{session}.json").unlink()

    def read(self) -> dict[str, list[tuple[str, dict[str, Any], list[tuple[str, dict[str, Any]]]]]]:
        sessions = sorted(one.stem for one in (self.folder / "session").glob("*/*.json"))
        found: dict[str, list[Any]] = {one: [] for one in sessions}
        for session, told in found.items():
            for one in self.messages(session):
                files = sorted((self.folder / "part" / one).glob("*.json"))
                value = json.loads((self.folder / "message" / session / f"{one}.json").read_text())
                told.append((one, value, [(file.stem, json.loads(file.read_text())) for file in files]))
        return found

    def _write(self, path: Path, value: Any) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_written(value))


class Talk:
    """One session; what is said is written at once."""

    def __init__(self, kept: Kept, session: str, **fields: Any) -> None:
        self.kept = kept
        self.session = session
        if fields or not kept.has(session):
            kept.put_session(session, **fields)

    def ask(self, text: str, **options: Any) -> str:
        """Say something as the user; *options* are those of the part."""
        return self.say("user", {"type": "text", "text": text, **options})

    def reply(self, text: str, **value: Any) -> str:
        """Say something as the assistant; *value* is of the message."""
        parts = ({"type": "step-start"}, {"type": "text", "text": text}, {"type": "step-finish"})
        return self.say("assistant", *parts, **value)

    def use(self, call: str, output: Any = "out", *, text: str = "", **state: Any) -> str:
        """Let the assistant call a tool that answers."""
        times = {"start": self.kept.clock, "end": self.kept.clock + 1, **state.pop("time", {})}
        told = {"status": "completed", "input": {"path": "x"}, "output": output, "time": times, **state}
        tool = {"type": "tool", "tool": "read", "callID": call, "state": told}
        said = [{"type": "text", "text": text}] if text else []
        return self.say("assistant", {"type": "step-start"}, *said, tool, {"type": "step-finish"})

    def compact(
        self, summary: str | None, *, tail: str | None = None, auto: bool = True, **value: Any
    ) -> str:
        """Compact; None for a summary that was not even begun."""
        told = {"type": "compaction", "auto": auto, **({"tail_start_id": tail} if tail else {})}
        overflow = value.pop("overflow", None)
        marker = self.say("user", {**told, **({"overflow": True} if overflow else {})})
        if summary is not None:
            parts = [{"type": "text", "text": summary}] if summary else []
            told = {"summary": True, "mode": "compaction", "parentID": marker, "finish": "stop", **value}
            self.say("assistant", *parts, **told)
        return marker

    def say(self, role: str, *parts: Any, **value: Any) -> str:
        """Write a message with any parts; return its id."""
        one = self._id("msg")
        told = {"role": role, "time": {"created": self.kept.clock}}
        if role == "assistant":
            told |= {"modelID": "m", "providerID": "p", "finish": "stop", "path": {"cwd": "/home/u/w"}}
        self.kept.put_message(self.session, one, {**told, **value})
        for part in parts:
            self.kept.put_part(self.session, one, self._id("prt"), part)
        return one

    def fork(self, session: str, count: int | None = None) -> "Talk":
        """Return a new session with the first messages of this one, under new ids."""
        other = Talk(self.kept, session, title=f"Title of {self.session} (fork #1)")
        for _, value, parts in self.kept.read()[self.session][:count]:
            one = other._id("msg")
            self.kept.put_message(session, one, value)
            for _, part in parts:
                self.kept.put_part(session, one, other._id("prt"), part)
        return other

    def _id(self, kind: str) -> str:
        self.kept.clock += 1
        return f"{kind}_{(self.kept.clock * 4096) % 2**48:012x}abcdefghijklmn"


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
