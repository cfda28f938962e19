"""Where tasks are found, and what is known as one."""

import pytest

from hermes_sessions.agents.contract import OpenOptions
from hermes_sessions.agents.registry import importer_for
from hermes_sessions.agents.roo.importer import IMPORTER

EXTENSION = "rooveterinaryinc.roo-cline"


@pytest.fixture
def task(home):
    task = home.task()
    task.ask("hello")
    task.write()
    return task


@pytest.mark.parametrize(
    ("place", "env"),
    [
        (".config/VSCodium", {}),
        ("Library/Application Support/Cursor", {}),
        (".vscode-server/data", {}),
        ("elsewhere/Code", {"XDG_CONFIG_HOME": "elsewhere"}),
        ("Roaming/Code - Insiders", {"APPDATA": "Roaming"}),
        ("stick/user-data", {"VSCODE_PORTABLE": "stick"}),
    ],
)
def test_tasks_of_any_editor_are_found(tmp_path, place, env):
    folder = tmp_path / place / "User" / "globalStorage" / EXTENSION
    (folder / "tasks").mkdir(parents=True)
    told = {name: str(tmp_path / value) for name, value in env.items()}
    assert [one.path for one in IMPORTER.discover(tmp_path, told)] == [folder]


def test_the_newest_tasks_are_watched(home, task, tmp_path):
    assert task.folder in IMPORTER.folders(tmp_path, {})


def test_the_folder_its_tasks_one_task_and_its_history_can_be_named(home, task):
    named = {home.path: home.path, home.path / "tasks": home.path}
    named |= {task.folder: task.folder, task.history: task.folder}
    for path, located in named.items():
        assert importer_for(path) == (IMPORTER, located)


@pytest.mark.parametrize("written", ["{}", "[]", '[{"role": "user", "content": "x"}]', "[1]", ""])
def test_a_history_of_somebody_else_is_not_taken_for_a_task(tmp_path, written):
    (tmp_path / "api_conversation_history.json").write_text(written)
    assert IMPORTER.locate(tmp_path) is None


def test_a_task_is_continued_in_its_editor():
    assert IMPORTER.resume_command("a") is None


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("nothing", "not JSON"),
        ("{}", "not a list"),
        ("", "empty"),
    ],
)
def test_a_history_that_cannot_be_read_is_damage_in_one_line(home, task, written, why):
    bad = home.task("bad")
    bad.write()
    bad.history.write_text(written)
    with IMPORTER.open(home.path, None, OpenOptions(now=0.0)) as source:
        assert source.damage == [f"tasks/bad/api_conversation_history.json: {why}"]
        assert (list(source.entries), source.complete) == (["a"], False)
