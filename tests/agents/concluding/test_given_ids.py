import itertools

import pytest

from hermes_sessions.agents.concluding.given_ids import GivenIds
from hermes_sessions.agents.concluding.handoff_rows import carrier_verdict
from hermes_sessions.agents.concluding.parent_alignment import head_length
from hermes_sessions.handoff import render_handoff
from tests.agents.concluding.test_alignment import fact, result

KEYS = itertools.count(1)


def turn(calls):
    """Return a request and calls whose ids are counted from 0."""
    steps = [
        (
            fact("", "assistant", calls_key=next(KEYS), call_ids=(f"call_{at}",)),
            result(str(next(KEYS)), f"call_{at}"),
        )
        for at in range(calls)
    ]
    return [fact("go on"), *itertools.chain.from_iterable(steps)]


def call(arguments, *ids, **changes):
    return fact("", "assistant", calls_key=hash(arguments), call_ids=ids, **changes)


BUILT = result("built", "1", created_at=1.0)
FAILED = result("failed", "1", created_at=2.0)
READ = call("read a", "1", created_at=1.0)
READ_NEXT = call("read b", "1", created_at=2.0)


@pytest.mark.parametrize(
    ("given", "old", "new", "expected"),
    [
        pytest.param([BUILT], BUILT, result("b", "1"), True, id="a result of the one call"),
        pytest.param([BUILT, FAILED], BUILT, result("b", "1"), False, id="a result of one of two calls"),
        pytest.param([BUILT, FAILED], BUILT, result("built", "1"), True, id="to the letter"),
        pytest.param([BUILT, FAILED], BUILT, result("b", "1", pruned=True), True, id="marked as pruned"),
        pytest.param([BUILT, FAILED], BUILT, result("b", "1", created_at=1.0), True, id="of its time"),
        pytest.param([BUILT, FAILED], BUILT, result("b", "1", created_at=2.0), False, id="of another time"),
        pytest.param([BUILT, BUILT._replace(id=99)], BUILT, result("b", "1"), True, id="written twice"),
        pytest.param(
            [BUILT, BUILT._replace(created_at=3.0)], BUILT, result("b", "1"), False, id="the same one later"
        ),
        pytest.param(
            [BUILT, FAILED._replace(created_at=1.0)],
            BUILT,
            result("b", "1", created_at=1.0),
            False,
            id="two results of one time",
        ),
        pytest.param([READ], READ, call("read", "1"), True, id="arguments that were cut"),
        pytest.param([READ, READ_NEXT], READ, call("read", "1"), False, id="one of two calls"),
        pytest.param([READ, READ_NEXT], READ, call("read a", "1"), True, id="arguments that agree"),
        pytest.param([READ, BUILT], READ, call("read", "1"), True, id="a call and its result"),
        pytest.param(
            [call("two", "1", "2"), call("next", "2")], call("two", "1", "2"), call("one", "1"), True,
            id="a call that may be missing",
        ),
        pytest.param(
            [call("two", "1", "2"), call("next", "2")], call("two", "1", "2"), call("one", "2"), False,
            id="a call whose id another has",
        ),
        pytest.param([BUILT], BUILT, result("built", "2"), False, id="another id"),
    ],
)  # fmt: skip
def test_an_id_is_proof_where_it_was_given_once(given, old, new, expected):
    assert GivenIds(given).same(old, new) is expected


def test_a_short_turn_before_a_handoff_is_no_head_where_long_ones_counted_their_calls_anew():
    rows = [*turn(40), *turn(40), *turn(5), fact("H", carrier="[CONTEXT SUMMARY]: x")]
    assert head_length(rows, 0, len(rows) - 1) == 0


def test_a_head_whose_results_were_cut_is_one_where_ids_are_given_once():
    old = turn(40)
    head = [row._replace(text_key=1, created_at=9.0) if row.role == "tool" else row for row in old[:11]]
    rows = [*old, *head, fact("H", carrier="[CONTEXT SUMMARY]: x")]
    assert head_length(rows, 0, len(rows) - 1) == 11


@pytest.mark.parametrize(("others", "repeated"), [([], 0), ([READ], None)])
def test_a_reply_that_shares_the_handoffs_row_is_known_by_the_id_of_its_call_where_it_was_given_once(
    others, repeated
):
    old = call("read b", "1", created_at=2.0)._replace(text_key=hash("Done."), length=5)
    text = f"{render_handoff('Summary.')}\n\nDone."
    merged = fact(text, "assistant", carrier=text, calls_key=hash("cut"), call_ids=("1",))
    assert carrier_verdict(merged, [old, *others], None)[1] == repeated
