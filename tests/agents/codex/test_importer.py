"""Where rollouts are found, and what is known as one."""

import pytest

from hermes_sessions.agents.codex.importer import IMPORTER
from hermes_sessions.agents.registry import importer_for
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path


@pytest.fixture
def talk(home):
    talk = home.talk()
    talk.ask("hello")
    talk.write()
    return talk


def test_a_variable_names_the_home(tmp_path):
    (tmp_path / "elsewhere" / "archived_sessions").mkdir(parents=True)
    found = IMPORTER.discover(tmp_path, {"CODEX_HOME": str(tmp_path / "elsewhere")})
    assert [one.path for one in found] == [tmp_path / "elsewhere"]
    assert list(IMPORTER.discover(tmp_path, {})) == []


def test_the_folder_of_each_recent_day_is_watched(home, talk):
    assert talk.path.parent in IMPORTER.folders(home.path.parent, {})
    for day in range(1, 29):
        for month in range(1, 13):
            (home.path / "sessions" / "2025" / f"{month:02}" / f"{day:02}").mkdir(parents=True)
    folders = IMPORTER.folders(home.path.parent, {})
    assert talk.path.parent in folders
    assert len(folders) < 80


def test_a_home_its_sessions_a_day_and_one_rollout_can_be_named(home, talk):
    named = {home.path: home.path, home.path / "sessions": home.path}
    named |= {talk.path.parent: talk.path.parent, talk.path: talk.path}
    for path, located in named.items():
        assert importer_for(path) == (IMPORTER, located)


def test_what_holds_no_message_yet_is_named_in_the_report(home, talk, database):
    home.talk("begun").write()
    torn = talk.path.with_name("rollout-2026-01-01T00-00-00-torn.jsonl")
    torn.write_text('{"timestamp":"2026-01-0')
    report = import_path(database, home.path, ImportOptions(clock=lambda: 0.0))
    assert [(one["id"], one["reason"]) for one in report.warnings] == [
        (f"{torn.stem}:0", "its last line is not whole yet (23 bytes); it is read when it is"),
        ("begun", "no messages in it; `list --kind all` shows it"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        '{"type": "user", "uuid": "u", "parentUuid": null, "sessionId": "s", "message": {"content": "x"}}',
        '{"type": "session", "version": 3, "id": "x", "timestamp": "2026-01-01", "cwd": "/"}',
        '{"id": "x", "text": "of somebody else"}',
        "[]",
        "",
    ],
)
def test_lines_of_others_are_not_taken_for_a_rollout(tmp_path, line):
    path = tmp_path / "rollout-2026-01-01T00-00-00-x.jsonl"
    path.write_text(f"{line}\n")
    assert IMPORTER.locate(tmp_path) is None
    assert IMPORTER.locate(path) is None
