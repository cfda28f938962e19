"""What the source of a finding says, quoted whole: amounts with their unit, tests with what failed. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from hermes_sessions.audit.checking.counterparts import BARE_NUMBER
from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.sources.source_index import QUANTITIES, SourceIndex
from hermes_sessions.facts.equivalence import outcome
from hermes_sessions.facts.values import Fact
from hermes_sessions.late_patterns import late_pattern

_LONGEST: Final = 80
"""A result of more signs is quoted by the count that differs."""
_ERRORS: Final = late_pattern(
    r"(?<![\w.,:])[1-9]\d{0,5} (?:errors?|Fehler\w*|erreurs?|errore[si]?|erros?|ошиб\w+)\b", re.I
)
"""Tests that did not run to their end, which some runs count apart: `38 passed, 2 errors`."""
_GOOD: Final = frozenset({"passed", "skipped", ""})


def told_whole(one: Deviation, source: SourceIndex) -> Deviation:
    """Return *one* with the value of its source as it is told there."""
    if not one.source or one.source == one.source_line or one.value == one.line:
        return one
    if one.kind == "test_result":
        return one._replace(source=_whole_result(one, source) or one.source)
    if one.kind in QUANTITIES and BARE_NUMBER.fullmatch(one.source) and not BARE_NUMBER.fullmatch(one.value):
        return one._replace(source=_with_unit(one, source) or one.source)
    return one


def told_once(found: Sequence[Deviation]) -> list[Deviation]:
    """Return *found* without the bare numbers that another finding of the line has with their unit."""
    numbers = [_numbers(one) for one in found]
    return [
        one
        for at, one in enumerate(found)
        if not any(
            numbers[at] == numbers[place]
            and (one.value, one.source) == numbers[at]
            and (other.value, other.source) != numbers[at]
            and other.grade is one.grade
            and (one.line in other.line or other.line in one.line)
            for place, other in enumerate(found)
        )
    ]


def _numbers(one: Deviation) -> tuple[str, str]:
    if one.kind not in QUANTITIES:
        return ("", "")
    found = [BARE_NUMBER.search(value) for value in (one.value, one.source)]
    first, second = (match.group() if match else "" for match in found)
    return first, second


def _with_unit(one: Deviation, source: SourceIndex) -> str:
    """Return the quantity of the source's line that has the number, '' where it has no unit there."""
    for kind in (one.kind, *sorted(QUANTITIES - {one.kind})):
        for fact in _facts_of(kind, one, source):
            number = BARE_NUMBER.search(fact.value)
            if number and number.group() == one.source and fact.value != one.source:
                return fact.value
    return ""


def _whole_result(one: Deviation, source: SourceIndex) -> str:
    """Return all that a run of tests came to where the handoff leaves out what failed, else ''."""
    facts = _facts_of("test_result", one, source)
    if outcome(one.line) not in _GOOD:
        return ""
    known = [outcome(fact.value) for fact in facts]
    places = [(at, at + len(fact.value)) for fact in facts if (at := one.source_line.find(fact.value)) >= 0]
    errors = [match.span() for match in _ERRORS.finditer(one.source_line)] if places else []
    is_bad = bool(errors) or not _GOOD.issuperset(known)
    if len(set(known)) < len(known) or len(known) + len(errors) < 2 or not is_bad or not places:
        return ""
    start, end = min(places + errors)[0], max(end for _, end in places + errors)
    whole = one.source_line[start:end]
    return whole if len(whole) <= _LONGEST else ""


def _facts_of(kind: str, one: Deviation, source: SourceIndex) -> Sequence[Fact]:
    """Return the facts of a kind in the line of the source."""
    return [
        told.fact
        for told in source.by_kind.get(kind, ())
        if told.message == (one.message or 0) and told.fact.text == one.source_line
    ]
