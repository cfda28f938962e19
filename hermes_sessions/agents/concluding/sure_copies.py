"""Which rows are copies beyond doubt, wherever they are: by call id, or by text and time. Pure.

A host inserts the last request again, carries single messages, merges a request with a
handoff. Rows that it wrote anew keep their time to the bit, or the ids of their calls.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Final, TypeAlias

from hermes_sessions.agents.concluding.given_ids import GivenIds
from hermes_sessions.agents.concluding.handoff_rows import reply_of
from hermes_sessions.agents.concluding.row_facts import RowFacts
from hermes_sessions.messages import Role

_MOST_AT_A_TIME: Final = 50
"""How many rows of one time are compared one by one: where all have the same, time says nothing."""

_Key: TypeAlias = tuple[str, float, int, int, str | None]


class SureCopies:
    """The rows of one transcript, to be found again in the next; what it looks up is made when asked for."""

    def __init__(self, old: Sequence[RowFacts]) -> None:
        self._old = old
        self.given = GivenIds(old)

    def repeats(self, at: int, new: RowFacts) -> bool:
        """Return whether *new* repeats the old row *at*, or its reply; not where others have its time."""
        if not self._is_like(at, new):
            return False
        key = _key(new)
        return key is None or key not in self._by_key or key in self._keys(at)

    def find_strays(
        self, new: Sequence[RowFacts], places: Sequence[int], paired: Iterable[tuple[int, int]]
    ) -> tuple[tuple[int, int], ...]:
        """Return (new, old) of the copies at *places* that are not *paired*, in order.

        An old row that has its copy is repeated once more only where no other is like it.
        """
        taken = dict(paired)
        used = set(taken.values())
        stacks: dict[_Key, list[int]] = {}
        found: list[tuple[int, int]] = []
        for place in reversed(places):
            if place in taken:
                continue
            source = self._exact(new[place], used, stacks)
            if source is None:
                source = self._changed(new[place], used)
            if source is not None:
                used.add(source)
                found.append((place, source))
        known = {*taken, *(place for place, _ in found)}
        return tuple(
            (place, source)
            for place, source in reversed(found)
            if self._has_its_call(new, place, source, known)
        )

    def _has_its_call(self, new: Sequence[RowFacts], place: int, source: int, known: Set[int]) -> bool:
        """Return whether a result of another time may be a copy: not where the call it answers here is none.

        Some agents begin every session with the same ids.
        """
        row = new[place]
        if row.role != Role.TOOL or row.created_at == self._old[source].created_at:
            return True
        callers = (at for at in range(place - 1, -1, -1) if row.tool_call_id in new[at].call_ids)
        caller = next(callers, None)
        return caller is None or caller in known

    def at_its_time(self, new: RowFacts) -> Iterator[int]:
        """Yield old rows of the role and the time of *new*, the last first."""
        if new.created_at is not None:
            yield from reversed(self._by_time.get((new.role, new.created_at), [])[-_MOST_AT_A_TIME:])

    def _exact(self, new: RowFacts, used: set[int], stacks: dict[_Key, list[int]]) -> int | None:
        key = _key(new)
        if key is None or key not in self._by_key:
            return None
        stack = stacks.setdefault(key, [*self._by_key[key]])
        while len(stack) > 1 and stack[-1] in used:
            stack.pop()
        return stack[-1]

    def _changed(self, new: RowFacts, used: set[int]) -> int | None:
        """Return the old row that *new* repeats without its reply, its handoff or all of its calls."""
        alike = [at for at in self.at_its_time(new) if self._is_like(at, new)]
        if not alike:
            alike = [
                at for at in self._with_its_calls(new) if self._is_like(at, new) and self._says_it(at, new)
            ]
        return next((at for at in alike if at not in used), alike[0] if alike else None)

    def _with_its_calls(self, new: RowFacts) -> Iterator[int]:
        one = new.tool_call_id if new.role == Role.TOOL else next(iter(new.call_ids), None)
        if one is not None and (new.role, one) in self._by_call:
            yield self._by_call[new.role, one]

    def _says_it(self, at: int, new: RowFacts) -> bool:
        """Return whether *new* says what the old row *at* says, by more than the ids of its calls."""
        old = self._old[at]
        if new.role == Role.TOOL:
            return new.pruned or old.text_key == new.text_key
        return old.calls_key == new.calls_key

    def _is_like(self, at: int, new: RowFacts) -> bool:
        reply = self._replies.get(at)
        if self.given.same(self._old[at], new):
            return True
        return reply is not None and self.given.same(reply, new)

    def _keys(self, at: int) -> Iterator[_Key]:
        rows = (self._old[at], self._replies.get(at))
        yield from (key for row in rows if row is not None and (key := _key(row)) is not None)

    @cached_property
    def _replies(self) -> Mapping[int, RowFacts]:
        """What somebody said in rows that a handoff shares."""
        found = ((at, reply_of(row)) for at, row in enumerate(self._old) if row.carrier is not None)
        return {at: reply for at, reply in found if reply is not None}

    @cached_property
    def _by_key(self) -> Mapping[_Key, Sequence[int]]:
        found: dict[_Key, list[int]] = defaultdict(list)
        for at in range(len(self._old)):
            for key in self._keys(at):
                found[key].append(at)
        return dict(found)

    @cached_property
    def _by_time(self) -> Mapping[tuple[str, float], Sequence[int]]:
        found: dict[tuple[str, float], list[int]] = defaultdict(list)
        for at, row in enumerate(self._old):
            if row.created_at is not None:
                found[row.role, row.created_at].append(at)
        return dict(found)

    @cached_property
    def _by_call(self) -> Mapping[tuple[str, str], int]:
        """Rows by the id of a call; none where the agent gave an id twice, for then it says nothing."""
        found: dict[tuple[str, str], int] = {}
        for at, row in enumerate(self._old):
            ids = (row.tool_call_id,) if row.role == Role.TOOL else row.call_ids
            for one in ids:
                if one is not None and found.setdefault((row.role, one), at) != at:
                    return {}
        return found


def _key(row: RowFacts) -> _Key | None:
    if row.created_at is None:
        return None
    return row.role, row.created_at, row.text_key, row.calls_key, row.tool_call_id
