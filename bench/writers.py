"""How many appends a second writers do together: ours beside what the engine does by hand, in turns.

    python -m bench.writers --db postgresql://... [--widths 1,4,8,16] [--seconds 1] [--rounds 9]
    python -m bench.writers [--sessions 1000,10000,100000]

On a server every writer is a process with a conversation of its own; by hand is psycopg with prepared
statements: one row with its `tsvector`, one counter, one commit. In a file one writer appends to a store of
so many sessions; by hand is sqlite3 with the agent's own shapes: one row, its two full-text triggers, one
counter. `--beside PYTHON` measures the version that this interpreter has, too. Tables and stores are made
in schemas and folders of their own, and taken away again.
"""

import argparse
import json
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hermes_sessions import Store

TEXT: Final = "The parser reads one line after the other and says what it found. " * 14
RAW: Final = "by hand"
OURS: Final = "ours"
OTHER: Final = "beside"
SCHEMA: Final = 17
"""Of the agent's database from which a store is filled."""
FEW: Final = 4
"""Messages of a session that is there already."""
HEAD: Final = (
    f"{'':<8}{'appends/s':>10}{'low':>8}{'high':>8}{'p50 ms':>9}{'p99':>9}{'p99':>9}  by hand / it (rounds)"
)
_TABLES: Final = """
CREATE TABLE {schema}.messages (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, session_id bigint, position int, role text,
  created_at double precision, text text, words tsvector);
CREATE INDEX ON {schema}.messages USING gin (words);
CREATE UNIQUE INDEX ON {schema}.messages (session_id, position);
CREATE TABLE {schema}.sessions (id bigint PRIMARY KEY, message_count int, last_active_at double precision);
"""
_ROW: Final = (
    "INSERT INTO {schema}.messages (session_id, position, role, created_at, text, words)"
    " VALUES (%s, %s, %s, %s, %s, to_tsvector('simple', %s))"
)
_COUNT: Final = (
    "UPDATE {schema}.sessions SET message_count = message_count + 1, last_active_at = %s WHERE id = %s"
)
_AGENT: Final = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, started_at REAL, message_count INTEGER DEFAULT 0);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id),
  role TEXT NOT NULL, content TEXT, timestamp REAL NOT NULL);
CREATE INDEX idx_messages_session ON messages(session_id, timestamp);
CREATE VIRTUAL TABLE messages_fts USING fts5(content);
CREATE VIRTUAL TABLE messages_fts_trigram USING fts5(content, tokenize='trigram');
CREATE TRIGGER messages_fts_insert AFTER INSERT ON messages BEGIN
  INSERT INTO messages_fts(rowid, content) VALUES (new.id, new.content); END;
CREATE TRIGGER messages_fts_trigram_insert AFTER INSERT ON messages BEGIN
  INSERT INTO messages_fts_trigram(rowid, content) VALUES (new.id, new.content); END;
"""
_AGENT_SESSION: Final = "INSERT INTO sessions (id, source, started_at) VALUES (?, 'cli', ?)"
_AGENT_ROW: Final = "INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, ?, ?, ?)"
_AGENT_COUNT: Final = "UPDATE sessions SET message_count = message_count + 1 WHERE id = ?"

Append = Callable[[int], None]


@contextmanager
def by_hand(url: str, schema: str, number: int) -> Iterator[Append]:
    """Give an append in psycopg, as fast as one transaction each time may be."""
    import psycopg

    with psycopg.connect(url, prepare_threshold=0, autocommit=True) as connection:
        connection.execute(
            f"INSERT INTO {schema}.sessions VALUES (%s, 0, 0) ON CONFLICT DO NOTHING", (number,)
        )
        found = connection.execute(
            f"SELECT coalesce(max(position) + 1, 0) FROM {schema}.messages WHERE session_id = %s", (number,)
        ).fetchone()
        assert found is not None
        position = found[0]
        row, count = _ROW.format(schema=schema), _COUNT.format(schema=schema)

        def append(at: int) -> None:
            nonlocal position
            now, text = time.time(), f"{at} {TEXT}"
            with connection.pipeline(), connection.transaction():
                connection.execute(row, (number, position, "user", now, text, text))
                connection.execute(count, (now, number))
            position += 1

        yield append


@contextmanager
def through_store(url: str, number: int) -> Iterator[Append]:
    """Give an append through `Store`."""
    with Store.open(url) as store:
        yield appending(store, store.create_session())


def appending(store: Store, session: str) -> Append:
    """Return an append to one session."""

    def append(at: int) -> None:
        store.append(session, {"role": ("user", "assistant")[at % 2], "content": f"{at} {TEXT}"})

    return append


def write_for(append: Append, seconds: float) -> list[float]:
    """Append for so long; return what each took, in milliseconds."""
    took: list[float] = []
    end = time.perf_counter() + seconds
    while (began := time.perf_counter()) < end:
        append(len(took))
        took.append((time.perf_counter() - began) * 1000)
    return took


def be_writer(kind: str, url: str, number: int) -> None:
    """One process: connect, then append for so long whenever it is told to, until nobody tells any more."""
    opened = by_hand(url, "writers_by_hand", number) if kind == RAW else through_store(url, number)
    with opened as append:
        for at in range(20):
            append(at)
        print("ready", flush=True)
        for told in sys.stdin:
            begin, seconds = map(float, told.split())
            time.sleep(max(0.0, begin - time.time()))
            print(json.dumps(write_for(append, seconds)), flush=True)


class Crew:
    """Writers of one kind, a process each: connected all the while, at work when it is their turn."""

    def __init__(self, kind: str, python: str, url: str, width: int) -> None:
        command = [python, __file__, "--be", kind, "--db", url, "--number"]
        self._writers = [
            subprocess.Popen(
                [*command, str(at)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
            for at in range(width)
        ]
        assert all(self._told(writer) == "ready" for writer in self._writers)

    def write(self, seconds: float) -> list[float]:
        """Let all append at once for so long; return what each call took, in milliseconds."""
        begin = time.time() + 0.05
        for writer in self._writers:
            assert writer.stdin is not None
            writer.stdin.write(f"{begin} {seconds}\n")
        return [one for writer in self._writers for one in json.loads(self._told(writer))]

    def _told(self, writer: subprocess.Popen[str]) -> str:
        assert writer.stdout is not None
        return writer.stdout.readline().strip()

    def end(self) -> None:
        """Let them go."""
        for writer in self._writers:
            writer.communicate()


@dataclass(slots=True)
class Figures:
    """What a crew did: appends a second of each round, and what each call took, in milliseconds."""

    rates: list[float] = field(default_factory=list)
    calls: list[float] = field(default_factory=list)

    def add(self, took: Sequence[float], seconds: float) -> None:
        """Take note of a round."""
        self.rates.append(len(took) / seconds)
        self.calls += took

    @property
    def middle(self) -> float:
        """Appends a second of the middle round."""
        return statistics.median(self.rates)

    @property
    def p99(self) -> float:
        """The time in which 99 of 100 calls were done."""
        return statistics.quantiles(self.calls, n=100)[98]


def row(kind: str, one: Figures, by_hand: Figures) -> str:
    """Return a row of the table without its first column; ratios are of rounds side by side."""
    times = [raw / rate for raw, rate in zip(by_hand.rates, one.rates, strict=True)]
    spread = f"{statistics.median(times):.2f} ({min(times):.2f} to {max(times):.2f})"
    return (
        f"{kind:<8}{one.middle:>10,.0f}{min(one.rates):>8,.0f}{max(one.rates):>8,.0f}"
        f"{statistics.median(one.calls):>9.2f}{one.p99:>9.2f}{one.p99 / by_hand.p99:>8.2f}x  {spread}"
    )


def on_server(url: str, widths: Sequence[int], seconds: float, rounds: int, beside: str | None) -> None:
    """Print the table of writers on a server: each round every kind has its turn."""
    print(f"{'writers':>9} {HEAD}")
    kinds = {RAW: sys.executable, OURS: sys.executable, **({OTHER: beside} if beside else {})}
    with schemas(url, len(kinds)) as urls:
        alone: dict[str, float] = {}
        for width in widths:
            crews = {
                kind: Crew(kind, python, place, width)
                for (kind, python), place in zip(kinds.items(), urls, strict=True)
            }
            found = {kind: Figures() for kind in kinds}
            for _ in range(rounds):
                for kind, crew in crews.items():
                    found[kind].add(crew.write(seconds), seconds)
            for kind, crew in crews.items():
                crew.end()
                alone.setdefault(kind, found[kind].middle)
                told = row(kind, found[kind], found[RAW])
                print(f"{width:>9} {told}  {found[kind].middle / alone[kind]:.1f} of one", flush=True)


@contextmanager
def schemas(url: str, count: int) -> Iterator[list[str]]:
    """Make schemas for the run, with the tables by hand in the first, and drop them afterwards."""
    import psycopg

    names = ["writers_by_hand", *(f"writers_{at}" for at in range(1, count))]
    with psycopg.connect(url, autocommit=True) as connection:
        try:
            for name in names:
                connection.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")
                connection.execute(f"CREATE SCHEMA {name}")
            connection.execute(_TABLES.format(schema=names[0]))
            yield [f"{url}?options=-csearch_path%3D{name}" for name in names]
        finally:
            for name in names:
                connection.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")


def in_file(sessions: Sequence[int], seconds: float, rounds: int) -> None:
    """Print the table of one writer to a file."""
    print(f"{'sessions':>9} {HEAD}")
    for count in sessions:
        found = {RAW: Figures(), OURS: Figures()}
        with (
            tempfile.TemporaryDirectory() as folder,
            Store.open(str(Path(folder, "ours.db"))) as store,
            agent_file(Path(folder, "agent.db"), count) as raw,
        ):
            fill(store, count, Path(folder))
            ours = appending(store, store.create_session())
            for _ in range(rounds):
                for kind, append in ((RAW, raw), (OURS, ours)):
                    found[kind].add(write_for(append, seconds), seconds)
        for kind, one in found.items():
            print(f"{count:>9} {row(kind, one, found[RAW])}", flush=True)


def fill(store: Store, count: int, folder: Path) -> None:
    """Bring so many sessions of a few messages from an agent's database, which takes the least time."""
    # Here: a version beside, which may have them elsewhere, is not asked for them.
    from hermes_sessions.demo.agent_tables import (
        create_tables,
        insert_rows,
        message_columns,
        session_columns,
    )
    from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path

    path, now = folder / "brought.db", time.time()
    said = [{"role": ("user", "assistant")[at % 2], "content": f"{at} {TEXT}"} for at in range(FEW)]
    with closing(sqlite3.connect(path)) as connection:
        create_tables(connection, SCHEMA)
        for first in range(0, count, 1_000):
            ids = [f"session-{number}" for number in range(first, min(count, first + 1_000))]
            sessions = [{"id": one, "source": "cli", "started_at": now} for one in ids]
            rows = [{**row, "session_id": one, "timestamp": now} for one in ids for row in said]
            with connection:
                insert_rows(connection, "sessions", session_columns(SCHEMA), sessions)
                insert_rows(connection, "messages", message_columns(SCHEMA), rows)
    import_path(store.database, path, ImportOptions(clock=time.time))
    path.unlink()


@contextmanager
def agent_file(path: Path, count: int) -> Iterator[Append]:
    """Give an append as the agent makes it, to a file with so many sessions."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "cache_size = -64000"):
            connection.execute(f"PRAGMA {pragma}")
        connection.executescript(_AGENT)
        connection.execute("BEGIN")
        for number in range(count):
            connection.execute(_AGENT_SESSION, (f"session-{number}", time.time()))
            for at in range(FEW):
                connection.execute(_AGENT_ROW, (f"session-{number}", "user", f"{at} {TEXT}", time.time()))
        connection.execute("COMMIT")

        def append(at: int) -> None:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_AGENT_ROW, ("session-0", "user", f"{at} {TEXT}", time.time()))
            connection.execute(_AGENT_COUNT, ("session-0",))
            connection.execute("COMMIT")

        yield append


def main() -> None:
    """Print the table asked for."""
    parser = argparse.ArgumentParser(description="How many appends a second writers do together.")
    parser.add_argument("--db", metavar="URL", help="a server's database; by default a file")
    parser.add_argument("--widths", default="1,4,8,16", help="how many writers at once")
    parser.add_argument("--sessions", default="1000,10000,100000", help="how many the file has")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--beside", metavar="PYTHON", help="the interpreter of another version")
    parser.add_argument("--be", help=argparse.SUPPRESS)
    parser.add_argument("--number", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.be:
        be_writer(given.be, given.db, given.number)
    elif given.db:
        widths = [int(one) for one in given.widths.split(",")]
        on_server(given.db, widths, given.seconds, given.rounds, given.beside)
    else:
        in_file([int(one) for one in given.sessions.split(",")], given.seconds, given.rounds)


if __name__ == "__main__":
    main()
