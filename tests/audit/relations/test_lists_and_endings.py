"""Lists told in any order, names with the endings of a case, denials that reach over a list."""

import pytest

from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, compacted, user

MILL = (
    user("What does the miller allow?"),
    assistant(
        "Pipes on the ramp and in the loft are forbidden by the miller. Motor K takes 6.2 A, motor L 9.4 A."
    ),
    user("Rule: never sell or lend the sieves yourself, all tools belong to Henrike."),
    assistant("Understood."),
)
WINDA = (
    user("Kto naprawił windę?"),
    assistant("Wczoraj zakład Liftmax zmienił linę windy z 12 na 14 milimetrów."),
    user("A Burda?"),
    assistant("Burda dzwonił w sprawie faktury."),
)


def accused(rows, body):
    found = compacted(rows, body=body).measured().deviations
    return {one.kind for one in found if one.grade is Grade.CONTRADICTS}


@pytest.mark.parametrize(
    ("rows", "body"),
    [
        pytest.param(MILL, "Pipes in the loft and on the ramp the miller forbids.", id="a list"),
        pytest.param(MILL, "The agent may not swap, sell or lend the sieves.", id="a denied list"),
        pytest.param(WINDA, "Lina windy: z usług Liftmaxu, zmiana z 12 na 14 milimetrów.", id="an ending"),
    ],
)
def test_a_faithful_line_is_not_accused(rows, body):
    assert not accused(rows, body)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("Motor L takes 6.2 A and motor K 9.4 A.", "order"),
        ("The agent may sell or lend the sieves.", "negation"),
    ],
)
def test_what_is_exchanged_or_freed_is(body, kind):
    assert kind in accused(MILL, body)


def test_the_end_of_an_ordinal_names_nothing():
    assert read_items("moved from the 8th to the 21st").all == {"#8", "#21", "moved"}
