"""Read the journal that our engine writes in the agent's home, and put it beside what the rows show.

A line of the engine is what only the engine knows: it is attached to the compaction with that
handoff, else to the nearest one of its session. The agent's own accounts are claims, as its log's
are; pruned tool results have no row that would show them, so an account makes a compaction.

Source: docs/hermes_engine.md, "The journal"; `hermes.compaction` records of version 1.
"""

import contextlib
import json
import math
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
        accounts: the agent's own, in the form of its log's.
        prunes: tool results that the agent pruned.
    """

    runs: Mapping[str, Sequence[_Line]] = field(default_factory=dict)
    accounts: Sequence[CompactionAttempt] = ()
    prunes: Mapping[str, Sequence[_Line]] = field(default_factory=dict)


def read_journal(database: Path) -> EngineJournal:
    """Return the journal beside the `state.db` at *database*; nothing where it is missing or nonsense."""
    runs: dict[str, list[_Line]] = defaultdict(list)
    prunes: dict[str, list[_Line]] = defaultdict(list)
    accounts = []
    for name in (OLDER_FILE, FILE):
        for line in _lines(database.parent / name):
            session, at = line.get("session"), _number(line.get("at"))
            if not isinstance(session, str) or at is None:
                continue
            record = line.get("record")
            if line.get("kind") == "compaction" and line.get("status") == "committed":
                runs[session].append(line)
            elif line.get("kind") == "account" and isinstance(record, dict):
                if record.get("kind") != _PRUNE:
                    accounts.append(_attempt(session, at, record))
                elif record.get("outcome") == "committed":
                    prunes[session].append(line)
    return EngineJournal(runs=dict(runs), accounts=accounts, prunes=dict(prunes))


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
        for line in journal.prunes.get(session, ()):
            record = line["record"]
            yield CompactionRow(
                key=f"prune:{session}:{record.get('attempt_id') or line['at']}",
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


def _noted(row: CompactionRow, line: _Line) -> CompactionRow:
    """Return *row* with the columns that only the engine knows, and the rest of the line as a claim."""
    method = _text(line.get("method"))
    noted = {
        "method": method if method in set(CompactionMethod) else row.method.value,
        "summarizer_model": _text(line.get("summarizer_model")) or None,
        "trigger": _text(line.get("trigger")),
        "focus": _text(line.get("focus")) or None,
        "policy": line["policy"] if isinstance(line.get("policy"), dict) else None,
        "tokens_before": _count(line.get("tokens_before")),
        "tokens_after": _count(line.get("tokens_after")),
        "tokens_method": _text(line.get("tokens_method")),
        "started_at": _number(line.get("started_at")),
        "error": _text(line.get("reason")) or None,
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
