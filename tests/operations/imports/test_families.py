import json
from itertools import pairwise

import pytest

from hermes_sessions.handoff import render_handoff
from hermes_sessions.operations.imports import row_transactions
from tests.agents.hermes.hermes_builder import row, session
from tests.operations.imports.scene import again, handoff, talk
from tests.statements import recorded

LINES = ("start", "working", "more", "done", "and more", "done again")
PARENT = talk("p", *LINES)


def config(**markers):
    return json.dumps(markers)


def continuation(of, session_id, *new):
    return [handoff(session_id), *again(of[-2:], session_id), *talk(session_id, *new)]


def test_a_child_of_a_deleted_parent_that_begins_with_a_handoff_continues_it(scene):
    scene.play([session("c", parent="deleted")], [handoff("c"), *talk("c", "go on", "done")])
    [one] = scene.compactions("c")
    assert (one["realisation"], one["parent"], one["span"]["stored"]) == ("rotation", "deleted", False)
    assert scene.scroll("c")[0] == "handoff: What was done."


def test_an_old_handoff_after_a_deleted_parent_is_known_by_its_place(scene):
    rows = [row("c", "user", "[CONTEXT SUMMARY]: Goal: ship."), *talk("c", "on it", first="assistant")]
    scene.play([session("c", parent="deleted")], rows, version=1)
    assert scene.kinds() == {1: "handoff"}


def test_a_numbered_child_whose_link_was_cleared_still_says_that_something_is_missing(scene):
    scene.play([session("c", title="Billing #3")], [handoff("c"), *talk("c", "go on", "done")])
    [one] = scene.compactions("c")
    assert (one["realisation"], one["parent"], one["span"]["stored"]) == ("rotation", None, False)
    assert scene.conversations()["c"].title == "Billing #3"


def test_a_child_of_a_deleted_parent_without_a_handoff_is_unknown(scene):
    scene.play([session("c", parent="deleted")], talk("c", "hello", "hi"))
    assert scene.relations() == {"c": "unknown"}
    assert scene.scroll("c") == ["user: hello", "assistant: hi"]


def test_a_branch_of_a_compacted_session_shows_its_handoff_as_one(scene):
    live = continuation(PARENT, "c", "x", "y")
    branch = [*again(live, "b"), *talk("b", "other way", "sure")]
    scene.play(
        [
            session("p", end_reason="compression"),
            session("c", parent="p", end_reason="branched"),
            session("b", parent="c", model_config=config(_branched_from="c")),
        ],
        [*PARENT, *live, *branch],
    )
    assert scene.relations() == {"p": "root", "c": "compaction", "b": "branch"}
    assert scene.events() == [("rotation", "committed")]
    assert scene.session("b").inherited_count == 5
    assert scene.kinds() == {7: "handoff", 12: "handoff"}
    assert scene.scroll("b")[-2:] == ["user: other way", "assistant: sure"]


@pytest.mark.parametrize("head", [0, 3])
def test_a_branch_from_before_a_compaction_in_place_knows_what_it_inherited(scene, head):
    old = [{**one, "active": 0, "compacted": 1} for one in PARENT]
    branch = [*again(PARENT[:4], "b"), *talk("b", "other way", "sure")]
    after = [*again(PARENT[:head], "p"), handoff("p"), *again(PARENT[-2:], "p"), *talk("p", "x", "y")]
    scene.play(
        [session("p"), session("b", parent="p", model_config=config(_branched_from="p"))],
        [*old, *branch, *after],
    )
    assert scene.relations()["b"] == "branch"
    assert scene.session("b").inherited_count == 4
    assert scene.events() == [("in_place", "committed")]


def test_a_delegate_is_a_conversation_of_its_own(scene):
    task = talk("d", "your task is to look", "found it")
    scene.play(
        [session("p"), session("d", parent="p", model_config=config(_delegate_from="p"))], [*PARENT, *task]
    )
    assert scene.relations()["d"] == "delegate"
    assert scene.conversations()["d"].kind == "delegate"


def test_a_continuation_of_a_delegate_inherits_its_marker_and_is_no_delegate(scene):
    task = talk("d", "your task is to look", "looking", "thanks", "found it")
    marker = config(_delegate_from="p")
    scene.play(
        [
            session("p"),
            session("d", parent="p", model_config=marker, end_reason="compression"),
            session("e", parent="d", model_config=marker),
        ],
        [*PARENT, *task, *continuation(task, "e", "x", "y")],
    )
    assert scene.relations() == {"p": "root", "d": "delegate", "e": "compaction"}
    assert scene.conversations()["d"].session_count == 2


def test_a_marker_that_names_nobody_is_no_evidence(scene):
    scene.play(
        [
            session("p", end_reason="compression"),
            session("c", parent="p", model_config=config(_delegate_from="__orphaned__")),
        ],
        [*PARENT, *continuation(PARENT, "c", "x", "y")],
    )
    assert scene.relations()["c"] == "compaction"


def test_a_continuation_that_a_migration_took_for_a_delegate_is_one_by_its_rows(scene):
    scene.play(
        [
            session("p", end_reason="cli_close"),
            session("c", parent="p", model_config=config(_delegate_from="p")),
        ],
        [*PARENT, *continuation(PARENT, "c", "x", "y")],
    )
    assert scene.relations()["c"] == "compaction"


@pytest.mark.parametrize("rows", [0, 4])
def test_untagged_delegates_of_a_parent_that_was_compacted_later_are_no_continuations(scene, rows):
    tasks = [*talk("d1", "task one", "a", "b", "c"), *talk("d2", "task two", "a", "b", "c", "d", "e")]
    child = continuation(PARENT, "c", "x", "y")[:rows]
    scene.play(
        [session("p", end_reason="compression"), *(session(one, parent="p") for one in ("d1", "d2", "c"))],
        [*PARENT, *tasks, *child],
    )
    assert scene.relations() == {"p": "root", "d1": "delegate", "d2": "delegate", "c": "compaction"}


@pytest.mark.parametrize("reason", ["session_reset", "idle", "daily"])
def test_a_reset_with_the_same_key_is_a_reset(scene, reason):
    scene.play(
        [session("p", end_reason=reason, session_key="k"), session("r", parent="p", session_key="k")],
        [*PARENT, *talk("r", "hello", "hi")],
    )
    assert scene.relations()["r"] == "reset"
    assert set(scene.conversations()) == {"p", "r"}


def test_of_three_continuations_one_is_followed_and_two_are_shown_as_forks(scene):
    scene.play(
        [
            session("p", end_reason="compression"),
            *(session(one, parent="p") for one in "abc"),
            session("d", parent="b"),
        ],
        [
            *PARENT,
            *continuation(PARENT, "a", "1", "2", "3", "4"),
            *continuation(PARENT, "b", "5", "6"),
            handoff("c"),
            handoff("d", "More."),
            *talk("d", "7", "8"),
        ],
    )
    assert scene.relations() == {
        "p": "root", "a": "compaction*", "b": "compaction", "c": "compaction*", "d": "compaction",
    }  # fmt: skip
    [conversation] = scene.conversations().values()
    assert (conversation.session_count, conversation.fork_count) == (5, 2)
    assert scene.family("p")["tip"] == "d"
    assert "user: 1" not in scene.scroll("p")


def test_a_parent_that_went_on_after_its_compaction_keeps_its_childs_tail_folded(scene):
    child = continuation(PARENT, "c", "x", "y")
    resumed = talk("p", "back here", "yes")
    scene.play([session("p"), session("c", parent="p")], [*PARENT, *child, *resumed])
    assert len(scene.copies()) == 2
    assert scene.relations()["c"] == "compaction"


@pytest.mark.parametrize(
    "links", [{"a": "a"}, {"a": "b", "b": "a"}, {"a": "c", "b": "a", "c": "b", "d": "c"}]
)
def test_circles_of_parents_end(scene, links):
    scene.play(
        [session(one, parent=parent, end_reason="compression") for one, parent in links.items()],
        [line for one in links for line in talk(one, "hello", f"I am {one}")],
    )
    assert scene.relations()["a"] == "root"
    assert scene.report.messages == 2 * len(links)
    assert any("each other's parents" in warning["reason"] for warning in scene.report.warnings)


def chain(length):
    sessions, rows = [], []
    before = talk("s0", *LINES)
    rows += before
    for number in range(length):
        parent = f"s{number - 1}" if number else None
        sessions.append(session(f"s{number}", parent=parent, end_reason="compression"))
        if number:
            one = f"s{number}"
            before = [
                handoff(one, f"Summary {number}."),
                *again(before[-2:], one),
                *talk(one, f"ask {number}", f"reply {number}"),
            ]
            rows += before
    return sessions, rows


def test_a_chain_of_three_hundred_sessions_is_one_conversation(scene):
    scene.play(*chain(300))
    [conversation] = scene.conversations().values()
    assert (conversation.session_count, conversation.compaction_count) == (300, 300)
    assert len(scene.scroll("s0")) == len(LINES) + 299 * 3
    assert scene.family("s0")["tip"] == "s299"


def test_a_head_that_was_copied_into_every_child_is_shown_once(scene):
    opening = PARENT[:3]
    rows, before = list(PARENT), PARENT
    for one in "abcdef":
        before = [
            *again(opening, one), handoff(one, f"Up to {one}.", role="assistant"), *again(before[-2:], one),
            *talk(one, f"ask {one}", f"reply {one}"),
        ]  # fmt: skip
        rows += before
    names = ["p", *"abcdef"]
    scene.play(
        [
            session(one, parent=parent, end_reason="compression")
            for one, parent in zip(names, [None, *names], strict=False)
        ],
        rows,
    )
    assert scene.scroll("p").count("user: start") == 1
    assert len(scene.copies()) == 6 * 5


def test_equal_messages_of_two_unrelated_sessions_are_both_kept(scene):
    scene.play([session("p"), session("q")], [*PARENT, *again(PARENT, "q")])
    assert scene.copies() == {}
    assert len(scene.scroll("q")) == len(LINES)


def test_two_who_greet_alike_are_not_each_others_continuation(scene):
    scene.play(
        [session("p", end_reason="idle"), session("q", parent="p")], [*PARENT, *talk("q", "start", "working")]
    )
    assert scene.relations()["q"] == "unknown"


def test_a_system_row_with_a_note_added_does_not_hide_the_head(scene):
    old = [row("p", "system", "You are helpful."), *PARENT]
    note = "You are helpful.\n\n[Note: some turns were compacted.]"
    child = [
        row("c", "system", note),
        *again(PARENT[:3], "c"),
        handoff("c", role="assistant"),
        *again(PARENT[-2:], "c"),
    ]
    scene.play([session("p", end_reason="compression"), session("c", parent="p")], [*old, *child])
    assert scene.copies() == {8: 1, 9: 2, 10: 3, 11: 4, 13: 6, 14: 7}


def test_bookkeeping_rows_of_a_gateway_are_no_messages(scene):
    meta = [row("p", "session_meta"), *PARENT]
    child = [
        row("c", "session_meta"),
        handoff("c"),
        row("c", "session_meta"),
        *again(PARENT[-2:], "c"),
        *talk("c", "x", "y"),
    ]
    scene.play([session("p", end_reason="compression"), session("c", parent="p")], [*meta, *child])
    assert len(scene.copies()) == 2
    assert scene.scroll("p") == [
        *(f"{one['role']}: {one['content']}" for one in PARENT),
        "handoff: What was done.",
        "user: x",
        "assistant: y",
    ]
    assert scene.report.messages == len(meta) + len(child)


def test_a_flag_of_the_agent_speaks_for_a_handoff_in_a_child(scene):
    child = [row("c", "user", "Notes in no known form.", _compressed_summary=1), *talk("c", "x", "y")]
    scene.play([session("p"), session("c", parent="p")], [*PARENT, *child], version=30)
    assert scene.relations()["c"] == "compaction"
    assert scene.scroll("p")[-3] == "handoff: Notes in no known form."


def test_rows_that_all_look_alike_take_no_longer_than_others(scene):
    old = talk("p", *["go", "went"] * 3000)
    scene.play(
        [session("p", end_reason="compression"), session("c", parent="p")],
        [*old, handoff("c"), *again(old[-4:], "c")],
    )
    assert scene.relations()["c"] == "compaction"


def test_a_lock_of_a_release_that_only_rotated_is_an_interrupted_rotation(scene):
    path = scene.write([session("a")], talk("a", *LINES), version=14)
    expired = "INSERT INTO compression_locks VALUES ('a', 'host:1', 1780000000.0, 1780000300.0)"
    scene.alter(expired, name=path.relative_to(scene.folder))
    assert scene.events() == [("rotation", "interrupted")]


def test_a_lock_that_a_dying_agent_leaves_behind_is_seen_and_so_is_that_it_went(scene):
    scene.play([session("a")], talk("a", *LINES))
    assert scene.events() == []
    expired = "INSERT INTO compression_locks VALUES ('a', 'host:1', 1780000000.0, 1780000300.0)"
    scene.alter(expired)
    assert scene.events() == [("in_place", "interrupted")]
    assert scene.alter("PRAGMA user_version = 1").unchanged
    scene.alter("DELETE FROM compression_locks")
    assert scene.events() == []


def test_locks_left_behind_are_interrupted_compactions(scene):
    path = scene.write([session("p"), session("q")], [*PARENT, *talk("q", "hello", "hi")])
    statement = "INSERT INTO compression_locks VALUES ('{}', 'host:1', 1780000000.0, {})"
    scene.alter(
        statement.format("p", scene.now - 1),
        statement.format("q", scene.now + 60),
        name=path.relative_to(scene.folder),
    )
    assert scene.events() == [("in_place", "interrupted")]
    [one] = scene.compactions("p")
    assert "lock" in one["error"]


def test_a_summary_inside_a_merged_reply_of_a_fork_is_split_too(scene):
    text = f"{render_handoff('Done.')}\n\nonly here"
    scene.play(
        [session("p", end_reason="compression"), session("a", parent="p"), session("b", parent="p")],
        [*PARENT, *continuation(PARENT, "a", "x", "y"), row("b", "assistant", text)],
    )
    assert scene.kinds() == {7: "handoff", 12: "merged"}


def test_a_fork_comes_after_what_goes_on_whichever_was_imported_first(scene):
    fork = [handoff("f", "Fork.")]
    sessions = [session("p", end_reason="compression"), session("f", parent="p")]
    scene.play(sessions, [*PARENT, *fork])
    real = [handoff("c", "Real."), *again(PARENT[-2:], "c"), *talk("c", "go on", "done")]
    scene.play([*sessions, session("c", parent="p")], [*PARENT, *fork, *real])
    assert scene.relations() == {"p": "root", "f": "compaction*", "c": "compaction"}
    assert [(one["ordinal"], one["child"]) for one in scene.compactions("p")] == [(1, "c"), (2, "f")]


@pytest.mark.sqlite_only("the rows that are read are the same on PostgreSQL")
def test_a_family_of_many_sessions_is_looked_at_a_bounded_number_of_times(scene, database, monkeypatch):
    monkeypatch.setattr(row_transactions, "TRANSACTION_ROWS", 4)
    names = [f"s{number:03}" for number in range(200)]
    chain = [session(names[0], end_reason="compression")]
    chain += [session(name, parent=before, end_reason="compression") for before, name in pairwise(names)]
    told = [talk(name, f"Mend part {name}", "Done") for name in names]
    scene.play(chain, told[0])
    with recorded(database) as asked:
        scene.play(chain, [one for rows in told for one in rows])
    assert sum("sessions.note" in statement for statement, _ in asked) < 30
