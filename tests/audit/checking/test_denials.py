"""A denial accuses only where both sentences speak of the same deed of the same thing."""

import pytest

from tests.audit.planted.denials import read_denials
from tests.audit.relations.test_relations import accusations, remarks


@pytest.mark.parametrize("case", read_denials("denials_kept.txt"), ids=lambda one: one.summary)
def test_what_is_kept_in_other_words_is_not_accused(case):
    assert accusations(case.summary, *case.said) == []


@pytest.mark.parametrize("case", read_denials("denials_lost.txt"), ids=lambda one: one.summary)
def test_what_is_turned_round_is_found(case):
    assert remarks(case.summary, *case.said)


def test_nearly_all_in_nearly_the_same_words_is_accused():
    cases = read_denials("denials_lost.txt")
    assert sum(bool(accusations(case.summary, *case.said)) for case in cases) >= len(cases) - 2
