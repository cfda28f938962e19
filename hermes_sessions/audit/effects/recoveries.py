"""Errors that are over: somebody says so later, or the same was done again and went well."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

from hermes_sessions.audit.effects.calls import read_actions
from hermes_sessions.audit.effects.repairs import NOT_YET, RECOVERED, WHOLE
from hermes_sessions.audit.handed_on.claim_origins import named_in
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.outcomes import has_failed
from hermes_sessions.audit.words.sentence_ends import SENTENCE_ENDS
from hermes_sessions.facts.effects.values import Effect
from hermes_sessions.facts.extract import extract_text_facts
from hermes_sessions.facts.values import Fact
from hermes_sessions.messages import Role

_MAX_CHARS: Final = 4_000
_REACH: Final = 60
"""So many messages further on the trouble as a whole may be called over."""
_RETOLD_CHARS: Final = 600
_FEW: Final = 2
_HALF: Final = 0.5
_SPEAKERS: Final = frozenset({Role.USER, Role.ASSISTANT})
_TROUBLE: Final = named_in(
    "error errors failed failure warning fatal Fehler Warnung erreur fallo erro errore"
)


class _Recovery(NamedTuple):
    """A sentence that says that something is well again, with what it names; *whole*: the trouble as such."""

    row: int
    named: frozenset[str]
    whole: bool


class Recoveries:
    """What a conversation says of trouble that is over, and what was done again and went well."""

    def __init__(self, rows: Sequence[AuditMessage]) -> None:
        self._rows = rows
        self._said: list[_Recovery] = []
        self._first = self._next = len(rows)
        self._well: dict[tuple[str, ...], int] = {}

    def end(self, at: int, error: Fact) -> bool:
        """Return whether the error of row *at* is over.

        It is where a later sentence says that what it names, or what the next reply calls it, is well
        again; where the trouble as a whole is called over; or where the same program went through later
        with the same objects.
        """
        subject: frozenset[str] | None = None
        for row, named, whole in self._said_behind(at):
            if whole and row - at <= _REACH:
                return True
            subject = self._subject(at, error) if subject is None else subject
            shared = len(named & subject)
            if shared and shared >= len(named) * _HALF and (shared >= _FEW or len(named) <= _FEW):
                return True
        done = self._results[at] if self._rows[at].result_ids else ()
        return any(self._last_well(key) > at for key in done)

    def _subject(self, at: int, error: Fact) -> frozenset[str]:
        """Return what an error names, and the next reply where it speaks of it."""
        named = named_in(error.value) | named_in(error.text)
        reply = next((row for row in self._rows[at + 1 : at + 6] if row.role == Role.ASSISTANT), None)
        if reply is not None:
            named |= named_in(reply.text[:_RETOLD_CHARS])
        return named - _TROUBLE

    def _said_behind(self, at: int) -> Iterator[_Recovery]:
        """Yield what is said to be well again behind row *at*, in order; a row is read when it is needed."""
        if not self._first <= at + 1:
            self._first = self._next = at + 1
            self._said = []
        yield from self._said[bisect_right(self._said, at, key=attrgetter("row")) :]
        self._next = max(self._next, at + 1)
        while self._next < len(self._rows):
            row = self._rows[self._next]
            is_said = row.role in _SPEAKERS and row.kind != "handoff" and row.text
            read = _recoveries_in(row.text[:_MAX_CHARS]) if is_said else ()
            found = [_Recovery(self._next, named, whole) for named, whole in read]
            self._said += found
            self._next += 1
            yield from found

    @cached_property
    def _results(self) -> Sequence[frozenset[tuple[str, ...]]]:
        """For each row, the programs with their objects that it is the result of."""
        done: dict[str, frozenset[tuple[str, ...]]] = {}
        found = []
        for row in self._rows:
            for call in row.calls:
                keys = frozenset(
                    key
                    for action in read_actions(call)
                    if action.effect is not Effect.READS and (key := _objects_of(action.words))
                )
                done.update(dict.fromkeys(call.ids, keys))
            found.append(frozenset(key for one in row.result_ids for key in done.get(one, ())))
        return found

    @cached_property
    def _results_of(self) -> Mapping[tuple[str, ...], Sequence[int]]:
        found: dict[tuple[str, ...], list[int]] = {}
        for at, keys in enumerate(self._results):
            for key in keys:
                found.setdefault(key, []).append(at)
        return found

    def _last_well(self, key: tuple[str, ...]) -> int:
        """Return the last row that is the result of *key* and tells no failure; -1 where there is none."""
        known = self._well.get(key)
        if known is None:
            rows = reversed(self._results_of[key])
            known = next((at for at in rows if _went_well(self._rows[at].text[:_MAX_CHARS])), -1)
            self._well[key] = known
        return known


def _objects_of(words: Sequence[str]) -> tuple[str, ...]:
    """Return a program with what it works on: without options, numbers and where its output goes."""
    objects = sorted(
        one for one in words[1:] if len(one) > _FEW and one[0] not in "-<>|&" and not one.isdigit()
    )
    return (words[0], *objects) if words and objects else ()


@lru_cache(maxsize=1_024)
def _went_well(result: str) -> bool:
    return not has_failed(result) and not any(fact.kind == "error" for fact in extract_text_facts(result))


@lru_cache(maxsize=4_096)
def _recoveries_in(text: str) -> Sequence[tuple[frozenset[str], bool]]:
    return tuple(_recovered(text)) if RECOVERED.may_be_in(text) or WHOLE.may_be_in(text) else ()


def _recovered(text: str) -> Iterator[tuple[frozenset[str], bool]]:
    for sentence in SENTENCE_ENDS.split(text):
        said, whole = RECOVERED.search(sentence), WHOLE.search(sentence)
        if (said is None and whole is None) or sentence.rstrip()[-1:] in "?？؟":
            continue
        found = whole or said
        rest = f"{sentence[: found.start()]} {sentence[found.end() :]}" if found else sentence
        if NOT_YET.search(rest):
            continue
        named = frozenset(one for one in named_in(rest) if not one[0].isdigit())
        if named or whole:
            yield named, whole is not None and len(named) <= _FEW
