"""The last request is in the summary where a line about open work names it, in whatever words."""

import pytest

from hermes_sessions.audit.last_request import RequestState, find_request_state, last_request
from hermes_sessions.audit.rules import check_compaction
from hermes_sessions.messages import Severity
from tests.audit.builders import assistant, compacted, user


def state(asked, body, before="Read the three reports."):
    talk = (user(before), assistant("I read them; the second one is the longest."), user(asked))
    measured = compacted(talk, keep=[], body=body).measured()
    request = last_request(measured.case.before)
    assert request is not None
    return find_request_state(measured, request)


@pytest.mark.parametrize(
    ("asked", "body"),
    [
        (
            "Perfect. Now prepare the shopping list, the budget is 40.",
            "- Reports read.\n\n## To do\n- Shopping list",
        ),
        (
            "Va bene. Scrivi un messaggio per Berti con le misure.",
            "- Da fare: messaggio per Berti con le misure.",
        ),
        ("Escribe la nota para enfermería.", "Three reports were read. To do: nursing note."),
        ("Schreib die Rückfallanleitung dazu.", "The reports are read. A rollback guide is being written."),
        (
            "그동안 절차를 위키에 정리해 줘. 문서 번호는 DOC-4411.",
            "Reports read; until then put it in the wiki under DOC-4411.",
        ),
        (
            "Prima. Mach als Nächstes den Aushang für Frau Pohl fertig.",
            "- Die drei Berichte sind gelesen\n- Jetzt: Aushang für Frau Pohl; die Preise nennt sie",
        ),
        (
            "I go there myself. Write a short letter for Henrik with all this by Monday.",
            "Die drei Berichte wurden gelesen. Zu schreiben ist ein kurzer Brief für Henrik, bis Montag.",
        ),
        (
            "Gracias. Mañana mira si ya hay carta de la Dra. Ferrer.",
            "Se leyeron los informes; RN-81 está pedida a la Dra. Ferrer y mañana hay que ver si escribe.",
        ),
    ],
)
def test_a_request_named_among_open_work_is_in_the_summary(asked, body):
    assert state(asked, body) is RequestState.IN_SUMMARY


@pytest.mark.parametrize(
    "body",
    [
        "- Reports read.\n\n## To do\n- Proofread the reports",
        "Three reports were read, the second is the longest.",
    ],
)
def test_a_request_that_nothing_names_is_gone(body):
    assert state("Book the train to Ghent.", body) is RequestState.GONE


def test_a_name_of_an_earlier_line_does_not_hide_a_request_in_another_language():
    talk = (
        user("Olá, quando vem o técnico da caldeira?"),
        assistant("A visita do técnico Ademar é na terça, às nove horas."),
        user("Depois do Ademar, me manda um resumo das despesas do mês."),
    )
    body = (
        "- **Boiler:** the technician comes on Tuesday at nine.\n"
        "- **Next:** after Ademar's visit, send the user a summary of what the month cost."
    )
    measured = compacted(talk, keep=[], body=body).measured()
    request = last_request(measured.case.before)
    assert request is not None
    assert find_request_state(measured, request) is RequestState.IN_SUMMARY


@pytest.mark.parametrize(
    ("asked", "body", "before"),
    [
        ("Go on.", "The preface of the yearbook is still to be written.", "Shorten the yearbook."),
        (
            "Weigh the crate again in a quarter of an hour.",
            "- Reports read.\n\n**Next.** Put the crate on the scales in 15 minutes, then load it.",
            "Read the three reports.",
        ),
        (
            "Ring me when it is through. Meanwhile write the changelog entry.",
            "- The build is running.\n- Entry of the changelog for 0.9 to be written now.",
            "Push it.",
        ),
    ],
)
def test_a_request_that_open_work_may_mean_is_not_called_gone(asked, body, before):
    assert state(asked, body, before) in (RequestState.PERHAPS, RequestState.IN_SUMMARY)


def test_who_only_agrees_asks_for_what_was_offered():
    talk = (
        user("Что осталось?"),
        assistant("Вторая сверка будет в 20:00. Справка для школы пока не готова, займусь ей сейчас."),
        user("Да, займись."),
    )
    for body, found in (
        ("Дальше:\n- Справка для школы ещё не готова.", RequestState.PERHAPS),
        ("Сверено три отчёта.", RequestState.GONE),
    ):
        measured = compacted(talk, keep=[], body=body).measured()
        request = last_request(measured.case.before)
        assert request is not None
        assert find_request_state(measured, request) is found


def test_doubt_about_a_request_is_a_note():
    talk = (user("Load the van."), assistant("I weigh the crate again now."), user("Yes, go ahead."))
    measured = compacted(talk, keep=[], body="Next: the crate is to be weighed.").measured()
    found = [one for one in check_compaction(measured) if one.rule == "last-request-lost"]
    assert [(one.severity, one.evidence) for one in found] == [(Severity.INFO, {"in_handoff": "perhaps"})]


def test_a_request_that_is_perhaps_there_is_not_listed_as_gone():
    talk = (user("Load the van."), assistant("I weigh the crate again now."), user("Yes, weigh it."))
    measured = compacted(talk, keep=[], body="Next: the crate is to be put on the scales.").measured()
    asked = [one for one in measured.retention.facts if one.kind == "request" and 3 in one.messages]
    assert [(one.value, one.in_doubt, one.is_lost) for one in asked] == [("Yes, weigh it.", True, False)]
