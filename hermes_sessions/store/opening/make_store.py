"""Make a store that is a schema of a server's database, with a role that can use nothing else."""

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from hermes_sessions import paths
from hermes_sessions.errors import StoreError
from hermes_sessions.store.engines.server_probe import Server, quoted_name
from hermes_sessions.store.engines.server_stores import (
    has_extension,
    reader_commands,
    role_commands,
    schema_commands,
    schema_url,
)
from hermes_sessions.store.engines.store_place import ServerPlace, find_place
from hermes_sessions.store.opening.migrate import head_revision, move_schema, renew_index

_ABOUT_NAMES: Final = ("42939", "42602", "42710", "42P06", "42704")
"""SQLSTATE of a name that is reserved, no name, taken meanwhile (role, schema), or of no role."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewStore:
    """A store to be made.

    Attributes:
        schema: its name.
        role: who is to own it; the schema's name where None.
        password: of the role; None gives it none.
        reader: a role that is there already and may read the store as well.
    """

    schema: str
    role: str | None = None
    password: str | None = None
    reader: str | None = None

    @property
    def owner(self) -> str:
        """The role's name."""
        return self.role or self.schema


def make_store(server: Server, wanted: NewStore) -> ServerPlace:
    """Make the role, the schema and its tables; return the place, as its role sees it.

    All in one transaction. Citus logs in to the other nodes as the role, where neither a role nor a schema
    of an open transaction is seen: there each of the three has one of its own, and what was made is dropped
    again where the next fails.

    Raises:
        StoreError: schema or role are there already, or this user may not make them.
    """
    place = find_place(schema_url(server, wanted.schema))
    assert isinstance(place, ServerPlace)
    engine = place.make_engine().execution_options(write=True, migrating=True)
    try:
        with place.errors():
            if has_extension(server, "citus"):
                _make_in_steps(engine, server, wanted)
            else:
                with engine.begin() as connection:
                    _make_role(connection, server, wanted)
                    _make_schema(connection, server, wanted)
                    _make_tables(connection, wanted)
        place.number_changes(engine)
    finally:
        engine.dispose()
    return ServerPlace(Server(place.server.url.set(username=wanted.owner, password=None)))


def _make_in_steps(engine: Engine, server: Server, wanted: NewStore) -> None:
    with ExitStack() as made:
        with engine.begin() as connection:
            _make_role(connection, server, wanted)
        made.callback(_drop, engine, f"DROP ROLE {quoted_name(wanted.owner)}")
        with engine.begin() as connection:
            _make_schema(connection, server, wanted)
        made.callback(_drop, engine, f"DROP SCHEMA {quoted_name(wanted.schema)} CASCADE")
        with engine.begin() as connection:
            _make_tables(connection, wanted)
        made.pop_all()


def _drop(engine: Engine, command: str) -> None:
    with engine.begin() as connection:
        _run(connection, command)


def _make_role(connection: Connection, server: Server, wanted: NewStore) -> None:
    raw = connection.connection.driver_connection
    for command in role_commands(raw, server, wanted.schema, wanted.owner, wanted.password):
        _run(connection, command)


def _make_schema(connection: Connection, server: Server, wanted: NewStore) -> None:
    for command in schema_commands(server, wanted.schema, wanted.owner):
        _run(connection, command)


def _make_tables(connection: Connection, wanted: NewStore) -> None:
    _run(connection, f"SET LOCAL ROLE {quoted_name(wanted.owner)}")
    move_schema(connection, head_revision(), migrations=paths.migrations())
    renew_index(connection)
    if wanted.reader is not None:
        for command in reader_commands(wanted.schema, wanted.owner, wanted.reader):
            _run(connection, command)
    _run(connection, "RESET ROLE")


def _run(connection: Connection, command: str) -> None:
    try:
        # As it is: a name may hold what the driver takes for a placeholder.
        connection.exec_driver_sql(command.replace("%", "%%"))
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) not in _ABOUT_NAMES:
            raise
        raise StoreError(str(error.orig).splitlines()[0]) from error
