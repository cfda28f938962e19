"""What a sentence says of its own, whether it names a thing, and what only tells of a call."""

import pytest

from hermes_sessions.compaction.economy.fact_lines import STATEMENT, FactLine, shown
from hermes_sessions.compaction.economy.lone_lines import lone_lines
from hermes_sessions.compaction.economy.ranking import Overheard, rank
from hermes_sessions.compaction.economy.wording.named_things import names_a_thing
from hermes_sessions.compaction.economy.wording.narrated_calls import without_narration
from hermes_sessions.facts.extract import extract_text_facts
from hermes_sessions.facts.values import Fact

CALL = {"function": {"name": "read_file", "arguments": '{"path": "src/net/retry.py"}'}}


def said(at: int, text: str, speaker: str = "assistant") -> FactLine:
    return FactLine(STATEMENT, speaker, text, at=at)


def scores(*lines: FactLine) -> dict[str, float]:
    heard = Overheard([(line.at, line.speaker, line.text) for line in lines])
    return {line.text: score for line, score in rank((), [[line] for line in lines], heard).scored}


def test_what_is_said_once_is_worth_more_than_what_is_said_of_every_file() -> None:
    talk = [said(at, f"The loop in mod{at}.py reads fine, we left the helper alone.") for at in range(3)]
    news = said(3, "We learnt that the harvest barge was sold in autumn.")
    found = scores(*talk, news)
    assert all(found[news.text] > found[line.text] + 1 for line in talk)


def test_what_explains_as_a_manual_does_is_worth_less_than_what_happened() -> None:
    manual = said(0, "The value is stored as the nearest representable quantity.")
    event = said(1, "The value was lost when the nearest relay lost power.")
    found = scores(manual, event)
    assert found[event.text] > found[manual.text] + 2


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Restart tide-mapper tonight.", True),
        ("cove_worker6 has 3 replicas.", True),
        ("`ledger-api` listens elsewhere.", True),
        ("The long-running part is in-place and well-known.", False),
        ("In `read_all` the buffer is kept.", False),
        ("See src/net_pool.py for it.", False),
    ],
)
def test_names_of_the_work_are_told_from_words_and_code(text: str, named: bool) -> None:
    assert names_a_thing(text) is named


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Opening retry.py to see how the loop ends.", False),
        ("I restarted net-proxy because retry.py had cached its address.", True),
        ("There are 14 callers of retry.py.", True),
        ("The barge leaves at dawn.", True),
    ],
)
def test_what_only_tells_of_the_call_beside_it_is_left_out(text: str, kept: bool) -> None:
    fact = Fact(STATEMENT, "", text, text, "assistant", 5.0, (0, len(text)))
    found = extract_text_facts(text, "assistant")
    left = without_narration((fact, *found), [CALL])
    assert any(text.rstrip(".") in shown(one) for one in left) is kept


def test_a_line_of_wrapped_prose_does_not_stand_out_among_rows() -> None:
    rows = [f"row-{number} = {number}" for number in range(12)]
    wrapped = [
        "the harbour master keeps a list of all",
        "boats that are moored over the winter,",
        "sorted by length",
    ]
    odd = "harvest-barge moved to berth 7"
    found = [text for _, text in lone_lines("\n".join((*rows[:6], *wrapped, *rows[6:], odd)))]
    assert odd in found
    assert not set(wrapped) & set(found)
