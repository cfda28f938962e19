import itertools

import pytest

from hermes_sessions.agents.concluding.alignment import join
from hermes_sessions.agents.concluding.row_facts import Carrier, RowFacts, same
from hermes_sessions.handoff.grammars.hermes import GRAMMAR
from hermes_sessions.messages import MessageState

_ids = itertools.count(1)


def fact(text, role="user", **changes):
    facts = RowFacts(
        id=next(_ids), role=role, state=MessageState.LIVE, created_at=None, text_key=hash(text),
        length=len(text),
        calls_key=0, call_ids=(), tool_call_id=None, tool_name=None, structured=False, pruned=False,
        inserted=False, carrier=None, flagged=False,
    )  # fmt: skip
    if isinstance(content := changes.get("carrier"), str):
        changes["carrier"] = Carrier(content, GRAMMAR)
    return facts._replace(**changes)


def rows(shape):
    """One row per letter; H is a handoff."""
    return [fact(letter, carrier="[CONTEXT SUMMARY]: x" if letter == "H" else None) for letter in shape]


@pytest.mark.parametrize(
    ("old", "new", "pairs", "carrier"),
    [
        pytest.param("abcdef", "abHefxy", [(0, 0), (1, 1), (3, 4), (4, 5)], 2, id="head, handoff, tail"),
        pytest.param("abcdef", "Hef", [(1, 4), (2, 5)], 0, id="no head"),
        pytest.param("abcdef", "Hxy", [], 0, id="nothing repeated"),
        pytest.param("abcdef", "abef", [(0, 0), (1, 1), (2, 4), (3, 5)], None, id="no handoff"),
        pytest.param("abgogo", "Hgox", [(1, 4), (2, 5)], 0, id="the latest of equal runs"),
        pytest.param("abcdef", "Hxef", [], 0, id="behind a row that nothing explains"),
        pytest.param("abcdef", "abefH", [(0, 0), (1, 1), (2, 4), (3, 5)], None, id="a quote behind the tail"),
        pytest.param("abcdef", "Hcde", [(1, 2), (2, 3), (3, 4)], 0, id="three rows that stop short"),
        pytest.param("abcdef", "Hcd", [], 0, id="two rows that stop short"),
        pytest.param("", "Hx", [], 0, id="nothing before"),
        pytest.param("abc", "", [], None, id="nothing after"),
    ],
)
def test_rows_that_repeat_are_paired(old, new, pairs, carrier):
    joined = join(rows(old), rows(new))
    assert (list(joined.pairs), joined.carrier) == (pairs, carrier)


def test_two_rows_that_stop_short_are_carried_over_where_their_times_say_so():
    old = [row._replace(created_at=float(at)) for at, row in enumerate(rows("abcdef"))]
    new = [rows("H")[0], *(row._replace(id=100 + row.id) for row in old[2:4])]
    assert list(join(old, new).pairs) == [(1, 2), (2, 3)]


def test_no_pair_crosses_another_and_no_row_is_paired_twice():
    for letters in itertools.product("ab", repeat=4):
        for shape in ("Hab", "aHb", "abHab", "Hba", "aaHbb"):
            pairs = join(rows("".join(letters)), rows(shape)).pairs
            assert list(pairs) == sorted(set(pairs))
            assert [old for _, old in pairs] == sorted({old for _, old in pairs})


def result(text, call, **changes):
    return fact(text, "tool", tool_call_id=call, **changes)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(fact("x"), fact("x", role="assistant"), False, id="another role"),
        pytest.param(result("x", "1"), result("y", "1"), True, id="a result of the same call"),
        pytest.param(result("x", "1"), result("x", "2"), False, id="a result of another call"),
        pytest.param(result("x", None), result("y", None, pruned=True), True, id="pruned, without ids"),
        pytest.param(fact("x", "system"), fact("x, noted", "system"), True, id="a system row with a note"),
        pytest.param(fact("x", structured=True), fact("y", pruned=True), True, id="a stripped image"),
        pytest.param(fact("x"), fact("y", pruned=True), False, id="plain text is not pruned"),
    ],
)
def test_what_counts_as_the_same(old, new, expected):
    assert same(old, new) is expected
