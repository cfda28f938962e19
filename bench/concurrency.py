"""Everybody at once on one store: writers, compactors, an importer, readers. Who waited, what was lost?

    python -m bench.concurrency [--seconds N] [--db URL | --own-server] [--writers N] [--compactors N]
        [--importers N] [--readers N] [--kills N] [--restarts N]

Every writer keeps its own ledger of what it appended; so does the agent whose database is
imported meanwhile. Afterwards each conversation is read once more and must show the
ledger's messages, each once, in their order, and `db check` must find nothing. Readers
look at the same while it happens. Without --db the store is a SQLite file of its own;
--own-server starts a PostgreSQL server for the run, which --restarts stops (`fast`) and
starts. --kills ends writers by SIGKILL, and others come in their place: what they were
answered must be there, what they waited for may be.

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
from contextlib import ExitStack, closing, contextmanager
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
from hermes_sessions.store.engines.postgresql_engine import ROW_SECONDS
from hermes_sessions.store.engines.sqlite_engine import BUSY_SECONDS
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.tries import SERVER_SECONDS
from hermes_sessions.store.queries.conversations import ConversationListing
from tests.replication import Server, server_alone

BEGIN_SECONDS: Final = 300.0
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
        unanswered: session -> what a killed writer had said last, and was not answered.
        calls: name of a call -> how long each took, in milliseconds.
        refused: how often a compactor was told that another was faster.
        errors: what should not have been: tracebacks, and what a reader saw out of order.
    """

    role: str
    ledger: Ledger = field(default_factory=dict)
    unanswered: Ledger = field(default_factory=dict)
    calls: dict[str, list[float]] = field(default_factory=dict)
    refused: int = 0
    errors: list[str] = field(default_factory=list)

    @contextmanager
    def timed(self, call: str) -> Iterator[None]:
        """Note how long the inside took, if it went well."""
        began = time.perf_counter()
        yield
        self.calls.setdefault(call, []).append((time.perf_counter() - began) * 1000)


class Over:
    """Whether it is over: a byte of all processes without a lock: who is killed keeps his locks."""

    def __init__(self, shared: Any) -> None:
        self._shared = shared

    def is_set(self) -> bool:
        """Return whether it is over."""
        return bool(self._shared.value)

    def set(self) -> None:
        """Say that it is over."""
        self._shared.value = 1


Role = Callable[[Store, str, Over, Account], None]


def write(store: Store, name: str, over: Over, account: Account, *, folder: Path) -> None:
    """Append messages one by one, some hundred to a session, now and then several at once.

    What is said, and what was answered, stands in a file as well: a writer may be killed.
    """
    chance = random.Random(name)
    number = 0
    with (folder / f"{name}.said").open("w", buffering=1) as notes:
        while not over.is_set():
            session = f"{name}-{number}"
            number += 1
            with account.timed("create_session"):
                store.create_session(session_id=session, system_prompt="You are an agent.")
            said = account.ledger.setdefault(session, [])
            while len(said) < MESSAGES_A_SESSION and not over.is_set():
                count = chance.choice((1, 1, 1, 1, 5))
                some = [message(session, len(said) + at) for at in range(count)]
                print("said", session, len(said), count, file=notes)
                with account.timed("append"):
                    store.append_many(session, some)
                print("answered", session, len(said), count, file=notes)
                said += [one["content"] for one in some]


def account_of_killed(notes: Path) -> Account:
    """Return what a killed writer's file says: what it was answered, and what it waited for."""
    account = Account("writer")
    for line in notes.read_text().splitlines():
        kind, session, first, count = line.split()
        texts = [message(session, int(first) + at)["content"] for at in range(int(count))]
        if kind == "said":
            account.unanswered = {session: texts}
        else:
            account.ledger.setdefault(session, []).extend(texts)
            account.unanswered = {}
    return account


def compact(store: Store, name: str, over: Over, account: Account) -> None:
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


def bring(store: Store, name: str, over: Over, account: Account, *, folder: Path) -> None:
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


def read(store: Store, name: str, over: Over, account: Account) -> None:
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
    ready, over = signals[0], Over(signals[1])
    account = Account(role)
    roles: dict[str, Role] = {
        "writer": lambda *given: write(*given, folder=folder),
        "compactor": compact,
        "importer": lambda *given: bring(*given, folder=folder),
        "reader": read,
    }
    try:
        with Store.open(url) as store:
            if ready is not None:
                ready.wait()
            roles[role](store, name, over, account)
    except Exception:  # what any of them was told is what this is about; it ends in the table
        account.errors.append(f"{name}: {traceback.format_exc()}")
    told.put(account)


@dataclass(slots=True)
class Crowd:
    """The processes of a run, and what they tell."""

    url: str
    folder: Path
    context: Any
    over: Any
    told: Any
    processes: dict[str, Any] = field(default_factory=dict)
    killed: list[str] = field(default_factory=list)

    def start(self, role: str, name: str, ready: Any) -> None:
        """Start a process."""
        signals = (ready, self.over)
        given = (role, name, self.url, self.folder, signals, self.told)
        self.processes[name] = self.context.Process(target=work, args=given)
        self.processes[name].start()

    def kill_a_writer(self) -> None:
        """End one by SIGKILL, and have another come in its place."""
        name = next(one for one in self.processes if one.startswith("writer"))
        self._wait_for(name)
        process = self.processes.pop(name)
        process.kill()
        process.join()
        self.killed.append(name)
        self.start("writer", f"writer-after-{name}", None)
        self._wait_for(f"writer-after-{name}")

    def _wait_for(self, writer: str) -> None:
        """Wait until it was answered: where many share the processors it takes a while to begin."""
        notes = self.folder / f"{writer}.said"
        until = time.monotonic() + BEGIN_SECONDS
        while not notes.exists() or "answered" not in notes.read_text("utf-8"):
            if time.monotonic() > until:
                raise TimeoutError(f"{writer} did not begin within {BEGIN_SECONDS} s")
            time.sleep(0.05)


def run(
    url: str, folder: Path, seconds: float, events: Sequence[Callable[[Crowd], None]] = (), **counts: int
) -> list[Account]:
    """Let so many of each role work on the store at *url* for so long; *events* happen at even distances."""
    with Store.open(url):
        pass
    context = multiprocessing.get_context("spawn")
    ready = context.Barrier(sum(counts.values()) + 1)
    crowd = Crowd(url, folder, context, context.RawValue("b", 0), context.Queue())
    for role, count in counts.items():
        for number in range(count):
            crowd.start(role, f"{role}{number}", ready)
    ready.wait()
    for happen in events:
        time.sleep(seconds / (len(events) + 1))
        happen(crowd)
    time.sleep(seconds / (len(events) + 1))
    Over(crowd.over).set()
    accounts = [crowd.told.get() for _ in crowd.processes]
    for process in crowd.processes.values():
        process.join()
    return accounts + [account_of_killed(folder / f"{name}.said") for name in crowd.killed]


def compare(url: str, accounts: Sequence[Account]) -> list[str]:
    """Return what the store has lost, doubled or mixed up, in lines."""
    wrong: list[str] = []
    with Store.open(url) as store:
        for account in accounts:
            ledger: Ledger = {one: [] for one in account.unanswered} | account.ledger
            for session, said in ledger.items():
                shown = found_scroll(store, session)
                if shown not in (said, said + account.unanswered.get(session, [])):
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
    parser.add_argument("--own-server", action="store_true", help="a PostgreSQL server for this run")
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--compactors", type=int, default=2)
    parser.add_argument("--importers", type=int, default=1)
    parser.add_argument("--readers", type=int, default=4)
    parser.add_argument("--kills", type=int, default=0, help="how many writers are killed")
    parser.add_argument("--restarts", type=int, default=0, help="how often the own server is restarted")
    given = parser.parse_args()
    if given.restarts and not given.own_server:
        parser.error("--restarts needs --own-server")
    counts = {role: getattr(given, f"{role}s") for role in ("writer", "compactor", "importer", "reader")}
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        url = given.db or str(Path(name, "store.db"))
        server = None
        if given.own_server:
            server = stack.enter_context(server_alone(4 * sum(counts.values()) + 20))
            url = server.url("postgres")
        events = happenings(given.kills, given.restarts, server)
        accounts = run(url, Path(name), given.seconds, events, **counts)
        wrong = compare(url, accounts)
    worst = _print_table(accounts, given.seconds)
    said = sum(len(texts) for account in accounts for texts in account.ledger.values())
    errors = [error for account in accounts for error in account.errors]
    print(
        f"{said:,} messages in the ledgers; {len(wrong)} lost, doubled or disagreeing; {len(errors)} errors;"
        f" {given.kills} writers killed, {given.restarts} restarts"
    )
    print(f"{sum(one.refused for one in accounts):,} compactions refused because another was faster")
    for line in (*wrong, *errors):
        print(line)
    longest = (ROW_SECONDS if "://" in url else BUSY_SECONDS) + (SERVER_SECONDS if given.restarts else 0)
    return 1 if wrong or errors or worst > longest * 1000 else 0


def happenings(kills: int, restarts: int, server: Server | None) -> list[Callable[[Crowd], None]]:
    """Return what happens, in its order: a kill, a restart, a kill, and so on."""

    def restart(crowd: Crowd) -> None:
        assert server is not None
        server.stop()
        server.start()

    events: list[Callable[[Crowd], None]] = []
    for at in range(max(kills, restarts)):
        events += [Crowd.kill_a_writer] * (at < kills) + [restart] * (at < restarts)
    return events


if __name__ == "__main__":
    sys.exit(main())
