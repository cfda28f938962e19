"""Last words that decide something, or are told by what they answer, are not called lost."""

import pytest

from hermes_sessions.audit.last_request import RequestState, find_request_state, last_request
from hermes_sessions.audit.values import AuditMessage
from tests.audit.builders import assistant, call, compacted, tool, user


def state(earlier: str, reply: str, words: str, body: str, *since: AuditMessage) -> RequestState:
    talk = (user(earlier), assistant(reply), user(words), *since)
    measured = compacted(talk, keep=[], body=body).measured()
    request = last_request(measured.case.before)
    assert request is not None
    return find_request_state(measured, request)


DECIDED = [
    ("Should the ferry list be posted in the hall?", "Not yet, the harbour office is still counting."),
    ("Soll ich den Fahrplan an die Fähre hängen?", "Genau, den hängt Ruprecht auf."),
    ("¿Mando la lista a la naviera?", "Quizás, lo hablo con Eulalia. Es su turno."),
    ("Ska jag skicka listan till hamnen?", "Nej, jag ringer först. Kajen är stängd."),
    ("Отправить список в порт?", "Спасибо, на сегодня всё."),
    ("要不要把名单发给码头?", "再说吧,今天就到这。"),
]
ANSWERED = [
    (
        "Two rails of the pigeon loft are loose. Shall I order oak slats?",
        "Yes, but only after Easter, and let Ambrose measure.",
        "The loft's rails came loose, and oak slats follow once the holidays are over.",
    ),
    (
        "Zwei Leisten am Taubenschlag sind lose. Soll ich Eichenlatten bestellen?",
        "Ja, aber erst nach Ostern.",
        "Am Schlag wackeln zwei Leisten; nach den Feiertagen kommen Latten aus Eiche.",
    ),
    (
        "鸽舍有两块木板松了。什么时候换?",
        "换木板等到清明以后。要不要刷漆?以后再说。",
        "鸽舍的两块木板松动,清明之后才更换。",
    ),
    (
        "The loft order is AB-5512 for 14 slats. Payment is open.",
        "Ambrose pays the loft order in May. My aunt brings the nails.",
        "Bestellung AB-5512, noch nicht bezahlt.",
    ),
]


@pytest.mark.parametrize(("offer", "words"), DECIDED)
def test_who_only_decides_or_takes_leave_asks_for_nothing_that_can_be_lost(offer: str, words: str) -> None:
    assert state("Count the crates.", offer, words, "Seven crates were counted.") is RequestState.PERHAPS


@pytest.mark.parametrize(("reply", "words", "body"), ANSWERED)
def test_an_answer_may_be_told_by_what_it_answers(reply: str, words: str, body: str) -> None:
    assert state("Look at the loft.", reply, words, body) is RequestState.PERHAPS


@pytest.mark.parametrize(
    ("told", "request_text"),
    [
        (ANSWERED[0], "Write a villanelle about the tides."),
        (ANSWERED[0], "Yes. Now write a villanelle about the tides."),
        (ANSWERED[1], "Ja. Jetzt schreib mir bitte ein Gedicht über Ebbe und Flut."),
        (ANSWERED[2], "写一首关于潮汐的诗。"),
    ],
)
def test_another_request_is_lost_where_the_handoff_has_what_was_said_before(
    told: tuple[str, str, str], request_text: str
) -> None:
    reply, _, body = told
    assert state("Look at the loft.", reply, request_text, body) is RequestState.GONE


def test_an_order_after_a_refusal_is_lost_where_nothing_has_it() -> None:
    reply = "Two rails of the pigeon loft are loose. Shall I order oak slats?"
    words = "No, leave that. Embroider a banner with four herons for the regatta."
    assert state("Look at the loft.", reply, words, "Two rails are loose.") is RequestState.GONE


@pytest.mark.parametrize(
    "body",
    [
        "Two rails of the loft are loose.\n## Current task\nWater the ferns in the porch.",
        "The ferns have been watered.",
    ],
)
def test_an_answer_is_lost_where_the_handoff_names_other_work_or_nothing_of_it(body: str) -> None:
    reply = "Two rails of the pigeon loft are loose. Shall I order oak slats?"
    assert state("Water the ferns.", reply, "Yes, order twelve.", body) is RequestState.GONE


def test_what_the_last_words_alone_name_is_told_by_its_name() -> None:
    reply = "Die Rampe ist gestrichen."
    words = "Ruf wegen des Kredits bei 宋梅 an, Vertrag LK-88231."
    assert state("Streich die Rampe.", reply, words, "Ramp painted. LK-88231: call.") is RequestState.PERHAPS
    assert state("Streich die Rampe.", reply, words, "Ramp painted.") is RequestState.GONE


def test_what_came_of_a_request_tells_it() -> None:
    since = (assistant("", call("trim")), tool("c1", "removed 48211 rows of wool_stock"))
    words = "Drop what is older than the shearing."
    found = state("Load the bales.", "The bales are loaded.", words, "48211 rows of wool_stock went.", *since)
    assert found is RequestState.PERHAPS
    assert (
        state("Load the bales.", "The bales are loaded.", words, "Bales loaded.", *since) is RequestState.GONE
    )


def test_who_leaves_it_to_others_has_answered_the_agents_question() -> None:
    asked = "Both done. Do we pay holders back or put it in the reserve?"
    words = "The committee will decide that if it ever comes."
    assert state("Draft the letters.", asked, words, "43 letters drafted.") is RequestState.PERHAPS
    assert state("Draft the letters.", "Both done.", words, "43 letters drafted.") is RequestState.GONE
    order = "Put it in the reserve and close the ledger."
    assert state("Draft the letters.", asked, order, "43 letters drafted.") is RequestState.GONE


@pytest.mark.parametrize("words", ["The login page shows a 500 again.", "The upload is broken since noon."])
def test_a_fault_told_behind_a_question_is_a_request_still(words: str) -> None:
    body = "43 letters drafted."
    assert state("Draft the letters.", "Both done. Anything else?", words, body) is RequestState.GONE
