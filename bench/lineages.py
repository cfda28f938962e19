"""Time `db check`, the audit and the import of one long lineage, at growing lengths.

    python -m bench.lineages [--shapes chain circle ...] [--sessions 1250 2500 5000 10000 20000]

Each session has two or three messages, so that what costs is how they hang together: a chain of compactions,
a circle of parents, one parent of all, a chain whose every session has a second continuation, sub-agents of
sub-agents; `in-place` is one session that was compacted so many times. Seconds of the processor, and how
many times those of the length before. Prints Markdown.
"""

import argparse
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from hermes_sessions.demo.agent_tables import create_tables, insert_rows, message_columns, session_columns
from hermes_sessions.demo.handoffs import standalone
from hermes_sessions.operations.auditing.audit_conversations import run_audit
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.stored_audits import FindingListing

SCHEMA: Final = 17
START: Final = 1_767_268_800.0
SIZES: Final = (1_250, 2_500, 5_000, 10_000, 20_000)
_MINUTES: Final = 20

Row = dict[str, Any]
Shape = Callable[[int], Iterator[tuple[Row, list[Row]]]]
"""How many sessions -> each with its messages."""


def chain(count: int) -> Iterator[tuple[Row, list[Row]]]:
    """Yield sessions that continue each other."""
    for number in range(count):
        yield _session(number, number - 1), _messages(number, handoff=number > 0)


def circle(count: int) -> Iterator[tuple[Row, list[Row]]]:
    """Yield sessions that continue each other, the first one the last."""
    for number in range(count):
        yield _session(number, (number - 1) % count), _messages(number, handoff=True)


def star(count: int) -> Iterator[tuple[Row, list[Row]]]:
    """Yield sessions that all continue the first."""
    for number in range(count):
        yield _session(number, 0 if number else -1), _messages(number, handoff=number > 0)


def comb(count: int) -> Iterator[tuple[Row, list[Row]]]:
    """Yield a chain in which every session has a second continuation."""
    for number in range(count):
        parent = number - 1 - number % 2 if number > 1 else number - 1
        yield _session(number, max(-1, parent - parent % 2)), _messages(number, handoff=number > 0)


def delegates(count: int) -> Iterator[tuple[Row, list[Row]]]:
    """Yield sub-agents of sub-agents."""
    for number in range(count):
        row = _session(number, number - 1) | {"source": "subagent", "end_reason": None}
        yield row, _messages(number, handoff=False)


def in_place(count: int) -> Iterator[tuple[Row, list[Row]]]:
    """Yield one session that was compacted in place again and again."""
    rows: list[Row] = []
    for number in range(count):
        old = {"active": 0, "compacted": 1} if number < count - 1 else {"active": 1, "compacted": 0}
        made = _messages(number, handoff=number > 0)
        made[1:1] = [dict(row) for row in rows[-2:]]
        rows += [row | old | {"session_id": "s000000"} for row in made]
    yield _session(0, -1) | {"end_reason": None, "ended_at": None}, rows


SHAPES: Final[dict[str, Shape]] = {
    "chain": chain,
    "circle": circle,
    "star": star,
    "comb": comb,
    "delegates": delegates,
    "in-place": in_place,
}


def make_database(path: Path, shape: Shape, count: int) -> None:
    """Write a `state.db` of one lineage."""
    made = list(shape(count))
    with closing(sqlite3.connect(path)) as connection:
        create_tables(connection, SCHEMA)
        insert_rows(connection, "sessions", session_columns(SCHEMA), [session for session, _ in made])
        rows = [row for _, rows in made for row in rows]
        insert_rows(connection, "messages", message_columns(SCHEMA), rows)
        connection.commit()


def _session(number: int, parent: int) -> Row:
    started = START + 60.0 * _MINUTES * number
    return {
        "id": f"s{number:06d}",
        "parent_session_id": None if parent < 0 else f"s{parent:06d}",
        "source": "cli",
        "model": "a-model",
        "started_at": started,
        "ended_at": started + 60.0 * (_MINUTES - 1),
        "end_reason": "compression",
    }


def _messages(number: int, *, handoff: bool) -> list[Row]:
    session, started = f"s{number:06d}", START + 60.0 * _MINUTES * number
    texts = [("user", standalone(f"The parser of part {number - 1} was mended."))] if handoff else []
    texts += [
        ("user", f"Mend the parser of part {number} in src/part{number}/parser.py, please."),
        ("assistant", f"src/part{number}/parser.py reads {number} tokens now; all tests pass."),
    ]
    return [
        {"session_id": session, "role": role, "content": text, "timestamp": started + at}
        for at, (role, text) in enumerate(texts, start=1)
    ]


def measure(shape: Shape, count: int) -> dict[str, float]:
    """Return the seconds of the processor that each piece of work takes."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "state.db")
        make_database(source, shape, count)
        with Database.open(str(Path(folder, "store.db"))) as database:
            return {
                "import": _cpu(lambda: import_path(database, source, ImportOptions(clock=time.time))),
                "audit": _cpu(lambda: run_audit(database, FindingListing(), clock=time.time)),
                "db check": _cpu(lambda: _check(database)),
            }


def _check(database: Database) -> None:
    with database.read() as db:
        found = check_store(db)
    if found:
        raise SystemExit(f"the store disagrees with itself: {found[0]}")


def _cpu(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--sessions", type=int, nargs="+", default=list(SIZES))
    given = parser.parse_args()
    print("| shape | work |" + "".join(f" {size:,} |" for size in given.sessions))
    print("|---|---|" + "---|" * len(given.sessions))
    for name in given.shapes:
        found = [measure(SHAPES[name], size) for size in given.sessions]
        for work in found[0]:
            seconds = [one[work] for one in found]
            cells = [f"{seconds[0]:.1f}"]
            cells += [f"{now:.1f} ({now / before:.1f}x)" for before, now in pairwise(seconds)]
            print(f"| {name} | {work} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
