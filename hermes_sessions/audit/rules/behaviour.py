"""Rules about what the agent did after a compaction."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.rules.base import Hit, Rule, ids
from hermes_sessions.audit.values import AuditMessage, CompactionCase, Severity
from hermes_sessions.messages import Role, ToolCall

_READING: Final = frozenset(
    {
        *("read", "view", "cat", "open", "get", "list", "ls", "search", "find", "grep", "glob", "fetch"),
        *("browse", "show", "status", "query", "lookup"),
    }
)
_OPENING: Final = frozenset({"read", "view", "cat", "open", "fetch"})
_WRITING: Final = frozenset(
    {
        *("write", "patch", "edit", "create", "delete", "remove", "send", "insert", "apply", "update"),
        *("replace", "move", "commit", "post", "publish"),
    }
)
_PATH_KEYS: Final = ("path", "file_path", "file", "filename", "notebook_path", "url")
_NAME_PARTS = re.compile(r"[a-z]+|[A-Z][a-z]*")
_MIN_REPLY: Final = 40
_MIN_REPEATS: Final = 2


def _ghost_response(found: MeasuredCompaction) -> Iterator[Hit]:
    case = found.case
    turn = _unasked_turn(case)
    if not turn or _is_pending(case):
        return
    done = {_key(call) for row in case.before for call in row.calls}
    said = {row.text.strip() for row in case.before if row.is_reply and len(row.text.strip()) >= _MIN_REPLY}
    again = [row for row in turn if row.text.strip() in said or any(_key(call) in done for call in row.calls)]
    if again:
        yield Hit(messages=ids(again), evidence={"repeated": len(again), "unasked_messages": len(turn)})


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


def _work_repeated(found: MeasuredCompaction) -> Iterator[Hit]:
    case = found.case
    done = Counter(_key(call) for row in case.span for call in row.calls if not _reads(call))
    again: dict[tuple[str, str], tuple[AuditMessage, ToolCall]] = {}
    for row in case.following:
        for call in row.calls:
            # What was run time and again in the span is a habit, such as the tests.
            if done[_key(call)] == 1:
                again.setdefault(_key(call), (row, call))
    writes = any(_names(call) & _WRITING for _, call in again.values())
    if writes or len(again) >= _MIN_REPEATS:
        rows = list(dict.fromkeys(row for row, _ in again.values()))
        yield Hit(messages=ids(rows), evidence={"tools": sorted({call.name for _, call in again.values()})})


def _re_read_after_loss(found: MeasuredCompaction) -> Iterator[Hit]:
    case = found.case
    lost = {path for row in case.span for path in _read_paths(row)}
    lost -= {path for row in case.after for path in _read_paths(row)}
    again = [row for row in case.following if not lost.isdisjoint(_read_paths(row))] if lost else []
    if again:
        paths = {path for row in again for path in _read_paths(row)} & lost
        yield Hit(messages=ids(again), evidence={"paths": sorted(paths)[:20], "reads": len(again)})


def _read_paths(row: AuditMessage) -> set[str]:
    return {path for call in row.calls if _opens(call) and (path := _path(call))}


def _path(call: ToolCall) -> str | None:
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return None
    if not isinstance(arguments, dict):
        return None
    found = (arguments.get(key) for key in _PATH_KEYS)
    return next((value for value in found if isinstance(value, str) and value), None)


def _reads(call: ToolCall) -> bool:
    return bool(_names(call) & _READING) and not _names(call) & _WRITING


def _opens(call: ToolCall) -> bool:
    return bool(_names(call) & _OPENING) and not _names(call) & _WRITING


def _names(call: ToolCall) -> set[str]:
    return {part.lower() for part in _NAME_PARTS.findall(call.name)}


def _key(call: ToolCall) -> tuple[str, str]:
    return call.name, "".join(call.arguments.split())


RULES: Final = (
    Rule(
        code="ghost-response",
        severity=Severity.ERROR,
        about="After the compaction the assistant acted unasked, and did finished work again.",
        advice="Check what it changed: it took the summary for a request.",
        compaction=_ghost_response,
    ),
    Rule(
        code="work-repeated",
        severity=Severity.WARNING,
        about="After the compaction the agent made calls again that it had made, once, before it.",
        advice="Check for doubled effects: messages sent twice, edits applied twice.",
        compaction=_work_repeated,
    ),
    Rule(
        code="re-read-after-loss",
        severity=Severity.INFO,
        about="The agent read files again whose content was summarised away: what forgetting cost.",
        advice="Keep more of the tail, or name the files when you go on.",
        compaction=_re_read_after_loss,
    ),
)
