"""What was held back, where a number went, who was ruled out: turned round it is noticed, its twin is not."""

import pytest

from tests.audit.builders import assistant, compacted, user


def deviations(talk, body):
    return [one for one in remarks(talk, body) if one.grade != "not_verbatim"]


def remarks(talk, body):
    """Return the same with the notes."""
    return compacted(talk, body=body).measured().deviations


def said(*texts):
    return tuple((assistant if at % 2 else user)(text) for at, text in enumerate(texts))


LETTERS = said(
    "Draft the letters to the tenants.", "All nine letters are drafted. Nothing has been sent yet."
)
BRIEFE = said("Entwirf die Briefe an die Mieter.", "Alle neun Briefe sind entworfen. Noch nichts verschickt.")
HOTELS = said("Zoek drie hotels.", "Drie hotels gevonden: 84, 91 en 120 euro. Nog niets geboekt.")
PUMP = said("Give the pump 6 valves instead of 3 and try again.", "With 6 valves it reaches 41 bar.")
RATE = said("Lower the rate from 4.25 to 3.75 percent.", "Done, it is lower now.")
BIRDS = said("Ines feeds the birds, not Karim.", "Understood, Ines feeds the birds.")
DUTY = said("Contact on the night is Ines, deputy Karim.", "Noted.")
TRIAL = said(
    "Count the seeds.", "Bed A: 212 seeds, 31 sprouted (14.6 %).\nBed B: 207 seeds, 17 sprouted (8.2 %)."
)
FRAGE = said("图表先做柱状图,不要做饼图。", "好的。")
PAIRS = [
    (
        LETTERS,
        "Nine letters drafted. None of them has been sent.",
        "Nine letters drafted, and they have been sent.",
    ),
    (
        LETTERS,
        "Neun Briefe entworfen. Noch nichts verschickt.",
        "Neun Briefe entworfen. Bereits alles verschickt.",
    ),
    (BRIEFE, "Nine letters drafted. Nothing has gone out.", "Nine letters drafted. It has gone out."),
    (HOTELS, "- Nog niets geboekt", "- Alles geboekt"),
    (HOTELS, "Rien n'est encore réservé.", "Tout est déjà réservé."),
    (PUMP, "The pump went from 3 to 6 valves.", "The pump went from 6 to 3 valves."),
    (PUMP, "Pumpe: von 3 auf 6 Ventile.", "Pumpe: von 6 auf 3 Ventile."),
    (RATE, "The rate fell from 4.25 to 3.75 percent.", "The rate fell from 3.75 to 4.25 percent."),
    (RATE, "The rate goes down to 3.75 percent.", "The rate stays at 4.25 percent."),
    (BIRDS, "Ines, not Karim, feeds the birds.", "Karim, not Ines, feeds the birds."),
    (BIRDS, "Ines kümmert sich um die Vögel, nicht Karim.", "Karim kümmert sich um die Vögel, nicht Ines."),
    (DUTY, "Contact: Ines (deputy Karim).", "Contact: Karim (deputy Ines)."),
    (
        TRIAL,
        "Sprouted: 17 of 207 in B against 31 of 212 in A.",
        "Sprouted: 31 of 207 in B against 17 of 212 in A.",
    ),
    (FRAGE, "图表:柱状图,不做饼图。", "图表:饼图,不做柱状图。"),
]


@pytest.mark.parametrize(("talk", "faithful", "turned"), PAIRS)
def test_what_is_turned_round_is_noticed(talk, faithful, turned):
    kept = {(one.rule, one.value) for one in remarks(talk, faithful)}
    assert {(one.rule, one.value) for one in remarks(talk, turned)} - kept


def test_most_in_nearly_the_same_words_is_accused():
    assert sum(bool(deviations(talk, turned)) for talk, _, turned in PAIRS) >= 10


@pytest.mark.parametrize(("talk", "faithful", "turned"), PAIRS)
def test_its_faithful_twin_is_not(talk, faithful, turned):
    assert deviations(talk, faithful) == []


@pytest.mark.parametrize(
    ("talk", "body"),
    [
        (
            (*LETTERS, user("Send them."), assistant("Sent all nine.")),
            "Nine letters drafted, and they have been sent.",
        ),
        (LETTERS, "The letters are to be sent by Friday. When they have been sent, ask the user."),
        (said("The rank matters.", "It fell from rank 2 to rank 5."), "It fell from rank 2 to rank 5."),
        (
            said("Keep archives 5 days, not 14.", "Set to 5 days."),
            "Archive retention was cut from two weeks to five days.",
        ),
    ],
)
def test_what_happened_since_or_is_to_come_is_no_accusation(talk, body):
    assert deviations(talk, body) == []
