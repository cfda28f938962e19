"""An agent at work, and the viewer that follows it, each in a process of its own."""

import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from hermes_sessions.demo.agent_tables import insert_rows, message_columns, session_columns
from hermes_sessions.handoff import render_handoff
from tests.agents.hermes.hermes_builder import START, row, session, state_db
from tests.operations.imports.scene import again, talk
from tests.waiting import PATIENCE_SECONDS

VERSION = 17


class Agent:
    """Writes its `state.db` as Hermes does: in WAL mode, one short transaction per turn."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.path = folder / "state.db"
        self.rows = [
            {**one, "timestamp": START + at} for at, one in enumerate(talk("a", *self.said("first", 6)))
        ]
        state_db(
            self.path, version=VERSION, sessions=[session("a", title="Watched")], messages=self.rows, wal=True
        )
        self._db = sqlite3.connect(self.path)
        self._now = START + 100.0

    def close(self) -> None:
        self._db.close()

    @staticmethod
    def said(about: str, count: int) -> list[str]:
        return [f"{about} {number}" for number in range(count)]

    def say(self, session_id: str, *texts: str) -> None:
        """Append a turn, alternating user and assistant."""
        self.write(talk(session_id, *texts))

    def begin(self, session_id: str, **columns: Any) -> None:
        """Start another session."""
        one = {"started_at": self._tick(), **session(session_id, **columns)}
        with self._db:
            insert_rows(self._db, "sessions", session_columns(VERSION), [one])

    def rotate(self) -> None:
        """Compact by ending the session and going on in a child that repeats the tail."""
        with self._db:
            self._db.execute(
                "UPDATE sessions SET end_reason = 'compression', ended_at = ? WHERE id = 'a'", (self._tick(),)
            )
        self.begin("b", parent="a", title="Watched #2")
        tail = self.rows[-2:]
        self.write([row("b", "user", render_handoff("Rotated summary.")), *again(tail, "b")])
        self.say("b", "after the rotation", "gone on in the child")

    def compact_in_place(self) -> None:
        """Compact by archiving the rows of the session and inserting handoff and tail anew."""
        tail = self.rows[-2:]
        new = [row("a", "user", render_handoff("Summary in place.")), *tail]
        with self._db:
            self._db.execute("UPDATE messages SET active = 0, compacted = 1 WHERE session_id = 'a'")
            self._insert(new)
        self.say("a", "after the compaction", "gone on in place")

    def write(self, rows: Iterable[Mapping[str, Any]]) -> None:
        with self._db:
            self._insert(rows)

    def _insert(self, rows: Iterable[Mapping[str, Any]]) -> None:
        timed = [{**one, "timestamp": self._tick()} for one in rows]
        insert_rows(self._db, "messages", message_columns(VERSION), timed)

    def _tick(self) -> float:
        self._now += 1.0
        return self._now


class Viewer:
    """`hermes-sessions serve` on a port of its own, which it keeps when it is started again."""

    def __init__(self, folder: Path, *paths: Path) -> None:
        self._arguments = [*map(str, paths), "--db", str(folder / "store.db")]
        self._port = 0
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    def start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "hermes_sessions",
            "serve",
            "--port",
            str(self._port),
            *self._arguments,
        ]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found, line
        self._port, self.address = int(found[1]), found[0].rstrip("/")

    def stop(self) -> int:
        """Ask it to end as a process manager does; returns its exit code."""
        assert self._process is not None
        self._process.terminate()
        with closing(self._process.stdout or sys.stdin):
            return self._process.wait(timeout=PATIENCE_SECONDS)
