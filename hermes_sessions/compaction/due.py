"""Whether a compaction is due: the threshold, pauses after failures, none that could win nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from hermes_sessions.compaction.policy import CompactionPolicy

COOLDOWN_SECONDS: Final = (60.0, 300.0, 900.0)
"""How long to wait after the first, second and every later failure in a row."""

_INEFFECTIVE_SAVING: Final = 0.1
_REARM_GROWTH: Final = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One earlier compaction of the same conversation, as far as the next one cares.

    Attributes:
        finished_at: epoch seconds.
        failed: the summariser failed and nothing was changed.
        tokens_before: of the transcript.
        tokens_after: of the result; equal to `tokens_before` where nothing was changed.
    """

    finished_at: float
    failed: bool
    tokens_before: int
    tokens_after: int


@dataclass(frozen=True, slots=True)
class Due:
    """Whether a compaction is due; falsy with a reason when it is not."""

    due: bool
    reason: str

    def __bool__(self) -> bool:
        return self.due


def compaction_due(
    policy: CompactionPolicy,
    tokens: int,
    history: Sequence[Attempt] = (),
    *,
    now: float | None = None,
    counted: int | None = None,
) -> Due:
    """Return whether a transcript of *tokens* should be compacted now, and why.

    After failures there is a pause (60, 300, then 900 seconds). Behind a run that went
    through, the next one has nothing to win until the transcript has grown by a tenth
    of the threshold: then it is asked for again. A full window is tried at once, also
    after failures; only where the last run could not make room either, it waits for
    that growth, or for the pause where at least something was appended.

    Args:
        policy: where the threshold is.
        tokens: of the transcript, as the provider or `count_messages` counts.
        history: earlier attempts, oldest first.
        now: epoch seconds; without it the pause after failures is not kept.
        counted: the transcript as the attempts were counted, where *tokens* is another
            count: a provider's holds tools and overhead too, which is no growth.
    """
    if tokens < policy.threshold_tokens:
        return Due(False, f"{tokens} tokens are below the threshold of {policy.threshold_tokens}")
    own = tokens if counted is None else counted
    if tokens >= policy.usable_tokens:
        return _due_when_full(policy, own, history, now)
    wait = _cooldown(history, now, failed=True)
    if wait > 0:
        return Due(False, f"the last attempt failed; the next one is due in {wait:.0f} seconds")
    done = next((attempt for attempt in reversed(history) if not attempt.failed), None)
    if done is not None and own < (grown := _grown(policy, done)):
        why = "saved little" if _ineffective(policy, done) else "has summarised what there was"
        return Due(False, f"the last compaction {why}; the next one is due at {grown} tokens")
    return Due(True, f"{tokens} tokens reach the threshold of {policy.threshold_tokens}")


def should_compact(
    policy: CompactionPolicy,
    tokens: int,
    history: Sequence[Attempt] = (),
    *,
    now: float | None = None,
    counted: int | None = None,
) -> bool:
    """Return whether a transcript of *tokens* should be compacted now; see `compaction_due`."""
    return compaction_due(policy, tokens, history, now=now, counted=counted).due


def growth_decides(history: Sequence[Attempt]) -> bool:
    """Return whether the size of an earlier result decides when another compaction is due."""
    return any(not attempt.failed for attempt in history)


def _due_when_full(policy: CompactionPolicy, own: int, history: Sequence[Attempt], now: float | None) -> Due:
    full = f"the window of {policy.usable_tokens} usable tokens is full"
    if not history or not (history[-1].failed or _in_vain(history[-1])):
        return Due(True, full)
    if history[-1].failed:
        tried = _in_a_row(history, failed=True)
        wait = 0.0 if tried == 1 else _left(history[-1], COOLDOWN_SECONDS[0], now)
        again = f"{full}, and {tried} attempts in a row failed; the next one is due in {wait:.0f} seconds"
        return Due(wait <= 0, full if wait <= 0 else again)
    grown = _grown(policy, history[-1])
    if own >= grown:
        return Due(True, full)
    wait = _cooldown(history, now, failed=False)
    # With nothing new behind it, another attempt would end as the last one, however late it comes.
    waits = now is not None and own > history[-1].tokens_after
    if waits and wait <= 0:
        return Due(True, full)
    return Due(
        False,
        f"{full}, and the last attempt made no room; the next one is due at {grown} tokens"
        + (f" or in {wait:.0f} seconds" if waits else ""),
    )


def _cooldown(history: Sequence[Attempt], now: float | None, *, failed: bool) -> float:
    """Return for how long to wait after so many attempts in a row that failed, or that saved nothing."""
    count = _in_a_row(history, failed=failed)
    if not count:
        return 0.0
    return _left(history[-1], COOLDOWN_SECONDS[min(count, len(COOLDOWN_SECONDS)) - 1], now)


def _in_a_row(history: Sequence[Attempt], *, failed: bool) -> int:
    """Return how many of the last attempts failed, or saved nothing."""
    alike = takewhile(lambda one: one.failed is failed and (failed or _in_vain(one)), reversed(history))
    return sum(1 for _ in alike)


def _left(attempt: Attempt, pause: float, now: float | None) -> float:
    """Return what is left of a pause, in seconds; 0 where nobody knows the time."""
    if now is None:
        return 0.0
    left = attempt.finished_at + pause - now
    # A clock that was set back must not stretch the pause.
    return 0.0 if left > 2 * pause else max(0.0, min(pause, left))


def _grown(policy: CompactionPolicy, attempt: Attempt) -> int:
    return attempt.tokens_after + max(1, int(policy.threshold_tokens * _REARM_GROWTH))


def _in_vain(attempt: Attempt) -> bool:
    return attempt.tokens_before - attempt.tokens_after < attempt.tokens_before * _INEFFECTIVE_SAVING


def _ineffective(policy: CompactionPolicy, attempt: Attempt) -> bool:
    return _in_vain(attempt) or attempt.tokens_after >= policy.room_tokens
