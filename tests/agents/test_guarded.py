"""Another package's importer may be broken; the other agents are read all the same."""

import json
from pathlib import Path

import pytest

from hermes_sessions.agents.guarded import GuardedImporter
from hermes_sessions.agents.registry import discover, discovery_folders, importer_for, importers
from hermes_sessions.cli import main
from tests.agents.hermes.hermes_builder import row, session, state_db

AGENT = """
import sys
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

from hermes_sessions.agents.contract import Entry, Found
from hermes_sessions.agents.values import Family, MessageRow, SessionRow
from hermes_sessions.lineage import Placement, Relation

def fail(at):
    if "{kind}".endswith(at):
        raise ValueError(f"broken in {at}")

def batches():
    fail("batches")
    yield "a", []

class Source:
    location = Path("mine")
    schema_version, damage, rejected, warnings, complete = "1", (), (), (), True
    entries = {"a": Entry("a", None, "1", 0, 0.0, True)}
    def openings(self, also=()):
        fail("openings")
        return []
    def families(self):
        fail("families")
        return [("a",)]
    def read(self, ids):
        fail("read")
        return Family(
            sessions=[SessionRow(foreign_id="a", source="broken", started_at=1e9)],
            placements={"a": Placement(Relation.ROOT, None)}, verdicts={}, compactions=[],
            inherited={}, row_count=0, batches=batches,
        )
    def cursor(self):
        fail("cursor")
        return {}

class Importer:
    kind, grammar = "{kind}", SimpleNamespace(name="{kind}")
    def discover(self, home, env):
        yield Found(home / "first", "first")
        fail("discover")
    def folders(self, home, env):
        fail("folders")
        return [home / "theirs"]
    def locate(self, path):
        fail("locate")
        return path if path.name == "mine" else None
    def token(self, path):
        fail("token")
        return "1"
    @contextmanager
    def open(self, path, cursor, options):
        fail("open")
        yield Source()
        fail("leaving")
    def resume_command(self, session):
        fail("resume")
        return "broken --resume"

importer = Importer()
"""
SEARCHES = ["discover", "folders", "locate", "resume"]
READINGS = ["token", "open", "openings", "families", "read", "batches", "cursor", "leaving"]


@pytest.fixture
def broken(installed, request):
    installed("agent_broken", AGENT, f"broken_{request.param}")
    return next(one for one in importers() if isinstance(one, GuardedImporter))


@pytest.mark.parametrize("broken", SEARCHES, indirect=True)
def test_what_fails_while_it_looks_is_a_warning_and_found_nothing(broken, tmp_path, caplog):
    (tmp_path / ".hermes").mkdir()
    agent = state_db(tmp_path / ".hermes" / "state.db", sessions=[session("a")])
    assert agent in [one.path for one in discover(tmp_path, {})]
    assert tmp_path / ".hermes" in discovery_folders(tmp_path, {})
    assert importer_for(agent)[0].kind == "hermes"
    missing = broken.locate(tmp_path / "mine") is None or broken.resume_command("a") is None
    assert missing is (broken.kind in ("broken_locate", "broken_resume"))
    fault = broken.kind.removeprefix("broken_")
    assert [one.getMessage() for one in caplog.records] == [
        f"the agent {broken.kind} is passed over (ValueError): broken in {fault}"
    ]


@pytest.mark.parametrize("broken", ["twice_discover"], indirect=True)
def test_a_warning_that_repeats_is_given_once(broken, tmp_path, caplog):
    for home in (tmp_path / "one", tmp_path / "two"):
        assert [one.label for one in broken.discover(home, {})] == ["first"]
    assert len(caplog.records) == 1


@pytest.mark.parametrize("broken", READINGS, indirect=True)
def test_what_fails_while_it_reads_is_an_error_of_that_origin_alone(broken, runner, tmp_path):
    mine = tmp_path / "mine"
    mine.write_text("theirs")
    said = [row("b", "user", "Hello.")]
    agent = state_db(tmp_path / "state.db", sessions=[session("b")], messages=said)
    result = runner.invoke(main, ["import", str(mine), str(agent), "--json"])
    fault = broken.kind.removeprefix("broken_")
    assert result.stderr.splitlines() == [
        f"hermes-sessions: {mine}: the importer of {broken.kind} failed (ValueError): broken in {fault}"
    ]
    assert (result.exit_code, json.loads(result.stdout)["imports"][0]["messages"]) == (1, 1)


@pytest.mark.parametrize("broken", ["nothing"], indirect=True)
def test_one_that_fails_nowhere_is_read(broken, runner, tmp_path: Path):
    (tmp_path / "mine").write_text("theirs")
    result = runner.invoke(main, ["import", str(tmp_path / "mine"), "--json"])
    assert (result.exit_code, json.loads(result.stdout)["sessions"]) == (0, 1)
