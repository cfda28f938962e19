"""No sentence that names a thing is left out before it is read."""

import pytest

from bench.audit_pairs import load_pairs
from hermes_sessions.audit.support.figures import read_figures
from hermes_sessions.audit.support.spellings import may_be_named, spellings_of


@pytest.mark.parametrize("half", ["de", "zh", "ru", "fr", "en", ""])
def test_what_a_sentence_names_may_be_named_in_it(half):
    named = [
        (item, text)
        for case in load_pairs()[:60]
        if half in case.name
        for text in (line for row in case.rows for line in row.text.splitlines()[:20])
        for item in read_figures(text[:300]).places
    ]
    assert named
    assert [one for one in named if not may_be_named(spellings_of([one[0]]), one[1])] == []


@pytest.mark.parametrize(
    ("item", "text", "is_possible"),
    [
        pytest.param("push", "We pushed it", True, id="its own letters"),
        pytest.param("delete", "Wir löschen es", True, id="letters of its concept"),
        pytest.param("satisf", "A satisfação", True, id="accents are left out"),
        pytest.param("push", "We kept it", False, id="other letters"),
        pytest.param("#12", "twelve", True, id="a number is written in many ways"),
    ],
)
def test_letters_tell_whether_a_thing_may_be_named(item, text, is_possible):
    assert may_be_named(spellings_of([item]), text) is is_possible


def test_a_sentence_may_name_one_of_several_things():
    assert may_be_named(spellings_of(["north", "gate"]), "the gate")
