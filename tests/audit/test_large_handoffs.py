"""A handoff of one sign, said many thousand times, is read in a moment: no step is made for every two."""

import signal
from collections.abc import Iterator

import pytest

from hermes_sessions.audit.exchanges.opposites import swapped_ends
from hermes_sessions.audit.words.telling import WORD
from hermes_sessions.facts.polarity import content_words
from hermes_sessions.handoff import MOST_OF_PREFIX, OWN_PREFIX, SHORT_PREFIX, eras_from
from tests.audit.builders import assistant, compacted, findings, user

SIGNS = 40_000
SECONDS = 12
TALK = (user("Set the port of the gateway to 8123."), assistant("The port of the gateway is 8123."))


@pytest.fixture
def alarm() -> Iterator[None]:
    """End what takes far too long, in seconds of the processor."""
    signal.signal(signal.SIGPROF, _give_up)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)


def _give_up(*_: object) -> None:
    raise AssertionError(f"more than {SECONDS} s of the processor")


@pytest.mark.parametrize(
    "part", [".", "\n", "\r\n", "٣", "## Goal\n", "-> ", f"{SHORT_PREFIX}\n", "a_1 -> b_2 ", " ", "\t"]
)
def test_a_handoff_of_one_sign_is_read_in_a_moment(part, alarm):
    body = f"x\n{part * (SIGNS // len(part))}y\n\nThe port of the gateway is 8132."
    told = compacted(TALK, body=body)
    assert any("8132" in one.value for one in told.measured().deviations)
    assert findings(told)


@pytest.mark.parametrize(
    "value",
    ["src/g_{0}/app.py", "gate-{0}.example.com", "gate_{0}", "v1.{0}.4", "{0}-08-14", "14:{0}", "{0} boxes"],
)
def test_thousands_of_values_that_nobody_said_are_read_in_a_moment(value, alarm):
    body = "\n".join(f"- The gateway keeps {value.format(number)}." for number in range(1000, 3000))
    told = compacted(TALK, body=f"The port of the gateway is 8132.\n{body}")
    assert any("8132" in one.value for one in told.measured().deviations)


def test_a_word_turned_round_is_shown_with_what_is_near_it(alarm):
    talk = (TALK[0], assistant("a. " * SIGNS + "The move of the gateway is complete."))
    (found,) = compacted(talk, body="- The move of the gateway is incomplete.").measured().deviations
    assert found.source_line == "The move of the gateway is complete."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Keep src/app.py, please...", ["Keep", "src/app.py", "please"]),
        ("see ./run.sh: done. ...and", ["see", "./run.sh", "done", "...and"]),
        ("...", []),
        ("a..b. 、c", ["a..b", "、", "c"]),
    ],
)
def test_words_end_before_their_last_signs(text, words):
    assert WORD.findall(text) == words


def test_the_words_of_a_sentence_are_found_behind_signs():
    assert content_words("....... gateway ....") == {"gateway"}


def test_a_name_in_a_change_is_read_from_its_beginning():
    told = [(1, "The user moved the port from old_gateway to new_gateway.")]
    found = list(swapped_ends("moved from new_gateway to old_gateway", told))
    assert [one.source for one in found] == ["from old_gateway to new_gateway"]


def test_eras_are_read_for_a_whole_chain_at_once():
    chain = f"x\n{OWN_PREFIX}\n{SHORT_PREFIX} Notes."
    assert eras_from(chain, 2) == {2: "own", 3 + len(OWN_PREFIX): "own"}
    assert len(OWN_PREFIX) <= MOST_OF_PREFIX
