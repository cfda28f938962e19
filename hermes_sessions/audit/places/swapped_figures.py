"""Two numbers of a sentence that its source has each with the word beside the other one: `94 up, 41 down`.

A word is beside a number where hardly anything, and no other number, is between them. What is beside both
tells nothing: a unit, what both are of.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from typing import Final

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.items import items_of_word, plain_number
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import is_heading
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.late_patterns import late_pattern

_TOKEN: Final = late_pattern(
    r"(?P<number>(?<![\w./-])\d+(?:[.,:]\d+)*(?!\d|[/-]\w))|(?P<word>[^\W\d_\u2e80-\ud7ff]+|[\u3400-\u9fff]{1,6}|[\u30a1-\u30fc]{2,})"
    r"|(?P<cut>[\n;|!?。；！？]|\.(?=\s))"
)
_REACH: Final = 3
_MOST_NUMBERS: Final = 12
_MOST_PLACES: Final = 60


class _WordSide(StrEnum):
    """Where words are that are beside a number."""

    BEFORE = "before"
    BEHIND = "behind"
    BOTH = "both"


def swapped_figures(claims: Sequence[Statement], index: ClauseIndex) -> Iterator[Deviation]:
    """Yield the sentences two numbers of which the source has crosswise, and never as the sentence has them.

    Args:
        claims: the sentences of the handoff.
        index: the clauses of the source.
    """
    for claim in claims:
        if is_heading(claim.text):
            continue
        said = next(filter(None, (_crossed(claim, side, index) for side in _WordSide)), None)
        if said is not None:
            yield Deviation(
                Grade.NOT_VERBATIM, "order", claim.text, claim.text, "figures-swapped",
                said.text, said.text, said.message or None,
            )  # fmt: skip


def _crossed(claim: Statement, side: _WordSide, index: ClauseIndex) -> Statement | None:
    """Return a sentence that has a number with the word beside another one, and that one conversely."""
    beside = _beside_numbers(claim.text, side)
    if not 1 < len(beside) <= _MOST_NUMBERS:
        return None
    said = {number: _said_beside(number, side, index) for number in beside}
    for one, other in combinations(beside, 2):
        own, its = beside[one] - beside[other], beside[other] - beside[one]
        mine, theirs = said[one], said[other]
        if own & mine.keys() or its & theirs.keys() or not its & mine.keys():
            continue
        for word in sorted(own & theirs.keys()):
            return theirs[word]
    return None


def _said_beside(number: str, side: _WordSide, index: ClauseIndex) -> Mapping[str, Statement]:
    """Return what stands beside a number in the source, each with the last sentence that has it so."""
    found: dict[str, Statement] = {}
    for at in index.places(f"#{number}")[-_MOST_PLACES:]:
        said = index.said(at)
        found.update(dict.fromkeys(_beside_numbers(said.text, side).get(number, ()), said))
    return found


@lru_cache(maxsize=4_096)
def _beside_numbers(text: str, side: _WordSide) -> Mapping[str, frozenset[str]]:
    """Return the numbers of *text*, each with the words beside it."""
    found: dict[str, set[str]] = {}
    waiting: list[tuple[int, str]] = []
    last, last_at = "", 0
    for at, match in enumerate(_TOKEN.finditer(text)):
        kind, token = match.lastgroup, match.group()
        if kind == "cut":
            waiting, last = [], ""
        elif kind == "number":
            last, last_at = plain_number(token), at
            words = found.setdefault(last, set())
            if side is not _WordSide.BEHIND:
                words.update(word for place, word in waiting if at - place <= _REACH)
            waiting = []
        else:
            names = _names(token)
            waiting += ((at, word) for word in names)
            if last and side is not _WordSide.BEFORE and at - last_at <= _REACH:
                found[last] |= names
    return {number: frozenset(words) for number, words in found.items()}


def _names(token: str) -> frozenset[str]:
    """Return what a word names; a capital names something by itself."""
    return frozenset((token,)) if len(token) == 1 and token.isupper() else items_of_word(token)
