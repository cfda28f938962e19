"""A note that a reading of another sort makes, too, is a warning; two of one sort are none."""

import pytest

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.relations.statements import Statement, ToldSentences
from hermes_sessions.audit.support.two_readings import confirmed
from hermes_sessions.messages import Role
from tests.audit.builders import assistant, compacted, user

NOBODY = ToldSentences()
KILN = "Marit loads the kiln."


def noted(rule, value, source, *, kind="who", line="", source_line="", message=3):
    line, source_line = line or value, source_line or source
    return Deviation(Grade.NOT_VERBATIM, kind, value, line, rule, source, source_line, message, grave=False)


def grades(*found, told=NOBODY):
    return [one.grade for one in confirmed(found, found, told)]


WHO = noted("who", "Otto loads the kiln.", KILN)
NAME = noted("said-of-another", "Otto", "Marit", kind="name", line="Otto loads the kiln.", source_line=KILN)


def test_two_readings_that_agree_are_a_warning_which_names_the_less():
    assert grades(WHO, NAME) == [Grade.NOT_VERBATIM, Grade.CONTRADICTS]


def test_what_is_warned_of_already_needs_no_confirmation():
    sure = noted("held-back", WHO.value, KILN)._replace(grade=Grade.CONTRADICTS)
    assert [one.grade for one in confirmed((sure, WHO), (sure, WHO, NAME), NOBODY)] == [
        Grade.CONTRADICTS,
        Grade.NOT_VERBATIM,
    ]


@pytest.mark.parametrize(
    "other",
    [
        NAME._replace(rule="stands-nearer", line="Otto sweeps the yard.", value="yard"),
        NAME._replace(source="Ines"),
        NAME._replace(message=9, source_line="Marit is away."),
        NAME._replace(rule="not-said", source="", source_line="", message=None),
    ],
    ids=["another sentence", "another person", "another message", "a reading without a source"],
)
def test_what_means_something_else_confirms_nothing(other):
    assert grades(WHO, other) == [Grade.NOT_VERBATIM] * 2


def test_readings_of_one_sort_err_together():
    nearer = NAME._replace(rule="stands-nearer")
    assert grades(NAME, nearer) == [Grade.NOT_VERBATIM] * 2


@pytest.mark.parametrize(
    ("source", "is_warned"),
    [("倉庫の鍵は貸し出さないこと。", True), ("倉庫の鍵は貸し出さないことが多い。", False)],
    ids=["a ban", "how it mostly is"],
)
def test_a_ban_holds_whatever_is_spoken_of_since(source, is_warned):
    freed = noted("negation", "倉庫の鍵は貸し出してもよい。", source, kind="negation")
    turned = freed._replace(rule="turned")
    since = ToldSentences([Statement("倉庫の鍵は三本あります。", 5, Role.ASSISTANT)])
    assert (Grade.CONTRADICTS in grades(freed, turned, told=since)) == is_warned


def test_a_form_of_address_that_both_have_puts_nobody_in():
    name = noted("name-changed", "Frau Ried", "Frau Amsel", kind="name", line="Frau Ried prüft den Bericht.")
    hold = noted("other-hold", name.line, "Der Bericht wartet auf Frau Amsel.")
    said = ToldSentences([Statement("Den Bericht hat Frau Amsel seit Montag.", 5, Role.USER)])
    assert Grade.CONTRADICTS in grades(name, hold, told=said)


def test_what_could_be_done_may_have_been_done():
    could = "Of the 40 tiles 31 could be glazed."
    none = "Of the 40 tiles 31 are not glazed."
    for source, grade in ((could, Grade.NOT_VERBATIM), (none, Grade.CONTRADICTS)):
        done = noted("done", "31 tiles are glazed.", source, kind="done")
        assert grades(done, done._replace(rule="turned")) == [grade] * 2


def test_how_things_stand_is_not_confirmed_by_a_figure():
    done = noted("done", "The glaze is mixed, 15 litres.", "The glaze of 5 litres is not mixed.", kind="done")
    figure = noted("of-another", "15", "5", kind="number", line=done.line, source_line=done.source_line)
    assert grades(done, figure) == [Grade.NOT_VERBATIM] * 2


def test_a_number_is_no_part_of_a_longer_one():
    bound = noted("bound-elsewhere", "The glaze dries 5 days.", "The glaze dries 15 days.", kind="order")
    shape = noted("only-value", "5", "15", kind="number", line=bound.line, source_line=bound.source_line)
    other = shape._replace(rule="numbered-otherwise", value="15", line="The glaze dries 15 days.")
    assert grades(bound, shape) == [Grade.NOT_VERBATIM, Grade.CONTRADICTS]
    assert grades(shape, other) == [Grade.NOT_VERBATIM] * 2


def test_what_may_have_been_done_since_stays_a_note():
    done = noted("done", "The kiln is fired.", "The kiln is not fired yet.", kind="done")
    left = noted("left-open", "The kiln is fired.", "The kiln is not fired yet.", kind="done")
    since = ToldSentences([Statement("I fired the kiln at noon.", 5, Role.ASSISTANT)])
    before = ToldSentences([Statement("I will fire the kiln at noon.", 2, Role.ASSISTANT)])
    assert grades(done, left, told=since) == [Grade.NOT_VERBATIM] * 2
    assert grades(done, left, told=before) == [Grade.CONTRADICTS] * 2
    barely = ToldSentences([Statement("Fired.", 5, Role.ASSISTANT)])
    assert grades(done, left, told=barely) == [Grade.NOT_VERBATIM] * 2


def test_whom_somebody_put_in_since_may_have_it():
    since = ToldSentences([Statement("Actually no, Otto does it.", 3, Role.USER)])
    other = ToldSentences([Statement("Otto is here at noon.", 3, Role.USER)])
    assert grades(WHO, NAME, told=since) == [Grade.NOT_VERBATIM] * 2
    assert grades(WHO, NAME, told=other) == [Grade.NOT_VERBATIM, Grade.CONTRADICTS]


TALKS = [
    (
        "Solveig approves the seating plan, Håkon drives the coach. Never park the coach at the north gate.",
        "Understood: the coach takes 48 people.",
        "Seating plan: to Solveig for approval. Håkon drives the coach, never to park at the north gate.",
        "Håkon approves the seating plan.",
    ),
    (
        "Frau Amsel prüft den Kassenbericht, Herr Ried bestellt die Stühle.",
        "In Ordnung, 60 Stühle.",
        "Den Kassenbericht sieht Frau Amsel durch, die 60 Stühle bestellt Ried.",
        "Herr Ried prüft den Kassenbericht.",
    ),
    (
        "Léa traduit le contrat, Bastien relit les annexes.",
        "D'accord, neuf annexes.",
        "Contrat: traduit par Léa. Les neuf annexes sont relues par Bastien.",
        "Bastien traduit le contrat.",
    ),
    (
        "Не выключай насос, пока Зоя не проверит клапан.",
        "Понял, насос работает.",
        "Насос остаётся включённым до проверки клапана Зоей.",
        "Выключай насос, пока Зоя не проверит клапан.",
    ),
]


@pytest.mark.parametrize(("asked", "answer", "faithful", "altered"), TALKS)
def test_the_audit_warns_of_what_it_notices_in_two_ways(asked, answer, faithful, altered):
    rows = (user(asked), assistant(answer))
    warned = [
        [
            one.value
            for one in compacted(rows, body=body).measured().deviations
            if one.grade is not Grade.NOT_VERBATIM
        ]
        for body in (faithful, f"{faithful}\n{altered}")
    ]
    assert not warned[0]
    assert warned[1]
