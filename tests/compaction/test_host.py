"""What a host gives besides the messages: overhead, a prefix, a pointer, notes; and no merging."""

from itertools import pairwise
from typing import Any

import pytest

from hermes_sessions.compaction import (
    CompactionContext,
    CompactionPolicy,
    compact_transcript,
    plan_compaction,
)
from hermes_sessions.errors import PolicyError, TranscriptError
from hermes_sessions.handoff import BRACKET, split_handoff, starts_handoff
from hermes_sessions.messages import SummaryRequest
from tests.compaction.builders import (
    SUMMARY,
    Dict,
    roles,
    small_policy,
    summarized,
    system,
    text_of,
    transcript,
    user,
)

PREFIX = f"{BRACKET} Notes of the host follow, avoid repeating work:"


def given(messages: list[Dict], **context: Any) -> list[Dict]:
    found = compact_transcript(
        messages, policy=small_policy(), summarize=summarized, context=CompactionContext(**context)
    )
    assert found.status == "committed", found.reason
    return found.messages


def carrier(messages: list[Dict]) -> str:
    return next(text_of(message) for message in messages if starts_handoff(text_of(message)))


def test_the_handoff_begins_with_the_hosts_prefix_and_is_updated_behind_it() -> None:
    first = given(transcript("s" + "ua" * 12), prefix=PREFIX)
    assert carrier(first).startswith(PREFIX)
    seen: list[str] = []

    def summarize(request: SummaryRequest) -> str:
        seen.append(request.previous)
        return SUMMARY

    more = [*first, *transcript("ua" * 12)]
    context = CompactionContext(prefix=PREFIX)
    second = compact_transcript(more, policy=small_policy(), summarize=summarize, context=context).messages
    assert "Keep the build green." in seen[0]
    assert PREFIX not in seen[0]
    assert "".join(map(text_of, second)).count(PREFIX) == 1


@pytest.mark.parametrize("prefix", ["Notes:", f"{BRACKET} two\nlines of unknown words"])
def test_a_prefix_that_could_not_be_read_back_is_refused(prefix: str) -> None:
    with pytest.raises(TranscriptError, match="prefix"):
        CompactionContext(prefix=prefix)


def test_the_pointer_names_what_the_reader_can_use() -> None:
    text = carrier(given(transcript("s" + "ua" * 12), pointer="call sessions_expand(compaction=3)"))
    assert "call sessions_expand(compaction=3)" in text
    assert "hermes-sessions show" not in text


def test_notes_of_the_host_are_kept_through_rounds_until_it_gives_others() -> None:
    first = given(transcript("s" + "ua" * 12), notes="The user's name is Ada.\nShe is in Turin.")
    second = given([*first, *transcript("ua" * 12)])
    assert carrier(second).count("<host_note>The user's name is Ada.\nShe is in Turin.</host_note>") == 1
    third = given([*second, *transcript("ua" * 12)], notes="She moved to Bari.")
    assert "Turin" not in carrier(third)
    assert "She moved to Bari." in carrier(third)


def test_without_merging_the_handoff_is_a_message_of_its_own_and_roles_alternate() -> None:
    messages = [system(), *transcript("ua" * 12), user("The last request."), *transcript("ct" * 12)]
    policy = small_policy(head_messages=0, merge=False)
    after = compact_transcript(messages, policy=policy, summarize=summarized).messages
    kinds = [[part.kind for part in split_handoff(message["content"])] for message in after]
    assert ["handoff", "message"] not in kinds
    assert {"role": "user", "content": "The last request."} in after
    assert all(left != right for left, right in pairwise(roles(after)) if right != "tool")


def test_overhead_takes_room_from_the_transcript() -> None:
    messages = transcript("s" + "ua" * 40)
    free = plan_compaction(messages, CompactionPolicy(4_000, min_tail_messages=0))
    taken = plan_compaction(messages, CompactionPolicy(4_000, min_tail_messages=0, overhead_tokens=1_500))
    assert taken.tail_start > free.tail_start
    found = compact_transcript(
        transcript("su" + "ua" * 100),
        policy=CompactionPolicy(8_000, overhead_tokens=3_000),
        summarize=summarized,
    )
    assert found.tokens_after + 3_000 < 4_000


def test_overhead_must_leave_room() -> None:
    with pytest.raises(PolicyError, match="overhead_tokens"):
        CompactionPolicy(4_000, overhead_tokens=4_000)
