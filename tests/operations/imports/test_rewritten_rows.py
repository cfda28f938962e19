"""Rows that an agent deletes and writes anew, after they were imported."""

import pytest

from hermes_sessions.handoff import render_handoff
from tests.agents.hermes.hermes_builder import session
from tests.operations.dump import dump
from tests.operations.imports.scene import handoff, talk

LINES = ("start", "working", "more", "done", "and more", "done again")
WHOLE = [f"{'user' if at % 2 == 0 else 'assistant'}: {text}" for at, text in enumerate(LINES)]


def sql(*rows, start=101):
    return [
        "INSERT INTO messages (id, session_id, role, content, timestamp)"
        f" VALUES ({start + at}, 's', '{role}', '{text}', {1_780_005_000.0 + at})"
        for at, (role, text) in enumerate(rows)
    ]


SUMMARY = ("user", render_handoff("What was done."))
TAIL = (("user", "and more"), ("assistant", "done again"))
NEW = (("user", "next"), ("assistant", "ok"))
COMPACTED = ["DELETE FROM messages WHERE session_id = 's'", *sql(SUMMARY, *TAIL, *NEW)]


def test_rows_replaced_by_a_compaction_become_its_span(scene):
    scene.play([session("s")], talk("s", *LINES))
    scene.alter(*COMPACTED)
    assert scene.scroll("s") == [*WHOLE, "handoff: What was done.", "user: next", "assistant: ok"]
    [one] = scene.compactions("s")
    assert (one["span"]["stored"], one["span"]["messages"]) == (True, 4)
    states = [line.state for line in scene.rows().values()]
    assert states.count("live") == 5


def test_what_was_joined_stays_joined(scene):
    scene.play([session("s")], talk("s", *LINES))
    scene.alter(*COMPACTED)
    before = dump(scene.database)
    scene.bring(scene.folder / "agent/state.db", full=True)
    assert dump(scene.database) == before
    scene.alter(*sql(("user", "later"), start=201))
    assert scene.scroll("s")[-4:] == ["handoff: What was done.", "user: next", "assistant: ok", "user: later"]
    assert scene.scroll("s").count("user: and more") == 1


def test_a_session_may_be_replaced_twice(scene):
    scene.play([session("s")], talk("s", *LINES))
    scene.alter(*COMPACTED)
    second = ("user", render_handoff("More was done."))
    scene.alter("DELETE FROM messages WHERE session_id = 's'", *sql(second, *NEW, ("user", "z"), start=301))
    assert scene.scroll("s") == [
        *WHOLE, "handoff: What was done.", "user: next", "assistant: ok",
        "handoff: More was done.", "user: z",
    ]  # fmt: skip
    assert [one["summary"] for one in scene.compactions("s")] == ["What was done.", "More was done."]


def test_a_reply_merged_into_the_replacing_handoff_stays_where_it_was(scene):
    scene.play([session("s")], talk("s", *LINES))
    merged = ("assistant", f"{render_handoff('Done so far.')}\n\ndone")
    scene.alter("DELETE FROM messages WHERE session_id = 's'", *sql(merged, *TAIL, *NEW))
    assert scene.scroll("s") == [*WHOLE, "handoff: Done so far.", "user: next", "assistant: ok"]


@pytest.mark.parametrize("kept", [0, 2, 4])
def test_rows_rewritten_by_an_undo_stand_where_they_were(scene, kept):
    scene.play([session("s")], talk("s", *LINES))
    first = {number: one.id for number, one in scene.rows().items()}
    again = [line.split(": ", 1) for line in WHOLE[:kept]]
    scene.alter("DELETE FROM messages WHERE session_id = 's'", *sql(*again, ("user", "instead")))
    assert scene.scroll("s") == [*WHOLE[:kept], "user: instead"]
    rows = scene.rows()
    assert [rows[101 + at].copy_of for at in range(kept)] == [first[1 + at] for at in range(kept)]


def test_archived_rows_that_were_deleted_stay_archived(scene):
    old = talk("s", *LINES, active=0, compacted=1)
    scene.play([session("s")], [*old, handoff("s"), *talk("s", "and more", "done again", "next", "ok")])
    before = scene.scroll("s")
    scene.alter("DELETE FROM messages WHERE compacted = 1")
    assert scene.scroll("s") == before
    assert scene.events() == [("in_place", "committed")]
