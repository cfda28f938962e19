"""The lines of the journal: a compaction, what the host did with it, the agent's own account. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import isfinite
from typing import Any, Final

from hermes_sessions.compaction import Attempt, CompactionPolicy, CompactionResult
from hermes_sessions.handoff import split_handoff
from hermes_sessions.messages import CompactionOutcome
from hermes_sessions.redact import redact

VERSION: Final = 1
COMPACTION: Final = "compaction"
BOUNDARY: Final = "boundary"
ACCOUNT: Final = "account"
_RAISED: Final = "failed"
_MOST_LINES: Final = 20
_MOST_CHARS: Final = 300
_MOST_FIELDS: Final = 80
_RECORD_KEYS: Final = ("record", "payload", "compaction", "data", "event")


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionRun:
    """One call of the engine, whatever came of it.

    Attributes:
        session: the session that was compacted.
        requested: tokens of the request, as the host counted; None where it did not say.
        trigger: `manual` or `threshold`.
        error: what went wrong inside the engine; '' where nothing did.
    """

    session: str
    model: str
    engine: str
    messages_before: int
    requested: int | None
    trigger: str
    focus: str
    started_at: float
    finished_at: float
    policy: CompactionPolicy | None = None
    result: CompactionResult | None = None
    summarizer_model: str = ""
    error: str = ""


def compaction_line(run: CompactionRun) -> dict[str, Any]:
    """Return the line of one call of the engine."""
    line: dict[str, Any] = {
        "v": VERSION,
        "kind": COMPACTION,
        "at": run.finished_at,
        "started_at": run.started_at,
        "engine": run.engine,
        "session": run.session,
        "model": run.model,
        "trigger": run.trigger,
        "focus": _short(run.focus),
        "messages_before": run.messages_before,
        "request_tokens": run.requested,
        "policy": None if run.policy is None else asdict(run.policy),
        "summarizer_model": run.summarizer_model,
        "status": _RAISED,
        "reason": _short(run.error),
    }
    if run.result is not None:
        line |= _outcome(run.result)
    return line


def boundary_line(*, session: str, parent: str, at: float) -> dict[str, Any]:
    """Return the line for a result that the host took over: *parent* goes on as *session*."""
    return {"v": VERSION, "kind": BOUNDARY, "at": at, "session": session, "parent": parent}


def account_line(said: Mapping[str, Any], at: float) -> dict[str, Any] | None:
    """Return the line for a `hermes.compaction` record that a hook was given; None where it was given none.

    The record comes as keywords or as one mapping among them; only plain values are kept.
    """
    record: Mapping[str, Any] = said
    for key in _RECORD_KEYS:
        if isinstance(said.get(key), Mapping):
            record = said[key]
            break
    if "kind" not in record or "outcome" not in record:
        return None
    fields = list(record.items())[:_MOST_FIELDS]
    plain = {str(key): _plain(value) for key, value in fields if value is not None}
    session = record.get("session_id") or said.get("session_id") or ""
    return {"v": VERSION, "kind": ACCOUNT, "at": at, "session": str(session), "record": plain}


def attempts_of(lines: Iterable[Mapping[str, Any]], sessions: Iterable[str]) -> list[Attempt]:
    """Return the attempts that the journal has of *sessions*, oldest first: what pauses depend on."""
    wanted = set(sessions)
    found = []
    for line in lines:
        session = line.get("session")
        if line.get("kind") != COMPACTION or not isinstance(session, str) or session not in wanted:
            continue
        raised = line.get("status") == _RAISED
        failed = raised or line.get("status") == CompactionOutcome.ABORTED.value
        at = _finite(line.get("at"))
        before, after = (
            0.0 if raised else _finite(line.get(f"tokens_{when}")) for when in ("before", "after")
        )
        if at is not None and before is not None and after is not None:
            found.append(
                Attempt(finished_at=at, failed=failed, tokens_before=int(before), tokens_after=int(after))
            )
    return found


def attempt_of(run: CompactionRun) -> Attempt:
    """Return one call of the engine as the next one sees it; one that raised has failed."""
    result = run.result
    return Attempt(
        finished_at=run.finished_at,
        failed=result is None or result.status is CompactionOutcome.ABORTED,
        tokens_before=result.tokens_before if result else 0,
        tokens_after=result.tokens_after if result else 0,
    )


def ancestors_of(lines: Sequence[Mapping[str, Any]], session: str) -> set[str]:
    """Return *session* and those that it continues, as the journal tells it."""
    parents = {
        line["session"]: line["parent"]
        for line in lines
        if line.get("kind") == BOUNDARY and isinstance(line.get("session"), str)
        and isinstance(line.get("parent"), str) and line["parent"] != line["session"]
    }  # fmt: skip
    found = {session}
    while (parent := parents.get(session)) is not None and parent not in found:
        found.add(parent)
        session = parent
    return found


def digest_of(handoff: str) -> str:
    """Return by what the importer knows a handoff again: the digest of what is between its frame."""
    parts = split_handoff(handoff)
    body = next((part.text for part in parts if part.kind == "handoff"), handoff)
    return sha256(body.encode("utf-8", "replace")).hexdigest()


def _outcome(result: CompactionResult) -> dict[str, Any]:
    return {
        "status": result.status.value,
        "method": None if result.method is None else result.method.value,
        "reason": _short(result.reason),
        "failure": result.failure,
        "tokens_before": result.tokens_before,
        "tokens_after": result.tokens_after,
        "tokens_method": result.tokens_method,
        "messages_after": len(result.messages),
        "span_messages": len(result.plan.span) if result.plan else 0,
        "handoff_sha256": digest_of(result.handoff) if result.handoff else "",
        "left_out": [_short(str(one)) for one in result.omissions[:_MOST_LINES]],
        "dropped_claims": [_short(one) for one in result.dropped_claims[:_MOST_LINES]],
    }


def _finite(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if isfinite(number) else None


def _short(text: str) -> str:
    masked = redact(" ".join(text.split())).text
    return masked if len(masked) <= _MOST_CHARS else f"{masked[: _MOST_CHARS - 1]}…"


def _plain(value: Any) -> Any:
    if isinstance(value, bool | int | float):
        return value
    return _short(str(value))
