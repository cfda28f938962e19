"""What is known of a request's size, and of the attempts before it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hermes_sessions.compaction import Attempt
from hermes_sessions.compaction.due import COOLDOWN_SECONDS

_LEAST_RATIO: Final = 0.2
_MOST_RATIO: Final = 1.5
_MOST_TOKENS: Final = 10**12


@dataclass(slots=True)
class RequestSizes:
    """The host guesses before a request, the provider counts after it: one corrects the other.

    Attributes:
        guessed: the host's last guess; 0 where it made none since the last count.
        ratio: the provider's count over the host's guess, from the last request that had both; 0
            where there was none.
        overhead: what is sent beside the messages, as far as is known.
    """

    guessed: int = 0
    ratio: float = 0.0
    overhead: int = 0

    def guess(self, tokens: int) -> None:
        """Remember what the host guesses of the next request."""
        self.guessed = max(0, tokens)

    def count(self, tokens: int) -> None:
        """Take the provider's count of the request that was guessed last."""
        if tokens > 0 and self.guessed > 0:
            self.ratio = min(_MOST_RATIO, max(_LEAST_RATIO, tokens / self.guessed))
        self.guessed = 0

    def corrected(self, tokens: int) -> int:
        """Return a guess of the host as the provider would count it."""
        return int(tokens * self.ratio) if self.ratio else tokens

    def observe(self, request: int, messages: int) -> None:
        """Take what a whole request costs, and its messages alone; the rest is overhead."""
        if request > 0:
            self.overhead = max(0, request - messages)

    def forget(self) -> None:
        """Begin anew: another model counts differently."""
        self.guessed, self.ratio = 0, 0.0


def pause_after(attempts: Sequence[Attempt], now: float) -> float:
    """Return for how many seconds more the failures at the end of *attempts* hold back the next one."""
    failures = 0
    for attempt in reversed(attempts):
        if not attempt.failed:
            break
        failures += 1
    if not failures:
        return 0.0
    pause = COOLDOWN_SECONDS[min(failures, len(COOLDOWN_SECONDS)) - 1]
    left = attempts[-1].finished_at + pause - now
    # A clock that was set back must not stretch the pause.
    return 0.0 if left > 2 * pause else max(0.0, min(pause, left))


def positive(value: object) -> int:
    """Return a count as a whole number of a size that can be reckoned with; 0 for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    return int(min(value, _MOST_TOKENS)) if value > 0 else 0
