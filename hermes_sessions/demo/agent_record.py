"""What a demo agent has written down so far: rows of its tables, lines of its log.

Plain rows in memory, in the order in which an agent would have written them. Not
here: what is said in them, or how they get into a file.
"""

import json
import random
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

Row: TypeAlias = dict[str, Any]

_DOLLARS_PER_INPUT_TOKEN: Final = 3e-6
_DOLLARS_PER_OUTPUT_TOKEN: Final = 15e-6


@dataclass(slots=True)
class Ledger:
    """The rows and log lines of one agent, growing.

    Attributes:
        now: the present, epoch seconds; nothing is written later than it.
        chance: the only source of variety.
    """

    now: float
    chance: random.Random
    sessions: list[Row] = field(default_factory=list)
    messages: list[Row] = field(default_factory=list)
    locks: list[Row] = field(default_factory=list)
    log: list[tuple[float, str]] = field(default_factory=list)

    def add_session(self, started_at: float, **columns: Any) -> Row:
        """Write a row of `sessions` with an id made from its start, and return it."""
        stamp = datetime.fromtimestamp(started_at, UTC).strftime("%Y%m%d_%H%M%S")
        row: Row = {
            "id": f"{stamp}_{self.chance.randrange(16**6):06x}",
            "started_at": started_at,
            "last_activity_at": started_at,
            "message_count": 0,
            "tool_call_count": 0,
            "input_tokens": 0,
            "output_tokens": 0,
            "api_call_count": 0,
            "estimated_cost_usd": 0.0,
            "cost_status": "estimated",
        } | columns
        self.sessions.append(row)
        return row

    def add_message(self, session: Row, timestamp: float, **columns: Any) -> Row:
        """Write a row of `messages` at the end, count it in its session, and return it."""
        row: Row = {
            "id": len(self.messages) + 1,
            "session_id": session["id"],
            "timestamp": round(timestamp, 6),
            "active": 1,
            "compacted": 0,
        } | columns
        self.messages.append(row)
        session["message_count"] += 1
        session["last_activity_at"] = max(session["last_activity_at"], timestamp)
        self._charge(session, row)
        return row

    def log_compaction(self, session: Row, started_at: float, **facts: Any) -> None:
        """Write the telemetry line of a compaction of *session*, with the size of what is live in it."""
        size = sum(map(_tokens, self.live_rows(session)))
        fields = {
            "attempt_id": f"{self.chance.randrange(16**12):012x}",
            "session_id": session["id"],
            "event": "finished",
            "trigger_source": "threshold",
            "main_context_limit": 2 * size,
            "effective_threshold": size - size // 20,
            "current_estimated_tokens": size,
            "total_ms": self.chance.randrange(4_000, 31_000),
            "fallback_used": False,
            "commit_status": "committed",
        } | facts
        stamp = datetime.fromtimestamp(started_at, UTC).isoformat(sep=" ", timespec="milliseconds")
        line = f"{stamp} INFO agent: context compression attempt telemetry: {json.dumps(fields)}"
        self.log.append((started_at, line))

    def live_rows(self, session: Row) -> list[Row]:
        """Return the rows of *session* that the model sees, in order."""
        return [row for row in self.messages if row["session_id"] == session["id"] and row["active"]]

    def _charge(self, session: Row, row: Row) -> None:
        tokens = _tokens(row)
        if row["role"] != "assistant":
            session["input_tokens"] += tokens
            session["estimated_cost_usd"] += tokens * _DOLLARS_PER_INPUT_TOKEN
            return
        session["api_call_count"] += 1
        session["output_tokens"] += tokens
        session["estimated_cost_usd"] += tokens * _DOLLARS_PER_OUTPUT_TOKEN


def _tokens(row: Row) -> int:
    return (len(row.get("content") or "") + len(row.get("tool_calls") or "")) // 4 + 8
