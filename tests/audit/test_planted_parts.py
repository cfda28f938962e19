"""Rules, orders and stale tasks put together from parts: what is found of them stays found."""

from collections.abc import Callable, Iterator

import pytest

from bench.planted_lines import ORDERS, RULES, TASKS
from bench.planted_rules import RuleTally, follow, orders, plant_rules, stale_tasks, try_twins
from tests.audit.builders import Compacted

Twins = Callable[[str], Iterator[tuple[Compacted, Compacted]]]


def test_a_hundred_rules_of_any_speaker_are_planted() -> None:
    planted = [rule for language in RULES for rule in plant_rules(language)]
    assert len(planted) == len({rule.text for rule in planted}) == 100
    assert {rule.speaker for rule in planted} == {"user", "system", "assistant", "tool"}
    assert {rule.lost_by for rule in planted} == set(range(11))


def test_rules_are_found_followed_and_their_losses_named_as_often_as_measured() -> None:
    whole = RuleTally()
    for language in RULES:
        whole.add(follow(language))
    assert whole.found / whole.planted >= 0.8
    assert whole.right / whole.named >= 0.95
    assert (whole.listed - whole.beyond) / whole.listed >= 0.8


@pytest.mark.parametrize(
    ("rule", "make", "least"), [("orders", orders, 0.95), ("stale-task", stale_tasks, 0.8)]
)
def test_sixty_are_planted_and_no_twin_is_accused(rule: str, make: Twins, least: float) -> None:
    tallies = [try_twins(rule, make(language)) for language in TASKS.keys() & ORDERS.keys()]
    assert sum(one.planted for one in tallies) == 60
    assert sum(one.accused for one in tallies) == 0
    assert sum(one.found for one in tallies) / 60 >= least
