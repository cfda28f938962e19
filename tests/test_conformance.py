"""Our adapter for the exam that others made, at the sizes of its own sessions and at one that is large."""

import pytest

pytest.importorskip("compaction_kit", reason="the extra `conformance` is not installed")

from compaction_kit.canaries import Canary, CanaryType
from compaction_kit.compactors import LossyTruncationCompactor
from compaction_kit.corpus import build_random_session
from compaction_kit.runner import run_conformance
from compaction_kit.session import Turn

from bench.conformance import EngineCompactor, Survival, large, run


def test_the_kits_runner_finds_the_engine_within_its_budget() -> None:
    session, canaries = build_random_session(1)
    found = run_conformance(session, EngineCompactor(), rounds=2, canaries=canaries, budget_fraction=0.2)
    assert all(one.within_budget for one in found.rounds)
    assert found.survival_curve(CanaryType.SAFETY_RULE)[-1] >= 0.75


def test_what_is_not_in_the_context_does_not_count_as_held() -> None:
    canary = Canary("x", CanaryType.FACT, "FACT: The key is 4711.", ("4711",), "Which key?")
    found = Survival()
    run(
        LossyTruncationCompactor(),
        [[Turn("user", canary.content), *[Turn("user", "Go on.")] * 50]],
        [canary],
        200,
        found,
    )
    assert found.shares == [[0.0]]
    assert found.lost == [canary.content]


@pytest.mark.slow
@pytest.mark.parametrize("speaker", ["user", "assistant", "tool"])
def test_all_is_held_through_five_rounds_at_a_twentieth(speaker: str) -> None:
    session, canaries = build_random_session(1)
    turns, more = large(session.transcript(), 1, 300, speaker)
    chars = sum(len(turn.text) + len(turn.role) + 4 for turn in turns) // 20
    found = Survival()
    run(EngineCompactor(), [turns, *[more() for _ in range(4)]], canaries, chars, found)
    assert found.shares == [[1.0] * 5]
    assert found.over == 0
