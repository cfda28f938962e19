"""A PostgreSQL primary and its streaming replicas for tests: real servers of our own, on loopback.

They run as the user `postgres` where the tests run as root, which PostgreSQL refuses to do.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import psycopg

from hermes_sessions.store.opening.database import Database
from tests.waiting import until

DEADLINE: Final = 60.0
_SETTINGS: Final = """
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_buffers = 32MB
max_connections = 100
wal_level = replica
max_wal_senders = 10
hot_standby = on
wal_retrieve_retry_interval = 100ms
"""


def find_binaries() -> Path | None:
    """The folder of initdb and pg_basebackup; None where they are missing or nobody may run them."""
    known = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    named = shutil.which("initdb")
    folders = [*known, *([Path(named).resolve().parent] if named else [])]
    found = next((one for one in folders if all((one / each).exists() for each in _PROGRAMS)), None)
    if found is None or (os.geteuid() == 0 and not _can_change_user()):
        return None
    return found


_PROGRAMS: Final = ("initdb", "pg_basebackup", "pg_ctl", "postgres")


def _can_change_user() -> bool:
    if shutil.which("runuser") is None:
        return False
    return subprocess.run(["id", "postgres"], capture_output=True, check=False).returncode == 0


def _as_owner(*command: str) -> list[str]:
    return ["runuser", "-u", "postgres", "--", *command] if os.geteuid() == 0 else list(command)


class Server:
    """One running server; `stop` and `start` as often as needed."""

    def __init__(self, binaries: Path, folder: Path, port: int) -> None:
        self.port = port
        self._binaries = binaries
        self._folder = folder

    def url(self, database: str = "sessions") -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        command = (
            *(str(self._binaries / "pg_ctl"), "-D", str(self._folder), "-w", "-t", str(int(DEADLINE))),
            *("-l", str(self._folder / "server.log"), "-o", f"-p {self.port}", "start"),
        )
        subprocess.run(_as_owner(*command), check=True, stdout=subprocess.DEVNULL, cwd="/")

    def stop(self) -> None:
        """Stop it as its administrator does; connections are ended."""
        command = (str(self._binaries / "pg_ctl"), "-D", str(self._folder), "-w", "-m", "fast", "stop")
        subprocess.run(_as_owner(*command), check=True, stdout=subprocess.DEVNULL, cwd="/")

    def kill(self) -> None:
        """End all of it at once, as a power cut does."""
        pid = self.pid
        children = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=True
        )
        for one in (pid, *map(int, children.stdout.split())):
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        until(lambda: not Path(f"/proc/{pid}").exists())

    def promote(self) -> None:
        self.run("SELECT pg_promote(true, 60)")

    @property
    def pid(self) -> int:
        return int((self._folder / "postmaster.pid").read_text().splitlines()[0])

    @property
    def running(self) -> bool:
        try:
            return Path(f"/proc/{self.pid}").exists()
        except FileNotFoundError:
            return False

    def run(self, statement: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Run a statement as the administrator; return its rows."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


class Pair:
    """A primary and one replica of it."""

    def __init__(self, binaries: Path, folder: Path) -> None:
        self._binaries = binaries
        self._folder = folder
        self._template = ""
        self.primary = _make_server(binaries, folder / "primary", _SETTINGS)
        self.replica = self.add_replica("replica")

    def add_replica(self, name: str) -> Server:
        """Start one more copy of the primary."""
        made = Server(self._binaries, self._folder / name, free_port())
        command = (
            *(str(self._binaries / "pg_basebackup"), "-D", str(self._folder / name), "-R", "-c", "fast"),
            *("-d", f"{self.primary.url('postgres')}?application_name={name}"),
        )
        subprocess.run(_as_owner(*command), check=True, cwd="/")
        made.start()
        return made

    def pause(self) -> None:
        """Let the replica receive and not replay; commits that come now are not seen there."""
        self.replica.run("SELECT pg_wal_replay_pause()")
        until(lambda: self.replica.run("SELECT pg_get_wal_replay_pause_state()") == [("paused",)])

    def resume(self) -> None:
        self.replica.run("SELECT pg_wal_replay_resume()")

    def heal(self) -> None:
        """Have both run, replaying."""
        for server in (self.primary, self.replica):
            if not server.running:
                server.start()
        self.resume()

    def catch_up(self) -> None:
        """Wait until the replica holds everything."""
        ((here,),) = self.primary.run("SELECT pg_current_wal_flush_lsn()")
        until(lambda: self.replica.run(f"SELECT pg_last_wal_replay_lsn() >= '{here}'") == [(True,)])

    def store(self) -> str:
        """Make a store without rows, on both; return its database's name."""
        if not self._template:
            self._template = f"hs_test_{secrets.token_hex(4)}"
            self.primary.run(f"CREATE DATABASE {self._template} ENCODING 'UTF8' TEMPLATE template0")
            Database.open(self.primary.url(self._template)).close()
        name = f"hs_test_{secrets.token_hex(4)}"
        self.primary.run(f"CREATE DATABASE {name} TEMPLATE {self._template}")
        self.catch_up()
        return name

    def drop(self, name: str) -> None:
        self.primary.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def synchronous(self) -> None:
        """Acknowledge a commit only when the replica has it as well."""
        self.primary.run("ALTER SYSTEM SET synchronous_standby_names = 'replica'")
        self.primary.run("SELECT pg_reload_conf()")
        until(lambda: self.primary.run("SELECT sync_state FROM pg_stat_replication") == [("sync",)])


def _make_server(binaries: Path, folder: Path, settings: str) -> Server:
    command = (
        *(str(binaries / "initdb"), "-D", str(folder), "-U", "postgres", "-A", "trust"),
        *("-E", "UTF8", "--no-locale", "--no-sync"),
    )
    subprocess.run(_as_owner(*command), check=True, stdout=subprocess.DEVNULL, cwd="/")
    with (folder / "postgresql.conf").open("a") as file:
        file.write(settings)
    made = Server(binaries, folder, free_port())
    made.start()
    return made


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


@contextmanager
def server_alone(connections: int) -> Iterator[Server]:
    """Give a server without a replica that takes so many connections; it is gone afterwards."""
    with _folder_of_servers() as (binaries, folder):
        settings = _SETTINGS.replace("max_connections = 100", f"max_connections = {connections}")
        yield _make_server(binaries, folder / "alone", settings)


@contextmanager
def pair_of_servers() -> Iterator[Pair]:
    """Give a primary with one replica; both are gone afterwards."""
    with _folder_of_servers() as (binaries, folder):
        yield Pair(binaries, folder)


@contextmanager
def _folder_of_servers() -> Iterator[tuple[Path, Path]]:
    """Give the server's programs and a folder for servers, which are stopped at the end."""
    binaries = find_binaries()
    assert binaries is not None, "mark the test with pytest.mark.replication"
    # Not below pytest's folders, which their owner alone may enter.
    folder = Path(tempfile.mkdtemp(prefix="hs-servers-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    try:
        yield binaries, folder
    finally:
        for each in folder.iterdir():
            server = Server(binaries, each, 0)
            if server.running:
                server.stop()
        shutil.rmtree(folder)
