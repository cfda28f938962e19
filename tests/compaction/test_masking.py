"""Secrets that only their place gives away, and secrets where a text is cut."""

import json

import pytest

from hermes_sessions.compaction import CompactionPolicy, CompactionResult, compact_transcript
from hermes_sessions.messages import SummaryRequest
from hermes_sessions.summarizers import ExtractiveSummarizer
from tests.compaction.builders import Dict, assistant, call, result, system, transcript, user

HEX = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"
UUID = "550e8400-e29b-41d4-a716-446655440000"
KEY = "sk-ant-api03-" + "Ab3Cd5Ef7" * 10


def compacted(*middle: Dict) -> tuple[CompactionResult, SummaryRequest]:
    seen: list[SummaryRequest] = []

    def summarize(request: SummaryRequest) -> str:
        seen.append(request)
        return ExtractiveSummarizer()(request)

    messages = [system(), user("go"), *middle, *transcript("ua" * 8, words=200)]
    policy = CompactionPolicy(20_000, tail_tokens=300, head_messages=0)
    found = compact_transcript(messages, policy=policy, summarize=summarize)
    assert found.status == "committed", found.reason
    return found, seen[0]


@pytest.mark.parametrize(
    "message",
    [
        assistant(None, call("x", "login", password=HEX)),
        assistant(None, call("x", "login", text=json.dumps({"password": HEX}))),
        assistant(None, call("x", "terminal", command="echo start " * 17 + f"; export SECRET_KEY={HEX}")),
        result("x", f"SECRET_KEY={HEX}"),
        result("x", "line\n" * 5_000 + f"SECRET_KEY={HEX}"),
        result("x", "error: " + "word " * 35 + f"SECRET_KEY={HEX}"),
        user(f"curl -H 'Authorization: Bearer {HEX}' http://x.y/z"),
        user(f"API_TOKEN={HEX}"),
        user(f"fetch https://bob:{HEX}@example.com/srv/app now"),
        user([{"type": "text", "text": f"API_TOKEN={HEX}"}]),
        user(f"password: {UUID}"),
    ],
)
def test_the_index_of_facts_holds_no_secret(message: Dict) -> None:
    before = [assistant(None, call("x"))] if message["role"] == "tool" else []
    after = [result("x")] if message.get("tool_calls") else []
    found, request = compacted(*before, message, *after)
    for text in (repr(request), found.handoff):
        assert not any(secret[:12] in text for secret in (HEX, UUID))


def test_what_is_left_of_an_address_with_a_password_is_no_fact() -> None:
    _, request = compacted(user(f"fetch https://bob:{HEX}@example.com/srv/app or https://example.com/a"))
    assert [fact.value for fact in request.facts if fact.kind == "url"] == ["https://example.com/a"]


def test_a_hash_that_is_no_secret_stays_a_fact() -> None:
    _, request = compacted(assistant(f"The commit is {HEX}.", call("x", commit=UUID)), result("x"))
    assert {HEX, UUID} <= {fact.value for fact in request.facts}


@pytest.mark.parametrize("before", [900, 980, 1_800, 9_000, 300_000])
@pytest.mark.parametrize("behind", [900, 980, 9_000])
def test_a_key_where_the_users_words_are_cut_is_masked(before: int, behind: int) -> None:
    found, _ = compacted(user(f"{'a ' * (before // 2)}{KEY} {'b' * behind}"))
    assert not any(KEY[at : at + 12] in found.handoff for at in range(0, len(KEY) - 12))


@pytest.mark.parametrize("before", range(120, 220, 11))
def test_a_key_where_the_active_task_is_cut_is_masked(before: int) -> None:
    messages = [*transcript("s" + "ua" * 8, words=200), user(f"{'a ' * (before // 2)}{KEY} {'b' * 150}")]
    policy = CompactionPolicy(20_000, tail_tokens=300)
    found = compact_transcript(messages, policy=policy, summarize=ExtractiveSummarizer())
    assert "[...truncated]" in found.handoff
    assert not any(KEY[at : at + 12] in found.handoff for at in range(0, len(KEY) - 12))


@pytest.mark.parametrize("before", range(96, 106, 2))
def test_a_key_where_an_old_command_is_cut_is_masked(before: int) -> None:
    run = (assistant(None, call("x", command=f"get {'a' * before}&token={HEX}")), result("x"))
    later = transcript("ct" * 8)
    _, request = compacted(*run, *later)
    told = next(entry.text for entry in request.entries if entry.kind == "result")
    assert HEX[:6] not in told
