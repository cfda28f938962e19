"""A number of the handoff that is more exact than the source's is not said there."""

import pytest

from hermes_sessions import extract_facts
from hermes_sessions.audit.sources.loose_values import number_forms
from hermes_sessions.audit.sources.source_index import SourceIndex
from hermes_sessions.audit.sources.written_text import Told
from hermes_sessions.facts.compare import Likeness
from tests.audit.builders import assistant, compacted, user

TALK = (
    user("How did the second kiln do?"),
    assistant(
        "It fired 3 times; the glaze took 1.65 kg, the loss was 0.0007, and the bill says 2,410 crowns."
    ),
)


def noticed(told):
    return {one.value for one in compacted(TALK, body=f"- {told}").measured().deviations}


@pytest.mark.parametrize(
    ("told", "value"),
    [
        ("The bill of the kiln says 2.140.", "2.140"),
        ("The glaze took 2.85 kg.", "2.85 kg"),
        ("The loss was 0.007.", "0.007"),
    ],
)
def test_what_the_source_rounds_at_most_is_noticed(told, value):
    assert any(value in one for one in noticed(told))


@pytest.mark.parametrize(
    "told",
    [
        "The glaze took about 2 kg.",
        "The glaze took 1.7 kg.",
        "The loss was 0.0007.",
        "The bill of the kiln says 2.410.",
        "It fired three times.",
    ],
)
def test_what_it_has_as_exactly_is_not(told):
    assert not noticed(told)


@pytest.mark.parametrize(
    ("value", "is_said"),
    [("1.84", False), ("2", True), ("2.0", True), ("1.8", False), ("0.4", True)],
)
def test_a_rounded_number_says_no_exact_one(value, is_said):
    text = "2 kilns, 0.42 kg lost"
    facts = [Told(one, 1) for one in extract_facts({"role": "assistant", "content": text})]
    found = SourceIndex([(1, text)], facts).says("number", value, more_roughly=False)
    assert (found.likeness is not Likeness.ABSENT) is is_said


def test_no_group_of_thousands_begins_with_a_nought():
    assert number_forms("0.003") == {".003"}
    assert number_forms("0,003") == {".003"}
    assert number_forms("1.048") == {"1048", "1.048"}
