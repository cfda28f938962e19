"""Values behind the name of a setting, and counts that the user gave anew."""

import pytest

from tests.audit.builders import assistant, call, tool, user
from tests.audit.spot_rules import spot_rules_of

TALK = (
    user("The choir app: seat plan for 9 benches, and mind keep_alive."),
    assistant("", call("write", text="keep_alive = 45\nshow_names: False\nplan with 9 benches, 70 robes")),
    tool("c1", "written"),
    user("The choir gets 12 benches in the seat plan."),
    assistant("Changed."),
)


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("In the choir app show_names is True.", True),
        ("In the choir app show_names is False.", False),
        ("In the choir app hide_names is True.", False),
        ("keep_alive is 45.", False),
    ],
)
def test_a_value_that_is_never_near_its_setting_is_noted(body, noted):
    assert ("other-setting" in spot_rules_of(TALK, body)) is noted


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("The seat plan of the choir has 9 benches.", True),
        ("The seat plan of the choir has 12 benches.", False),
        ("The seat plan of the choir has 12 benches, at first 9 benches.", False),
        ("The seat plan of the choir has 70 robes.", False),
    ],
)
def test_a_count_that_the_user_gave_anew_is_noted(body, noted):
    assert ("given-later" in spot_rules_of(TALK, body)) is noted
