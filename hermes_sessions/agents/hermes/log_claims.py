"""Put what an agent's log claims beside the compactions it matches. Pure.

A claim is kept, never believed over the rows: logs report commits that never
reached the database.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from hermes_sessions.agents.hermes.telemetry import CompactionAttempt
from hermes_sessions.agents.values import CompactionRow
from hermes_sessions.messages import CompactionStatus

NEAR_SECONDS: Final = 600.0
"""A log line and the compaction it tells of are at most this far apart."""


def group_attempts(attempts: Iterable[CompactionAttempt]) -> dict[str, list[CompactionAttempt]]:
    """Return one attempt per run, the line that says most, by the session that was compacted."""
    latest: dict[tuple[str, str], CompactionAttempt] = {}
    for attempt in attempts:
        key = attempt.session_id, attempt.attempt_id or f"{attempt.logged_at}"
        known = latest.get(key)
        latest[key] = attempt if known is None else _merged(known, attempt)
    grouped: dict[str, list[CompactionAttempt]] = defaultdict(list)
    for attempt in latest.values():
        grouped[attempt.session_id].append(attempt)
    return dict(grouped)


def with_claims(
    compactions: Sequence[CompactionRow], attempts: Mapping[str, Sequence[CompactionAttempt]]
) -> list[CompactionRow]:
    """Return *compactions*, each with the nearest unused claim about the session it compacted."""
    if not attempts:
        return list(compactions)
    used: set[int] = set()
    result = []
    for row in compactions:
        attempt = _nearest(row, attempts.get(row.parent or "", ()), used)
        if attempt is None:
            result.append(row)
            continue
        used.add(id(attempt))
        result.append(
            replace(
                row,
                trigger=attempt.trigger,
                tokens_before=attempt.estimated_tokens,
                claim=dict(attempt.fields),
            )
        )
    return result


def _nearest(
    row: CompactionRow, attempts: Sequence[CompactionAttempt], used: set[int]
) -> CompactionAttempt | None:
    wanted = row.status is CompactionStatus.COMMITTED
    known_at = row.finished_at if row.finished_at is not None else row.started_at
    if known_at is None:
        return None
    fitting = [
        (abs(attempt.logged_at - known_at), place, attempt)
        for place, attempt in enumerate(attempts)
        if id(attempt) not in used
        and attempt.logged_at is not None
        and abs(attempt.logged_at - known_at) <= NEAR_SECONDS
        and (attempt.commit_status != "aborted" or not wanted)
    ]
    return min(fitting)[2] if fitting else None


def _merged(first: CompactionAttempt, later: CompactionAttempt) -> CompactionAttempt:
    """Lines of one attempt: the later one, with what only the earlier one said."""
    return replace(
        later,
        fields={**first.fields, **later.fields},
        trigger=later.trigger or first.trigger,
        logged_at=later.logged_at if later.logged_at is not None else first.logged_at,
        estimated_tokens=(
            later.estimated_tokens if later.estimated_tokens is not None else first.estimated_tokens
        ),
        commit_status=later.commit_status or first.commit_status,
    )
