"""Values of a source that have most in common with one of a handoff, where there are too many to hold against each."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from hermes_sessions.audit.checking.contexts import words_beside
from hermes_sessions.audit.sources.source_index import SourceIndex
from hermes_sessions.audit.sources.written_text import Told, one_less
from hermes_sessions.facts.values import Fact

MOST_PAIRS: Final = 100_000
"""So many pairs of values are compared, one by one; a handoff with a few that are nowhere never comes to that."""
_MOST_NEAR: Final = 40
_ENDS: Final = 4
_MOST_DIGITS: Final = 12


class ComparedPairs:
    """Counts what was compared, and finds what is near where that is too much."""

    def __init__(self, source: SourceIndex) -> None:
        """Compare the values of *source*, so many pairs of them with each of their kind."""
        self._source = source
        self._left = MOST_PAIRS

    def take(self, pairs: int) -> bool:
        """Return whether so many pairs may still be compared; they are counted, but for a few."""
        if pairs <= _MOST_NEAR:
            return True
        self._left -= pairs
        return self._left >= 0

    def near(self, fact: Fact) -> Sequence[Told]:
        """Return the facts that have most in common with *fact*, in their order."""
        return _nearest(self._facts, fact)

    def near_tokens(self, fact: Fact) -> Sequence[Told]:
        """Return the words with digits that have most in common with *fact*, in their order."""
        return _nearest(self._tokens, fact)

    @cached_property
    def _facts(self) -> "_NearValues":
        return _NearValues(self._source.told)

    @cached_property
    def _tokens(self) -> "_NearValues":
        return _NearValues(self._source.tokens.values())


class _NearValues:
    """Facts by what a value that was changed a little still has of them."""

    def __init__(self, told: Iterable[Told]) -> None:
        self.told = tuple(told)
        self.places: dict[tuple[str, str], list[int]] = defaultdict(list)
        for place, one in enumerate(self.told):
            for key in set(_keys(one.fact)):
                self.places[key].append(place)


def _nearest(known: _NearValues, fact: Fact) -> Sequence[Told]:
    shared = Counter(place for key in set(_keys(fact)) for place in known.places.get(key, [])[-_MOST_NEAR:])
    best = sorted(shared, key=lambda place: (shared[place], place), reverse=True)[:_MOST_NEAR]
    return [known.told[place] for place in sorted(best)]


def _keys(fact: Fact) -> Iterator[tuple[str, str]]:
    """Yield the words beside a value, how it begins and ends, its digits, and these without one of them."""
    value = fact.value.casefold()
    yield "begins", value[:_ENDS]
    yield "ends", value[-_ENDS:]
    digits = "".join(filter(str.isdecimal, value))[:_MOST_DIGITS]
    if digits:
        yield "digits", "".join(sorted(digits))
        yield from (("one less", one) for one in one_less(digits))
    yield from (("word", word) for word in words_beside(fact.text, fact.value))
