"""Where sessions are found, and what is known as one."""

import pytest

from hermes_sessions.agents.pi.importer import IMPORTER
from hermes_sessions.agents.registry import importer_for


@pytest.fixture
def talk(home):
    talk = home.talk()
    talk.ask("hello")
    talk.write()
    return talk


def test_the_fork_of_pi_is_found_in_its_own_folder(tmp_path):
    for name in (".pi", ".omp"):
        (tmp_path / name / "agent" / "sessions").mkdir(parents=True)
    found = [one.path for one in IMPORTER.discover(tmp_path, {})]
    assert found == [tmp_path / ".pi" / "agent", tmp_path / ".omp" / "agent"]


def test_the_folder_of_each_project_is_watched(home, talk):
    assert talk.path.parent in IMPORTER.folders(home.path.parent.parent, {})


def test_a_home_its_sessions_one_project_and_one_session_can_be_named(home, talk):
    named = {home.path.parent: home.path, home.path: home.path, home.path / "sessions": home.path}
    named |= {talk.path.parent: talk.path.parent, talk.path: talk.path}
    for path, located in named.items():
        assert importer_for(path) == (IMPORTER, located)


@pytest.mark.parametrize(
    "line",
    [
        '{"type": "user", "uuid": "u", "parentUuid": null, "sessionId": "s", "message": {"content": "x"}}',
        '{"timestamp": "2026-01-01", "type": "session_meta", "payload": {"id": "x", "timestamp": "x"}}',
        '{"type": "session", "id": "x"}',
        '{"type": "message", "parentId": null, "message": {"role": {}}}',
        '{"type": "message", "message": {"role": "user", "content": "of somebody else"}}',
        "[]",
        "",
    ],
)
def test_lines_of_others_are_not_taken_for_a_session(tmp_path, line):
    (tmp_path / "other.jsonl").write_text(f"{line}\n")
    assert IMPORTER.locate(tmp_path) is None
    assert IMPORTER.locate(tmp_path / "other.jsonl") is None


def test_a_session_is_continued_by_its_id():
    assert IMPORTER.resume_command("a") == "pi --session a"


def test_a_file_without_a_whole_line_is_no_session_yet(home, talk):
    home.file("b").write_text('{"type": "session", "id": "b"')
    assert list(home.read().sessions) == ["a"]


def test_a_file_that_lost_its_header_is_known_by_its_name(home, talk):
    lines = talk.path.read_text().splitlines()
    talk.path.write_text("\n".join(["{spoiled", *lines[1:]]) + "\n")
    found = home.read()
    assert (list(found.sessions), found.texts("a"), len(found.rejected)) == (["a"], ["hello"], 1)
