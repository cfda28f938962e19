"""Feed nonsense to everything that reads: agents' databases, and requests to the viewer.

    python -m bench.fuzz [--files N] [--requests N] [--seed N] [--homes FOLDER [--agent NAME]]

A database is spoiled (bytes, pages, or values in its cells) and imported by a process
with limits on time and memory. It must be imported or refused in one line; afterwards the
store agrees with itself, every conversation can be shown, and the file is as it was. A
request is put together from addresses and parameters that exist and values that make no
sense; it must be answered, and never with 500. Exit code 1 otherwise, with the seed.
With `--homes` a folder of homes of agents is spoiled instead (`bench.spoiled_homes`), N times each.
"""

import argparse
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from bench.corpus import fingerprint
from bench.spoiled_homes import copy_home, homes_to_spoil, spoil_home
from hermes_sessions import paths
from hermes_sessions.demo import write_demo_home
from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.handoff import render_handoff
from hermes_sessions.operations.documents.conversations import list_document
from hermes_sessions.operations.documents.encoding import encode
from hermes_sessions.operations.documents.messages import show_document
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.conversations import ConversationListing
from hermes_sessions.web import create_app

SECONDS: Final = 120
MEMORY_BYTES: Final = 3_000_000_000
REFUSED: Final = 3
DEEP: Final = "[" * 100_000 + "]" * 100_000
NASTY: Final[tuple[Any, ...]] = (
    None, "", " ", "\0", "a\0b", "\ufeff", 0, -1, 2**63 - 1, -(2**63), 5e246, -5e246, float("inf"), 1e-300,
    b"\xed\xa0\x80 lone", b"\xff\xfe\x00", b"", "x" * 1_000_000, DEEP, '{"a":' * 50_000 + "1" + "}" * 50_000,
    "[1, 2", "{}", "[]", "null", "1e999", "NaN", '"text"', "[null, 5, {}]", '[{"type": 5, "text": {}}]',
    "\0json:", "\0json:5", "\0json:{}", "\0json:[null]", f"\0json:{DEEP}",
    '\0json:[{"type":"text","text":null}]',
    "2026-01-01", "١٢٣", "\u202e\u2066", "../../etc/passwd", "%s%n", "'; DROP TABLE messages; --",
    render_handoff("What was done."), "\ufeff" + render_handoff("What was done."), render_handoff("") * 3,
)  # fmt: skip
"""Values for cells: what no agent writes, and what one might."""
HEADERS: Final = (
    *("Host", "Cookie", "Authorization", "If-None-Match", "Accept-Encoding", "X-Request-ID", "Range"),
    *("X-Forwarded-For", "Content-Type", "Origin", "Accept", "Accept-Language"),
)
PAGES: Final = ("/", "/search", "/compactions", "/origins", "/overview", "/help", "/login", "/metrics",
                "/trash", "/c/{id}", "/c/{id}/lineage", "/m/{message}/all", "/static/{id}")  # fmt: skip


# -- files -----------------------------------------------------------------------------------------


def spoil_bytes(path: Path, chance: random.Random) -> None:
    """Change some bytes anywhere."""
    content = bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 5, 50, 1_000))):
        content[chance.randrange(len(content))] = chance.randrange(256)
    path.write_bytes(content)


def spoil_pages(path: Path, chance: random.Random) -> None:
    """Empty a page, exchange two, or lose the end."""
    content = bytearray(path.read_bytes())
    size, pages = 4_096, len(content) // 4_096
    for _ in range(chance.choice((1, 3, 10))):
        one, other = (size * chance.randrange(1, pages) for _ in "12")
        kind = chance.randrange(3)
        if kind == 0:
            content[one : one + size] = bytes(size)
        elif kind == 1:
            content[one : one + size], content[other : other + size] = (
                content[other : other + size],
                content[one : one + size],
            )
        else:
            content[one : one + size] = chance.randbytes(size)
    if chance.random() < 0.2:
        content = content[: chance.randrange(len(content))]
    path.write_bytes(content)


def spoil_cells(path: Path, chance: random.Random) -> None:
    """Put odd values into cells, whatever the columns are for."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        for _ in range(chance.choice((1, 10, 100))):
            table = chance.choice(("sessions", "messages"))
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            keys = [row[0] for row in connection.execute(f"SELECT rowid FROM {table}")]
            value = chance.choice(NASTY)
            change = f'UPDATE OR IGNORE {table} SET "{chance.choice(columns)}" = ? WHERE rowid = ?'
            if isinstance(value, bytes) and chance.random() < 0.5:
                change = change.replace("= ? WHERE", "= CAST(? AS TEXT) WHERE")
            try:
                connection.execute(change, (value, chance.choice(keys)))
            except sqlite3.Error:
                continue


SPOILERS: Final[dict[str, Callable[[Path, random.Random], None]]] = {
    "bytes": spoil_bytes,
    "pages": spoil_pages,
    "cells": spoil_cells,
}


def read_file(path: Path, store: Path) -> int:
    """Import *path* twice and show everything; return 0, or REFUSED where it was refused in one line."""
    with Database.open(str(store)) as database:
        try:
            import_path(database, path, ImportOptions(clock=time.time))
            import_path(database, path, ImportOptions(clock=time.time, full=True))
        except HermesSessionsError as error:
            if "\n" in str(error) or not str(error):
                raise ValueError(f"no single line: {error!r}") from error
            return REFUSED
        with database.read() as db:
            found = check_store(db)
            if found:
                raise ValueError(f"db check: {found[:3]}")
            for one in list_document(db, ConversationListing(kind="all", limit=500)).conversations:
                encode(show_document(db, one.id, every=True))
    return 0


def limited(work: Callable[[], int]) -> int:
    """Do *work* in a process with limits; return its code, or minus the signal that ended it."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 1
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        signal.alarm(SECONDS)
        code = work()
    except BaseException:  # whatever it is, the parent tells of it
        traceback.print_exc()
    finally:
        os._exit(code)


def fuzz_files(count: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Spoil and import *count* databases; return what became of them, and what should not have been."""
    outcomes: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = write_demo_home(folder / "home", now=1_790_000_000.0) / "state.db"
        Database.open(str(folder / "empty.db")).close()
        for number in range(seed, seed + count):
            chance = random.Random(number)
            kind = chance.choice(sorted(SPOILERS))
            place = folder / f"n{number}"
            (place / "agent").mkdir(parents=True)
            path, store = place / "agent" / "state.db", place / "store.db"
            shutil.copy(whole, path)
            shutil.copy(folder / "empty.db", store)
            SPOILERS[kind](path, chance)
            before = fingerprint(path)
            code = limited(lambda path=path, store=store: read_file(path, store))  # type: ignore[misc]
            outcome = {0: "imported", REFUSED: "refused"}.get(code, "wrong")
            if fingerprint(path) != before:
                outcome, code = "wrong", -99
            outcomes[f"{kind} {outcome}"] += 1
            if outcome == "wrong":
                wrong.append(f"file of seed {number} ({kind}): ended with {code}")
            shutil.rmtree(place)
    return outcomes, wrong


def fuzz_homes(
    folder: Path, count: int, seed: int, only: str | None
) -> Iterator[tuple[str, Counter[str], list[str]]]:
    """Spoil and import *count* copies of each home; yield agent, what became of them, what should not have.

    Args:
        only: the one agent whose home it is.
    """
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        Database.open(str(scratch / "empty.db")).close()
        for agent, (home, path) in homes_to_spoil(folder, scratch).items():
            if only is not None and agent != only:
                continue
            outcomes: Counter[str] = Counter()
            wrong: list[str] = []
            for number in range(seed, seed + count):
                place = scratch / f"n{number}"
                here = copy_home(home, path, place / "home")
                kind = spoil_home(here if here.is_dir() else here.parent, random.Random(number))
                store = place / "store.db"
                shutil.copy(scratch / "empty.db", store)
                code = limited(lambda here=here, store=store: read_file(here, store))  # type: ignore[misc]
                outcome = {0: "imported", REFUSED: "refused"}.get(code, "wrong")
                outcomes[outcome] += 1
                if outcome == "wrong":
                    wrong.append(f"{agent}, seed {number} ({kind}): ended with {code}")
                shutil.rmtree(place)
            yield agent, outcomes, wrong


# -- requests --------------------------------------------------------------------------------------


def nonsense(chance: random.Random) -> str:
    """Return text that no form sends."""
    pool = [str(one)[:300] for one in NASTY if isinstance(one, str | int | float)]
    made = "".join(chr(chance.randrange(1, 0xD7FF)) for _ in range(chance.randrange(12)))
    return chance.choice((*pool, made, "family", "1", "yes", "a" * 3_000))


def fuzz_requests(count: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Ask *count* odd questions; return how they were answered, and which not."""
    told = json.loads((paths.static() / "openapi.json").read_text("utf-8"))["paths"]
    addresses = [*PAGES, *(path for path in told if path != "/api/events")]
    names = sorted(
        {
            one["name"]
            for path in told.values()
            for one in path.get("get", {}).get("parameters", ())
            if "name" in one
        }
    )
    names += ["q", "view", "next", "text", "action", "id", "proof", "token"]
    outcomes: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name, Database.open(str(Path(name, "store.db"))) as database:
        home = write_demo_home(Path(name, "home"), now=1_790_000_000.0)
        import_path(database, home / "state.db", ImportOptions(clock=time.time))
        with database.read() as db:
            ids = [one.id for one in list_document(db, ConversationListing(kind="all")).conversations]
        client = create_app(database).test_client()
        for number in range(seed, seed + count):
            chance = random.Random(number)
            address = chance.choice(addresses)
            while "{" in address:
                known = quote(
                    chance.choice((chance.choice(ids), str(chance.randrange(500)), nonsense(chance))), safe=""
                )
                address = address[: address.index("{")] + known + address[address.index("}") + 1 :]
            query = {one: nonsense(chance) for one in chance.sample(names, chance.randrange(4))}
            headers = {
                one: "".join(mark for mark in nonsense(chance) if 31 < ord(mark) < 256)
                for one in chance.sample(HEADERS, chance.choice((0, 0, 1, 3)))
            }
            method = chance.choice(("GET", "GET", "GET", "POST", "HEAD"))
            body = nonsense(chance).encode("utf-8", "replace") if method == "POST" else None
            began = time.monotonic()
            try:
                with client.open(
                    address, method=method, query_string=query, headers=headers, data=body
                ) as answer:
                    status = answer.status_code
                    answer.get_data()
            except Exception:  # the test client passes on what the application lets out
                traceback.print_exc()
                status = 599
            outcomes[f"{status // 100}xx"] += 1
            if status >= 500 or time.monotonic() - began > SECONDS:
                wrong.append(f"request of seed {number}: {method} {address[:80]} {query} {headers}: {status}")
    return outcomes, wrong


def main() -> int:
    """Print the counts; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--requests", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--homes", type=Path, help="spoil the homes of agents in this folder")
    parser.add_argument("--agent", help="of them, this one alone")
    given = parser.parse_args()
    trouble: list[str] = []
    if given.homes is not None:
        for agent, outcomes, wrong in fuzz_homes(given.homes, given.files, given.seed, given.agent):
            told = ", ".join(f"{key}: {n:,}" for key, n in sorted(outcomes.items()))
            print(f"{agent}: {outcomes.total():,}; {told}", flush=True)
            trouble += wrong
        for line in trouble:
            print(ascii(line))
        return 1 if trouble else 0
    for name, fuzz, count in (
        ("files", fuzz_files, given.files),
        ("requests", fuzz_requests, given.requests),
    ):
        outcomes, wrong = fuzz(count, given.seed)
        print(
            f"{name}: {outcomes.total():,}; "
            + ", ".join(f"{key}: {n:,}" for key, n in sorted(outcomes.items()))
        )
        trouble += wrong
    for line in trouble:
        print(ascii(line))
    return 1 if trouble else 0


if __name__ == "__main__":
    sys.exit(main())
