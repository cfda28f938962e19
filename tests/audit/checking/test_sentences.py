"""Denials that a summary keeps in other words, and those that it drops."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, compacted, user

SAID = (
    user("Give me the median weight of the east pen without K7."),
    assistant("The median weight of the east pen is 412 kg."),
    user("No lantern leaves the depot without a signed slip. Never open the valve without a pressure test."),
    user("Kein Kostüm verlässt den Fundus ohne Etikett."),
    user("Nenhuma lanterna sai do armazém sem guia assinada."),
)


def negations(body: str) -> list[str]:
    told = compacted(SAID, body=body).measured().deviations
    return [one.source for one in told if one.kind == "negation" and one.grade is Grade.CONTRADICTS]


@pytest.mark.parametrize(
    "body",
    [
        "The median weight of the east pen without K7 is 412 kg.",
        "To leave the depot, every lantern needs a signed slip.",
        "Um den Fundus zu verlassen, braucht jedes Kostüm ein Etikett.",
        "Para sair do armazém, toda lanterna precisa de guia assinada.",
    ],
)
def test_what_is_left_out_alike_or_demanded_is_no_denial(body: str) -> None:
    assert negations(body) == []


@pytest.mark.parametrize(
    "body", ["Open the valve without a pressure test.", "The lantern leaves the depot without a signed slip."]
)
def test_a_ban_that_is_dropped_still_is(body: str) -> None:
    assert negations(body)
