"""What holds for every transcript and every policy: generated, and over all small shapes."""

import copy
import itertools
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_sessions.compaction import CompactionPolicy, CompactionResult, compact_transcript, plan_compaction
from hermes_sessions.handoff import END, OWN_NOTE, split_handoff, starts_handoff
from hermes_sessions.messages import read_message
from tests.compaction.builders import (
    THOROUGH,
    Dict,
    assistant,
    call,
    failing,
    is_carrier,
    long_transcript,
    policies,
    result,
    small_policy,
    summarized,
    system,
    text_of,
    transcript,
    transcripts,
    user,
)

SUMMARIZERS = st.sampled_from([summarized, failing("empty"), failing("timeout"), failing("auth")])


def said(message: Dict) -> Any:
    """A message's own content: what is not a handoff in it."""
    parts = split_handoff(message.get("content"))
    return [part.text for part in parts if part.kind == "message" and part.text.strip()]


def last_request(messages: Sequence[Dict]) -> int | None:
    kinds = [[part.kind for part in split_handoff(message.get("content"))] for message in messages]
    own = [
        index
        for index, message in enumerate(messages)
        if message["role"] == "user" and kinds[index] != ["handoff"]
    ]
    return own[-1] if own else None


def last_reply(messages: Sequence[Dict]) -> int | None:
    spoken = [index for index, message in enumerate(messages) if message["role"] == "assistant"]
    with_text = [index for index in spoken if any(text.strip() for text in said(messages[index]))]
    answers = [index for index in with_text if not messages[index].get("tool_calls")]
    return (answers or with_text)[-1] if with_text else None


def live(result: CompactionResult) -> list[int]:
    return [placed.source for placed in result.placed if placed.source is not None]


def parted_pairs(messages: Sequence[Dict]) -> list[str]:
    """Ids of calls never answered, those of the last turn left out: their results may come yet."""
    called: list[str] = []
    answered: list[str] = []
    for message in map(read_message, messages):
        if message.role not in ("tool", "system"):
            pending = {name for call in message.tool_calls for name in call.ids}
        called += [name for call in message.tool_calls for name in call.ids]
        answered += message.result_ids
        assert set(message.result_ids) <= set(called), "a result stands before its call"
    return [name for name in called if name not in answered and name not in pending]


def check_nothing_is_modified_or_lost_in_silence(messages: list[Dict], result: CompactionResult) -> None:
    if result.status != "committed":
        assert result.messages == messages
        assert result.reason
        return
    assert sum(map(is_carrier, result.messages)) == 1
    assert result.tokens_after < result.tokens_before


def check_the_anchors_are_live(messages: list[Dict], result: CompactionResult) -> None:
    anchors = {last_request(messages), last_reply(messages)} - {None}
    assert anchors <= set(live(result))
    shown = "\n".join(text for message in result.messages for text in said(message))
    assert all(text in shown for index in anchors if index is not None for text in said(messages[index]))


def check_kept_messages_are_the_callers(messages: list[Dict], result: CompactionResult) -> None:
    plan = result.plan
    kept = [*range(plan.head_end), *plan.carried, *range(plan.tail_start, len(messages))]
    assert live(result) == kept == sorted(kept)
    for placed in result.placed:
        if placed.source is not None and not placed.changed:
            assert placed.message == messages[placed.source]
        elif placed.source is not None:
            assert said(placed.message) == said(messages[placed.source]) or OWN_NOTE in text_of(
                placed.message
            )


def check_no_tool_pair_is_parted(messages: list[Dict], result: CompactionResult) -> None:
    assert not parted_pairs(result.messages)


def check_roles_stay_in_turn(messages: list[Dict], result: CompactionResult) -> None:
    spoken = [placed for placed in result.placed if placed.message["role"] != "system"]
    assert spoken[0].message["role"] == "user"
    for left, right in itertools.pairwise(spoken):
        if left.message["role"] == right.message["role"] != "tool":
            assert left.source is not None
            assert right.source is not None
            between = messages[left.source + 1 : right.source]
            same = {"system", left.message["role"]}
            assert {one["role"] for one in between} <= same, "two of one role meet that did not before"


def check_planning_again_finds_at_most_the_former_head(
    result: CompactionResult, policy: CompactionPolicy
) -> None:
    again = plan_compaction(result.messages, policy)
    carrier = next(at for at, placed in enumerate(result.placed) if placed.kind != "message")
    span = again.span if again else ()
    in_front = [placed.source for placed in result.placed[:carrier] if placed.source is not None]
    assert all(source < result.plan.head_end for source in in_front), "only the head is ahead of the handoff"
    replaced = [result.placed[index] for index in span if index > carrier or index < result.plan.head_end]
    real = [placed for placed in replaced if said(placed.message) or placed.message.get("tool_calls")]
    real = [placed for placed in real if OWN_NOTE not in text_of(placed.message)]
    blank = kept_for_a_blank_request(result)
    # What was said beside a call that is left out reads like a reply from now on.
    narrated = {omission.index for omission in result.omissions if omission.what == "orphan call"}
    last = max(narrated, default=0)
    real = [placed for placed in real if placed.source is None or placed.source >= last]
    reply = last_reply(result.messages)
    if reply is not None and result.placed[reply].source in narrated:
        real = [placed for placed in real if placed.source not in result.plan.carried]
    assert all(
        placed.source is not None and (placed.source < result.plan.head_end or placed.source in blank)
        for placed in real
    )


def kept_for_a_blank_request(result: CompactionResult) -> range:
    """What stands between a blank request, merged with the handoff, and the last reply (or act)."""
    merged = [
        placed.source for placed in result.placed if placed.kind == "merged" and not said(placed.message)
    ]
    spoken = [placed for placed in result.placed if placed.message["role"] == "assistant"]
    if not merged or merged[0] is None or not spoken:
        return range(0)
    reply = last_reply(result.messages)
    return range(merged[0], (spoken[-1] if reply is None else result.placed[reply]).source or 0)


CHECKS = [
    check_the_anchors_are_live,
    check_kept_messages_are_the_callers,
    check_no_tool_pair_is_parted,
    check_roles_stay_in_turn,
]


def check_everything(messages: list[Dict], policy: CompactionPolicy, summarize: Any) -> CompactionResult:
    before = copy.deepcopy(messages)
    plan = plan_compaction(messages, policy)
    result = compact_transcript(messages, policy=policy, summarize=summarize)
    assert messages == before
    assert result.plan == plan
    assert bool(plan) == (result.status != "nothing") == (not plan.reason)
    check_nothing_is_modified_or_lost_in_silence(messages, result)
    if result.status == "committed":
        for check in CHECKS:
            check(messages, result)
        check_planning_again_finds_at_most_the_former_head(result, policy)
        assert result.tokens_before - result.tokens_after >= policy.min_saving * result.tokens_before
    return result


@THOROUGH
@given(messages=transcripts(), policy=policies(), summarize=SUMMARIZERS)
def test_the_invariants_hold_for_any_transcript_and_policy(
    messages: list[Dict], policy: CompactionPolicy, summarize: Any
) -> None:
    first = check_everything(messages, policy, summarize)
    more = [*first.messages, *transcript("uauauauauaua")]
    second = check_everything(more, policy, summarized)
    if second.status == "committed":
        assert sum(starts_handoff(text_of(message)) for message in second.messages) == 1
        assert second.handoff.count("<verbatim_tail>") <= 1
        assert second.handoff.count("## Exact facts") <= 1
        assert second.handoff.count(END) == 1


@pytest.mark.parametrize("seed", range(6))
def test_the_invariants_hold_for_five_hundred_messages(seed: int) -> None:
    messages = long_transcript(seed)
    policy = CompactionPolicy(32_000, tail_tokens=2_000)
    assert check_everything(messages, policy, summarized).status == "committed"


@pytest.mark.slow
@pytest.mark.parametrize("length", range(1, 6))
def test_every_small_shape_is_compacted_or_refused_soundly(length: int) -> None:
    policy = small_policy(tail_tokens=10, min_tail_messages=0, head_messages=1)
    for letters in itertools.product("suact", repeat=length):
        shape = "".join(letters)
        if all(shape[:end].count("c") >= shape[:end].count("t") for end in range(length + 1)):
            messages = transcript(shape, words=150)
            result = compact_transcript(messages, policy=policy, summarize=summarized)
            if result.status == "committed":
                assert {last_request(messages), last_reply(messages)} - {None} <= set(live(result)), shape


def test_a_blank_request_that_the_handoff_is_merged_into_stops_nothing() -> None:
    long = "output line\n" * 50
    call = {"id": "c", "type": "function", "function": {"name": "terminal", "arguments": "{}"}}
    messages: list[Dict] = [
        {"role": "assistant", "content": "earlier " + long},
        {"role": "assistant", "content": long},
        {"role": "user", "content": ""},
        {"role": "assistant", "content": ""},
        {"role": "assistant", "content": long, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": long},
    ]
    policy = CompactionPolicy(3_764, threshold=0.3, head_messages=0, min_tail_messages=0)
    assert check_everything(messages, policy, summarized).status == "committed"


def test_what_was_kept_for_a_blank_request_may_go_the_next_time() -> None:
    def calls(*names: str) -> Dict:
        function = {"name": "terminal", "arguments": '{"command": "run it again"}'}
        listed = [{"id": name, "type": "function", "function": function} for name in names]
        return {"role": "assistant", "content": None, "tool_calls": listed}

    def output(name: str, lines: int) -> Dict:
        return {"role": "tool", "tool_call_id": name, "content": "output line\n" * lines}

    messages: list[Dict] = [
        *(calls("a"), output("a", 50)),
        *({"role": "user", "content": ""}, {"role": "user", "content": ""}),
        *(calls("b"), {"role": "tool", "tool_call_id": "b", "content": ""}),
        *(calls("c", "d", "e", "f"), *(output(name, 0) for name in "cde"), output("f", 143)),
    ]
    policy = CompactionPolicy(2_994, threshold=0.9, head_messages=0, min_tail_messages=0)
    assert check_everything(messages, policy, summarized).status == "committed"


@pytest.mark.parametrize("tail", range(10, 200, 9))
def test_a_note_in_place_of_a_call_does_not_make_the_tail_too_large(tail: int) -> None:
    calls = [{"id": name, "type": "function", "function": {"name": "f", "arguments": "{}"}} for name in "ab"]
    messages = [
        *transcript("uauauauauauauauaua", words=60),
        {"role": "user", "content": "go on"},
        {"role": "assistant", "content": "ok " * 10, "tool_calls": calls[:1]},
        {"role": "tool", "tool_call_id": "a", "content": "r " * 5},
        {"role": "assistant", "content": None, "tool_calls": calls[1:]},
        {"role": "user", "content": "stop, last request"},
        {"role": "assistant", "content": "last reply"},
    ]
    policy = CompactionPolicy(4_000, tail_tokens=tail, min_tail_messages=0)
    assert check_everything(messages, policy, summarized).status == "committed"


def test_a_system_message_may_stand_in_front_of_the_handoff_that_is_merged() -> None:
    messages = [
        *transcript("sua", words=40),
        {"role": "user", "content": "third"},
        *transcript("auauauauauauauau", words=60),
        {"role": "system", "content": "a reminder"},
        {"role": "assistant", "content": "a reply"},
        {"role": "user", "content": "last request"},
        {"role": "assistant", "content": "last reply"},
    ]
    result = check_everything(messages, small_policy(tail_tokens=22, min_tail_messages=0), summarized)
    assert result.status == "committed"
    assert {"role": "system", "content": "a reminder"} in result.messages


def test_calls_written_as_json_text_are_left_out_like_others() -> None:
    calls = [{"id": name, "function": {"name": "f", "arguments": "{}"}} for name in "xy"]
    messages = [
        *transcript("uauauauaua", words=60),
        {"role": "assistant", "content": "both", "tool_calls": json.dumps(calls)},
        {"role": "tool", "tool_call_id": "x", "content": "ok"},
        {"role": "user", "content": "stop"},
        {"role": "assistant", "content": "ok"},
    ]
    result = compact_transcript(messages, policy=small_policy(), summarize=summarized)
    assert result.status == "committed"
    [kept] = [message for message in result.messages if message.get("content") == "both"]
    assert json.loads(kept["tool_calls"]) == calls[:1]
    assert [omission.ids for omission in result.omissions] == [("y",)]


def test_a_stray_result_in_front_of_a_greeting_is_no_head() -> None:
    messages = [
        {"role": "system", "content": "s"},
        {"role": "tool", "tool_call_id": "x", "content": "stray"},
        {"role": "assistant", "content": "hi"},
        *transcript("uauauauaua", words=60),
    ]
    result = compact_transcript(messages, policy=small_policy(), summarize=summarized)
    assert result.status == "committed"
    assert [message["role"] for message in result.messages][:2] == ["system", "user"]


def test_a_note_in_the_tail_pushes_nothing_out_of_it() -> None:
    """A result that answers nothing is left out between two replies; the note there costs more than it."""
    messages = [
        *transcript("ua" * 6),
        user(
            "fails reads fixed reads fails fixed the the code until 2 on the fixed src/net/retry.py with it."
        ),
        assistant(
            "No. 113: is on it 8123 it 2.", call("c", "read", path="src/part1.py", why="No. 114: with 2.")
        ),
        result("c", "0: src/net/retry.py parser\n1: exit 2"),
        system("Rule: No. 115: code and parser and exit."),
        assistant(
            "No. 116: fails parser code it code with src/net/retry.py fails exit with 8123 port and it."
        ),
        result("nobody", "nobody asked"),
        assistant("No. 118: parser until."),
    ]
    policy = CompactionPolicy(800, head_messages=0, min_tail_messages=0, encoding="none")
    found = compact_transcript(messages, policy=policy, summarize=summarized)
    assert found.status == "committed"
    assert any(placed.source is None and OWN_NOTE in text_of(placed.message) for placed in found.placed[-2:])
