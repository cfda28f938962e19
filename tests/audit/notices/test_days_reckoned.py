"""What follows from what was told is no slip: days and hours, thousands, who does what, decisions put off."""

import pytest

from hermes_sessions.audit.figures.reckoned import is_day_reckoned
from hermes_sessions.messages import Severity
from tests.audit.builders import assistant, compacted, hits, user


def is_accused(body: str, said: str) -> bool:
    found = hits(
        compacted([user(said), assistant("Noted."), user("Good.")], keep=[], body=body), "contradicts"
    )
    return any(one.severity is not Severity.INFO for one in found)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("20 October", "The meeting is on 30 October, the letter goes out 10 days before."),
        ("10. Juni", "Die Versammlung ist am 24. Juni, die Einladung muss zwei Wochen vorher raus."),
        ("20 czerwca", "Oddanie 27 czerwca, szkic tydzień wcześniej."),
    ],
)
def test_a_day_a_told_length_from_another_is_reckoned(value: str, text: str) -> None:
    assert is_day_reckoned(value, [text])


def test_a_day_that_no_length_leads_to_is_not() -> None:
    assert not is_day_reckoned(
        "19 October", ["The meeting is on 30 October, the letter goes out 10 days before."]
    )


def test_an_end_worked_out_from_a_start_and_a_length_is_no_slip() -> None:
    said = "Start at 14:20, 90 minutes. The other one was at 15:20."
    assert not is_accused("- The start is at 14:20, the end at 15:50.", said)


def test_thousands_that_stand_apart_are_one_number() -> None:
    said = "Of 26400 bricks 25680 were taken in; at gate B 480 bricks are missing."
    assert not is_accused("- Taken in: 25 680 of 26 400.", said)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("- Friday, site visit: Nadia drives.", "Omar asked for the site visit on Friday, Nadia drives."),
        ("- Prova do vinho na sexta: o Rui serve.", "A Teresa quer a prova do vinho na sexta, o Rui serve."),
        (
            "- Поставка в понедельник: Мамедов принимает.",
            "Гусев просит поставку в понедельник, Мамедов принимает.",
        ),
    ],
)
def test_a_label_holds_what_another_asked_for_and_who_does_it(body: str, said: str) -> None:
    assert not is_accused(body, said)


@pytest.mark.parametrize(
    ("answer", "body"),
    [
        ("Let me ask the children. Later.", "- Undecided: tickets, the children are asked first."),
        ("Ich muss erst mit Inge reden.", "- Karten: Inge wird vorher gefragt."),
        ("Laisse-moi réfléchir.", "- Billets : pas encore pris."),
        ("我先问问小周。", "- 票未订。"),
    ],
)
def test_words_that_put_a_decision_off_ask_nothing(answer: str, body: str) -> None:
    told = compacted(
        [user("Look up the prices."), assistant("Found. Do you want tickets?"), user(answer)], body=body
    )
    assert all(one.severity is Severity.INFO for one in hits(told, "last-request-lost"))


def test_what_is_asked_beside_them_is_lost() -> None:
    rows = [
        user("Look up the prices."),
        assistant("Found. Do you want tickets?"),
        user("Let me ask the children. Meanwhile translate the menu of the harbour kitchen into Danish."),
    ]
    told = compacted(rows, body="## Next Steps\n- Prices")
    assert any(one.severity is not Severity.INFO for one in hits(told, "last-request-lost"))
