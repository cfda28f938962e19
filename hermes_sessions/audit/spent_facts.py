"""Facts of a span that are of no further use: replaced, answered, mended or done."""

from collections.abc import Callable, Sequence
from typing import Final

from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.facts.equivalence import outcome
from hermes_sessions.facts.slots import find_superseded
from hermes_sessions.facts.values import Fact
from hermes_sessions.messages import Role

_NARRATED: Final = frozenset({"next_step", "question"})


def find_spent(
    case: CompactionCase, read: Callable[[AuditMessage], Sequence[Fact]]
) -> frozenset[tuple[int, int]]:
    """Return the places (message, fact) of facts that a later message replaced, answered or finished."""
    rows = case.before
    facts = [read(row) for row in rows]
    spent = {(rows[message].id, place) for message, place in find_superseded(facts)}
    tested = passed = changed = reply = len(rows)
    later_changes: set[str] = set()
    for at in range(len(rows) - 1, -1, -1):
        row = rows[at]
        for place, fact in enumerate(facts[at]):
            if (
                (fact.kind == "test_result" and tested < len(rows) and tested != at)
                or (fact.kind == "error" and at < passed < len(rows))
                or (fact.kind in ("request", "question") and row.role == Role.USER and at < reply < len(rows))
                or (fact.kind in _NARRATED and row.role == Role.ASSISTANT and at < changed < len(rows))
                or (fact.kind == "todo" and _is_done(fact, later_changes))
            ):
                spent.add((row.id, place))
        if results := [fact for fact in facts[at] if fact.kind == "test_result"]:
            tested = min(tested, at) if tested < len(rows) else at
            if _is_green(results):
                passed = at
        if row.is_reply and not row.calls:
            reply = at
        if row.calls or row.is_request:
            changed = at
        later_changes.update(fact.value for fact in facts[at] if fact.kind == "file_changed")
    return frozenset(spent)


def _is_green(results: Sequence[Fact]) -> bool:
    """Whether tests ran and none failed."""
    failed = any(outcome(fact.value) == "failed" and _counts(fact) for fact in results)
    return not failed and any(outcome(fact.value) == "passed" for fact in results)


def _counts(fact: Fact) -> bool:
    return any(one in "123456789" for one in fact.value)


def _is_done(fact: Fact, changed: set[str]) -> bool:
    return any(path in fact.value for path in changed)
