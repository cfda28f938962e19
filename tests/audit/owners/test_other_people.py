"""What a source says of one person alone is not another one's in the handoff."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, compacted, user

CHOIR = (
    "Malin tunes the organ on Tuesday, Oskar prints the programmes. Petra rents the chairs.",
    "Noted. The programmes cost 84 euros and the hall opens at 18:30.",
)
HARVEST = (
    "Runa meldet die Ernte beim Amt an, Thilo wartet die Presse."
    " Frau Kessel muss die Lieferscheine unterschreiben.",
    "Gut, die Presse kommt am Montag dran.",
)
CLINIC = (
    "M. Tessier prépare les ordonnances, Mme Aubry vérifie le stock du frigo."
    " Le Dr Morin doit d'abord signer le protocole.",
    "C'est noté.",
)
LIBRARY = (
    "Irina sortiert die Spenden, Pavel baut das Regal im Keller auf.",
    "In Ordnung, das Regal hat sechs Böden.",
)
BAKERY = ("请小吴清点面粉，烤箱由小贺检修。", "好的，已经记下。")
OFFICE = ("会場は大谷さんが予約します。名簿は堀さんが作ります。", "承知しました。")
ROOF = (
    "Delia measures the gutter. Actually no, Bruno does it. Delia only orders the tiles.",
    "Right: tiles are with Delia.",
)
TRIP = (
    "Who books the ferry? Nadine. Hugo reads the tide tables, and he keeps the logbook."
    " Nadine is the skipper.",
    "Fine.",
)
DESK = (
    "I'm Marit, I run the desk. Once Dr Nyström has signed the list I'll tell you, and you start the job.",
    "Good, Marit.",
)
I_AM = (
    "I'm Selma. I paint the backdrop, Jonte hangs the lamps.",
    "Good, Selma.",
)

FAITHFUL = [
    (DESK, "When Marit says it is signed, start the job."),
    (CHOIR, "The organ is tuned by Malin on Tuesday; programmes are printed by Oskar."),
    (CHOIR, "Chairs: Petra. Programmes: Oskar. Organ: Malin."),
    (CHOIR, "Oskar is responsible for the programmes (84 euros) while Petra takes care of the chairs."),
    (CHOIR, "Malin stimmt die Orgel am Dienstag, Oskar druckt die Programme."),
    (HARVEST, "Runa registers the harvest with the office and Thilo services the press on Monday."),
    (HARVEST, "Die Lieferscheine unterschreibt Frau Kessel, die Presse wird von Thilo gewartet."),
    (HARVEST, "Frau Kessel has to sign the delivery notes; Thilo sees to the press."),
    (CLINIC, "Mme Aubry s'occupe du frigo, M. Tessier des ordonnances."),
    (CLINIC, "Le protocole n'est pas encore signé : Morin doit d'abord le signer."),
    (CLINIC, "The stock in the fridge is checked by Mme Aubry, Tessier writes the prescriptions."),
    (LIBRARY, "Pavel puts up the shelf in the cellar, Irina sorts the donations."),
    (LIBRARY, "Regal (sechs Böden): Pavel; Spenden: Irina."),
    (BAKERY, "面粉由小吴清点，小贺负责检修烤箱。"),
    (OFFICE, "名簿は堀さん、会場の予約は大谷さんが担当。"),
    (ROOF, "Bruno measures the gutter, Delia orders the tiles."),
    (ROOF, "The gutter is Bruno's; the tiles are ordered by Delia."),
    (TRIP, "Nadine books the ferry; Hugo keeps the logbook and reads the tide tables."),
    (TRIP, "Ferry: to be booked by Nadine. Logbook: Hugo."),
    (I_AM, "Selma paints the backdrop and Jonte hangs the lamps."),
    (I_AM, "Jonte hangs the lamps; the backdrop is painted by Selma."),
]
ALTERED = [
    (CHOIR, "Oskar tunes the organ on Tuesday.", "Malin"),
    (CHOIR, "Oskar tunes the organ and Malin prints the programmes.", "Malin"),
    (HARVEST, "Thilo meldet die Ernte beim Amt an.", "Runa"),
    (CLINIC, "Mme Aubry doit d'abord signer le protocole.", "Morin"),
    (LIBRARY, "Irina baut das Regal im Keller auf.", "Pavel"),
    (BAKERY, "烤箱由小吴检修，面粉由小贺清点。", "小贺"),
    (TRIP, "Nadine reads the tide tables.", "Hugo"),
]


def deviations(rows, body):
    told = [user(rows[0]), assistant(rows[1])]
    found = compacted(told, body=body).measured().deviations
    return [one for one in found if one.grade is Grade.CONTRADICTS or one.rule == "said-of-another"]


@pytest.mark.parametrize(("rows", "body"), FAITHFUL)
def test_who_does_it_may_be_said_in_other_words(rows, body):
    assert deviations(rows, body) == []


@pytest.mark.parametrize(("rows", "body", "other"), ALTERED)
def test_who_does_what_somebody_else_does_is_noticed(rows, body, other):
    told = [user(rows[0]), assistant(rows[1])]
    assert other in [one.source for one in compacted(told, body=body).measured().deviations]


def test_a_name_alone_in_its_matter_is_noted_only():
    found = deviations(OFFICE, "名簿は大谷さんが担当。")
    assert [one.grade for one in found] == [Grade.NOT_VERBATIM]


def test_what_a_mail_of_theirs_says_is_theirs():
    mail = "From: Thilo Brandt\nSubject: press\n\nI register the harvest with the office, then."
    rows = [user("Runa registers the harvest with the office."), user(mail), assistant("Fine.")]
    told = compacted(rows, body="Thilo registers the harvest with the office.").measured()
    assert [one for one in told.deviations if one.rule == "said-of-another"] == []


NOTED = [
    pytest.param(
        [
            user("Brandt says all of the crew gets the two spare days. Olsen wants a list."),
            assistant("Fine."),
        ],
        "The ferry was late, so all of the crew got the two spare days, by Olsen's decision.",
        "Brandt",
        id="rest of the sentence",
    ),
    pytest.param(
        [
            user("Ask Ferrer about the lamps. Vance dropped the crate."),
            user("I paid for a crate with lamps."),
        ],
        "One crate had been dropped by the driver, Ferrer, so it is counted as lost.",
        "Vance",
        id="first person of somebody else",
    ),
    pytest.param(
        [user("umzug macht Wiebke morgen 9:15, nicht ich\nschick die liste an Torben"), assistant("Ok.")],
        "Den Umzug macht Torben morgen um 9:15.",
        "Wiebke",
        id="capital in a chat",
    ),
    pytest.param(
        [user("Mr Farr brings the boxes."), assistant("Who signs the receipt?"), user("Dr Lund, on Monday.")],
        "| Signature of the receipt | Mr Farr, on Monday |",
        "Lund",
        id="answer to a question",
    ),
    pytest.param(
        [
            user("Our lawyer is Mr Odell. The agent is Glen Marlow."),
            user("Odell rang: we want a cap on fees, 300 a year."),
        ],
        "On Mr Marlow's advice the letter asks for a cap of 300 a year on fees.",
        "Odell",
        id="asks for a part of something",
    ),
]


@pytest.mark.parametrize(("rows", "body", "other"), NOTED)
def test_a_name_in_the_place_of_another_is_noticed_by_its_sentence(rows, body, other):
    found = compacted([*rows, assistant("Noted.")], body=body).measured().deviations
    assert other in [one.source for one in found if one.rule == "said-of-another"]


def said_of_another(rows, body):
    return {one.grade for one in deviations(rows, body) if one.rule == "said-of-another"}


def test_two_who_have_what_is_the_others_are_accused_and_one_alone_is_not():
    assert said_of_another(CHOIR, "Organ: Oskar.") == {Grade.NOT_VERBATIM}
    assert said_of_another(CHOIR, "- Organ: Oskar.\n- Programmes: Malin.") == {Grade.CONTRADICTS}


def test_one_alone_is_accused_where_a_clause_of_the_source_has_nearly_all_of_it_for_another_one():
    assert said_of_another(CHOIR, "Oskar tunes the organ on Tuesday.") == {Grade.CONTRADICTS}
    assert said_of_another(CHOIR, "Oskar was seen at the organ, in the cold hall.") <= {Grade.NOT_VERBATIM}
    assert said_of_another(CHOIR, "Malin tunes the organ on Tuesday.") == set()


def test_a_pronoun_and_a_role_are_nobodys_names():
    told = [
        user(
            "Greta called. She writes: keep the newest crates. Herr Aydin tauscht den Kessel, der Heizer kommt."
        ),
        assistant("Ok."),
    ]
    found = compacted(
        told, body="Greta wants the newest crates kept. Der Heizer tauscht den Kessel."
    ).measured()
    assert [one for one in found.deviations if one.rule == "said-of-another"] == []
