"""Notes on units, on what came first and on parts of a whole, for which the figures alone are looked at."""

import pytest

from tests.audit.builders import assistant, call, tool, user
from tests.audit.spot_checks.test_spot_checks import rules_of

BOATS = (
    user("How long must the boat yard wait, and what does the varnish cost? We had 34 berths before Easter."),
    assistant(
        "The lease has a notice of 12 weeks. The varnish dries for 96 minutes and costs 14.5 cents a gram."
    ),
    assistant("", call("measure")),
    tool("c1", "hull 3: soaked for 210 min above 21 C\ncleaned 143 of 147 planks\ntank: 900 litres"),
    assistant("Since Easter we have 27 berths. One sluice opens in half an hour."),
)


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("The lease has a notice of 12 months.", True),
        ("The lease has a notice of 12 weeks.", False),
        ("The lease has a notice of 84 days.", False),
        ("The varnish dries for 96 hours.", True),
        ("Лак сохнет 96 часов, 14,5 за грамм.", True),
        ("The varnish dries for 96 minutes, a good hour and a half.", False),
        ("Hull 3 was soaked for 3.5 minutes above 21 C.", True),
        ("Hull 3 was soaked for 3.5 hours above 21 C.", False),
        ("The party lasts 12 months.", False),
        ("One sluice opens in half a minute.", False),
        ("The varnish costs 14.5 euros a gram.", True),
        ("The varnish costs 14.5 cents a gram.", False),
        ("The tank holds 900 hectolitres.", True),
        ("The tank holds 900 l.", False),
    ],
)
def test_another_unit_is_noted(body, noted):
    rules = {"other-measure", "other-unit", "other-scale", "same-line", "same-noun", "only-value"}
    assert (rules & rules_of(BOATS, body) != set()) is noted


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("The berths went from 27 to 34.", True),
        ("The berths went from 34 to 27.", False),
        ("Liegeplätze: 34 statt vorher 27.", True),
        ("Berths: 27 → 34", True),
        ("Berths: 34 → 27", False),
        ("泊位从27个改为34个。", True),
        ("泊位从34个改为27个。", False),
        ("The berths went from 27 to 40.", False),
    ],
)
def test_what_came_first_is_noted_where_it_is_turned_round(body, noted):
    rules = {"named-later", "swapped-ends", "figures-crossed"}
    assert (rules & rules_of(BOATS, body) != set()) is noted


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("147 of 147 planks are clean.", True),
        ("143 of 147 planks are clean.", False),
        ("143 of 147 planks were clean at first, then 147 of 147.", False),
        ("4 of 147 planks wait; 143 of 147 are clean.", False),
        ("147枚のうち145枚を清掃。", True),
        ("Three of 9 planks are clean.", False),
    ],
)
def test_another_part_of_a_whole_is_noted(body, noted):
    rules = {"other-part-of", "other-part", "same-line", "of-another"}
    assert (rules & rules_of(BOATS, body) != set()) is noted
