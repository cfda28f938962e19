"""Which of two things goes with which: `19 is refused and 4 answered` in the place of `4 is refused and 19 answered`."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, permutations
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.relations.statements import Statement, contradiction
from hermes_sessions.audit.words.concepts import read_terms

_PART = re.compile(
    r"[,;]\s|[(、，；،]\s?|\s(?:and|while|but|und|während|aber|et|mais|tandis que|y|e|mientras|mas|ma|mentre|и|а|но)\s|\sو(?=\w{2})",
    re.I,
)
_MOST_PARTS: Final = 10
_MIN_SHARED: Final = 4
_MOST_NEAR: Final = 60
"""So many sentences that name the most of a claim's words are looked at."""


def exchanged_bindings(claims: Sequence[Statement], told: Sequence[Statement]) -> Iterator[Deviation]:
    """Yield sentences that bind two pairs of things crosswise, where everybody binds them the other way."""
    for claim in claims:
        parts = _parts(claim.text)
        if claim.is_question or not 1 < len(parts) <= _MOST_PARTS:
            continue
        words = frozenset[str]().union(*parts)
        shared = [(len(words & said.about), at) for at, said in enumerate(told)]
        nearest = sorted((one for one in shared if one[0] >= _MIN_SHARED), reverse=True)[:_MOST_NEAR]
        near = [told[at] for at in sorted(at for _, at in nearest)]
        known = [(said, _parts(said.text)) for said in near]
        if any(_holds(parts, others) for _, others in known):
            continue
        crossed = [said for said, others in known if not said.is_question and _crosses(parts, others)]
        if crossed:
            yield contradiction(claim, crossed[-1], "bound-otherwise", "order")


@lru_cache(maxsize=4_096)
def _parts(text: str) -> Sequence[frozenset[str]]:
    """Return what each part of a sentence names and no other part of it does."""
    parts = [read_terms(one).all for one in _PART.split(text) if one.strip()]
    found = (
        part.difference(*(other for at, other in enumerate(parts) if at != place))
        for place, part in enumerate(parts)
    )
    return [one for one in found if one]


def _crosses(parts: Sequence[frozenset[str]], others: Sequence[frozenset[str]]) -> bool:
    if not 1 < len(others) <= _MOST_PARTS:
        return False
    return any(
        one & first and two & second and one & second and two & first
        for one, two in combinations(parts, 2)
        for first, second in permutations(others, 2)
    )


def _holds(parts: Sequence[frozenset[str]], others: Sequence[frozenset[str]]) -> bool:
    """Whether two parts of both are bound alike: each shares two words with its own."""
    alike = sum(any(len(part & other) > 1 for other in others) for part in parts)
    return alike > 1
