"""What a value may mean though it is another one: rounded, without its last parts, a day worked out."""

import pytest

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.checking.sentences import Phrase, Spoken, changed_counts
from hermes_sessions.audit.notices.certainty import decided
from hermes_sessions.audit.notices.other_readings import is_converted, is_part_of, is_rounded, may_mean
from hermes_sessions.audit.relations.statements import ToldSentences
from hermes_sessions.audit.words.telling import telling_words


@pytest.mark.parametrize(
    ("value", "source", "rounded"),
    [
        ("2,400 rows", "2,413 rows", True),
        ("1.8 s", "1.84 s", True),
        ("€60", "€61", True),
        ("2,410 rows", "2,413 rows", True),
        ("2,431 rows", "2,413 rows", False),
        ("186", "190", False),
        ("10 %", "20 %", False),
        ("28 mm", "38 mm", False),
        ("14 days", "40 days", False),
    ],
)
def test_a_rounder_number_may_be_the_exact_one(value, source, rounded):
    assert is_rounded(value, source) is rounded


@pytest.mark.parametrize(
    ("value", "source", "part"),
    [
        ("4.7.x", "4.7.2", True),
        ("v18", "18.19.1", True),
        ("9.2.0.1", "9.2", True),
        ("4.7.2", "4.8.2", False),
        ("1.1", "1.10", False),
    ],
)
def test_a_version_may_leave_its_last_parts_out(value, source, part):
    assert is_part_of(value, source) is part


def told_of(kind, value, source, line, source_line, rule="only-value"):
    return Deviation(Grade.CONTRADICTS, kind, value, line, rule, source, source_line, 3)


SAME = "The insurer answers by {} at the latest, says the broker."


@pytest.mark.parametrize(
    ("value", "source", "line", "certain"),
    [
        pytest.param("9 May", "3 May", SAME, True, id="the same month"),
        pytest.param("9 May", "30 November", SAME, False, id="neither day nor month"),
        pytest.param("9 May", "3 May", SAME[:-1] + ", six days on.", False, id="a length of time beside"),
        pytest.param("13 May", "31 May", SAME[:-1] + ", six days on.", True, id="figures exchanged"),
    ],
)
def test_a_day_may_be_worked_out(value, source, line, certain):
    one = told_of("date", value, source, line.format(value), SAME.format(source))
    assert (decided(one, ToldSentences(), ()).grade is Grade.CONTRADICTS) is certain


def test_numbers_of_other_things_were_never_each_other():
    one = told_of("number", "6", "13", "Vera has 6 rooms.", "Vera works 13 days.", "same-sentence")
    assert may_mean(one)
    assert not may_mean(one._replace(line="Vera works 6 days."))


@pytest.mark.parametrize(
    ("body", "altered"),
    [
        ("The cottage by the lake is ours 9–14 August.", ()),
        ("The cottage by the lake is ours, Aug 9-14.", ()),
        ("The cottage by the lake sleeps 14.", ("14",)),
    ],
)
def test_days_of_a_month_count_nothing(body, altered):
    phrases = [Phrase(body, telling_words(body), Mode.STATED)]
    said = "The cottage by the lake costs us 0 extra."
    spoken = [Spoken(said, telling_words(said), 2, "assistant")]
    found = changed_counts(phrases, spoken, body, lambda value, other, line: False)
    assert tuple(one.value for one in found) == altered


@pytest.mark.parametrize(
    ("value", "source", "is_one"),
    [
        ("68 °F", "20 degrees", True),
        ("180 °C", "356 °F", True),
        ("3.1 miles", "5 km", True),
        ("11 lb", "5 kg", True),
        ("72 °F", "20 degrees", False),
        ("68 °F", "68 °C", False),
        ("5 miles", "5 km", False),
        ("20 °C", "20 km", False),
    ],
)
def test_a_measure_is_one_in_other_units(value: str, source: str, is_one: bool) -> None:
    assert is_converted(value, source) is is_one
