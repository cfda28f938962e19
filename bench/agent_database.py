"""A big `state.db` as an agent would have it, and the questions that the agent asks of it.

The questions are the baseline of `bench.budgets`, in the shape such stores ask them: a
list that walks every chain and asks for each conversation's newest message and first
request; a search that ranks and joins every hit before it sorts; and, since a trigram
index cannot serve two characters, LIKE over everything for short Chinese words.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from bench.search_store import Writer
from hermes_sessions.demo.agent_tables import create_tables, insert_rows, message_columns, session_columns
from hermes_sessions.demo.handoffs import standalone

SCHEMA: Final = 17
START: Final = 1_767_268_800.0
LONG: Final = "long"
LONG_MESSAGES: Final = 2_000
MESSAGES: Final = 32
_CHAINS: Final = (1, 1, 1, 1, 1, 1, 1, 2, 3, 5)
"""Sessions of one conversation after the other."""
_REPLAYED: Final = 4
_BATCH: Final = 200

Made = tuple[dict[str, Any], list[dict[str, Any]]]
"""A session and its messages."""
Question = Callable[[sqlite3.Connection], Any]


def make_database(path: Path, sessions: int) -> None:
    """Write a `state.db` with so many sessions, one of `LONG_MESSAGES`, and the agent's own text index."""
    writer = Writer()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        create_tables(connection, SCHEMA)
        batch: list[Made] = []
        for one in _sessions(writer, sessions):
            batch.append(one)
            if len(batch) == _BATCH:
                _write(connection, batch)
        _write(connection, batch)
        connection.execute("CREATE VIRTUAL TABLE messages_fts USING fts5(content)")
        connection.execute(
            "INSERT INTO messages_fts (rowid, content) SELECT id, coalesce(content, '') || ' '"
            " || coalesce(tool_name, '') || ' ' || coalesce(tool_calls, '') FROM messages"
        )
        connection.commit()
        connection.execute("PRAGMA journal_mode = DELETE")


def _write(connection: sqlite3.Connection, batch: list[Made]) -> None:
    insert_rows(connection, "sessions", session_columns(SCHEMA), [session for session, _ in batch])
    columns = message_columns(SCHEMA)
    insert_rows(connection, "messages", columns, [row for _, rows in batch for row in rows])
    connection.commit()
    batch.clear()


def _sessions(writer: Writer, count: int) -> Iterator[Made]:
    yield _session(LONG, None, START), list(_messages(writer, LONG, START, LONG_MESSAGES))
    made = 1
    while made < count:
        length = min(writer.chance.choice(_CHAINS), count - made)
        yield from _chain(writer, range(made, made + length))
        made += length


def _chain(writer: Writer, numbers: range) -> Iterator[Made]:
    """Yield the sessions of one conversation; each ends where the next one begins."""
    parent: dict[str, Any] | None = None
    tail: list[dict[str, Any]] = []
    for number in numbers:
        started = START + 600.0 * number
        name = f"20260101_{number:06d}_{number * 2654435761 % 2**24:06x}"
        session = _session(name, parent, started)
        rows = list(_replayed(name, tail, started)) if parent else []
        rows += _messages(writer, name, started + len(rows), MESSAGES - len(rows))
        session["message_count"] = len(rows)
        if number != numbers[-1]:
            session |= {"end_reason": "compression", "ended_at": started + 599}
        yield session, rows
        parent, tail = session, rows[-_REPLAYED:]


def _session(name: str, parent: dict[str, Any] | None, started: float) -> dict[str, Any]:
    return {
        "id": name, "source": ("cli", "telegram")[int(started) % 2], "model": "model-a", "title": None,
        "parent_session_id": parent["id"] if parent else None, "started_at": started,
        "input_tokens": 1_000, "output_tokens": 100, "estimated_cost_usd": 0.01, "tool_call_count": 8,
    }  # fmt: skip


def _replayed(name: str, tail: list[dict[str, Any]], started: float) -> Iterator[dict[str, Any]]:
    """Yield what a child begins with: the handoff, then the parent's tail once more."""
    summary = standalone("## Goal\nKeep the build green.\n## Progress\nSee above.")
    yield {"session_id": name, "role": "user", "content": summary, "timestamp": started}
    for at, row in enumerate(tail, 1):
        yield {**row, "session_id": name, "timestamp": started + at / 100}


def _messages(writer: Writer, name: str, started: float, count: int) -> Iterator[dict[str, Any]]:
    for at in range(count):
        role = ("user", "assistant", "tool", "assistant")[at % 4]
        row = {"session_id": name, "role": role, "content": writer.text(at), "timestamp": started + at * 3}
        if at % 4 == 1:
            arguments = json.dumps({"path": f"src/part_{at % 97}/file_{at % 31}.py"})
            call = {"id": f"call_{at}", "type": "function"}
            row["tool_calls"] = json.dumps(
                [{**call, "function": {"name": "read_file", "arguments": arguments}}]
            )
        if role == "tool":
            row |= {"tool_call_id": f"call_{at - 1}", "tool_name": "read_file"}
        yield row


# -- what the agent asks ---------------------------------------------------------------------------

_LIST: Final = """
WITH RECURSIVE chain (root, id, depth) AS (
    SELECT s.id, s.id, 0 FROM sessions s LEFT JOIN sessions p ON p.id = s.parent_session_id
    WHERE p.id IS NULL OR p.end_reason IS NOT 'compression'
    UNION ALL
    SELECT chain.root, s.id, depth + 1 FROM chain
    JOIN sessions p ON p.id = chain.id AND p.end_reason = 'compression'
    JOIN sessions s ON s.parent_session_id = p.id AND s.started_at >= p.ended_at
    WHERE depth < 100
)
SELECT s.*, tip.depth,
    (SELECT max(m.timestamp) FROM messages m WHERE m.session_id = tip.id) AS active,
    (SELECT substr(m.content, 1, 63) FROM messages m WHERE m.session_id = s.id AND m.role = 'user'
     ORDER BY m.timestamp, m.id LIMIT 1) AS preview
FROM (SELECT root, id, max(depth) AS depth FROM chain GROUP BY root) AS tip
JOIN sessions s ON s.id = tip.root
ORDER BY active DESC LIMIT 50
"""
_SEARCH: Final = """
SELECT m.id, m.session_id, m.role, snippet(messages_fts, 0, '>', '<', '...', 40), m.timestamp, s.source,
    bm25(messages_fts)
FROM messages_fts JOIN messages m ON m.id = messages_fts.rowid JOIN sessions s ON s.id = m.session_id
WHERE messages_fts MATCH ? ORDER BY m.timestamp DESC LIMIT 20
"""
_LIKE: Final = """
SELECT m.id, m.session_id, m.role, substr(m.content, max(1, instr(m.content, :word) - 40), 120), m.timestamp
FROM messages m JOIN sessions s ON s.id = m.session_id
WHERE m.content LIKE '%' || :word || '%' OR m.tool_name LIKE '%' || :word || '%'
   OR m.tool_calls LIKE '%' || :word || '%'
ORDER BY m.timestamp DESC LIMIT 20
"""


def list_newest(connection: sqlite3.Connection) -> object:
    """The first page of conversations by recent activity."""
    return connection.execute(_LIST).fetchall()


def search_word(word: str) -> Question:
    """A word, newest first."""
    return lambda connection: connection.execute(_SEARCH, (word,)).fetchall()


def search_like(word: str) -> Question:
    """Two characters, newest first."""
    return lambda connection: connection.execute(_LIKE, {"word": word}).fetchall()


def load_long(connection: sqlite3.Connection) -> object:
    """Every message of the long session, as the JSON a page gets."""
    connection.row_factory = sqlite3.Row
    rows = connection.execute("SELECT * FROM messages WHERE session_id = ? ORDER BY timestamp, id", (LONG,))
    found = json.dumps([dict(row) for row in rows])
    connection.row_factory = None
    return found
