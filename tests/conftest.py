"""Fixtures that open resources, and what is skipped: what takes long, what a machine lacks.

Plain `pytest` leaves the marks of TAKES_LONG to `pytest --all`; whoever names files or marks gets them all.
HERMES_SESSIONS_DEMAND=corpus,chromium,postgresql,replication,hermes-agent turns skips for want of
something into failures; the last of them also lets the real agent be installed.
Whatever uses the fixture `database` (or `runner`) runs on both engines.
"""

import importlib.util
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache
from sqlalchemy.orm import Session

from hermes_sessions.store.opening.database import Database
from tests.cluster import coordinator_url
from tests.replication import Pair, find_binaries, pair_of_servers
from tests.servers import Databases, admin_url, databases


def find_corpus() -> Path | None:
    """The folder with the agents' databases: what the variable names, or `hermes` in it."""
    named = os.environ.get("HERMES_SESSIONS_CORPUS")
    if not named or not Path(named).is_dir():
        return None
    return Path(named) / "hermes" if (Path(named) / "hermes").is_dir() else Path(named)


def find_chromium() -> str | None:
    if importlib.util.find_spec("playwright") is None:
        return None
    named = os.environ.get("HERMES_SESSIONS_CHROMIUM")
    names = (named,) if named else ("chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


NEEDS: dict[str, tuple[str, Callable[[], object], str]] = {
    "corpus": ("corpus", find_corpus, "no corpus: HERMES_SESSIONS_CORPUS names no folder"),
    "browser": ("chromium", find_chromium, "no Chromium, or Playwright for Python is not installed"),
    "replication": (
        "replication",
        find_binaries,
        "no initdb and pg_basebackup of PostgreSQL that this user may run",
    ),
    "citus": ("citus", coordinator_url, "no cluster: HERMES_SESSIONS_TEST_CITUS is not set"),
    "postgresql": ("postgresql", admin_url, "no PostgreSQL: HERMES_SESSIONS_TEST_PG is not set"),
}
"""Marker -> its name in HERMES_SESSIONS_DEMAND, how to find the thing, what to say without it."""


TAKES_LONG = ("browser", "replication", "slow")
"""Marks of tests that plain `pytest` skips."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--all",
        action="store_true",
        dest="run_all",
        help=f"also run what is marked {', '.join(TAKES_LONG)}, as .ci/run does",
    )


def _runs_all(config: pytest.Config) -> bool:
    """Whether it was asked for by `--all`, or by marks or files (not folders) that are named."""
    named = any(not Path(one).is_dir() for one in config.option.file_or_dir)
    return bool(config.option.run_all or config.option.markexpr or named)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the PostgreSQL half of tests that are about SQLite (or enough to see there)."""
    left_out = [
        item for item in items if item.get_closest_marker("sqlite_only") and _engine(item) != "sqlite"
    ]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


def _engine(item: pytest.Item) -> str:
    spec = getattr(item, "callspec", None)
    return "sqlite" if spec is None else str(spec.params.get("engine_name", "sqlite"))


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in TAKES_LONG:
        if item.get_closest_marker(marker) and not _runs_all(item.config):
            pytest.skip(f"marked `{marker}`, which takes long: `pytest --all` runs it, and so does .ci/run")
    demanded = os.environ.get("HERMES_SESSIONS_DEMAND", "").split(",")
    for marker, (name, find, reason) in NEEDS.items():
        if item.get_closest_marker(marker) is None or find():
            continue
        if name in demanded:
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)


class KeptTemplates(BytecodeCache):
    """Templates compiled once for all viewers of a process."""

    def __init__(self) -> None:
        self._compiled: dict[tuple[str, str], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if found := self._compiled.get((bucket.key, bucket.checksum)):
            bucket.bytecode_from_string(found)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._compiled[bucket.key, bucket.checksum] = bucket.bytecode_to_string()


@pytest.fixture(scope="session", autouse=True)
def _templates_compiled_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(Flask.jinja_options, "bytecode_cache", KeptTemplates())
        yield


@pytest.fixture
def corpus() -> Path:
    """The folder of real databases; mark the test `corpus`."""
    found = find_corpus()
    assert found is not None, "mark the test with pytest.mark.corpus"
    return found


@pytest.fixture
def chromium() -> str:
    """The browser's program; mark the test `browser`."""
    found = find_chromium()
    assert found is not None, "mark the test with pytest.mark.browser"
    return found


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store without rows, made once by the migrations; copy it, never open it."""
    path = tmp_path_factory.mktemp("empty") / "store.db"
    Database.open(str(path)).close()
    return path


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def engine_name(request: pytest.FixtureRequest) -> str:
    """Which engine the test's store is on; every test that asks runs on both."""
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def servers() -> Iterator[Databases]:
    """Databases of this process on PostgreSQL; mark the test `postgresql`."""
    with databases() as made:
        yield made


@pytest.fixture(scope="session")
def servers_of_our_own() -> Iterator[Pair]:
    """A primary and a replica that live as long as the tests do."""
    with pair_of_servers() as pair:
        yield pair


@pytest.fixture
def pair(servers_of_our_own: Pair) -> Iterator[Pair]:
    """A primary and a replica, both well at the beginning; mark the test `replication`."""
    yield servers_of_our_own
    servers_of_our_own.heal()


@pytest.fixture
def store_url(engine_name: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """Where the test's own store is: on SQLite the file is not there yet, on PostgreSQL it has no rows."""
    if engine_name == "sqlite":
        return str(tmp_path / "store.db")
    made: Databases = request.getfixturevalue("servers")
    return made.fresh()


@pytest.fixture
def database(store_url: str, engine_name: str, empty_store: Path) -> Iterator[Database]:
    """An open store of the test's own."""
    if engine_name == "sqlite":
        shutil.copy(empty_store, store_url)
    with Database.open(store_url) as opened:
        yield opened


@pytest.fixture
def db(database: Database) -> Iterator[Session]:
    """A session that writes to `database`; commit before anything else shall see it."""
    with Session(database.engine.execution_options(write=True), expire_on_commit=False) as session:
        yield session


@pytest.fixture
def runner(tmp_path: Path, store_url: str, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    """Runs commands on the test's own store; the user's is out of reach."""
    home = tmp_path / "home"
    home.mkdir()
    for name in ("HERMES_HOME", "HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(home))
    return CliRunner(env={"HERMES_SESSIONS_DB": store_url})
