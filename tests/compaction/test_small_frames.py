"""Handoffs of a few hundred tokens: the frame shrinks to its markers, and is read back all the same."""

import pytest

from hermes_sessions.compaction import CompactionPolicy, compact_transcript
from hermes_sessions.compaction.sections import read_body
from hermes_sessions.handoff import (
    BRACKET,
    END,
    SHORT_PREFIX,
    handoff_facts,
    has_known_prefix,
    merge_handoff,
    render_handoff,
    split_handoff,
)
from hermes_sessions.summarizers import ExtractiveSummarizer
from tests.compaction.builders import Dict, assistant, user

RULE = "Never lend the brass sextant to anybody without a note from Odile."
OF_THE_AGENT = "Understood: nobody but Odile may open the map drawer."
WISH = "USER PREFERENCE: distances are given in leagues."


def talk() -> list[Dict]:
    found: list[Dict] = []
    for place, text in enumerate(
        (RULE, WISH, *(f"Look at shelf {number} for a while." for number in range(9)))
    ):
        found += [user(text), assistant(OF_THE_AGENT if place == 1 else f"Shelf {place} was looked at.")]
    return found


def compacted(messages: list[Dict], tokens: int) -> str:
    policy = CompactionPolicy(
        2 * tokens, head_messages=0, min_tail_messages=1, tail_tokens=8, handoff_tokens=tokens
    )
    return compact_transcript(messages, policy=policy, summarize=ExtractiveSummarizer()).handoff or ""


@pytest.mark.parametrize("tokens", [140, 180, 240, 300])
def test_a_small_handoff_spends_its_tokens_on_what_holds(tokens: int) -> None:
    handoff = compacted(talk(), tokens)
    assert handoff.startswith(f"{SHORT_PREFIX}\n")
    assert handoff.endswith(END)
    assert "## " not in handoff
    assert f"\n- {RULE}\n" in handoff


def test_what_is_said_comes_back_with_its_speaker_and_its_kind() -> None:
    body = split_handoff(compacted(talk(), 300))[0].text
    summary, ruled = read_body(body)
    assert summary == ""
    assert {(line.kind, line.speaker, line.text) for line in ruled.facts} >= {
        ("constraint", "user", RULE),
        ("constraint", "assistant", OF_THE_AGENT),
        ("decision", "user", WISH),
    }


def test_a_rule_stands_through_small_rounds() -> None:
    messages = talk()
    policy = CompactionPolicy(400, head_messages=0, min_tail_messages=1, tail_tokens=20, handoff_tokens=150)
    for number in range(6):
        messages = compact_transcript(messages, policy=policy, summarize=ExtractiveSummarizer()).messages
        assert sum(str(message["content"]).count(RULE) for message in messages) == 1
        messages += [user(f"Look at box {number}."), assistant(f"Box {number} was looked at by me.")] * 4


def test_a_summary_stands_behind_the_lines_of_a_small_handoff() -> None:
    body = "user:\n- Keep the door shut.\n\nThe shelves are half done.\n\n## State\n- at shelf 4"
    summary, ruled = read_body(body)
    assert summary == "The shelves are half done.\n\n## State\n- at shelf 4"
    assert [line.text for line in ruled.facts] == ["Keep the door shut."]


def test_the_notes_of_others_are_no_lines_of_ours() -> None:
    body = "- Keep the door shut.\n- at shelf 4"
    assert read_body(body)[0] == body


def test_the_short_frame_is_known_and_parts_from_a_reply_that_quotes_its_end() -> None:
    handoff = render_handoff("user:\n- Keep the door shut.", SHORT_PREFIX)
    reply = f"What is this?\n\n{END}\n\nI saw it."
    handoff_part, message = split_handoff(merge_handoff(handoff, reply))
    assert (handoff_part.text, message.text) == ("user:\n- Keep the door shut.", reply)
    assert has_known_prefix(handoff)
    assert handoff_facts(handoff).era == "own"


def test_a_frame_that_is_too_large_alone_is_said_to_be() -> None:
    policy = CompactionPolicy(4_000, head_messages=0, min_tail_messages=1, tail_tokens=8, handoff_tokens=12)
    found = compact_transcript(talk(), policy=policy, summarize=ExtractiveSummarizer())
    assert "the frame of a handoff alone takes" in found.reason
    assert "12 are given" in found.reason


def test_nothing_is_told_that_stands_in_a_message_beside_it() -> None:
    messages = [*talk(), user(RULE), assistant("Yes.")]
    handoff = compacted(messages, 300)
    assert BRACKET in handoff
    assert RULE not in handoff
