"""Which file a store's URL means, and what that file is, before SQLAlchemy touches it.

Only the standard library is imported here: looking must be cheap, and a file that
is not ours must not be written, not even its journal. Bytes are read by SQLite: whoever closes
any other descriptor of a file loses all locks of his process on it, those of its open stores, too,
and then another process takes their log away, with what they write from then on.
"""

import errno
import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote_to_bytes

from hermes_sessions.errors import (
    NotAStoreError,
    NotEnoughSpaceError,
    StoreDamagedError,
    StoreError,
    StoreOutdatedError,
    StoreTooNewError,
)
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.store.language.segment import VERSION

MOVING = "moving"
"""Stands in place of a revision while `db move` fills a store."""
_MAGIC = b"SQLite format 3\0"
_SHARED_BYTES = 65_536
_OWN_TABLES = frozenset({"origins", "conversations", "sessions", "messages", "compactions"})
_REVISION = late_pattern(r"(\d{4})_\w+\.py")
_SCHEME = late_pattern(r"[A-Za-z][A-Za-z0-9+.-]*://")
_NETWORK = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "9p", "ceph", "glusterfs", "lustre", "fuse.sshfs"}
)


@dataclass(frozen=True, slots=True)
class Location:
    """The file a URL names, and the SQLite VFS to open it with (None: the usual one)."""

    path: Path
    vfs: str | None = None

    @property
    def uri(self) -> str:
        """The file as SQLite's own URI, every odd character quoted; read-only where it must be."""
        if not self.read_only:
            return self._uri()
        # Without a log nothing needs to be shared, and where the folder cannot be
        # written SQLite could not make the shared memory that it asks for.
        return self._uri("mode=ro") if self._has_log() else self.alone_uri

    @property
    def alone_uri(self) -> str:
        """The file without what lies beside it: SQLite takes no lock and makes no file."""
        return self._uri("mode=ro", "immutable=1")

    @property
    def read_only(self) -> bool:
        """Whether the file stands, and this user cannot write it or a log beside it."""
        if not self.path.exists():
            return False
        return not _may(os.W_OK, self.path) or not (_may(os.W_OK, self.path.parent) or self._has_log())

    def _uri(self, *options: str) -> str:
        given = [f"vfs={quote(self.vfs)}"] if self.vfs else []
        query = "&".join((*given, *options))
        return f"file:{quote(os.fsencode(self.path))}{'?' if query else ''}{query}"

    def _has_log(self) -> bool:
        try:
            return self.path.with_name(self.path.name + "-wal").stat().st_size > 0
        except OSError:
            return False


@dataclass(frozen=True, slots=True)
class ProbedDatabase:
    """A database as it stands: all its tables, the schema's revision (None: it has none), our rights.

    `index` is the version of the segmentation that the full-text index was made with.
    """

    tables: frozenset[str]
    revision: str | None
    read_only: bool
    index: int


class FileState(Enum):
    """What stands at a location that may become or is a store."""

    MISSING = "missing"
    EMPTY = "empty"
    CURRENT = "current"


def locate(url: str) -> Location:
    """Return the file that *url* names: a path, or `sqlite:///path`, with `?vfs=name` allowed.

    Raises:
        StoreError: another kind of database, no path, or an option SQLite would not get.
    """
    if not _SCHEME.match(url):
        return Location(_absolute(url))
    scheme, _, rest = url.partition("://")
    if scheme.partition("+")[0] != "sqlite":
        raise StoreError(
            f"{scheme}: this version keeps its store in SQLite or PostgreSQL; give a path, sqlite:///PATH"
            " or postgresql://USER@HOST/DATABASE"
        )
    path, _, query = rest.partition("?")
    options = dict(parse_qsl(query))
    vfs = options.pop("vfs", None)
    if options:
        raise StoreError(f"{url}: unknown option {min(options)!r}; only vfs is known")
    if not path.startswith("/") or len(path) < 2 or path == "/:memory:":
        raise StoreError(f"{url}: a store is a file; write sqlite:///PATH")
    return Location(_absolute(os.fsdecode(unquote_to_bytes(os.fsencode(path[1:])))), vfs)


def _absolute(path: str) -> Path:
    if not path or "\0" in path:
        raise StoreError("the store's path is empty or holds a NUL character")
    return Path(os.path.abspath(os.path.expanduser(path)))


def list_revisions(migrations: Path) -> tuple[str, ...]:
    """Return the revision ids of the files in *migrations*, oldest first; Alembic is not asked."""
    found = (_REVISION.fullmatch(entry.name) for entry in (migrations / "versions").iterdir())
    return tuple(sorted(match[1] for match in found if match))


def judge(name: str, found: ProbedDatabase, head: str) -> FileState:
    """Return what a database with these tables is, or raise the error that says why it is no use.

    Raises:
        StoreOutdatedError: the schema is older than *head*, or the search index is of another version.
        StoreTooNewError: the schema is newer than *head*.
        NotAStoreError: a database of something else.
    """
    if not found.tables:
        return FileState.EMPTY
    revision = found.revision
    require_ours(name, found.tables, revision)
    if revision == MOVING:
        raise StoreError(f"{name}: `hermes-sessions db move` has not finished there; run it again")
    if revision == head:
        if found.index != VERSION:
            raise StoreOutdatedError(
                f"{name}: the search index was made by another version of the program;"
                " run `hermes-sessions db upgrade`"
            )
        return FileState.CURRENT
    if revision is None or revision < head:
        raise StoreOutdatedError(
            f"{name}: the schema is at revision {revision or 'none'}, this version needs {head};"
            " run `hermes-sessions db upgrade`"
        )
    raise StoreTooNewError(
        f"{name}: a newer version wrote it (revision {revision}, this one knows {head});"
        " upgrade hermes-sessions"
    )


def read_revision(location: Location) -> ProbedDatabase:
    """Return the names of all tables and the schema's revision."""
    try:
        with closing(sqlite3.connect(f"{location.uri}", uri=True, isolation_level=None)) as connection:
            connection.execute("PRAGMA busy_timeout = 5000")
            names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            tables = frozenset(str(name) for (name,) in names)
            index = int(connection.execute("PRAGMA user_version").fetchone()[0])
            if "alembic_version" not in tables:
                return ProbedDatabase(tables, None, location.read_only, index)
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            return ProbedDatabase(tables, None if row is None else str(row[0]), location.read_only, index)
    except sqlite3.DatabaseError as error:
        raise full_disk(location.path, error) or _unreadable(location.path, error) from error


def require_space(folder: Path, needed: int, purpose: str) -> None:
    """Raise NotEnoughSpaceError unless the disk of *folder* has *needed* bytes free."""
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise NotEnoughSpaceError(
            f"{folder}: {purpose} needs {_megabytes(needed)}, {_megabytes(free)} are free"
        )


def full_disk(path: Path, error: BaseException | None) -> NotEnoughSpaceError | None:
    """Return what to tell when *error* is SQLite's "disk I/O error" and the disk is merely full.

    SQLite says "full" only of the database itself; of the memory shared beside it, which
    even a reader needs, it says that the disk failed.
    """
    if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_IOERR:
        return None
    try:
        free = shutil.disk_usage(path.parent).free
    except OSError:
        return None
    if free >= _SHARED_BYTES:
        return None
    return NotEnoughSpaceError(f"{path}: the disk is full; free some space there and try again")


def network_file_system(path: Path, mounts: str) -> str | None:
    """Return the type of the network file system *path* is on, by a table like /proc/self/mounts.

    SQLite shares a WAL through memory, which two machines do not have in common.
    """
    best, kind = "", ""
    for line in mounts.splitlines():
        fields = line.split()
        if len(fields) < 3:
            continue
        point = fields[1].replace("\\040", " ")
        if len(point) >= len(best) and path.is_relative_to(point):
            best, kind = point, fields[2]
    return kind if kind in _NETWORK else None


def probe_file(location: Location) -> FileState | None:
    """Judge the file at *location* by its first bytes; None means it is a SQLite file."""
    path = location.path
    try:
        if path.is_dir():
            raise StoreError(f"{path}: is a folder, not a store")
        if not path.exists():
            return FileState.MISSING
        if not path.is_file():
            raise NotAStoreError(f"{path}: is a device or a pipe, not a store")
        if not _may(os.R_OK, path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        if not path.stat().st_size:
            return FileState.EMPTY
        if _begins_like_database(location):
            return None
        with path.open("rb") as file:
            start = file.read(64)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror or 'cannot be read'}") from error
    if start.startswith(b"version https://git-lfs"):
        raise NotAStoreError(f"{path}: a Git LFS pointer, not a database; run `git lfs pull`")
    raise NotAStoreError(f"{path}: is not a database")


def _begins_like_database(location: Location) -> bool:
    """Return whether SQLite takes the file for one, or cannot tell for another reason."""
    if location.path.stat().st_size < len(_MAGIC):
        return False
    try:
        with closing(sqlite3.connect(location.alone_uri, uri=True)) as connection:
            connection.execute("PRAGMA schema_version")
    except sqlite3.DatabaseError as error:
        return error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_NOTADB
    return True


def _may(right: int, path: Path) -> bool:
    return os.access(path, right, effective_ids=os.access in os.supports_effective_ids)


def is_ours(tables: frozenset[str]) -> bool:
    """Return whether these are the tables of a store, of whatever version."""
    return tables >= _OWN_TABLES and "alembic_version" in tables


def require_ours(name: str, tables: frozenset[str], revision: str | None) -> None:
    """Raise NotAStoreError when the tables are those of something else."""
    known = "alembic_version" in tables and (tables >= _OWN_TABLES or revision is None)
    others = tables - {"alembic_version", "sqlite_sequence", "sqlite_stat1"}
    if known and not (revision is None and others):
        return
    hint = "; to read an agent's database use `hermes-sessions import`" if "messages" in tables else ""
    raise NotAStoreError(f"{name}: is a database of something else, not a store{hint}")


def _unreadable(path: Path, error: sqlite3.DatabaseError) -> StoreError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return NotAStoreError(f"{path}: is not a database")
    if code == sqlite3.SQLITE_CORRUPT:
        return StoreDamagedError(f"{path}: the file is damaged; restore a backup of it")
    return StoreError(f"{path}: {error}")


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.0f} MB"
