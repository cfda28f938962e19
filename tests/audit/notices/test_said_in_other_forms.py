"""Names, numbers, codes and days that the source has in another form are not noted as new."""

import pytest

from tests.audit.builders import assistant, compacted, tool, user


def new_values(said: str, body: str) -> list[tuple[str, str]]:
    rows = (user(said), tool("c1", said), assistant("OK."))
    told = compacted(rows, body=body).measured().deviations
    return [(one.kind, one.value) for one in told if one.rule in ("not-said", "misspelt", "only-value")]


@pytest.mark.parametrize(
    ("said", "body"),
    [
        ("Wait 25 minutes, then read the meter.", "The 25-minute wait is over; the meter was read."),
        ("The barn has 60 m2 and costs 340 € per month.", "Grange : 60 m², 340 €/mois."),
        ("Смета на крышу 560 тысяч.", "Смета на крышу: 560 000 руб."),
        ("Смета на крышу 560 тысяч.", "The estimate for the roof is 560,000 roubles."),
        ("El tejado cuesta 12 mil euros.", "El tejado cuesta 12 000 €."),
        ("The pump is at 10.41.2.11:8460.", "The pump (10.41.2.11:8460) was looked at."),
        ("托福已经考过,90分。雅思6.5分。", "用户雅思6.5分,托福90分。"),
        ("No mowing on Sunday or a holiday.", "Mowing on Sundays is not allowed."),
        ("Dr. Maria Pires signs it.", "A carta espera pela assinatura da Dra. Pires."),
        ("Ask Jens about the key.", "Zapytać Jensa o klucz."),
        ("Гусев придёт с ключом на Лесную.", "Gusev comes to Lesnaya with the key."),
        ("Trip from 3 October to 6 October. Rehearsal on the 5th.", "Rehearsal on 5 October."),
        ("Waiting list: 31 households. Town poll: 1,204 households.", "Poll: 1,204 households were asked."),
        ("Le camion arrive le 9 mai à 8 h.", "The lorry comes on 9 May at 8:00."),
        ("47 tests completed, 0 failed", "All 47 tests pass."),
        ("The wall uses lime.", "1. Key Technical Concepts: lime, wall"),
        ("Das Angebot gilt bis 25. Juli.", "Angebot prüfen, Frist 25.07."),
        ("The lorry comes when the gate is free.", "Call Jan once the gate is free."),
        ("Umzug ist am 19. September.", "Moving day is 19 Sept."),
        ("Mr Otero signs the report.", "The office waits for Otero's report."),
    ],
)
def test_what_is_said_in_another_form_is_not_new(said: str, body: str) -> None:
    assert new_values(said, body) == []


@pytest.mark.parametrize(
    ("said", "body", "value"),
    [
        (
            "Wait 25 minutes, then read the meter.",
            "The 35-minute wait is over; the meter was read.",
            "35-minute",
        ),
        ("Смета на крышу 560 тысяч.", "Смета на крышу: 650 000 руб.", "650 000 руб"),
        ("Гусев придёт с ключом.", "The engineer Orlov comes with the key.", "Orlov"),
        ("Trip from 3 October to 6 October. Rehearsal on the 5th.", "Rehearsal on 25 October.", "25 October"),
    ],
)
def test_what_is_not_said_is_noticed(said: str, body: str, value: str) -> None:
    rows = (user(said), tool("c1", said), assistant("OK."))
    told = compacted(rows, body=body).measured().deviations
    assert value in [one.value for one in told]
