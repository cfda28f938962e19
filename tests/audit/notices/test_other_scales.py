"""Measures whose unit has another prefix than in the source."""

import pytest

from tests.audit.builders import assistant, compacted, user


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("It holds 12 µV.", True),
        ("The pump may draw 45 W.", False),
        ("The coil is 20 μH and holds 12 V.", False),
        ("It holds 12 mV.", True),
    ],
)
def test_another_prefix_of_a_unit_is_noted(body, noted):
    talk = (user("The pump may draw 45 W at 12 V."), assistant("Noted."))
    found = compacted(talk, body=body).measured().deviations
    assert any(one.rule == "other-scale" for one in found) is noted
