"""Which clauses of a transcript speak most of what a claim speaks of."""

from itertools import product

import pytest

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.notices.support import Support
from hermes_sessions.audit.relations.statements import Statement

WORDS = ("kiln", "glaze", "shelf", "cobalt", "clay")


def index_of(texts):
    asked = frozenset(one for word in WORDS for one in read_items(word).all)
    return ClauseIndex(
        [Statement(text, at, "user") for at, text in enumerate(texts, 1)], [], [], asked
    ), asked


def scored_all(support, index, asked):
    places = {place for item in asked for place in index.places(item)}
    return sorted(((support.score(one), one) for one in places), reverse=True)


@pytest.mark.parametrize("most", [1, 2, 5, 40])
def test_the_best_clauses_are_those_that_score_most(most):
    texts = [
        f"The {one} waits, {two} was fired; the {three} cooled; nobody saw it"
        for one, two, three in product((*WORDS, "door"), repeat=3)
    ]
    index, asked = index_of(texts)
    support = Support(asked, index)
    best = support.best(most)
    assert [(one.score, one.place) for one in best] == scored_all(support, index, asked)[:most]
    assert len(best) == most


def test_what_stands_beside_a_clause_counts_for_less_than_what_it_names():
    index, _ = index_of(["The kiln cools, the glaze waits", "The kiln cools", "The kiln waits for glaze"])
    support = Support(read_items("kiln glaze").all, index)
    beside, _, alone, whole = (one.score for one in sorted(support.best(4), key=lambda one: one.place))
    assert alone < beside < whole
