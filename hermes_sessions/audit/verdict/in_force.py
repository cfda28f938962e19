"""Which value of a setting, a port or a count held when the compaction began: the newest that was said."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.fact_notes import FactNotes
from hermes_sessions.audit.retention import read_message
from hermes_sessions.audit.support.ruled_out import rules_out
from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.facts.extract import extract_text_facts
from hermes_sessions.facts.slots import find_superseded, same_subject, subject_words
from hermes_sessions.facts.values import Fact

_MAX_ROWS: Final = 200


class InForce(NamedTuple):
    """The value that holds, the message that gave it, and its line; `key` is what it is the value of."""

    key: str
    value: str = ""
    message: int | None = None
    line: str = ""


def find_in_force(case: CompactionCase, one: Deviation) -> InForce:
    """Return what *one* is about, '' where no key is named, with the value of it that is in force."""
    key = _key(one.value, one.line, one.kind) or _key(one.source, one.source_line, one.kind)
    words = subject_words(key)
    if not words:
        return InForce("")
    rows = [row for row in case.before if _names(row, words)][-_MAX_ROWS:]
    told = [_of_subject(row, one.kind, key) for row in rows]
    replaced = find_superseded(told)
    held = [
        (place, fact)
        for place, facts in enumerate(told)
        for number, fact in enumerate(facts)
        if (place, number) not in replaced and not rules_out(fact.value, fact.text, fact.speaker)
    ]
    if not held:
        return InForce(key)
    place, fact = held[-1]
    return InForce(key, fact.value, rows[place].id, fact.text)


def _key(value: str, line: str, kind: str) -> str:
    found = _facts_of(line) if value and line else ()
    return next((fact.key for fact in found if fact.value == value and fact.kind == kind and fact.key), "")


@lru_cache(maxsize=512)
def _facts_of(line: str) -> Sequence[Fact]:
    return extract_text_facts(line)


def _names(row: AuditMessage, words: frozenset[str]) -> bool:
    text = "\n".join((row.text, *(call.arguments for call in row.calls))).casefold()
    return row.kind != "handoff" and all(word in text for word in words)


def _of_subject(row: AuditMessage, kind: str, key: str) -> Sequence[Fact]:
    facts, _ = read_message(row, FactNotes())
    return [fact for fact in facts if fact.kind == kind and same_subject(fact.key, key)]
