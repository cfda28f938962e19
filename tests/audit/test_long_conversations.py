"""The audit of a conversation takes a time that grows with its compactions."""

from collections.abc import Callable

import pytest

from hermes_sessions.audit.rules import check_conversation
from hermes_sessions.audit.spans import cut_conversation
from hermes_sessions.audit.values import AuditedSession, AuditMessage, CompactionFacts, ConversationCase
from hermes_sessions.operations.auditing.audit_conversations import audit_case
from tests.stopwatch import assert_growth

pytestmark = pytest.mark.slow

COMPACTIONS = 1_000
GROWTH = 8.0


def rotations(count: int, **facts: object) -> ConversationCase:
    """A chain: each session was compacted into the next."""
    sessions = [
        AuditedSession(
            key=key, foreign_id=str(key), parent=key - 1 or None, end_reason="compression", rows=[_asked(key)]
        )
        for key in range(1, count + 2)
    ]
    return cut_conversation(sessions, [_facts(key, "rotation", **facts) for key in range(1, count + 1)])


def in_place(count: int) -> ConversationCase:
    """One session that was compacted again and again."""
    rows = [_asked(key) for key in range(1, count + 2)]
    compactions = [_facts(key, "in_place") for key in range(1, count + 1)]
    return cut_conversation([AuditedSession(key=1, foreign_id="1", rows=rows)], compactions)


def _asked(key: int) -> AuditMessage:
    return AuditMessage(
        id=key, position=key, original=key, role="user", text=f"Mend part {key} of src/a{key}.py"
    )


def _facts(key: int, realisation: str, **facts: object) -> CompactionFacts:
    rotation = realisation == "rotation"
    columns = {
        "id": key, "ordinal": key, "realisation": realisation, "status": "committed",
        "session": key + 1 if rotation else 1, "parent": key if rotation else None,
        "child": key + 1 if rotation else None, "handoff": key + 1,
    } | facts  # fmt: skip
    return CompactionFacts(**columns)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(rotations, id="a chain"),
        pytest.param(in_place, id="in one session"),
        pytest.param(lambda count: rotations(count, fork=True), id="forks"),
        pytest.param(lambda count: rotations(count, status="interrupted", child=None), id="interrupted"),
    ],
)
def test_cutting_and_the_rules_are_linear(make: Callable[[int], ConversationCase]) -> None:
    def work(count: int) -> object:
        return list(check_conversation(make(count)))

    small, large = COMPACTIONS, 4 * COMPACTIONS
    assert_growth(lambda: work(small), lambda: work(large), GROWTH)


def test_the_worst_findings_are_looked_up_once() -> None:
    audit = audit_case(rotations(20, status="interrupted", child=None))
    assert set(audit.worst_ranks) == set(range(1, 21))
