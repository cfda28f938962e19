"""Rules about the transcript that a compaction wrote: would a provider take it, what is replayed in it."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.rules.base import Rule, RuleHit, ids
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.messages import Role, Severity


def _head_fossilised(found: MeasuredCompaction) -> Iterator[RuleHit]:
    """A row of the head that the compaction before carried over as well."""
    earlier = {row.original for row in found.case.before if row.is_copy}
    head = [row for row in found.case.head if row.role != Role.SYSTEM and row.original in earlier]
    if head and found.case.facts.head:
        yield RuleHit(
            messages=ids(head), evidence={"count": len(head), "originals": [row.original for row in head]}
        )


def _orphan_tool_pair(found: MeasuredCompaction) -> Iterator[RuleHit]:
    case = found.case
    known = {row.original for row in _orphans(case.before, case.after)}
    orphans = [row for row in _orphans(case.after, case.following) if row.original not in known]
    if orphans:
        calls = sum(bool(row.calls) for row in orphans)
        yield RuleHit(
            messages=ids(orphans),
            evidence={"calls_without_result": calls, "results_without_call": len(orphans) - calls},
        )


def _orphans(rows: Sequence[AuditMessage], later: Sequence[AuditMessage]) -> list[AuditMessage]:
    """Return results whose call is not among *rows*, and calls that were never answered.

    The calls of the last turn may still be running.
    """
    answered = {one for row in (*rows, *later) for one in row.result_ids}
    called: set[str] = set()
    found = []
    running = next((row.id for row in reversed(rows) if row.role != Role.TOOL), None)
    for row in rows:
        if row.role == Role.TOOL and row.result_ids and called.isdisjoint(row.result_ids):
            found.append(row)
        named = [call.ids for call in row.calls if call.ids]
        called.update(one for names in named for one in names)
        if row.id != running and any(answered.isdisjoint(names) for names in named):
            found.append(row)
    return found


def _role_order(found: MeasuredCompaction) -> Iterator[RuleHit]:
    case = found.case
    rows = [row for row in case.after if row.role != Role.SYSTEM]
    before = [row.original for row in case.before]
    neighbours = set(itertools.pairwise(before))
    wrong = []
    if rows and rows[0].role != Role.USER and (not before or rows[0].original != before[0]):
        wrong.append(rows[0])
    for row, following in itertools.pairwise(rows):
        same = row.role == following.role and row.role in (Role.USER, Role.ASSISTANT)
        if same and (row.original, following.original) not in neighbours:
            wrong.append(following)
    if wrong:
        answered = any(row.role == Role.ASSISTANT for row in case.following)
        order = "only stored so" if answered else "refused by strict providers"
        yield RuleHit(
            messages=ids(wrong),
            evidence={"first_role": rows[0].role, "places": len(wrong), "order": order},
            severity=Severity.INFO if answered else None,
        )


RULES: Final = (
    Rule(
        code="head-fossilised",
        severity=Severity.WARNING,
        about="The same early messages are verbatim at the head of two or more successive contexts.",
        advice="Tell the agent that they are old; an agent may answer such a message again and again.",
        compaction=_head_fossilised,
    ),
    Rule(
        code="orphan-tool-pair",
        severity=Severity.ERROR,
        about="The compaction parted a tool call from its result.",
        advice="A strict provider refuses this transcript: continue in a new session, or undo the last turn.",
        compaction=_orphan_tool_pair,
    ),
    Rule(
        code="role-order",
        severity=Severity.WARNING,
        about="The new transcript does not begin with the user, or has one role twice in a row. Info where"
        " the model answered after it: it is only stored so.",
        advice="A strict provider refuses such an order; an update of the agent may repair it.",
        compaction=_role_order,
    ),
)
