"""What the user put in the place of a value later on: `port 8080`, then `no, make it 9090`. Pure."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from hermes_sessions.audit.checking.counterparts import BARE_NUMBER
from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.checking.newer_values import PROPOSAL
from hermes_sessions.audit.relations.replacing import is_set_aside, replaces
from hermes_sessions.audit.relations.statements import Statement, split_sentences
from hermes_sessions.audit.sources.source_index import QUANTITIES, SourceIndex
from hermes_sessions.audit.sources.written_text import Told
from hermes_sessions.audit.support.ruled_out import clause_of, rules_out
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.facts.equivalence import equal_by
from hermes_sessions.facts.quantities.amounts import same_unit
from hermes_sessions.facts.values import Fact

_NUMBERED: Final = frozenset({"port", "number"})
"""Kinds whose value may be said as a bare number."""
_REACH: Final = 6
"""So many sentences of the user later, one that names nothing is about the value."""
_BARE: Final = 6
"""A sentence of so few words names nothing else: `no, make it 9090`."""
_LEAST: Final = 2
_MOST: Final = 40
_SAME: Final = 0.66


def find_newer_demand(one: Deviation, asked: Sequence[Statement], source: SourceIndex) -> Told | None:
    """Return the value that took the place of the one a finding has of its source, None where none did.

    Args:
        asked: what the user said, oldest first.
    """
    start = bisect_right(asked, one.message or 0, key=_message)
    found = None
    for at, said in enumerate(asked[start : start + _MOST]):
        is_again = one.source in said.text
        if not (is_again or replaces(said.text)) or said.is_question or PROPOSAL.search(said.text):
            continue
        if is_again and not _is_former(one.source, said):
            return None
        about = _about(one.source, one.source_line)
        if replaces(said.text) and _is_of_one(about, said, is_near=at < _REACH):
            found = next(_values(one, said, source), found)
    return found


def _message(said: Statement) -> int:
    return said.message


def _is_former(value: str, said: Statement) -> bool:
    return is_set_aside(value, said.text) or rules_out(value, said.text, said.speaker)


def _is_of_one(about: frozenset[str], said: Statement, *, is_near: bool) -> bool:
    """Return whether a sentence names what a value is of, or names nothing and is short."""
    named = read_terms(said.text)
    shared = about & named.all
    if len(shared) >= max(_LEAST, len(about) * _SAME):
        return True
    return is_near and not named.things and len(said.text.split()) <= _BARE


@lru_cache(maxsize=2_048)
def _about(value: str, line: str) -> frozenset[str]:
    """Return what the clause of a value names, deeds and numbers left out."""
    sentence = next((one for one in split_sentences(line) if value in one), line)
    terms = read_terms(clause_of(value, sentence).replace(value, " "))
    return frozenset(one for one in terms.all - terms.deeds if not any(map(str.isdigit, one)))


def _values(one: Deviation, said: Statement, source: SourceIndex) -> Iterator[Told]:
    """Yield the one value of the sort that a sentence gives."""
    found: dict[str, Told] = {}
    for told in source.by_kind.get(one.kind, ()):
        if told.message == said.message and told.fact.value in said.text:
            found.setdefault(told.fact.value, told)
    if not found and one.kind in _NUMBERED:
        for match in BARE_NUMBER.finditer(said.text):
            fact = Fact(one.kind, "", match.group(), said.text, said.speaker, 0.0, match.span())
            found.setdefault(match.group(), Told(fact, said.message))
    fit = [
        told
        for told in found.values()
        if _fits(one, told.fact.value) and not _is_former(told.fact.value, said)
    ]
    if len(fit) == 1:
        yield fit[0]


def _fits(one: Deviation, value: str) -> bool:
    if equal_by(one.kind, one.source, value) or equal_by(one.kind, one.value, value):
        return False
    return one.kind not in QUANTITIES or one.kind == "port" or same_unit(one.value, value)
