"""Read the journal that our engine writes in the agent's home, and put it beside what the rows show.

A line of the engine is what only the engine knows: it is attached to the compaction with that
handoff, else to the nearest one of its session. The agent's own accounts are claims, as its log's
are. Pruned tool results and attempts that changed nothing have no row that would show them, so
each makes a compaction.

Source: docs/hermes_engine.md, "The journal"; `hermes.compaction` records of version 1.
"""

import contextlib
import json
import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from hermes_sessions.agents.hermes.log_claims import NEAR_SECONDS
from hermes_sessions.agents.hermes.telemetry import CompactionAttempt
from hermes_sessions.agents.values import CompactionRow
from hermes_sessions.messages import CompactionMethod, CompactionStatus, Realisation

FILE: Final = "hermes-sessions/compactions.jsonl"
OLDER_FILE: Final = f"{FILE}.1"
_MAX_FILE_BYTES: Final = 64 * 1024 * 1024
_MAX_LINE_BYTES: Final = 64 * 1024
_PRUNE: Final = "prune_tool_results"
_SUMMARIES: Final = ("summarize", "micro_summarize")
"""Kinds of records whose compactions show in the rows."""
_FAILED: Final = ("aborted", "failed")
"""How lines and records name an attempt that changed nothing; what was skipped or blocked was none."""
_MOST_ATTEMPTS: Final = 500
_SAME_SECONDS: Final = 60.0
"""A record of a failure and the engine's own line of it are at most this far apart."""
_LEFT_OUT: Final = (
    "left_out",
    "dropped_claims",
    "request_tokens",
    "messages_before",
    "messages_after",
    "failure",
)
_Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineJournal:
    """What the journal says, by session.

    Attributes:
        runs: committed compactions of our engine.
        failures: attempts that changed nothing: lines of our engine, and the agent's accounts of others.
        accounts: the agent's own, in the form of its log's.
        prunes: tool results that the agent pruned.
        marks: changes with what is said of a session.
    """

    runs: Mapping[str, Sequence[_Line]] = field(default_factory=dict)
    failures: Mapping[str, Sequence[_Line]] = field(default_factory=dict)
    accounts: Sequence[CompactionAttempt] = ()
    prunes: Mapping[str, Sequence[_Line]] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Sorted:
    """Lines of one session, by what is done with them."""

    runs: list[_Line] = field(default_factory=list)
    failed: list[_Line] = field(default_factory=list)
    failed_accounts: list[_Line] = field(default_factory=list)
    prunes: list[_Line] = field(default_factory=list)
    latest: float = 0.0

    def failures(self) -> list[_Line]:
        """Return what failed, the newest ones, each once: a run of ours is in the agent's account too."""
        known = sorted(float(line["at"]) for line in (*self.runs, *self.failed))
        others = [line for line in self.failed_accounts if not _is_near(known, float(line["at"]))]
        return sorted((*self.failed, *others), key=lambda line: float(line["at"]))[-_MOST_ATTEMPTS:]

    def mark(self) -> str:
        """Return what changes with the lines that make or change a compaction."""
        groups = (self.runs, self.failed, self.failed_accounts, self.prunes)
        return ".".join((*(str(len(lines)) for lines in groups), f"{self.latest:.0f}"))


def journal_token(database: Path) -> str:
    """Return what changes with the journal beside the `state.db` at *database*; '' where there is none."""
    parts = []
    for name in (OLDER_FILE, FILE):
        with contextlib.suppress(OSError):
            stat = (database.parent / name).stat()
            parts.append(f"{stat.st_size}.{stat.st_mtime_ns}")
    return "-".join(parts)


def read_journal(database: Path) -> EngineJournal:
    """Return the journal beside the `state.db` at *database*; nothing where it is missing or nonsense."""
    found: dict[str, _Sorted] = defaultdict(_Sorted)
    accounts = []
    for name in (OLDER_FILE, FILE):
        for line in _lines(database.parent / name):
            session, at = line.get("session"), _number(line.get("at"))
            if not isinstance(session, str) or at is None:
                continue
            record = line.get("record")
            kept = None
            if line.get("kind") == "compaction":
                kept = _run_place(found[session], line)
            elif line.get("kind") == "account" and isinstance(record, dict):
                kept = _account_place(found[session], record)
                if record.get("kind") in _SUMMARIES and record.get("outcome") in ("committed", *_FAILED):
                    accounts.append(_attempt(session, at, record))
                    found[session].latest = max(found[session].latest, at)
            if kept is not None:
                kept.append(line)
                found[session].latest = max(found[session].latest, at)
    return EngineJournal(
        runs={one: lines.runs for one, lines in found.items() if lines.runs},
        failures={one: lines.failures() for one, lines in found.items()},
        accounts=accounts,
        prunes={one: lines.prunes for one, lines in found.items() if lines.prunes},
        marks={one: lines.mark() for one, lines in found.items() if lines.latest},
    )


def _run_place(found: _Sorted, line: _Line) -> list[_Line] | None:
    if line.get("status") == "committed":
        return found.runs
    return found.failed if line.get("status") in _FAILED else None


def _account_place(found: _Sorted, record: _Line) -> list[_Line] | None:
    if record.get("kind") == _PRUNE:
        return found.prunes if record.get("outcome") == "committed" else None
    is_failure = record.get("kind") in _SUMMARIES and record.get("outcome") in _FAILED
    return found.failed_accounts if is_failure else None


def with_journal(rows: Sequence[CompactionRow], journal: EngineJournal) -> list[CompactionRow]:
    """Return *rows*, each with the journal's line on it."""
    waiting = {session: list(lines) for session, lines in journal.runs.items()}
    result = list(rows)
    # Whose handoff is known is settled before time decides about the others.
    for exact in (True, False):
        for place, row in enumerate(result):
            if row.noted is not None or row.status is not CompactionStatus.COMMITTED:
                continue
            lines = waiting.get(row.parent or "", [])
            line = _same(row, lines) if exact else _nearest(row, lines)
            if line is not None:
                lines.remove(line)
                result[place] = _noted(row, line)
    return result


def prune_rows(sessions: Sequence[str], journal: EngineJournal) -> Iterator[CompactionRow]:
    """Yield a compaction for each time the agent pruned tool results of *sessions*."""
    for session in sessions:
        lines = journal.prunes.get(session, ())
        for name, line in {str(one["record"].get("attempt_id") or one["at"]): one for one in lines}.items():
            record = line["record"]
            yield CompactionRow(
                key=f"prune:{session}:{name}",
                realisation=Realisation.IN_PLACE,
                status=CompactionStatus.COMMITTED,
                session=session,
                parent=session,
                span_messages=_count(record.get("tool_results_pruned")),
                span_stored=False,
                method=CompactionMethod.PRUNE,
                finished_at=_number(line["at"]),
                trigger=_text(record.get("trigger")),
                tokens_before=_count(record.get("tokens_before")),
                tokens_after=_count(record.get("tokens_after")),
                claim=dict(record),
            )


def failure_rows(sessions: Sequence[str], journal: EngineJournal) -> Iterator[CompactionRow]:
    """Yield an aborted compaction for each attempt on *sessions* that changed nothing."""
    for session in sessions:
        for line in {line["at"]: line for line in journal.failures.get(session, ())}.values():
            record = line.get("record") if line.get("kind") == "account" else None
            said = record if isinstance(record, dict) else line
            reason = _text(line.get("reason")) or _text(said.get("failure_class"))
            row = CompactionRow(
                key=f"attempt:{session}:{float(line['at'])!r}",
                realisation=Realisation.IN_PLACE,
                status=CompactionStatus.ABORTED,
                session=session,
                parent=session,
                method=CompactionMethod.NONE,
                finished_at=_number(line["at"]),
                error=reason or "the journal gives no reason",
                trigger=_text(said.get("trigger")),
                tokens_before=_count(said.get("tokens_before")),
            )
            yield _noted(row, line) if said is line else replace(row, claim=dict(said))


def _noted(row: CompactionRow, line: _Line) -> CompactionRow:
    """Return *row* with the columns that only the engine knows, and the rest of the line as a claim."""
    method = _text(line.get("method"))
    without_result = line.get("status") == "failed" or bool(line.get("failure"))
    unfinished = row.status is not CompactionStatus.COMMITTED and without_result
    noted = {
        "method": method if method in set(CompactionMethod) else row.method.value,
        "summarizer_model": _text(line.get("summarizer_model")) or None,
        "trigger": _text(line.get("trigger")),
        "focus": _text(line.get("focus")) or None,
        "policy": line["policy"] if isinstance(line.get("policy"), dict) else None,
        "tokens_before": _count(line.get("tokens_before")),
        "tokens_after": None if unfinished else _count(line.get("tokens_after")),
        "tokens_method": _text(line.get("tokens_method")),
        "started_at": _number(line.get("started_at")),
        "error": _text(line.get("reason")) or row.error,
    }
    claim = {"engine": _text(line.get("engine")), **{key: line[key] for key in _LEFT_OUT if line.get(key)}}
    return replace(row, noted=noted, claim={**(row.claim or {}), **claim})


def _same(row: CompactionRow, lines: Sequence[_Line]) -> _Line | None:
    if not row.summary:
        return None
    digest = sha256(row.summary.encode("utf-8", "replace")).hexdigest()
    return next((line for line in lines if line.get("handoff_sha256") == digest), None)


def _nearest(row: CompactionRow, lines: Sequence[_Line]) -> _Line | None:
    if row.finished_at is None:
        return None
    near = [(abs(float(line["at"]) - row.finished_at), place) for place, line in enumerate(lines)]
    distance, place = min(near, default=(math.inf, 0))
    return lines[place] if distance <= NEAR_SECONDS else None


def _attempt(session: str, at: float, record: _Line) -> CompactionAttempt:
    took = _number(record.get("duration_ms"))
    return CompactionAttempt(
        session_id=session,
        attempt_id=_text(record.get("attempt_id")),
        event="account",
        logged_at=at,
        trigger=_text(record.get("trigger")),
        estimated_tokens=_count(record.get("tokens_before")),
        threshold_tokens=_count(record.get("threshold_tokens")),
        window_tokens=_count(record.get("context_limit")),
        total_seconds=None if took is None else took / 1000,
        fallback_used=record.get("method") == "deterministic_fallback",
        commit_status="committed" if record.get("outcome") == "committed" else "aborted",
        split_status=_text(record.get("split_status")),
        failure=_text(record.get("failure_class")),
        fields=record,
    )


def _lines(path: Path) -> Iterator[_Line]:
    if not path.is_file():
        return
    with contextlib.suppress(OSError), path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - _MAX_FILE_BYTES))
        while raw := stream.readline(_MAX_LINE_BYTES + 1):
            with contextlib.suppress(ValueError, RecursionError):
                found = json.loads(raw)
                if isinstance(found, dict):
                    yield found


def _is_near(times: Sequence[float], at: float) -> bool:
    """Return whether one of *times*, in order, is close to *at*."""
    place = bisect_left(times, at - _SAME_SECONDS)
    return place < len(times) and times[place] <= at + _SAME_SECONDS


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _count(value: object) -> int | None:
    number = _number(value)
    return None if number is None or number >= 2**63 else int(number)
