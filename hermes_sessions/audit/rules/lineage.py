"""Rules about how the sessions of a conversation hang together."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from hermes_sessions.audit.rules.base import Rule, RuleHit
from hermes_sessions.audit.values import CompactionCase, ConversationCase
from hermes_sessions.lineage import CONTINUED
from hermes_sessions.messages import CompactionStatus, Severity

LOOP_COMPACTIONS: Final = 4
LOOP_MINUTES: Final = 10


def _fork(found: ConversationCase) -> Iterator[RuleHit]:
    continuations = Counter(case.facts.parent for case in found.compactions)
    for case in found.compactions:
        if case.facts.fork:
            yield RuleHit(
                session=case.facts.session,
                compaction=case.facts.id,
                evidence={
                    "continuations": continuations[case.facts.parent],
                    "new_messages": len(case.following),
                },
            )


def _interrupted(found: ConversationCase) -> Iterator[RuleHit]:
    closed = _closed(found)
    for case in found.compactions:
        if case.facts.status == CompactionStatus.INTERRUPTED and not _is_closed(case, closed):
            yield _stopped(case)


def _closed_without_child(found: ConversationCase) -> Iterator[RuleHit]:
    closed = _closed(found)
    for case in found.compactions:
        if case.facts.status == CompactionStatus.INTERRUPTED and _is_closed(case, closed):
            yield _stopped(case)


def _stopped(case: CompactionCase) -> RuleHit:
    return RuleHit(
        session=case.facts.session, compaction=case.facts.id, evidence={"recorded": case.facts.error or ""}
    )


def _closed(found: ConversationCase) -> set[int]:
    """Return the sessions that were closed by compression."""
    return {one.key for one in found.sessions if one.end_reason == CONTINUED}


def _is_closed(case: CompactionCase, closed: Collection[int]) -> bool:
    """Whether the session was closed by compression and no session continues from it."""
    return case.facts.child is None and case.facts.session in closed


def _missing_parent(found: ConversationCase) -> Iterator[RuleHit]:
    for session in found.sessions:
        if session.parent_id and session.parent is None and not session.cycle:
            yield RuleHit(session=session.key, evidence={"parent": session.parent_id})


def _cycle(found: ConversationCase) -> Iterator[RuleHit]:
    for session in found.sessions:
        if session.cycle:
            yield RuleHit(session=session.key, evidence={"members": list(session.cycle[:50])})


def _compaction_loop(found: ConversationCase) -> Iterator[RuleHit]:
    timed = [one for one in found.compactions if _is_timed(one)]
    start = 0
    while start < len(timed):
        end = _loop_end(timed, start)
        if end - start >= LOOP_COMPACTIONS:
            minutes = (_at(timed[end - 1]) - _at(timed[start])) / 60
            last = timed[end - 1].facts
            yield RuleHit(
                session=last.session,
                compaction=last.id,
                evidence={"compactions": end - start, "minutes": round(minutes, 1)},
            )
            start = end
        else:
            start += 1


def _loop_end(timed: Sequence[CompactionCase], start: int) -> int:
    """Return how far compactions follow so closely that each window of the rule's length is full.

    Where the clock was set back nobody knows how much time went by: it ends there.
    """
    end = start
    for place in range(start + LOOP_COMPACTIONS, len(timed) + 1):
        times = [_at(case) for case in timed[place - LOOP_COMPACTIONS : place]]
        if times != sorted(times) or times[-1] - times[0] > LOOP_MINUTES * 60:
            break
        end = place
    return end


def _is_timed(case: CompactionCase) -> bool:
    """Whether it is known when the conversation went on from it; a fork did not go on, a prune is none."""
    facts = case.facts
    return facts.is_committed and not facts.fork and not facts.is_prune and facts.finished_at is not None


def _at(case: CompactionCase) -> float:
    return case.facts.finished_at or 0.0


RULES: Final = (
    Rule(
        code="fork",
        severity=Severity.WARNING,
        about="One session has two continuations; only one is the conversation, the other is a fork.",
        advice="Look whether anything was said in the other one; two writers may have raced.",
        conversation=_fork,
    ),
    Rule(
        code="interrupted",
        severity=Severity.WARNING,
        about="A compaction began and did not finish.",
        advice="The transcript before it still counts; check the agent's log for why it stopped.",
        conversation=_interrupted,
    ),
    Rule(
        code="closed-without-child",
        severity=Severity.ERROR,
        about="A session was closed for a compaction, and no session continues from it.",
        advice="Resume the closed session: the agent shows nothing after it.",
        conversation=_closed_without_child,
    ),
    Rule(
        code="missing-parent",
        severity=Severity.WARNING,
        about="A session names a parent that is not stored; what came before it cannot be shown.",
        advice="Import an older backup of the agent's database, if there is one.",
        conversation=_missing_parent,
    ),
    Rule(
        code="cycle",
        severity=Severity.ERROR,
        about="Sessions are each other's parents; the circle was cut at the one that started first.",
        advice="The agent's own lists may depend on it; repair the parent there.",
        conversation=_cycle,
    ),
    Rule(
        code="compaction-loop",
        severity=Severity.WARNING,
        about=f"At least {LOOP_COMPACTIONS} compactions within {LOOP_MINUTES} minutes; prunes are none.",
        advice="Look for large output in the tail, or for too small a window or budget.",
        conversation=_compaction_loop,
    ),
)
