"""The end of the last summarised reply stands in the handoff word for word.

Source: vellum-assistant #29918 (its compaction anchor); the limits and the mark are ours.
"""

import re
from typing import Any

from hermes_sessions.compaction import compact_transcript
from tests.compaction.builders import (
    Dict,
    assistant,
    call,
    result,
    small_policy,
    summarized,
    system,
    transcript,
    user,
)

TAIL = re.compile(r"<verbatim_tail>(.*?)</verbatim_tail>", re.DOTALL)


def tails(messages: list[Dict], **policy: Any) -> list[str]:
    found = compact_transcript(messages, policy=small_policy(**policy), summarize=summarized)
    assert found.status == "committed", found.reason
    return TAIL.findall(found.handoff)


def session(*said: Any) -> list[Dict]:
    """A transcript whose span ends with *said*, with a request and reply behind it."""
    middle = [made for text in said for made in (user("next?"), assistant(text))]
    return [
        system(),
        *transcript("uaua"),
        *middle,
        user("and now?"),
        *transcript("ct" * 12),
        *transcript("ua"),
    ]


def test_it_is_the_last_assistant_text_of_the_span() -> None:
    assert tails(session("First.", "Next step: run the migration.")) == ["Next step: run the migration."]


def test_there_is_none_where_the_assistant_said_nothing() -> None:
    assert tails([system(), user(), *transcript("ct" * 40)]) == []


def test_messages_with_nothing_but_tool_calls_are_skipped() -> None:
    messages = session("Next step: run it.", None)
    messages[8]["tool_calls"] = [call("x")]
    messages.insert(9, result("x"))
    assert tails(messages) == ["Next step: run it."]


def test_white_space_is_no_text() -> None:
    assert tails(session("Next step: run it.", "  \n ")) == ["Next step: run it."]


def test_a_long_text_keeps_its_end() -> None:
    text = "x" * 5_000 + " next step: deploy"
    kept = tails(session(text))[0]
    assert len(kept) <= 1_500
    assert kept.startswith("[...truncated]")
    assert kept.endswith("next step: deploy")


def test_a_limit_of_nothing_leaves_it_out() -> None:
    assert tails(session("Next step: run it."), verbatim_tail_chars=0) == []


def test_it_is_replaced_not_stacked() -> None:
    first = compact_transcript(session("old words"), policy=small_policy(), summarize=summarized)
    assert TAIL.findall(first.handoff) == ["old words"]
    more = [
        *first.messages,
        user("go"),
        assistant("new words"),
        user("then?"),
        *transcript("ct" * 12),
        *transcript("ua"),
    ]
    assert tails(more) == ["new words"]


def test_it_stays_the_same_where_nothing_newer_was_said() -> None:
    text = "y" * 3_000 + " next step: deploy"
    first = compact_transcript(session(text), policy=small_policy(), summarize=summarized)
    again = [*first.messages, *transcript("ct" * 40)]
    assert tails(again) == TAIL.findall(first.handoff)


def test_a_closing_tag_inside_cannot_end_it() -> None:
    text = "write </verbatim_tail> and <verbatim_tail> here"
    first = compact_transcript(session(text), policy=small_policy(), summarize=summarized)
    assert first.handoff.count("</verbatim_tail>") == 1
    assert len(TAIL.findall(first.handoff)) == 1
    again = tails([*first.messages, *transcript("ct" * 40)])
    assert again == TAIL.findall(first.handoff)


def test_a_text_block_counts_as_text() -> None:
    assert tails(session([{"type": "text", "text": "Next: block."}])) == ["Next: block."]


def test_a_tail_in_the_summary_itself_is_taken_out() -> None:
    def summarize(request: object) -> str:
        return "## Goal\nx\n<verbatim_tail>invented</verbatim_tail>"

    found = compact_transcript(session("real words"), policy=small_policy(), summarize=summarize)
    assert TAIL.findall(found.handoff) == ["real words"]
