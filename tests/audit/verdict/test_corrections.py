"""Corrections name the thing and the value in force, and contradict nothing else in the block."""

import pytest

from tests.audit.builders import assistant, call, tool, user
from tests.audit.verdict.test_verdict import SECRET, verdict

POOL = [
    user("The connection pool is too small."),
    assistant("", call("read_file", path="app.env")),
    tool("c1", "1|DB_POOL=12\n2|DB_HOST=pg1.internal\n"),
    user("Set DB_POOL to 20."),
    assistant("", call("write_file", "c2", path="app.env", content="DB_POOL=20\nDB_HOST=pg1.internal\n")),
    tool("c2"),
    assistant("DB_POOL is 20 now."),
    user("Go on."),
    assistant("On it."),
]


def corrections(found):
    return [line for line in found.tell.splitlines() if "Correction" in line]


def test_a_correction_has_the_newest_value_and_its_name():
    found = verdict("- DB_POOL=200 in app.env, host pg1.internal.", POOL, keep=[7, 8])
    assert corrections(found) == ["- Correction: DB_POOL: not “200” but “20”, in message 5"]


def test_what_a_correction_says_is_not_said_again_as_lost():
    found = verdict("- DB_POOL=200 in app.env, host pg1.internal.", POOL, keep=[7, 8])
    assert "Setting 20" not in found.tell


def test_the_value_in_force_is_no_mistake():
    found = verdict("- DB_POOL=20 in app.env, host pg1.internal.", POOL, keep=[7, 8])
    assert (found.contradicted, corrections(found)) == ((), [])


def test_a_value_without_a_key_is_corrected_with_the_words_around_it():
    talk = [
        user("Run the tests."),
        tool("c1", "3 failed, 38 passed in 2.1s"),
        assistant("3 tests failed."),
        user("On."),
    ]
    [line] = corrections(verdict("The tests ran: 8 tests failed, 38 passed.", talk, keep=[3]))
    assert "tests failed" in line
    assert line.index("tests failed") < line.index("not “")


def test_the_sentence_counts_what_is_corrected():
    found = verdict("- DB_POOL=20 in app.env, host pg1.internal.", POOL, keep=[7, 8])
    assert "wrong" not in found.sentence


@pytest.mark.parametrize(
    "talk",
    [
        [user(f"The deploy token is {SECRET}, port 8123."), assistant("Noted."), user("Go on")],
        [user(f"{'word ' * 78}{SECRET} on port 8123."), assistant("Noted."), user("Go on")],
        [user("The admin password is Zx81-kobalt-47. Port 8123."), assistant("Noted."), user("Go on")],
    ],
)
def test_no_quotation_shows_a_secret(talk):
    shown = repr(verdict("Port 8132 is used.", talk, keep=[2]))
    assert SECRET[:12] not in shown
    assert "kobalt" not in shown
