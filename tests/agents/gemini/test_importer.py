"""Where sessions are found, and what is known as one."""

import pytest

from hermes_sessions.agents.gemini.importer import IMPORTER
from hermes_sessions.agents.registry import importer_for


@pytest.fixture
def talk(home):
    talk = home.talk()
    talk.ask("hello")
    talk.write()
    return talk


def test_projects_and_their_chats_are_watched(home, talk):
    assert {talk.path.parent, talk.path.parent.parent} <= set(IMPORTER.folders(home.path.parent, {}))


def test_without_chats_there_is_nothing_to_find(home):
    (home.path / "tmp" / "app").mkdir(parents=True)
    assert list(IMPORTER.discover(home.path.parent, {})) == []


def test_a_home_its_projects_a_project_its_chats_and_one_session_can_be_named(home, talk):
    named = {home.path: home.path, home.path / "tmp": home.path}
    named |= {one: one for one in (talk.path.parent.parent, talk.path.parent, talk.path)}
    for path, located in named.items():
        assert importer_for(path) == (IMPORTER, located)


def test_a_session_of_the_old_form_can_be_named(home):
    talk = home.talk(suffix=".json")
    talk.ask("hello")
    assert importer_for(talk.write()) == (IMPORTER, talk.path)


@pytest.mark.parametrize(
    "line",
    [
        '{"type": "user", "uuid": "u", "parentUuid": null, "sessionId": "s", "message": {"content": "x"}}',
        '{"timestamp": "2026-01-01", "type": "session_meta", "payload": {"id": "x", "timestamp": "x"}}',
        '{"type": "session", "version": 3, "id": "x", "timestamp": "x", "cwd": "/"}',
        '{"id": "x", "type": "user", "text": "of somebody else"}',
        "[]",
        "",
    ],
)
@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_files_of_others_are_not_taken_for_a_session(tmp_path, line, suffix):
    folder = tmp_path / "chats"
    folder.mkdir()
    (folder / f"other{suffix}").write_text(f"{line}\n")
    assert IMPORTER.locate(folder) is None
    assert IMPORTER.locate(folder / f"other{suffix}") is None


def test_a_session_is_continued_by_its_id():
    assert IMPORTER.resume_command("a") == "gemini --resume a"


def test_of_a_session_in_both_forms_the_new_one_is_read(home):
    for suffix, text in ((".json", "old"), (".jsonl", "new")):
        talk = home.talk(suffix=suffix)
        talk.ask(text)
        talk.write()
    assert home.read().texts("a") == ["new"]


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("nothing", "not JSON"),
        ('{"messages": {}}', "not an object with a list 'messages'"),
        ("[]", "not an object with a list 'messages'"),
        ("", "empty"),
        ('{"messages": [], "x": ' + "[" * 200_000 + "]" * 200_000 + "}", "nested too deeply"),
    ],
    ids=["no JSON", "no list", "no object", "empty", "deep"],
)
def test_an_object_that_cannot_be_read_is_damage_in_one_line(home, talk, written, why):
    from hermes_sessions.agents.contract import OpenOptions

    home.file("bad", ".json").write_text(written)
    with IMPORTER.open(home.path, None, OpenOptions(now=0.0)) as source:
        assert source.damage == [f"tmp/app/chats/session-2026-05-28T20-26-bad.json: {why}"]
        assert (list(source.entries), source.complete) == (["a"], False)
