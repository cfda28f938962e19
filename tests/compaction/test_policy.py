"""When a compaction is due, and which policies are impossible."""

import math
from typing import Any

import pytest

from hermes_sessions.compaction import (
    Attempt,
    CompactionPolicy,
    compact_transcript,
    compaction_due,
    context_tokens,
    should_compact,
)
from hermes_sessions.errors import PolicyError
from hermes_sessions.summarizers import ExtractiveSummarizer
from tests.compaction.builders import assistant, user

POLICY = CompactionPolicy(100_000)


def failed(at: float) -> Attempt:
    return Attempt(finished_at=at, failed=True, tokens_before=60_000, tokens_after=60_000)


def ran(at: float, before: int, after: int) -> Attempt:
    return Attempt(finished_at=at, failed=False, tokens_before=before, tokens_after=after)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"context_window": 0}, "context_window"),
        ({"context_window": -1}, "context_window"),
        ({"threshold": 0}, "threshold"),
        ({"threshold": 1.5}, "threshold"),
        ({"threshold": math.nan}, "threshold"),
        ({"tail_tokens": -1}, "tail_tokens"),
        ({"tail_tokens": 100_000}, "tail_tokens"),
        ({"tail_tokens": 60_000, "summary_tokens": 50_000}, "tail_tokens"),
        ({"summary_tokens": 0}, "summary_tokens"),
        ({"reserved_output_tokens": 100_000}, "reserved_output_tokens"),
        ({"head_messages": -1}, "head_messages"),
        ({"min_tail_messages": -1}, "min_tail_messages"),
        ({"soft_ceiling": 0.5}, "soft_ceiling"),
        ({"min_saving": 1.0}, "min_saving"),
        ({"min_saving": -0.1}, "min_saving"),
        ({"fallback_chars": 999}, "fallback_chars"),
        ({"verbatim_tail_chars": -5}, "verbatim_tail_chars"),
    ],
)
def test_an_impossible_policy_names_the_field(values: dict[str, float], named: str) -> None:
    with pytest.raises(PolicyError, match=named):
        CompactionPolicy(**{"context_window": 100_000, **values})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("context_window", None),
        ("context_window", "x"),
        ("context_window", 1.5),
        ("context_window", True),
        ("threshold", "x"),
        ("threshold", None),
        ("head_messages", 1.5),
        ("tail_tokens", "120"),
        ("min_saving", [0.1]),
        ("abort_on_summary_failure", "no"),
        ("encoding", None),
    ],
)
def test_a_value_of_the_wrong_type_names_the_field(name: str, value: object) -> None:
    with pytest.raises(PolicyError, match=f"policy: {name} must be"):
        CompactionPolicy(**{"context_window": 100_000, name: value})  # type: ignore[arg-type]


def test_the_tail_is_a_fifth_of_the_threshold_by_default() -> None:
    assert (POLICY.threshold_tokens, POLICY.tail_budget) == (50_000, 10_000)


def test_it_is_due_from_the_threshold_on() -> None:
    assert not should_compact(POLICY, 49_999)
    assert should_compact(POLICY, 50_000)


def test_a_floor_delays_it() -> None:
    assert not should_compact(CompactionPolicy(100_000, floor_tokens=64_000), 60_000)


def test_a_window_below_the_floor_is_compacted_before_it_is_full() -> None:
    policy = CompactionPolicy(32_000, floor_tokens=64_000, reserved_output_tokens=4_000)
    assert should_compact(policy, 27_000)
    assert policy.threshold_tokens < policy.usable_tokens


@pytest.mark.parametrize(("failures", "pause"), [(1, 60), (2, 300), (3, 900), (9, 900)])
def test_failures_in_a_row_pause_it_longer_and_longer(failures: int, pause: int) -> None:
    history = [failed(float(at)) for at in range(failures)]
    last = history[-1].finished_at
    assert not should_compact(POLICY, 60_000, history, now=last + pause - 1)
    assert should_compact(POLICY, 60_000, history, now=last + pause)


def test_a_success_ends_the_pause() -> None:
    assert should_compact(POLICY, 60_000, [failed(0), ran(1, 60_000, 20_000)], now=2.0)


def test_a_clock_set_back_does_not_stretch_the_pause() -> None:
    assert compaction_due(POLICY, 60_000, [failed(1_000_000.0)], now=1_000_000.0 - 3_600)
    slightly = compaction_due(POLICY, 60_000, [failed(1_000_000.0)], now=1_000_000.0 - 5)
    assert not slightly
    assert "60 seconds" in slightly.reason


def test_it_stops_after_a_run_that_saved_little() -> None:
    """Hermes #40803, #53008: seventeen rotations in four hours, each saving nothing."""
    tokens = 60_000
    history: list[Attempt] = []
    for at in range(20):
        if should_compact(POLICY, tokens, history, now=at * 60.0):
            history.append(ran(at * 60.0, tokens, tokens - 500))
            tokens -= 500
        tokens += 100
    assert len(history) == 1


def test_it_starts_again_once_the_transcript_has_grown() -> None:
    """Hermes #14694: the guard against loops disabled compaction for ever."""
    history = [ran(0, 60_000, 59_000)]
    assert not should_compact(POLICY, 60_000, history, now=1_000_000.0)
    assert should_compact(POLICY, 64_000, history, now=1.0)


def test_what_a_provider_counts_besides_the_transcript_is_no_growth() -> None:
    history = [ran(0, 60_000, 59_000)]
    assert should_compact(POLICY, 64_000, history, now=120.0)
    assert not should_compact(POLICY, 64_000, history, now=120.0, counted=60_000)
    assert should_compact(POLICY, 66_000, history, now=120.0, counted=64_000)


def test_a_run_that_saved_much_has_nothing_more_to_win_either() -> None:
    """A provider counts tools as well: its number may stay high with nothing new behind it."""
    history = [ran(0, 60_000, 20_000)]
    assert not should_compact(POLICY, 60_000, history, now=1.0, counted=20_000)
    assert not should_compact(POLICY, 60_000, history, now=1.0, counted=24_000)
    assert should_compact(POLICY, 60_000, history, now=1.0, counted=25_000)


def test_a_full_window_in_vain_waits_for_something_new_and_for_the_pause() -> None:
    history = [ran(0, 101_000, 100_500)]
    assert not should_compact(POLICY, 100_500, history, now=1_000_000.0), "nothing was appended"
    assert "seconds" not in compaction_due(POLICY, 100_500, history, now=1.0).reason
    assert not should_compact(POLICY, 100_900, history, now=59.0)
    assert should_compact(POLICY, 100_900, history, now=60.0), "a little, and the pause is over"
    assert should_compact(POLICY, 105_500, history, now=1.0), "a tenth of the threshold"


def test_a_loop_that_cannot_win_asks_once_until_there_is_something_to_summarise() -> None:
    """What must stay fills the window beyond the threshold: the first run wins a little, the next nothing."""
    policy = CompactionPolicy(8_000, head_messages=0, min_tail_messages=0)
    small = [turn for at in range(3) for turn in (user(f"Step {at}?"), assistant(f"Done with {at}. " * 9))]
    messages: list[dict[str, Any]] = [*small, user("a long request " * 1_600), assistant("Working on it.")]
    history: list[Attempt] = []
    asked = []
    for step in range(40):
        tokens = context_tokens(messages)
        if should_compact(policy, tokens, history, now=float(step * 3_600)):
            result = compact_transcript(messages, policy=policy, summarize=ExtractiveSummarizer())
            history.append(ran(step * 3_600, result.tokens_before, result.tokens_after))
            messages = result.messages
            asked.append(step)
        if 20 <= step < 24:
            messages = [*messages, *(assistant(f"Part {step} is done, next comes more of it. " * 12),)]
    assert asked[0] == 0
    assert not [step for step in asked if 0 < step <= 20], asked
    assert len(asked) <= 3, asked
    assert any(step > 20 for step in asked), "it is asked for again once there is something to win"


def test_a_full_window_is_always_tried() -> None:
    history = [ran(0, 99_000, 98_900), ran(1, 99_000, 98_900), failed(2)]
    assert should_compact(POLICY, 100_000, history, now=3.0)


def test_every_answer_has_a_reason() -> None:
    assert "below the threshold" in compaction_due(POLICY, 1).reason
    assert "reach the threshold" in compaction_due(POLICY, 60_000).reason
    assert "saved little" in compaction_due(POLICY, 60_000, [ran(0, 60_000, 60_000)] * 2).reason


def test_a_full_window_is_not_tried_for_ever_where_the_summariser_fails() -> None:
    """An agent asks before every call: a provider that is away must not cost a time-out each."""
    once, twice = [failed(0.0)], [failed(0.0), failed(1.0)]
    assert should_compact(POLICY, 100_000, once, now=1.0)
    assert not should_compact(POLICY, 100_000, twice, now=2.0)
    assert should_compact(POLICY, 100_000, twice, now=61.0), "after the first pause, however many failed"
    many = [failed(float(at)) for at in range(9)]
    assert should_compact(POLICY, 100_000, many, now=68.0)
    assert "2 attempts in a row failed" in compaction_due(POLICY, 100_000, twice, now=2.0).reason
    assert should_compact(POLICY, 100_000, twice), "without a clock there is no pause"
