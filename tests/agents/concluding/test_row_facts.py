import pytest

from hermes_sessions.agents.concluding.row_facts import read_call_ids, row_facts
from hermes_sessions.agents.values import MessageRow
from hermes_sessions.handoff.grammars.hermes import GRAMMAR
from hermes_sessions.messages import MessageState


def a_row(text=None, role="user", **changes):
    return MessageRow(
        ref=1, origin_key="1", origin_row_id=1, role=role, state=MessageState.LIVE, created_at=None, digest=0,
        token_count=None, tool_call_id=None, tool_name=None, finish_reason=None, text=text,
        blocks=None, tool_calls=None, reasoning=None, extra=None,
    )._replace(**changes)  # fmt: skip


def facts(row, *, flagged=False):
    return row_facts(row, row.text, read_call_ids(row.tool_calls), flagged=flagged, grammar=GRAMMAR)


@pytest.mark.parametrize(
    ("written", "ids"),
    [
        pytest.param('[{"id": "a"}, {"call_id": "b", "id": "x"}]', ("a", "b"), id="the call's own id first"),
        pytest.param('{"id": 7}', ("7",), id="one call that is not in a list"),
        pytest.param('[{"name": "ls"}, "text"]', (), id="no ids"),
        pytest.param("[{", (), id="not valid"),
        pytest.param(None, (), id="no calls"),
    ],
)
def test_calls_are_known_by_their_ids(written, ids):
    assert read_call_ids(written) == ids


def test_a_handoff_is_a_carrier_only_where_a_person_or_an_agent_says_it():
    text = "[CONTEXT SUMMARY]: Goal: ship."
    carriers = [facts(a_row(text, role)).carrier for role in ("user", "assistant", "tool")]
    assert carriers == [(text, GRAMMAR), (text, GRAMMAR), None]


def test_a_row_that_its_agent_marked_is_a_carrier_whatever_it_says():
    assert facts(a_row("Notes."), flagged=True).carrier == ("Notes.", GRAMMAR)
    assert facts(a_row("Notes.")).carrier is None


def test_rows_with_the_same_text_and_calls_have_the_same_keys():
    one, other = a_row("go", tool_calls='[{"id": "a"}]'), a_row("go", ref=9)
    assert facts(one).text_key == facts(other).text_key
    assert facts(one).calls_key != facts(other).calls_key == 0
