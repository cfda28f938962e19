from typing import Any

import pytest

from hermes_sessions.lineage import (
    Lineage,
    Relation,
    SessionFacts,
    classify_child,
    conversation_title,
    cut_cycles,
    find_cycles,
    place_family,
)

PARENT = SessionFacts("p", source="cli", end_reason="compression", title="Billing", message_count=30)


def child(**facts: Any) -> SessionFacts:
    return SessionFacts("c", **{"source": "cli", "message_count": 5, "first_role": "user", **facts})


def parent(**facts: Any) -> SessionFacts:
    return SessionFacts("p", **{"source": "cli", "message_count": 30, **facts})


@pytest.mark.parametrize(
    ("facts", "parent_facts", "expected"),
    [
        pytest.param(
            {"model_config": '{"_branched_from": "p"}', "has_carrier": True}, {}, "branch",
            id="a bound branch marker beats a carrier",
        ),
        pytest.param(
            {"model_config": {"_branched_from": "elsewhere"}, "has_carrier": True}, {}, "compaction",
            id="an inherited branch marker counts for nothing",
        ),
        pytest.param({"copied_rows": 3}, {"end_reason": "branched"}, "branch", id="branched, rows copied"),
        pytest.param({}, {"end_reason": "branched"}, "unknown", id="branched, nothing copied"),
        pytest.param(
            {"model_config": '{"_reset_from": "p"}', "copied_rows": 2}, {}, "reset", id="bound reset marker"
        ),
        pytest.param(
            {"model_config": '{"_delegate_from": "p"}', "has_carrier": True}, {}, "compaction",
            id="a carrier beats a delegate marker",
        ),
        pytest.param({"copied_rows": 2}, {"end_reason": "cli_close"}, "compaction", id="copies beat labels"),
        pytest.param({"model_config": '{"_delegate_from": "p"}'}, {}, "delegate", id="bound delegate marker"),
        pytest.param(
            {"model_config": '{"_delegate_from": "__orphaned__"}'}, {}, "unknown", id="__orphaned__"
        ),
        pytest.param({"source": "subagent"}, {"end_reason": "compression"}, "delegate", id="delegate source"),
        pytest.param(
            {"session_key": "k"}, {"end_reason": "idle", "session_key": "k"}, "reset", id="reset, same key"
        ),
        pytest.param(
            {"session_key": "x"}, {"end_reason": "idle", "session_key": "k"}, "unknown", id="reset, other key"
        ),
        pytest.param({}, {"end_reason": "compression"}, "compaction", id="nothing else continues it"),
        pytest.param({"model_config": "{not json"}, {}, "unknown", id="broken model_config"),
    ],
)  # fmt: skip
def test_child_is_classified_by_evidence_before_labels(facts, parent_facts, expected):
    assert classify_child(child(**facts), parent(**parent_facts)) == expected


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        pytest.param({"title": "Billing #2"}, "compaction", id="numbered title"),
        pytest.param({"message_count": 0}, "compaction", id="still empty"),
        pytest.param({"title": "Tracker #2"}, "unknown", id="a number behind another title"),
        pytest.param({}, "unknown", id="no label"),
    ],
)
def test_beside_a_better_continuation_labels_are_needed(facts, expected):
    assert classify_child(child(**facts), PARENT, rivals=True) == expected


@pytest.mark.parametrize(("carrier", "expected"), [(True, "compaction"), (False, "unknown")])
def test_without_its_parent_only_a_carrier_tells(carrier, expected):
    assert classify_child(child(has_carrier=carrier), None) == expected


def placed(sessions, parents):
    facts = {session.id: session for session in sessions}
    return place_family(facts, parents)


def test_the_continuation_that_goes_on_is_followed_and_the_other_is_a_fork():
    family = [
        SessionFacts("a", end_reason="compression", message_count=9),
        SessionFacts("stale", has_carrier=True, message_count=50),
        SessionFacts("real", has_carrier=True, message_count=4, end_reason="compression"),
        SessionFacts("tip", has_carrier=True, message_count=4),
    ]
    result = placed(family, {"a": None, "stale": "a", "real": "a", "tip": "real"})
    assert {key: value.fork for key, value in result.items()} == {
        "a": False, "stale": True, "real": False, "tip": False,
    }  # fmt: skip


def test_more_new_rows_decide_between_two_leaves():
    family = [
        SessionFacts("a", end_reason="compression"),
        SessionFacts("x", has_carrier=True, copied_rows=8, message_count=9),
        SessionFacts("y", has_carrier=True, copied_rows=1, message_count=5),
    ]
    result = placed(family, {"a": None, "x": "a", "y": "a"})
    assert (result["x"].fork, result["y"].fork) == (True, False)


def test_untagged_child_of_a_compacted_parent_that_went_on_elsewhere_is_a_delegate():
    family = [
        SessionFacts("a", end_reason="compression", message_count=9),
        SessionFacts("next", has_carrier=True, message_count=9),
        SessionFacts("task", message_count=25, first_role="user"),
    ]
    assert placed(family, {"a": None, "next": "a", "task": "a"})["task"].relation is Relation.DELEGATE


def test_empty_continuation_beats_untagged_delegates():
    family = [
        SessionFacts("a", end_reason="compression", message_count=9),
        SessionFacts("t1", message_count=25, first_role="user"),
        SessionFacts("t2", message_count=22, first_role="user"),
        SessionFacts("next", message_count=0),
    ]
    result = placed(family, {"a": None, "t1": "a", "t2": "a", "next": "a"})
    assert [result[key].relation.value for key in ("next", "t1", "t2")] == [
        "compaction",
        "delegate",
        "delegate",
    ]


def test_missing_parent_with_a_carrier_is_a_continuation_without_parent():
    result = placed([SessionFacts("c", has_carrier=True)], {"c": "gone"})
    assert (result["c"].relation, result["c"].parent) == (Relation.COMPACTION, None)


def test_cycle_is_cut_at_its_earliest_member_and_reported():
    parents = {"a": "d", "b": "a", "c": "b", "d": "c", "free": None}
    cut, cycles = cut_cycles(parents, {"a": 4.0, "b": 1.0, "c": 2.0, "d": None})
    assert (cut["b"], cut["a"]) == (None, "d")
    assert [set(cycle.members) for cycle in cycles] == [{"a", "b", "c", "d"}]


def test_equal_starts_cut_at_the_smallest_id():
    cut, _ = cut_cycles({"b": "a", "a": "b"}, {"a": 1.0, "b": 1.0})
    assert cut == {"a": None, "b": "a"}


def test_session_that_is_its_own_parent_becomes_a_root():
    assert cut_cycles({"a": "a"}, {})[0] == {"a": None}


def test_a_tail_into_a_cycle_is_not_part_of_it():
    cycles = find_cycles({"in": "a", "a": "b", "b": "a"})
    assert [set(cycle.members) for cycle in cycles] == [{"a", "b"}]


def test_chain_of_three_thousand_is_walked():
    ids = [f"s{n:04}" for n in range(3000)]
    family = [SessionFacts(one, end_reason="compression", has_carrier=n > 0) for n, one in enumerate(ids)]
    lineage = Lineage(placed(family, dict(zip(ids, [None, *ids], strict=False))))
    assert lineage.chain(lineage.root(ids[-1])) == tuple(ids)
    assert list(lineage.members(ids[0]))[-1] == (ids[-1], 2999)


def test_branch_is_a_conversation_of_its_own_within_the_family():
    family = [
        SessionFacts("a", end_reason="branched", message_count=9),
        SessionFacts("b", copied_rows=9, message_count=12),
    ]
    lineage = Lineage(placed(family, {"a": None, "b": "a"}))
    assert sorted(lineage.roots()) == ["a", "b"]
    assert list(lineage.family("b")) == [("a", 0), ("b", 1)]


@pytest.mark.parametrize(
    ("titles", "expected"),
    [
        pytest.param(["Billing", "Billing #2", "Billing #3"], "Billing", id="numbers dropped"),
        pytest.param(["Issue tracker #2"], "Issue tracker #2", id="a typed number stays"),
        pytest.param(
            ["Issue tracker #2", "Issue tracker #3"], "Issue tracker #2", id="typed, then continued"
        ),
        pytest.param([None, "Late #2"], "Late", id="titled late"),
        pytest.param(["Old", "Old #2", "Renamed"], "Renamed", id="renamed at the tip"),
        pytest.param(["Old", None], "Old", id="untitled continuation"),
        pytest.param([None], None, id="none"),
    ],
)
def test_conversation_title(titles, expected):
    assert conversation_title(titles) == expected
