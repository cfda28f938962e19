"""One question to many schemas of a server as one statement: UNION ALL over what each would be asked.

The statement is compiled once for all schemas that are asked the same, and the schema's name is put
where the tables are named. So two hundred stores cost one exchange, and no compiling for each. The
server plans it once for each connection: what differs from store to store is a value, never the text.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import BigInteger, BindParameter, Connection, Dialect, Select, bindparam
from sqlalchemy.types import TypeDecorator

from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.store.engines.server_probe import quoted_name

if TYPE_CHECKING:
    from hermes_sessions.store.engines.server_line import ServerLine

_MARK: Final = "hs__store__"
_KEYS: Final = late_pattern(r"IN \(%\(keys_1\)s(?:::\w+)?\)")
_ANY: Final = "= ANY(%(keys)s)"
_OWN: Final = "own"
_OWN_PLACE: Final = late_pattern(r"%\(own\)s")
_OWN_LIST: Final = "%(own)s::bigint[]"
_LINE: Final = "hermes_sessions.fleet_line"
PREPARED: Final = 2_000
"""Statements that the server keeps planned for a connection: to plan takes longer than to ask."""


class PlansForgottenError(Exception):
    """The server no longer has what was prepared, behind a pooler for one: ask again in a new transaction."""


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
    """Return what `ask_together` does of each part in turn, all in one exchange.

    Raises:
        PlansForgottenError: nothing was answered.
    """
    import psycopg

    sent = list(_wordings(connection.dialect, parts, first))
    line = _line(connection)
    try:
        answers = line.send([(text, values) for _, _, text, values in sent])
    except psycopg.errors.InvalidSqlStatementName as error:
        line.forget()
        raise PlansForgottenError from error
    except psycopg.Error as error:
        if line.raw.closed:
            # SQLAlchemy does not see this; it would roll back on a connection that is gone.
            connection.invalidate(error)
        raise
    return [
        (schemas[row[0]], made.read(row[1:]))
        for (schemas, made, _, _), rows in zip(sent, answers, strict=True)
        for row in rows
    ]


def _line(connection: Connection) -> "ServerLine":
    """Return the way to send a connection statements that its server keeps planned."""
    from hermes_sessions.store.engines.server_line import ServerLine

    raw: Any = connection.connection.driver_connection
    line: ServerLine | None = connection.info.get(_LINE)
    if line is None or line.raw is not raw:
        line = connection.info[_LINE] = ServerLine(raw)
    line.keep(PREPARED)
    return line


def _wordings(
    dialect: Dialect, parts: Iterable[Mapping[str, StoreQuestion]], first: First | None
) -> Iterator[tuple[tuple[str, ...], "_Template", str, dict[str, Any]]]:
    """Yield what is sent: of which schemas, from which template, the text and its values."""
    for part in parts:
        one = next(iter(part.values()))
        for some in [{name: question} for name, question in part.items()] if one.keys else [part]:
            made = _template(next(iter(some.values())).statement, dialect)
            values = dict(made.values)
            if one.own is not None:
                values[_OWN] = _array(question.own for question in some.values())
            if one.keys:
                values["keys"] = _array(*(question.keys for question in some.values()))
            yield tuple(some), made, _text_of_all(made.text, tuple(some), first), values


def _array(numbers: Iterable[int | None]) -> str:
    """Return numbers as the server reads a list of them, whose type its place in the statement says."""
    return f"{{{','.join('NULL' if one is None else str(one) for one in numbers)}}}"


# -- texts -----------------------------------------------------------------------------------------


@lru_cache(maxsize=4_096)
def _text_of_all(text: str, schemas: tuple[str, ...], first: First | None) -> str:
    """Return a statement for all schemas."""
    before, *behind = _OWN_PLACE.split(_KEYS.sub(_ANY, text))
    parts = []
    for at, schema in enumerate(schemas, start=1):
        of_one = "".join([before, *(f"({_OWN_LIST})[{at}]{part}" for part in behind)])
        parts.append(f"SELECT {at - 1} AS store_at, q.* FROM ({_of_schema(of_one, schema)}) AS q")
    whole = " UNION ALL ".join(parts)
    if first is not None:
        order = "DESC" if first.falling else "ASC"
        whole = (
            f"SELECT * FROM ({whole}) AS u ORDER BY u.at {order} FETCH FIRST {first.count:d} ROWS WITH TIES"
        )
    return whole


def _of_schema(text: str, schema: str) -> str:
    return text.replace(f"{_MARK}.", f"{quoted_name(schema).replace('%', '%%')}.")


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
