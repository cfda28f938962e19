"""Values in whose place another one came: said as current they are accused, the newer ones never are."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, call, compacted, tool, user

MOVED = [
    (
        "The boiler alarm is set to 71 degrees.",
        "Raise the boiler alarm to 76 degrees.",
        "The boiler alarm is at {} degrees.",
        71,
        76,
    ),
    (
        "The slot in Brno is gate 4.",
        "They moved the slot in Brno from gate 4 to gate 9.",
        "The slot in Brno is gate {}.",
        4,
        9,
    ),
    ("Próg alarmu to 60 %.", "Próg alarmu ustaw na 57 %, było 60.", "Próg alarmu wynosi {} %.", 60, 57),
    ("Порог насоса 60 %.", "Порог насоса теперь 57 %, было 60.", "Порог насоса {} %.", 60, 57),
]


def accused(rows, body):
    """What a handoff is accused of, as values."""
    told = compacted(rows, body=body).measured().deviations
    return {one.value for one in told if one.grade is not Grade.NOT_VERBATIM}


@pytest.mark.parametrize(("before", "after", "line", "old", "new"), MOVED)
def test_the_former_value_is_accused(before, after, line, old, new):
    rows = (assistant(before), user(after), assistant("Done."))
    assert accused(rows, line.format(old))
    assert accused(rows, line.format(new)) == set()


def test_in_other_words_it_is_a_note():
    rows = (
        assistant("Der Kessel meldet ab 71 Grad."),
        user("Den Kessel auf 76 Grad stellen, er stand auf 71."),
        assistant("Erledigt."),
    )
    told = compacted(rows, body="Der Kessel meldet ab 71 Grad.").measured().deviations
    assert {one.grade for one in told} == {Grade.NOT_VERBATIM}
    assert compacted(rows, body="Der Kessel meldet ab 76 Grad.").measured().deviations == ()


def test_a_line_of_a_tool_with_an_arrow_says_what_changed():
    rows = (assistant("Setting it."), tool("c1", "hoist H7 warning: 39 -> 38 t"))
    assert accused(rows, "The warning of hoist H7 is 39 t.")
    assert accused(rows, "The warning of hoist H7 is 38 t.") == set()
    assert accused(rows, "The warning of hoist H7 went from 39 to 38 t.") == set()


def test_a_number_that_another_word_has_is_not_moved():
    rows = (user("Plan the move of the search from Elastic 7.17 to Postgres 16."), assistant("Planned."))
    assert accused(rows, "Moving the search off Elastic 7.17.") == set()


def test_what_was_put_in_its_place_since_is_no_finding():
    rows = (
        assistant("", call("terminal", command="cat relay.conf")),
        tool("c1", "relay_delay = 45s"),
        assistant("relay_delay is 45s."),
        user("Set that to 20s."),
        assistant("Done."),
    )
    assert accused(rows, "- `relay_delay` = 20s") == set()
    told = compacted(rows, body="- `relay_delay` = 54s").measured().deviations
    assert any(one.grade is Grade.CONTRADICTS for one in told)


def test_a_sum_or_a_difference_of_one_sentence_is_worked_out():
    rows = (
        assistant("Missing: 42 copies of the atlas, 29 of the guide. The firms ask 1.340 euros and 1.125."),
    )
    assert accused(rows, "71 copies are missing. The offers differ by 215 euros.") == set()


def test_a_number_that_stands_beside_the_newer_one_was_not_replaced():
    rows = [
        user("How damp is the screed?"),
        assistant("", call("terminal", command="python probe.py --floor 2")),
        tool("c1", "floor 2: damp 5.1 % (limit 4.0 %) -> tiling REFUSED"),
        assistant("5.1 % on floor 2, above the limit of 4 %: the tiling is refused."),
    ]
    assert not accused(rows, "The tiling on floor 2 is refused.")


def test_a_thing_with_a_number_that_failed_something_is_no_count_of_tests():
    rows = [
        assistant("", call("terminal", command="ship logs")),
        tool("c1", "发送 470 条，失败 6 条"),
        user("2号窑没通过上釉检测，写一份维修申请。"),
    ]
    assert not accused(rows, "Kiln 2 failed the glaze test; the user wants a repair request for it.")


def test_two_days_of_one_month_are_not_one_thing_for_that():
    rows = (
        user("Il catering: mia madre preferisce Forni Lucani, Oreste preferisce Ponte. Prenota le prove."),
        assistant("Forni Lucani conferma il 12 novembre alle 12:30, in via del Pozzo 7."),
        user("Prepara la risposta al fotografo."),
        assistant("La bozza è pronta. Acconto 500 euro entro il 20 novembre, foto entro 90 giorni."),
    )
    body = "- Catering: si decide dopo. Forni Lucani il 12 novembre alle 12:30; Ponte aspetta"
    told = compacted(rows, body=body).measured().deviations
    assert [one for one in told if one.grade is not Grade.NOT_VERBATIM] == []
