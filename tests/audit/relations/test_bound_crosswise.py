"""Two values, names or sides of a sentence that stand crosswise, and numbers of things that nobody gave."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, compacted, tool, user

ACCUSED = [
    (
        "The kelp crate weighs 34 kg, the rope crate 79 kg.",
        "Kelp weighs 79 kg and rope 34 kg.",
        "Kelp weighs 34 kg and rope 79 kg.",
    ),
    (
        "The buyer pays 3.15 for grade A and 2.40 for grade B.",
        "Grade A brings 2.40, grade B 3.15.",
        "Grade A brings 3.15, grade B 2.40.",
    ),
    ("It is Oriane who signs the lease, not Thibaut.", "Thibaut signs the lease.", "Oriane signs the lease."),
    ("The kiln is kept at 41 °C.", "The kiln is kept at 41 °F.", "The kiln is kept at 41 °C."),
    ("Ящик с углём весит 79 кг.", "Ящик с углём весит 79 т.", "Ящик с углём весит 79 кг."),
    (
        "DNS is done by Solveig, the payments are tested by Anatol.",
        "DNS: Anatol; payments: Solveig.",
        "DNS: Solveig; payments: Anatol.",
    ),
]
NOTED = [
    ("We use Avro, 用Avro代替JSON。", "格式采用JSON而不是Avro。", "格式采用Avro而不是JSON。"),
    ("The slot in Brno is at dock 9.", "The slot in Brno is at dock 6.", "The slot in Brno is at dock 9."),
    ("Row C is kept for the press.", "The press has row G.", "The press has row C."),
]


def told_of(said, body):
    """What is said of a handoff, by its grade."""
    rows = (user(said), assistant("Noted."), tool("c1", "ok"))
    return {(one.grade, one.value, one.source) for one in compacted(rows, body=body).measured().deviations}


@pytest.mark.parametrize(("said", "altered", "faithful"), ACCUSED)
def test_what_stands_crosswise_is_accused(said, altered, faithful):
    assert any(grade is not Grade.NOT_VERBATIM for grade, _, _ in told_of(said, altered))
    assert all(grade is Grade.NOT_VERBATIM for grade, _, _ in told_of(said, faithful))


@pytest.mark.parametrize(("said", "altered", "faithful"), NOTED)
def test_a_thing_with_another_number_or_letter_is_noted(said, altered, faithful):
    assert told_of(said, altered) - told_of(said, faithful)
    assert all(grade is Grade.NOT_VERBATIM for grade, _, _ in told_of(said, faithful))


def test_in_portuguese_no_denies_nothing():
    said = "As vacinas ficam no armário B, os reagentes no armário C."
    assert all(
        grade is Grade.NOT_VERBATIM for grade, _, _ in told_of(said, "Vacinas no armário B e reagentes no C")
    )
