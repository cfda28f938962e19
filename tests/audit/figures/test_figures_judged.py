"""A faithful figure in another form accuses nobody; one that is nowhere and can be told of nothing is warned of."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, compacted, tool, user


def warned(rows, body):
    return [
        (one.value, one.source)
        for one in compacted(rows, body=body).measured().deviations
        if one.grade is not Grade.NOT_VERBATIM
    ]


@pytest.mark.parametrize(
    ("rows", "faithful"),
    [
        pytest.param(
            (user("How long did the kiln fire?"), tool("c1", "kiln run 7: fired 31.4s per shelf, total 1874 s")),
            "The kiln fired for a little over 31 minutes.",
            id="seconds told in minutes",
        ),
        pytest.param(
            (user("What is the share?"), assistant("Each member pays 1.347,60 euro for the new boat.")),
            "Each member pays over 1.347 euro for the new boat.",
            id="cents cut off",
        ),
        pytest.param(
            (
                user("Which hall is it?"),
                assistant("Hall Kranich: 310 seats, 91 000 a night.\nHall Reiher: 180 seats, 73 000 a night."),
            ),
            "Hall Reiher, 73 thousand a night.",
            id="thousands in words",
        ),
        pytest.param(
            (
                user("The museum of Lyon wants 750 euros for the loan."),
                tool("c1", "Hobbs & Lee: large crates 40 = 5,310; 30 = 4,270"),
            ),
            "Hobbs & Lee will deliver 30 large crates at 4,270 pounds; Lyon wants 750 euros.",
            id="a list of prices without a currency",
        ),
        pytest.param(
            (
                user("Run the checks."),
                tool("c1", "run 3: failed (1/212)\nboat.spec.ts:9 expected 1"),
                tool("c2", "boat.spec.ts: failed 0"),
            ),
            "In the third run 1 of 212 failed.",
            id="a part and its whole",
        ),
        pytest.param(
            (
                user("Scale 4 has a weak battery, scale 5 and scale 7 are fine."),
                assistant("I leave scale 4 in the van."),
                user("Correct scale 6."),
            ),
            "Scale 4 stayed in the van with its weak battery.",
            id="one of several numbered things",
        ),
    ],
)  # fmt: skip
def test_a_faithful_figure_in_another_form_is_not_accused(rows, faithful):
    assert warned(rows, faithful) == []


def test_a_figure_that_is_nowhere_is_warned_of_with_the_one_that_is_there():
    rows = (
        user("What does the meter in the cellar say?"),
        assistant("The meter in the cellar failed; its reading is an estimate of 877 units."),
    )
    body = "The reading of the meter in the cellar is an estimate of {} units."
    assert warned(rows, body.format(877)) == []
    assert ("842 units", "877 units") in warned(rows, body.format(842))


def test_a_sum_of_two_messages_is_not_warned_of():
    rows = (
        user("The budget of the regatta is 1,860 pounds."),
        assistant("The buoys of the regatta cost 1,313 pounds."),
    )
    assert warned(rows, "The budget of the regatta leaves 547 pounds after the buoys.") == []
