"""Which PostgreSQL database a store's URL means, and what stands in it.

The driver is imported when a server is really asked: most stores are files.
"""

import importlib.util
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, quote

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from hermes_sessions.errors import NotAStoreError, StoreError
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.store.engines.file_probe import ProbedDatabase

if TYPE_CHECKING:
    import psycopg

SCHEMES: Final = frozenset({"postgresql", "postgres", "postgresql+psycopg"})
CONNECT_SECONDS: Final = 10
REPLICA_SECONDS: Final = 2
"""How long a server is waited for that another one can stand in for."""
OLDEST: Final = 15
SCHEMA_OPTION: Final = "schema"
"""The option of a URL that names the store among those of a database; it is ours, not libpq's."""
MOST_NAME_BYTES: Final = 63

_COMES_BACK: Final = (("the database system is", 15.0), ("Connection refused", 1.0))
"""What a server says, or is said of it, while it is restarted, and how long it is waited for, in seconds."""
_HOST: Final = late_pattern(r"(?P<host>\[[0-9a-fA-F:.]+\]|[^\[\]:]*)(?::(?P<port>\d*))?")
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
_FACTS = (
    "SELECT current_setting('server_version_num')::int / 10000, current_setting('server_encoding'),"
    " current_schema(), pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool"
)
_MAY_READ = "SELECT has_table_privilege('alembic_version', 'SELECT')"
_MAY_WRITE = "SELECT has_table_privilege('messages', 'INSERT')"


@dataclass(frozen=True, slots=True)
class Server:
    """A database on a PostgreSQL server; `name` shows it without its password and options.

    `patient` says that a server which is away is waited for: nothing else can take its place.
    """

    url: URL
    patient: bool = True

    @property
    def name(self) -> str:
        """The address as messages show it."""
        user = URL.create("postgresql", username=self.url.username).render_as_string().replace(" ", "%20")
        of_schema = "" if self.schema is None else f"?{SCHEMA_OPTION}={quote(self.schema)}"
        return f"{user}{self.address}{of_schema}"  # the user's `@` comes with it

    @property
    def schema(self) -> str | None:
        """The schema that the store is, where the URL names one; else the first of the user's search path."""
        named = self.url.query.get(SCHEMA_OPTION)
        return named if isinstance(named, str) else None

    def without_schema(self) -> "Server":
        """Return the database as a whole."""
        return Server(self.url.difference_update_query([SCHEMA_OPTION]), self.patient)

    @property
    def address(self) -> str:
        """Hosts, ports and database, as in `db1.example:5432,db2.example:5432/sessions`."""
        hosts, ports = (self._listed(name) for name in ("host", "port"))
        if self.url.host is not None:
            hosts, ports = [self.url.host], [str(self.url.port or "")]
        if len(ports) == 1:
            ports *= len(hosts)
        pairs = zip_longest(hosts, ports, fillvalue="")
        places = (f"{_bracketed(host)}:{port}" if port else _bracketed(host) for host, port in pairs)
        return f"{','.join(places)}/{self.url.database}"

    @property
    def options(self) -> dict[str, Any]:
        """What the driver connects with, over what the URL says."""
        given: Mapping[str, Any] = self.url.query
        wanted: dict[str, Any] = {"connect_timeout": CONNECT_SECONDS, "application_name": "hermes-sessions"}
        if not self.patient:
            wanted |= {"connect_timeout": REPLICA_SECONDS, "tcp_user_timeout": REPLICA_SECONDS * 1000}
        free = {name: value for name, value in wanted.items() if name not in given}
        return free | {"client_encoding": "utf8"}  # of what is stored, whatever a database has as its default

    @property
    def conninfo(self) -> str:
        """The address as libpq reads it, with everything the URL says."""
        plain = self.without_schema().url.set(drivername="postgresql").render_as_string(hide_password=False)
        place, mark, options = plain.partition("?")
        # libpq knows blanks as %20 alone. A plus of an option is %2B here, one of a password stands as it is.
        return place.replace(" ", "%20") + mark + options.replace("+", "%20").replace(" ", "%20")

    def _listed(self, name: str) -> list[str]:
        given = self.url.query.get(name, ())
        parts = (given,) if isinstance(given, str) else given
        return [one for part in parts for one in part.split(",")]


def locate_server(url: str) -> Server:
    """Return the database that *url* names.

    Raises:
        StoreError: it is no URL, it names no database, or the driver is not installed.
    """
    try:
        parsed = make_url(_with_hosts_apart(url))
    except (ArgumentError, ValueError):
        raise StoreError(
            "the store's URL cannot be read; write postgresql://USER@HOST:PORT/DATABASE,"
            " a password's odd characters percent-quoted"
        ) from None
    server = Server(parsed)
    options = parse_qsl(url.partition("?")[2], keep_blank_values=True)  # an empty one is left out of `query`
    require_schema_name("" if (SCHEMA_OPTION, "") in options else parsed.query.get(SCHEMA_OPTION, "public"))
    if not parsed.database:
        raise StoreError(f"{server.name}: names no database; write postgresql://USER@HOST:PORT/DATABASE")
    if importlib.util.find_spec("psycopg") is None:
        raise StoreError(
            f"{server.name}: PostgreSQL needs a driver; pip install 'hermes-sessions[postgresql]'"
        )
    return server


def require_schema_name(name: object) -> None:
    """Refuse what can be no name of a schema, or stands for several.

    Raises:
        StoreError: it is empty, longer than 63 bytes, holds a NUL, or was given twice.
    """
    text = name if isinstance(name, str) else ""
    if "\0" in text or not 0 < len(text.encode("utf-8", "replace")) <= MOST_NAME_BYTES:
        raise StoreError(f"a schema's name has 1 to {MOST_NAME_BYTES} bytes, and a store is one schema")


def quoted_name(name: str) -> str:
    """Return a name as SQL takes it whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def search_path_of(schema: str) -> str:
    """Return the command that has a transaction see *schema* alone."""
    return f"SET LOCAL search_path TO {quoted_name(schema)}"


def read_server(server: Server) -> ProbedDatabase:
    """Return the tables, the revision and the rights that this user finds there.

    Raises:
        NotAStoreError: the server is too old, or the database's encoding is not UTF8.
        StoreError: the URL has an option that libpq does not know, or this user may not use the store.
    """
    with closing(_connect(server)) as connection:
        if server.schema is not None:
            connection.execute(search_path_of(server.schema).encode())
        version, encoding, schema, standing = _one(connection, _FACTS)
        if version < OLDEST:
            raise NotAStoreError(f"{server.name}: PostgreSQL {version}; a store needs {OLDEST} or newer")
        if encoding != "UTF8":
            raise NotAStoreError(f"{server.name}: the database's encoding is {encoding}; a store needs UTF8")
        if schema is None and server.schema is not None:
            raise StoreError(
                f"{server.name}: there is no such schema, or this user may not use it;"
                " `hermes-sessions db stores make` makes one"
            )
        if schema is None:
            raise StoreError(f"{server.name}: this user may use no schema there; see `GRANT USAGE ON SCHEMA`")
        tables = frozenset(name for (name,) in connection.execute(_TABLES).fetchall())
        revision = None
        if "alembic_version" in tables:
            if not _one(connection, _MAY_READ)[0]:
                raise StoreError(f"{server.name}: this user may not read the store; see docs/team.md")
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            revision = None if row is None else str(row[0])
        index = 0
        if "messages_fts_version" in tables:
            index = int(_one(connection, "SELECT version FROM messages_fts_version")[0])
        may_write = not standing and ("messages" not in tables or bool(_one(connection, _MAY_WRITE)[0]))
    return ProbedDatabase(tables, revision, not may_write, index)


def _connect(server: Server) -> "psycopg.Connection[Any]":
    """Connect; one that says it is starting is waited for, and one that is away for a moment as well."""
    import psycopg

    began = time.monotonic()
    while True:
        try:
            return psycopg.connect(server.conninfo, **server.options)
        except psycopg.ProgrammingError as error:
            wrong = str(error).splitlines()[0].strip()
            raise StoreError(
                f"{server.name}: {wrong}; a URL's options are `{SCHEMA_OPTION}` and libpq's"
            ) from None
        except psycopg.OperationalError as error:
            # The driver does not say the state's number here.
            waited = next((seconds for words, seconds in _COMES_BACK if words in str(error)), 0.0)
            if not server.patient or time.monotonic() - began > waited:
                raise
            time.sleep(0.1)


def _with_hosts_apart(url: str) -> str:
    """Return a URL of several hosts (`user@h1:5432,h2:5432/db`) with them among its options.

    libpq takes both, the parser of URLs the second only.
    """
    scheme, mark, rest = url.partition("://")
    place, slash, tail = rest.partition("/")
    user, at, hosts = place.rpartition("@")
    if "," not in hosts:
        return url
    pairs = [_HOST.fullmatch(one) for one in hosts.split(",")]
    if not all(pairs):
        raise ValueError("not a list of hosts")
    names = ",".join(quote((one["host"] or "").strip("[]"), safe="") for one in pairs if one)
    ports = ",".join(one["port"] or "" for one in pairs if one)
    name, _, options = tail.partition("?")
    query = "&".join(part for part in (f"host={names}&port={ports}", options) if part)
    return f"{scheme}{mark}{user}{at}{slash or '/'}{name}?{query}"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _one(connection: "psycopg.Connection[Any]", statement: str) -> Any:
    return connection.execute(statement.encode()).fetchone()
