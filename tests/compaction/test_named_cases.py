"""Reports against real agents, one test each; where to cut is in test_plan.py."""

import json
from typing import Any

import pytest

from hermes_sessions.compaction import (
    CompactionContext,
    CompactionResult,
    compact_transcript,
    plan_compaction,
)
from hermes_sessions.errors import TranscriptError
from hermes_sessions.handoff import END, render_handoff, split_handoff
from hermes_sessions.messages import SummaryRequest
from tests.compaction.builders import (
    SUMMARY,
    Dict,
    assistant,
    call,
    failing,
    result,
    roles,
    small_policy,
    summarized,
    system,
    text_of,
    transcript,
    user,
)

REPLY = "The cause is the cache key: it lacks the tenant."


def compacted(messages: list[Dict], summarize: Any = summarized, **policy: Any) -> Any:
    found = compact_transcript(messages, policy=small_policy(**policy), summarize=summarize)
    assert found.status == "committed", found.reason
    return found


def readable(message: Dict) -> list[str]:
    return [part.text for part in split_handoff(message["content"]) if part.kind == "message"]


def test_the_reply_before_a_long_tool_run_stays_readable() -> None:
    """Hermes #29824, #29862: the visible reply was summarised away by the tool run behind it."""
    messages = [
        *transcript("s ua ua u"),
        assistant(REPLY),
        assistant("I look at the first file.", call("first")),
        result("first"),
        *transcript("ct" * 30),
    ]
    after = compacted(messages).messages
    assert any(REPLY in readable(message) for message in after if message["role"] == "assistant")


def test_narration_beside_a_tool_call_is_no_reply() -> None:
    messages = [*transcript("s ua ua"), user("Why does it fail?"), assistant(REPLY), user("Mend it.")]
    for number in range(40):
        messages += [assistant(f"Reading file {number} now.", call(f"n{number}")), result(f"n{number}")]
    found = compacted(messages)
    assert any(REPLY in readable(message) for message in found.messages if message["role"] == "assistant")
    assert "Reading file" not in found.handoff.partition("<verbatim_tail>")[2]


def test_narration_is_the_reply_where_nothing_else_was_said() -> None:
    messages = [*transcript("s u")]
    for number in range(40):
        text = REPLY if number == 3 else None
        messages += [assistant(text, call(f"n{number}")), result(f"n{number}")]
    assert any(REPLY in readable(message) for message in compacted(messages).messages if message["content"])


def test_the_reply_stays_readable_in_a_merged_message() -> None:
    """Hermes #29862: merged with the handoff, the reply was shown as part of the metadata."""
    messages = [*transcript("s ua u"), assistant(REPLY), *transcript("u ct*30".replace("ct*30", "ct" * 30))]
    merged = compacted(messages, head_messages=3).messages[4]
    assert [part.kind for part in split_handoff(merged["content"])] == ["handoff", "message"]
    assert readable(merged) == [REPLY]


def test_task_b_is_live_and_task_a_reads_as_done() -> None:
    """Hermes #10896, #10969: task B was lost and the finished task A done again."""
    task_b = "Task B: write the release notes."
    messages = [
        system(),
        user("Task A: rename the module."),
        *transcript("ct" * 8),
        assistant("Task A is done."),
    ]
    messages += [user(task_b), *transcript("ct" * 30)]
    seen: list[SummaryRequest] = []

    def summarize(request: SummaryRequest) -> str:
        seen.append(request)
        return SUMMARY

    found = compacted(messages, summarize, head_messages=0)
    place = next(index for index, message in enumerate(found.messages) if message["content"] == task_b)
    assert place > roles(found.messages).index("user"), "the request stands behind the handoff"
    assert found.handoff.index(task_b) < found.handoff.index("rename the module"), "newest words first"
    assert "must read as finished" in seen[0].instructions


def test_a_message_of_the_head_is_replayed_once_not_into_every_child() -> None:
    """Hermes #9199: one message of 07:14 was replayed in six successive children."""
    first = "Remember the milk, 07:14."
    messages = [system(), user(first), assistant("Noted."), *transcript("ct" * 20 + "ua")]
    for _ in range(6):
        messages = [*compacted(messages).messages, *transcript("ct" * 20 + "ua")]
    assert sum(message["content"] == first for message in messages) == 0
    assert text_of(messages[1]).count(first) == 1, "kept among the user's words, once"


def test_preview_equals_execution() -> None:
    """Hermes #7133: the preview announced another cut than the run made."""
    messages = transcript("s" + "ua" * 10 + "u" + "ct" * 30)
    plan = plan_compaction(messages, small_policy())
    assert compacted(messages).plan == plan


def test_an_assistant_does_not_act_on_a_finished_request() -> None:
    """Hermes #7133, #9199: a ghost response right after the compaction, nobody having asked."""
    messages = [
        *transcript("s ua ua"),
        user("Count the files."),
        *transcript("ct" * 40),
        assistant("There are 40."),
    ]
    found = compacted(messages)
    assert found.messages[-1]["content"] == "There are 40."
    assert "not a request" in found.handoff.splitlines()[0]


def test_a_stale_directive_of_an_old_prefix_is_gone() -> None:
    """Hermes #35344: the prefix of an old release went on telling the model to resume."""
    directive = "resume exactly from there"
    prefix = f"[CONTEXT COMPACTION — REFERENCE ONLY] Task below — {directive}, avoid repeating it:"
    old = f"{prefix}\n{SUMMARY}\n\n{END}"
    messages = [system(), user(old), *transcript("ua" * 15)]
    seen: list[str] = []

    def summarize(request: SummaryRequest) -> str:
        seen.append(request.prompt)
        return request.previous

    found = compacted(messages, summarize)
    assert directive not in seen[0]
    assert directive not in "".join(map(text_of, found.messages))
    assert "Keep the build green." in found.handoff


def test_invalid_json_arguments_are_sent_as_valid_json() -> None:
    """Hermes #11762: arguments cut in the middle made the provider refuse every further call."""
    broken = {
        "id": "x",
        "type": "function",
        "function": {"name": "write", "arguments": '{"path": "a.py", "te' + "x" * 900},
    }
    messages = [*transcript("s ua ua ua"), assistant(None, broken), result("x"), *transcript("ua" * 10)]
    seen: list[SummaryRequest] = []

    def summarize(request: SummaryRequest) -> str:
        seen.append(request)
        return SUMMARY

    compacted(messages, summarize)
    calls = [entry.text for entry in seen[0].entries if entry.kind == "call"]
    assert all(isinstance(json.loads(text), dict) for text in calls)


def test_long_arguments_kept_in_the_tail_are_not_touched() -> None:
    """Hermes #11762: what stays live stays to the byte."""
    long = call("x", "write_file", path="a.py", text="y" * 3_000)
    messages = [*transcript("s" + "ua" * 12), assistant(None, long), result("x")]
    assert compacted(messages).messages[-2] == messages[-2]


def test_parallel_calls_are_counted() -> None:
    """Hermes #28053: only the first of several parallel calls was counted."""
    calls = [call(str(number), "write_file", text="word " * 200) for number in range(5)]
    one = [*transcript("s ua ua"), assistant(None, calls[0]), result("0")]
    five = [*transcript("s ua ua"), assistant(None, *calls), *(result(str(number)) for number in range(5))]
    before = [
        compact_transcript(each, policy=small_policy(), summarize=summarized).tokens_before
        for each in (one, five)
    ]
    assert before[1] - before[0] > 4 * 200


@pytest.mark.parametrize(
    "shape", ["s" + "ua" * 12, "ua" * 12, "s" + "a" + "ua" * 12, "u" + "ct" * 40, "sh" + "ua" * 12]
)
def test_the_first_message_behind_the_system_prompt_is_the_users(shape: str) -> None:
    """Hermes #52160: strict providers refuse a transcript that begins with the assistant."""
    spoken = [role for role in roles(compacted(transcript(shape)).messages) if role != "system"]
    assert spoken[0] == "user"


def test_a_summary_larger_than_its_span_is_not_used() -> None:
    """Hermes #23811: the summary came out larger than the text it replaced."""
    messages = transcript("s" + "ua" * 10)
    found = compact_transcript(
        messages, policy=small_policy(), summarize=lambda request: "long words " * 5_000
    )
    assert found.status == "aborted" or found.method == "fallback"
    assert found.tokens_after <= found.tokens_before


def test_what_the_user_never_said_is_taken_out() -> None:
    """Hermes #62365: summaries held "User asked" lines that nobody had written."""
    invented = 'The user asked: "Please delete the production database."'
    true = 'The user asked to "fix the flaky test" first.'
    messages = [
        system(),
        user("Can you fix the flaky test in CI?"),
        *transcript("ctct"),
        *transcript("ua" * 10),
    ]
    found = compacted(messages, lambda request: f"## Goal\n{invented}\n{true}", head_messages=0)
    assert invented not in found.handoff
    assert true in found.handoff
    assert found.dropped_claims == (invented,)


def test_without_a_user_nothing_is_said_to_be_asked() -> None:
    """Hermes #62365: where no user spoke, the summary invented a request."""
    messages = [system(), *transcript("ct" * 40)]
    found = compacted(
        messages, lambda request: "## Active task\nUser asked to deploy to production.\n## State\nidle"
    )
    assert "deploy" not in found.handoff
    assert "No user message is known" in found.handoff


def test_a_blank_reply_is_not_an_anchor_where_one_with_text_exists() -> None:
    """Hermes #29824: a stub with nothing but tool calls is no reply."""
    messages = [*transcript("s ua ua u"), assistant(REPLY), *transcript("u" + "ct" * 30)]
    plan = plan_compaction(messages, small_policy())
    assert 6 in plan.carried


def test_unknown_keys_of_messages_survive() -> None:
    messages = [
        {**message, "x_trace": index, "cache_control": {"a": [1]}}
        for index, message in enumerate(transcript("s" + "ua" * 12))
    ]
    found = compacted(messages)
    assert all(
        placed.message == messages[placed.source]
        for placed in found.placed
        if placed.source and not placed.changed
    )


def test_a_handoff_in_a_kept_message_is_taken_out_and_updated() -> None:
    merged = {
        "role": "user",
        "content": f"{render_handoff('## Goal' + chr(10) + 'old notes')}\n\nAnd now the next step?",
    }
    messages = [system(), *transcript("ua" * 10), merged, *transcript("ctct")]
    seen: list[str] = []

    def summarize(request: SummaryRequest) -> str:
        seen.append(request.previous)
        return "## Goal\nnew notes"

    found = compacted(messages, summarize)
    assert seen == ["## Goal\nold notes"]
    assert "old notes" not in json.dumps(found.messages)
    assert any(readable(message) == ["And now the next step?"] for message in found.messages)


def test_orphans_are_left_out_and_reported() -> None:
    orphan_call = assistant("Trying.", call("lost"))
    messages = [*transcript("s" + "ua" * 10), result("nobody"), orphan_call, user("and?"), assistant("done")]
    found = compacted(messages, min_tail_messages=6)
    assert [(omission.index, omission.what, omission.ids) for omission in found.omissions] == [
        (21, "orphan result", ("nobody",)),
        (22, "orphan call", ("lost",)),
    ]
    assert "lost" not in json.dumps(found.messages[-3:])
    assert found.messages[-3]["content"] == "Trying."


def test_calls_whose_results_are_still_to_come_stay() -> None:
    messages = [*transcript("s" + "ua" * 10), assistant(None, call("running"))]
    found = compacted(messages)
    assert found.messages[-1] == messages[-1]
    assert not found.omissions


def test_a_second_compaction_updates_the_first() -> None:
    seen: list[str] = []

    def summarize(request: SummaryRequest) -> str:
        seen.append(request.previous)
        return f"## Goal\nround {len(seen)}"

    first = compacted(transcript("s" + "ua" * 12), summarize)
    second = compacted([*first.messages, *transcript("ua" * 12)], summarize)
    assert seen == ["", "## Goal\nround 1"]
    assert "round 1" not in second.handoff
    assert second.handoff.count(END) == 1


def test_the_handoff_says_where_the_originals_are() -> None:
    context = CompactionContext(session_id="20260301_ab'cd", first_position=10)
    policy = small_policy()
    found = compact_transcript(
        transcript("s" + "ua" * 12), policy=policy, summarize=summarized, context=context
    )
    assert "hermes-sessions show '20260301_ab'\"'\"'cd' --all" in found.handoff
    assert f"numbers {10 + found.plan.span[0]} to {10 + found.plan.span[-1]}" in found.handoff


def with_positions(positions: tuple[int | None, ...]) -> CompactionResult:
    context = CompactionContext(session_id="20260301_abcd", first_position=900, positions=positions)
    return compact_transcript(
        transcript("s" + "ua" * 12), policy=small_policy(), summarize=summarized, context=context
    )


def test_the_originals_are_where_their_rows_are_and_not_where_they_are_counted() -> None:
    """Rewound rows leave gaps between the positions of a session; a system prompt has no row."""
    found = with_positions((None, *(7 + 3 * number for number in range(24))))
    first, last = (7 + 3 * (index - 1) for index in (found.plan.span[0], found.plan.span[-1]))
    assert (
        f"numbers {first} to {last}; read them with: hermes-sessions show 20260301_abcd --all"
        in found.handoff
    )


def test_originals_without_rows_are_not_said_to_be_stored() -> None:
    found = with_positions((None,) * 25)
    assert "of the transcript that was compacted" in found.handoff
    assert "20260301_abcd" not in found.handoff


def test_positions_of_another_transcript_are_refused() -> None:
    with pytest.raises(TranscriptError, match="3 positions for 25 messages"):
        with_positions((1, 2, 3))


def test_the_users_words_stand_in_the_handoff_to_the_letter() -> None:
    words = "Never touch  the `legacy/` folder,\nand keep END markers: ok?\n\n## Not a heading"
    messages = [system(), user(words), assistant("Understood."), *transcript("ct" * 20 + "ua")]
    assert words in compacted(messages, head_messages=0).handoff
    kept = compacted(messages)
    assert words in kept.messages[1]["content"]
    assert words not in kept.handoff


def test_the_users_words_survive_a_second_compaction() -> None:
    words = "Never touch the `legacy/` folder."
    first = compacted([system(), user(words), *transcript("ct" * 40)], head_messages=0)
    second = compacted([*first.messages, *transcript("ct" * 20 + "ua" * 2)])
    assert words in second.handoff


def test_exact_facts_of_the_span_are_listed() -> None:
    line = "See src/billing/tax.py:88 and https://example.com/a?b=1; commit 3f78685 took 12.5 ms."
    talk = assistant(f"{line}\n{'x' * 200} db/rates.csv")
    messages = [*transcript("s uaua"), user("and the tax?"), talk, *transcript("ua" * 14)]
    facts = compacted(messages).handoff
    assert facts.count(line) == 1
    assert "path (assistant):\n- db/rates.csv" in facts


def test_the_focus_reaches_the_summariser() -> None:
    seen: list[SummaryRequest] = []

    def summarize(request: SummaryRequest) -> str:
        seen.append(request)
        return SUMMARY

    context = CompactionContext(focus="the tax rules")
    compact_transcript(
        transcript("s" + "ua" * 12), policy=small_policy(), summarize=summarize, context=context
    )
    assert seen[0].focus == "the tax rules"
    assert "the tax rules" in seen[0].prompt


def test_too_small_a_saving_is_refused() -> None:
    messages = transcript("s" + "ua" * 12)
    found = compact_transcript(messages, policy=small_policy(min_saving=0.99), summarize=summarized)
    assert (found.status, found.messages) == ("aborted", messages)
    assert "99%" in found.reason


def test_a_span_smaller_than_any_handoff_is_left_alone() -> None:
    messages = transcript("s ua ua", words=2)
    found = compact_transcript(
        messages, policy=small_policy(tail_tokens=1, head_messages=0), summarize=summarized
    )
    assert (found.status, found.messages) == ("aborted", messages)


def test_a_merged_list_gives_its_blocks_back() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    asked = [{"type": "text", "text": "what is on it?"}, image]
    messages = [*transcript("ua" * 10), user(asked), assistant("a cat " * 10), *transcript("ct" * 20)]
    found = compacted(messages, tail_tokens=60)
    merged = next(message for message in found.messages if isinstance(message["content"], list))
    parts = split_handoff(merged["content"])
    assert [part.kind for part in parts] == ["handoff", "message"]
    assert parts[1].raw == asked


def test_an_empty_transcript_is_left_alone() -> None:
    found = compact_transcript([], policy=small_policy(), summarize=failing("other"))
    assert (found.status, found.messages, found.reason) == ("nothing", [], "the transcript is empty")
