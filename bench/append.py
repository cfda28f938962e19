"""How fast agents append: many at once, one by one, eight processes together, against raw sqlite3.

    python -m bench.append [--messages N] [--writers N]

Raw sqlite3 does the same inserts and updates by hand on a store of its own, with the
same pragmas, in turns with ours: a row, its full-text entry, the counts of session and
conversation, one transaction each time.
"""

import argparse
import multiprocessing
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hermes_sessions import Store
from hermes_sessions.store.keeping.check import check_store

BATCH: Final = 500
TEXT: Final = "The parser reads one line after the other and says what it found. " * 14
ROW: Final = (
    "INSERT INTO messages (id, session_id, position, role, kind, state, shown, created_at, search_key, text)"
    " VALUES (?, 1, ?, ?, 'message', 'live', 1, ?, ?, ?)"
)
COUNT: Final = "UPDATE {} SET message_count = message_count + ?, last_active_at = ? WHERE id = 1"

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Figures:
    """Messages per second, and how long single calls took, in milliseconds."""

    many: float
    single: float
    calls: Sequence[float]


def messages(count: int) -> list[Message]:
    """Return *count* messages of about a kilobyte."""
    roles = ("user", "assistant")
    return [{"role": roles[at % 2], "content": f"{at} {TEXT}"} for at in range(count)]


def measure(append: Callable[[Sequence[Message]], object], count: int) -> Figures:
    """Append *count* messages in batches, then as many one by one."""
    given = messages(count)
    started = time.perf_counter()
    for at in range(0, count, BATCH):
        append(given[at : at + BATCH])
    many = count / (time.perf_counter() - started)
    calls = []
    for message in given:
        began = time.perf_counter()
        append([message])
        calls.append((time.perf_counter() - began) * 1000)
    return Figures(many, count / (sum(calls) / 1000), calls)


class Raw:
    """The same work without us: sqlite3 and six statements."""

    def __init__(self, path: Path) -> None:
        with Store.open(str(path)) as store:
            store.append(store.create_session(), {"role": "user", "content": "first"})
        self.connection = sqlite3.connect(path, isolation_level=None)
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "cache_size = -64000"):
            self.connection.execute(f"PRAGMA {pragma}")

    def append(self, given: Sequence[Message]) -> None:
        """Append in one transaction."""
        now = time.time()
        run = self.connection.execute
        run("BEGIN IMMEDIATE")
        key, position, search = run("SELECT max(id), max(position), max(search_key) FROM messages").fetchone()
        rows = [
            (key + at, position + at, message["role"], now, search + at, message["content"])
            for at, message in enumerate(given, 1)
        ]
        self.connection.executemany(ROW, rows)
        indexed = [(row[4], row[5]) for row in rows]
        self.connection.executemany("INSERT INTO messages_fts (rowid, text) VALUES (?, ?)", indexed)
        for table in ("sessions", "conversations"):
            run(COUNT.format(table), (len(rows), now))
        run("COMMIT")


def write_alone(path: str, number: int, count: int, told: Any, ready: Any) -> None:
    """Be one of several writers: a session of one's own, a ledger of what was appended."""
    with Store.open(path) as store:
        session = store.create_session(session_id=f"writer-{number}")
        ready.wait()
        calls = []
        for message in messages(count):
            began = time.perf_counter()
            store.append(session, message)
            calls.append((time.perf_counter() - began) * 1000)
    told.put(calls)


def together(path: Path, writers: int, count: int) -> tuple[Figures, int, int]:
    """Let several processes append at once; return figures, messages lost, and what `db check` found."""
    context = multiprocessing.get_context("spawn")
    told = context.SimpleQueue()
    ready = context.Barrier(writers + 1)
    with Store.open(str(path)):
        pass
    processes = [
        context.Process(target=write_alone, args=(str(path), number, count, told, ready))
        for number in range(writers)
    ]
    for process in processes:
        process.start()
    ready.wait()
    started = time.perf_counter()
    calls = [took for _ in processes for took in told.get()]
    for process in processes:
        process.join()
    took = time.perf_counter() - started
    with Store.open(str(path)) as store, store.database.read() as db:
        wanted = messages(count)
        lost = sum(count for number in range(writers) if store.load(f"writer-{number}") != wanted)
        found = len(check_store(db))
    return Figures(0.0, writers * count / took, calls), lost, found


def line(name: str, figures: Figures) -> str:
    """Return a row of the table."""
    cuts = statistics.quantiles(figures.calls, n=100)
    times = (cuts[49], cuts[94], cuts[98], max(figures.calls))
    many = f"{figures.many:>14,.0f}" if figures.many else f"{'':>14}"
    return f"{name:<22}{many}{figures.single:>12,.0f}" + "".join(f"{one:>9.2f}" for one in times)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description="How fast agents append.")
    parser.add_argument("--messages", type=int, default=4_000)
    parser.add_argument("--writers", type=int, default=8)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        raw = Raw(Path(folder, "raw.db"))
        with Store.open(str(Path(folder, "ours.db"))) as store:
            session = store.create_session()
            plain = measure(raw.append, given.messages)
            ours = measure(lambda some: store.append_many(session, some), given.messages)
        raw.connection.close()
        crowd, lost, found = together(
            Path(folder, "crowd.db"), given.writers, max(1, given.messages // given.writers)
        )
    print(f"{'':<22}{'append_many/s':>14}{'append/s':>12}{'p50 ms':>9}{'p95':>9}{'p99':>9}{'worst':>9}")
    print(line("Store", ours))
    print(line("raw sqlite3", plain))
    print(line(f"{given.writers} processes, all", crowd))
    print(f"raw / Store: append_many {plain.many / ours.many:.1f}x, append {plain.single / ours.single:.1f}x")
    print(f"{given.writers} processes: {lost} messages lost, {found} disagreements in `db check`")
    return 1 if lost or found else 0


if __name__ == "__main__":
    sys.exit(main())
