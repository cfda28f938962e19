"""The stores of one database on a server: each a schema with a role of its own. Made, listed, dropped.

Names come from whoever administers the database; they are quoted wherever they stand in SQL.
"""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final

from hermes_sessions.errors import StoreError
from hermes_sessions.store.engines.file_probe import MOVING, is_ours
from hermes_sessions.store.engines.server_probe import SCHEMA_OPTION, Server, quoted_name, require_schema_name
from hermes_sessions.store.engines.sqlite_engine import BUSY_SECONDS

if TYPE_CHECKING:
    import psycopg

NEW_ROLE: Final = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS"
_STORES: Final = """
SELECT n.nspname, pg_get_userbyid(n.nspowner), array_agg(c.relname::text),
  coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint,
  bool_and(has_schema_privilege(n.oid, 'USAGE'))
    AND coalesce(bool_and(has_table_privilege(c.oid, 'SELECT')) FILTER (WHERE c.relkind <> 'S'), false)
FROM pg_namespace AS n JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p')
WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
GROUP BY n.oid, n.nspname, n.nspowner HAVING bool_or(c.relname = 'alembic_version')
ORDER BY n.nspname
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerStore:
    """A store that is a schema.

    Attributes:
        schema: its name.
        role: who owns the schema.
        revision: of its tables; None where this user may not read it, or where a move is filling it.
        readable: this user may read all of its tables.
        size_bytes: its tables and indexes on this server; on a cluster what this node has of them.
    """

    schema: str
    role: str
    revision: str | None
    readable: bool
    size_bytes: int


def list_stores(server: Server) -> tuple[ServerStore, ...]:
    """Return the stores of the database, by name; also those that this user may not read.

    One that somebody drops meanwhile is none.
    """
    import psycopg

    with closing(psycopg.connect(server.conninfo, autocommit=True, **server.options)) as connection:
        rows = connection.execute(_STORES.encode()).fetchall()
        found = [
            ServerStore(
                schema=schema,
                role=role,
                revision=_revision(connection, schema) if readable else None,
                readable=readable,
                size_bytes=size,
            )
            for schema, role, tables, size, readable in rows
            if is_ours(frozenset(tables))
        ]
        left = {name for (name,) in connection.execute(b"SELECT nspname FROM pg_namespace").fetchall()}
        return tuple(one for one in found if one.schema in left)


def has_extension(server: Server, name: str) -> bool:
    """Return whether the database has an extension."""
    import psycopg

    with closing(psycopg.connect(server.conninfo, autocommit=True, **server.options)) as connection:
        asked = connection.execute(b"SELECT 1 FROM pg_extension WHERE extname = %s", (name,))
        return asked.fetchone() is not None


def matching_schemas(server: Server, pattern: str) -> tuple[str, ...]:
    """Return the schemas with a store whose names fit *pattern*: `%` or `*` stands for any characters.

    Raises:
        StoreError: none does.
    """
    found = tuple(one.schema for one in list_stores(server) if _fits(one.schema, pattern))
    if not found:
        raise StoreError(f"{server.name}: no store there has a name like {pattern!r}")
    return found


def schema_url(server: Server, schema: str) -> str:
    """Return the URL of the store *schema* in the same database, password included."""
    url = server.url.update_query_dict({SCHEMA_OPTION: schema})
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def role_commands(
    connection: Any, server: Server, schema: str, role: str, password: str | None
) -> Sequence[str]:
    """Return the commands that make the role of an empty schema yet to be made.

    Args:
        connection: the driver's, to ask what is there and to hash the password before it is sent.

    Raises:
        StoreError: the schema or the role is there already, or a name is none.
    """
    for name in (schema, role):
        require_schema_name(name)
    _require_new(connection, server, schema, role)
    secret = ""
    if password is not None:
        hashed = connection.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256")
        secret = f" PASSWORD '{hashed.decode()}'"
    owner = quoted_name(role)
    granted = () if _is_superuser(connection) else (f"GRANT {owner} TO CURRENT_USER",)
    return (f"CREATE ROLE {owner} {NEW_ROLE}{secret}", *granted)


def schema_commands(server: Server, schema: str, role: str) -> Sequence[str]:
    """Return the commands that make an empty schema which *role* owns and which is its default."""
    owner, name, database = (quoted_name(one) for one in (role, schema, str(server.url.database)))
    return (
        # Where the extension is, the schema comes to lie on one node; elsewhere it changes nothing.
        "SET LOCAL citus.enable_schema_based_sharding TO on",
        f"CREATE SCHEMA {name} AUTHORIZATION {owner}",
        f"ALTER ROLE {owner} IN DATABASE {database} SET search_path TO {name}",
    )


def reader_commands(schema: str, role: str, reader: str) -> Sequence[str]:
    """Return the commands that let *reader* read the store, also tables that its owner adds later."""
    require_schema_name(reader)
    name, owner, who = (quoted_name(one) for one in (schema, role, reader))
    return (
        f"GRANT USAGE ON SCHEMA {name} TO {who}",
        f"GRANT SELECT ON ALL TABLES IN SCHEMA {name} TO {who}",
        f"ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA {name} GRANT SELECT ON TABLES TO {who}",
    )


def drop_store(server: Server, schema: str) -> str | None:
    """Drop a store with all its rows, and its role; return why the role had to stay, if it had to.

    Raises:
        StoreError: there is no store of this name.
    """
    import psycopg

    found = {one.schema: one for one in list_stores(server)}.get(schema)
    if found is None:
        raise StoreError(f"{server.name}: there is no store {schema!r}")
    with closing(psycopg.connect(server.conninfo, autocommit=True, **server.options)) as connection:
        connection.execute(f"SET lock_timeout = '{BUSY_SECONDS:.0f}s'".encode())
        with connection.transaction():
            connection.execute(f"DROP SCHEMA {quoted_name(schema)} CASCADE".encode())
        if _is_current(connection, found.role):
            return "it is the one that drops"
        try:
            with connection.transaction():
                connection.execute(f"DROP ROLE {quoted_name(found.role)}".encode())
        except (psycopg.errors.DependentObjectsStillExist, psycopg.errors.InsufficientPrivilege) as error:
            return str(error).splitlines()[0]
    return None


def _fits(name: str, pattern: str) -> bool:
    plain = pattern.replace("[", "[[]").replace("?", "[?]").replace("%", "*")
    return fnmatchcase(name, plain)


def _revision(connection: "psycopg.Connection[Any]", schema: str) -> str | None:
    import psycopg

    try:
        row = connection.execute(f"SELECT version_num FROM {quoted_name(schema)}.alembic_version".encode())
    except psycopg.errors.UndefinedTable:  # dropped since it was listed
        return None
    found = row.fetchone()
    return None if found is None or found[0] == MOVING else str(found[0])


def _require_new(connection: Any, server: Server, schema: str, role: str) -> None:
    asked = (
        ("schema", schema, b"SELECT 1 FROM pg_namespace WHERE nspname = %s"),
        ("role", role, b"SELECT 1 FROM pg_roles WHERE rolname = %s"),
    )
    for kind, name, question in asked:
        if connection.execute(question, (name,)).fetchone():
            raise StoreError(f"{server.name}: there is a {kind} {name!r} already; choose another name")


def _is_current(connection: Any, role: str) -> bool:
    return bool(connection.execute(b"SELECT current_user = %s", (role,)).fetchone()[0])


def _is_superuser(connection: Any) -> bool:
    row = connection.execute(b"SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()
    return bool(row[0])
