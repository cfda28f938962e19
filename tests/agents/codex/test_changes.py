"""After any change of its files the store is what a fresh import of them would be."""

import json

import pytest
from backports import zstd

from tests.agents.changed_home import as_stored, assert_as_afresh, bring
from tests.agents.codex.rollout_builder import OPENING, Rollout, encrypted, user_item


def add_turns(home, name="a"):
    talk = Rollout.of(home.file(name))
    talk.turn(5_000)
    talk.ask("more")
    talk.call("t9")
    talk.result("t9", "out")
    talk.write()


def add_compaction(home):
    talk = Rollout.of(home.file("a"))
    talk.compact(message=f"{OPENING}later")
    talk.ask("and now")
    talk.write()


def roll_back(home):
    talk = Rollout.of(home.file("a"))
    talk.add("event_msg", "thread_rolled_back", num_turns=1)
    talk.write()


def leave_half(home):
    with home.file("a").open("ab") as file:
        file.write(b'{"timestamp": "2026-05-28T20:40:00.000Z", "type": "resp')


def finish_line(home):
    with home.file("a").open("ab") as file:
        line = json.dumps({"type": "response_item", "payload": {**user_item("whole")}})
        file.write(line.encode()[line.index("onse_item") :] + b"\n")


def reply_begun(home):
    talk = Rollout.of(home.file("a"))
    talk.add("event_msg", "agent_message", message="I am on it")
    talk.write()


def reply_done(home):
    talk = Rollout.of(home.file("a"))
    talk.message("assistant", "I am on it")
    talk.call("t7")
    talk.write()


def retitle(home):
    (home.path / "session_index.jsonl").write_text('{"id": "a", "thread_name": "Mine"}\n')


def undo_compaction(home):
    talk = Rollout.of(home.file("a"))
    talk.lines = talk.lines[:8]
    talk.write()


def fork(home):
    parent = Rollout.of(home.file("a"))
    talk = home.talk("c", forked_from_id="a")
    talk.lines += parent.lines
    talk.ask("other way")
    talk.write()


def start_agent(home):
    agent = home.talk("d", source={"subagent": {"thread_spawn": {"parent_thread_id": "a"}}})
    agent.ask("find it")
    agent.write()


def archive(home):
    folder = home.path / "archived_sessions"
    folder.mkdir(exist_ok=True)
    home.file("a").rename(folder / home.file("a").name)


def compress(home):
    plain = home.file("b")
    plain.with_name(plain.name + ".zst").write_bytes(zstd.compress(plain.read_bytes()))
    plain.unlink()


def number_lines(home):
    old = Rollout.of(home.file("a"))
    for at, line in enumerate(old.lines):
        line["ordinal"] = at
    old.lines[0]["payload"]["history_mode"] = "paginated"
    old.write()


def next_segment(home):
    base = {"thread_id": "b", "end_ordinal_exclusive": 90}
    talk = home.segment("s2", "b", ordinal=90, history_base=base)
    talk.ask("in another file")
    talk.write()


CHANGES = {
    "turns": [add_turns],
    "a compaction": [add_compaction],
    "one after the other": [add_turns, add_compaction, roll_back, add_turns],
    "half a line, then the rest": [leave_half, finish_line],
    "a reply whose item comes later": [reply_begun, reply_done],
    "a title": [retitle],
    "cut off before the compaction": [undo_compaction],
    "cut off, then longer": [undo_compaction, add_turns, add_compaction],
    "a fork": [fork, lambda home: add_turns(home, "c")],
    "an agent inside": [start_agent, add_turns],
    "deleted": [lambda home: home.file("b").unlink()],
    "archived": [archive],
    "compressed": [compress],
    "rewritten in a newer form": [number_lines],
    "another segment": [next_segment],
}


@pytest.mark.slow
@pytest.mark.sqlite_only
@pytest.mark.parametrize("steps", CHANGES.values(), ids=CHANGES)
def test_a_changed_home_is_as_if_imported_afresh(home, database, tmp_path, steps):
    for name in ("a", "b"):
        talk = home.talk(name)
        talk.turn(1_000)
        talk.ask("first")
        talk.reply("one")
        talk.ask("second")
        talk.reply("two")
        talk.compact(replacement_history=[user_item("first"), encrypted(name)])
        talk.ask("third")
        talk.write()
    assert_as_afresh(database, home, tmp_path, steps)


def test_a_role_that_changed_is_stored(home, database):
    talk = home.talk()
    talk.ask("first")
    talk.reply("one")
    talk.message("user", "and then")
    talk.write()
    bring(database, home.path)
    assert roles(database, "and then") == ["user"]  # its event may still come
    talk.ask("something else")
    talk.write()
    bring(database, home.path)
    assert roles(database, "and then") == ["session_meta"]


def roles(database, text):
    return [row[2] for row in as_stored(database)[0] if row[5] == text]
