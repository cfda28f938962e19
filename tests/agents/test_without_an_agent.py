"""An agent's folder can be removed: everything else works, and says by name what is missing."""

import json
import os
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.paths import asset_root
from hermes_sessions.store.opening.database import Database
from tests.agents.hermes.hermes_builder import row, session, state_db
from tests.agents.installing import JOTTER
from tests.agents.workshop import JotterWorkshop
from tests.waiting import PATIENCE_SECONDS, until

pytestmark = [pytest.mark.sqlite_only, pytest.mark.slow]

ROOT = Path(__file__).parent.parent.parent
EVERYTHING = """
import importlib, json, pkgutil, hermes_sessions
broken = {}
for module in pkgutil.walk_packages(hermes_sessions.__path__, "hermes_sessions.", onerror=lambda name: None):
    if module.name.endswith("__main__"):
        continue
    try:
        importlib.import_module(module.name)
    except ModuleNotFoundError as error:
        broken[module.name] = error.name
print(json.dumps([hermes_sessions.__path__[0], broken]))
"""


class Copy:
    """A copy of the program without the folder of one agent, run as a user runs it."""

    def __init__(self, folder: Path, site: dict[str, str], home: Path) -> None:
        self.package = folder / "hermes_sessions"
        left_out = shutil.ignore_patterns("__pycache__", "*.pyc")
        shutil.copytree(ROOT / "hermes_sessions", self.package, ignore=left_out)
        for name in ("templates", "static", "migrations"):
            shutil.copytree(asset_root() / name, folder / name, ignore=left_out)
        shutil.rmtree(self.package / "agents" / "hermes")
        (self.package / "handoff" / "grammars" / "hermes.py").unlink()
        self.env = {
            **site,
            "PYTHONPATH": os.pathsep.join([str(folder), site["PYTHONPATH"]]),
            "HOME": str(home),
            "XDG_DATA_HOME": str(home),
            "HERMES_SESSIONS_DB": str(home / "store.db"),
        }
        self.env.pop("HERMES_HOME", None)

    def python(self, *words: str) -> subprocess.CompletedProcess[str]:
        words = (sys.executable, "-P", *words)
        return subprocess.run(words, env=self.env, capture_output=True, text=True, check=False)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.python("-m", "hermes_sessions", *words)


@pytest.fixture
def copy(tmp_path, site, registered):
    registered("jotter", JOTTER)
    home = tmp_path / "home"
    home.mkdir()
    return Copy(tmp_path / "copy", site, home)


@pytest.fixture
def talks(copy, tmp_path):
    return JotterWorkshop().make(tmp_path / "home")


def test_every_module_can_be_imported_but_the_samples(copy):
    done = copy.python("-c", EVERYTHING)
    assert done.returncode == 0, done.stderr
    package, broken = json.loads(done.stdout)
    assert package == str(copy.package)
    assert {name.split(".")[1] for name in broken} == {"demo"}
    assert {name.rpartition(".")[0] for name in broken.values()} <= {
        "hermes_sessions.agents.hermes",
        "hermes_sessions.agents",
    }


@pytest.mark.slow
def test_another_agents_files_are_imported_listed_and_exported(copy, talks):
    done = copy.run("import", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["messages"] == 8
    listed = json.loads(copy.run("list", "--json").stdout)["conversations"]
    assert [one["id"] for one in listed] == ["b", "a"]
    for form in ("html", "markdown", "jsonl"):
        exported = copy.run("export", "b", "--format", form, "-o", "-")
        assert exported.returncode == 0, exported.stderr
        assert "hello" in exported.stdout
    assert copy.run("audit", "b").returncode == 0
    assert copy.run("db", "check").returncode == 0


def test_what_is_missing_is_said_by_name(copy, tmp_path):
    path = state_db(tmp_path / "state.db", sessions=[session("a")])
    for words, told in {
        ("import", str(path)): f"{path}: a database of no known agent",
        ("import",): str(tmp_path / "home" / ".jotter"),
        ("export", "--format", "hermes", str(tmp_path / "out.db")): "'hermes' is not one of",
        ("demo", "--port", "0"): "the samples cannot be made: hermes_sessions.agents.hermes is not installed",
    }.items():
        done = copy.run(*words)
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
        assert told in done.stderr


def test_what_was_imported_before_is_still_shown(copy, tmp_path):
    said = [row("a", "user", "Hello."), row("a", "assistant", "Hi.")]
    path = state_db(tmp_path / "state.db", sessions=[session("a")], messages=said)
    with Database.open(copy.env["HERMES_SESSIONS_DB"]) as database:
        import_path(database, path, ImportOptions(lambda: 1_790_000_000.0))
    shown = json.loads(copy.run("show", "a", "--json").stdout)["messages"]
    assert [one["parts"][0]["text"] for one in shown] == ["Hello.", "Hi."]
    synced = copy.run("sync")
    told = "nothing installed here reads 'hermes'; install the package of that agent"
    assert (synced.returncode, synced.stdout) == (1, "")
    assert synced.stderr.endswith(f": {told}\n")


def test_a_viewer_follows_another_agents_files(copy, talks):
    words = (sys.executable, "-P", "-m", "hermes_sessions", "serve", "--discover", "--port", "0")
    with subprocess.Popen(words, env=copy.env, stdout=subprocess.PIPE, text=True) as served:
        assert served.stdout is not None
        address = served.stdout.readline().split()[2]
        try:
            page = until(lambda: page_at(f"{address}c/b"))
        finally:
            served.send_signal(signal.SIGINT)
        assert served.wait(PATIENCE_SECONDS) == 0
    assert "hello" in page
    assert "jotter continue b" in page


def page_at(address: str) -> str:
    """Return a page; "" while it is not there."""
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE_SECONDS) as response:
            return str(response.read().decode())
    except urllib.error.HTTPError:
        return ""
