"""Where a compaction cuts: cases from reports, each a file in tests/cases/compaction."""

import tomllib
from pathlib import Path

import pytest

from hermes_sessions.compaction import CompactionPolicy, plan_compaction
from hermes_sessions.errors import TranscriptError
from tests.compaction.builders import (
    assistant,
    call,
    drawn,
    result,
    small_policy,
    system,
    transcript,
    user,
)

CASES = sorted((Path(__file__).parent.parent / "cases" / "compaction").glob("*.toml"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_reported_case_is_cut_as_its_file_says(path: Path) -> None:
    case = tomllib.loads(path.read_text("utf-8"))
    assert drawn(case["shape"], small_policy(**case.get("policy", {}))) == letters_or_reason(case["plan"]), (
        case["claim"]
    )


def letters_or_reason(plan: str) -> str:
    return plan.replace(" ", "") if not plan.startswith("nothing") else plan


@pytest.mark.parametrize("field", ["id", "call_id"])
def test_results_are_matched_under_id_and_call_id(field: str) -> None:
    made = [{**call("x"), "id": None, field: "real"}]
    messages = [*transcript("s ua ua ua ua"), assistant(None, *made), result("real"), assistant("done " * 20)]
    plan = plan_compaction(messages, small_policy(tail_tokens=20, min_tail_messages=2, soft_ceiling=9.0))
    assert plan.tail_start <= 9


def test_an_id_used_again_does_not_tie_the_session_together() -> None:
    messages = [system(), user()]
    for _ in range(50):
        messages += [assistant(None, call("same")), result("same", "word " * 30)]
    plan = plan_compaction(messages, small_policy())
    assert plan.tail_start > 90


def test_a_result_after_an_interruption_stays_with_its_call() -> None:
    messages = [
        *transcript("s ua ua ua"),
        assistant(None, call("x")),
        user("wait"),
        result("x"),
        assistant("so"),
    ]
    plan = plan_compaction(messages, small_policy(tail_tokens=1, min_tail_messages=2))
    assert plan.tail_start <= 7


def test_a_todo_list_in_the_users_name_is_no_request() -> None:
    note = user("[Your active task list was preserved across context compression]\n- [>] 1. x (in_progress)")
    messages = [*transcript("s ua ua ua u ctctctctct"), note, *transcript("ctctct")]
    plan = plan_compaction(messages, small_policy())
    assert 7 in plan.carried
    assert 18 not in plan.carried


def test_a_developer_message_is_a_system_prompt() -> None:
    messages = [{"role": "developer", "content": "rules"}, *transcript("ua ua ua ua ua ua")]
    assert plan_compaction(messages, small_policy(head_messages=0)).head_end == 1


def test_a_greeting_before_the_first_request_is_not_kept_as_head() -> None:
    assert plan_compaction(transcript("s a ua ua ua ua ua"), small_policy()).head_end == 1


def test_a_small_window_still_compacts() -> None:
    policy = CompactionPolicy(300, floor_tokens=64_000, min_tail_messages=2)
    assert policy.threshold_tokens < 300
    assert plan_compaction(transcript("s ua ua ua ua"), policy)


@pytest.mark.parametrize("broken", ["text", None, 7, ["role"]])
def test_what_is_no_message_is_refused_by_its_index(broken: object) -> None:
    with pytest.raises(TranscriptError, match="message 1"):
        plan_compaction([user(), broken], small_policy())  # type: ignore[list-item]


@pytest.mark.parametrize(
    "odd", [{}, {"role": None}, {"role": "user", "content": 7}, {"role": "tool"}, {"role": "x"}]
)
def test_odd_messages_are_planned_like_others(odd: dict[str, object]) -> None:
    assert plan_compaction([*transcript("s ua ua ua ua ua"), odd, *transcript("ua")], small_policy())
