"""One question to many schemas of a server as one statement: UNION ALL over what each would be asked.

The statement is compiled once for all schemas that are asked the same, and the schema's name is put
where the tables are named. So two hundred stores cost one exchange, and no compiling for each. The
server plans it once for each connection: what differs from store to store is a value, never the text.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import BigInteger, BindParameter, Connection, Dialect, Select, bindparam
from sqlalchemy.types import TypeDecorator

from hermes_sessions.store.engines.server_probe import quoted_name

_MARK: Final = "hs__store__"
_PARAMETER: Final = re.compile(r"%\((\w+)\)s|%%")
_KEYS: Final = re.compile(r"IN \(%\(keys_1\)s(?:::\w+)?\)")
_ANY: Final = "= ANY(%(keys)s)"
_OWN: Final = "own"
PREPARED: Final = 2_000
"""Statements that the server keeps planned for a connection: to plan takes longer than to ask."""


@dataclass(frozen=True, slots=True)
class StoreQuestion:
    """What one store is asked.

    Attributes:
        statement: its columns have names, no two the same; the parameter `keys`, if it has one, expands.
        keys: the values of that parameter.
        own: the value of its parameter `own`, where each store has another.
    """

    statement: Select[Any]
    keys: tuple[int, ...] = ()
    own: int | None = None

    @property
    def values(self) -> dict[str, Any]:
        """The values of its parameters where it is asked alone."""
        return {"keys": list(self.keys)} if self.keys else {} if self.own is None else {_OWN: self.own}


@dataclass(frozen=True, slots=True)
class First:
    """How many rows of all stores are wanted: the first by column `at`, and all that tie with the last."""

    count: int
    falling: bool


def own_value() -> BindParameter[int]:
    """Return the parameter of a statement that has another value for each store."""
    return bindparam(_OWN, type_=BigInteger)


def key_values() -> BindParameter[int]:
    """Return the parameter of a statement for the keys that are wanted of each store."""
    return bindparam("keys", [0], type_=BigInteger, expanding=True)


def ask_together(
    connection: Connection, asked: Mapping[str, StoreQuestion], first: First | None = None
) -> list[tuple[str, tuple[Any, ...]]]:
    """Return (schema, row) of what every schema in *asked* answers; of each in its statement's order.

    All are asked the same statement. With *first*, rows come in no order. Where rows are asked for by
    their keys, each schema has a statement of its own and all go in one exchange: which schemas are
    asked differs from page to page.
    """
    return ask_in_parts(connection, [asked], first)


def ask_in_parts(
    connection: Connection, parts: Iterable[Mapping[str, StoreQuestion]], first: First | None = None
) -> list[tuple[str, tuple[Any, ...]]]:
    """Return what `ask_together` does of each part in turn, all in one exchange."""
    from psycopg import RawCursor

    raw: Any = connection.connection.driver_connection
    raw.prepared_max = PREPARED
    sent = []
    with raw.pipeline():
        for schemas, made, text, values in _wordings(connection.dialect, parts, first):
            cursor = RawCursor(raw)
            sent.append((schemas, made, cursor.execute(text, values, prepare=True)))
    return [
        (schemas[row[0]], made.read(row[1:])) for schemas, made, cursor in sent for row in cursor.fetchall()
    ]


def _wordings(
    dialect: Dialect, parts: Iterable[Mapping[str, StoreQuestion]], first: First | None
) -> Iterator[tuple[tuple[str, ...], "_Template", str, list[Any]]]:
    """Yield what is sent: of which schemas, from which template, the text and its values."""
    for part in parts:
        one = next(iter(part.values()))
        for some in [{name: question} for name, question in part.items()] if one.keys else [part]:
            made = _template(next(iter(some.values())).statement, dialect)
            values = {name: _typed(value) for name, value in made.values.items()}
            if one.own is not None:
                values[_OWN] = _typed([question.own for question in some.values()])
            if one.keys:
                values["keys"] = _typed(list(*(question.keys for question in some.values())))
            text, names = _text_of_all(made.text, tuple(some), first)
            yield tuple(some), made, text, [values[name] for name in names]


def _typed(value: Any) -> Any:
    """Return a value of one type whatever its size, so that a statement is prepared once."""
    from psycopg.types.numeric import Int8

    if isinstance(value, list):
        return [_typed(one) for one in value]
    return Int8(value) if isinstance(value, int) and not isinstance(value, bool) else value


# -- texts -----------------------------------------------------------------------------------------


@lru_cache(maxsize=4_096)
def _text_of_all(text: str, schemas: tuple[str, ...], first: First | None) -> tuple[str, tuple[str, ...]]:
    """Return a statement for all schemas, and the names of its parameters in order."""
    numbered, names = _numbered(_KEYS.sub(_ANY, text))
    before, *behind = numbered.split(_OWN_PLACE)
    parts = []
    for at, schema in enumerate(schemas, start=1):
        of_one = "".join([before, *(f"[{at}]{part}" for part in behind)])
        parts.append(f"SELECT {at - 1} AS store_at, q.* FROM ({_of_schema(of_one, schema)}) AS q")
    whole = " UNION ALL ".join(parts)
    if first is not None:
        order = "DESC" if first.falling else "ASC"
        whole = (
            f"SELECT * FROM ({whole}) AS u ORDER BY u.at {order} FETCH FIRST {first.count:d} ROWS WITH TIES"
        )
    return whole, names


def _of_schema(text: str, schema: str) -> str:
    return text.replace(f"{_MARK}.", f"{quoted_name(schema)}.")


_OWN_PLACE: Final = "[hs__own__]"


@lru_cache(maxsize=128)
def _numbered(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text with parameters as the server numbers them, and their names in order."""
    places: dict[str, int] = {}

    def number(found: re.Match[str]) -> str:
        if found[1] is None:
            return "%"
        place = places.setdefault(found[1], len(places) + 1)
        return f"(${place}::bigint[]){_OWN_PLACE}" if found[1] == _OWN else f"${place}"

    return _PARAMETER.sub(number, text), tuple(places)


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
    given = (_OWN, "keys")
    values = {name: value for name, value in compiled.params.items() if not name.startswith(given)}
    return _Template(str(compiled), values, readers, dialect)
