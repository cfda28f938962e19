"""Everybody at once on one store: writers, compactors, an importer, readers. Who waited, what was lost?

    python -m bench.concurrency [--seconds N] [--db URL] [--writers N] [--compactors N] [--readers N]

Every writer keeps its own ledger of what it appended; so does the agent whose database is
imported meanwhile. Afterwards each conversation is read once more and must show the
ledger's messages, each once, in their order, and `db check` must find nothing. Readers
look at the same while it happens. Without --db the store is a SQLite file of its own.

Exit code 1 when a message is lost, doubled or out of order, when an error reached a
caller, when anybody waited longer than writers may, or when `db check` finds something.
"""

import argparse
import multiprocessing
import random
import re
import sqlite3
import statistics
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hermes_sessions import CompactionPolicy, Store, SummaryRequest
from hermes_sessions.demo.agent_tables import create_tables, insert_rows, message_columns, session_columns
from hermes_sessions.errors import (
    CompactionBusyError,
    CompactionRefusedError,
    NotFoundError,
    StaleTranscriptError,
)
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.engines.sqlite_engine import BUSY_SECONDS
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.queries.conversations import ConversationListing

MESSAGES_A_SESSION: Final = 200
ROWS_A_ROUND: Final = 40
SCHEMA: Final = 17
POLICY: Final = CompactionPolicy(4_000, head_messages=2, tail_tokens=300, min_tail_messages=4)
MARK: Final = re.compile(r"^(\S+) message (\d+):")
REFUSALS: Final = (CompactionBusyError, CompactionRefusedError, NotFoundError, StaleTranscriptError)
"""What a compactor may be told when another was faster, also in taking back what made the session."""

Ledger = dict[str, list[str]]


@dataclass(slots=True)
class Account:
    """What one process did.

    Attributes:
        role: writer, compactor, importer or reader.
        ledger: session -> the texts that went into it, in order.
        calls: name of a call -> how long each took, in milliseconds.
        refused: how often a compactor was told that another was faster.
        errors: what should not have been: tracebacks, and what a reader saw out of order.
    """

    role: str
    ledger: Ledger = field(default_factory=dict)
    calls: dict[str, list[float]] = field(default_factory=dict)
    refused: int = 0
    errors: list[str] = field(default_factory=list)

    @contextmanager
    def timed(self, call: str) -> Iterator[None]:
        """Note how long the inside took, if it went well."""
        began = time.perf_counter()
        yield
        self.calls.setdefault(call, []).append((time.perf_counter() - began) * 1000)


Role = Callable[[Store, str, Any, Account], None]


def write(store: Store, name: str, over: Any, account: Account) -> None:
    """Append messages one by one, some hundred to a session, now and then several at once."""
    chance = random.Random(name)
    number = 0
    while not over.is_set():
        session = f"{name}-{number}"
        number += 1
        with account.timed("create_session"):
            store.create_session(session_id=session, system_prompt="You are an agent.")
        said = account.ledger.setdefault(session, [])
        while len(said) < MESSAGES_A_SESSION and not over.is_set():
            count = chance.choice((1, 1, 1, 1, 5))
            some = [message(session, len(said) + at) for at in range(count)]
            with account.timed("append"):
                store.append_many(session, some)
            said += [one["content"] for one in some]


def compact(store: Store, name: str, over: Any, account: Account) -> None:
    """Compact whatever is new, in either way; take some back at once."""
    chance = random.Random(name)
    while not over.is_set():
        some = [one for one in listed(store) if one["source"] == "local"]
        if not some:
            time.sleep(0.05)
            continue
        session = chance.choice(some)["tip"]
        try:
            with account.timed("compact"):
                done = store.compact(session, policy=POLICY, summarize=notes, in_place=chance.random() < 0.5)
            if done.compaction_id is not None and chance.random() < 0.2:
                with account.timed("undo"):
                    store.undo(done.compaction_id)
        except REFUSALS:
            account.refused += 1


def bring(store: Store, name: str, over: Any, account: Account, *, folder: Path) -> None:
    """Be an agent that goes on talking, and the importer that follows its database."""
    path = folder / f"{name}.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        create_tables(connection, SCHEMA)
    number = 0
    while not over.is_set():
        session = f"{name}-{number // 5}"
        texts = account.ledger.setdefault(session, [])
        with closing(sqlite3.connect(path)) as connection, connection:
            _talk(connection, session, texts)
        with account.timed("import"):
            import_path(store.database, path, ImportOptions(clock=time.time))
        number += 1


def read(store: Store, name: str, over: Any, account: Account) -> None:
    """List, open, search; every conversation must be whole whenever it is looked at."""
    chance = random.Random(name)
    while not over.is_set():
        with account.timed("list"):
            some = listed(store)
        if not some:
            time.sleep(0.05)
            continue
        one = chance.choice(some)["id"]
        with account.timed("show"):
            texts = scroll(store, one)
        if [place(text) for text in texts] != list(range(len(texts))):
            account.errors.append(f"{name} saw {one} out of order: {[place(text) for text in texts]}")
        with account.timed("search"):
            store.search("parser", limit=20)
        with account.timed("load"):
            store.load(one)


def message(session: str, number: int) -> dict[str, Any]:
    """Return a message that says whose it is and which."""
    text = f"{session} message {number}: " + "the parser reads one line after the other and says so; " * 4
    return {"role": ("user", "assistant")[number % 2], "content": text}


def place(text: str) -> int:
    """Return which message of its session *text* is."""
    found = MARK.match(text)
    return -1 if found is None else int(found[2])


def notes(request: SummaryRequest) -> str:
    """Summarise in a line."""
    return f"- The parser was read ({len(request.entries)} entries)."


def listed(store: Store) -> Sequence[dict[str, Any]]:
    """Return the conversations of the first page."""
    found: Sequence[dict[str, Any]] = store.conversations(ConversationListing(limit=50))["conversations"]
    return found


def scroll(store: Store, any_id: str) -> list[str]:
    """Return the texts of the one scroll, without what a compaction wrote."""
    return [
        part["text"]
        for one in store.conversation(any_id)["messages"]
        for part in one["parts"]
        if part["kind"] == "message" and not part["text"].startswith("[Note by the compaction:")
    ]


def found_scroll(store: Store, any_id: str) -> list[str]:
    """Return the scroll; nothing where not even the session arrived."""
    try:
        return scroll(store, any_id)
    except NotFoundError:
        return []


def _talk(connection: sqlite3.Connection, session: str, texts: list[str]) -> None:
    now = time.time()
    if not texts:
        row = {"id": session, "source": "cli", "started_at": now}
        insert_rows(connection, "sessions", session_columns(SCHEMA), [row])
    some = [message(session, len(texts) + at) for at in range(ROWS_A_ROUND)]
    rows = [{**one, "session_id": session, "timestamp": now + at / 1000} for at, one in enumerate(some)]
    insert_rows(connection, "messages", message_columns(SCHEMA), rows)
    texts += [one["content"] for one in some]


def work(role: str, name: str, url: str, folder: Path, signals: tuple[Any, Any], told: Any) -> None:
    """Be one process: open the store, wait for the others, work until it is over, tell."""
    ready, over = signals
    account = Account(role)
    roles: dict[str, Role] = {
        "writer": write,
        "compactor": compact,
        "importer": lambda *given: bring(*given, folder=folder),
        "reader": read,
    }
    try:
        with Store.open(url) as store:
            ready.wait()
            roles[role](store, name, over, account)
    except Exception:  # what any of them was told is what this is about; it ends in the table
        account.errors.append(f"{name}: {traceback.format_exc()}")
    told.put(account)


def run(url: str, folder: Path, seconds: float, **counts: int) -> list[Account]:
    """Let so many of each role work on the store at *url* for so long."""
    with Store.open(url):
        pass
    context = multiprocessing.get_context("spawn")
    signals = (context.Barrier(sum(counts.values()) + 1), context.Event())
    told = context.Queue()
    processes = [
        context.Process(target=work, args=(role, f"{role}{number}", url, folder, signals, told))
        for role, count in counts.items()
        for number in range(count)
    ]
    for process in processes:
        process.start()
    signals[0].wait()
    time.sleep(seconds)
    signals[1].set()
    accounts = [told.get() for _ in processes]
    for process in processes:
        process.join()
    return accounts


def compare(url: str, accounts: Sequence[Account]) -> list[str]:
    """Return what the store has lost, doubled or mixed up, in lines."""
    wrong: list[str] = []
    with Store.open(url) as store:
        for account in accounts:
            for session, said in account.ledger.items():
                shown = found_scroll(store, session)
                if shown != said:
                    lost, more = set(said) - set(shown), len(shown) - len(set(shown))
                    wrong.append(f"{session}: {len(lost)} lost, {more} doubled, {len(said)} said")
        with store.database.read() as db:
            wrong += [f"db check: {one}" for one in check_store(db)]
    return wrong


def _print_table(accounts: Sequence[Account], seconds: float) -> float:
    """Print a line for each kind of call; return the longest wait of all, in milliseconds."""
    calls: dict[str, list[float]] = {}
    for account in accounts:
        for call, times in account.calls.items():
            calls.setdefault(f"{account.role}: {call}", []).extend(times)
    print(f"{'':<24}{'calls':>9}{'per s':>9}{'p50 ms':>10}{'p99 ms':>10}{'worst ms':>10}")
    for name, times in sorted(calls.items()):
        cuts = statistics.quantiles(times, n=100, method="inclusive") if len(times) > 1 else [times[0]] * 99
        print(
            f"{name:<24}{len(times):>9,}{len(times) / seconds:>9,.1f}"
            f"{cuts[49]:>10,.1f}{cuts[98]:>10,.1f}{max(times):>10,.1f}"
        )
    return max(max(times) for times in calls.values())


def main() -> int:
    """Print the table and what went wrong; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--db", metavar="URL", help="an empty store; by default a SQLite file")
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--compactors", type=int, default=2)
    parser.add_argument("--readers", type=int, default=4)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        url = given.db or str(Path(name, "store.db"))
        accounts = run(
            url,
            Path(name),
            given.seconds,
            writer=given.writers,
            compactor=given.compactors,
            importer=1,
            reader=given.readers,
        )
        wrong = compare(url, accounts)
    worst = _print_table(accounts, given.seconds)
    said = sum(len(texts) for account in accounts for texts in account.ledger.values())
    errors = [error for account in accounts for error in account.errors]
    print(
        f"{said:,} messages in the ledgers; {len(wrong)} lost, doubled or disagreeing; {len(errors)} errors"
    )
    print(f"{sum(one.refused for one in accounts):,} compactions refused because another was faster")
    for line in (*wrong, *errors):
        print(line)
    return 1 if wrong or errors or worst > BUSY_SECONDS * 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
