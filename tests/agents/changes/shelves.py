"""Homes of OpenCode, Goose and Hermes that change at random: one database, or the files of older releases."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from hermes_sessions.handoff import render_handoff
from tests.agents.changes.player import Player
from tests.agents.goose.session_builder import BY_HAND, ORDER, GooseInDatabase, GooseInFiles, GooseTalk
from tests.agents.hermes.hermes_builder import START, row, session, state_db
from tests.agents.opencode.session_builder import BEGAN, KeptInDatabase, KeptInFiles, Talk


class OpenCodePlayer(Player):
    """A `Player`; what is said is written at once."""

    def __init__(self, home: Path, seed: int) -> None:
        self.kept = self.keeping(home)
        self.began: dict[str, int] = {}
        super().__init__(home, seed)

    def keeping(self, home: Path) -> Any:
        """Return where sessions are written."""
        return KeptInDatabase(home / "opencode.db")

    def begin(self, name: str, **fields: Any) -> Talk:
        self.began[name] = BEGAN + self.number
        return Talk(self.kept, name, created=self.began[name], **fields)

    def write(self, talk: Any) -> None:
        """Nothing is left to write."""

    def say(self, talk: Any) -> None:
        talk.ask(self.text())
        talk.reply(self.text())
        for _ in range(self.chance.randrange(2)):
            pruned = {"time": {"compacted": 1_780_000_900_000}} if self.chance.random() < 0.2 else {}
            talk.use(f"c{self.fresh()}", self.text(), **pruned)

    def rare(self) -> list[Callable[[Any], None]]:
        return [self.compact, self.compact, self.fail, self.prune]

    def compact(self, talk: Any) -> None:
        ids = self.kept.messages(talk.session)
        tail = self.chance.choice([None, *ids[-3:]])
        overflow = {"overflow": True} if self.chance.random() < 0.2 else {}
        talk.compact(self.text(), tail=tail, **overflow)
        if self.chance.random() < 0.5:
            talk.ask("Continue if you have next steps", synthetic=True)

    def fail(self, talk: Any) -> None:
        given: dict[str, Any] = self.chance.choice([{"finish": None}, {"error": {"name": "x"}}])
        talk.compact(self.chance.choice([None, "", "half"]), **given)

    def prune(self, talk: Any) -> None:
        """Clear the result of an earlier call."""
        for one, _, parts in self.kept.read()[talk.session]:
            for part, told in parts:
                if told["type"] == "tool" and self.chance.random() < 0.3:
                    told["state"]["time"]["compacted"] = 1_780_000_900_000
                    self.kept.put_part(talk.session, one, part, told)

    def happenings(self) -> list[Callable[[Any], None]]:
        return [self.cut, self.rewrite, self.delete, self.fork, self.send, self.revert, self.archive]

    def cut(self, name: str) -> None:
        for one in self.kept.messages(name)[-self.chance.randrange(1, 5) :]:
            self.kept.delete(name, one)

    def rewrite(self, name: str) -> None:
        told = [
            (one, part, value)
            for one, _, parts in self.kept.read()[name]
            for part, value in parts
            if value["type"] == "text"
        ]
        if told:
            one, part, value = self.chance.choice(told)
            self.kept.put_part(name, one, part, {**value, "text": self.text()})

    def delete(self, name: str) -> None:
        del self.talks[name]
        self.kept.delete(name)

    def fork(self, name: str) -> None:
        other = f"f{self.fresh()}"
        count = self.chance.choice([None, self.chance.randrange(1, 9)])
        self.began[other] = self.kept.clock + 1
        self.talks[other] = made = self.talks[name].fork(other, count)
        self.grow(made)

    def send(self, name: str) -> None:
        other = f"s{self.fresh()}"
        self.talks[other] = made = self.begin(other, parentID=name)
        self.grow(made)

    def revert(self, name: str) -> None:
        ids = self.kept.messages(name)
        told = {"messageID": self.chance.choice(ids)} if ids and self.chance.random() < 0.7 else None
        self.kept.put_session(name, created=self.began[name], **({"revert": told} if told else {}))

    def archive(self, name: str) -> None:
        self.kept.put_session(name, created=self.began[name], archived=BEGAN + 9)


class OpenCodeFilesPlayer(OpenCodePlayer):
    """A `Player` of the older tree of files."""

    def keeping(self, home: Path) -> Any:
        return KeptInFiles(home / "storage")


class GoosePlayer(Player):
    """A `Player`; every session is written whole each time, its rows with other ids."""

    def __init__(self, home: Path, seed: int) -> None:
        self.kept = self.keeping(home)
        super().__init__(home, seed)

    def keeping(self, home: Path) -> Any:
        """Return where sessions are written."""
        return GooseInDatabase(home / "sessions.db")

    def begin(self, name: str, **fields: Any) -> GooseTalk:
        return GooseTalk(self.kept, name, **fields)

    def say(self, talk: Any) -> None:
        talk.ask(self.text())
        talk.reply(self.text())
        for _ in range(self.chance.randrange(2)):
            talk.use(f"c{self.fresh()}", self.text())

    def rare(self) -> list[Callable[[Any], None]]:
        return [self.compact, self.compact, self.shorten]

    def compact(self, talk: Any) -> None:
        talk.compact(self.text(), order=self.chance.choice([ORDER, BY_HAND]))

    def shorten(self, talk: Any) -> None:
        calls = [
            part["id"] for one in talk.messages for part in one["content"] if part["type"] == "toolRequest"
        ]
        if calls:
            talk.shorten(self.chance.choice(calls), "A call and what it gave.")

    def happenings(self) -> list[Callable[[Any], None]]:
        return [self.cut, self.rewrite, self.delete, self.copy]

    def cut(self, name: str) -> None:
        messages = self.talks[name].messages
        del messages[max(1, len(messages) - self.chance.randrange(1, 6)) :]
        self.write(self.talks[name])

    def rewrite(self, name: str) -> None:
        messages = self.talks[name].messages
        if messages:
            self.chance.choice(messages)["content"] = [{"type": "text", "text": self.text()}]
        self.write(self.talks[name])

    def delete(self, name: str) -> None:
        del self.talks[name]
        self.kept.delete(name)

    def copy(self, name: str) -> None:
        other = f"f{self.fresh()}"
        self.talks[other] = made = self.begin(other)
        made.messages = [dict(one) for one in self.talks[name].messages[: self.chance.randrange(1, 9)]]
        self.grow(made)
        self.write(made)


class UnnamedGoosePlayer(GoosePlayer):
    """A `Player` of a database whose messages have no ids of their own."""

    def keeping(self, home: Path) -> Any:
        return GooseInDatabase(home / "sessions.db", named=False)


class GooseFilesPlayer(GoosePlayer):
    """A `Player` of the older files of lines."""

    def keeping(self, home: Path) -> Any:
        return GooseInFiles(home)


class HermesPlayer(Player):
    """A `Player` of a `state.db`: compactions in place and by rotation, branches, undone turns."""

    def __init__(self, home: Path, seed: int) -> None:
        home.mkdir(parents=True, exist_ok=True)
        self.file = state_db(home / "state.db", sessions=[session("a"), session("b")])
        self.time = START + 9000
        super().__init__(home, seed)
        self.path = self.file

    def run(self, statement: str, *values: Any) -> list[Any]:
        """Run a statement of any kind."""
        with closing(sqlite3.connect(self.file)) as connection, connection:
            return connection.execute(statement, values).fetchall()

    def begin(self, name: str, **fields: Any) -> str:
        if not self.run("SELECT 1 FROM sessions WHERE id = ?", name):
            told = {**session(name), "started_at": self.time, **fields}
            names, marks = ", ".join(told), ", ".join("?" * len(told))
            self.run(f"INSERT INTO sessions ({names}) VALUES ({marks})", *told.values())
        return name

    def write(self, talk: Any) -> None:
        """Nothing is left to write."""

    def add(self, talk: str, role: str, text: Any, **columns: Any) -> None:
        """Append a row."""
        self.time += 10
        told = {**row(talk, role, text), "timestamp": self.time, **columns}
        names, marks = ", ".join(told), ", ".join("?" * len(told))
        self.run(f"INSERT INTO messages ({names}) VALUES ({marks})", *told.values())

    def say(self, talk: Any) -> None:
        self.add(talk, "user", self.text())
        if self.chance.random() < 0.5:
            call = f"c{self.fresh()}"
            made = [{"id": call, "type": "function", "function": {"name": "read", "arguments": "{}"}}]
            self.add(talk, "assistant", "", tool_calls=json.dumps(made))
            self.add(talk, "tool", self.text(), tool_call_id=call, tool_name="read")
        self.add(talk, "assistant", self.text())

    def rare(self) -> list[Callable[[Any], None]]:
        return [self.compact, self.compact, self.undo, self.title]

    def live(self, talk: str) -> list[Any]:
        """Return the rows that the model sees."""
        asked = "SELECT id, role, content FROM messages WHERE session_id = ? AND active = 1 ORDER BY id"
        return self.run(asked, talk)

    def compact(self, talk: Any) -> None:
        """Archive the rows in place, then a handoff and copies of the last ones."""
        rows = self.live(talk)
        if len(rows) < 6:
            return
        self.run("UPDATE messages SET active = 0, compacted = 1 WHERE session_id = ? AND active = 1", talk)
        self.add(talk, "user", render_handoff(f"Done {self.chance.random()}"))
        for _, role, text in rows[-2:]:
            if role != "tool":
                self.add(talk, role, text)

    def undo(self, talk: Any) -> None:
        for number, *_ in self.live(talk)[-2:]:
            self.run("UPDATE messages SET active = 0 WHERE id = ?", number)

    def title(self, talk: Any) -> None:
        self.run("UPDATE sessions SET title = ? WHERE id = ?", f"Title {self.chance.random()}", talk)

    def happenings(self) -> list[Callable[[Any], None]]:
        return [self.rotate, self.rewrite, self.delete, self.fork, self.send]

    def rotate(self, name: str) -> None:
        """Compact into a new session."""
        rows = self.live(name)
        if len(rows) < 6 or self.run("SELECT 1 FROM sessions WHERE parent_session_id = ?", name):
            return
        self.run("UPDATE sessions SET end_reason = 'compression', ended_at = ? WHERE id = ?", self.time, name)
        other = f"r{self.fresh()}"
        self.time += 1
        self.begin(other, parent_session_id=name)
        self.add(other, "user", render_handoff(f"Done {self.chance.random()}"))
        for _, role, text in rows[-2:]:
            if role != "tool":
                self.add(other, role, text)
        self.talks[other] = other
        self.say(other)

    def rewrite(self, name: str) -> None:
        """Write a session anew after an undo, its rows with other ids."""
        if self.run("SELECT 1 FROM messages WHERE session_id = ? AND active = 0", name):
            return
        rows = self.live(name)
        plain = [(role, text) for _, role, text in rows if role != "tool" and text]
        if len(plain) == len(rows):
            self.run("DELETE FROM messages WHERE session_id = ?", name)
            for role, text in plain[:-1]:
                self.add(name, role, text)
            self.add(name, "user", self.text())

    def delete(self, name: str) -> None:
        del self.talks[name]
        self.run("DELETE FROM messages WHERE session_id = ?", name)
        self.run("DELETE FROM sessions WHERE id = ?", name)

    def fork(self, name: str) -> None:
        self.run("UPDATE sessions SET end_reason = 'branched', ended_at = ? WHERE id = ?", self.time, name)
        other = f"f{self.fresh()}"
        self.time += 1
        self.begin(other, parent_session_id=name)
        for _, role, text in self.live(name)[: self.chance.randrange(1, 9)]:
            self.add(other, role, text)
        self.talks[other] = other
        self.say(other)

    def send(self, name: str) -> None:
        other = f"s{self.fresh()}"
        self.begin(other, parent_session_id=name, source="tool")
        self.talks[other] = other
        self.say(other)
