import sqlite3

import pytest

from hermes_sessions.handoff import END, render_handoff
from tests.agents.hermes.hermes_builder import START, row, session
from tests.operations.imports.scene import again, handoff, talk

ARCHIVED = {"active": 0, "compacted": 1}
UNDONE = {"active": 0, "compacted": 0}
FIRST = ("ask 1", "reply 1", "ask 2", "reply 2", "ask 3", "reply 3")


def marked(rows, **flags):
    return [{**one, **flags} for one in rows]


def generations(count, *, head=0, carried=ARCHIVED, clones=1):
    """A session that was compacted *count* times; each time the last two rows are carried over."""
    rows = talk("s", *FIRST)
    opening = rows[:head]
    begin = 0
    for number in range(1, count + 1):
        tail = rows[-2:]
        rows[-2:] = marked(tail, **carried)
        rows[begin:-2] = marked(rows[begin:-2], **ARCHIVED)
        begin = len(rows)
        rows += marked(opening, **({"active": 1, "compacted": 0})) if number == 1 else []
        rows += [handoff("s", f"Summary {number}.", role="assistant")]
        rows += [{**one, "active": 1, "compacted": 0} for one in tail for _ in range(clones)]
        rows += talk("s", f"new ask {number}", f"new reply {number}")
    return rows


def told(count):
    lines = [f"{'user' if at % 2 == 0 else 'assistant'}: {text}" for at, text in enumerate(FIRST)]
    for number in range(1, count + 1):
        lines += [f"handoff: Summary {number}.", f"user: new ask {number}", f"assistant: new reply {number}"]
    return lines


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("head", [0, 1, 3])
def test_generations_become_one_scroll(scene, count, head):
    scene.play([session("s")], generations(count, head=head))
    assert scene.events() == [("in_place", "committed")] * count
    assert scene.scroll("s") == told(count)
    assert len(scene.copies()) == head + 2 * count


@pytest.mark.parametrize("count", [1, 2, 5])
def test_originals_of_carried_rows_may_be_switched_off_like_undone_ones(scene, count):
    scene.play([session("s")], generations(count, carried=UNDONE), version=30)
    assert scene.scroll("s") == told(count)
    assert set(scene.states().values()) == {"compacted", "superseded"}


def test_spans_do_not_overlap(scene):
    scene.play([session("s")], generations(2))
    assert scene.spans("s") == [(1, 4, 4), (8, 9, 2)]


def test_clones_with_equal_times_are_folded(scene):
    rows = generations(2, clones=2)
    times: dict[str, float] = {}
    for at, one in enumerate(rows):
        one["timestamp"] = times.setdefault(one["content"], START + at)
    scene.play([session("s")], rows, version=30)
    assert scene.scroll("s") == told(2)


def test_the_agents_own_mark_needs_no_bracket(scene):
    rows = generations(1)
    rows[6] |= {"content": "The summary in a form nobody knows.", "_compressed_summary": 1}
    scene.play([session("s")], rows, version=30)
    assert scene.kinds() == {7: "handoff"}
    assert scene.events() == [("in_place", "committed")]


def test_rows_taken_back_before_a_compaction_stay_taken_back(scene):
    rows = talk("s", *FIRST)
    rewound = marked(talk("s", "wrong turn", "sorry"), **UNDONE)
    body = [handoff("s"), *again(rows[-2:], "s"), *talk("s", "go on", "done")]
    scene.play([session("s")], [*marked(rows, **ARCHIVED), *rewound, *body])
    assert {7: "rewound", 8: "rewound"}.items() <= scene.states().items()
    assert "user: wrong turn" not in scene.scroll("s")
    assert scene.copies() == {10: 5, 11: 6}


def test_rows_taken_back_and_said_again_differently_are_not_superseded(scene):
    rows = talk("s", *FIRST)
    rewound = marked(talk("s", "go", "went"), **UNDONE)
    body = [handoff("s"), *again(rows[-2:], "s"), *talk("s", "go", "went another way")]
    scene.play([session("s")], [*marked(rows, **ARCHIVED), *rewound, *body])
    assert scene.states()[7] == "rewound"
    assert scene.scroll("s")[-2:] == ["user: go", "assistant: went another way"]


def test_rows_taken_back_after_a_compaction_are_hidden(scene):
    rows = generations(1)
    rows[-2:] = marked(rows[-2:], **UNDONE)
    scene.play([session("s")], rows)
    assert scene.scroll("s") == told(1)[:-2]


def test_active_null_means_shown(scene):
    path = scene.write([session("s")], talk("s", *FIRST))
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute(
        "UPDATE sqlite_master SET sql = replace(replace(sql,"
        " 'active INTEGER NOT NULL DEFAULT 1', 'active INTEGER'),"
        " 'compacted INTEGER NOT NULL DEFAULT 0', 'compacted INTEGER') WHERE name = 'messages'"
    )
    connection.close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("UPDATE messages SET active = NULL, compacted = NULL")
    connection.close()
    scene.bring(path)
    assert scene.states() == {}
    assert len(scene.scroll("s")) == len(FIRST)


def test_an_archived_row_that_is_active_is_shown_and_told(scene):
    scene.play([session("s")], talk("s", *FIRST, active=1, compacted=1))
    assert len(scene.scroll("s")) == len(FIRST)
    assert {warning["column"] for warning in scene.report.warnings} == {"compacted"}


def without_compacted(scene, rows):
    """A database of the weeks when a compaction only switched rows off."""
    return scene.play([session("s")], rows, version=14)


@pytest.mark.parametrize("count", [1, 2])
def test_before_there_was_a_flag_a_compaction_switched_everything_off(scene, count):
    without_compacted(scene, generations(count))
    assert scene.events() == [("in_place", "committed")] * count
    assert scene.scroll("s") == told(count)
    assert set(scene.states().values()) == {"compacted"}


def test_before_there_was_a_flag_a_rewind_is_a_rewind(scene):
    rows = talk("s", *FIRST)
    rows[-2:] = marked(rows[-2:], **UNDONE)
    without_compacted(scene, rows)
    assert scene.states() == {5: "rewound", 6: "rewound"}


def test_a_conversation_may_live_through_both_realisations(scene):
    first = generations(1)
    live = first[6:]
    child = [handoff("c", "By rotation."), *again(live[-2:], "c"), *talk("c", "on", "and on")]
    compacted = marked(child, **ARCHIVED)
    rest = [
        handoff("c", "In place again.", role="assistant"),
        *again(child[-2:], "c"),
        *talk("c", "last", "bye"),
    ]
    scene.play(
        [session("s", end_reason="compression"), session("c", parent="s")], [*first, *compacted, *rest]
    )
    assert scene.events() == [("in_place", "committed"), ("rotation", "committed"), ("in_place", "committed")]
    assert scene.scroll("s") == [
        *told(1), "handoff: By rotation.", "user: on", "assistant: and on",
        "handoff: In place again.", "user: last", "assistant: bye",
    ]  # fmt: skip


def test_a_merged_reply_in_place_stays_where_it_was_first(scene):
    rows = talk("s", *FIRST)
    merged = row("s", "assistant", f"{render_handoff('Done so far.')}\n\nreply 2")
    body = [merged, *again(rows[4:], "s"), *talk("s", "next", "ok")]
    scene.play([session("s")], [*marked(rows, **ARCHIVED), *body])
    assert scene.kinds() == {7: "merged"}
    assert scene.copies() == {7: 4, 8: 5, 9: 6}
    assert scene.scroll("s").count("assistant: reply 2") == 1


# -- quotes ----------------------------------------------------------------------------------------

QUOTE = render_handoff("What somebody pasted.")


@pytest.mark.parametrize("place", ["before", "after", "between"])
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(QUOTE, id="a whole handoff"),
        pytest.param("[CONTEXT SUMMARY]: what does this mean?", id="the old bracket"),
        pytest.param(f"{QUOTE}\n\nwhat does this mean?", id="a handoff and a question"),
        pytest.param(f"I saw {END} in a log", id="an end marker"),
    ],
)
@pytest.mark.parametrize("role", ["user", "assistant", "tool"])
def test_a_quoted_handoff_in_a_compacted_session_is_a_message(scene, place, text, role):
    quoting = [row("s", "user", "look"), row("s", role, text), row("s", "assistant", "it is a marker")]
    first = talk("s", *FIRST)
    start = talk("s", "hello", "hi")
    early = quoting if place == "before" else []
    gen0 = marked([*start, *early, *first], **ARCHIVED)
    middle = quoting if place == "between" else []
    gen1 = marked([handoff("s", "One."), *first[-2:], *middle, *talk("s", "a", "b")], **ARCHIVED)
    gen2 = [handoff("s", "Two."), *talk("s", "a", "b"), *talk("s", "c", "d")]
    late = quoting if place == "after" else []
    scene.play([session("s")], [*gen0, *gen1, *gen2, *late])
    assert scene.events() == [("in_place", "committed")] * 2
    assert [line for line in scene.scroll("s") if line.startswith("handoff")] == [
        "handoff: One.",
        "handoff: Two.",
    ]
    assert f"{role}: {text}" in scene.scroll("s")


# -- replaced sessions -----------------------------------------------------------------------------


def test_a_session_whose_rows_were_replaced_says_that_the_span_is_not_stored(scene):
    rows = [*talk("s", "ask", "reply"), handoff("s"), *talk("s", "go on", "done", first="assistant")]
    for at, one in enumerate(rows):
        one["id"] = 41 + at
    scene.play([session("s")], rows)
    [one] = scene.compactions("s")
    assert (one["realisation"], one["span"]["stored"]) == ("in_place", False)
    assert scene.kinds() == {43: "handoff"}
