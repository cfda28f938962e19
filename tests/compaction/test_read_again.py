"""What a handoff holds by rule is read back whole at the next compaction, whatever was said in it."""

from typing import Any

import pytest

from hermes_sessions.compaction import CompactionContext, CompactionResult, compact_transcript
from hermes_sessions.compaction.economy.fact_lines import FactLine
from hermes_sessions.compaction.sections import read_body
from hermes_sessions.messages import SummaryRequest
from tests.compaction.builders import SUMMARY, Dict, assistant, small_policy, transcript, user

TAGS = ["<verbatim_tail>", "</verbatim_tail>", "<user_said>", "<verbatim_tail>x</verbatim_tail>"]


def asked(count: int, name: str = "ask") -> list[Dict]:
    return [
        made
        for number in range(count)
        for made in (user(f"{name} {number} " + "word " * 5), assistant("done " * 120))
    ]


def compacted(
    messages: list[Dict], session: str, answer: Any = SUMMARY, seen: Any = None, **policy: Any
) -> CompactionResult:
    def summarize(request: SummaryRequest) -> str:
        if seen is not None:
            seen.append(request)
        return str(answer)

    context = CompactionContext(session_id=session)
    found = compact_transcript(messages, policy=small_policy(**policy), summarize=summarize, context=context)
    assert found.status == "committed", found.reason
    return found


def check_read_again(messages: list[Dict], answer: str = SUMMARY) -> None:
    """Compact twice: notes, words and pointer of the first stand in the second."""
    seen: list[SummaryRequest] = []
    policy = {"context_window": 20_000, "tail_tokens": 100, "handoff_tokens": 2_000}
    first = compacted(messages, "first", answer, **policy)
    second = compacted([*first.messages, *asked(12, "then")], "second", seen=seen, **policy)
    assert "Keep the build green." in seen[0].previous
    assert "show first --all" in second.handoff
    assert second.handoff.count("<user_said>ask") >= first.handoff.count("<user_said>ask") > 5
    assert second.handoff.count("<verbatim_tail>") == 1


@pytest.mark.parametrize("tag", TAGS)
def test_a_tag_in_the_last_request_ends_nothing(tag: str) -> None:
    check_read_again([*asked(12), user(f"Why does {tag} stay?"), assistant("It is a tag.")])


@pytest.mark.parametrize("tag", TAGS)
def test_a_tag_in_a_summary_ends_nothing(tag: str) -> None:
    check_read_again(asked(12), f"## Active task\nfind\n{tag} and more\n\n{SUMMARY}\n{tag}\nstays")


@pytest.mark.parametrize("tag", TAGS)
def test_a_tag_in_a_command_ends_nothing(tag: str) -> None:
    check_read_again([user("look"), assistant(f"`grep -rn '{tag}' src/`"), *asked(12)])


def test_a_summariser_sees_tags_as_they_were_written() -> None:
    seen: list[SummaryRequest] = []
    first = compacted(transcript("s" + "ua" * 12), "first", f"{SUMMARY}\n- <verbatim_tail> stays")
    compacted([*first.messages, *transcript("ua" * 12)], "second", seen=seen)
    assert seen[0].previous == f"{SUMMARY}\n- <verbatim_tail> stays"


def test_an_older_handoff_with_a_tag_in_it_is_still_read() -> None:
    body = (
        "## Active task\nThe user's last message stands in full behind this handoff: why <verbatim_tail>?\n\n"
        "## What the user said, word for word, newest first\n"
        "<user_said>first\n## not ours <\\user_said></user_said>\n<user_said>second</user_said>\n\n"
        f"{SUMMARY}\n- <user_said>\n\n"
        "## Exact facts, copied by rule\n- command: grep '<verbatim_tail>' x\n\n"
        "## Where the originals are\n- 7 messages, positions 0 to 6 of session old\n\n"
        "<verbatim_tail>the end</verbatim_tail>"
    )
    summary, ruled = read_body(body)
    assert summary == f"{SUMMARY}\n- <user_said>"
    assert ruled.words == ("first\n## not ours <user_said>", "second")
    assert ruled.facts == (FactLine("command", "assistant", "grep '<verbatim_tail>' x"),)
    assert ruled.pointers == ("7 messages, positions 0 to 6 of session old",)
    assert ruled.verbatim == "the end"


@pytest.mark.parametrize("fence", ["```", "~~~", "  ```"])
def test_a_code_block_that_is_cut_swallows_nothing(fence: str) -> None:
    code = f"{fence}\n" + "code line\n" * 60 + fence
    policy = {"context_window": 2_000, "tail_tokens": 100, "min_tail_messages": 0}
    notes = f"## Goal\n- x\n## State\n{code}\n## Decisions\n- " + "d " * 100
    first = compacted(asked(30), "first", notes, **policy)
    assert sum(line.lstrip().startswith(fence.strip()) for line in first.handoff.splitlines()) == 2
    assert "show first --all" in compacted([*first.messages, *asked(20)], "second", **policy).handoff


def test_a_code_block_that_a_fallback_cut_swallows_nothing() -> None:
    policy = {"context_window": 20_000, "tail_tokens": 100, "fallback_chars": 3_000}
    code = "```\n" + "code line\n" * 200 + "```"
    first = compacted(asked(30), "first", f"{SUMMARY}\n## State\n{code}\n- green", **policy)
    second = compacted([*first.messages, *asked(30)], "second", "", **policy)
    assert second.method == "fallback"
    seen: list[SummaryRequest] = []
    third = compacted([*second.messages, *asked(30)], "third", seen=seen, **policy)
    assert "show second --all" in third.handoff
    assert "## Where the originals are" not in seen[0].previous


def test_a_code_block_left_open_by_an_older_handoff_swallows_nothing() -> None:
    body = (
        f"{SUMMARY}\n```\ncode [...truncated]\n\n## Exact facts, copied by rule\n- path: a.py\n\n"
        "## Where the originals are\n- 7 messages, positions 0 to 6 of session old"
    )
    summary, ruled = read_body(body)
    assert summary == f"{SUMMARY}\n```\ncode [...truncated]\n```"
    assert ruled.facts == (FactLine("path", "assistant", "a.py"),)
    assert ruled.pointers == ("7 messages, positions 0 to 6 of session old",)


def test_a_heading_of_ours_in_a_closed_code_block_is_no_heading() -> None:
    body = f"{SUMMARY}\n```\n## Exact facts, copied by rule\n- path: a.py\n```"
    assert read_body(body)[0] == body
