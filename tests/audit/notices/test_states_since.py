"""The last word about a thing decides how it stands."""

import pytest

from tests.audit.builders import assistant, compacted, user

LOCK = (
    user("Paint the lock gate and oil the winch, please."),
    assistant("The lock gate is painted. The winch is not oiled yet."),
    user("And the sluice?"),
    assistant("The winch waits for the oil."),
)


def rules(body, rows):
    return {one.rule for one in compacted(rows, body=body).measured().deviations}


@pytest.mark.parametrize(
    ("rows", "faithful", "altered"),
    [
        (LOCK, "The winch still has to be oiled.", "The winch is oiled."),
        (LOCK, "## Open\n- oil the winch", "## Done\n- oil the winch"),
    ],
)
def test_the_other_state_is_noted(rows, faithful, altered):
    assert rules(altered, rows) - rules(faithful, rows)
    assert "left-open" not in rules(faithful, rows)


def test_an_order_that_was_carried_out_is_no_open_work():
    assert "left-open" not in rules("The lock gate is painted.", LOCK)
