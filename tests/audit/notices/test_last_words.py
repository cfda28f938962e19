"""What the talk last spoke of as open is not done; ends and units in Japanese; `none before`."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, compacted, user

HARBOUR = (
    user("Paint the crane and order the chain. Jonna signs the order, I may not."),
    assistant("The crane is painted. The order of the chain waits for Jonna."),
    user("Don't publish the tide table before the 4th."),
    assistant("The tide table is not published."),
)
POOL = (
    user("接続が遅いので調べてください。"),
    assistant("接続の上限が40から10に下がっていました。中央値は120ミリ秒です。"),
)
MAILS = (
    user("E não mandem e-mail para os clientes antes do dia 28."),
    assistant("Certo, nada antes do dia 28."),
)


def found(body, *rows):
    told = compacted(rows, body=body).measured().deviations
    return {(one.grade is not Grade.NOT_VERBATIM, one.rule, one.value) for one in told}


@pytest.mark.parametrize(
    ("altered", "faithful"),
    [
        ("The order of the chain was signed by Jonna.", "The order of the chain waits for Jonna."),
        ("The tide table was published.", "The tide table is not published."),
    ],
)
def test_what_was_open_last_is_noted_as_done(altered, faithful):
    assert found(altered, *HARBOUR) - found(faithful, *HARBOUR)
    assert not any(rule == "left-open" for _, rule, _ in found(faithful, *HARBOUR))


def test_what_is_reported_as_done_is_not():
    assert not any(rule == "left-open" for _, rule, _ in found("The crane is painted.", *HARBOUR))


@pytest.mark.parametrize(
    ("altered", "faithful"),
    [
        ("接続の上限が10から40に上がりました。", "接続の上限が40から10に下がりました。"),
        ("中央値は120秒です。", "中央値は120ミリ秒です。"),
    ],
)
def test_ends_and_units_are_read_in_japanese(altered, faithful):
    assert any(is_sure for is_sure, _, _ in found(altered, *POOL))
    assert not any(is_sure for is_sure, _, _ in found(faithful, *POOL))


def test_none_before_is_not_before():
    body = "Nenhum e-mail aos clientes antes do dia 28."
    assert not any(is_sure for is_sure, _, _ in found(body, *MAILS))


@pytest.mark.parametrize("empty", ["None.", "(none)", "Keine", "Ninguna.", "无", "なし"])
def test_a_heading_with_nothing_below_it_is_no_value(empty):
    body = f"The crane is painted.\n\n## Historical Pending User Asks\n{empty}"
    assert not found(body, *HARBOUR)


def test_tags_are_the_form_of_a_handoff():
    body = "<state_snapshot>\n<overall_goal>The crane is painted.</overall_goal>\n</state_snapshot>"
    assert not [value for _, _, value in found(body, *HARBOUR) if "goal" in value or "state" in value]
