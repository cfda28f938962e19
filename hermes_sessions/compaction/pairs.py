"""Tool calls and their results: who answers whom, and where a cut would part them.

Nothing is repaired here. A result belongs to the nearest call before it that names
its id and has no result yet, so ids that an agent uses again do not tie a whole
session together.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from hermes_sessions.compaction.transcript import TranscriptEntry
from hermes_sessions.messages import Role, ToolCall


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which messages belong together.

    Attributes:
        callers: result's index -> indices of the calls it answers.
        answers: caller's index -> indices of its results.
        unanswered: caller's index -> positions in its `tool_calls` without a result.
        strays: index -> ids of its results that answer no call.
        orphans: indices of messages that are nothing but such results.
        cuts: one flag per boundary 0..n: a cut there parts no pair.
    """

    callers: dict[int, tuple[int, ...]]
    answers: dict[int, tuple[int, ...]]
    unanswered: dict[int, frozenset[int]]
    strays: dict[int, frozenset[str]]
    orphans: frozenset[int]
    cuts: tuple[bool, ...]

    def whole(self, index: int) -> set[int]:
        """Return *index* with every message that its pairs need."""
        found: set[int] = set()
        waiting = [index]
        while waiting:
            at = waiting.pop()
            if at not in found:
                found.add(at)
                waiting += self.callers.get(at, ())
                waiting += self.answers.get(at, ())
        return found


def pair_tools(entries: Sequence[TranscriptEntry]) -> Pairing:
    """Match the results of a transcript with their calls, ids under `id` and `call_id` alike."""
    matcher = _Matcher()
    for index, entry in enumerate(entries):
        matcher.answer(index, entry)
        matcher.open(index, entry)
    answers: dict[int, list[int]] = {}
    for result, callers in matcher.callers.items():
        for caller in callers:
            answers.setdefault(caller, []).append(result)
    return Pairing(
        callers={result: tuple(found) for result, found in matcher.callers.items()},
        answers={caller: tuple(found) for caller, found in answers.items()},
        unanswered=_unanswered(entries, matcher.answered),
        strays=matcher.strays,
        orphans=frozenset(matcher.orphans),
        cuts=_cuts(len(entries), answers),
    )


def is_answer(entry: TranscriptEntry) -> bool:
    """Return whether *entry* is nothing but results of tools, in a message of their own or in blocks."""
    return entry.role == Role.TOOL or (bool(entry.message.result_ids) and not entry.is_visible)


def call_of(entries: Sequence[TranscriptEntry], pairing: Pairing, index: int) -> ToolCall | None:
    """Return the call that the result at *index* answers; None where it is not known which."""
    ids = entries[index].message.result_ids
    calls = [call for caller in pairing.callers.get(index, ()) for call in entries[caller].message.tool_calls]
    named = (call for call in calls if set(call.ids) & set(ids))
    return next(named, calls[0] if len(calls) == 1 else None)


class _Matcher:
    """Walks a transcript once; holds the calls seen so far, by id."""

    def __init__(self) -> None:
        self.callers: dict[int, list[int]] = {}
        self.answered: set[tuple[int, int]] = set()
        self.strays: dict[int, frozenset[str]] = {}
        self.orphans: list[int] = []
        self._by_id: dict[str, list[tuple[int, int]]] = {}
        self._turn: list[tuple[int, int]] = []

    def open(self, index: int, entry: TranscriptEntry) -> None:
        """Note the calls of *entry*; what is not a tool message ends the turn before it."""
        if entry.role == Role.TOOL:
            return
        self._turn = [(index, place) for place in range(len(entry.message.tool_calls))]
        for place, call in enumerate(entry.message.tool_calls):
            for name in call.ids:
                self._by_id.setdefault(name, []).append((index, place))

    def answer(self, index: int, entry: TranscriptEntry) -> None:
        """Match the results in *entry* with calls before it."""
        ids = entry.message.result_ids
        if entry.role != Role.TOOL and not ids:
            return
        found = {name: self._call(name) for name in ids} if ids else {"": self._next_of_turn()}
        calls = {call for call in found.values() if call is not None}
        self.answered |= calls
        if calls:
            self.callers[index] = sorted({caller for caller, _ in calls})
        # The ids of a tool message are names of one result; each block has its own.
        strays = frozenset(name for name, call in found.items() if call is None)
        if not calls and is_answer(entry):
            self.orphans.append(index)
        if strays and not (calls and entry.role == Role.TOOL):
            self.strays[index] = strays - {""}

    def _call(self, name: str) -> tuple[int, int] | None:
        named = self._by_id.get(name, [])
        in_turn = list(itertools.takewhile(self._is_in_turn, reversed(named)))
        unanswered = [call for call in in_turn if call not in self.answered]
        if in_turn:  # a second result for a call answers none: a host would refuse both
            return unanswered[-1] if unanswered else None
        while named and named[-1] in self.answered:
            named.pop()
        return named[-1] if named else None

    def _is_in_turn(self, call: tuple[int, int]) -> bool:
        return bool(self._turn) and call[0] == self._turn[0][0]

    def _next_of_turn(self) -> tuple[int, int] | None:
        return next((call for call in self._turn if call not in self.answered), None)


def _unanswered(
    entries: Sequence[TranscriptEntry], answered: set[tuple[int, int]]
) -> dict[int, frozenset[int]]:
    named: dict[int, set[str]] = {}
    for index, place in answered:
        named.setdefault(index, set()).update(entries[index].message.tool_calls[place].ids)
    found: dict[int, frozenset[int]] = {}
    for index, entry in enumerate(entries):
        # A call may stand in `tool_calls` and among the blocks: one result answers both.
        known = named.get(index, set())
        open_calls = (
            place
            for place, call in enumerate(entry.message.tool_calls)
            if (index, place) not in answered and not known.intersection(call.ids)
        )
        if places := frozenset(open_calls):
            found[index] = places
    pending = _pending_caller(entries)
    # The results of the very last calls are still to come: they are no orphans.
    found.pop(pending, None)
    return found


def _pending_caller(entries: Sequence[TranscriptEntry]) -> int:
    index = len(entries) - 1
    while index >= 0 and is_answer(entries[index]):
        index -= 1
    return index


def _cuts(length: int, answers: dict[int, list[int]]) -> tuple[bool, ...]:
    """Mark the boundaries that lie inside no pair, by sweeping over the pairs' ends."""
    depth = [0] * (length + 2)
    for caller, results in answers.items():
        depth[caller + 1] += 1
        depth[max(results) + 1] -= 1
    cuts: list[bool] = []
    inside = 0
    for boundary in range(length + 1):
        inside += depth[boundary]
        cuts.append(inside == 0)
    return tuple(cuts)
