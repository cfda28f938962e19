"""Imports of different origins side by side into one store on a server, beside the same rows by hand.

    python -m bench.many_imports --db postgresql://... [--widths 1,4,16] [--sessions 40] [--rounds 2]

Every import is a process with an agent's database of its own. By hand each reads the same file and
stores it with psycopg: each row with its `tsvector`, a counter for each session, 2,000 rows a commit.
To conclude what the rows mean, to find what is known already, and to list it is ours alone.
"""

import argparse
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Final

from bench.agent_database import make_database
from bench.writers import schemas
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database

KINDS: Final = ("by hand", "ours")
BATCH: Final = 2_000
_ROW: Final = (
    "INSERT INTO {schema}.messages (session_id, position, role, created_at, text, words)"
    " VALUES (%s, %s, %s, %s, %s, to_tsvector('simple', %s))"
)
_SESSION: Final = "INSERT INTO {schema}.sessions VALUES (%s, %s, %s)"
_READ: Final = (
    "SELECT dense_rank() OVER (ORDER BY session_id) + {first}, id, role, timestamp,"
    " coalesce(content, '') || ' ' || coalesce(tool_calls, '') FROM messages ORDER BY session_id, id"
)


def copy_of(path: Path, number: int) -> Path:
    """Return a database like that at *path*, of another origin: its sessions have other ids and words."""
    made = path.with_name(f"agent_{number}.db")
    shutil.copyfile(path, made)
    with closing(sqlite3.connect(made, isolation_level=None)) as connection:
        connection.execute("DROP TABLE IF EXISTS messages_fts")
        own = f"|| '_{number}'"
        connection.execute(f"UPDATE sessions SET id = id {own}, parent_session_id = parent_session_id {own}")
        connection.execute(f"UPDATE messages SET session_id = session_id {own}, content = content {own}")
    return made


def rows_in(path: Path) -> int:
    """Return how many messages a database has."""
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM messages").fetchone()[0])


def by_hand(url: str, path: Path, number: int) -> None:
    """Store what is in *path* with psycopg alone."""
    import psycopg

    insert, session = (one.format(schema="writers_by_hand") for one in (_ROW, _SESSION))
    with closing(sqlite3.connect(path)) as source, psycopg.connect(url) as connection:
        found = source.execute(_READ.format(first=number * 1_000_000))
        while rows := found.fetchmany(BATCH):
            with connection.transaction(), connection.cursor() as cursor:
                cursor.executemany(insert, [(*row, row[-1]) for row in rows])
        counts = source.execute(
            f"SELECT dense_rank() OVER (ORDER BY session_id) + {number * 1_000_000}, count(*), max(timestamp)"
            " FROM messages GROUP BY session_id"
        )
        with connection.transaction(), connection.cursor() as cursor:
            cursor.executemany(session, counts.fetchall())


def be_import(kind: str, url: str, path: Path, number: int) -> None:
    """One process: wait to be told, then import."""
    if kind == KINDS[0]:
        print("ready", flush=True)
        sys.stdin.readline()
        by_hand(url, path, number)
        return
    with Database.open(url) as database:
        print("ready", flush=True)
        sys.stdin.readline()
        import_path(database, path, ImportOptions(clock=time.time, jobs=1))


def together(kind: str, url: str, paths: list[Path]) -> float:
    """Let all be imported at once; return the seconds until the last was done."""
    command = [sys.executable, "-m", "bench.many_imports", "--be", kind, "--db", url]
    running = [
        subprocess.Popen(
            [*command, "--path", str(path), "--number", str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number, path in enumerate(paths)
    ]
    for one in running:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    begun = time.perf_counter()
    for one in running:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()
    for one in running:
        one.communicate()
        assert one.returncode == 0
    return time.perf_counter() - begun


def main() -> None:
    """Print messages a second of each width."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", required=True, metavar="URL")
    parser.add_argument("--widths", default="1,4,16")
    parser.add_argument("--sessions", type=int, default=40, help="of each origin, one of 2,000 messages")
    parser.add_argument("--rounds", type=int, default=2)
    for hidden in ("--be", "--path"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    parser.add_argument("--number", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.be:
        be_import(given.be, given.db, Path(given.path), given.number)
        return
    widths = [int(one) for one in given.widths.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        first = Path(folder, "agent.db")
        make_database(first, given.sessions)
        paths = [copy_of(first, number) for number in range(max(widths))]
        each = rows_in(first)
        print(f"{each} messages each; messages a second, median (least to most)")
        for width in widths:
            rates: dict[str, list[float]] = {kind: [] for kind in KINDS}
            for _ in range(given.rounds):
                with schemas(given.db, 2) as urls:
                    Database.open(urls[1]).close()
                    for kind, url in zip(KINDS, urls, strict=True):
                        rates[kind].append(width * each / together(kind, url, paths[:width]))
            for kind, those in rates.items():
                times = statistics.median(rates[KINDS[0]]) / statistics.median(those)
                print(
                    f"{width:>4} {kind:<8}{statistics.median(those):>8,.0f}"
                    f" ({min(those):,.0f} to {max(those):,.0f}) {times:>6.2f} times as long",
                    flush=True,
                )


if __name__ == "__main__":
    main()
