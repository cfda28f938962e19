"""Many stores in one database beside one store with the same rows: list, ledger, search, overview.

    python -m bench.fleet postgresql://postgres@127.0.0.1:5432/postgres [--stores 200] [--keep]

With `--files` (and `--stores 50`) stores in files beside one file.
Makes a database, one store in it, copies of that store's schema with other times and ids (`pg_dump`, `psql`),
and one store that holds all their rows. Pages are asked of both viewers in turn, in this process, each
as long as it takes to be made anew; the median and the worst of them are printed.
"""

import argparse
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

import psycopg
from flask import Flask
from sqlalchemy import make_url
from sqlalchemy.orm import Session

from hermes_sessions.store.engines.server_probe import locate_server
from hermes_sessions.store.fleet.members import Fleet, expand_urls
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.opening.make_store import NewStore, make_store
from hermes_sessions.store.schema.models import Session as StoredSession
from hermes_sessions.web import create_app
from hermes_sessions.web.fleet.front import create_fleet_app
from tests.builders import a_compaction, a_conversation, a_message, an_origin

CONVERSATIONS, MESSAGES = 25, 12
STEP = 20_000
"""Between the ids of two stores; more than one of them has rows."""
WORDS = [
    "gateway",
    "invoice",
    "parser",
    "deploy",
    "branch",
    "cache",
    "socket",
    "ledger",
    "token",
    "window",
    "retry",
    "schema",
]
PAGES = {
    "list": "/",
    "list, second page": "/?before={cursor}",
    "ledger": "/compactions",
    "search, a common word": "/search?q=gateway",
    "search, a rare word": "/search?q=needle7",
    "search, nothing": "/search?q=nowhere",
    "overview": "/overview?range=all",
}


def fill(db: Session, store: int = 0) -> None:
    """Fill a store; each with other times and ids."""
    origin = an_origin(db, label=f"desk {store}")
    now = time.time() - 40 * 86_400 + 37 * store
    for number in range(CONVERSATIONS):
        talk = a_conversation(
            db,
            origin=origin,
            id=f"talk-{number}-{store}",
            title=f"Talk {number}",
            started_at=now + 86_400 * number,
        )
        session = db.get_one(StoredSession, talk.tip_id)
        for place in range(MESSAGES):
            words = " ".join(WORDS[(number + place * at) % len(WORDS)] for at in range(1, 60))
            rare = f" needle{number}" if place == 3 else ""
            a_message(db, session, f"{words}{rare}", role="user" if place % 2 == 0 else "assistant")
        if number % 3 == 0:
            a_compaction(db, session, realisation="in_place", finished_at=now + 86_400 * number + 60)


def copy_schema(url: str, name: str, number: int) -> None:
    """Copy the schema `bench_t` to *name*, later by a time of its own."""
    dumped = subprocess.run(
        ["pg_dump", "--schema=bench_t", "--no-owner", "--no-privileges", url],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    seconds = number * 37
    shift = f"""
        SET search_path TO {name};
        UPDATE conversations SET last_active_at = last_active_at + {seconds};
        UPDATE compactions SET finished_at = finished_at + {seconds};
        UPDATE messages SET created_at = created_at + {seconds},
          search_key = search_key + ({seconds}::bigint << 26);
        UPDATE messages_fts SET search_key = search_key + ({seconds}::bigint << 26);
        ANALYZE conversations, compactions, messages, sessions, messages_fts;
    """
    subprocess.run(
        ["psql", "--quiet", "--no-psqlrc", "--output=/dev/null", "--set=ON_ERROR_STOP=1", url],
        input=dumped.replace("bench_t", name) + shift,
        check=True,
        text=True,
    )


def join_into_one(url: str, names: list[str]) -> None:
    """Put the rows of all stores into `bench_one`, their keys apart."""
    with psycopg.connect(url, autocommit=True) as connection:
        tables = ["conversations", "sessions", "messages", "compactions", "messages_fts"]
        links = connection.execute(
            "SELECT conrelid::regclass::text, conname FROM pg_constraint"
            " WHERE contype = 'f' AND connamespace = 'bench_one'::regnamespace"
        ).fetchall()
        for table, link in links:
            connection.execute(f"ALTER TABLE {table} DROP CONSTRAINT {link}")
        connection.execute("INSERT INTO bench_one.origins SELECT * FROM bench_t.origins")
        for number, name in enumerate(names):
            for table in tables:
                columns = [
                    row[0]
                    for row in connection.execute(
                        "SELECT column_name FROM information_schema.columns"
                        " WHERE table_schema = 'bench_one' AND table_name = %s ORDER BY ordinal_position",
                        (table,),
                    )
                ]
                values = [_shifted(column, number) for column in columns]
                connection.execute(
                    f"INSERT INTO bench_one.{table} ({', '.join(columns)})"
                    f" SELECT {', '.join(values)} FROM {name}.{table}"
                )
        connection.execute("VACUUM ANALYZE")


def _shifted(column: str, number: int) -> str:
    keys = ("id", "conversation_id", "session_id", "root_id", "tip_id", "parent_id", "search_key")
    if column in keys:
        return f"{column} + {number * STEP}"
    if column in ("public_id", "foreign_id"):
        return f"{column} || '-{number}'"
    return column


@contextmanager
def database(admin: str, *, keep: bool) -> Iterator[str]:
    """Give a database; it is dropped at the end."""
    name = f"fleet_bench_{int(time.time())}"
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0")
        connection.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    url = make_url(admin).set(drivername="postgresql", database=name).render_as_string(hide_password=False)
    try:
        yield url
    finally:
        if not keep:
            with psycopg.connect(admin, autocommit=True) as connection:
                connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
                for role in ("bench_t", "bench_one"):
                    connection.execute(f"DROP ROLE IF EXISTS {role}")


def build(url: str, stores: int) -> None:
    """Make all stores."""
    for name in ("bench_t", "bench_one"):
        make_store(locate_server(url), NewStore(schema=name))
    with Database.open(f"{url}?schema=bench_t") as made, made.write() as db:
        fill(db)
    names = [f"team_{number:03}" for number in range(stores)]
    for number, name in enumerate(names):
        copy_schema(url, name, number)
    join_into_one(url, names)


def measure(apps: Sequence[Flask], paths: Sequence[str], rounds: int) -> list[list[float]]:
    """Return each application's times of a page in milliseconds, asked in turn."""
    clients = [app.test_client() for app in apps]
    times: list[list[float]] = [[] for _ in apps]
    for number in range(rounds + 3):
        for at, (client, path) in enumerate(zip(clients, paths, strict=True)):
            begun = time.perf_counter()
            answer = client.get(path)
            taken = 1000 * (time.perf_counter() - begun)
            assert answer.status_code == 200, (path, answer.status_code)
            if number >= 3:  # by then every connection has planned what it is asked
                times[at].append(taken)
    return times


def main() -> None:
    """Build, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("admin", help="URL of a server whose user may create databases")
    parser.add_argument("--stores", type=int, default=200)
    parser.add_argument("--keep", action="store_true", help="keep the database and print its URL")
    parser.add_argument("--url", help="measure a database that was kept")
    parser.add_argument("--files", action="store_true", help="stores in files instead")
    parser.add_argument("--rounds", type=int, default=15)
    asked = parser.parse_args()
    if asked.files:
        with tempfile.TemporaryDirectory() as folder:
            compare(*as_files(asked.stores, Path(folder)), asked.rounds)
        return
    with nullcontext(asked.url) if asked.url else database(asked.admin, keep=asked.keep) as url:
        if not asked.url:
            build(url, asked.stores)
            print(url)
        compare(expand_urls([url], ["team_%"]), f"{url}?schema=bench_one", asked.rounds)


def as_files(stores: int, folder: Path) -> tuple[list[str], str]:
    """Make stores in files, and one file with as many rows."""
    files = [str(folder / f"team_{number:03}.db") for number in range(stores)]
    whole = str(folder / "whole.db")
    with Database.open(whole) as made, made.write() as db:
        for number in range(stores):
            fill(db, number)
    for number, path in enumerate(files):
        with Database.open(path) as made, made.write() as db:
            fill(db, number)
    return files, whole


def compare(many: Sequence[str], one: str, rounds: int) -> None:
    """Print each page's times: one store, many stores, how many times as long, and how far rounds differ.

    The ratio is of the medians; the range is that of the medians of five stretches of the rounds.
    """
    fleet = Fleet.open(many)
    try:
        with Database.open(one) as store:
            apps = (create_app(store), create_fleet_app(fleet))
            print(f"{len(fleet.names)} stores; milliseconds, median (least)")
            first = fleet.names[0]
            for name, path in PAGES.items():
                paths = [path.format(cursor=cursor) for cursor in ("1790000000_1", f"1790000000_1_{first}")]
                ones, manies = measure(apps, paths, rounds)
                size = max(1, rounds // 5)
                ratios = [
                    statistics.median(manies[at : at + size]) / statistics.median(ones[at : at + size])
                    for at in range(0, size * 5, size)
                ]
                medians = [f"{statistics.median(some):7.1f} ({min(some):6.1f})" for some in (ones, manies)]
                ratio = statistics.median(manies) / statistics.median(ones)
                print(
                    f"{name:24} one {medians[0]}  many {medians[1]}  {ratio:5.2f} times"
                    f" ({min(ratios):.2f} to {max(ratios):.2f})",
                    flush=True,
                )
    finally:
        fleet.close()


if __name__ == "__main__":
    main()
