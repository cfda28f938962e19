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
