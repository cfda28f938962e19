"""What a summariser is sent: masked, shortened, bounded, and the transcript untouched."""

import copy
import json

import pytest

from hermes_sessions.compaction import CompactionPolicy, compact_transcript
from hermes_sessions.messages import SummaryRequest
from hermes_sessions.tokens import count_text
from tests.compaction.builders import (
    SUMMARY,
    Dict,
    assistant,
    call,
    result,
    small_policy,
    system,
    transcript,
    user,
)

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
PEM = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEA7c9\n" * 400 + "-----END RSA PRIVATE KEY-----"
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 5_000}}


def sent(
    messages: list[Dict], policy: CompactionPolicy | None = None, answer: str = SUMMARY
) -> SummaryRequest:
    seen: list[SummaryRequest] = []

    def summarize(request: SummaryRequest) -> str:
        seen.append(request)
        return answer

    before = copy.deepcopy(messages)
    compact_transcript(messages, policy=policy or small_policy(head_messages=0), summarize=summarize)
    assert messages == before
    return seen[0]


def around(*middle: Dict) -> list[Dict]:
    return [system(), user("go"), *middle, *transcript("ct" * 20 + "ua" * 3)]


@pytest.mark.parametrize(
    "message",
    [
        user(f"my key is {SECRET}"),
        assistant(f"I use {SECRET}"),
        assistant(None, call("x", "terminal", command=f"curl -H 'Authorization: token {SECRET}' x")),
        assistant(None, {"id": "x", "function": {"name": "t", "arguments": f'{{"broken": "{SECRET}'}}),
        assistant(None, call("x", "write", text="y" * 590 + f" {SECRET} " + "z" * 3_000)),
        assistant("y" * 1_480 + f" {SECRET} " + "z" * 5_000),
        user([{"type": "text", "text": SECRET}, IMAGE]),
        user(f"{PEM} is it valid?"),
    ],
    ids=[
        "user",
        "assistant",
        "arguments",
        "broken json",
        "long arguments",
        "at a cut",
        "block",
        "private key",
    ],
)
def test_secrets_never_reach_the_summariser(message: Dict) -> None:
    """Hermes #17691 and others: secrets in tool arguments went to a third party's model."""
    messages = around(message, *([result("x", SECRET)] if message.get("tool_calls") else []))
    everything = repr(sent(messages))
    assert SECRET not in everything
    assert SECRET[4:24] not in everything
    assert "MIIEpAIBAAKCAQEA7c9" not in everything


def test_secrets_are_masked_in_what_comes_back() -> None:
    found = compact_transcript(
        transcript("s" + "ua" * 12),
        policy=small_policy(),
        summarize=lambda request: f"## State\nthe key is {SECRET}",
    )
    assert found.status == "committed"
    assert SECRET not in found.handoff


def test_secrets_of_live_messages_stay_as_they_are() -> None:
    messages = [*transcript("s" + "ua" * 12), user(f"use {SECRET}")]
    found = compact_transcript(messages, policy=small_policy(), summarize=lambda request: SUMMARY)
    assert found.messages[-1] == messages[-1]


def test_old_results_become_one_line_and_the_newest_stay_whole() -> None:
    runs = [
        made
        for number in range(12)
        for made in (
            assistant(None, call(f"c{number}", "terminal", command=f"make step{number}")),
            result(f"c{number}", f"building {number}\n" * 20 + '{"exit_code": 2}'),
        )
    ]
    results = [
        entry.text
        for entry in sent([system(), user("build"), *runs, *transcript("ua" * 3)]).entries
        if entry.kind == "result"
    ]
    assert "make step0" in results[0]
    assert "exit 2" in results[0]
    assert "21 lines" in results[0]
    assert "\n" not in results[0]
    assert results[-1].count("building") == 20


def test_of_identical_results_the_newest_stays() -> None:
    same = "the same listing of files\n" * 10
    runs = [
        made
        for number in range(12)
        for made in (assistant(None, call(f"c{number}")), result(f"c{number}", same))
    ]
    results = [
        entry.text
        for entry in sent([system(), user("ls"), *runs, *transcript("ua" * 3)]).entries
        if entry.kind == "result"
    ]
    assert "a later call returned the same" in results[0]
    assert results[-1].strip() == same.strip()


def test_long_arguments_stay_valid_json() -> None:
    long = call("x", "write_file", path="a.py", text="y" * 50_000, lines=list(range(1_000)))
    arguments = next(
        entry.text
        for entry in sent(
            around(assistant(None, long), result("x")),
            CompactionPolicy(100_000, tail_tokens=90, head_messages=0),
        ).entries
        if entry.kind == "call"
    )
    assert json.loads(arguments)["path"] == "a.py"
    assert len(arguments) <= 700


def test_images_are_replaced_by_a_note() -> None:
    request = sent(around(user([{"type": "text", "text": "look"}, IMAGE])))
    assert "look\n[image left out]" in [entry.text for entry in request.entries]
    assert "AAAA" not in request.prompt


@pytest.mark.parametrize("budget", [500, 5_000, 50_000])
def test_the_request_keeps_its_budget(budget: int) -> None:
    """A transcript of 20,000 messages made a prompt of 1.6 million tokens."""
    messages = [system(), *transcript("uactct" * 300, words=200)]
    policy = CompactionPolicy(200_000, tail_tokens=2_000, request_tokens=budget)
    request = sent(messages, policy)
    assert count_text(request.prompt).tokens < budget + 1_500
    assert any("left out here for size" in entry.text for entry in request.entries)


def test_the_users_messages_are_kept_when_others_are_left_out() -> None:
    messages = [
        system(),
        user("The one rule: tabs."),
        *transcript("ct" * 300, words=200),
        *transcript("ua" * 5),
    ]
    request = sent(
        messages, CompactionPolicy(200_000, tail_tokens=2_000, head_messages=0, request_tokens=3_000)
    )
    assert "The one rule: tabs." in request.prompt


def test_the_previous_summary_is_given_without_its_frame() -> None:
    first = compact_transcript(
        transcript("s" + "ua" * 12), policy=small_policy(), summarize=lambda request: SUMMARY
    )
    request = sent([*first.messages, *transcript("ua" * 12)])
    assert request.previous == SUMMARY
    assert "CONTEXT COMPACTION" not in request.prompt


def test_an_answer_may_be_as_long_as_the_policy_says() -> None:
    assert sent(transcript("s" + "ua" * 12), small_policy(summary_tokens=321)).max_tokens == 321


def test_hostile_tool_names_are_cut() -> None:
    evil = call("x", "tool\n" * 5_000)
    assert (
        len(max((entry.name for entry in sent(around(assistant(None, evil), result("x"))).entries), key=len))
        <= 60
    )


@pytest.mark.parametrize(
    "text",
    [
        "we need to repair the migration and look at all logs " * 60,
        "我们需要修复数据库迁移的问题并检查所有日志文件" * 100,
        " ".join(f"{number * 7919**7 % 16**12:012x}" for number in range(1, 190)),
        "".join(chr(0x3400 + number * 37 % 0x1900) for number in range(2_000)),
    ],
    ids=["English", "Chinese", "hashes", "rare characters"],
)
def test_a_request_is_as_large_as_it_may_be_at_most_whatever_the_script(text: str) -> None:
    policy = CompactionPolicy(100_000, request_tokens=20_000)
    messages = [one for turn in range(60) for one in (user(f"{turn} {text}"), assistant(f"{turn} {text}"))]
    assert 8_000 < count_text(sent(messages, policy).prompt).tokens < 20_000
