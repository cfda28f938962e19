"""What the contract's tests need to know of an agent: how its files are made and how they change.

A new agent adds a workshop here; `test_contract.py` fails for an importer without one.
"""

import json
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

from hermes_sessions.handoff.grammars.grammar import HandoffGrammar
from tests.agents.claude_code.transcript_builder import Transcript, text_in
from tests.agents.codex.rollout_builder import Rollout
from tests.agents.gemini.chat_builder import GeminiChat
from tests.agents.goose.workshops import GooseFilesWorkshop, GooseWorkshop
from tests.agents.hermes.hermes_builder import row, session, state_db
from tests.agents.jotter.grammar import JotterGrammar
from tests.agents.opencode.workshops import OpenCodeFilesWorkshop, OpenCodeWorkshop
from tests.agents.pi.session_builder import PiSession
from tests.agents.roo.task_builder import RooTask

BEGAN = 1_780_000_000.0
TOLD = {
    "a": ["please look", "on it", "and now?", "done"],
    "b": ["hello", "hi"],
    "c": ["find it", "found"],
}
"""The sessions of every workshop; `c` hangs on `a`."""


class Workshop(Protocol):
    """One agent's files, made and changed as that agent would.

    Attributes:
        kind: of the importer.
        deletes_rows: a row that is cut off is gone, not archived, at the origin.
    """

    kind: str

    def make(self, home: Path) -> Path:
        """Write the sessions of `TOLD` in the agent's usual place below *home*; return what is imported."""
        ...

    def env(self, path: Path) -> Mapping[str, str]:
        """Return the variables by which the agent is told of another place."""
        ...

    def append(self, path: Path, session: str, *texts: str) -> None:
        """Continue a session."""
        ...

    def rewrite(self, path: Path, session: str, at: int, text: str) -> None:
        """Give a message another text."""
        ...

    def truncate(self, path: Path, session: str) -> None:
        """Take the last message of a session away."""
        ...

    def delete(self, path: Path, session: str) -> None:
        """Take a session away with all its messages."""
        ...

    def move(self, path: Path, folder: Path) -> Path:
        """Move everything into *folder*; return what is imported there."""
        ...

    def spoil(self, path: Path) -> int:
        """Add messages that cannot be stored; return how many."""
        ...

    def texts(self, path: Path) -> dict[str, list[str]]:
        """Return what the files say, read without the importer."""
        ...

    def holding(self, path: Path) -> Any:
        """Return a context in which the agent has its files open and has just written to session `b`."""
        ...


class HermesWorkshop:
    """A `Workshop`: a `state.db`."""

    kind = "hermes"

    def make(self, home: Path) -> Path:
        folder = home / ".hermes"
        folder.mkdir(parents=True)
        return state_db(
            folder / "state.db",
            sessions=[session("a"), session("b"), session("c", parent="a", source="tool")],
            messages=[
                row(one, "assistant" if at % 2 else "user", text)
                for one, texts in TOLD.items()
                for at, text in enumerate(texts)
            ],
        )

    def env(self, path: Path) -> Mapping[str, str]:
        return {"HERMES_HOME": str(path.parent)}

    def append(self, path: Path, session: str, *texts: str) -> None:
        for text in texts:
            self._run(
                path,
                "INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, 'user', ?, ?)",
                (session, text, BEGAN + 9000),
            )

    def rewrite(self, path: Path, session: str, at: int, text: str) -> None:
        # The agent writes a session anew: all its rows, with other ids.
        texts = self.texts(path)[session]
        texts[at] = text
        self._run(path, "DELETE FROM messages WHERE session_id = ?", (session,))
        self.append(path, session, *texts)

    def truncate(self, path: Path, session: str) -> None:
        last = "(SELECT max(id) FROM messages WHERE session_id = ?)"
        self._run(path, f"DELETE FROM messages WHERE id = {last}", (session,))

    def delete(self, path: Path, session: str) -> None:
        self._run(path, "DELETE FROM messages WHERE session_id = ?", (session,))
        self._run(path, "DELETE FROM sessions WHERE id = ?", (session,))

    def move(self, path: Path, folder: Path) -> Path:
        folder.mkdir(parents=True)
        return path.rename(folder / path.name)

    def spoil(self, path: Path) -> int:
        # A table whose ids need not be numbers, as some tools that merge databases leave behind.
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("CREATE TABLE loose AS SELECT * FROM messages")
            connection.execute("DROP TABLE messages")
            connection.execute("ALTER TABLE loose RENAME TO messages")
            insert = "INSERT INTO messages (id, session_id, role, content) "
            connection.execute(insert + "VALUES ('x', 'a', 'user', '?')")
            connection.execute(insert + "SELECT id, session_id, role, content FROM messages WHERE id = 1")
        return 2

    def texts(self, path: Path) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            for one, text in connection.execute("SELECT session_id, content FROM messages ORDER BY id"):
                found.setdefault(one, []).append(text)
        return found

    @contextmanager
    def holding(self, path: Path) -> Iterator[None]:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA wal_autocheckpoint = 0")
            connection.execute(
                "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('b', 'user', 'late', 1)"
            )
            yield

    def _run(self, path: Path, statement: str, values: tuple[Any, ...]) -> None:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(statement, values)


class JotterWorkshop:
    """A `Workshop`: a folder of talks. Each numbers its messages by itself: keys are those of others, too.

    Attributes:
        head: the key in a file's first line that names the session.
    """

    kind = "jotter"
    head = "talk"
    grammar: HandoffGrammar = JotterGrammar()

    def make(self, home: Path) -> Path:
        folder = home / f".{self.kind}"
        (folder / "talks").mkdir(parents=True)
        for at, one in enumerate(TOLD):
            head = {self.head: one, "began": BEGAN + 1000 * at, "parent": "a" if one == "c" else None}
            self.file(folder, one).write_text(json.dumps(head) + "\n")
            self.append(folder, one, *TOLD[one])
        return folder

    def file(self, path: Path, session: str) -> Path:
        return path / "talks" / f"{session}.talk"

    def env(self, path: Path) -> Mapping[str, str]:
        return {f"{self.kind.upper()}_HOME": str(path)}

    def say(self, path: Path, session: str, *messages: Mapping[str, Any]) -> None:
        """Append messages with any fields."""
        file = self.file(path, session)
        head, *lines = file.read_text().splitlines()
        for at, message in enumerate(messages, start=len(lines)):
            when = json.loads(head)["began"] + 10 * at
            lines.append(json.dumps({"key": f"m{at}", "who": "user", "at": when, **message}))
        file.write_text("\n".join([head, *lines]) + "\n")

    def append(self, path: Path, session: str, *texts: str) -> None:
        before = len(self.file(path, session).read_text().splitlines()) - 1
        roles = ["assistant" if at % 2 else "user" for at in range(before, before + len(texts))]
        self.say(path, session, *({"who": who, "text": text} for who, text in zip(roles, texts, strict=True)))

    def jot(self, path: Path, session: str, summary: str) -> None:
        """Compact: write a summary that stands for everything before it."""
        self.say(path, session, {"text": self.grammar.frame(summary), "jotted": True})

    def rewrite(self, path: Path, session: str, at: int, text: str) -> None:
        file = self.file(path, session)
        lines = file.read_text().splitlines()
        lines[at + 1] = json.dumps({**json.loads(lines[at + 1]), "text": text})
        file.write_text("\n".join(lines) + "\n")

    def truncate(self, path: Path, session: str) -> None:
        file = self.file(path, session)
        file.write_text("\n".join(file.read_text().splitlines()[:-1]) + "\n")

    def delete(self, path: Path, session: str) -> None:
        self.file(path, session).unlink()

    def move(self, path: Path, folder: Path) -> Path:
        return Path(shutil.move(path, folder))

    def spoil(self, path: Path) -> int:
        with self.file(path, "a").open("a") as file:
            again = {"key": "m0", "who": "user", "text": "again", "at": BEGAN}
            file.write(
                "{broken\n" + json.dumps({"key": "z", "who": "nobody"}) + "\n" + json.dumps(again) + "\n"
            )
        return 3

    def texts(self, path: Path) -> dict[str, list[str]]:
        found = {}
        for file in sorted((path / "talks").glob("*.talk")):
            lines = [json.loads(line) for line in file.read_text().splitlines()]
            found[lines[0][self.head]] = [line["text"] for line in lines[1:]]
        return found

    @contextmanager
    def holding(self, path: Path) -> Iterator[None]:
        self.append(path, "b", "late")
        with self.file(path, "b").open("a") as file:
            file.write('{"key": "b-half", "who": "user", "te')
            file.flush()
            yield


class ClaudeCodeWorkshop:
    """A `Workshop`: a home of Claude Code. `c` says that it is a fork of `a`, and repeats nothing."""

    kind = "claude-code"

    def make(self, home: Path) -> Path:
        folder = home / ".claude"
        for one, texts in TOLD.items():
            Transcript(self.file(folder, one)).write()
            self.append(folder, one, *texts)
        return folder

    def file(self, path: Path, session: str) -> Path:
        return path / "projects" / "-home-u-app" / f"{session}.jsonl"

    def env(self, path: Path) -> Mapping[str, str]:
        return {"CLAUDE_CONFIG_DIR": str(path)}

    def append(self, path: Path, session: str, *texts: str) -> None:
        talk = Transcript.of(self.file(path, session))
        fork = {"forkedFrom": {"sessionId": "a"}} if session == "c" else {}
        for text in texts:
            talk.ask(text, **fork) if len(talk.said) % 2 == 0 else talk.reply(text, **fork)
        talk.write()

    def rewrite(self, path: Path, session: str, at: int, text: str) -> None:
        talk = Transcript.of(self.file(path, session))
        content = talk.said[at]["message"]["content"]
        talk.said[at]["message"]["content"] = (
            text if isinstance(content, str) else [{**content[0], "text": text}]
        )
        talk.write()

    def truncate(self, path: Path, session: str) -> None:
        talk = Transcript.of(self.file(path, session))
        del talk.records[-1]
        talk.write()

    def delete(self, path: Path, session: str) -> None:
        self.file(path, session).unlink()

    def move(self, path: Path, folder: Path) -> Path:
        return Path(shutil.move(path, folder))

    def spoil(self, path: Path) -> int:
        with self.file(path, "a").open("a") as file:
            file.write('{"type": "user", "message": {"content": "cut\n[1, 2]\n\0\0\n{"uuid": "no type"}\n')
        return 4

    def texts(self, path: Path) -> dict[str, list[str]]:
        files = sorted((path / "projects").glob("*/*.jsonl"))
        return {file.stem: [text_in(one) for one in Transcript.of(file).said] for file in files}

    @contextmanager
    def holding(self, path: Path) -> Iterator[None]:
        self.append(path, "b", "late")
        with self.file(path, "b").open("a") as file:
            file.write('{"type": "user", "uuid": "half", "mess')
            file.flush()
            yield


class CodexWorkshop:
    """A `Workshop`: a home of Codex. `c` says that it is a fork of `a`, and repeats nothing."""

    kind = "codex"

    def make(self, home: Path) -> Path:
        folder = home / ".codex"
        for at, (one, texts) in enumerate(TOLD.items()):
            talk = Rollout(self.file(folder, one), one, began=BEGAN + 1000 * at)
            talk.begin(**({"forked_from_id": "a"} if one == "c" else {})).write()
            self.append(folder, one, *texts)
        return folder

    def file(self, path: Path, session: str) -> Path:
        folder = path / "sessions" / "2026" / "05" / "28"
        return folder / f"rollout-2026-05-28T20-26-40-{session}.jsonl"

    def env(self, path: Path) -> Mapping[str, str]:
        return {"CODEX_HOME": str(path)}

    def append(self, path: Path, session: str, *texts: str) -> None:
        talk = Rollout.of(self.file(path, session))
        for text in texts:
            talk.ask(text) if len(talk.items) % 2 == 0 else talk.reply(text)
        talk.write()

    def rewrite(self, path: Path, session: str, at: int, text: str) -> None:
        talk = Rollout.of(self.file(path, session))
        said = talk.items[at]["content"][0]
        echo = next(one["payload"] for one in talk.lines if one["payload"].get("message") == said["text"])
        said["text"] = echo["message"] = text
        talk.write()

    def truncate(self, path: Path, session: str) -> None:
        talk = Rollout.of(self.file(path, session))
        del talk.lines[-2:]
        talk.write()

    def delete(self, path: Path, session: str) -> None:
        self.file(path, session).unlink()

    def move(self, path: Path, folder: Path) -> Path:
        return Path(shutil.move(path, folder))

    def spoil(self, path: Path) -> int:
        with self.file(path, "a").open("a") as file:
            file.write('{"type": "event_msg", "payload": {"message": "cut\n[1, 2]\n\0\0\n{"payload": {}}\n')
        return 4

    def texts(self, path: Path) -> dict[str, list[str]]:
        files = sorted((path / "sessions").rglob("rollout-*.jsonl"))
        talks = [Rollout.of(file) for file in files]
        return {talk.thread: [one["content"][0]["text"] for one in talk.items] for talk in talks}

    @contextmanager
    def holding(self, path: Path) -> Iterator[None]:
        self.append(path, "b", "late")
        with self.file(path, "b").open("a") as file:
            file.write('{"timestamp": "2026-05-28T20:30:00.000Z", "type": "event_m')
            file.flush()
            yield


class PiWorkshop:
    """A `Workshop`: a folder of Pi's. `c` says that it is a fork of `a`, and repeats nothing."""

    kind = "pi"

    def make(self, home: Path) -> Path:
        folder = home / ".pi" / "agent"
        for at, (one, texts) in enumerate(TOLD.items()):
            parent: dict[str, Any] = {"parentSession": str(self.file(folder, "a"))} if one == "c" else {}
            PiSession(self.file(folder, one), began=BEGAN + 1000 * at, **parent).write()
            self.append(folder, one, *texts)
        return folder

    def file(self, path: Path, session: str) -> Path:
        return path / "sessions" / "--home-u-app--" / f"2026-05-28T20-26-40-000Z_{session}.jsonl"

    def env(self, path: Path) -> Mapping[str, str]:
        return {"PI_CODING_AGENT_DIR": str(path)}

    def append(self, path: Path, session: str, *texts: str) -> None:
        talk = PiSession.of(self.file(path, session))
        for text in texts:
            talk.ask(text) if len(talk.said) % 2 == 0 else talk.reply(text)
        talk.write()

    def rewrite(self, path: Path, session: str, at: int, text: str) -> None:
        talk = PiSession.of(self.file(path, session))
        talk.said[at]["message"]["content"][0]["text"] = text
        talk.write()

    def truncate(self, path: Path, session: str) -> None:
        talk = PiSession.of(self.file(path, session))
        del talk.lines[-1]
        talk.write()

    def delete(self, path: Path, session: str) -> None:
        self.file(path, session).unlink()

    def move(self, path: Path, folder: Path) -> Path:
        return Path(shutil.move(path, folder))

    def spoil(self, path: Path) -> int:
        with self.file(path, "a").open("a") as file:
            file.write('{"type": "message", "message": {"content": "cut\n[1, 2]\n\0\0\n{"id": "no type"}\n')
            file.write('{"type": "message", "id": "says nothing"}\n')
        return 5

    def texts(self, path: Path) -> dict[str, list[str]]:
        talks = [PiSession.of(file) for file in sorted((path / "sessions").glob("*/*.jsonl"))]
        return {talk.session: [one["message"]["content"][0]["text"] for one in talk.said] for talk in talks}

    @contextmanager
    def holding(self, path: Path) -> Iterator[None]:
        self.append(path, "b", "late")
        with self.file(path, "b").open("a") as file:
            file.write('{"type": "message", "id": "half", "mess')
            file.flush()
            yield


class GeminiWorkshop:
    """A `Workshop`: a home of Gemini CLI. `c` worked for `a`."""

    kind = "gemini"

    def make(self, home: Path) -> Path:
        folder = home / ".gemini"
        for at, (one, texts) in enumerate(TOLD.items()):
            GeminiChat(self.file(folder, one), session=one, began=BEGAN + 1000 * at).write()
            self.append(folder, one, *texts)
        return folder

    def file(self, path: Path, session: str) -> Path:
        chats = path / "tmp" / "app" / "chats"
        return (
            chats / "a" / "c.jsonl" if session == "c" else chats / f"session-2026-05-28T20-26-{session}.jsonl"
        )

    def env(self, path: Path) -> Mapping[str, str]:
        return {"GEMINI_CLI_HOME": str(path.parent)}

    def append(self, path: Path, session: str, *texts: str) -> None:
        talk = GeminiChat.of(self.file(path, session))
        for text in texts:
            talk.ask(text) if len(talk.said) % 2 == 0 else talk.reply(text)
        talk.write()

    def rewrite(self, path: Path, session: str, at: int, text: str) -> None:
        talk = GeminiChat.of(self.file(path, session))
        talk.said[at]["content"] = text
        talk.write()

    def truncate(self, path: Path, session: str) -> None:
        talk = GeminiChat.of(self.file(path, session))
        del talk.lines[-1]
        talk.write()

    def delete(self, path: Path, session: str) -> None:
        self.file(path, session).unlink()

    def move(self, path: Path, folder: Path) -> Path:
        return Path(shutil.move(path, folder))

    def spoil(self, path: Path) -> int:
        with self.file(path, "a").open("a") as file:
            file.write('{"type": "user", "content": "cut\n[1, 2]\n\0\0\n')
        return 3

    def texts(self, path: Path) -> dict[str, list[str]]:
        talks = [GeminiChat.of(file) for file in sorted((path / "tmp").rglob("*.jsonl"))]
        return {
            talk.session: [
                one["content"] if isinstance(one["content"], str) else one["content"][0]["text"]
                for one in talk.said
            ]
            for talk in talks
        }

    @contextmanager
    def holding(self, path: Path) -> Iterator[None]:
        self.append(path, "b", "late")
        with self.file(path, "b").open("a") as file:
            file.write('{"id": "half", "type": "us')
            file.flush()
            yield


class RooWorkshop:
    """A `Workshop`: a folder of Roo Code's. `c` worked for `a`."""

    kind = "roo"

    def make(self, home: Path) -> Path:
        folder = home / ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline"
        for at, (one, texts) in enumerate(TOLD.items()):
            task = RooTask(self.folder(folder, one), began=round(1000 * (BEGAN + 1000 * at)))
            task.listed = {"id": one, **({"parentTaskId": "a"} if one == "c" else {})}
            self.say(task, *texts)
        return folder

    def folder(self, path: Path, session: str) -> Path:
        return path / "tasks" / session

    def file(self, path: Path, session: str) -> Path:
        return self.folder(path, session) / "api_conversation_history.json"

    def env(self, path: Path) -> Mapping[str, str]:
        return {"XDG_CONFIG_HOME": str(path.parents[3])}

    def say(self, task: RooTask, *texts: str) -> None:
        for text in texts:
            task.ask(text) if len(task.items) % 2 == 0 else task.reply(text)
        task.write()

    def append(self, path: Path, session: str, *texts: str) -> None:
        self.say(RooTask.of(self.folder(path, session)), *texts)

    def rewrite(self, path: Path, session: str, at: int, text: str) -> None:
        task = RooTask.of(self.folder(path, session))
        task.items[at]["content"][0]["text"] = text
        task.write()

    def truncate(self, path: Path, session: str) -> None:
        task = RooTask.of(self.folder(path, session))
        del task.items[-1]
        task.write()

    def delete(self, path: Path, session: str) -> None:
        shutil.rmtree(self.folder(path, session))

    def move(self, path: Path, folder: Path) -> Path:
        return Path(shutil.move(path, folder))

    def spoil(self, path: Path) -> int:
        task = RooTask.of(self.folder(path, "a"))
        spoiled: list[Any] = [{"content": "of nobody"}, 5, None]
        task.items += spoiled
        task.write()
        return 3

    def texts(self, path: Path) -> dict[str, list[str]]:
        tasks = [RooTask.of(one) for one in sorted((path / "tasks").iterdir())]
        return {task.folder.name: [one["content"][0]["text"] for one in task.items] for task in tasks}

    @contextmanager
    def holding(self, path: Path) -> Iterator[None]:
        self.append(path, "b", "late")
        with (self.folder(path, "b") / "api_conversation_history.json").open("rb"):
            yield


WORKSHOPS: tuple[Workshop, ...] = (
    HermesWorkshop(),
    JotterWorkshop(),
    ClaudeCodeWorkshop(),
    CodexWorkshop(),
    PiWorkshop(),
    GeminiWorkshop(),
    OpenCodeWorkshop(TOLD),
    OpenCodeFilesWorkshop(TOLD),
    GooseWorkshop(TOLD),
    GooseFilesWorkshop(TOLD),
    RooWorkshop(),
)
