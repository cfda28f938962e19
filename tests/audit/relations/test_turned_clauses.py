"""A clause that says no where the last one about the same says yes, and twins that say the same otherwise."""

import pytest

from hermes_sessions.audit.alignment.turning import read_turns
from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, call, compacted, tool, user

TURNED = [
    (
        "I haven't invoiced the brewery yet.",
        "The brewery has been invoiced.",
        "The brewery has not been invoiced.",
    ),
    (
        "Die Hecke ist noch nicht geschnitten.",
        "Die Hecke ist geschnitten.",
        "Die Hecke ist bisher nicht geschnitten.",
    ),
    (
        "Le moteur de la vanne ne répond pas.",
        "Le moteur de la vanne répond.",
        "Le moteur de la vanne ne répond pas.",
    ),
    ("Todavía no he firmado el alquiler.", "El alquiler está firmado.", "El alquiler aún no está firmado."),
    ("Ainda não imprimi os bilhetes.", "Os bilhetes já foram imprimidos.", "Bilhetes por imprimir."),
    ("De brug is gesloten.", "De brug is open.", "De brug is gesloten."),
    ("Faktura jeszcze nie jest opłacona.", "Faktura jest opłacona.", "Faktura nie jest jeszcze opłacona."),
    ("Лодка ещё не отремонтирована.", "Лодка отремонтирована.", "Лодка пока не отремонтирована."),
    ("Nothing is shipped yet.", "The crates have been shipped.", "Nothing has been shipped."),
    ("The weld passed the bend test.", "The weld failed the bend test.", "The weld passed the bend test."),
]
KEPT = [
    ("Don't forget to lock the shed.", "Lock the shed."),
    ("The pump was not deleted from the list.", "The pump stays on the list."),
    ("The siren did not sound, but now it sounds.", "The siren sounds."),
    ("I haven't invoiced the brewery yet. (The bakery is invoiced.)", "The bakery is invoiced."),
]


def accused(said, body):
    """How the warnings of a handoff were noticed."""
    rows = (user("How far are we?"), assistant(said))
    told = compacted(rows, body=body).measured().deviations
    return {one.rule for one in told if one.grade is not Grade.NOT_VERBATIM}


def remarked(said, body):
    """How everything was noticed that a handoff says otherwise."""
    told = compacted((user("How far are we?"), assistant(said)), body=body).measured().deviations
    return {one.rule for one in told}


WAYS = {"turned-round", "twin", "negation", "done", "other-side", "turned"}
ANOTHER_WORD = {"De brug is open.", "The crates have been shipped."}
"""What has another word in the place of the source's is a note."""


@pytest.mark.parametrize(("said", "altered", "faithful"), TURNED)
def test_a_clause_with_the_other_answer_is_accused(said, altered, faithful):
    assert (remarked if altered in ANOTHER_WORD else accused)(said, altered) & WAYS
    assert accused(said, faithful) == set()


@pytest.mark.parametrize(("said", "body"), KEPT)
def test_the_same_answer_in_other_words_is_not(said, body):
    assert accused(said, body) == set()


def test_what_was_done_since_is_not_accused():
    rows = (
        assistant("I haven't invoiced the brewery yet."),
        user("Do it."),
        assistant("The brewery is invoiced now."),
    )
    told = compacted(rows, body="The brewery has been invoiced.").measured().deviations
    assert [one for one in told if one.grade is not Grade.NOT_VERBATIM] == []


def test_what_is_only_asked_for_may_not_be_done():
    rows = (user("Please ship the crates."), assistant("Looking."))
    told = compacted(rows, body="The crates have not been shipped.").measured().deviations
    assert [one for one in told if one.grade is not Grade.NOT_VERBATIM] == []


def test_two_turns_undo_each_other():
    assert read_turns("the file was not deleted").times == 2
    assert read_turns("the file was deleted").times == 1
    assert read_turns("the file (not the folder) was kept").times == 0


def test_what_the_user_still_asks_for_is_no_denial_of_the_task():
    rows = [user("Gut, dann prüf noch die Pumpe in Halle 6"), assistant("Das mache ich gerade.")]
    told = compacted(rows, body="## Aktive Aufgabe\n- Pumpe in Halle 6 prüfen").measured().deviations
    assert not [one for one in told if one.grade is not Grade.NOT_VERBATIM]


@pytest.mark.parametrize(
    ("said", "is_accused"),
    [("Ask the warden on Friday.", False), ("The warden has been asked on Friday.", True)],
)
def test_what_is_to_be_done_is_no_denial_of_being_asked_for(said, is_accused):
    assert bool(accused(said, "The warden is to be asked on Friday.") & WAYS) is is_accused


def test_a_draft_in_a_call_answers_nothing():
    letter = "Sehr geehrte Frau Lund, bis 12.05.2026 ... Verzugszins 7,00 EUR"
    rows = (
        user("Mahnung an die Bäckerei, Frist 12. Mai. Verzugszins 7 €."),
        assistant("", call("write_file", path="brief.md", content=letter)),
        tool("c1", "written"),
        user("Die 7 € lass doch weg."),
        assistant("Geändert."),
    )
    body = "- Bäckerei: Mahnung mit Frist 12. Mai, ohne den Verzugszins von 7 €; Brief"
    told = compacted(rows, body=body).measured().deviations
    assert [one for one in told if one.grade is not Grade.NOT_VERBATIM] == []
