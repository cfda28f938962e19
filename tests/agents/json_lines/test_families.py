"""Families of sessions: who belongs together, parents first, however long a chain is."""

from hermes_sessions.agents.json_lines.families import family_tops, grouped_families, parents_first
from tests.stopwatch import assert_growth


def test_a_family_is_a_root_with_all_that_hang_on_it():
    parents = {"c": "b", "b": "a", "a": None, "x": "gone", "y": "x"}
    newest = {"a": 1.0, "b": 2.0, "c": 3.0, "x": 9.0, "y": 1.0}
    assert grouped_families(parents, newest) == [("x", "y"), ("c", "b", "a")]


def test_who_leads_into_a_circle_is_of_its_family():
    tops = family_tops({"d": "c", "c": "b", "b": "c", "e": "e"})
    assert len({tops["b"], tops["c"], tops["d"]}) == 1
    assert tops["e"] == "e"


def test_parents_come_first_and_levels_keep_their_order():
    parents = {"c": "a", "d": "b", "e": "a", "a": None, "b": "gone"}
    assert parents_first(list(parents), parents) == ["a", "b", "c", "d", "e"]


def test_a_circle_is_cut_where_it_begins():
    assert parents_first(["b", "c", "d"], {"b": "c", "c": "b", "d": "c"}) == ["b", "c", "d"]
    assert parents_first(["a"], {"a": "a"}) == ["a"]


def test_long_chains_take_linear_time():
    def chain(length):
        parents = {str(at): str(at + 1) if at < length else None for at in range(length + 1)}

        def work():
            assert len(set(family_tops(parents).values())) == 1
            assert parents_first(list(parents), parents)[0] == str(length)

        return work

    assert_growth(chain(2_500), chain(20_000), 24)
