"""A rule that a summary tells in other words is no accusation; one of which it has no word is."""

import pytest

from hermes_sessions.messages import Severity
from tests.audit.builders import assistant, compacted, hits, user

TALKS = {
    "en": (
        "The oven is at 215 degrees. {rule}.",
        "The oven stays at 215 degrees.",
        "How many loaves are ordered for Saturday?",
        "216 loaves.",
    ),
    "fr": (
        "Le four est à 215 degrés. {rule}.",
        "Le four reste à 215 degrés.",
        "Combien de pains sont commandés pour samedi ?",
        "216 pains.",
    ),
    "pl": (
        "Piec ma 215 stopni. {rule}.",
        "Piec ma 215 stopni.",
        "Ile chlebów zamówiono na sobotę?",
        "216 chlebów.",
    ),
}
KEPT = [
    ("en", "Nobody may go into the cold store without Tessa", "Cold store: Tessa."),
    ("en", "The walnut cake is never sold to the school", "Nuts left out at the school."),
    ("en", "Nobody opens the flue before Carlo has been called", "Carlo first, then the flue."),
    ("fr", "Seule Maryse signe les bons de livraison", "Les bons sont signés par Maryse."),
    ("pl", "Nie kasuj logów sprzed audytu", "Logi sprzed audytu zachować."),
    ("pl", "Starodruków nie wypożyczamy nigdy", "Druki czyta się na miejscu."),
    ("en", "Nobody may go into the cold store without Tessa", "That room is reserved for its keeper."),
]
LOST = [
    ("en", "Nobody may go into the cold store without Tessa", "216 loaves for Saturday."),
    ("en", "Nobody opens the flue before Carlo has been called", "The oven stays at 215 degrees."),
    ("fr", "Seule Maryse signe les bons de livraison", "216 pains pour samedi."),
    ("pl", "Nie kasuj logów sprzed audytu", "216 chlebów na sobotę."),
]


def accused(tongue: str, rule: str, line: str) -> bool:
    said, answer, asked, told = TALKS[tongue]
    talk = (
        user("Hm."),
        assistant("Hm."),
        user(said.format(rule=rule)),
        assistant(answer),
        user(asked),
        assistant(told),
    )
    found = hits(compacted(talk, keep=[5], body=f"- {asked}\n- {answer}\n- {line}"), "rule-lost")
    return any(one.severity is not Severity.INFO for one in found)


@pytest.mark.parametrize(("tongue", "rule", "line"), KEPT)
def test_a_word_that_only_the_rule_gave_the_handoff_is_a_doubt(tongue: str, rule: str, line: str) -> None:
    assert not accused(tongue, rule, line)


@pytest.mark.parametrize(("tongue", "rule", "line"), LOST)
def test_a_rule_of_which_the_handoff_has_no_word_is_lost(tongue: str, rule: str, line: str) -> None:
    assert accused(tongue, rule, line)


@pytest.mark.parametrize(
    "rule",
    [
        "Find out why the till does not open on Mondays",
        "Finde heraus, warum die Kasse montags nicht aufgeht",
        "Sprawdź, dlaczego kasa się nie otwiera",
        "The fridge has to stay at 5 degrees, not 7",
    ],
)
def test_what_is_to_be_found_out_or_corrected_is_no_ban(rule: str) -> None:
    assert not accused("en", rule, "216 loaves for Saturday.")
