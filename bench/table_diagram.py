"""The tables of the store as a drawing: keys, links, and how many columns more."""

from typing import Any, Final

from sqlalchemy import Table

from bench.drawing import arrow, box, document, words
from hermes_sessions.store.schema import organising  # noqa: F401  (its tables join those of the models)
from hermes_sessions.store.schema.models import Base

WIDTH: Final = 290
HEADER: Final = 26
LINE: Final = 18
COLUMN_STEP: Final = 380
GAP: Final = 34
COLUMNS: Final = (
    ("origins", "system_prompts", "forgotten", "masks"),
    ("conversations", "sessions", "leases"),
    ("messages", "compactions", "message_facts", "settings"),
    ("findings", "session_tags", "change_items", "changes", "saved_searches"),
)
"""Where each table is drawn, from the left; a new table gets its place here."""


def draw_tables() -> str:
    """Return the drawing.

    Raises:
        KeyError: a table has no place in `COLUMNS`, or a place no table.
    """
    tables: dict[str, Table] = {name: table for name, table in Base.metadata.tables.items()}
    if set(tables) != {name for column in COLUMNS for name in column}:
        raise KeyError("COLUMNS in bench/table_diagram.py and the models name different tables")
    places = _places(tables)
    height = max(y + _height(tables[name]) for name, (_, y) in places.items()) + 30
    width = COLUMN_STEP * len(COLUMNS) - (COLUMN_STEP - WIDTH) + 90
    boxes = [part for name, place in places.items() for part in _table(tables[name], *place)]
    links = [_link(tables[name], column, places) for name in places for column in _linked(tables[name])]
    return document(width, height, "Tables of the store", _description(tables), [*links, *boxes])


def _keys(table: Table) -> list[Any]:
    return [column for column in table.columns if column.primary_key or column.foreign_keys]


def _linked(table: Table) -> list[Any]:
    return [column for column in table.columns if column.foreign_keys]


def _target(column: Any) -> str:
    return str(next(iter(column.foreign_keys)).column.table.name)


def _height(table: Table) -> int:
    return HEADER + LINE * (len(_keys(table)) + (len(_keys(table)) < len(table.columns))) + 10


def _places(tables: dict[str, Table]) -> dict[str, tuple[int, int]]:
    found = {}
    for number, column in enumerate(COLUMNS):
        y = 30
        for name in column:
            found[name] = (30 + number * COLUMN_STEP, y)
            y += _height(tables[name]) + GAP
    return found


def _table(table: Table, x: int, y: int) -> list[str]:
    keys = _keys(table)
    parts = [box(x, y, WIDTH, _height(table)), words(x + 12, y + 19, table.name, "name")]
    for row, column in enumerate(keys):
        target = f" → {_target(column)}" if column.foreign_keys else ""
        key = " (key)" if column.primary_key else ""
        parts.append(words(x + 12, _row(y, row), f"{column.name}{target}{key}"))
    more = len(table.columns) - len(keys)
    if more:
        parts.append(words(x + 12, _row(y, len(keys)), f"{more} more column{'s' * (more > 1)}", "quiet"))
    return parts


def _row(y: int, row: int) -> int:
    return y + HEADER + LINE * row + 14


def _link(table: Table, column: Any, places: dict[str, tuple[int, int]]) -> str:
    """Return the arrow from a column to the table it names: between the boxes, or round the right side."""
    x, y = places[table.name]
    to_x, to_y = places[_target(column)]
    start, end = _row(y, [one.name for one in _keys(table)].index(column.name)) - 4, to_y + 14
    if to_x < x:
        middle = (x + to_x + WIDTH) // 2
        return arrow(f"M{x} {start}C{middle} {start} {middle} {end} {to_x + WIDTH + 1} {end}")
    if to_x > x:
        middle = (x + WIDTH + to_x) // 2
        return arrow(f"M{x + WIDTH} {start}C{middle} {start} {middle} {end} {to_x - 1} {end}")
    side = x + WIDTH
    return arrow(f"M{side} {start}C{side + 46} {start} {side + 46} {end} {side + 1} {end}")


def _description(tables: dict[str, Table]) -> str:
    links = [
        f"{table.name}.{column.name} to {_target(column)}"
        for table in tables.values()
        for column in _linked(table)
    ]
    return f"{len(tables)} tables. Links: {', '.join(links)}."
