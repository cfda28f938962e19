"""The words of the agent as evidence: the public `classify_child`."""

from dataclasses import replace
from typing import Any

import pytest

from hermes_sessions import SessionFacts, classify_child

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
            {"model_config": '{"_reset_from": "elsewhere"}', "copied_rows": 2}, {}, "compaction",
            id="an inherited reset marker counts for nothing",
        ),
        pytest.param(
            {"model_config": '{"_reset_from": "elsewhere"}'}, {}, "unknown", id="a reset of another session"
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
        pytest.param(
            {"model_config": '{"_delegate_from": "elsewhere"}'}, {}, "unknown", id="a delegate of another"
        ),
        pytest.param({"source": "subagent"}, {"end_reason": "compression"}, "delegate", id="delegate source"),
        pytest.param(
            {"session_key": "k"}, {"end_reason": "idle", "session_key": "k"}, "reset", id="reset, same key"
        ),
        pytest.param(
            {"session_key": "x"}, {"end_reason": "idle", "session_key": "k"}, "unknown", id="reset, other key"
        ),
        pytest.param({}, {"end_reason": "idle"}, "unknown", id="reset, no keys at all"),
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


@pytest.mark.parametrize(
    "reason",
    [
        "session_reset", "new_session", "session_switch", "resumed_other", "idle", "daily", "suspended",
        "resume_pending_expired",
    ],
)  # fmt: skip
def test_every_reason_to_begin_anew_is_a_reset_in_the_same_place(reason: str) -> None:
    child, parent = (SessionFacts(id=name, session_key="k") for name in ("c", "p"))
    assert classify_child(child, replace(parent, end_reason=reason)) == "reset"
