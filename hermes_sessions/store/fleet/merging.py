"""The order over many stores: by a value, then the store's name, then the id; paged by keyset in each store.

A cursor names a row by all three, so it says of every store where its part goes on, whichever
stores are read when the next page is asked for.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final, Generic, Self, TypeVar

from sqlalchemy import BigInteger, ColumnElement, Float, Select, literal, select, tuple_
from sqlalchemy.orm import InstrumentedAttribute

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.store.engines.statements import chunks
from hermes_sessions.store.fleet.cursor_names import (
    NOT_OURS,
    name_from_cursor,
    name_in_cursor,
    require_member,
)
from hermes_sessions.store.fleet.members import Fleet
from hermes_sessions.store.fleet.reading import ask
from hermes_sessions.store.fleet.together import First, StoreQuestion, own_value
from hermes_sessions.store.queries.paging import TimeCursor, check_limit

T = TypeVar("T")
_MOST_NAME_CHARS: Final = 3_000
MAX_ID: Final = (1 << 63) - 1
_MOST_INTEGER: Final = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class FleetCursor:
    """A row of a merged list: its value (None: it has none), its store, its id there."""

    at: float | None
    store: str
    id: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a cursor back from a URL.

        Raises:
            InvalidQueryError: *text* is not a cursor that a page gave out.
        """
        at, _, rest = text.partition("_")
        number, _, store = rest.partition("_")
        if not store or len(store) > _MOST_NAME_CHARS:
            raise InvalidQueryError(NOT_OURS)
        known = TimeCursor.parse(f"{at}_{number}")
        return cls(known.at, name_from_cursor(store), known.id)

    def __str__(self) -> str:
        return f"{TimeCursor(self.at, self.id)}_{name_in_cursor(self.store)}"


@dataclass(frozen=True, slots=True)
class InStore(Generic[T]):
    """A row and the store it is in."""

    store: str
    row: T


@dataclass(frozen=True, slots=True)
class MergedPage(Generic[T]):
    """One page of a merged list, with the cursors of its neighbours."""

    items: tuple[InStore[T], ...]
    next: FleetCursor | None = None
    previous: FleetCursor | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """What is walked through: rows with an id, by a value; those without a value come last.

    Attributes:
        source: of which the columns are selected; without conditions.
        value: the value.
        id: the key.
        where: the filters.
        falls: large values come first.
        backwards: from the end to the beginning.
        nullable: there are rows without a value.
    """

    source: Any
    value: Any
    id: InstrumentedAttribute[int]
    where: Sequence[ColumnElement[bool]]
    falls: bool = True
    backwards: bool = False
    nullable: bool = False
    limit: int = 50

    @property
    def falling(self) -> bool:
        """Whether values fall in the direction of the walk."""
        return self.falls != self.backwards


@dataclass(frozen=True, slots=True)
class Places:
    """A page of places: (value, store, id) in order.

    Attributes:
        beyond: the place behind the page in the walk's direction; None: there is none.
    """

    found: tuple[FleetCursor, ...]
    beyond: FleetCursor | None = None

    @property
    def more(self) -> bool:
        """Whether there are more in the walk's direction."""
        return self.beyond is not None

    @property
    def looked_at(self) -> tuple[FleetCursor, ...]:
        """The page's places and the one behind it."""
        return self.found if self.beyond is None else (*self.found, self.beyond)


def find_places(fleet: Fleet, walk: Walk, cursor: FleetCursor | None, stores: Sequence[str]) -> Places:
    """Return the places of one page, in the order of the list whatever the walk's direction.

    Raises:
        InvalidQueryError: no page of such a list gave out the cursor.
    """
    check_limit(walk.limit)
    if cursor is not None:
        require_member(fleet, cursor.store)
        if cursor.at is None and not walk.nullable:
            raise InvalidQueryError(NOT_OURS)
    found: list[FleetCursor] = []
    phases = (True, False) if walk.nullable else (True,)
    for known in phases[::-1] if walk.backwards else phases:
        passed = cursor is not None and (cursor.at is None) == known
        if (passed and known != walk.backwards) or len(found) > walk.limit:
            continue
        found += _phase(fleet, walk, None if passed else cursor, stores, known=known)
    beyond = found[walk.limit] if len(found) > walk.limit else None
    found = found[: walk.limit]
    return Places(tuple(found[::-1] if walk.backwards else found), beyond)


def page_of(
    places: Places, rows: Sequence[InStore[T]], *, backwards: bool, from_start: bool
) -> MergedPage[T]:
    """Return the page of *rows*, which stand at *places*."""
    ends = places.found
    has_next = bool(ends) if backwards else places.more
    has_previous = places.more if backwards else bool(ends) and not from_start
    return MergedPage(
        tuple(rows), next=ends[-1] if has_next else None, previous=ends[0] if has_previous else None
    )


def load_rows(
    fleet: Fleet, places: Sequence[FleetCursor], statement: Select[Any], key: str = "id"
) -> list[InStore[dict[str, Any]]]:
    """Return the rows at *places* in their order, as dictionaries; a row that is gone since is left out.

    Args:
        statement: finds rows by the parameter `keys`; its columns have names.
    """
    known = load_by_key(fleet, [(one.store, one.id) for one in places], statement, key)
    return [InStore(one.store, known[one.store, one.id]) for one in places if (one.store, one.id) in known]


def load_by_key(
    fleet: Fleet, wanted: Iterable[tuple[str, int]], statement: Select[Any], key: str = "id"
) -> dict[tuple[str, int], dict[str, Any]]:
    """Return rows of stores by (store, key), as dictionaries; *statement* is as for `load_rows`."""
    keys: dict[str, list[int]] = {}
    for store, one in wanted:
        keys.setdefault(store, []).append(one)
    names = [column.name for column in statement.selected_columns]
    found = {}
    # One statement holds so many values, however long the list is.
    for parts in zip_longest(*(chunks(some) for some in keys.values())):
        asked = {
            store: StoreQuestion(statement, tuple(part))
            for store, part in zip(keys, parts, strict=True)
            if part is not None
        }
        for store, values in ask(fleet, asked):
            row = dict(zip(names, values, strict=True))
            found[store, row[key]] = row
    return found


def _phase(
    fleet: Fleet, walk: Walk, cursor: FleetCursor | None, stores: Sequence[str], *, known: bool
) -> list[FleetCursor]:
    """Return the first places of the rows with a value, or of those without."""
    statement = _base(walk, known=known)
    asked = dict.fromkeys(stores, StoreQuestion(statement))
    if cursor is not None:
        statement = statement.where(_behind(walk, cursor, known=known))
        asked = {store: StoreQuestion(statement, own=_own(walk, cursor, store)) for store in stores}
    if not asked:
        return []
    rows = ask(fleet, asked, First(walk.limit + 1, walk.falling))
    sign = -1 if walk.falling else 1
    places = [FleetCursor(row[0] if known else None, store, row[1]) for store, row in rows]
    places.sort(key=lambda one: sign * one.id)
    places.sort(key=lambda one: one.store, reverse=walk.backwards)
    places.sort(key=lambda one: sign * (one.at or 0.0))
    return places[: walk.limit + 1]


def _base(walk: Walk, *, known: bool) -> Select[Any]:
    value = walk.value if known else literal(0.0, Float(53))
    columns = (walk.value, walk.id) if known else (walk.id,)
    order = [one.desc() if walk.falling else one.asc() for one in columns]
    stmt = select(value.label("at"), walk.id.label("id")).select_from(walk.source)
    if walk.nullable:
        stmt = stmt.where(walk.value.is_not(None) if known else walk.value.is_(None))
    return stmt.where(*walk.where).order_by(*order).limit(walk.limit + 1)


def _behind(walk: Walk, cursor: FleetCursor, *, known: bool) -> ColumnElement[bool]:
    """Whether a row comes behind the cursor, where `own` says from which id on those that tie with it do."""
    if not known:
        return walk.id < own_value() if walk.falling else walk.id > own_value()
    key, edge = tuple_(walk.value, walk.id), tuple_(_edge(walk, cursor), own_value())
    return key < edge if walk.falling else key > edge


def _own(walk: Walk, cursor: FleetCursor, store: str) -> int:
    """Return the id of a store behind which its rows with the cursor's value come."""
    if store == cursor.store:
        return cursor.id
    included = (store > cursor.store) != walk.backwards
    return MAX_ID if included == walk.falling else -1


def _edge(walk: Walk, cursor: FleetCursor) -> Any:
    """Return the cursor's value in the column's own type: no engine may cast a column for it."""
    at = cursor.at or 0.0
    if walk.value.type.python_type is not int:
        return literal(at, walk.value.type)
    most = MAX_ID if isinstance(walk.value.type, BigInteger) else _MOST_INTEGER
    return literal(min(max(math.floor(at), -most), most), walk.value.type)
