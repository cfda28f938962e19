"""Notes that need one look at the source each."""

import pytest

from tests.audit.builders import assistant, call, compacted, tool, user


def rules_of(talk, body):
    return {one.rule for one in compacted(talk, body=body).measured().deviations}


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("Primers are used at 300 µM.", True),
        ("Primers are used at 300 nM.", False),
        ("Primers are used at 300 nM, the dye at 300 µM.", False),
        ("Nordlys owes €48,200.", True),
        ("Nordlys owes NOK 48,200.", False),
        ("The sleep timeout is 1200000 s.", True),
    ],
)
def test_the_number_of_another_unit_is_noted(body, noted):
    talk = (
        user("Primers at 300 nM. Nordlys owes NOK 48,200."),
        assistant("Noted; the sleep timeout is 1200000 ms."),
    )
    assert ({"other-measure", "other-unit", "other-scale"} & rules_of(talk, body) != set()) is noted


RUNS = (
    user("Fix the export and run the tests."),
    assistant("", call("pytest")),
    tool("c1", "FAILED test_clean.py::test_no_id\n1 failed, 5 passed in 1.12s"),
    assistant("I drop the column.", call("pytest", "c2")),
    tool("c2", "......\n6 passed in 1.08s"),
)


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("After the fix the tests ended with 5 passed and one failure.", True),
        ("Nach der Korrektur sind 5 Tests bestanden, einer fehlgeschlagen.", True),
        ("After the fix the tests ended with 6 passed.", False),
        ("In the first run 5 tests passed and one failed.", False),
        ("Of the tests 5 passed at first; now 6 passed.", False),
    ],
)
def test_the_result_of_an_earlier_run_is_noted(body, noted):
    assert ("earlier-run" in rules_of(RUNS, body)) is noted


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("The workers are reached through 9000.", True),
        ("The workers are reached through 9074.", False),
        ("The pool listens on port 9074, not on 9000.", False),
        ("The pool does not listen on port 9000.", False),
    ],
)
def test_a_value_that_was_only_set_aside_is_noted(body, noted):
    talk = (user("Deploy it. The pool listens on 9074 there, not 9000."), assistant("I look at the pool."))
    assert ("set-aside" in rules_of(talk, body)) is noted


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("The threshold is chosen for a recall of 70 %.", True),
        ("The threshold is chosen for a recall of 60 %.", False),
        ("The threshold was formerly chosen for a recall of 70 %.", False),
    ],
)
def test_a_measure_that_the_user_gave_another_number_later_is_noted(body, noted):
    talk = (
        user("Choose the threshold so that the recall is 70%."),
        assistant("At 70 % recall the precision is 26.6 %."),
        user("Marketing calls less, so recall 60."),
        assistant("Then the precision is 22.9 % at 60 %."),
    )
    assert ("given-later" in rules_of(talk, body)) is noted


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("A 4x4 is needed for the trip.", True),
        ("No 4x4 is needed for the trip.", False),
        ("An estate is needed for the trip.", False),
    ],
)
def test_a_yes_where_the_answer_was_no_is_noted(body, noted):
    talk = (
        user("Now the car: do we need a 4x4 for the trip?"),
        assistant("Not for the ring road in June. A normal estate does it."),
    )
    assert ("answered" in rules_of(talk, body)) is noted


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("The reload of the standby is done.", True),
        ("Der Standby ist bereits neu geladen, der reload erledigt.", True),
        ("The reload of the standby is still open.", False),
        ("The user asked that the reload of the standby is done.", False),
        ("Lag was measured.", False),
    ],
)
def test_what_was_asked_for_last_and_is_reported_as_done_is_noted(body, noted):
    talk = (
        user("Measure the lag."),
        assistant("The lag is measured: 97 MB."),
        user("Then reload the standby, and write to Tomasz."),
    )
    assert ("asked-last" in rules_of(talk, body)) is noted


def test_what_was_done_after_it_was_asked_for_is_not_noted():
    talk = (
        user("Then reload the standby, and write to Tomasz."),
        assistant("", call("ssh", command="systemctl reload standby")),
        tool("c1", "standby: reload ok"),
    )
    assert "asked-last" not in rules_of(talk, "The reload of the standby is done.")


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("Even without Wouter's approval the debit file may be sent to the bank.", True),
        ("Auch ohne Freigabe von Wouter darf die debit file zur bank.", True),
        ("Without Wouter's approval no debit file may be sent to the bank.", False),
    ],
)
def test_leave_without_what_it_depends_on_is_noted(body, noted):
    talk = (user("No debit file goes to the bank before Wouter has approved it."), assistant("Understood."))
    assert ("leave" in rules_of(talk, body)) is noted


def test_they_are_notes_and_no_warnings():
    measured = compacted(RUNS, body="After the fix the tests ended with 5 passed and one failure.").measured()
    found = [one for one in measured.deviations if one.rule == "earlier-run"]
    assert {one.grade for one in found} == {"not_verbatim"}
    assert found[0].source_line.startswith("6 passed")


def test_a_refusal_that_is_told_is_not_answered_otherwise():
    offer, answer = "Zal ik een bredere sluisdeur aanvragen?", "Nee, in mei komt er een nieuwe sluis."
    talk = (user("Kijk naar de sluis."), assistant(offer), user(answer))
    assert "answered" not in rules_of(talk, "Een bredere sluisdeur is afgewezen.")


@pytest.mark.parametrize(
    ("said", "body", "noted"),
    [
        ("Die Orgel niemals mit dem Lift fahren.", "Die Orgel darf mit dem Lift gefahren werden.", True),
        ("Die Orgel niemals mit dem Lift fahren.", "Die Orgel darf nicht mit dem Lift fahren.", False),
        ("Die Orgel darf mit dem Lift fahren.", "Die Orgel darf mit dem Lift gefahren werden.", False),
        ("Nunca usar DROPTEMP en el espejo.", "Se puede usar DROPTEMP en el espejo.", True),
        ("No guest on the bridge, said Wanda.", "Guests on the bridge are allowed.", True),
        ("Guests may come on the bridge, said Wanda.", "Guests on the bridge are allowed.", False),
    ],
)
def test_leave_for_what_was_barred_is_noted(said, body, noted):
    talk = (user(f"Two things before we sail. {said}"), assistant("Written down, the rest is up to you."))
    found = compacted(talk, body=body).measured().deviations
    assert bool([one for one in found if one.kind == "negation"]) is noted
