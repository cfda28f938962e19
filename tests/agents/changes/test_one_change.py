"""Single changes after which a store once said something else than a fresh one."""

import pytest

from hermes_sessions.operations.writing.origins import list_origins
from hermes_sessions.store.opening.database import Database
from tests.agents.changes.present import bring, differences
from tests.agents.claude_code.conftest import ClaudeHome
from tests.agents.codex.conftest import CodexHome
from tests.agents.opencode.conftest import OpenCodeHome
from tests.agents.opencode.session_builder import KeptInDatabase


@pytest.fixture
def as_afresh(database, tmp_path):
    """Import a home again, and hold the store against one that is filled now."""
    number = iter(range(9))

    def compared(path):
        bring(database, path)
        with Database.open(str(tmp_path / f"fresh-{next(number)}.db")) as fresh:
            bring(fresh, path)
            assert differences(database, fresh) == []

    return compared


@pytest.mark.sqlite_only
def test_what_was_there_all_along_repeats_nothing_that_was_cut_off(tmp_path, as_afresh):
    home = CodexHome(tmp_path / ".codex")
    talk = home.talk("a")
    for text in ("again", "go on", "again"):
        talk.ask(text)
        talk.reply(f"to {text}")
    talk.write()
    as_afresh(home.path)
    del talk.lines[-4:]
    talk.write()
    as_afresh(home.path)
    talk.ask("again")
    talk.write()
    as_afresh(home.path)


@pytest.mark.sqlite_only
def test_an_event_whose_item_is_another_by_now_keeps_its_place(tmp_path, as_afresh):
    home = CodexHome(tmp_path / ".codex")
    talk = home.talk("a")
    talk.add("event_msg", "user_message", message="again", images=[])
    talk.message("user", "something else")
    talk.message("user", "again")
    talk.write()
    as_afresh(home.path)


@pytest.mark.sqlite_only
def test_a_compaction_that_turns_up_late_is_where_it_happened(database, tmp_path, as_afresh):
    home = OpenCodeHome(tmp_path / "opencode", KeptInDatabase(tmp_path / "opencode" / "opencode.db"))
    talk = home.talk("a")
    talk.ask("first")
    talk.use("c1", "long " * 99)
    talk.compact("one")
    talk.ask("second")
    talk.compact("two")
    as_afresh(home.path)
    [(one, part, told)] = [
        (one, part, told)
        for one, _, parts in home.kept.read()["a"]
        for part, told in parts
        if told["type"] == "tool"
    ]
    for cleared in (1_780_000_000_000, 1_790_000_000_000):
        told["state"]["time"]["compacted"] = cleared
        home.kept.put_part("a", one, part, told)
        as_afresh(home.path)
    del told["state"]["time"]["compacted"]
    home.kept.put_part("a", one, part, told)
    as_afresh(home.path)


def test_a_home_in_which_all_that_was_known_is_deleted_is_the_same_origin(database, tmp_path):
    home = ClaudeHome(tmp_path / ".claude")
    old = home.talk("old")
    old.ask("hello")
    old.write()
    bring(database, home.path)
    old.path.unlink()
    new = home.talk("new")
    new.ask("hello")
    new.write()
    bring(database, home.path)
    [origin] = list_origins(database)
    assert origin.sessions == 2


@pytest.mark.sqlite_only
def test_what_a_fork_inherited_is_inherited_when_it_was_written_anew(tmp_path, as_afresh):
    home = CodexHome(tmp_path / ".codex")
    talk = home.talk("a")
    for text in ("one", "two", "three"):
        talk.ask(text)
        talk.reply(f"to {text}")
    talk.write()
    fork = home.talk("f", began=1_780_009_000.0, forked_from_id="a")
    fork.lines += [dict(one) for one in talk.lines]
    fork.ask("other way")
    fork.write()
    as_afresh(home.path)
    for one in (talk, fork):
        for line in one.lines:
            for name, value in list(line["payload"].items()):
                if value == "to two":
                    line["payload"][name] = "to the second"
            if isinstance(line["payload"].get("content"), list):
                line["payload"] = {
                    **line["payload"],
                    "content": [
                        {**block, "text": block["text"].replace("to two", "to the second")}
                        for block in line["payload"]["content"]
                    ],
                }
        one.write()
    as_afresh(home.path)
