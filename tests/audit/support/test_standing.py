"""The figures of a sentence are held against those of others only where there are not too many."""

import pytest

from hermes_sessions.audit.alignment.align import align
from hermes_sessions.audit.checking.passages import read_passages
from hermes_sessions.audit.relations.statements import read_transcript
from hermes_sessions.audit.support import other_figures, standing
from hermes_sessions.audit.support.standing import Standings
from tests.audit.builders import assistant, compacted, user
from tests.audit.support.test_other_figures import MILL, SURE, told

TALK = (user("The north gate opens at 7 and takes 412 boats."), assistant("The south gate takes 365 boats."))


@pytest.mark.parametrize(("count", "is_held"), [(2, True), (4, True), (5, False)])
def test_a_sentence_of_very_many_figures_is_left_alone(monkeypatch, count, is_held):
    monkeypatch.setattr(standing, "MOST_FIGURES", 4)
    said = ", ".join(f"{300 + at}" for at in range(count - 1))
    case = compacted(TALK, body=f"The north gate takes 412 boats, {said}.").measured().case
    aligned = align(case, read_passages(case.body), read_transcript(case))
    standings = Standings(aligned.bindings)
    compared = [one for claim in aligned.claims for one in standings.compare(claim)]
    assert bool(compared) is is_held


def test_of_a_row_of_very_many_figures_the_first_are_read(monkeypatch):
    monkeypatch.setattr(standing, "MOST_FIGURES", 3)
    row = ", ".join(f"north gate {500 + at} boats" for at in range(9))
    case = compacted((user(row), assistant("Noted.")), body="The north gate takes 505 boats.").measured().case
    aligned = align(case, read_passages(case.body), read_transcript(case))
    standings = Standings(aligned.bindings)
    compared = [one for claim in aligned.claims for one in standings.compare(claim)]
    assert {one.figure.value for each in compared for one in (*each.own, *each.rivals())} <= {
        "#500",
        "#501",
        "#502",
    }


def test_of_very_many_figures_of_a_handoff_the_first_are_held(monkeypatch):
    body = f"{SURE[0][0]}\n\n{SURE[1][0]}"
    assert {source for _, _, source in told(body, *MILL)} == {"pump-west-3", "14 May"}
    monkeypatch.setattr(other_figures, "MOST_HELD", 1)
    assert {source for _, _, source in told(body, *MILL)} == {"pump-west-3"}
