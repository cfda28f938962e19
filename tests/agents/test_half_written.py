"""A home whose only file is half written is a live one: the report says so, and the next import reads it."""

import shutil

import pytest
from click.testing import CliRunner

from hermes_sessions.cli import main
from tests.agents.changed_home import bring
from tests.agents.claude_code.conftest import ClaudeHome
from tests.agents.codex.conftest import CodexHome
from tests.agents.gemini.conftest import GeminiHome
from tests.agents.goose.conftest import GooseHome
from tests.agents.goose.session_builder import GooseInFiles
from tests.agents.opencode.conftest import OpenCodeHome
from tests.agents.opencode.session_builder import KeptInFiles
from tests.agents.pi.conftest import PiHome
from tests.agents.roo.conftest import RooHome


def claude_code(folder):
    talk = ClaudeHome(folder / ".claude").talk()
    talk.ask("hello")
    return folder / ".claude", talk.write()


def codex(folder):
    talk = CodexHome(folder / ".codex").talk()
    talk.ask("hello")
    return folder / ".codex", talk.write()


def pi(folder):
    talk = PiHome(folder / ".pi" / "agent").talk()
    talk.ask("hello")
    return folder / ".pi", talk.write()


def gemini(folder):
    talk = GeminiHome(folder / ".gemini").talk()
    talk.ask("hello")
    return folder / ".gemini", talk.write()


def gemini_in_one_object(folder):
    talk = GeminiHome(folder / ".gemini").talk("a", ".json")
    talk.ask("hello")
    return folder / ".gemini", talk.write()


def roo(folder):
    task = RooHome(folder / "rooveterinaryinc.roo-cline").task()
    task.ask("hello")
    task.write()
    return folder / "rooveterinaryinc.roo-cline", task.history


def goose(folder):
    home = GooseHome(folder / "goose" / "sessions", GooseInFiles(folder / "goose" / "sessions"))
    home.talk("a").ask("hello")
    return folder / "goose", folder / "goose" / "sessions" / "a.jsonl"


def opencode(folder):
    OpenCodeHome(folder / "opencode", KeptInFiles(folder / "opencode" / "storage")).talk("ses_a").ask("hello")
    [file] = (folder / "opencode" / "storage" / "session").rglob("*.json")
    return folder / "opencode", file


HOMES = [claude_code, codex, pi, gemini, gemini_in_one_object, roo, goose, opencode]
NAMED = HOMES[:6]
"""Those of which a file can be named."""


@pytest.fixture(params=HOMES, ids=[one.__name__ for one in HOMES])
def begun(request, tmp_path):
    home, file = request.param(tmp_path)
    whole = file.read_bytes()
    file.write_bytes(whole[:25])
    return home, file, whole


@pytest.mark.sqlite_only
@pytest.mark.parametrize("named", ["the home", "the file"])
def test_it_is_a_report_that_says_why(begun, named, tmp_path):
    home, file, _ = begun
    if named == "the file" and home.name not in {one(tmp_path / "other")[0].name for one in NAMED}:
        pytest.skip("its files are read as a folder")
    path = home if named == "the home" else file
    done = CliRunner().invoke(main, ["import", str(path), "--db", str(tmp_path / "x.db")])
    assert done.exit_code == 0
    assert "is read when it is" in done.output
    assert "nothing changed" not in done.output


@pytest.mark.sqlite_only
def test_when_it_is_whole_it_is_read(begun, database):
    home, file, whole = begun
    assert bring(database, home).messages == 0
    assert bring(database, home).unchanged
    file.write_bytes(whole)
    assert bring(database, home).messages == 1


@pytest.mark.sqlite_only
@pytest.mark.parametrize("name", ["a.jsonl", "-notes/a.jsonl", "projects/notes/a.jsonl", "chats/a.jsonl"])
def test_a_half_line_of_somebody_else_is_nobodys_session(tmp_path, name):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"type": "user", "uu')
    done = CliRunner().invoke(main, ["import", str(tmp_path), "--db", str(tmp_path / "x.db")])
    assert done.exit_code == 2


@pytest.mark.sqlite_only
@pytest.mark.parametrize("left", ["session", "message"])
def test_half_of_a_storage_is_a_report_that_says_why(tmp_path, left):
    home, _ = opencode(tmp_path)
    for part in {"session", "message", "part"} - {left}:
        shutil.rmtree(home / "storage" / part)
    done = CliRunner().invoke(main, ["import", str(home), "--db", str(tmp_path / "x.db")])
    assert done.exit_code == 0, done.output
    assert ("no messages in it" if left == "session" else "there are messages of it alone") in done.output
