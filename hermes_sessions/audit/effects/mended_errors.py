"""Errors that are over: the command ran through later, they were mended, or let pass."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
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
    """What a conversation says and shows of errors that are over."""

    def __init__(self, rows: Sequence[AuditMessage], facts: Sequence[Sequence[Fact]]) -> None:
        self._keys = list(_keys_of_results(rows))
        self._asked = [at for at, row in enumerate(rows) if row.is_request]
        self._through: dict[tuple[str, ...], int] = {}
        for at, keys in enumerate(self._keys):
            if keys and _is_through(rows[at], facts[at]):
                self._through.update(dict.fromkeys(keys, at))
        last = islice((at for at in range(len(rows) - 1, -1, -1) if _tells_of_repair(rows[at])), _MAX_REPLIES)
        told = [(at, read_terms(_words(rows[at])[:_MAX_CHARS]).all) for at in last]
        self._told = told[::-1]
        self._recoveries = Recoveries(rows)

    def mend(self, at: int, error: Fact) -> bool:
        """Return whether the error of row *at* is over."""
        if any(self._through.get(key, -1) > at for key in self._keys[at]):
            return True
        if self._recoveries.end(at, error):
            return True
        later = [(place, terms) for place, terms in self._told if place >= at]
        if not later:
            return False
        turn = next((place for place in self._asked if place > at), None)
        words = read_terms(error.value).all
        return any(turn is None or place < turn or words & terms for place, terms in later)


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
