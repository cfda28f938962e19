"""Two figures of a sentence that each stand beside what the sentence gives to the other one."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, compacted, tool, user

OBSERVATORY = (
    user("The dome motor of the north tower draws 14 amperes, the shutter of the chapel 23."),
    tool("c1", "customer            plates\nHolmgren Optics     171\nVasari Glass         64\n"),
    user("Odile Maron polishes the mirror, Benno Stark drives the truck to the harbour."),
)
CROSSED = [
    "The dome motor draws 23 amperes and the chapel's shutter 14.",
    "Holmgren Optics ordered 64 plates, Vasari Glass 171.",
]
FAITHFUL = [
    "The dome motor draws 14 amperes and the chapel's shutter 23.",
    "Holmgren Optics ordered 171 plates, Vasari Glass 64.",
]


def crossings(body, *rows):
    """The grades of what is said to be crossed in *body*."""
    found = compacted(rows, body=body).measured().deviations
    return [one.grade for one in found if one.kind == "order"]


@pytest.mark.parametrize("body", CROSSED)
def test_figures_that_were_exchanged_are_warned_of(body):
    assert Grade.CONTRADICTS in crossings(body, *OBSERVATORY)


@pytest.mark.parametrize("body", FAITHFUL)
def test_figures_at_their_places_are_right(body):
    assert crossings(body, *OBSERVATORY) == []


def test_where_only_one_side_tells_so_it_is_a_note():
    rows = (
        user("The signal mast at Ruhnow is painted with 37 litres of the grey varnish."),
        assistant("The gate needs some paint, too."),
        tool("c1", "total 52"),
    )
    body = "The signal mast at Ruhnow takes 52 litres of grey varnish, some gate 37."
    assert set(crossings(body, *rows)) == {Grade.NOT_VERBATIM}
    assert crossings("The signal mast at Ruhnow takes 37 litres of grey varnish.", *rows) == []


def test_a_figure_whose_own_words_stand_beside_it_too_was_not_exchanged():
    rows = (
        user("Postage is 1.20 € a letter, cost centre 8842; the postage for 65 letters is 78 €."),
        assistant("65 letters at 1.20 € are 78 €, on cost centre 8842."),
    )
    assert Grade.CONTRADICTS not in crossings("Postage 65 x 1.20 € = 78 € (cost centre 8842)", *rows)
