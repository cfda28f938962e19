import pytest

from hermes_sessions.handoff import DELIM, END, PRIOR, render_handoff
from tests.agents.hermes.hermes_builder import START, VERSIONS, calls, row, session
from tests.operations.imports.scene import again, handoff, talk

FAMILY = [session("a", end_reason="compression"), session("b", parent="a")]
LONG_TALK = ("first ask", "first reply", "second ask", "second reply", "third ask", "third reply")
WHOLE = [
    "user: first ask", "assistant: first reply", "user: second ask", "assistant: second reply",
    "user: third ask", "assistant: third reply",
]  # fmt: skip


def rotated(*, head=2, tail=2, new=("go on", "done"), **columns):
    """A parent of six rows and a child that repeats its head and its tail around a handoff."""
    old = talk("a", *LONG_TALK)
    middle = [handoff("b")]
    copied = again(old[:head], "b", **columns) + middle + again(old[len(old) - tail :], "b", **columns)
    return [*old, *copied, *talk("b", *new)]


@pytest.mark.parametrize("head", [0, 1, 2, 3])
@pytest.mark.parametrize("tail", [0, 1, 2, 3])
def test_copies_around_a_handoff_are_folded(scene, head, tail):
    scene.play(FAMILY, rotated(head=head, tail=tail))
    assert scene.scroll("a") == [
        *WHOLE, "handoff: What was done.", "user: go on", "assistant: done"
    ]  # fmt: skip
    assert len(scene.copies()) == head + tail


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_tells_the_same_story(scene, version):
    scene.play(FAMILY, rotated(), version=version)
    assert scene.relations() == {"a": "root", "b": "compaction"}
    assert scene.events() == [("rotation", "committed")]
    assert scene.scroll("b")[-3:] == ["handoff: What was done.", "user: go on", "assistant: done"]


def test_copies_that_keep_their_original_times_are_folded(scene):
    messages = rotated()
    for at, one in enumerate(messages):
        one["timestamp"] = START + at
    for new, old in ((6, 0), (7, 1), (9, 4), (10, 5)):
        messages[new]["timestamp"] = messages[old]["timestamp"]
    scene.play(FAMILY, messages)
    assert scene.copies() == {7: 1, 8: 2, 10: 5, 11: 6}


def test_copies_written_at_one_flush_time_are_folded(scene):
    scene.play(FAMILY, rotated(timestamp=START + 5000.0))
    assert scene.copies() == {7: 1, 8: 2, 10: 5, 11: 6}


def test_the_span_is_what_was_neither_head_nor_tail(scene):
    scene.play(FAMILY, rotated())
    assert scene.spans("a") == [(3, 4, 2)]
    [one] = scene.compactions("a")
    assert (one["parent"], one["child"], one["status"]) == ("a", "b", "committed")


def test_a_turn_that_exists_only_in_the_childs_tail_is_shown(scene):
    old = talk("a", *LONG_TALK[:4])
    unsaved = talk("b", "third ask", "third reply")
    messages = [*old, *again(old[:1], "b"), handoff("b"), *again(old[2:], "b"), *unsaved]
    scene.play(FAMILY, messages)
    assert [one for one in scene.scroll("a") if not one.startswith("handoff")] == WHOLE


def test_a_user_who_says_go_twice_around_a_compaction_said_it_twice(scene):
    old = talk("a", "start", "working", "go", "went")
    messages = [*old, handoff("b"), *talk("b", "go", "went again")]
    scene.play(FAMILY, messages)
    assert scene.copies() == {}
    assert scene.scroll("a").count("user: go") == 2


def test_go_said_again_after_a_folded_tail_is_kept(scene):
    old = talk("a", "start", "working", "go", "went")
    messages = [*old, handoff("b"), *again(old[2:], "b"), *talk("b", "go", "went")]
    scene.play(FAMILY, messages)
    assert scene.copies() == {6: 3, 7: 4}
    assert scene.scroll("a")[-2:] == ["user: go", "assistant: went"]


def test_a_pruned_tool_result_is_a_copy_of_the_whole_one(scene):
    call = calls(("c1", "terminal", {"command": "ls"}))
    old = [
        *talk("a", "start", "working"),
        row("a", "user", "list"),
        row("a", "assistant", None, tool_calls=call),
        row("a", "tool", "one\ntwo\n" * 400, tool_call_id="c1", tool_name="terminal"),
        row("a", "assistant", "two files"),
    ]
    tail = again(old[2:], "b")
    tail[2]["content"] = "[terminal] ran `ls` -> exit 0, 2 lines output"
    scene.play(FAMILY, [*old, handoff("b"), *tail, *talk("b", "thanks", "welcome")])
    assert scene.copies() == {8: 3, 9: 4, 10: 5, 11: 6}


def test_a_call_whose_arguments_were_cut_is_a_copy(scene):
    old = [
        *talk("a", "start", "working"),
        row("a", "user", "write"),
        row("a", "assistant", "writing", tool_calls=calls(("c1", "write_file", {"text": "x" * 900}))),
        row("a", "tool", "ok", tool_call_id="c1"),
        row("a", "assistant", "written"),
    ]
    tail = again(old[2:], "b")
    tail[1]["tool_calls"] = calls(("c1", "write_file", {"text": "x" * 200 + "...[truncated]"}))
    scene.play(FAMILY, [*old, handoff("b"), *tail])
    assert scene.copies() == {8: 3, 9: 4, 10: 5, 11: 6}
    assert "x" * 900 in scene.rows()[4].tool_calls


def test_a_call_whose_json_was_broken_by_the_cut_is_a_copy(scene):
    whole = calls(("c1", "write_file", {"text": "x" * 900}))
    old = [
        *talk("a", "start", "working", "write"),
        row("a", "assistant", "writing", tool_calls=whole),
        row("a", "tool", "ok", tool_call_id="c1"),
        row("a", "assistant", "written"),
    ]
    tail = again(old[2:], "b")
    tail[1]["tool_calls"] = whole[:150]
    scene.play(FAMILY, [*old, handoff("b"), *tail])
    assert scene.copies() == {8: 3, 9: 4, 10: 5, 11: 6}


def test_an_assistant_row_that_lost_its_orphaned_call_is_a_copy(scene):
    old = [
        *talk("a", "start", "working", "list"),
        row("a", "assistant", "", tool_calls=calls(("c1", "terminal", {"command": "ls"}))),
        row("a", "tool", "listing", tool_call_id="c1"),
        *talk("a", "two files", "thanks", first="assistant"),
    ]
    tail = [row("b", "assistant", "(tool call removed)"), *again(old[5:], "b")]
    scene.play(FAMILY, [*old, handoff("b"), *tail])
    assert scene.copies() == {9: 4, 10: 6, 11: 7}
    assert "assistant: (tool call removed)" not in scene.scroll("a")


def test_an_image_that_was_stripped_is_a_copy(scene):
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    old = [
        *talk("a", "start", "working"),
        row("a", "user", [{"type": "text", "text": "look"}, picture]),
        row("a", "assistant", "a cat"),
    ]
    stripped = {"type": "text", "text": "[Attached image — stripped after compression]"}
    tail = [row("b", "user", [{"type": "text", "text": "look"}, stripped]), *again(old[3:], "b")]
    scene.play(FAMILY, [*old, handoff("b"), *tail])
    assert scene.copies() == {6: 3, 7: 4}


def test_null_and_empty_content_are_the_same_row(scene):
    call = calls(("c1", "terminal", {"command": "ls"}))
    old = [
        *talk("a", "start", "working", "list"),
        row("a", "assistant", None, tool_calls=call),
        row("a", "tool", "listing", tool_call_id="c1"),
        row("a", "assistant", "done"),
    ]
    tail = again(old[2:], "b")
    tail[1]["content"] = ""
    scene.play(FAMILY, [*old, handoff("b"), *tail])
    assert scene.copies() == {8: 3, 9: 4, 10: 5, 11: 6}


def test_stub_results_and_todo_lists_do_not_break_the_tail(scene):
    old = talk("a", *LONG_TALK)
    tail = again(old[3:], "b")
    stub = row("b", "tool", "[Result from earlier conversation — see context summary above]")
    todo = row("b", "user", "[Your active task list was preserved across context compression]\n- [ ] 1. x")
    scene.play(FAMILY, [*old, handoff("b"), stub, *tail, todo, *talk("b", "next", "ok")])
    assert scene.copies() == {9: 4, 10: 5, 11: 6}


def test_a_handoff_that_is_copied_on_is_no_new_compaction(scene):
    fossil = handoff("b", "First.")
    old = talk("a", *LONG_TALK)
    second = [*again(old[:1], "b"), fossil, *again(old[4:], "b"), *talk("b", "more", "sure", "yet", "ok")]
    third = [
        *again(second[:2], "c"),
        handoff("c", "Second.", role="assistant"),
        *again(second[-2:], "c"),
        *talk("c", "last", "bye"),
    ]
    scene.play([*FAMILY, session("c", parent="b")], [*old, *second, *third])
    assert scene.events() == [("rotation", "committed")] * 2
    assert scene.scroll("a").count("handoff: First.") == 1
    assert [one["summary"] for one in scene.compactions("a")] == ["First.", "Second."]
    assert scene.scroll("a")[-3:] == ["handoff: Second.", "user: last", "assistant: bye"]


def test_a_marker_that_stands_twice_in_a_row_is_two_compactions(scene):
    gone = (
        "[CONTEXT SUMMARY]: Previous conversation turns have been compressed."
        " The assistant performed tool calls and received responses."
    )
    old = talk("a", *LONG_TALK)
    second = [*again(old[:2], "b"), row("b", "user", gone), *again(old[-1:], "b"), *talk("b", "more", "ok")]
    third = [*again(old[:2], "c"), row("c", "user", gone), *again(second[-1:], "c"), *talk("c", "x", "y")]
    scene.play(
        [*FAMILY[:1], session("b", parent="a", end_reason="compression"), session("c", parent="b")],
        [*old, *second, *third],
    )
    assert scene.events() == [("rotation", "committed")] * 2
    assert [one["method"] for one in scene.compactions("a")] == ["marker", "marker"]
    assert {9, 15} <= scene.kinds().keys()


@pytest.mark.parametrize("head", [0, 2])
def test_two_summaries_of_the_same_words_are_two_compactions(scene, head):
    old = talk("a", *LONG_TALK)
    first, again_ = handoff("b", "Same."), handoff("c", "Same.", timestamp=1_790_000_500.0)
    second = [*again(old[:head], "b"), first, *again(old[-1:], "b"), *talk("b", "more", "ok")]
    third = [*again(old[:head], "c"), again_, *again(second[-1:], "c"), *talk("c", "x", "y")]
    scene.play(
        [*FAMILY[:1], session("b", parent="a", end_reason="compression"), session("c", parent="b")],
        [*old, *second, *third],
    )
    assert scene.events() == [("rotation", "committed")] * 2
    assert [one["summary"] for one in scene.compactions("a")] == ["Same.", "Same."]
    told = ["handoff: Same.", "user: more", "assistant: ok", "handoff: Same.", "user: x", "assistant: y"]
    assert scene.scroll("a")[-6:] == told


def test_a_child_without_rows_is_an_interrupted_compaction(scene):
    scene.play(FAMILY, talk("a", *LONG_TALK))
    assert scene.relations()["b"] == "compaction"
    assert scene.events() == [("rotation", "interrupted")]


def test_a_parent_closed_by_compression_without_a_child_is_interrupted(scene):
    scene.play(FAMILY[:1], talk("a", *LONG_TALK))
    assert scene.events() == [("rotation", "interrupted")]
    assert scene.scroll("a") == WHOLE


def test_a_child_with_only_the_handoff_and_new_turns_continues(scene):
    scene.play(FAMILY, rotated(head=0, tail=0))
    assert scene.relations()["b"] == "compaction"
    assert scene.spans("a") == [(1, 6, 6)]


def test_a_compaction_that_left_no_handoff_has_method_none(scene):
    old = talk("a", *LONG_TALK)
    scene.play(FAMILY, [*old, *again(old[:2], "b"), *again(old[-2:], "b"), *talk("b", "go on", "done")])
    [one] = scene.compactions("a")
    assert (one["method"], one["summary"]) == ("none", None)
    assert scene.scroll("a") == [*WHOLE, "user: go on", "assistant: done"]


def test_a_parent_whose_end_reason_was_overwritten_is_still_continued(scene):
    scene.play([session("a", end_reason="cli_close"), FAMILY[1]], rotated())
    assert scene.relations()["b"] == "compaction"


# -- merged rows -----------------------------------------------------------------------------------


def test_a_byte_order_mark_ahead_of_the_bracket_hides_no_handoff(scene):
    child = row("c", "user", f"\ufeff{render_handoff('Done so far.')}")
    parent = talk("p", "start", "working", "more", "done")
    rows = [*parent, child, *again(parent[-2:], "c"), *talk("c", "go on", "ok")]
    scene.play([session("p", end_reason="compression"), session("c", parent="p")], rows)
    assert scene.kinds() == {5: "handoff"}


def merged_child(text, *, old=None, role="assistant", **columns):
    old = old or talk("a", "ask", "first", "more", "the reply", "thanks")
    return [
        *old,
        row("b", role, text, **columns),
        *again(old[4:], "b"),
        *talk("b", "welcome", first="assistant"),
    ]


SUMMARY = render_handoff("What was done.")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{SUMMARY}\n\nthe reply", id="reply behind the end marker"),
        pytest.param(f"{PRIOR}\nthe reply\n\n{DELIM}\n\n{SUMMARY}", id="reply ahead of the handoff"),
        pytest.param(f"{PRIOR}\n\nthe reply\n\n{DELIM}\n\n{SUMMARY}", id="flattened blocks"),
        pytest.param(
            f"{SUMMARY.removesuffix(END).rstrip()}\n\nthe reply", id="no marker, the parent row tells"
        ),
    ],
)
def test_a_merged_reply_stays_where_it_was_first(scene, text):
    scene.play(FAMILY, merged_child(text))
    assert scene.kinds() == {6: "merged"}
    assert scene.copies() == {6: 4, 7: 5}
    assert scene.scroll("a") == [
        "user: ask", "assistant: first", "user: more", "assistant: the reply", "user: thanks",
        "handoff: What was done.", "assistant: welcome",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "reply",
    [f"it ends with\n\n{DELIM}\n\nor so", f"as in\n\n{END}\n\nand on", f"{END}", f"{PRIOR}\nx\n\n{DELIM}"],
    ids=["quotes the delimiter", "quotes the end", "is an end marker", "quotes a prior context"],
)
@pytest.mark.parametrize("shape", ["behind", "ahead"])
def test_a_merged_reply_may_quote_markers(scene, reply, shape):
    old = talk("a", "ask", "first", "more", reply, "thanks")
    text = f"{SUMMARY}\n\n{reply}" if shape == "behind" else f"{PRIOR}\n{reply}\n\n{DELIM}\n\n{SUMMARY}"
    scene.play(FAMILY, merged_child(text, old=old))
    assert scene.copies() == {6: 4, 7: 5}
    parts = scene.scroll("a", every=True)
    assert f"assistant: {reply}" in parts[5:]
    assert "handoff: What was done." in parts


def test_a_merged_reply_that_is_stored_nowhere_else_is_shown(scene):
    scene.play(FAMILY, merged_child(f"{SUMMARY}\n\nonly here"))
    assert scene.scroll("a")[5:7] == ["handoff: What was done.", "assistant: only here"]


def test_a_row_merged_without_any_marker_is_left_whole_where_nothing_tells(scene):
    text = f"{SUMMARY.removesuffix(END).rstrip()}\n\nonly here"
    scene.play(FAMILY, merged_child(text))
    assert scene.kinds() == {6: "handoff"}


@pytest.mark.parametrize("shape", ["behind", "ahead"])
def test_a_reply_without_text_keeps_its_calls(scene, shape):
    call = calls(("c1", "terminal", {"command": "ls"}))
    old = [
        *talk("a", "ask", "first", "more"),
        row("a", "assistant", None, tool_calls=call),
        row("a", "tool", "listing", tool_call_id="c1"),
    ]
    text = f"{SUMMARY}\n\n" if shape == "behind" else f"{PRIOR}\n\n\n{DELIM}\n\n{SUMMARY}"
    scene.play(FAMILY, merged_child(text, old=old, tool_calls=call))
    assert scene.kinds() == {6: "merged"}
    assert scene.copies() == {6: 4, 7: 5}


@pytest.mark.parametrize("shape", ["behind", "ahead"])
def test_a_merged_list_gives_its_blocks_back_to_the_reply(scene, shape):
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    reply = [{"type": "text", "text": "look"}, picture]
    old = [
        *talk("a", "ask", "first"),
        row("a", "user", reply),
        *talk("a", "seen", "thanks", first="assistant"),
    ]
    if shape == "behind":
        blocks = [{"type": "text", "text": f"{SUMMARY}\n\n"}, *reply]
    else:
        blocks = [
            {"type": "text", "text": f"{PRIOR}\n"},
            *reply,
            {"type": "text", "text": f"\n\n{DELIM}\n\n{SUMMARY}"},
        ]
    child = [row("b", "user", blocks), *again(old[3:], "b")]
    scene.play(FAMILY, [*old, *child])
    assert scene.copies() == {6: 3, 7: 4, 8: 5}
    assert scene.scroll("a").count("user: look") == 1


def test_nested_prefixes_are_one_handoff(scene):
    nested = f"{SUMMARY.split(chr(10))[0]}\n{SUMMARY}"
    old = talk("a", *LONG_TALK)
    scene.play(FAMILY, [*old, row("b", "user", nested), *again(old[4:], "b")])
    assert scene.scroll("a")[-1] == "handoff: What was done."
