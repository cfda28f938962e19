"""The summary without a model: deterministic, bounded, founded."""

import pytest
from hypothesis import given, settings

from hermes_sessions.compaction import CompactionResult, compact_transcript
from hermes_sessions.handoff import write_notes
from hermes_sessions.messages import SpanEntry, SummaryRequest
from hermes_sessions.summarizers import ExtractiveSummarizer
from hermes_sessions.tokens import count_text
from tests.compaction.builders import (
    Dict,
    assistant,
    call,
    result,
    small_policy,
    system,
    transcript,
    transcripts,
    user,
)

extractive = ExtractiveSummarizer()


def compacted(messages: list[Dict], **policy: int) -> CompactionResult:
    found = compact_transcript(messages, policy=small_policy(head_messages=0, **policy), summarize=extractive)
    assert found.status == "committed", found.reason
    return found


def work(goal: str = "Please fix src/tax.py. Never touch the API.") -> list[Dict]:
    messages = [system(), user(goal)]
    messages += [
        assistant("I read it.", call("a", "read_file", path="src/tax.py")),
        result("a", "x = 1\n" * 60),
    ]
    messages += [assistant("We decided to round half even. The rate was negative.")]
    messages += [user("Does it pass?"), assistant("Yes, 12 tests pass. Shall I commit?")]
    return [*messages, *transcript("ct" * 5, words=8), *transcript("ua" * 3)]


def test_it_names_itself() -> None:
    assert compacted(work()).method == "extractive"


def test_a_handoff_tells_words_rules_actions_decisions_questions_and_files() -> None:
    handoff = compacted(work(), summary_tokens=1_500, handoff_tokens=2_000).handoff
    for told in (
        "<user_said>Please fix src/tax.py. Never touch the API.</user_said>",
        "constraint (user):\n- Never touch the API.",
        "- [read_file] src/tax.py -> done",
        "decision (assistant):\n- We decided to round half even",
        "Does it pass? -> Yes, 12 tests pass.",
    ):
        assert told in handoff


def test_what_was_done_again_and_again_is_one_line() -> None:
    pairs = [
        made
        for number in range(30)
        for made in (assistant(None, call(f"n{number}", command="make")), result(f"n{number}", "ok"))
    ]
    handoff = compacted([*work(), *pairs, *transcript("ua" * 3)], handoff_tokens=2_000).handoff
    assert handoff.count("make -> done") == 1
    assert "make -> done (" in handoff


def test_the_same_transcript_gives_the_same_summary() -> None:
    assert compacted(work()).handoff == compacted(work()).handoff


def test_a_second_run_brings_the_first_up_to_date() -> None:
    first = compacted(work(), summary_tokens=600)
    second = compacted([*first.messages, *work("Now the report.")[1:]], summary_tokens=600)
    assert second.handoff.count("Please fix src/tax.py.") == 1
    assert second.handoff.count("We decided to round half even") <= 2
    assert second.handoff.count("## Completed actions") == 1


def test_it_keeps_its_budget() -> None:
    seen: list[str] = []

    def summarize(request: SummaryRequest) -> str:
        seen.append(extractive(request))
        assert count_text(seen[-1]).tokens <= max(request.max_tokens, 200) * 1.2
        return seen[-1]

    compact_transcript(transcript("s" + "uactct" * 200), policy=small_policy(), summarize=summarize)
    assert seen


@settings(max_examples=60, deadline=None)
@given(transcripts())
def test_it_never_fails_the_engine(messages: list[Dict]) -> None:
    found = compact_transcript(messages, policy=small_policy(), summarize=extractive)
    assert not found.failure or "larger" in found.reason
    assert not found.dropped_claims


def test_narration_beside_a_call_is_neither_an_answer_nor_the_state() -> None:
    messages = [system(), user("Why is the ferry list empty?")]
    messages += [assistant("Opening the list.", call("a", "read_file", path="src/ferry.py"))]
    messages += [result("a", "x = 1\n" * 60), assistant("The filter drops every ferry without a port.")]
    handoff = compacted([*messages, *transcript("ua" * 8)], summary_tokens=1_500).handoff
    assert "-> Opening the list." not in handoff
    assert "Why is the ferry list empty? -> The filter drops every ferry without a port." in handoff


@pytest.mark.parametrize(
    ("spoken", "left"),
    [
        pytest.param([], ["Look at jar 10.", "Which jar is Ida's?"], id="nobody spoke"),
        pytest.param([("user", "And jar 11?")], ["Look at jar 10.", "Which jar is Ida's?"], id="no reply"),
        pytest.param([("user", "Jar 11."), ("assistant", "Full.")], ["Which jar is Ida's?"], id="went on"),
        pytest.param([("assistant", "Jar 10 is Ida's.")], [], id="answered"),
    ],
)
def test_what_earlier_notes_call_pending_goes_when_it_is_answered(
    spoken: list[tuple[str, str]], left: list[str]
) -> None:
    entries = [SpanEntry(at, kind, "", text) for at, (kind, text) in enumerate(spoken)]
    earlier = "## Pending questions\n- Look at jar 10.\n- Which jar is Ida's?"
    notes = write_notes(entries, earlier, 4_000)
    assert [line for line in ("Look at jar 10.", "Which jar is Ida's?") if line in notes] == left
