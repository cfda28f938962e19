"""Rules about what the agent did after a compaction, judged by what its calls do."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from hermes_sessions.audit.effects.calls import read_actions
from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.rules.base import Rule, RuleHit, ids
from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.outcomes import AGAIN, has_failed
from hermes_sessions.facts.effects.values import LASTING, OUTWARD, CallAction, Effect, is_same_file
from hermes_sessions.messages import Role, Severity

_MIN_REPLY: Final = 40
_MIN_REPEATS: Final = 2
_DEEDS: Final = {
    Effect.SENDS: frozenset({"send", "answer", "pay"}),
    Effect.DELETES: frozenset({"delete"}),
    Effect.PUBLISHES: frozenset({"push", "deploy", "merge"}),
    Effect.WRITES: frozenset({"change", "write"}),
}


def _ghost_response(found: MeasuredCompaction) -> Iterator[RuleHit]:
    case = found.case
    turn = _unasked_turn(case)
    if not turn or _is_pending(case):
        return
    done = {action.key for row in case.before for action in _actions(row)}
    said = {row.text.strip() for row in case.before if row.is_reply and len(row.text.strip()) >= _MIN_REPLY}
    again = [row for row in turn if row.text.strip() in said or _does_any(row, done)]
    new = [row for row in turn if row not in again and _acts_outward(row, case)]
    if again or new:
        evidence = {"repeated": len(again), "new_actions": len(new), "unasked_messages": len(turn)}
        yield RuleHit(messages=ids([row for row in turn if row in again or row in new]), evidence=evidence)


def _does_any(row: AuditMessage, done: Collection[tuple[str, ...]]) -> bool:
    return any(action.key in done and action.effect is not Effect.READS for action in _actions(row))


def _acts_outward(row: AuditMessage, case: CompactionCase) -> bool:
    """Whether a row sends, deletes or publishes something that nobody had asked for or announced."""
    effects = {action.effect for action in _actions(row)} & OUTWARD
    return bool(effects) and not any(_is_asked_for(effect, _last_words(case)) for effect in effects)


def _last_words(case: CompactionCase) -> Sequence[str]:
    """The last request before the compaction, and the last reply."""
    request = next((row.text for row in reversed(case.before) if row.is_request), "")
    reply = next((row.text for row in reversed(case.before) if row.is_reply), "")
    return request, reply


def _is_asked_for(effect: Effect, texts: Sequence[str]) -> bool:
    return any(read_terms(text[:4_000]).deeds & _DEEDS.get(effect, frozenset()) for text in texts)


def _unasked_turn(case: CompactionCase) -> Sequence[AuditMessage]:
    """Return what the assistant did before the user said anything new."""
    turn: list[AuditMessage] = []
    for row in case.following:
        if row.is_request:
            break
        if row.role == Role.ASSISTANT:
            turn.append(row)
    return turn


def _is_pending(case: CompactionCase) -> bool:
    """Whether the transcript before was in the middle of a turn: a request or a result waits."""
    last = next((row for row in reversed(case.before) if row.role != Role.SYSTEM), None)
    return last is None or not last.is_reply or bool(last.calls)


def _work_repeated(found: MeasuredCompaction) -> Iterator[RuleHit]:
    case = found.case
    failed = _failed_calls((*case.before, *case.following), _working_calls(case.span))
    done = Counter(action.key for row in case.span for action in _actions(row, failed) if _is_work(action))
    # What was run time and again in the span is a habit, such as the tests.
    once = {key for key, count in done.items() if count == 1}
    again = list(_repeated(case.following, once)) if once else []
    lasting = any(action.effect in LASTING for _, action in again)
    if lasting or len({action.key for _, action in again}) >= _MIN_REPEATS:
        rows = list(dict.fromkeys(row for row, _ in again))
        deeds = list(dict.fromkeys(" ".join(action.words)[:80] for _, action in again))
        effects = sorted({action.effect.value for _, action in again})
        yield RuleHit(messages=ids(rows), evidence={"done_again": deeds[:10], "effects": effects})


def _repeated(
    rows: Sequence[AuditMessage], once: Collection[tuple[str, ...]]
) -> Iterator[tuple[AuditMessage, CallAction]]:
    """Yield what was done again, unless the user asked for it, or what it works on had changed."""
    asked: list[str] = []
    changed = False
    for row in rows:
        if row.is_request:
            asked.append(row.text)
        for action in _actions(row):
            if action.key not in once:
                changed = changed or action.effect is Effect.WRITES
            elif not (_is_wanted_again(action, asked) or (changed and action.effect is Effect.PUBLISHES)):
                yield row, action


def _is_wanted_again(action: CallAction, asked: Sequence[str]) -> bool:
    return any(AGAIN.search(text) for text in asked) or (
        action.effect in OUTWARD and _is_asked_for(action.effect, asked)
    )


def _is_work(action: CallAction) -> bool:
    return action.effect in LASTING or action.effect is Effect.RUNS


def _working_calls(rows: Sequence[AuditMessage]) -> frozenset[str]:
    """Return the ids of calls that do work: of no other matters whether it failed."""
    return frozenset(
        one
        for row in rows
        for call in row.calls
        if any(map(_is_work, read_actions(call)))
        for one in call.ids
    )


def _failed_calls(rows: Sequence[AuditMessage], calls: Collection[str]) -> frozenset[str]:
    """Return those of *calls* whose result says that they failed: doing them again is no repetition."""
    return frozenset(
        one
        for row in rows
        if row.role == Role.TOOL
        and any(one in calls for one in row.result_ids)
        and has_failed(row.text[:4_000])
        for one in row.result_ids
    )


def _actions(row: AuditMessage, failed: Collection[str] = ()) -> Iterator[CallAction]:
    for call in row.calls:
        if not any(one in failed for one in call.ids):
            yield from read_actions(call)


def _re_read_after_loss(found: MeasuredCompaction) -> Iterator[RuleHit]:
    case = found.case
    lost = {path for row in case.span for path in _opened(row)}
    lost -= {path for row in case.after for path in _opened(row)}
    again = list(_read_again(case.following, lost)) if lost else []
    if again:
        paths = sorted({path for _, path in again})
        rows = list(dict.fromkeys(row for row, _ in again))
        yield RuleHit(messages=ids(rows), evidence={"paths": paths[:20], "reads": len(rows)})


def _read_again(rows: Sequence[AuditMessage], lost: Collection[str]) -> Iterator[tuple[AuditMessage, str]]:
    """Yield each opening of a lost file, but for one that the agent has changed since."""
    changed: set[str] = set()
    for row in rows:
        for action in _actions(row):
            for path in action.opened:
                found = next((one for one in lost if is_same_file(one, path)), None)
                if found is not None and found not in changed:
                    yield row, found
            changed.update(one for one in lost for path in action.changed if is_same_file(one, path))


def _opened(row: AuditMessage) -> set[str]:
    return {path for action in _actions(row) for path in action.opened}


RULES: Final = (
    Rule(
        code="ghost-response",
        severity=Severity.ERROR,
        about="After the compaction the assistant acted unasked: it did finished work again, or sent, deleted"
        " or published something that nobody had asked for.",
        advice="Check what it changed: it took the summary for a request.",
        compaction=_ghost_response,
    ),
    Rule(
        code="work-repeated",
        severity=Severity.WARNING,
        about="After the compaction the agent did again what it had done, once and with success, before it.",
        advice="Check for doubled effects: messages sent twice, edits applied twice.",
        compaction=_work_repeated,
    ),
    Rule(
        code="re-read-after-loss",
        severity=Severity.INFO,
        about="The agent read files again whose content was summarised away: what forgetting cost.",
        advice="Keep more of the tail, or name the files when you continue.",
        compaction=_re_read_after_loss,
    ),
)
