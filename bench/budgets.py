"""The product's budgets on growing stores, against the least possible work and the agent's own way.

    python -m bench.budgets [--sessions 1000 10000 50000] [--folder FOLDER] [--rounds 9] [--postgresql URL]

For each size a `state.db` is made (kept in FOLDER), imported (up to --by-hand-up-to sessions in turns
with what could be done by hand, see `bench.importing`), and the store is asked. Each question is asked
in turns with two others: *raw*, a bare sqlite3 that fetches the same rows from our own file and makes
nothing of them; and the *agent's way*, what an agent's store does for the same page (`bench.agent_database`).
Figures are medians in milliseconds by the thread's own clock. With --postgresql (an empty database) the
first size is also imported there and asked the same. Prints Markdown.
"""

import argparse
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from flask.testing import FlaskClient
from sqlalchemy.orm import Session as OrmSession

from bench import agent_database, importing
from bench.search import search
from hermes_sessions import Store
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.conversations import (
    ConversationListing,
    get_conversation,
    list_conversations,
)
from hermes_sessions.store.queries.ledger import CompactionListing, list_compactions
from hermes_sessions.store.queries.windows import WindowQuery
from hermes_sessions.store.searching.message_hits import Order, find_hits
from hermes_sessions.web import create_app
from hermes_sessions.web.conversation.window_material import load_material

COMMON: Final = "the"
CHINESE: Final = "的一"
APPENDS: Final = 500
_LONG: Final = agent_database.LONG

Ask = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: milliseconds, and what the same takes otherwise."""

    name: str
    ours: float
    raw: float | None = None
    agent: float | None = None
    more: str = ""

    def cells(self) -> str:
        """Return the line in Markdown."""
        raw = f"{self.ours / self.raw:.1f}x" if self.raw else ""
        agent = f"{self.agent:.1f} ({self.agent / self.ours:.0f}x)" if self.agent else ""
        return f"| {self.name} | {self.ours:.1f} | {raw} | {agent} | {self.more} |"


@dataclass(frozen=True, slots=True)
class Opened:
    """A store and what it is compared with."""

    db: OrmSession
    client: FlaskClient
    raw: sqlite3.Connection | None
    agent: sqlite3.Connection | None


_RAW: Final = {
    "list": (
        "SELECT * FROM conversations WHERE kind = 'chat' AND message_count > 0 AND archived = 0"
        " ORDER BY last_active_at DESC, id DESC LIMIT 51"
    ),
    "window": (
        "SELECT * FROM messages WHERE shown AND session_id ="
        " (SELECT id FROM sessions WHERE foreign_id = 'long') ORDER BY position LIMIT 100"
    ),
    "whole": (
        "SELECT * FROM messages WHERE shown AND session_id ="
        " (SELECT id FROM sessions WHERE foreign_id = 'long') ORDER BY position"
    ),
    "ledger": "SELECT * FROM compactions ORDER BY finished_at DESC, id DESC LIMIT 51",
    "common": (
        "SELECT * FROM messages WHERE search_key IN (SELECT rowid FROM messages_fts"
        f" WHERE messages_fts MATCH '{COMMON}' ORDER BY rowid DESC LIMIT 50)"
    ),
    "chinese": (
        "SELECT * FROM messages WHERE search_key IN (SELECT rowid FROM messages_fts"
        f" WHERE messages_fts MATCH '{CHINESE}' ORDER BY rowid DESC LIMIT 50)"
    ),
}


def main() -> None:
    """Make, import, ask, print; one table per size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sessions", type=int, nargs="+", default=[1_000, 10_000, 50_000])
    parser.add_argument("--folder", type=Path, help="keep the databases here, or use those that are there")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--import-rounds", type=int, default=1, help="0: use the store that is there")
    parser.add_argument("--by-hand-up-to", type=int, default=10_000, help="sessions; above, ours alone")
    parser.add_argument("--postgresql", metavar="URL", help="an empty database")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.folder or Path(scratch)
        for size in given.sessions:
            source = folder / f"agent-{size}.db"
            if not source.exists():
                agent_database.make_database(source, size)
            store = folder / f"store-{size}.db"
            print(f"\n### {size:,} sessions\n")
            if given.import_rounds:
                print_import(source, store, given.import_rounds, by_hand=size <= given.by_hand_up_to)
            print_answers(str(store), source, given.rounds)
        if given.postgresql:
            print(f"\n### {given.sessions[0]:,} sessions on PostgreSQL\n")
            print_postgresql(given.postgresql, folder / f"agent-{given.sessions[0]}.db", given.rounds)


def print_import(source: Path, store: Path, rounds: int, *, by_hand: bool) -> None:
    """Print what the import cost, and what became of the bytes."""
    costs = importing.compare(source, store, rounds, by_hand=by_hand)
    with Database.open(str(store), create=False) as database:
        text = importing.text_bytes(database)
    cost, size = importing.median(costs["ours"]), store.stat().st_size
    times = ", ".join(
        f"{importing.ratio(costs['ours'], costs[name]):.2f}x {name}" for name in costs if name != "ours"
    )
    compared = f" ({times})" if times else ""
    print(
        f"import {cost.cpu:.1f} s of the processor{compared}, peak {cost.peak_mb:.0f} MB;"
        f" store {size / 1e6:.0f} MB, {size / text:.2f} bytes per byte of text\n"
    )


def print_answers(store: str, source: Path, rounds: int) -> None:
    """Ask a SQLite store, its bare file, and the agent's database, in turns."""
    with (
        Database.open(store, create=False) as database,
        closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as raw,
        closing(sqlite3.connect(f"file:{source}?mode=ro&immutable=1", uri=True)) as agent,
    ):
        with database.read() as db:
            opened = Opened(db, create_app(database).test_client(), raw, agent)
            print_rows(list(measure(opened, rounds)))
        print_appends(store)


def print_postgresql(url: str, source: Path, rounds: int) -> None:
    """Import into PostgreSQL and ask the same."""
    with Database.open(url) as database:
        began = time.perf_counter()
        report = import_path(database, source, ImportOptions(clock=time.time))
        took = time.perf_counter() - began
        print(f"import {took:.1f} s by the clock, {report.messages / took:,.0f} messages/s\n")
        with database.read() as db:
            print_rows(list(measure(Opened(db, create_app(database).test_client(), None, None), rounds)))
        print_appends(url)


def print_rows(rows: Sequence[Row]) -> None:
    """Print a table."""
    print("| work | ours, ms | ours / raw | agent's way, ms (times ours) | |\n|---|---|---|---|---|")
    print("\n".join(row.cells() for row in rows))


def measure(opened: Opened, rounds: int) -> Iterator[Row]:
    """Ask everything; each question in turns with its baselines."""
    db, client = opened.db, opened.client

    def row(name: str, ours: Ask, raw: str, agent: agent_database.Question | None = None) -> Row:
        asks = [ours]
        asks += [_fetching(opened.raw, _RAW[raw])] if opened.raw and raw else []
        asks += [_asking(opened.agent, agent)] if opened.agent and agent else []
        times = in_turns(asks, rounds)
        return Row(
            name,
            times[0],
            times[1] if opened.raw and raw else None,
            times[-1] if opened.agent and agent else None,
        )

    yield row(
        "list, store",
        lambda: list_conversations(db, ConversationListing()),
        "list",
        agent_database.list_newest,
    )
    yield row("list, page", lambda: client.get("/"), "list", agent_database.list_newest)
    yield row(
        "2,000 messages, store",
        lambda: load_material(db, get_conversation(db, _LONG), WindowQuery()),
        "window",
        agent_database.load_long,
    )
    size = len(client.get(f"/c/{_LONG}").data)
    page = row("2,000 messages, page", lambda: client.get(f"/c/{_LONG}"), "window", agent_database.load_long)
    yield Row(page.name, page.ours, page.raw, page.agent, f"{size / 1024:.0f} KB")
    yield row("ledger, store", lambda: list_compactions(db, CompactionListing()), "ledger")
    for name, typed, agent in (
        ("common", COMMON, agent_database.search_word(COMMON)),
        ("chinese", CHINESE, agent_database.search_like(CHINESE)),
    ):
        yield row(f"search {typed}, newest", lambda typed=typed: _hits(db, typed), name, agent)  # type: ignore[misc]
        yield row(f"search {typed}, page", lambda typed=typed: client.get(f"/search?q={typed}"), name, agent)  # type: ignore[misc]
    yield row(f"search {COMMON}, relevance", lambda: _hits(db, COMMON, Order.RELEVANCE), "")


def _hits(db: OrmSession, typed: str, order: Order = Order.NEWEST) -> object:
    return find_hits(db, search(typed, order))


def _fetching(connection: sqlite3.Connection, query: str) -> Ask:
    return lambda: connection.execute(query).fetchall()


def _asking(connection: sqlite3.Connection, question: agent_database.Question) -> Ask:
    return lambda: question(connection)


def in_turns(asks: Sequence[Ask], rounds: int) -> list[float]:
    """Return the median milliseconds of each, asked one after the other *rounds* times."""
    for ask in asks:
        ask()
    times: list[list[float]] = [[] for _ in asks]
    for _ in range(rounds):
        for ask, found in zip(asks, times, strict=True):
            began = time.thread_time()
            ask()
            found.append((time.thread_time() - began) * 1000)
    return [statistics.median(found) for found in times]


def print_appends(store: str) -> None:
    """Append single messages to the full store, by the clock."""
    calls = []
    with Store.open(store) as opened:
        session = opened.create_session()
        for at in range(APPENDS):
            message = {"role": "user", "content": f"{at} the parser reads one line after the other " * 20}
            began = time.perf_counter()
            opened.append(session, message)
            calls.append((time.perf_counter() - began) * 1000)
    cuts = statistics.quantiles(calls, n=100)
    print(
        f"\n{APPENDS} single appends: {APPENDS / sum(calls) * 1000:,.0f}/s, p50 {cuts[49]:.2f},"
        f" p99 {cuts[98]:.2f}, worst {max(calls):.1f} ms by the clock"
    )


if __name__ == "__main__":
    main()
