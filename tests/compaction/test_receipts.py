"""How a failed summariser ends: nothing changes, or a handoff made by rule. No turn is lost in silence."""

import json
from typing import Any

import pytest

from hermes_sessions.compaction import CompactionResult, compact_transcript
from hermes_sessions.errors import SummaryFailedError
from hermes_sessions.handoff import OWN_PREFIX, handoff_facts, render_handoff
from hermes_sessions.messages import SummaryRequest
from tests.compaction.builders import (
    SUMMARY,
    Dict,
    assistant,
    call,
    failing,
    result,
    small_policy,
    summarized,
    system,
    transcript,
    user,
)

WORK = transcript("s" + "ua" * 6 + "u" + "ct" * 20 + "a")
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def compacted(summarize: Any, messages: list[Dict] | None = None, **policy: Any) -> CompactionResult:
    return compact_transcript(
        WORK if messages is None else messages, policy=small_policy(**policy), summarize=summarize
    )


@pytest.mark.parametrize("kind", ["auth", "connection"])
def test_no_key_and_no_connection_change_nothing(kind: str) -> None:
    """Hermes #29559: a connection error cut 124 messages down to 15."""
    found = compacted(failing(kind, "connection reset"))
    assert (found.status, found.failure, found.reason) == ("aborted", kind, "connection reset")
    assert found.messages == WORK
    assert found.tokens_after == found.tokens_before


@pytest.mark.parametrize("kind", ["timeout", "empty", "malformed", "refused", "other"])
def test_other_failures_leave_a_handoff_made_by_rule(kind: str) -> None:
    """Hermes #26189, #25585, #16670, #12131: turns replaced by a bare marker or nothing."""
    found = compacted(failing(kind, "the model hiccupped"))
    assert (found.status, found.method, found.failure) == ("committed", "fallback", kind)
    assert "the model hiccupped" in found.handoff
    assert handoff_facts(found.handoff).fallback
    assert f"stands for {len(found.plan.span)} messages" in found.handoff


@pytest.mark.parametrize("kind", ["timeout", "empty", "malformed", "refused", "other"])
def test_a_policy_can_ask_to_abort_instead(kind: str) -> None:
    found = compacted(failing(kind), abort_on_summary_failure=True)
    assert (found.status, found.failure, found.messages) == ("aborted", kind, WORK)


@pytest.mark.parametrize(
    "error", [RuntimeError("boom"), TimeoutError(), ConnectionError("gone"), KeyError("x")]
)
def test_whatever_a_summariser_raises_costs_no_turn(error: Exception) -> None:
    """Hermes #10719: history silently dropped when the compression itself failed."""

    def summarize(request: SummaryRequest) -> str:
        raise error

    found = compacted(summarize)
    assert (found.status, found.method, found.failure) == ("committed", "fallback", "other")
    assert type(error).__name__ in found.reason


def test_an_interrupt_is_not_swallowed() -> None:
    def summarize(request: SummaryRequest) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compacted(summarize)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (None, "empty"),
        ("", "empty"),
        ("  \n\t", "empty"),
        (OWN_PREFIX, "empty"),
        (render_handoff(""), "empty"),
        ("<think>hmm</think>", "empty"),
        ("## Goal\n\n## State\n", "empty"),
        ({"text": "x"}, "malformed"),
        (b"notes", "malformed"),
        ("I'm sorry, but I can't assist with that request.", "refused"),
        ("filler words " * 9_000, "malformed"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_an_answer_that_is_no_summary_counts_as_failed(answer: Any, kind: str) -> None:
    """Hermes #11585, #11978, #23811: None, an empty answer with status 200, more than it replaced."""
    found = compacted(lambda request: answer)
    assert (found.method, found.failure) == ("fallback", kind)


def test_an_echo_of_the_instructions_counts_as_failed() -> None:
    assert compacted(lambda request: request.instructions).failure == "malformed"
    assert compacted(lambda request: f"Sure!\n{request.instructions}\n## Goal\nx").failure == "malformed"


@pytest.mark.parametrize(
    "wrapped", [render_handoff(SUMMARY), f"```markdown\n{SUMMARY}\n```", f"<think>x</think>\n{SUMMARY}"]
)
def test_a_summary_in_wrapping_is_unwrapped(wrapped: str) -> None:
    found = compacted(lambda request: wrapped)
    assert found.method == "model"
    assert f"\n\n{SUMMARY}\n" in found.handoff
    assert "<think>" not in found.handoff
    assert "```" not in found.handoff


def test_a_fallback_tells_requests_tools_files_and_errors() -> None:
    messages = [
        system(),
        user("Please fix src/tax.py."),
        assistant("I look at it.", call("a", "read_file", path="src/tax.py")),
    ]
    messages += [
        result("a", "ValueError: negative rate\n" + "line\n" * 300),
        *transcript("ct" * 8, words=5),
        *transcript("ua" * 4, words=8),
    ]
    found = compacted(failing("timeout"), messages, head_messages=0).handoff
    for told in (
        "Please fix src/tax.py.",
        "[read_file]",
        "ValueError: negative rate",
        "- [read_file src/tax.py] ValueError: negative rate",
        "Written without a model: no summary today.",
    ):
        assert told in found


@pytest.mark.parametrize("limit", [1_000, 3_000, 8_000])
def test_a_fallback_keeps_its_bound(limit: int) -> None:
    messages = [
        system(),
        *(made for number in range(80) for made in (user(f"ask {number} " * 60), assistant("done " * 60))),
    ]
    found = compacted(failing("timeout"), messages, fallback_chars=limit)
    assert len(found.handoff) <= limit
    assert "Written without a model:" in found.handoff
    assert handoff_facts(found.handoff).has_end


def test_a_fallback_of_a_fallback_keeps_the_older_notes_and_does_not_nest() -> None:
    first = compacted(
        failing("timeout"),
        [system(), *transcript("ua"), user("Remember ZEBRA-77."), *transcript("ct" * 30 + "ua" * 4)],
    )
    second = compacted(failing("timeout"), [*first.messages, *transcript("ct" * 30 + "ua" * 4)])
    assert second.method == "fallback"
    assert "ZEBRA-77" in second.handoff
    assert second.handoff.count("Written without a model:") == 1
    assert second.handoff.count("## Completed actions") == 1


def test_a_fallback_masks_secrets() -> None:
    messages = [
        system(),
        *transcript("ua"),
        user(f"use {SECRET}"),
        *transcript("ct" * 30),
        *transcript("ua" * 4, words=8),
    ]
    assert SECRET not in compacted(failing("timeout", f"refused {SECRET}"), messages).handoff


def test_a_fallback_of_little_is_refused_rather_than_larger() -> None:
    messages = transcript("s ua ua", words=4)
    found = compacted(failing("timeout"), messages, tail_tokens=1, min_tail_messages=0, head_messages=0)
    assert (found.status, found.messages) == ("aborted", messages)
    assert "not be shorter" in found.reason


def test_success_says_where_the_summary_came_from() -> None:
    found = compacted(summarized)
    assert (found.status, found.method, found.failure, found.reason) == ("committed", "model", "", "")


def test_the_error_of_a_summariser_carries_its_kind() -> None:
    assert SummaryFailedError("no", kind="auth").kind == "auth"
    assert json.dumps(str(SummaryFailedError("no"))) == '"no"'


@pytest.mark.parametrize("limit", [1_000, 3_000, 8_000])
@pytest.mark.parametrize("said", ["go {}", "<user_said>{}", "pwd=a{}bcde1", "```\n{}"])
def test_a_fallback_of_many_short_requests_keeps_its_bound(limit: int, said: str) -> None:
    messages = [
        made
        for number in range(400)
        for made in (user(said.format(number)), assistant(f"step {number} " + "text " * 30))
    ]
    found = compacted(failing("timeout"), messages, context_window=200_000, fallback_chars=limit)
    assert found.method == "fallback"
    assert len(found.handoff) <= limit


def test_the_users_words_keep_their_bound_with_their_tags() -> None:
    messages = [made for number in range(900) for made in (user(f"go {number}"), assistant("text " * 30))]
    found = compacted(
        summarized, messages, context_window=200_000, handoff_tokens=20_000, user_words_chars=8_000
    )
    text = found.handoff
    words = text[text.index("<user_said>") : text.rindex("</user_said>") + len("</user_said>\n")]
    assert 7_800 < len(words) <= 8_000
