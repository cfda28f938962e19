"""Which value of a transcript took the place of another one: `5 retries`, later `make it 3`.

Two values of a sort are of one thing where both clauses name it, or where the later one is said a few clauses
behind the other in words that change something. A value that is only named to be set aside (*from 5*,
*instead of 5*, *5 is too much*) does not stand there.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from hermes_sessions.audit.alignment.bindings import Bindings
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.slot_values import SlotValue, dates_of, is_like, is_near, is_of_one_sort
from hermes_sessions.audit.relations.replacing import is_set_aside, replaces
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_REACH: Final = 60
"""So many clauses behind a value another one is looked for."""
_ANSWERS: Final = 16
"""So many sentences behind it a change that names nothing is about it."""
_MOST_PLACES: Final = 80
_MOST_READ: Final = 4
_DIGIT: Final = late_pattern(r"\d")
_SPOKEN: Final = frozenset({Role.USER, Role.ASSISTANT})


class Timeline:
    """The values of a transcript in the order in which they were said."""

    def __init__(self, bindings: Bindings) -> None:
        """Read the clauses that *bindings* knows."""
        self._bindings = bindings
        self._index = bindings.index
        self._standing: dict[SlotValue, tuple[int, ...]] = {}

    def replacement(
        self, old: SlotValue, claim: Clause, written: frozenset[str]
    ) -> tuple[SlotValue, int] | None:
        """Return what took the place of a value of *claim*, and where; nothing of what else is *written*."""
        standing = self._places(old)
        if not standing:
            return None
        found = None
        for at in self._index.behind(standing[-1], _REACH):
            for new in self._likes(old, at):
                is_named = self._is_named(claim, old, at)
                is_sure = is_named or not old.sort.startswith("code")
                former = standing[-_MOST_READ:]
                if is_sure and any(self._is_of_one(one, at, is_named=is_named) for one in former):
                    is_written = new.items <= written and new.items.isdisjoint(old.items)
                    if is_written or (new.value in written and new.value not in old.items):
                        return None
                    found = new, at
        return found

    def has_replaced(self, new: SlotValue, old: SlotValue, at: int) -> bool:
        """Return whether *new* took the place of *old*, which the clause *at* has and nobody said again."""
        former, later = self._places(old) or (at,), self._places(new)
        if not former or not later or later[-1] <= former[-1]:
            return False
        return any(
            self._is_of_one(there, here, is_named=True)
            for here in later[-_MOST_READ:]
            if here > former[-1]
            for there in former[-_MOST_READ:]
        )

    def _places(self, slot: SlotValue) -> tuple[int, ...]:
        """Return where a value stands, in their order; not where it is set aside."""
        known = self._standing.get(slot)
        if known is None:
            is_rare = self._bindings.count(slot) <= _MOST_PLACES
            places = self._bindings.places(slot) if is_rare else ()
            known = self._standing[slot] = tuple(at for at in places if self._stands(slot, at))
        return known

    def _stands(self, slot: SlotValue, at: int) -> bool:
        if not any(one.value == slot.value and _is_alike(one, slot) for one in self._slots(at)):
            return False
        return not is_set_aside(slot.value.removeprefix("#"), self._index.text(at))

    def _slots(self, at: int) -> Sequence[SlotValue]:
        text = self._index.text(at)
        return (
            (*self._bindings.slots(at), *dates_of(text)) if _DIGIT.search(text) else self._bindings.slots(at)
        )

    def _likes(self, old: SlotValue, at: int) -> Iterator[SlotValue]:
        """Yield other values that the clause at a place has, which may be in the place of *old*."""
        text = self._index.text(at)
        if self._index.said(at).speaker not in _SPOKEN or (
            old.value.startswith("#") and not _DIGIT.search(text)
        ):
            return
        for one in self._slots(at):
            is_other = one.value != old.value and _is_alike(one, old)
            if is_other and one.sort != old.sort and _counts(one, text):
                continue
            if is_other and not is_set_aside(one.value.removeprefix("#"), text):
                yield one

    def _is_named(self, claim: Clause, old: SlotValue, at: int) -> bool:
        """Return whether a clause names something else that the one of the handoff names."""
        shared = (claim.named & self._index.clause(at).items.named) - old.items
        return any(len(one) > 2 or one > "\u2e7f" for one in shared)

    def _is_of_one(self, there: int, at: int, *, is_named: bool) -> bool:
        """Return whether what is said at two places is of one thing, which *is_named* in the handoff, too."""
        index = self._index
        said = index.said(at)
        if said.speaker not in _SPOKEN or there >= at or index.said(there) is said:
            return False
        if (
            index.sentences_apart(there, at) <= _ANSWERS
            and replaces(index.text(at))
            and index.said(there).message != said.message
        ):
            return True
        if not is_named and not replaces(said.text):
            return False
        shared = index.clause(there).items.named & index.clause(at).items.named
        return any(len(one) > 2 or one > "\u2e7f" for one in shared)


def _counts(slot: SlotValue, text: str) -> bool:
    """Return whether a noun stands behind a number: `25 beds` has no unit, and is no sum of money."""
    return re.search(rf"(?<!\d){re.escape(slot.value[1:])} [^\W\d_]{{3,}}", text) is not None


@lru_cache(maxsize=20_000)
def _is_alike(one: SlotValue, other: SlotValue) -> bool:
    """Return whether two values may be of one thing: a number without a unit may have any."""
    if not is_of_one_sort(one.sort, other.sort):
        return False
    if one.value == other.value or min(one.value.count("."), other.value.count(".")) > 1:
        return one.value.count(".") == other.value.count(".")  # addresses, versions
    first, second = one._replace(sort="number "), other._replace(sort="number ")
    if "number " not in (one.sort, other.sort):
        return is_like(one, other)
    return is_like(first, second) and is_near(first, second)
