"""How many appends a second writers do together: ours beside what the engine does by hand, in turns.

    python -m bench.writers --db postgresql://... [--widths 1,4,8,16] [--seconds 4] [--rounds 3]
    python -m bench.writers [--sessions 1000,10000,100000]

On a server every writer is a process with a conversation of its own; by hand is psycopg with prepared
statements: one row with its `tsvector`, one counter, one commit. In a file one writer appends to a store of
so many sessions; by hand is sqlite3 with the agent's own shapes: one row, its two full-text triggers, one
counter. `--beside PYTHON` measures the version that this interpreter has, too. Tables and stores are made
in schemas and folders of their own, and taken away again.
"""

import argparse
import json
import multiprocessing
import sqlite3
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from hermes_sessions import Store
from hermes_sessions.operations.agent.append import NewSession, add_session, append_rows

TEXT: Final = "The parser reads one line after the other and says what it found. " * 14
RAW: Final = "by hand"
OURS: Final = "ours"
OTHER: Final = "beside"
FEW: Final = 4
"""Messages of a session that is there already."""
HEAD: Final = f"{'':<8}{'appends/s':>10}{'low':>8}{'high':>8}{'p50 ms':>9}{'p99':>9}{'by hand / it':>14}"
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


def be_writer(kind: str, url: str, number: int, seconds: float, ready: Any, told: Any) -> None:
    """One process: connect, wait for the others, append."""
    opened = by_hand(url, "writers_by_hand", number) if kind == RAW else through_store(url, number)
    with opened as append:
        for at in range(20):
            append(at)
        ready.wait()
        told.put(write_for(append, seconds))


def together(kind: str, url: str, width: int, seconds: float) -> tuple[float, list[float]]:
    """Let so many writers append at once; return appends per second, and what each took."""
    context = multiprocessing.get_context("spawn")
    ready, told = context.Barrier(width), context.SimpleQueue()
    writers = [
        context.Process(target=be_writer, args=(kind, url, number, seconds, ready, told))
        for number in range(width)
    ]
    for writer in writers:
        writer.start()
    took = [one for _ in writers for one in told.get()]
    for writer in writers:
        writer.join()
    return len(took) / seconds, took


def elsewhere(python: str, url: str, width: int, seconds: float) -> tuple[float, list[float]]:
    """Do the same with another version, in its own interpreter."""
    command = [python, __file__, "--db", url, "--only", str(width), "--seconds", str(seconds)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rate, took = json.loads(said)
    return rate, took


def row(kind: str, rates: Sequence[float], calls: Sequence[float], by_hand: Sequence[float]) -> str:
    """Return a row of the table, without its first column."""
    middle, cuts = statistics.median(rates), statistics.quantiles(calls, n=100)
    return (
        f"{kind:<8}{middle:>10,.0f}{min(rates):>8,.0f}{max(rates):>8,.0f}{cuts[49]:>9.2f}{cuts[98]:>9.2f}"
        f"{statistics.median(by_hand) / middle:>13.2f}x"
    )


def on_server(url: str, widths: Sequence[int], seconds: float, rounds: int, beside: str | None) -> None:
    """Print the table of writers on a server."""
    print(f"{'writers':>9} {HEAD}")
    kinds = [RAW, OURS, *([OTHER] if beside else [])]
    with schemas(url, len(kinds)) as urls:
        alone: dict[str, float] = {}
        for width in widths:
            rates: dict[str, list[float]] = {kind: [] for kind in kinds}
            calls: dict[str, list[float]] = {kind: [] for kind in kinds}
            for _ in range(rounds):
                for kind, place in zip(kinds, urls, strict=True):
                    if kind == OTHER and beside:
                        rate, took = elsewhere(beside, place, width, seconds)
                    else:
                        rate, took = together(kind, place, width, seconds)
                    rates[kind].append(rate)
                    calls[kind] += took
            for kind in kinds:
                middle = statistics.median(rates[kind])
                alone.setdefault(kind, middle)
                told = row(kind, rates[kind], calls[kind], rates[RAW])
                print(f"{width:>9} {told}  {middle / alone[kind]:.1f} times {widths[0]}", flush=True)


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
        rates: dict[str, list[float]] = {RAW: [], OURS: []}
        calls: dict[str, list[float]] = {RAW: [], OURS: []}
        with (
            tempfile.TemporaryDirectory() as folder,
            Store.open(str(Path(folder, "ours.db"))) as store,
            agent_file(Path(folder, "agent.db"), count) as raw,
        ):
            fill(store, count)
            ours = appending(store, store.create_session())
            for _ in range(rounds):
                for kind, append in ((RAW, raw), (OURS, ours)):
                    took = write_for(append, seconds)
                    rates[kind].append(len(took) / seconds)
                    calls[kind] += took
        for kind, those in rates.items():
            print(f"{count:>9} {row(kind, those, calls[kind], rates[RAW])}", flush=True)


def fill(store: Store, count: int) -> None:
    """Make so many sessions of a few messages, 500 in a transaction."""
    said = [{"role": ("user", "assistant")[at % 2], "content": f"{at} {TEXT}"} for at in range(FEW)]
    for first in range(0, count, 500):
        with store.database.write() as db:
            for number in range(first, min(count, first + 500)):
                add_session(db, NewSession(session_id=f"session-{number}"), time.time())
                append_rows(db, f"session-{number}", said, time.time())


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
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--beside", metavar="PYTHON", help="the interpreter of another version")
    parser.add_argument("--only", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only:
        print(json.dumps(together(OURS, given.db, given.only, given.seconds)))
    elif given.db:
        widths = [int(one) for one in given.widths.split(",")]
        on_server(given.db, widths, given.seconds, given.rounds, given.beside)
    else:
        in_file([int(one) for one in given.sessions.split(",")], given.seconds, given.rounds)


if __name__ == "__main__":
    main()
