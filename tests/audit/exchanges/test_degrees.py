"""Words of degree beside a figure of which the source has the opposite ones."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from hermes_sessions.audit.exchanges.degrees import Degree, read_degrees
from tests.audit.builders import assistant, compacted, user

DAIRY = (
    user("What does the cheese store say?"),
    assistant(
        "The vat reads 2.4 degrees too low. The pump started 35 minutes earlier than planned."
        " The salt bath takes at least 18 hours. The yield rose to 412 kg. No milk before 6:30."
    ),
)
KAAS = (
    user("Hoe staat het met de kaas?"),
    assistant("De wrongel is 14 dagen te kort gerijpt. Het vat kost 260 euro minder dan vorig jaar."),
)


def noted(rows, body):
    return [one for one in compacted(rows, body=body).measured().deviations if one.rule == "degree"]


@pytest.mark.parametrize(
    ("rows", "altered", "faithful"),
    [
        (DAIRY, "The vat shows 2.4 degrees too much.", "The vat shows 2.4 degrees too little."),
        (DAIRY, "The pump ran 35 minutes late.", "The pump ran 35 minutes early."),
        (DAIRY, "Le bain de sel dure au plus 18 heures.", "Le bain de sel dure au moins 18 heures."),
        (KAAS, "The curd ripened 14 days too long.", "The curd ripened 14 days too short."),
        (KAAS, "Het vat kost 260 euro meer.", "Het vat kost 260 euro minder."),
    ],
)
def test_the_opposite_beside_a_figure_is_noted(rows, altered, faithful):
    assert [one.grade for one in noted(rows, altered)] == [Grade.NOT_VERBATIM]
    assert not noted(rows, faithful)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("The vat holds more than 900 litres.", id="another figure"),
        pytest.param("The vat reads 2.4 degrees.", id="no word of degree"),
        pytest.param("The yield of 412 kg came late.", id="another axis"),
    ],
)
def test_what_has_no_opposite_is_not(line):
    assert not noted(DAIRY, line)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("no more than 40 kg", [Degree("bound", 1, "40")]),
        ("an hour late", [Degree("time", 0, "1")]),
        ("über 12, ein Tag", [Degree("amount", 0, "12")]),
        ("20時以降", [Degree("time", 0, "20")]),
        ("not above 7 bar", []),
        ("above the old mark, which was 7", []),
    ],
)
def test_degrees_are_read_beside_their_figure(text, found):
    assert [*read_degrees(text)] == found
