"""Deriving lineages takes a time that grows with the number of sessions, however they hang together."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.lineage import Relation
from hermes_sessions.store.keeping.second_derivation import Member, derive_parents, group_members
from tests.stopwatch import assert_growth

pytestmark = [pytest.mark.slow, pytest.mark.sqlite_only("what is derived stands in memory")]

SESSIONS = 1_000
GROWTH = 8.0
Parent = Callable[[int, int], int | None]
SHAPES: dict[str, Parent] = {
    "chain": lambda key, count: key - 1 or None,
    "chain, newest first": lambda key, count: key + 1 if key < count else None,
    "star": lambda key, count: 1 if key > 1 else None,
    "comb": lambda key, count: max(1, key - 1 - key % 2) if key > 1 else None,
    "circle": lambda key, count: key % count + 1,
    "a circle with a tail": lambda key, count: key % 10 + 1 if key <= 10 else key - 1,
}


def members(count: int, parent: Parent, named: Parent | None = None) -> dict[int, Member]:
    def row(key: int) -> SimpleNamespace:
        says = (named or parent)(key, count)
        return SimpleNamespace(
            id=key, origin_id=1, foreign_id=str(key), parent_id=parent(key, count),
            parent_session_id=None if says is None else str(says), relation=Relation.COMPACTION,
        )  # fmt: skip

    return {key: Member(row(key)) for key in range(1, count + 1)}


@pytest.mark.parametrize("shape", SHAPES)
def test_grouping_and_descent_are_linear(shape: str, db: OrmSession) -> None:
    def derive(found: dict[int, Member]) -> object:
        return group_members(db, found), list(derive_parents(db, found))

    small, large = (members(count, SHAPES[shape]) for count in (SESSIONS, 4 * SESSIONS))
    assert_growth(lambda: derive(small), lambda: derive(large), GROWTH)


def test_many_roots_that_name_one_tip_are_linear(db: OrmSession) -> None:
    def half_a_chain(key: int, count: int) -> int | None:
        return key - 1 if 1 < key <= count // 2 else None

    def the_tip(key: int, count: int) -> int | None:
        return half_a_chain(key, count) if key <= count // 2 else count // 2

    small, large = (members(count, half_a_chain, the_tip) for count in (SESSIONS, 4 * SESSIONS))
    assert len(list(derive_parents(db, small))) == SESSIONS // 2

    def derive(found: dict[int, Member]) -> object:
        return list(derive_parents(db, found))

    assert_growth(lambda: derive(small), lambda: derive(large), GROWTH)


def test_a_chain_is_one_conversation_and_a_stored_circle_is_none(db: OrmSession) -> None:
    chained = members(50, SHAPES["chain"])
    assert list(group_members(db, chained)) == [1]
    assert chained[50].ordinal == 49
    tailed = members(50, SHAPES["a circle with a tail"])
    groups = group_members(db, tailed)
    assert len(groups) == 10
    assert len(groups[10].members) == 41


def test_a_cut_circle_is_right_and_a_cut_chain_is_not(db: OrmSession) -> None:
    cut = members(50, SHAPES["chain"], SHAPES["circle"])
    for key in range(2, 51):
        cut[key].row.parent_session_id = str(key - 1)
    cut[1].row.parent_session_id = "50"
    assert list(derive_parents(db, cut)) == []
    cut[20].row.parent_id = None
    assert list(derive_parents(db, cut)) == [(1, 50), (20, 19)]
