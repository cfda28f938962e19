"""Values that follow from others are no ground for a warning: ends, rests, sums, days before a day."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, compacted, user


@pytest.mark.parametrize(
    ("asked", "answer", "body", "accused"),
    [
        pytest.param(
            "The tasting begins at 16:30 and lasts an hour. Invite Petra.",
            "Petra is invited to the tasting at 16:30.",
            "Petra is invited; the tasting ends at {}.",
            ("17:30", "16:50"),
            id="an end",
        ),
        pytest.param(
            "The lease ends on 31 January. Notice is three months. Tell the owner in time.",
            "I will tell the owner about the lease.",
            "The owner must be told about the end of the lease by {}.",
            ("31 October", "13 January"),
            id="a day before a day",
        ),
        pytest.param(
            "The archive takes 71 % of the tape, after the cleanup 43 % of it.",
            "Yes, the archive is at 43 % after the cleanup.",
            "After the cleanup the archive leaves {} of the tape free; it was 71 % before.",
            ("57 %", "34 %"),
            id="a rest",
        ),
        pytest.param(
            "We pay 940 euros rent a month and 85 for heating.",
            "Noted: 940 euros rent a month, heating 85.",
            "Rent and heating: {} euros a month.",
            ("1,025", "490"),
            id="a sum",
        ),
    ],
)
def test_what_follows_from_the_source_is_not_accused(asked, answer, body, accused):
    spared, altered = (
        any(one.grade is Grade.CONTRADICTS for one in found.measured().deviations)
        for found in (compacted((user(asked), assistant(answer)), body=body.format(one)) for one in accused)
    )
    assert (spared, altered) == (False, True)


def test_a_day_one_digit_from_another_one_is_a_note():
    talk = (
        user("The logger was wet; mark its values as invalid from 20 November."),
        assistant("Marked. The next reading is on the 22nd."),
    )
    found = compacted(talk, body="The logger was found wet on 22 November.").measured().deviations
    assert all(one.grade is not Grade.CONTRADICTS for one in found)
