"""Content blocks of Anthropic's form, instructions in mid-transcript, results that are too large."""

from typing import Any

import pytest

from hermes_sessions.compaction import CompactionPolicy, compact_transcript, context_tokens, should_compact
from hermes_sessions.compaction.due import Attempt
from hermes_sessions.messages import SummaryRequest
from tests.compaction.builders import (
    SUMMARY,
    Dict,
    assistant,
    call,
    result,
    small_policy,
    summarized,
    system,
    text_of,
    transcript,
    user,
)

WORK = "line of output\n" * 30


def uses(name: str, text: str = "") -> Dict:
    said = [{"type": "text", "text": text}] if text else []
    used = {"type": "tool_use", "id": name, "name": "read", "input": {"path": f"{name}.py"}}
    return {"role": "assistant", "content": [*said, used]}


def answers(*names: str, text: str = WORK) -> Dict:
    return user([{"type": "tool_result", "tool_use_id": name, "content": text} for name in names])


def work(count: int, first: int = 0) -> list[Dict]:
    found = ((uses(f"t{number}"), answers(f"t{number}")) for number in range(first, first + count))
    return [message for pair in found for message in pair]


def test_two_user_messages_behind_results_raise_nothing() -> None:
    messages = [user("Begin."), *work(12), user("And this."), user("And that."), *work(12, 20)]
    policy = small_policy(context_window=2_000)
    found = compact_transcript(messages, policy=policy, summarize=summarized)
    assert found.status == "committed"
    assert not should_compact(policy, found.tokens_after)
    assert any("And that." in text_of(message) for message in found.messages)


def test_blocks_without_their_other_half_are_left_out_and_named() -> None:
    messages = [
        *(user("Begin."), *work(12)),
        *(uses("open", "I try this."), user("Stop."), answers("stray")),
        user([*answers("lost")["content"], {"type": "text", "text": "The last request."}]),
        assistant("Done."),
    ]
    policy = small_policy(tail_tokens=400, min_tail_messages=8)
    found = compact_transcript(messages, policy=policy, summarize=summarized)
    assert found.status == "committed"
    named = " ".join(map(str, found.omissions))
    assert all(name in named for name in ("open", "stray", "lost"))
    kept = str([message["content"] for message in found.messages if message is not found.messages[0]])
    assert not any(f"'{name}'" in kept for name in ("open", "stray", "lost"))
    assert "I try this." in kept
    assert "The last request." in kept


def test_a_summariser_is_sent_what_blocks_returned_as_results() -> None:
    seen: list[SummaryRequest] = []

    def summarize(request: SummaryRequest) -> str:
        seen.append(request)
        return SUMMARY

    outputs = [*work(12), uses("a"), answers("a", text="Error: disk sda4711 is full"), *work(3, 20)]
    compact_transcript([user("Begin."), *outputs], policy=small_policy(), summarize=summarize)
    kinds = {entry.kind for entry in seen[0].entries if "4711" in entry.text}
    assert kinds == {"result"}
    assert any("4711" in fact.shown and fact.speaker == "tool" for fact in seen[0].facts)


@pytest.mark.parametrize("role", ["system", "developer"])
def test_instructions_in_mid_transcript_stay_verbatim(role: str) -> None:
    rule: Dict = {"role": role, "content": "From now on answer in French."}
    messages = [*transcript("s" + "ua" * 6), rule, *transcript("ua" * 14)]
    for _ in range(3):
        found = compact_transcript(messages, policy=small_policy(), summarize=summarized)
        assert found.status == "committed"
        assert found.messages.count(rule) == 1
        messages = [*found.messages, *transcript("ua" * 14)]


def test_more_instructions_than_may_be_carried_are_quoted_through_rounds() -> None:
    rules = [system(f"Rule {number}: " + "keep to it " * 12) for number in range(30)]
    messages = [system(), *transcript("ua" * 6), *rules, *transcript("ua" * 14)]
    policy = small_policy(context_window=8_000, tail_tokens=120)
    for _ in range(3):
        found = compact_transcript(messages, policy=policy, summarize=summarized)
        assert found.status == "committed"
        shown = "\n".join(map(text_of, found.messages))
        assert all(shown.count(rule["content"].strip()) == 1 for rule in rules)
        messages = [*found.messages, *transcript("ua" * 40)]
    assert rules[-1] in found.messages
    assert rules[0] not in found.messages


def large(form: str) -> list[Dict]:
    text = "\n".join(f"line {number} of a very long output" for number in range(5_000))
    if form == "blocks":
        return [uses("big"), answers("big", text=text)]
    return [assistant(None, call("big")), result("big", text)]


@pytest.mark.parametrize("form", ["blocks", "messages"])
@pytest.mark.parametrize("lead", ["u", "uauauaua"])
def test_a_result_larger_than_the_window_is_cut_with_a_receipt(form: str, lead: str) -> None:
    messages = [*transcript(lead), *large(form)]
    policy = CompactionPolicy(20_000)
    found = compact_transcript(messages, policy=policy, summarize=summarized)
    assert found.status == "committed"
    assert found.tokens_after < policy.threshold_tokens
    [kept] = [
        message for message in found.messages if "the middle of this result is left out" in str(message)
    ]
    assert "line 0 of a" in str(kept)
    assert "line 4999 of a" in str(kept)
    assert "position" in str(kept)
    assert ["cut result big" in str(omission) for omission in found.omissions] == [True]


def test_a_receipt_still_names_the_whole_when_the_copy_is_cut_again() -> None:
    messages = [*transcript("u"), *large("messages")]
    first = compact_transcript(messages, policy=CompactionPolicy(20_000), summarize=summarized).messages
    again = compact_transcript(first, policy=CompactionPolicy(2_500), summarize=summarized)
    [kept] = [message["content"] for message in again.messages if message["role"] == "tool"]
    assert kept.count("the middle of this result is left out") == 1
    whole = context_tokens([large("messages")[1]])
    assert f"{whole - 10:,} tokens" in kept


def test_what_cannot_fit_says_so_and_is_not_asked_for_again() -> None:
    messages = [user("a very long request " * 900), assistant("Yes.")]
    policy = CompactionPolicy(2_000)
    found = compact_transcript(messages, policy=policy, summarize=summarized)
    assert found.status == "nothing"
    assert "does not fit" in found.reason
    tokens = found.tokens_before
    vain = Attempt(finished_at=0.0, failed=False, tokens_before=tokens, tokens_after=tokens)
    assert should_compact(policy, tokens)
    assert not should_compact(policy, tokens, [vain], now=1.0)
    assert not should_compact(policy, tokens, [vain], now=1_000_000.0), "nothing new: it would end alike"
    assert should_compact(policy, tokens + 1, [vain], now=61.0), "something new, after the pause"
    assert should_compact(policy, tokens + 200, [vain], now=1.0), "after it has grown"


def test_our_own_notes_are_no_words_of_the_user() -> None:
    seen: list[Any] = []

    def summarize(request: SummaryRequest) -> str:
        seen.extend(request.entries)
        return SUMMARY

    note = user("[Note by the compaction: between these two messages others were replaced.]")
    todo = user("[Your active task list was preserved across context compression]\n- [ ] write tests")
    messages = [*transcript("s ua"), note, todo, *transcript("ua" * 12)]
    found = compact_transcript(messages, policy=small_policy(), summarize=summarize)
    assert not any("Note by" in entry.text for entry in seen)
    assert [entry.kind for entry in seen if "write tests" in entry.text] == ["note"]
    assert "Note by" not in found.handoff
