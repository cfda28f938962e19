"""A compaction is named by the number that looks it up, with its place in its conversation."""

import pytest

from hermes_sessions.audit.ledger.numbered import numbered
from hermes_sessions.audit.ledger.values import LedgerRule, RuleSight, Sight, state_words


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ((22, 2, 4), "22, the 2nd of 4"),
        ((22, 2), "22, the 2nd"),
        ((31, 11, 12), "31, the 11th of 12"),
        ((40, 23, 40), "40, the 23rd of 40"),
        ((7, 1, 1), "7"),
        ((2, 2), "2"),
        ((2, 2, 4), "2, the 2nd of 4"),
        ((9, 5, 4), "9, the 5th of 5"),
    ],
)
def test_a_compaction_has_the_number_that_looks_it_up_and_its_place(given, told):
    assert numbered(*given) == told


def test_what_became_of_a_rule_names_compactions_by_that_number():
    lost = RuleSight(compaction=22, ordinal=2, sight=Sight.LOST)
    rule = LedgerRule(text="Never push.", speaker="user", message=4, sights=(lost,))
    assert state_words(rule) == "out of sight since compaction 22, the 2nd"
