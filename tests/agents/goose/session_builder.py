"""Write sessions as Goose does: into its database, a session anew where it compacts, or as older files."""

import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Protocol

BEGAN = 1_780_000_000
DDL = """
CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at TIMESTAMP);
INSERT INTO schema_version (version) VALUES (7);
CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '',
    description TEXT NOT NULL DEFAULT '', user_set_name BOOLEAN DEFAULT FALSE,
    session_type TEXT NOT NULL DEFAULT 'user', working_dir TEXT NOT NULL, created_at TIMESTAMP,
    updated_at TIMESTAMP, accumulated_input_tokens INTEGER, accumulated_output_tokens INTEGER,
    provider_name TEXT, model_config_json TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT NOT NULL,
    role TEXT NOT NULL, content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL, timestamp TIMESTAMP,
    tokens INTEGER, metadata_json TEXT);
"""
ORDER = "Your context was compacted. The previous message contains a summary of it.\nJust continue."
BY_HAND = ORDER.replace("compacted.", "compacted at the user's request.")
SEEN = {"userVisible": True, "agentVisible": True}


class KeptSessions(Protocol):
    """Where sessions are written: a session is written whole."""

    def put(self, session: str, messages: list[dict[str, Any]], **fields: Any) -> None:
        """Write a session anew."""
        ...

    def delete(self, session: str) -> None:
        """Take a session away."""
        ...

    def read(self) -> dict[str, list[dict[str, Any]]]:
        """Return the messages of every session."""
        ...


class GooseInDatabase:
    """A `KeptSessions`: a database; each time a session is written its rows get new ids."""

    def __init__(self, path: Path, *, named: bool = True) -> None:
        self.path = path
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(path)) as connection:
                connection.executescript(DDL if named else DDL.replace("message_id TEXT, ", ""))

    def run(self, statement: str, *values: Any) -> list[Any]:
        """Run a statement of any kind."""
        with closing(sqlite3.connect(self.path)) as connection, connection:
            return connection.execute(statement, values).fetchall()

    @property
    def named(self) -> bool:
        """Whether messages have ids of their own."""
        return "message_id" in {name for _, name, *_ in self.run("PRAGMA table_info(messages)")}

    def put(self, session: str, messages: list[dict[str, Any]], **fields: Any) -> None:
        known = {
            "id": session,
            "name": session,
            "working_dir": "/home/u/w",
            "created_at": "2026-06-02 08:00:00",
        }
        if fields or not self.run("SELECT 1 FROM sessions WHERE id = ?", session):
            row = {**known, **fields}
            self.run("DELETE FROM sessions WHERE id = ?", session)
            names, marks = ", ".join(row), ", ".join("?" * len(row))
            self.run(f"INSERT INTO sessions ({names}) VALUES ({marks})", *row.values())
        self.run("DELETE FROM messages WHERE session_id = ?", session)
        name = "message_id, " if self.named else ""
        insert = (
            f"INSERT INTO messages ({name}session_id, role, content_json, created_timestamp, metadata_json)"
        )
        for one in messages:
            values = [session, one["role"], json.dumps(one["content"]), one["created"]]
            values = [*([one["id"]] if name else []), *values, json.dumps(one["metadata"])]
            self.run(f"{insert} VALUES ({', '.join('?' * len(values))})", *values)

    def delete(self, session: str) -> None:
        self.run("DELETE FROM messages WHERE session_id = ?", session)
        self.run("DELETE FROM sessions WHERE id = ?", session)

    def read(self) -> dict[str, list[dict[str, Any]]]:
        found: dict[str, list[dict[str, Any]]] = {one: [] for (one,) in self.run("SELECT id FROM sessions")}
        name = "message_id" if self.named else "id"
        asked = f"session_id, {name}, role, content_json, created_timestamp, metadata_json"
        for session, one, role, content, created, seen in self.run(
            f"SELECT {asked} FROM messages ORDER BY id"
        ):
            try:
                message = {"id": one, "role": role, "content": json.loads(content), "created": created}
            except ValueError:
                continue  # a test spoiled it
            found.setdefault(session, []).append({**message, "metadata": json.loads(seen or "{}")})
        return found


class GooseInFiles:
    """A `KeptSessions`: a folder of files of lines."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def file(self, session: str) -> Path:
        """Return where a session is written."""
        return self.folder / f"{session}.jsonl"

    def put(self, session: str, messages: list[dict[str, Any]], **fields: Any) -> None:
        head = {"working_dir": "/home/u/w", "description": session, "message_count": len(messages), **fields}
        self.file(session).write_text("".join(json.dumps(one) + "\n" for one in [head, *messages]))

    def delete(self, session: str) -> None:
        self.file(session).unlink()

    def read(self) -> dict[str, list[dict[str, Any]]]:
        found: dict[str, list[dict[str, Any]]] = {}
        for file in sorted(self.folder.glob("*.jsonl")):
            whole, _, _ = file.read_text().rpartition("\n")
            found[file.stem] = []
            for line in whole.split("\n")[1:]:
                with suppress(ValueError):  # a test spoiled it
                    found[file.stem].append(json.loads(line))
        return found


class GooseTalk:
    """One session; what is said is written at once."""

    def __init__(self, kept: KeptSessions, session: str, **fields: Any) -> None:
        self.kept = kept
        self.session = session
        self.messages = kept.read().get(session, [])
        self.fields = fields
        if fields or session not in kept.read():
            kept.put(session, self.messages, **fields)

    def ask(self, text: str) -> dict[str, Any]:
        """Say something as the user."""
        return self.say("user", {"type": "text", "text": text})

    def reply(self, text: str) -> dict[str, Any]:
        """Say something as the assistant."""
        return self.say("assistant", {"type": "text", "text": text})

    def use(self, call: str, output: Any = "out", *, text: str = "") -> None:
        """Let the assistant call a tool that answers."""
        value = {"name": "shell", "arguments": {"command": "ls"}}
        request = {"type": "toolRequest", "id": call, "toolCall": {"status": "success", "value": value}}
        said = [{"type": "text", "text": text}] if text else []
        self.say("assistant", *said, request)
        content = [{"type": "text", "text": output}] if isinstance(output, str) else output
        answer = {"status": "success", "value": {"content": content, "isError": False}}
        self.say("user", {"type": "toolResponse", "id": call, "toolResult": answer})

    def say(self, role: str, *content: Any, **value: Any) -> dict[str, Any]:
        """Write a message with any content; return it."""
        message = self._message(role, list(content), **value)
        self.messages.append(message)
        self.write()
        return message

    def compact(self, summary: str, *, order: str = ORDER) -> None:
        """Compact: nobody but the user sees what was before; the request under way is written again."""
        requests = [one for one in self.messages if one["metadata"]["agentVisible"] and _is_request(one)]
        asked = None if order == BY_HAND else next(reversed(requests), None)
        for one in self.messages:
            last = one is asked and one is self.messages[-1]
            one["metadata"] = {
                "userVisible": one["metadata"]["userVisible"] and not last,
                "agentVisible": False,
            }
        seen = {"userVisible": False, "agentVisible": True}
        text = {"type": "text", "text": summary}
        self.messages.append(self._message("user", [text], metadata=seen))
        self.messages.append(self._message("assistant", [{"type": "text", "text": order}], metadata=seen))
        if asked is not None:
            self.messages.append(self._message("user", [dict(asked["content"][0])]))
        self.write()

    def shorten(self, call: str, line: str) -> None:
        """Replace a call and its result by a line for the model."""
        made = 0
        for one in self.messages:
            if any(part.get("id") == call for part in one["content"]):
                one["metadata"], made = {"userVisible": True, "agentVisible": False}, one["created"]
        seen = {"userVisible": False, "agentVisible": True}
        self.say("user", {"type": "text", "text": line}, metadata=seen, created=made)

    def write(self) -> None:
        """Write the session anew."""
        self.kept.put(self.session, self.messages, **self.fields)

    def _message(self, role: str, content: list[Any], **value: Any) -> dict[str, Any]:
        number = len(self.messages)
        made = {"id": f"msg_{self.session}_{number}", "role": role, "content": content}
        return {**made, "created": BEGAN + 10 * number, "metadata": dict(SEEN), **value}


def _is_request(message: dict[str, Any]) -> bool:
    return message["role"] == "user" and all(part["type"] == "text" for part in message["content"])
