"""Of many values those are compared that have something in common."""

import random

import pytest

from hermes_sessions.audit.checking import near_values
from hermes_sessions.audit.checking.contexts import is_misread
from hermes_sessions.audit.sources.written_text import WrittenText
from tests.audit.builders import assistant, compacted, user

NUMBERS = random.Random(4).sample(range(1_000, 9_999), 400)
TABLE = "\n".join(f"| {one} | {other} |" for one, other in zip(NUMBERS[:200], NUMBERS[200:], strict=True))


def test_the_numbers_near_one_are_all_that_are_misread_for_it():
    written = WrittenText([(1, TABLE), (2, "12.5, 1,204 and 402,1")])
    known = [one.strip(",") for one in TABLE.replace("|", " ").split()] + ["12.5", "1,204", "402,1"]
    for asked in ("2.15", "1024", "4021", *(str(one + 10) for one in NUMBERS)):
        near = [one for one in written.numbers_near(asked) if is_misread(asked, one)]
        assert near == [one for one in known if is_misread(asked, one)]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("The gate of the harbour takes 4,812 boats.", "The gate of the harbour takes 4,182 boats."),
        ("The lorry weighs 7316 kg.", "The lorry weighs 7816 kg."),
        ("The build is a3f9c2e81b0d4c7f.", "The build is a3f9c2e81b0d4c7e."),
    ],
)
def test_beyond_the_bound_a_value_still_finds_what_it_was(monkeypatch, said, told):
    talk = (user(f"{TABLE}\n{said}"), assistant("Noted."))
    whole = contradicted(talk, told)
    monkeypatch.setattr(near_values, "MOST_PAIRS", 0)
    assert contradicted(talk, told) == whole != []


def contradicted(talk, told):
    found = compacted(talk, body=told).measured().deviations
    return [(one.value, one.source) for one in found if one.grade == "contradicts"]


def test_what_is_compared_does_not_grow_with_both_tables(monkeypatch):
    compared: list[int] = []
    original = near_values.ComparedPairs.take

    def take(self, pairs):
        is_whole = original(self, pairs)
        compared.append(pairs if is_whole else 0)
        return is_whole

    monkeypatch.setattr(near_values.ComparedPairs, "take", take)
    monkeypatch.setattr(near_values, "MOST_PAIRS", 5_000)
    weights = "\n".join(f"Row {at} weighs {one} kg." for at, one in enumerate(NUMBERS[:200]))
    others = weights.translate(str.maketrans("123456789", "234567891"))
    compacted((user(weights), assistant("Noted.")), body=others).measured()
    assert len(compared) > 100
    assert 0 < sum(compared) <= 5_000
