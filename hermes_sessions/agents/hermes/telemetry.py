"""Read what a Hermes log says about its compactions.

The agent writes one line of JSON for each step of an attempt to compact. They are
claims, not facts: kept beside a compaction, never instead of what the rows show.
Not here: which compaction an attempt belongs to.

Source: Hermes log line `context compression attempt telemetry: {json}`.
"""

import contextlib
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from hermes_sessions.late_patterns import late_pattern

_MARKER: Final = b"context compression attempt telemetry:"
_MAX_FILES: Final = 10
_MAX_FILE_BYTES: Final = 64 * 1024 * 1024
_MAX_LINE_BYTES: Final = 64 * 1024
_LOGGED_AT: Final = late_pattern(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,6}))?(Z|[+-]\d\d:?\d\d)?"
)
_ROTATION: Final = late_pattern(r"agent\.log\.(\d{1,4})")


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionAttempt:
    """One telemetry line; a field that the line did not have, or had wrong, is None.

    Attributes:
        session_id: the session that was compacted (the parent, in a rotation).
        attempt_id: the same for all lines of one attempt.
        event: what the line reports.
        logged_at: when it was written, epoch seconds; a time without a zone is local.
        trigger: what started the attempt.
        estimated_tokens: the context's size as the agent estimated it.
        threshold_tokens: the size from which it compacts.
        window_tokens: the model's context window.
        total_seconds: how long all of it took.
        fallback_used: the summary was made without a model.
        commit_status: committed, aborted, ...
        split_status: how it was stored.
        failure: the class of what went wrong.
        fields: the whole line as written.
    """

    session_id: str
    attempt_id: str | None
    event: str | None
    logged_at: float | None
    trigger: str | None
    estimated_tokens: int | None
    threshold_tokens: int | None
    window_tokens: int | None
    total_seconds: float | None
    fallback_used: bool | None
    commit_status: str | None
    split_status: str | None
    failure: str | None
    fields: Mapping[str, Any]


def find_logs(database: Path) -> tuple[Path, ...]:
    """Return the agent's logs that belong to the `state.db` at *database*, oldest first."""
    folder = database.parent / "logs"
    rotated: list[tuple[int, Path]] = []
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if path.name == "agent.log":
                rotated.append((0, path))
            elif match := _ROTATION.fullmatch(path.name):
                rotated.append((int(match[1]), path))
    newest = sorted(rotated)[:_MAX_FILES]
    return tuple(path for _, path in reversed(newest))


def read_telemetry(database: Path) -> Iterator[CompactionAttempt]:
    """Yield the telemetry lines beside the `state.db` at *database*, oldest file first.

    Of each log only the last 64 MB are read. A log that is missing, unreadable or
    full of something else yields nothing; a broken line is skipped.
    """
    for path in find_logs(database):
        with contextlib.suppress(OSError):
            yield from _read_log(path)


def parse_telemetry(line: str) -> CompactionAttempt | None:
    """Return the attempt that the log line *line* reports, or None when it reports none."""
    before, marker, after = line.partition(_MARKER.decode())
    if not marker:
        return None
    try:
        fields = json.loads(after.strip())
    except (ValueError, RecursionError):
        return None
    session_id = fields.get("session_id") if isinstance(fields, dict) else None
    if not isinstance(session_id, str) or not session_id:
        return None
    total = _number(fields, "total_ms")
    return CompactionAttempt(
        session_id=session_id,
        attempt_id=_text(fields, "attempt_id"),
        event=_text(fields, "event"),
        logged_at=_logged_at(before),
        trigger=_text(fields, "trigger_source"),
        estimated_tokens=_count(fields, "current_estimated_tokens"),
        threshold_tokens=_count(fields, "effective_threshold"),
        window_tokens=_count(fields, "main_context_limit"),
        total_seconds=None if total is None else total / 1000,
        fallback_used=fields["fallback_used"] if isinstance(fields.get("fallback_used"), bool) else None,
        commit_status=_text(fields, "commit_status"),
        split_status=_text(fields, "split_status"),
        failure=_text(fields, "failure_class"),
        fields=fields,
    )


def _read_log(path: Path) -> Iterator[CompactionAttempt]:
    if not path.is_file():
        return
    with path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - _MAX_FILE_BYTES))
        while line := stream.readline(_MAX_LINE_BYTES):
            if _MARKER in line:
                attempt = parse_telemetry(line.decode(errors="replace"))
                if attempt is not None:
                    yield attempt


def _logged_at(before: str) -> float | None:
    match = _LOGGED_AT.search(before)
    if match is None:
        return None
    day, clock, fraction, zone = match.groups(default="")
    try:
        return datetime.fromisoformat(f"{day}T{clock}.{fraction or 0:0<6}{zone}").timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def _text(fields: Mapping[str, Any], name: str) -> str | None:
    value = fields.get(name)
    return value if isinstance(value, str) else None


def _number(fields: Mapping[str, Any], name: str) -> float | None:
    value = fields.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _count(fields: Mapping[str, Any], name: str) -> int | None:
    number = _number(fields, name)
    return None if number is None or number >= 2**63 else int(number)
