"""What an import costs against the least that could be done: the same rows and the same index, by hand.

    python -m bench.importing STATE_DB [--rounds 3]

By hand: sqlite3 reads the rows, SQLAlchemy's Core inserts them with executemany, and the
index gets the same texts; no lineage, no handoffs, no counts, nothing checked. Once with
the texts of the index made on the way (cut into words, as they must be), once with them
ready in a file. Each runs in a process of its own, in turns; times are the processor's,
memory is the peak of the process.
"""

import argparse
import multiprocessing
import resource
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sqlalchemy import insert
from sqlalchemy import text as sql

from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.language.indexed_text import INDEXED, indexable
from hermes_sessions.store.language.segment import SLOT_BITS
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Conversation, Message, Origin, Session
from hermes_sessions.store.searching.full_text import index_rows

BATCH: Final = 2_000
_COLUMNS: Final = tuple(column.name for column in Message.__table__.columns)
_TEXT: Final = ("text", "blocks", "tool_calls", "tool_call_id", "tool_name", "reasoning", "extra")
"""The columns of a message that hold what somebody said, did or thought."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of the processor and of the clock, and megabytes at the peak, of one process."""

    cpu: float
    wall: float
    peak_mb: float


Work = Callable[[str, str], None]


def import_ours(source: str, target: str) -> None:
    """Import as a user would."""
    with Database.open(target) as database:
        import_path(database, Path(source), ImportOptions(clock=time.time))


def import_by_hand(source: str, target: str) -> None:
    """Copy every row, each session a conversation of its own; index the rows that ours indexed."""
    with closing(sqlite3.connect(f"{target}.indexed")) as known:
        wanted = {key for (key,) in known.execute("SELECT id FROM texts")}
    _by_hand(
        source, target, lambda rows: [(row["id"], indexable(row)) for row in rows if row["id"] in wanted]
    )


def import_ready_texts(source: str, target: str) -> None:
    """The same, with what the index gets made beforehand."""
    with closing(sqlite3.connect(f"{target}.indexed")) as known:
        _by_hand(source, target, lambda rows: _ready(known, [row["id"] for row in rows]))


def _ready(known: sqlite3.Connection, keys: Sequence[int]) -> list[tuple[int, str]]:
    asked = f"SELECT id, text FROM texts WHERE id IN ({', '.join(map(str, keys))})"
    return known.execute(asked).fetchall()


def _by_hand(source: str, target: str, texts: Callable[[Sequence[Any]], list[tuple[int, str]]]) -> None:
    with closing(sqlite3.connect(f"file:{source}?mode=ro&immutable=1", uri=True)) as agent:
        agent.row_factory = sqlite3.Row
        with Database.open(target) as database:
            with database.write() as db:
                db.execute(insert(Origin), [{"id": 1, "kind": "hermes", "label": "a", "created_at": 0.0}])
                names = _copy_sessions(db, agent)
            for rows in _batches(agent, "SELECT * FROM messages ORDER BY session_id, id"):
                with database.write() as db:
                    _copy_messages(db, rows, names, texts)


def _copy_sessions(db: Any, agent: sqlite3.Connection) -> dict[str, int]:
    names: dict[str, int] = {}
    for rows in _batches(agent, "SELECT * FROM sessions"):
        conversations, sessions = [], []
        for row in rows:
            key = names[row["id"]] = len(names) + 1
            shared = {
                "id": key, "origin_id": 1, "public_id": row["id"], "source": row["source"],
                "model": row["model"], "started_at": row["started_at"], "message_count": row["message_count"],
            }  # fmt: skip
            own = {"kind": "chat", "root_id": key, "tip_id": key, "last_active_at": row["started_at"]}
            conversations.append({**shared, **own, "session_count": 1})
            sessions.append(
                {**shared, "foreign_id": row["id"], "conversation_id": key, "relation": "root", "ordinal": 0}
            )
        db.execute(insert(Conversation), conversations)
        db.execute(insert(Session), sessions)
    return names


def _copy_messages(db: Any, rows: Sequence[sqlite3.Row], names: dict[str, int], texts: Any) -> None:
    blank = dict.fromkeys(_COLUMNS)
    made = [
        {
            **blank, "id": row["id"], "session_id": names[row["session_id"]],
            "conversation_id": names[row["session_id"]], "position": row["id"],
            "origin_key": str(row["id"]), "origin_row_id": row["id"], "role": row["role"],
            "kind": "message", "state": "live", "shown": True, "created_at": row["timestamp"],
            "text": row["content"], "tool_calls": row["tool_calls"], "tool_call_id": row["tool_call_id"],
            "tool_name": row["tool_name"], "finish_reason": row["finish_reason"],
            "search_key": row["id"] << SLOT_BITS,
        }
        for row in rows
    ]  # fmt: skip
    db.execute(insert(Message), made)
    index_rows(db, ((key << SLOT_BITS, text) for key, text in texts(made)))


def _batches(connection: sqlite3.Connection, query: str) -> Iterator[Sequence[sqlite3.Row]]:
    cursor = connection.execute(query)
    while rows := cursor.fetchmany(BATCH):
        yield rows


def measure(work: Work, source: Path, target: Path) -> Cost:
    """Do *work* in a process of its own."""
    context = multiprocessing.get_context("spawn")
    told = context.SimpleQueue()
    process = context.Process(target=_run, args=(work, str(source), str(target), told))
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(f"{work.__name__} failed")
    return told.get()  # type: ignore[no-any-return]


def _run(work: Work, source: str, target: str, told: Any) -> None:
    wall, cpu = time.perf_counter(), time.process_time()
    work(source, target)
    scale = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale / 1e6
    told.put(Cost(time.process_time() - cpu, time.perf_counter() - wall, peak))


def compare(source: Path, store: Path, rounds: int, *, by_hand: bool = True) -> dict[str, list[Cost]]:
    """Import *rounds* times, in turns ours and by hand; the last import of ours stays at *store*."""
    other = store.with_name(f"{store.name}.by-hand")
    works = {"ours": import_ours}
    if by_hand:
        works |= {"by hand": import_by_hand, "texts ready": import_ready_texts}
    costs: dict[str, list[Cost]] = {name: [] for name in works}
    for _ in range(rounds):
        _remove(store)
        for name, work in works.items():
            target = store if name == "ours" else other
            if name == "by hand":
                _write_texts(store, Path(f"{other}.indexed"))
            costs[name].append(measure(work, source, target))
            if target is other:
                _remove(other)
        Path(f"{other}.indexed").unlink(missing_ok=True)
    return costs


def _write_texts(store: Path, path: Path) -> None:
    """Keep what the index of *store* was given, by the origin's row ids."""
    query = f"SELECT origin_row_id, {', '.join(INDEXED)} FROM messages WHERE search_key IS NOT NULL"
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as known, closing(sqlite3.connect(store)) as ours:
        ours.row_factory = sqlite3.Row
        known.execute("CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT)")
        found = ((row["origin_row_id"], indexable(dict(row))) for row in ours.execute(query))
        known.executemany("INSERT INTO texts VALUES (?, ?)", found)
        known.commit()


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def text_bytes(database: Database) -> int:
    """Return how many bytes of text the messages, handoffs and system prompts of a store are."""
    sizes = " + ".join(f"coalesce(sum(length(CAST({name} AS BLOB))), 0)" for name in _TEXT)
    with database.read() as db:
        rows = int(db.execute(sql(f"SELECT {sizes} FROM messages")).scalar_one())
        prompts = db.execute(sql("SELECT coalesce(sum(length(CAST(text AS BLOB))), 0) FROM system_prompts"))
        return rows + int(prompts.scalar_one())


def median(costs: Sequence[Cost]) -> Cost:
    """Return the medians."""
    return Cost(*(statistics.median(getattr(one, name) for one in costs) for name in Cost.__slots__))


def ratio(ours: Sequence[Cost], plain: Sequence[Cost]) -> float:
    """Return how many times the processor's time of *plain* ours took: the median of the rounds."""
    return statistics.median(a.cpu / b.cpu for a, b in zip(ours, plain, strict=True))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("source", type=Path, metavar="STATE_DB", help="at rest: nobody writes to it")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder, "store.db")
        costs = compare(given.source, store, given.rounds)
        with Database.open(str(store), create=False) as database:
            text = text_bytes(database)
        size = store.stat().st_size
    print(f"{'':<12}{'cpu s':>9}{'clock s':>9}{'peak MB':>9}{'ours is':>9}   each round")
    for name, found in costs.items():
        cost = median(found)
        each = " ".join(f"{one.cpu:.1f}" for one in found)
        print(
            f"{name:<12}{cost.cpu:>9.1f}{cost.wall:>9.1f}{cost.peak_mb:>9.0f}"
            f"{ratio(costs['ours'], found):>8.2f}x   {each}"
        )
    print(f"store {size / 1e6:.0f} MB, {size / text:.2f} bytes per byte of text")


if __name__ == "__main__":
    main()
