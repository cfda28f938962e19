"""What an import of OpenCode's and Goose's databases costs when a session of a large one gets ten rows more.

    python -m bench.shelves [--megabytes 1000] [--folder DIR]

A database of 1 MB and one of that size are imported, then ten messages are added to one session of each, and
the import is run again. Sessions have 200 messages of 6 KB. Each import runs in a process of its own.
"""

import argparse
import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from bench.growing import measure, text_of
from tests.agents.goose.session_builder import SEEN, GooseInDatabase
from tests.agents.opencode.session_builder import BEGAN, KeptInDatabase

_ROWS: Final = 200
_SIZE: Final = 6_000
_MESSAGE: Final = "INSERT INTO message VALUES (?, ?, ?, ?, ?)"
_PART: Final = "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)"
_GOOSE: Final = (
    "INSERT INTO messages (message_id, session_id, role, content_json, created_timestamp, metadata_json)"
    " VALUES (?, ?, ?, ?, ?, ?)"
)


def write_opencode(path: Path, session: str, numbers: range) -> None:
    """Write messages of a session of OpenCode, with the numbers given; the session where it is new."""
    kept = KeptInDatabase(path)
    kept.put_session(session, created=BEGAN)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany(_MESSAGE, (_opencode_message(session, at) for at in numbers))
        connection.executemany(_PART, (_opencode_part(session, at) for at in numbers))


def _opencode_message(session: str, at: int) -> tuple[Any, ...]:
    time, role = BEGAN + 1_000 * _own(session, at), "assistant" if at % 2 else "user"
    value = {"role": role, "time": {"created": time}, "modelID": "model"}
    return f"msg_{session}{at:08}", session, time, time, json.dumps(value)


def _opencode_part(session: str, at: int) -> tuple[Any, ...]:
    time, value = (
        BEGAN + 1_000 * _own(session, at),
        {"type": "text", "text": text_of(_own(session, at), _SIZE)},
    )
    one = f"msg_{session}{at:08}"
    return f"prt_{session}{at:08}", one, session, time, time, json.dumps(value)


def write_goose(path: Path, session: str, numbers: range) -> None:
    """Write messages of a session of Goose, with the numbers given; the session where it is new."""
    kept = GooseInDatabase(path)
    if not kept.run("SELECT 1 FROM sessions WHERE id = ?", session):
        kept.put(session, [])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany(_GOOSE, _goose_messages(session, numbers))


def _goose_messages(session: str, numbers: range) -> Iterator[tuple[Any, ...]]:
    for at in numbers:
        content = [{"type": "text", "text": text_of(_own(session, at), _SIZE)}]
        role = "assistant" if at % 2 else "user"
        told = (json.dumps(content), 1_780_000_000 + _own(session, at), json.dumps(SEEN))
        yield f"msg_{session}{at:08}", session, role, *told


def _own(session: str, at: int) -> int:
    """Return a number that no message of another session has: sessions that begin alike are copies."""
    return int(session[1:]) * 1_000 + at


Write = Callable[[Path, str, range], None]
SHELVES: Final[Mapping[str, tuple[str, Write]]] = {
    "OpenCode": ("opencode.db", write_opencode),
    "Goose": ("sessions.db", write_goose),
}


def main() -> None:
    """Measure, and print a line for each agent."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--megabytes", type=int, default=1_000)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    for agent, (name, write) in SHELVES.items():
        grown = []
        for size in (1, given.megabytes):
            with tempfile.TemporaryDirectory(dir=given.folder) as folder:
                path = Path(folder) / "home" / name
                for at in range(max(1, size * 1_000_000 // (_ROWS * _SIZE))):
                    write(path, f"s{at:06}", range(_ROWS))
                store = Path(folder) / "store.db"
                first = measure(path.parent, store, 1)
                write(path, "s000000", range(_ROWS, _ROWS + 10))
                more = measure(path.parent, store, 1)
                grown.append(more.wall)
                print(
                    f"{agent}, {size} MB, load {os.getloadavg()[0]:.1f}: first {first.wall:.2f} s, peak"
                    f" {first.peak_mb:.0f} MB; ten rows more {more.wall:.2f} s, peak {more.peak_mb:.0f} MB",
                    flush=True,
                )
        print(f"{agent}: {grown[1] / grown[0]:.1f} times", flush=True)


if __name__ == "__main__":
    main()
