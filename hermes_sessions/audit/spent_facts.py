"""Facts of a span that are of no further use: replaced, answered, mended or done."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hermes_sessions.audit.effects.corrected_values import ValueCorrections, find_corrections
from hermes_sessions.audit.effects.delivery import Delivery, read_delivery
from hermes_sessions.audit.effects.mended_errors import find_mended
from hermes_sessions.audit.ledger.sameness import gives_leave
from hermes_sessions.audit.relations.replacing import is_set_aside, replaces
from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.audit.words.modality import LEAVE
from hermes_sessions.facts.equivalence import outcome
from hermes_sessions.facts.slots import find_superseded
from hermes_sessions.facts.values import Fact
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_ASKED: Final = frozenset({"request", "question", "next_step"})
_VALUES: Final = frozenset(
    {"date", "time", "duration", "number", "money", "percentage", "port", "ip", "host", "version"}
)
_WAS_TO = late_pattern(
    r"\b(?:was|were|had been|sollte|war|lag|stand|devait|devaient|était|debía|iba a|era|estaba|deveria|devia"
    r"|ia|estava|doveva|moest|zou|stond|miał[aoy]?|był[aoy]?|долж\w+ был\w*|был[аои]?|стоял\w*)\b[^.;:!?]*$",
    re.I,
)
_MOVES = late_pattern(
    r"\b(?:avanc\w+|recul\w+|vorverleg\w*|verleg\w*|vorgezogen|vorziehen|push\w*|bring\w* forward|adelant\w+"
    r"|aplaz\w+|anticip\w+|adiad?\w+|adiant\w+|posticip\w+|vervroeg\w*|uitgesteld|stellen|przyspiesz\w*|перен\w+|сдвин\w+)\b",
    re.I,
)
_DIGIT = late_pattern(r"\d")
_REACH: Final = 60
_NARRATED: Final = frozenset({"next_step", "question"})
_WATCHED: Final = _ASKED | _VALUES | {"constraint", "test_result", "error", "todo", "file_changed"}
_TOOL: Final = Role.TOOL.value

_Watched = Sequence[tuple[int, Fact]]
"""Facts of a row, each with its place there."""


def find_spent(case: CompactionCase, read: Callable[[AuditMessage], Sequence[Fact]]) -> ValueCorrections:
    """Return the facts that a later message replaced, answered or finished, and what corrections give."""
    rows = case.before
    facts = [read(row) for row in rows]
    corrections = find_corrections(rows, facts)
    spent = corrections.spent
    spent |= {(rows[message].id, place) for message, place in find_superseded(facts)}
    spent |= find_mended(rows, facts)
    watched_facts = [list(_watched(found)) for found in facts]
    spent |= set(_lifted(rows, watched_facts))
    tested = passed = changed = reply = len(rows)
    last = next((at for at in range(len(rows) - 1, -1, -1) if rows[at].is_request), -1)
    left_open = -1 if last < 0 or _is_given(rows, last, facts[last]) else last
    later_changes: set[str] = set()
    for at in range(len(rows) - 1, -1, -1):
        row = rows[at]
        answered = 0 if at == left_open else len(rows)
        watched = watched_facts[at]
        for place, fact in watched:
            if (
                (fact.kind == "test_result" and tested < len(rows) and tested != at)
                or (fact.kind == "error" and at < passed < len(rows))
                or (fact.kind in _ASKED and row.role == Role.USER and at < reply < answered)
                or (fact.kind in _NARRATED and row.role == Role.ASSISTANT and at < changed < len(rows))
                or (fact.kind == "todo" and _is_done(fact, later_changes))
                or (fact.kind in _VALUES and _is_former(fact))
            ):
                spent.add((row.id, place))
        if results := [fact for _, fact in watched if fact.kind == "test_result"]:
            tested = min(tested, at) if tested < len(rows) else at
            if _is_green(results):
                passed = at
        if row.is_reply and not row.calls:
            reply = at
        if row.calls or row.is_request:
            changed = at
        later_changes.update(fact.value for _, fact in watched if fact.kind == "file_changed")
    return corrections


def _is_given(rows: Sequence[AuditMessage], last: int, facts: Sequence[Fact]) -> bool:
    """Whether what the last request asks for was given after it, or may have been."""
    kinds = {fact.kind for fact in facts}
    return read_delivery(rows[last].text, rows[last + 1 :], kinds) is not Delivery.OPEN


def _watched(facts: Sequence[Fact]) -> Iterator[tuple[int, Fact]]:
    """Yield the facts that may be spent, each with its place; values that a tool shows are none."""
    for place, fact in enumerate(facts):
        kind = fact.kind
        if kind in _WATCHED and (kind not in _VALUES or fact.speaker != _TOOL):
            yield place, fact


def _lifted(rows: Sequence[AuditMessage], watched: Sequence[_Watched]) -> Iterator[tuple[int, int]]:
    """Yield rules that the user took back, as the ledger hears it."""
    rules: list[tuple[int, int, Fact]] = []
    for row, found in zip(rows, watched, strict=True):
        own = [(row.id, place, fact) for place, fact in found if fact.kind == "constraint"]
        if rules and row.is_request and LEAVE.search(row.text):
            text = row.text
            for _, _, fact in own:
                text = text.replace(fact.value, " ")
            yield from ((message, place) for message, place, rule in rules if gives_leave(text, rule))
        rules += own


def _is_former(fact: Fact) -> bool:
    """`It was to begin on the 26th, we make it the 24th`: its sentence has another value since."""
    if is_set_aside(fact.value, fact.text):
        return True
    at = fact.text.find(fact.value)
    behind = fact.text[at + len(fact.value) :]
    was_to = at >= 0 and _WAS_TO.search(fact.text[:at][-_REACH:])
    return bool(was_to and _DIGIT.search(behind) and (replaces(behind) or _MOVES.search(behind)))


def _is_green(results: Sequence[Fact]) -> bool:
    """Whether tests ran and none failed."""
    failed = any(outcome(fact.value) == "failed" and _counts(fact) for fact in results)
    return not failed and any(outcome(fact.value) == "passed" for fact in results)


def _counts(fact: Fact) -> bool:
    return any(one in "123456789" for one in fact.value)


def _is_done(fact: Fact, changed: set[str]) -> bool:
    return any(path in fact.value for path in changed)
