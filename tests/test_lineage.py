"""How sessions descend from each other, from evidence that is in nobody's words."""

from typing import Any

import pytest

from hermes_sessions.lineage import (
    Ending,
    Lineage,
    Relation,
    SessionEvidence,
    classify,
    cut_cycles,
    find_cycles,
    place_family,
)


@pytest.mark.parametrize(
    ("evidence", "ending", "expected"),
    [
        pytest.param({"has_carrier": True}, None, "compaction", id="a handoff"),
        pytest.param(
            {"named": {Relation.BRANCH: "p"}, "has_carrier": True}, None, "branch", id="named first"
        ),
        pytest.param(
            {"named": {Relation.BRANCH: "x"}, "has_carrier": True}, None, "compaction", id="of another"
        ),
        pytest.param({"copied_rows": 1}, Ending.BRANCHED, "branch", id="branched, rows copied"),
        pytest.param({"spawned": True}, Ending.COMPACTED, "delegate", id="an agent started it"),
        pytest.param({"place": "here"}, Ending.RESET, "reset", id="reset in the same place"),
        pytest.param({}, Ending.RESET, "unknown", id="reset, no place known"),
        pytest.param({"title": "T", "number": "2"}, Ending.COMPACTED, "compaction", id="numbered title"),
        pytest.param({"title": "T"}, Ending.COMPACTED, "unknown", id="the title alone"),
    ],
)
def test_evidence_decides_in_its_order(
    evidence: dict[str, Any], ending: Ending | None, expected: str
) -> None:
    parent = SessionEvidence("p", ending=ending, place="here", title="T", message_count=30)
    child = SessionEvidence("c", **{"message_count": 5, **evidence})
    assert classify(child, parent, rivals=True) == expected


def placed(sessions, parents):
    facts = {session.id: session for session in sessions}
    return place_family(facts, parents)


def test_the_continuation_that_goes_on_is_followed_and_the_other_is_a_fork():
    family = [
        SessionEvidence("a", ending=Ending.COMPACTED, message_count=9),
        SessionEvidence("stale", has_carrier=True, message_count=50),
        SessionEvidence("real", has_carrier=True, message_count=4, ending=Ending.COMPACTED),
        SessionEvidence("tip", has_carrier=True, message_count=4),
    ]
    result = placed(family, {"a": None, "stale": "a", "real": "a", "tip": "real"})
    assert {key: value.fork for key, value in result.items()} == {
        "a": False, "stale": True, "real": False, "tip": False,
    }  # fmt: skip


def test_more_new_rows_decide_between_two_leaves():
    family = [
        SessionEvidence("a", ending=Ending.COMPACTED),
        SessionEvidence("x", has_carrier=True, copied_rows=8, message_count=9),
        SessionEvidence("y", has_carrier=True, copied_rows=1, message_count=5),
    ]
    result = placed(family, {"a": None, "x": "a", "y": "a"})
    assert (result["x"].fork, result["y"].fork) == (True, False)


def test_untagged_child_of_a_compacted_parent_that_went_on_elsewhere_is_a_delegate():
    family = [
        SessionEvidence("a", ending=Ending.COMPACTED, message_count=9),
        SessionEvidence("next", has_carrier=True, message_count=9),
        SessionEvidence("task", message_count=25, first_role="user"),
    ]
    assert placed(family, {"a": None, "next": "a", "task": "a"})["task"].relation is Relation.DELEGATE


def test_empty_continuation_beats_untagged_delegates():
    family = [
        SessionEvidence("a", ending=Ending.COMPACTED, message_count=9),
        SessionEvidence("t1", message_count=25, first_role="user"),
        SessionEvidence("t2", message_count=22, first_role="user"),
        SessionEvidence("next", message_count=0),
    ]
    result = placed(family, {"a": None, "t1": "a", "t2": "a", "next": "a"})
    assert [result[key].relation.value for key in ("next", "t1", "t2")] == [
        "compaction",
        "delegate",
        "delegate",
    ]


def test_missing_parent_with_a_carrier_is_a_continuation_without_parent():
    result = placed([SessionEvidence("c", has_carrier=True)], {"c": "gone"})
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
    family = [SessionEvidence(one, ending=Ending.COMPACTED, has_carrier=n > 0) for n, one in enumerate(ids)]
    lineage = Lineage(placed(family, dict(zip(ids, [None, *ids], strict=False))))
    assert lineage.chain(lineage.root(ids[-1])) == tuple(ids)
    assert list(lineage.members(ids[0]))[-1] == (ids[-1], 2999)


def test_branch_is_a_conversation_of_its_own_within_the_family():
    family = [
        SessionEvidence("a", ending=Ending.BRANCHED, message_count=9),
        SessionEvidence("b", copied_rows=9, message_count=12),
    ]
    lineage = Lineage(placed(family, {"a": None, "b": "a"}))
    assert sorted(lineage.roots()) == ["a", "b"]
    assert list(lineage.family("b")) == [("a", 0), ("b", 1)]
