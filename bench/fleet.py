"""Many stores in one database beside one store with the same rows: list, ledger, search, overview.

    python -m bench.fleet postgresql://postgres@127.0.0.1:5432/postgres [--stores 200] [--keep]

Makes a database, one store in it, copies of that store's schema with other times and ids (`pg_dump`, `psql`),
and one store that holds all their rows. Pages are asked of both viewers in turn, in this process, each
as long as it takes to be made anew; the median and the worst of them are printed.
"""

import argparse
import statistics
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

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


def fill(db: Session) -> None:
    """Fill the store that is copied."""
    origin = an_origin(db, label="desk")
    now = time.time() - 40 * 86_400
    for number in range(CONVERSATIONS):
        talk = a_conversation(
            db, origin=origin, id=f"talk-{number}", title=f"Talk {number}", started_at=now + 86_400 * number
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
    name = f"hs_bench_fleet_{int(time.time())}"
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


def measure(app: Flask, path: str, rounds: int = 15) -> tuple[float, float, int]:
    """Return the median and the worst time of a page in milliseconds, and its size."""
    client, times, size = app.test_client(), [], 0
    for number in range(rounds + 3):
        begun = time.perf_counter()
        answer = client.get(path)
        taken = 1000 * (time.perf_counter() - begun)
        assert answer.status_code == 200, (path, answer.status_code)
        size = len(answer.data)
        if number >= 3:
            times.append(taken)
    return statistics.median(times), max(times), size


def main() -> None:
    """Build, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("admin", help="URL of a server whose user may create databases")
    parser.add_argument("--stores", type=int, default=200)
    parser.add_argument("--keep", action="store_true", help="keep the database and print its URL")
    parser.add_argument("--url", help="measure a database that was kept")
    asked = parser.parse_args()
    if asked.url:
        compare(asked.url)
        return
    with database(asked.admin, keep=asked.keep) as url:
        build(url, asked.stores)
        print(url)
        compare(url)


def compare(url: str) -> None:
    """Print each page's times: one store, many stores, how many times as long."""
    fleet = Fleet.open(expand_urls([url], ["team_%"]))
    try:
        with Database.open(f"{url}?schema=bench_one") as one:
            viewers = (create_app(one), create_fleet_app(fleet))
            print(f"{len(fleet.names)} stores; milliseconds, median (worst)")
            for name, path in PAGES.items():
                first, many = (
                    measure(app, path.format(cursor=cursor))
                    for app, cursor in zip(viewers, ("1790000000_1", "1790000000_1_team_000"), strict=True)
                )
                times = f"one {first[0]:7.1f} ({first[1]:6.1f})  many {many[0]:7.1f} ({many[1]:6.1f})"
                print(f"{name:24} {times}  {many[0] / first[0]:5.2f} times")
    finally:
        fleet.close()


if __name__ == "__main__":
    main()
