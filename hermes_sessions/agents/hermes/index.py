"""Index the sessions of a Hermes `state.db` of any version: who they are, where they hang, their marks.

Columns are probed, the version number is only reported. What the rows say is `family`;
opening the file, with or without damage, is `source`.
"""

import sqlite3
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, NamedTuple

from hermes_sessions.agents.contract import KEPT_ROWS, Entry
from hermes_sessions.agents.hermes.journal import EngineJournal
from hermes_sessions.agents.hermes.schema import SCHEMA_VERSION
from hermes_sessions.agents.hermes.telemetry import CompactionAttempt
from hermes_sessions.agents.sqlite_source.foreign_cells import EARLIEST, LATEST
from hermes_sessions.agents.sqlite_source.foreign_database import ForeignDatabase, RawText
from hermes_sessions.agents.sqlite_source.salvage import Damage, quote_name
from hermes_sessions.agents.unknown_kinds import counted
from hermes_sessions.agents.values import Rejected, Warned

_MAX_WARNINGS: Final = 10_000
_BOUNDED: Final = "(id <= ? OR typeof(id) <> 'integer')"
"""Rows that were there when the file was opened; ids that are no numbers are for the report."""


class IndexedSession(NamedTuple):
    """A session of the file; its id there need not be text."""

    entry: Entry
    raw_id: Any
    started_at: float | None


@dataclass(slots=True)
class HermesIndex:
    """An open `state.db`, or what could be rescued of one, with its sessions.

    Attributes:
        sessions: every session by id.
        locks: abandoned compaction locks by session: (acquired at, holder).
        bound: highest message id when the file was opened; later rows are for the next sync.
        kept_rows: a family with more rows is not held in memory but read twice.
        attempts: what the agent's log says about compactions, by session.
        journal: what our engine and the agent's accounts say about them.
        damage: what could not be read.
    """

    foreign: ForeignDatabase
    connection: sqlite3.Connection
    session_columns: Sequence[str]
    message_columns: Sequence[str]
    schema_version: str
    sessions: Mapping[str, IndexedSession]
    locks: Mapping[str, tuple[float | None, str]]
    bound: int
    kept_rows: int = KEPT_ROWS
    attempts: Mapping[str, Sequence[CompactionAttempt]] = field(default_factory=dict)
    journal: EngineJournal = field(default_factory=EngineJournal)
    damage: list[Damage | str] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    warnings: list[Warned] = field(default_factory=list)

    def warn(self, table: str, row: str, column: str | None, reason: str) -> None:
        """Keep a warning, up to a number that a report can hold."""
        if len(self.warnings) < _MAX_WARNINGS:
            self.warnings.append(Warned(table, row, column, reason))

    def take_journal(self, journal: EngineJournal) -> None:
        """Take what the journal says; it is part of the marks of the sessions it speaks of."""
        self.journal = journal
        marked = {
            one: found._replace(entry=found.entry._replace(mark=f"{found.entry.mark}:j{journal.marks[one]}"))
            for one, found in self.sessions.items()
            if one in journal.marks
        }
        self.sessions = {**self.sessions, **marked}


def index_sessions(foreign: ForeignDatabase, connection: sqlite3.Connection, now: float) -> HermesIndex:
    """Index the sessions that *connection* has: the file itself, or what was rescued of it."""
    session_columns = _columns(connection, "sessions")
    message_columns = _columns(connection, "messages")
    connection.execute("BEGIN")
    try:
        bound = connection.execute(
            "SELECT max(id) FROM messages NOT INDEXED WHERE typeof(id) = 'integer'"
        ).fetchone()[0]
        index = HermesIndex(
            foreign=foreign,
            connection=connection,
            session_columns=session_columns,
            message_columns=message_columns,
            schema_version=_schema_version(connection),
            sessions={},
            locks=_locks(connection, now),
            bound=bound if isinstance(bound, int) else 2**63 - 1,
        )
        index.sessions = _sessions(index)
    finally:
        connection.execute("COMMIT")
    if index.schema_version.isdigit() and int(index.schema_version) > SCHEMA_VERSION:
        index.warn(
            "schema_version", index.schema_version, None, "is newer than any known; read what is known"
        )
    return index


def _sessions(index: HermesIndex) -> dict[str, IndexedSession]:
    counts = _message_counts(index)
    sessions: dict[str, IndexedSession] = {}
    columns = {name: at for at, name in enumerate(index.session_columns)}
    names = ", ".join(quote_name(name) for name in index.session_columns)
    for row in index.connection.execute(f"SELECT {names} FROM sessions ORDER BY rowid"):
        raw = row[columns["id"]]
        one = _id_text(raw)
        if one is None or one in sessions:
            why = "has no id" if one is None else "its id, as text, is taken by another row"
            index.rejected.append(Rejected("sessions", str(raw), why))
            continue
        parent = _id_text(row[columns["parent_session_id"]]) if "parent_session_id" in columns else None
        started = _time(row[columns["started_at"]]) if "started_at" in columns else None
        rows, mark, newest = counts.pop(raw, (0, "0:0", 0.0))
        mark += f":{sha256(repr(row).encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
        if one in index.locks:
            mark += ":locked"  # a compaction that died changes nothing else
        newest = max(newest, started or 0.0)
        entry = Entry(one, parent, mark, rows, newest, stored=True)
        sessions[one] = IndexedSession(entry, raw, started)
    for raw, (rows, mark, newest) in counts.items():
        one = _id_text(raw)
        if one is None or one in sessions:
            why = "names no session" if one is None else "its session's id, as text, is taken by another row"
            index.rejected.extend(Rejected("messages", row, why) for row in _ids_of(index, raw))
            continue
        entry = Entry(one, None, f"{mark}:-", rows, newest, stored=False)
        sessions[one] = IndexedSession(entry, raw, None)
        told = f"{counted(rows, 'message')} of it {'is' if rows == 1 else 'are'} here"
        why = f"the row of this session is missing; {told}"
        index.warn("messages", one, "session_id", why)
    return sessions


def _ids_of(index: HermesIndex, session: Any) -> list[str]:
    """Return the ids of the rows of a session that cannot be stored."""
    found = index.connection.execute(
        f"SELECT id FROM messages WHERE session_id IS {bind_id(session)} AND {_BOUNDED}",
        (session, index.bound),
    )
    return [str(row_id) for (row_id,) in found]


def _message_counts(index: HermesIndex) -> dict[Any, tuple[int, str, float]]:
    """Return session -> (rows, mark, newest time), from the table itself, not a database index."""
    flags = [name for name in ("active", "compacted") if name in index.message_columns]
    sums = "".join(f", total({name}), count({name})" for name in flags)
    newest = "NULL"
    if "timestamp" in index.message_columns:
        newest = (
            "max(CASE WHEN typeof(timestamp) IN ('real', 'integer')"
            f" AND timestamp BETWEEN {EARLIEST} AND {LATEST} THEN timestamp END)"
        )
    found = index.connection.execute(
        f"SELECT session_id, count(*), max(id), {newest}{sums}"
        f" FROM messages NOT INDEXED WHERE {_BOUNDED} GROUP BY session_id",
        (index.bound,),
    )
    counts = {}
    for session, rows, last, at, *totals in found:
        last = last if isinstance(last, int) else 0
        mark = ":".join((str(rows), str(last), *(f"{total:.0f}" for total in totals)))
        counts[session] = (rows, mark, at or 0.0)
    return counts


def _schema_version(connection: sqlite3.Connection) -> str:
    """Return the highest version recorded, or "unknown"; rows may be several, or none."""
    try:
        found = connection.execute(
            "SELECT max(version) FROM schema_version WHERE typeof(version) = 'integer'"
        )
        version = found.fetchone()[0]
    except sqlite3.OperationalError:
        version = None
    return "unknown" if version is None else str(version)


def _locks(connection: sqlite3.Connection, now: float) -> dict[str, tuple[float | None, str]]:
    try:
        found = connection.execute(
            "SELECT session_id, acquired_at, holder FROM compression_locks WHERE expires_at < ?", (now,)
        ).fetchall()
    except sqlite3.OperationalError:
        return {}
    return {str(session): (_time(acquired), str(holder)) for session, acquired, holder in found}


def _columns(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    return tuple(name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,)))


def _id_text(raw: Any) -> str | None:
    if raw is None:
        return None
    if isinstance(raw, bytes):
        raw = raw.decode("utf-8", "replace")
    return str(raw).replace("\0", "\ufffd")


def bind_id(raw: Any) -> str:
    """Return the placeholder for an id in a statement: text that is no UTF-8 would be bound as a blob."""
    return "CAST(? AS TEXT)" if isinstance(raw, RawText) else "?"


def _time(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and EARLIEST <= value <= LATEST else None


def raw_rows(index: HermesIndex, session: IndexedSession) -> Iterator[Sequence[Any]]:
    """Yield the rows of one session in id order, up to the bound, each let go before the next is read.

    Row numbers are put in order, not rows: cells may be large, and what is sorted is held.
    """
    if not _has_rowids(index.connection):
        yield from _sorted_rows(index, session)
        return
    names = ", ".join(quote_name(name) for name in index.message_columns)
    read = f"SELECT {names} FROM messages WHERE _rowid_ = ?"
    with _one_state(index.connection):
        found = index.connection.execute(
            f"SELECT _rowid_ FROM messages WHERE {_of_session(session)} ORDER BY id",
            (session.raw_id, index.bound),
        )
        for number in array("q", (rowid for (rowid,) in found)):
            row = index.connection.execute(read, (number,)).fetchone()
            if row is None:
                raise sqlite3.DatabaseError(f"messages: an index leads to row {number}, which is not there")
            yield row
            del row


def _sorted_rows(index: HermesIndex, session: IndexedSession) -> Iterator[Sequence[Any]]:
    names = ", ".join(quote_name(name) for name in index.message_columns)
    yield from index.connection.execute(
        f"SELECT {names} FROM messages WHERE {_of_session(session)} ORDER BY id",
        (session.raw_id, index.bound),
    )


def _of_session(session: IndexedSession) -> str:
    return f"session_id IS {bind_id(session.raw_id)} AND {_BOUNDED}"


def _has_rowids(connection: sqlite3.Connection) -> bool:
    found = connection.execute(
        "SELECT wr FROM pragma_table_list('messages') WHERE schema = 'main'"
    ).fetchone()
    return found is None or not found[0]


@contextmanager
def _one_state(connection: sqlite3.Connection) -> Iterator[None]:
    """Read one state of the file in several statements, whatever is written to it meanwhile."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("COMMIT")


def unheard(row_id: str, column: str, reason: str) -> None:
    """Take no notice: a warning that the reading of the family gives."""
