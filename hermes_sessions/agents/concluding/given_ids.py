"""Whether the id of a call says which call it is: some agents give the same ids in every turn. Pure."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from hermes_sessions.agents.concluding.row_facts import RowFacts, same
from hermes_sessions.messages import Role

_Given: TypeAlias = Mapping[tuple[bool, str, float | None], int]


class GivenIds:
    """The ids of the calls in one transcript; they are counted when a row asks for it."""

    def __init__(self, old: Sequence[RowFacts]) -> None:
        self._old = old

    def same(self, old: RowFacts, new: RowFacts) -> bool:
        """Return whether *new* repeats *old*, a row of the transcript.

        What differs is a copy by its ids alone only where each was given once, or once at
        the time that both have.
        """
        return same(old, new) and (not _differs(old, new) or self.are_proof(old, new))

    def are_proof(self, old: RowFacts, new: RowFacts) -> bool:
        """Return whether the ids of *new* can only be those of *old*."""
        rows = self._rows
        timed = old.created_at is not None and old.created_at == new.created_at
        return all(
            rows.get((result, one, None), 0) < 2 or (timed and rows.get((result, one, old.created_at), 0) < 2)
            for result, one in _ids(new)
        )

    @cached_property
    def _rows(self) -> _Given:
        """How many rows have an id: at any time (None) and at each; what was written twice at once is one."""
        found: dict[tuple[bool, str, float | None], set[tuple[int, int, float | None]]] = defaultdict(set)
        for row in self._old:
            written = row.text_key, row.calls_key, row.created_at
            for result, one in _ids(row):
                found[result, one, None].add(written)
                found[result, one, row.created_at].add(written)
        return {key: len(rows) for key, rows in found.items()}


def _differs(old: RowFacts, new: RowFacts) -> bool:
    """Return whether nothing but ids says that a result or calls are the same."""
    if new.role == Role.TOOL:
        return new.tool_call_id is not None and old.text_key != new.text_key and not new.pruned
    return bool(new.call_ids) and old.calls_key != new.calls_key


def _ids(row: RowFacts) -> Iterator[tuple[bool, str]]:
    """Yield (whether a result has it, id); a call and its result have one id."""
    if row.role != Role.TOOL:
        yield from ((False, one) for one in row.call_ids)
    elif row.tool_call_id is not None:
        yield True, row.tool_call_id
