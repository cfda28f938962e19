"""Values behind the name of a setting, and counts that the user gave anew."""

import pytest

from hermes_sessions.audit.alignment.align import align
from hermes_sessions.audit.checking.passages import read_passages
from hermes_sessions.audit.relations.statements import read_transcript
from hermes_sessions.audit.spot_checks.checks import spot_checks
from tests.audit.builders import assistant, call, compacted, tool, user


def rules_of(talk, body):
    """Return the rules of the spot checks alone: others may notice the same."""
    case = compacted(talk, body=body).conversation().compactions[0].judged
    passages, told = read_passages(case.body), read_transcript(case)
    texts = [(row.id, row.text.replace("\\n", "\n")) for row in case.before]
    texts += [(row.id, each.arguments.replace("\\n", "\n")) for row in case.before for each in row.calls]
    aligned = align(case, passages, told)
    return {one.rule for one in spot_checks(aligned, told, case.before, texts)}


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
    assert ("other-setting" in rules_of(TALK, body)) is noted


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
    assert ("given-later" in rules_of(TALK, body)) is noted
