"""A number with another unit of time than its source."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, compacted, user


def wrong(said, body):
    rows = (user(said), assistant("OK."))
    found = compacted(rows, body=body).measured().deviations
    return {(one.rule, one.value) for one in found if one.grade is not Grade.NOT_VERBATIM}


@pytest.mark.parametrize(
    ("said", "right", "altered", "value"),
    [
        ("Kurs trwa 4 godziny.", "Kurs trwa 4 godziny.", "Kurs trwa 4 dni.", "4 dni"),
        (
            "De proef duurt 6 weken.",
            "De proef loopt 6 weken lang.",
            "De proef loopt 6 dagen lang.",
            "6 dagen",
        ),
        ("The trial lasts 6 weeks.", "The trial takes 42 days.", "The trial takes 6 days.", "6 days"),
        ("Il corso dura 5 ore.", "Il corso dura 5 ore.", "Il corso dura 5 giorni.", "5 giorni"),
        ("Kursen tar 3 timmar.", "Kursen tar 3 timmar.", "Kursen tar 3 veckor.", "3 veckor"),
        ("试用期为6周。", "试用期为6周。", "试用期为6天。", "6天"),
    ],
)
def test_another_unit_of_time_is_warned_of(said, right, altered, value):
    assert wrong(said, right) == set()
    assert value in {one for _, one in wrong(said, altered)}


def test_a_length_of_something_else_is_no_such_unit():
    said = "The lid of the barrel dries for 3 days."
    assert wrong(said, "Between the two fairs lie 3 weeks.") == set()
