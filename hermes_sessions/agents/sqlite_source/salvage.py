"""Read every row of a foreign table that SQLite can still enumerate.

A sound table is one plain scan. Where a page is unreadable, the scan goes on behind
it; a row whose number is out of place is passed over. What lies between is asked for
number by number, and reported as damage where nothing answers, never left out in silence.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from hermes_sessions.agents.sqlite_source.foreign_database import ForeignDatabase, RawText, is_passing
from hermes_sessions.agents.sqlite_source.row_numbers import RowNumbers
from hermes_sessions.errors import SourceError

Row: TypeAlias = tuple[Any, ...]

_LOWEST: Final = -(2**63)
_HIGHEST: Final = 2**63 - 1
_NEAR_ROWIDS: Final = 4096
"""How far to look row by row: more than one page of rows, and a few milliseconds."""

_MOST_REFUSED: Final = 100_000
"""How many rows out of place one scan may meet: pages that lead back into the tree never end."""

_DAMAGE_CODES: Final = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_TOOBIG,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_FORMAT,
}

_ZERO_TAIL: Final = "\0\0\0\0"
_DISORDER: Final = "row numbers are out of order"


class _OutOfOrderError(Exception):
    """A row carries a number that does not belong where it stands: a page holds garbage."""


_UNREADABLE: Final = (sqlite3.Error, MemoryError, _OutOfOrderError)
_Unreadable: TypeAlias = sqlite3.Error | MemoryError | _OutOfOrderError


@dataclass(frozen=True, slots=True)
class Damage:
    """Rows of a table that cannot be read.

    Attributes:
        table: where they are.
        detail: what SQLite says, or what is wrong with the row.
        first_rowid: the first that may be lost; None when nothing before it was read.
        last_rowid: the last that may be lost; None when nothing behind it was read.
    """

    table: str
    detail: str
    first_rowid: int | None
    last_rowid: int | None

    def __str__(self) -> str:
        if self.first_rowid is None and self.last_rowid is None:
            return f"{self.table}: no row can be read: {self.detail}"
        if self.first_rowid == self.last_rowid:
            return f"{self.table}: row {self.first_rowid} cannot be read: {self.detail}"
        first = "the first" if self.first_rowid is None else self.first_rowid
        last = "the last" if self.last_rowid is None else self.last_rowid
        return f"{self.table}: rows {first} to {last} cannot be read: {self.detail}"


def iter_rows(
    foreign: ForeignDatabase,
    table: str,
    columns: Sequence[str],
    *,
    where: str = "",
    params: Sequence[Any] = (),
) -> Iterator[Row | Damage]:
    """Yield every readable row of *table* once, and what could not be read between them.

    Rows come by ascending rowid, except where pages are out of order.

    Args:
        foreign: the open database.
        table: an ordinary table; one without rowids is read as far as its first damage.
        columns: names to read; they come behind the rowid in every row.
        where: a condition of our own, with `?` for *params*; an index may serve it
            until damage is met, from there on the table itself is read.
        params: values for *where*.

    Yields:
        `(rowid, *values)`, or `Damage`. A row of a cut-off file that reaches into the
        missing part is damage too.

    Raises:
        SourceError: another process keeps the database locked.
    """
    scan = _Scan(foreign, table, tuple(columns), where, tuple(params))
    if not scan.has_rowids():
        yield from _read_unnumbered(scan)
        return
    damaged = foreign.padded
    for item in _read_numbered(scan):
        damaged = damaged or isinstance(item, Damage)
        yield scan.checked(item) if damaged and isinstance(item, tuple) else item


@dataclass(frozen=True, slots=True)
class _Scan:
    """One question to one table, asked for a range of rowids."""

    foreign: ForeignDatabase
    table: str
    columns: tuple[str, ...]
    where: str
    params: tuple[Any, ...]

    def rows(self, first: int, *, indexed: bool) -> Iterator[Row]:
        """Read the rows from rowid *first* on, as they stand in the tree, in one statement."""
        return self._ask(">= ?", first, "ORDER BY _rowid_", indexed=indexed)

    def row_from(self, first: int) -> Row | None:
        """Return the row with the lowest rowid from *first* on, or None behind the last."""
        row: Row | None = self._ask(">= ?", first, "ORDER BY _rowid_ LIMIT 1").fetchone()
        if row is not None and row[0] < first:
            raise _OutOfOrderError
        return row

    def row_at(self, rowid: int) -> Row | None:
        """Return the row *rowid*, or None when it is not there or cannot be read."""
        try:
            row: Row | None = self._ask("= ?", rowid).fetchone()
        except _UNREADABLE as error:
            _damage_detail(error, self.foreign)
            return None
        return row if row is not None and row[0] == rowid else None

    def _ask(self, bound: str, rowid: int, order: str = "", *, indexed: bool = False) -> sqlite3.Cursor:
        names = ", ".join(map(quote_name, ("_rowid_", *self.columns)))
        condition = f" AND ({self.where})" if self.where else ""
        statement = (
            f"SELECT {names} FROM {quote_name(self.table)}{'' if indexed else ' NOT INDEXED'}"
            f" WHERE _rowid_ {bound}{condition} {order}"
        )
        return self.foreign.connection.execute(statement, (rowid, *self.params))

    def has_rowids(self) -> bool:
        """Return whether the table numbers its rows."""
        try:
            self.foreign.connection.execute(f"SELECT _rowid_ FROM {quote_name(self.table)} WHERE 0")
        except sqlite3.OperationalError as error:
            return error.sqlite_errorcode & 0xFF in _DAMAGE_CODES
        return True

    def checked(self, row: Row) -> Row | Damage:
        """Return *row*, or the damage when a part of its text was lost with a page."""
        for cell in row:
            if self.foreign.padded and type(cell) is RawText and cell.endswith(b"\xff"):
                return Damage(self.table, "its end is in the missing part of the file", row[0], row[0])
            if type(cell) is str and cell.endswith(_ZERO_TAIL):
                return Damage(self.table, "its text ends in zeros", row[0], row[0])
        return row

    def lost(self, detail: str, first: int, last: int | None) -> Damage:
        """Return the damage from rowid *first* to *last*."""
        return Damage(self.table, detail, None if first == _LOWEST else first, last)


def quote_name(name: str) -> str:
    """Return *name* as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def _read_unnumbered(scan: _Scan) -> Iterator[Row | Damage]:
    names = ", ".join(map(quote_name, scan.columns))
    condition = f" WHERE {scan.where}" if scan.where else ""
    try:
        yield from scan.foreign.connection.execute(
            f"SELECT NULL, {names} FROM {quote_name(scan.table)}{condition}", scan.params
        )
    except _UNREADABLE as error:
        yield Damage(scan.table, _damage_detail(error, scan.foreign), None, None)


def _read_numbered(scan: _Scan) -> Iterator[Row | Damage]:
    """Scan the table; at each error look for the next row behind it, and scan on from there."""
    seen = RowNumbers()
    start, indexed = _LOWEST, True
    while True:
        try:
            for item in _admitted(scan, seen, scan.rows(start, indexed=indexed)):
                if isinstance(item, tuple):
                    start = item[0] + 1
                yield item
        except _UNREADABLE as error:
            detail = _damage_detail(error, scan.foreign)
        else:
            return
        # Python's cursor steps ahead: an error in the step to the next row also swallows the
        # row before it. So the next row may well be the one at the start, and nothing lost.
        indexed = False
        row, lost = _next_row(scan, seen, start)
        yield from _between(scan, seen, _Gap(start, None if row is None else row[0] - 1, detail, lost))
        if row is None:
            return
        seen.add(row[0])
        start = row[0] + 1
        yield row


def _admitted(scan: _Scan, seen: RowNumbers, rows: Iterable[Row]) -> Iterator[Row | Damage]:
    """Yield those of *rows* whose numbers are right, and what is missing where one is not."""
    previous, refused, disorder = _LOWEST, 0, False
    strays = []
    for row in rows:
        rowid = row[0]
        known = rowid in seen
        # One that stands behind a jump is read again by its number: what the tree leads to counts.
        right = None if known else row if _follows(seen, rowid, previous) else scan.row_at(rowid)
        previous = rowid
        if right is None:
            gap = _gap(seen, seen.first_of(rowid)) if known and not disorder else None
            if gap is not None and gap.first != _LOWEST:
                yield from _between(scan, seen, gap)
            refused, disorder = refused + 1, True
            if refused > _MOST_REFUSED:
                raise _OutOfOrderError
            strays += [] if known else [rowid]
            continue
        if disorder or (seen.last is not None and rowid < seen.last):
            gap = _gap(seen, rowid)
            if gap.last is not None and gap.first <= gap.last:
                strays.clear()
            yield from _between(scan, seen, gap)
            disorder = False
        seen.add(rowid)
        yield right
    for stray in strays:
        yield scan.lost(_DISORDER, stray, stray)


def _follows(seen: RowNumbers, rowid: int, previous: int) -> bool:
    """Return whether *rowid* stands behind its neighbour, or behind one wrong number in its place."""
    if rowid == previous + 1:
        return True
    below = seen.below(rowid)
    return below is not None and rowid - below <= 2


@dataclass(frozen=True, slots=True)
class _Gap:
    """Numbers from *first* to *last* (None: no end) that a scan did not give; *lost* is damage."""

    first: int
    last: int | None
    detail: str
    lost: bool


def _gap(seen: RowNumbers, rowid: int) -> _Gap:
    """Return the numbers between *rowid* and the next lower one that was read."""
    below = seen.below(rowid)
    return _Gap(_LOWEST if below is None else below + 1, rowid - 1, _DISORDER, lost=True)


def _between(scan: _Scan, seen: RowNumbers, gap: _Gap) -> Iterator[Row | Damage]:
    """Yield the rows of a gap that answer to their number, and the rest as damage if it is."""
    first, near = gap.first, max(gap.first, 0)
    end = min(near + _NEAR_ROWIDS, _HIGHEST)
    for rowid in range(near, end if gap.last is None else min(gap.last + 1, end)):
        known = rowid in seen
        row = None if known else scan.row_at(rowid)
        if not known and row is None:
            continue
        if gap.lost and first < rowid:
            yield scan.lost(gap.detail, first, rowid - 1)
        first = rowid + 1
        if row is not None:
            seen.add(rowid)
            yield row
    if gap.lost and (gap.last is None or first <= gap.last):
        yield scan.lost(gap.detail, first, gap.last)


def _next_row(scan: _Scan, seen: RowNumbers, start: int) -> tuple[Row | None, bool]:
    """Return the next row from *start* on that can be read, and whether others may be lost before it.

    Row by row at first: a page holds few rows, and between two broken ones may lie a
    sound one. Then in growing steps, and back to the edge by halving.
    """
    answer = _ask(scan, seen, start)
    if not isinstance(answer, Exception):
        return answer, answer is None or (answer[0] != start and start != _LOWEST)
    near = max(start, 0)
    failed, step = min(near + _NEAR_ROWIDS, _HIGHEST), _NEAR_ROWIDS
    for rowid in range(near, failed):
        answer = _ask(scan, seen, rowid)
        if not isinstance(answer, Exception):
            return answer, True
    while failed + step < _HIGHEST:
        answer = _ask(scan, seen, failed + step)
        if not isinstance(answer, Exception):
            return _edge(scan, seen, failed, failed + step), True
        failed += step
        step += step // 4
    return None, True


def _edge(scan: _Scan, seen: RowNumbers, failed: int, readable: int) -> Row | None:
    found = scan.row_from(readable)
    while readable - failed > 1:
        middle = (failed + readable) // 2
        answer = _ask(scan, seen, middle)
        if isinstance(answer, Exception):
            failed = middle
        else:
            readable, found = middle, answer
    return found


def _ask(scan: _Scan, seen: RowNumbers, rowid: int) -> Row | _Unreadable | None:
    """Return the first row from *rowid* on, or the reason why there is none to trust."""
    try:
        row = scan.row_from(rowid)
    except _UNREADABLE as error:
        _damage_detail(error, scan.foreign)
        return error
    if row is None:
        return None
    right = None if row[0] in seen else scan.row_at(row[0])
    return _OutOfOrderError() if right is None else right


def _damage_detail(error: _Unreadable, foreign: ForeignDatabase) -> str:
    """Return what *error* says about damage; raise it when it is no damage."""
    if isinstance(error, _OutOfOrderError):
        return _DISORDER
    if isinstance(error, MemoryError):
        return "a row claims an impossible size"
    if is_passing(error):
        raise SourceError(f"{foreign.path}: another process keeps it locked") from error
    if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _DAMAGE_CODES:
        raise error
    return str(error)
