"""Small windows and long chains: what a compaction leaves must not make the next one due at once.

Hermes #40803, #53008: a result above the threshold, compacted again and again.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from hermes_sessions.compaction import (
    CompactionContext,
    CompactionPolicy,
    CompactionResult,
    compact_transcript,
)
from hermes_sessions.messages import SummaryRequest
from hermes_sessions.summarizers import ExtractiveSummarizer
from tests.compaction.builders import Dict, assistant, failing, summarized, system, user

LANGUAGES = ("Greek", "Welsh", "Dutch", "Czech", "Thai", "Irish", "Latin", "Malay", "Norse", "Farsi")
WINDOWS = (1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000, 12_000, 16_000)


def wordy(request: SummaryRequest) -> str:
    """A model that does not keep to its budget."""
    return "## Goal\n" + "- keep all of this in mind, every bit of it\n" * 300


SUMMARIZERS: dict[str, Any] = {
    "short": summarized,
    "extractive": ExtractiveSummarizer(),
    "fallback": failing("timeout"),
    "wordy": wordy,
}


def turns(count: int, start: int = 0, words: int = 20) -> Iterator[Dict]:
    for turn in range(start, start + count):
        yield user(f"Question {turn}: please mend src/mod{turn}/file{turn}.py " + "word " * words)
        yield assistant(
            f"Answer {turn}: src/mod{turn}/file{turn}.py:{turn} took {turn} ms " + "text " * words
        )


def compacted(messages: list[Dict], window: int, summarize: Any, number: int = 1) -> CompactionResult:
    context = CompactionContext(session_id=f"20260301_101112_{number:06}")
    policy = CompactionPolicy(window)
    return compact_transcript(messages, policy=policy, summarize=summarize, context=context)


def chain(window: int, summarize: Any, rounds: int) -> Iterator[CompactionResult]:
    """Compact, work on, compact again."""
    messages = [system(), *turns(120)]
    for number in range(1, rounds + 1):
        found = compacted(messages, window, summarize, number)
        yield found
        messages = [*found.messages, *turns(window // 100, start=1_000 * number)]


def pointers(found: CompactionResult) -> list[str]:
    return [line for line in found.handoff.splitlines() if "read them with" in line]


@pytest.mark.parametrize("name", SUMMARIZERS)
@pytest.mark.parametrize("window", WINDOWS)
def test_a_result_stays_below_the_threshold_in_any_window(window: int, name: str) -> None:
    for found in chain(window, SUMMARIZERS[name], rounds=3):
        assert found.status == "committed"
        assert found.tokens_after < CompactionPolicy(window).threshold_tokens


@pytest.mark.slow
@pytest.mark.parametrize("name", SUMMARIZERS)
@pytest.mark.parametrize("window", [1_000, 4_000, 16_000])
def test_repeated_compactions_never_grow_into_the_threshold(window: int, name: str) -> None:
    sizes = [found.tokens_after for found in chain(window, SUMMARIZERS[name], rounds=12)]
    assert max(sizes) <= CompactionPolicy(window).threshold_tokens * 0.9


def test_what_is_kept_filling_the_threshold_alone_is_said() -> None:
    messages = [system("rule " * 700), *turns(60)]
    found = compacted(messages, 1_000, summarized)
    assert found.status == "committed"
    assert found.tokens_after >= 500
    assert "still reaches the threshold of 500" in found.reason


def test_a_small_window_still_tells_what_the_user_said() -> None:
    messages = [system(), *turns(60), user("Never touch legacy."), assistant("Understood."), *turns(12)]
    assert "Never touch legacy." in compacted(messages, 4_000, ExtractiveSummarizer()).handoff


def test_a_large_window_keeps_its_roomy_parts() -> None:
    found = compacted([system(), *turns(400, words=120)], 100_000, summarized)
    assert len(found.handoff) > 12_000


def test_a_dozen_earlier_compactions_share_one_line() -> None:
    found = list(chain(16_000, summarized, rounds=14))
    lines = pointers(found[-1])
    replaced = sum(int(pointers(result)[-1].split()[1]) for result in found[:-2])
    assert len(lines) == 3
    assert lines[0].startswith(f"- {replaced} messages of 12 earlier compactions")
    assert lines[0].endswith("hermes-sessions show 20260301_101112_000012 --all")


def test_commands_of_a_host_live_on_in_the_shared_line_the_newest_first() -> None:
    messages = [system(), *turns(60)]
    for number in range(1, 8):
        context = CompactionContext(session_id="s", pointer=f"call expand(compaction={number})")
        policy = CompactionPolicy(4_000)
        found = compact_transcript(messages, policy=policy, summarize=summarized, context=context)
        messages = [*found.messages, *turns(40, start=1_000 * number)]
    shared, *newest = pointers(found)
    wanted = "; or: ".join(f"call expand(compaction={number})" for number in (5, 4, 3))
    assert "of 5 earlier compactions" in shared
    assert shared.endswith(f"read them with: {wanted}")
    assert [line[-2] for line in newest] == ["6", "7"]


def test_our_own_command_is_given_once_for_all_and_is_the_newest() -> None:
    found = list(chain(16_000, summarized, rounds=4))[-1]
    assert pointers(found)[0].endswith("with: hermes-sessions show 20260301_101112_000002 --all")


def test_the_smallest_handoff_still_quotes_what_the_system_said() -> None:
    rules = [system(f"Rule {number}: always answer in {name}.") for number, name in enumerate(LANGUAGES)]
    messages = [system("rule " * 620), *turns(20), *rules, *turns(40)]
    found = compacted(messages, 1_000, SUMMARIZERS["wordy"])
    assert found.status == "committed"
    shown = "\n".join(str(message["content"]) for message in found.messages)
    assert [rule["content"] for rule in rules if rule["content"] not in shown] == []
    assert sum(rule in found.messages for rule in rules) < len(rules)
