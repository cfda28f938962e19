"""One question to many schemas of a server as one statement: UNION ALL over what each would be asked.

The statement is compiled once for all schemas that are asked the same, and the schema's name is put
where the tables are named. So two hundred stores cost one exchange, and no compiling for each. The
server plans it once for each connection.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import Connection, Dialect, Select
from sqlalchemy.types import TypeDecorator

from hermes_sessions.store.engines.server_probe import quoted_name

_MARK: Final = "hs__store__"
_PARAMETER: Final = re.compile(r"%\((\w+)\)s")
_KEYS: Final = re.compile(r"IN \(%\(keys_1\)s(?:::\w+)?\)")
_ANY: Final = "= ANY(:keys)"
PREPARED: Final = 2_000
"""Statements that the server keeps planned for a connection: to plan takes longer than to ask."""


@dataclass(frozen=True, slots=True)
class StoreQuestion:
    """What one store is asked.

    Attributes:
        statement: its columns have names, no two the same; the parameter `keys`, if it has one, expands.
        keys: the values of that parameter.
    """

    statement: Select[Any]
    keys: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class First:
    """How many rows of all stores are wanted: the first by column `at`, and all that tie with the last."""

    count: int
    falling: bool


def ask_together(
    connection: Connection, asked: Mapping[str, StoreQuestion], first: First | None = None
) -> list[tuple[str, tuple[Any, ...]]]:
    """Return (schema, row) of what every schema in *asked* answers; of each in its statement's order.

    With *first*, rows come in no order. Where rows are asked for by their keys, each schema has a
    statement of its own and all go in one exchange: which schemas are asked differs from page to page.
    """
    raw: Any = connection.connection.driver_connection
    raw.prepared_max = PREPARED
    raw.execute(b"SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL jit = off", prepare=False)
    if any(one.keys for one in asked.values()):
        return _by_keys(connection, raw, asked)
    schemas = list(asked)
    numbers: dict[int, int] = {}
    values: dict[str, Any] = {}
    parts = []
    for at, schema in enumerate(schemas):
        made = _template(asked[schema].statement, connection.dialect)
        number = numbers.setdefault(id(asked[schema].statement), len(numbers))
        values |= {f"s{number}_{name}": value for name, value in made.values.items()}
        parts.append(f"SELECT {at} AS store_at, q.* FROM ({made.of(schema, number)}) AS q")
    text = " UNION ALL ".join(parts)
    if first is not None:
        order = "DESC" if first.falling else "ASC"
        text = f"SELECT * FROM ({text}) AS u ORDER BY u.at {order} FETCH FIRST {first.count:d} ROWS WITH TIES"
    rows = raw.execute(text, values, prepare=True).fetchall()
    read = _template(asked[schemas[0]].statement, connection.dialect).read
    return [(schemas[row[0]], read(row[1:])) for row in rows]


def _by_keys(
    connection: Connection, raw: Any, asked: Mapping[str, StoreQuestion]
) -> list[tuple[str, tuple[Any, ...]]]:
    from psycopg.types.numeric import Int8

    sent = []
    with raw.pipeline():
        for schema, one in asked.items():
            made = _template(one.statement, connection.dialect)
            values = {f"s0_{name}": value for name, value in made.values.items()}
            values["keys"] = [Int8(key) for key in one.keys]  # one type, so that it is prepared once
            sent.append((schema, made, raw.execute(made.of(schema, 0), values, prepare=True)))
    return [(schema, made.read(row)) for schema, made, cursor in sent for row in cursor.fetchall()]


@dataclass(frozen=True, slots=True)
class _Template:
    """A compiled statement: its text, its own values, and what turns the driver's values into ours."""

    text: str
    values: Mapping[str, Any]
    readers: Sequence[tuple[int, TypeDecorator[Any]]]
    dialect: Dialect

    def read(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        if not self.readers:
            return row
        values = list(row)
        for at, one in self.readers:
            values[at] = one.process_result_value(values[at], self.dialect)
        return tuple(values)

    def of(self, schema: str, number: int) -> str:
        named = _PARAMETER.sub(rf"%(s{number}_\1)s", _KEYS.sub(_ANY, self.text))
        named = named.replace(_ANY, "= ANY(%(keys)s)")
        return named.replace(f"{_MARK}.", f"{quoted_name(schema)}.".replace("%", "%%"))


@lru_cache(maxsize=32)
def _template(statement: Select[Any], dialect: Dialect) -> _Template:
    compiled = statement.compile(
        dialect=dialect,
        schema_translate_map={None: _MARK},
        render_schema_translate=True,
        compile_kwargs={"render_postcompile": True},
    )
    # The driver gives every value as it is, but for types of our own.
    types = enumerate(column.type for column in statement.selected_columns)
    readers = tuple((at, one) for at, one in types if isinstance(one, TypeDecorator))
    values = {name: value for name, value in compiled.params.items() if not name.startswith("keys")}
    return _Template(str(compiled), values, readers, dialect)
