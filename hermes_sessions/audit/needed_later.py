"""What of the lost tool results the agent needed in the calls after a compaction, and what that cost."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hermes_sessions.audit.effects.calls import read_actions
from hermes_sessions.audit.handed_on.kept_facts import KeptFact
from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.audit.verdict.asked_again import AskedAgain, find_asked_again
from hermes_sessions.facts.effects.values import CallAction, Effect, is_same_file
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

MAX_CALLS: Final = 40
"""So many calls after a compaction are looked at."""

MIN_CHARS: Final = 8
_MAX_CHARS: Final = 200_000
_MAX_ROWS: Final = 500
_STRING = late_pattern(rf"[\w./:@%+~-]{{{MIN_CHARS},200}}")
_TELLING = late_pattern(r"[\d./:@%+_-]|[a-z][A-Z]|[\u2e80-\ud7ff]{8}")
CountTokens = Callable[[Iterable[AuditMessage]], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class NeededLater:
    """What was needed of what a compaction took, in the calls after it.

    Attributes:
        calls: how many calls were looked at, at most `MAX_CALLS`.
        results: tool results that were summarised away.
        used: of these, those of which a later call used a string of `MIN_CHARS` or more.
        used_in_sight: of these, those whose used strings the handoff or a kept message has.
        read_again: calls that fetched a lost result again.
        asked_again: questions whose answer was lost.
        tokens: what was read and asked again, with calls, results and answers, estimated.
        questions: what was asked again, each with the lost answer.
    """

    calls: int = 0
    results: int = 0
    used: int = 0
    used_in_sight: int = 0
    read_again: int = 0
    asked_again: int = 0
    tokens: int = 0
    questions: tuple[AskedAgain, ...] = ()


def measure_needed(
    case: CompactionCase, count_tokens: CountTokens, gone: Sequence[KeptFact] = ()
) -> NeededLater:
    """Return what the agent needed again in the first calls after *case*, of whose facts *gone* are lost."""
    lost = [row for row in case.span if row.role == Role.TOOL and row.text.strip()]
    following = list(_first_calls(case.following))
    if not (following and case.span):
        return NeededLater(results=len(lost))
    used, missing = _used(case, lost, following)
    read = list(_read_again(case, following))
    questions = tuple(find_asked_again(case, following, gone))
    asked = list({one.row.id: one.row for one in questions}.values())
    paid = {row.id: row for row in (*_with_results(read, following), *_with_answers(asked, case.following))}
    return NeededLater(
        calls=sum(len(row.calls) for row in following),
        results=len(lost),
        used=len(used),
        used_in_sight=len(used - missing),
        read_again=len(read),
        asked_again=len(asked),
        tokens=count_tokens(paid.values()),
        questions=questions,
    )


def _first_calls(rows: Sequence[AuditMessage]) -> Iterator[AuditMessage]:
    """Yield rows until so many calls were made, with the results of the last."""
    calls = 0
    for row in rows:
        if calls >= MAX_CALLS and row.role != Role.TOOL:
            return
        calls += len(row.calls)
        yield row


def _used(
    case: CompactionCase, lost: Sequence[AuditMessage], following: Sequence[AuditMessage]
) -> tuple[set[int], set[int]]:
    """Return the lost results whose strings were used, and those of them not in sight."""
    holders: dict[str, set[int]] = {}
    for row in lost:
        for one in _strings(row.text):
            holders.setdefault(one, set()).add(row.id)
    kept = {one for row in case.after for one in _strings(f"{row.text}\n{_arguments(row)}")}
    kept |= set(_strings("\n".join((case.body, case.prompt))))
    new: set[str] = set()
    used: set[int] = set()
    missing: set[int] = set()
    for row in following:
        for one in _strings(_arguments(row)):
            if one in holders and one not in new:
                used |= holders[one]
                missing |= set() if one in kept else holders[one]
        if row.role in (Role.TOOL, Role.USER):
            new.update(_strings(row.text))
    return used, missing


def _strings(text: str) -> Iterator[str]:
    """Yield what is long and special enough to come from one place: paths, ids, names, addresses."""
    for match in _STRING.finditer(text[:_MAX_CHARS]):
        word = match.group().strip(".:-+~")
        if len(word) >= MIN_CHARS and _TELLING.search(word):
            yield word


def _arguments(row: AuditMessage) -> str:
    return "\n".join(call.arguments for call in row.calls)


def _read_again(case: CompactionCase, following: Sequence[AuditMessage]) -> Iterator[AuditMessage]:
    """Yield the rows whose calls fetch again what a lost result held."""
    lost = list(_readings(case.span[-_MAX_ROWS:]))
    kept = {action.key for action in _readings(case.after)}
    keys = {action.key for action in lost} - kept
    files = {path for action in lost for path in action.opened if action.key not in kept}
    changed: set[str] = set()
    for row in following:
        actions = [action for call in row.calls for action in read_actions(call)]
        if any(_fetches(action, keys, files - changed) for action in actions):
            yield row
        touched = {path for action in actions for path in action.changed}
        changed |= {one for one in files if any(is_same_file(one, path) for path in touched)}


def _fetches(action: CallAction, keys: Collection[tuple[str, ...]], files: Collection[str]) -> bool:
    if action.effect is not Effect.READS:
        return False
    if action.opened:
        return any(is_same_file(one, path) for one in files for path in action.opened)
    return action.key in keys and len(action.words) + len(action.key) > 2


def _readings(rows: Iterable[AuditMessage]) -> Iterator[CallAction]:
    for row in rows:
        for call in row.calls:
            yield from (action for action in read_actions(call) if action.effect is Effect.READS)


def _with_results(rows: Sequence[AuditMessage], following: Sequence[AuditMessage]) -> Iterator[AuditMessage]:
    called = {one for row in rows for call in row.calls for one in call.ids}
    yield from rows
    yield from (row for row in following if not called.isdisjoint(row.result_ids))


def _with_answers(rows: Sequence[AuditMessage], following: Sequence[AuditMessage]) -> Iterator[AuditMessage]:
    """Yield questions and what the user answered next."""
    wanted = {row.id for row in rows}
    waiting = False
    for row in following:
        if row.id in wanted:
            waiting = True
            yield row
        elif waiting and row.is_request:
            waiting = False
            yield row
