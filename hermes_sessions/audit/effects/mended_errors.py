"""Errors that are over: the command ran through later, they were mended, or let pass."""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import Final

from hermes_sessions.audit.effects.calls import read_actions
from hermes_sessions.audit.effects.recoveries import Recoveries
from hermes_sessions.audit.effects.repairs import BARE_CODE, LET_PASS, WORKS
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.concepts import may_name, read_terms
from hermes_sessions.audit.words.outcomes import FINISHED, UNFINISHED, has_failed
from hermes_sessions.audit.words.sentence_ends import SENTENCE_ENDS
from hermes_sessions.facts.values import Fact
from hermes_sessions.facts.wording.heads import fold_case
from hermes_sessions.messages import Role

_MAX_CHARS: Final = 4_000
_MAX_REPLIES: Final = 200


def find_mended(rows: Sequence[AuditMessage], facts: Sequence[Sequence[Fact]]) -> frozenset[tuple[int, int]]:
    """Return the places (message, fact) of errors that are over, or that are a bare code of a program."""
    errors = [
        (at, place, fact)
        for at, found in enumerate(facts)
        for place, fact in enumerate(found)
        if fact.kind == "error"
    ]
    if not errors:
        return frozenset()
    repairs = _Repairs(rows, facts)
    return frozenset(
        (rows[at].id, place)
        for at, place, fact in errors
        if BARE_CODE.fullmatch(fact.value) or repairs.mend(at, fact)
    )


class _Repairs:
    """What a conversation says and shows of errors that are over: no more of it is read than is asked for."""

    def __init__(self, rows: Sequence[AuditMessage], facts: Sequence[Sequence[Fact]]) -> None:
        self._rows = rows
        self._facts = facts
        self._asked = [at for at, row in enumerate(rows) if row.is_request]
        self._through: dict[tuple[str, ...], int] = {}
        self._told: list[tuple[int, frozenset[str]]] = []
        self._untold = islice(_tell_of_repair(rows), _MAX_REPLIES)
        self._recoveries = Recoveries(rows)

    def mend(self, at: int, error: Fact) -> bool:
        """Return whether the error of row *at* is over."""
        if self._recoveries.end(at, error):
            return True
        keys = self._keys[at] if self._rows[at].result_ids else ()
        if any(self._last_through(key) > at for key in keys):
            return True
        behind = bisect_right(self._asked, at)
        turn = self._asked[behind] if behind < len(self._asked) else None
        words = read_terms(error.value).all
        return any(turn is None or place < turn or words & terms for place, terms in self._told_from(at))

    def _last_through(self, key: tuple[str, ...]) -> int:
        """Return the last row that is the result of *key* and went through; -1 where none did."""
        known = self._through.get(key)
        if known is None:
            rows = reversed(self._rows_of[key])
            known = next((at for at in rows if _is_through(self._rows[at], self._facts[at])), -1)
            self._through[key] = known
        return known

    def _told_from(self, at: int) -> Iterator[tuple[int, frozenset[str]]]:
        """Yield the rows from the last one back to *at* that tell of a repair, with what each names."""
        for one in self._told:
            if one[0] < at:
                return
            yield one
        for place in self._untold:
            one = place, read_terms(_words(self._rows[place])[:_MAX_CHARS]).all
            self._told.append(one)
            if place < at:
                return
            yield one

    @cached_property
    def _keys(self) -> Sequence[Collection[tuple[str, ...]]]:
        return list(_keys_of_results(self._rows))

    @cached_property
    def _rows_of(self) -> Mapping[tuple[str, ...], Sequence[int]]:
        found: dict[tuple[str, ...], list[int]] = {}
        for at, keys in enumerate(self._keys):
            for key in keys:
                found.setdefault(key, []).append(at)
        return found


def _tell_of_repair(rows: Sequence[AuditMessage]) -> Iterator[int]:
    """Yield the rows that tell of a repair, the last one first."""
    return (at for at in range(len(rows) - 1, -1, -1) if _tells_of_repair(rows[at]))


def _keys_of_results(rows: Sequence[AuditMessage]) -> Iterator[Collection[tuple[str, ...]]]:
    """Yield, for each row, what the calls do that it is the result of."""
    keys: dict[str, frozenset[tuple[str, ...]]] = {}
    for row in rows:
        for call in row.calls:
            done = frozenset(action.key for action in read_actions(call))
            keys.update(dict.fromkeys(call.ids, done))
        yield frozenset(key for one in row.result_ids for key in keys.get(one, ()))


def _is_through(row: AuditMessage, facts: Sequence[Fact]) -> bool:
    if any(fact.kind == "error" for fact in facts):
        return False
    return not has_failed(row.text[:_MAX_CHARS])


def _holds_any(signs: Sequence[str], text: str) -> bool:
    small = fold_case(text)
    return any(sign in small for sign in signs)


_PASS_SIGNS: Final = ("xfail", "skip", "expected failure", "[ignore]")
"""One of them is in everything that `LET_PASS` matches."""


def _words(row: AuditMessage) -> str:
    return "\n".join((row.text, *(call.arguments for call in row.calls)))


def _tells_of_repair(row: AuditMessage) -> bool:
    if row.role != Role.ASSISTANT:
        return False
    words = _words(row)
    if _holds_any(_PASS_SIGNS, words) and LET_PASS.search(words):
        return True
    return row.is_reply and _is_repaired(row.text[:_MAX_CHARS])


@lru_cache(maxsize=4_096)
def _is_repaired(reply: str) -> bool:
    fixes, works = may_name("fix", reply), WORKS.search(reply) is not None
    return (fixes or works) and any(
        ((fixes and "fix" in read_terms(one).deeds and FINISHED.search(one)) or (works and WORKS.search(one)))
        and one.rstrip()[-1:] not in "?？"
        and not UNFINISHED.search(one)
        for one in SENTENCE_ENDS.split(reply)
        if one.strip()
    )
