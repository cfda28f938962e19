"""Open a Hermes `state.db` of any version and index its sessions: path -> families, newest first.

Columns are probed, the version number is only reported. A file with damage is first
rescued into a private copy, row by row, so that reading has one way only. Not here:
what the rows of a family say (`hermes_family`).
"""

import re
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from hermes_sessions.errors import SourceDamagedError, SourceError
from hermes_sessions.importers.cells import EARLIEST, LATEST
from hermes_sessions.importers.claims import group_attempts
from hermes_sessions.importers.hermes_rows import MessageDecoder
from hermes_sessions.importers.rescue import rescue
from hermes_sessions.importers.salvage import Damage, quote_name
from hermes_sessions.importers.sqlite_file import (
    HERMES_TABLES,
    ForeignDatabase,
    RawText,
    ReadMode,
    is_passing,
    open_foreign,
)
from hermes_sessions.importers.telemetry import CompactionAttempt, read_telemetry
from hermes_sessions.importers.values import Rejected, Warned

NEWEST_KNOWN_VERSION: Final = 30
KEPT_ROWS: Final = 20_000
_MAX_WARNINGS: Final = 10_000
_BOUNDED: Final = "(id <= ? OR typeof(id) <> 'integer')"
"""Rows that were there when the file was opened; ids that are no numbers are for the report."""
_MAX_DISORDER: Final = 5
_PAGE_DAMAGE = re.compile(r"\*\*\* in database|[Pp]age|Rowid|btree|Tree")


class SessionEntry(NamedTuple):
    """What the index keeps of a session: who it is, where it hangs, and its mark."""

    id: str
    raw_id: Any
    parent: str | None
    mark: str
    rows: int
    last_row: int
    newest: float
    started_at: float | None
    stored: bool
    """False where only messages of it exist."""


@dataclass(slots=True)
class HermesSource:
    """An open `state.db`, indexed.

    Attributes:
        entries: every session by id.
        damage: what could not be read.
        rejected: rows that are not stored, with reasons; grows while families are read.
        warnings: values kept raw; grows while families are read.
        bound: highest message id when the file was opened; later rows are for the next sync.
        kept_rows: a family with more rows is not held in memory but read twice.
        attempts: what the agent's log says about compactions, by session.
    """

    foreign: ForeignDatabase
    connection: sqlite3.Connection
    session_columns: Sequence[str]
    message_columns: Sequence[str]
    schema_version: str
    entries: Mapping[str, SessionEntry]
    locks: Mapping[str, tuple[float | None, str]]
    bound: int
    kept_rows: int = KEPT_ROWS
    attempts: Mapping[str, Sequence[CompactionAttempt]] = field(default_factory=dict)
    damage: list[Damage | str] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    warnings: list[Warned] = field(default_factory=list)

    @property
    def message_total(self) -> int:
        """Message rows in the file that can be read."""
        return sum(entry.rows for entry in self.entries.values())

    @property
    def session_total(self) -> int:
        """Session rows in the file that can be read."""
        return sum(entry.stored for entry in self.entries.values())

    def openings(
        self, also: Collection[str] = (), most: int = 20
    ) -> Iterator[tuple[str, float | None, str | None, str | None]]:
        """Yield (id, start, role, text of the first row) of the file's first sessions, and of *also*."""
        decoder = MessageDecoder.for_columns(self.message_columns)
        stored = [entry for entry in self.entries.values() if entry.stored]
        for entry in (*stored[:most], *(entry for entry in stored[most:] if entry.id in also)):
            with naming_damage(self):
                raw = next(iter(raw_rows(self, entry)), None)
            if raw is None:
                yield entry.id, entry.started_at, None, None
            else:
                row, _ = decoder.decode(raw, unheard)
                yield entry.id, entry.started_at, row.role, row.text

    def families(self) -> list[tuple[str, ...]]:
        """Return the ids of each family, the family with the newest activity first."""
        top = _tops({one: entry.parent for one, entry in self.entries.items()})
        grouped: dict[str, list[str]] = defaultdict(list)
        for one in self.entries:
            grouped[top[one]].append(one)
        newest = {one: max(self.entries[member].newest for member in ids) for one, ids in grouped.items()}
        return [tuple(grouped[one]) for one in sorted(grouped, key=lambda one: (-newest[one], one))]

    def warn(self, table: str, row: str, column: str | None, reason: str) -> None:
        """Keep a warning, up to a number that a report can hold."""
        if len(self.warnings) < _MAX_WARNINGS:
            self.warnings.append(Warned(table, row, column, reason))


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenOptions:
    """How to open a file.

    Attributes:
        scratch: folder for private copies; None is the system's temporary folder.
        kept_rows: how large a family may be to be held in memory.
        damage: what an earlier reading stumbled on; the file is rescued first.
    """

    scratch: Path | None = None
    kept_rows: int = KEPT_ROWS
    damage: str | None = None


@contextmanager
def open_hermes(path: Path, options: OpenOptions | None = None, *, now: float) -> Iterator[HermesSource]:
    """Open the `state.db` at *path* and index its sessions.

    Args:
        path: a file, or a folder that holds a `state.db`.
        now: current time; a compaction lock that has not expired is at work, not left behind.

    Raises:
        SourceError: it cannot be read at all, or is no Hermes database.
    """
    options = options or OpenOptions()
    with ExitStack() as stack:
        foreign = stack.enter_context(open_foreign(path, scratch=options.scratch))
        try:
            notes = [*foreign.notes, *_disorder(foreign), *([options.damage] if options.damage else [])]
            source = None if notes or foreign.padded else _index(foreign, foreign.connection, now)
        except sqlite3.DatabaseError:
            notes, source = list(foreign.notes), None
        if source is None:
            scratch = tempfile.TemporaryDirectory(prefix="hs-", dir=options.scratch)
            copy, damage = rescue(foreign, Path(stack.enter_context(scratch)) / "rescued.db")
            stack.callback(copy.close)
            source = _index(foreign, copy, now)
            source.damage.extend([*notes, *damage])
        source.kept_rows = options.kept_rows
        source.attempts = group_attempts(read_telemetry(foreign.path))
        yield source


# -- the index -------------------------------------------------------------------------------------


def _disorder(foreign: ForeignDatabase) -> list[str]:
    """Return what is wrong with the pages of the tables we read; rows of a misplaced page look sound.

    A live file is spared the reading: it would be read again with every change.
    """
    if foreign.mode is ReadMode.LIVE:
        return []
    found = []
    for table in HERMES_TABLES:
        lines = foreign.connection.execute("SELECT * FROM pragma_quick_check(?)", (table,)).fetchall()
        # It also tells of values that break a constraint, which is no damage.
        found += [str(line) for (line,) in lines if _PAGE_DAMAGE.search(str(line))]
    return [f"{line.splitlines()[-1]}" for line in found[:_MAX_DISORDER]]


def _index(foreign: ForeignDatabase, connection: sqlite3.Connection, now: float) -> HermesSource:
    session_columns = _columns(connection, "sessions")
    message_columns = _columns(connection, "messages")
    connection.execute("BEGIN")
    try:
        bound = connection.execute(
            "SELECT max(id) FROM messages NOT INDEXED WHERE typeof(id) = 'integer'"
        ).fetchone()[0]
        source = HermesSource(
            foreign=foreign,
            connection=connection,
            session_columns=session_columns,
            message_columns=message_columns,
            schema_version=_schema_version(connection),
            entries={},
            locks=_locks(connection, now),
            bound=bound if isinstance(bound, int) else 2**63 - 1,
        )
        source.entries = _entries(source)
    finally:
        connection.execute("COMMIT")
    if source.schema_version.isdigit() and int(source.schema_version) > NEWEST_KNOWN_VERSION:
        source.warn(
            "schema_version", source.schema_version, None, "is newer than any known; read what is known"
        )
    return source


def _entries(source: HermesSource) -> dict[str, SessionEntry]:
    counts = _message_counts(source)
    entries: dict[str, SessionEntry] = {}
    columns = {name: at for at, name in enumerate(source.session_columns)}
    names = ", ".join(quote_name(name) for name in source.session_columns)
    for row in source.connection.execute(f"SELECT {names} FROM sessions ORDER BY rowid"):
        raw = row[columns["id"]]
        one = _id_text(raw)
        if one is None or one in entries:
            why = "has no id" if one is None else "its id, as text, is taken by another row"
            source.rejected.append(Rejected("sessions", str(raw), why))
            continue
        parent = _id_text(row[columns["parent_session_id"]]) if "parent_session_id" in columns else None
        started = _time(row[columns["started_at"]]) if "started_at" in columns else None
        rows, mark, last, newest = counts.pop(raw, (0, "0:0", 0, 0.0))
        mark += f":{sha256(repr(row).encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
        if one in source.locks:
            mark += ":locked"  # a compaction that died changes nothing else
        newest = max(newest, started or 0.0)
        entries[one] = SessionEntry(one, raw, parent, mark, rows, last, newest, started, True)
    for raw, (rows, mark, last, newest) in counts.items():
        one = _id_text(raw)
        if one is None or one in entries:
            why = "names no session" if one is None else "its session's id, as text, is taken by another row"
            source.rejected.extend(Rejected("messages", row, why) for row in _ids_of(source, raw))
            continue
        entries[one] = SessionEntry(one, raw, None, f"{mark}:-", rows, last, newest, None, False)
        source.warn(
            "messages", one, "session_id", f"{rows} rows belong to a session whose own row is missing"
        )
    return entries


def _ids_of(source: HermesSource, session: Any) -> list[str]:
    """Return the ids of the rows of a session that cannot be stored."""
    found = source.connection.execute(
        f"SELECT id FROM messages WHERE session_id IS {bind_id(session)} AND {_BOUNDED}",
        (session, source.bound),
    )
    return [str(row_id) for (row_id,) in found]


def _message_counts(source: HermesSource) -> dict[Any, tuple[int, str, int, float]]:
    """Return session -> (rows, mark, highest id, newest time), from the table itself, not an index."""
    flags = [name for name in ("active", "compacted") if name in source.message_columns]
    sums = "".join(f", total({name}), count({name})" for name in flags)
    newest = "NULL"
    if "timestamp" in source.message_columns:
        newest = (
            "max(CASE WHEN typeof(timestamp) IN ('real', 'integer')"
            f" AND timestamp BETWEEN {EARLIEST} AND {LATEST} THEN timestamp END)"
        )
    found = source.connection.execute(
        f"SELECT session_id, count(*), max(id), {newest}{sums}"
        f" FROM messages NOT INDEXED WHERE {_BOUNDED} GROUP BY session_id",
        (source.bound,),
    )
    counts = {}
    for session, rows, last, at, *totals in found:
        last = last if isinstance(last, int) else 0
        mark = ":".join((str(rows), str(last), *(f"{total:.0f}" for total in totals)))
        counts[session] = (rows, mark, last, at or 0.0)
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


def _tops(parents: Mapping[str, str | None]) -> dict[str, str]:
    """Return for every session one id that stands for its family; circles end somewhere."""
    tops: dict[str, str] = {}
    for start in parents:
        path: dict[str, None] = {}
        at = start
        while at not in tops and at not in path:
            path[at] = None
            parent = parents[at]
            if parent is None or parent not in parents:
                break
            at = parent
        top = tops.get(at, at)
        tops.update(dict.fromkeys(path, top))
    return tops


@contextmanager
def naming_damage(source: HermesSource) -> Iterator[None]:
    """Give an error of SQLite its name: damage that the file can be read around, or the end.

    Raises:
        SourceDamagedError: damage.
        SourceError: anything else, such as a lock that is not given up.
    """
    try:
        yield
    except sqlite3.Error as error:
        damaged = isinstance(error, sqlite3.DatabaseError) and not is_passing(error)
        kind = SourceDamagedError if damaged else SourceError
        raise kind(f"{source.foreign.path}: {error}") from error


def raw_rows(source: HermesSource, entry: SessionEntry) -> Iterable[Sequence[Any]]:
    """Return the rows of one session in id order, up to the bound."""
    names = ", ".join(quote_name(name) for name in source.message_columns)
    return source.connection.execute(
        f"SELECT {names} FROM messages WHERE session_id IS {bind_id(entry.raw_id)} AND {_BOUNDED}"
        " ORDER BY id",
        (entry.raw_id, source.bound),
    )


def unheard(row_id: str, column: str, reason: str) -> None:
    """Take no notice: a warning that the reading of the family gives."""
