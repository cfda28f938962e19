"""Where transcripts are found, and what is known as one."""

import os

import pytest

from hermes_sessions.agents.claude_code.importer import IMPORTER
from hermes_sessions.agents.registry import importer_for


@pytest.fixture
def talk(home):
    talk = home.talk()
    talk.ask("hello")
    talk.write()
    return talk


@pytest.mark.parametrize("separator", [os.pathsep, ","])
def test_a_variable_may_list_several_homes(tmp_path, separator):
    homes = [tmp_path / name for name in ("one", "two")]
    for one in homes:
        (one / "projects").mkdir(parents=True)
    told = {"CLAUDE_CONFIG_DIR": separator.join(map(str, homes))}
    assert [found.path for found in IMPORTER.discover(tmp_path / "nobody", told)] == homes


def test_a_home_with_a_comma_in_its_name_is_one(tmp_path):
    (tmp_path / "a,b" / "projects").mkdir(parents=True)
    told = {"CLAUDE_CONFIG_DIR": str(tmp_path / "a,b")}
    assert [found.path for found in IMPORTER.discover(tmp_path, told)] == [tmp_path / "a,b"]


def test_the_folder_of_each_project_is_watched(home, talk):
    assert talk.path.parent in IMPORTER.folders(home.path.parent, {})


def test_a_home_its_projects_one_project_and_one_transcript_can_be_named(home, talk):
    named = {home.path: home.path, home.path / "projects": home.path}
    named |= {talk.path.parent: talk.path.parent, talk.path: talk.path}
    for path, located in named.items():
        assert importer_for(path) == (IMPORTER, located)


@pytest.mark.parametrize(
    "line",
    [
        '{"type": "user", "text": "of somebody else"}',
        '{"timestamp": "2026-01-01", "type": "session_meta", "payload": {"id": "x"}}',
        '{"type": "session", "version": 3, "id": "x", "cwd": "/"}',
        "[]",
        "",
    ],
)
def test_lines_of_others_are_not_taken_for_a_transcript(tmp_path, line):
    (tmp_path / "other.jsonl").write_text(f"{line}\n")
    assert IMPORTER.locate(tmp_path) is None
    assert IMPORTER.locate(tmp_path / "other.jsonl") is None


def test_an_agent_inside_is_not_continued_by_a_command():
    assert IMPORTER.resume_command("a") == "claude --resume a"
    assert IMPORTER.resume_command("a/agent-x1") is None
    assert IMPORTER.resume_command("a#side") is None
