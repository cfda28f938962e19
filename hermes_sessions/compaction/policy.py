"""The numbers that steer a compaction. NOT the cutting, NOT whether one is due."""

import math
from dataclasses import KW_ONLY, dataclass
from typing import Final

from hermes_sessions.errors import PolicyError
from hermes_sessions.tokens import DEFAULT_ENCODING

_USABLE_SHARE: Final = 0.95
"""A compaction is due at the latest when this share of the usable window is full."""
_MIN_FALLBACK_CHARS: Final = 1_000
_LEAST_HANDOFF_TOKENS: Final = 300


@dataclass(frozen=True, slots=True)
class CompactionPolicy:
    """How much of a transcript survives verbatim, and when to compact.

    Attributes:
        context_window: tokens the model takes, answer included.
        threshold: share of the window at which a compaction is due.
        floor_tokens: not due below this many tokens, whatever the threshold; a window
            smaller than that is still compacted before it is full.
        reserved_output_tokens: part of the window kept for the answer.
        tail_tokens: what recent messages may cost; a fifth of the threshold by default.
        soft_ceiling: by how much one large message may overrun the tail.
        head_messages: first messages kept behind the system prompt, the first time.
        min_tail_messages: recent messages kept even beyond `tail_tokens`, as long as they
            stay under the threshold.
        summary_tokens: length of a summary; by default a fifth of its span, within
            2,000 tokens and a twentieth of the window, and a quarter of the threshold.
        request_tokens: what a summariser is sent at most; half the window by default.
        user_words_chars: room for the user's own words in the handoff; this and the next
            three shrink together where the handoff would fill the threshold.
        facts_chars: room for the index of exact facts in the handoff.
        verbatim_tail_chars: room for the end of the last summarised reply; 0 for none.
        fallback_chars: size of a handoff made without a summary.
        min_saving: share of the tokens that a compaction must save to be kept.
        abort_on_summary_failure: keep everything as it is when no summary could be had.
        encoding: vocabulary that counts the tokens.

    Raises:
        PolicyError: a value, or a combination of values, is impossible.
    """

    context_window: int
    _: KW_ONLY
    threshold: float = 0.5
    floor_tokens: int = 0
    reserved_output_tokens: int = 0
    tail_tokens: int | None = None
    soft_ceiling: float = 1.5
    head_messages: int = 3
    min_tail_messages: int = 8
    summary_tokens: int | None = None
    request_tokens: int | None = None
    user_words_chars: int = 8_000
    facts_chars: int = 4_000
    verbatim_tail_chars: int = 1_500
    fallback_chars: int = 8_000
    min_saving: float = 0.0
    abort_on_summary_failure: bool = False
    encoding: str = DEFAULT_ENCODING

    def __post_init__(self) -> None:
        for name in (*_WHOLE_NUMBERS, *_NUMBERS):
            _require_number(name, getattr(self, name), whole=name in _WHOLE_NUMBERS)
        _require(
            isinstance(self.abort_on_summary_failure, bool), "abort_on_summary_failure", "must be a bool"
        )
        _require(isinstance(self.encoding, str), "encoding", "must be the name of a vocabulary")
        for name in ("context_window", "summary_tokens", "request_tokens"):
            _require(getattr(self, name) is None or getattr(self, name) >= 1, name, "must be at least 1")
        for name in _NOT_NEGATIVE:
            _require(getattr(self, name) is None or getattr(self, name) >= 0, name, "must not be negative")
        _require(0 < self.threshold <= 1, "threshold", "must be above 0 and at most 1")
        _require(1 <= self.soft_ceiling <= 100, "soft_ceiling", "must be from 1 to 100")
        _require(0 <= self.min_saving < 1, "min_saving", "must be from 0 to below 1")
        _require(
            self.fallback_chars >= _MIN_FALLBACK_CHARS,
            "fallback_chars",
            f"must be at least {_MIN_FALLBACK_CHARS}: the markers and the receipt need that much",
        )
        self._check_against_window()

    def _check_against_window(self) -> None:
        for name in ("reserved_output_tokens", "tail_tokens", "summary_tokens"):
            value = getattr(self, name)
            _require(
                value is None or value < self.context_window,
                name,
                f"({value}) must be below context_window ({self.context_window})",
            )
        kept = self.tail_budget + (self.summary_tokens or 0) + self.reserved_output_tokens
        _require(
            kept < self.context_window,
            "tail_tokens",
            f"with summary_tokens and reserved_output_tokens ({kept}) must leave room in context_window",
        )

    @property
    def usable_tokens(self) -> int:
        """What a request may cost: the window without the room for the answer."""
        return self.context_window - self.reserved_output_tokens

    @property
    def threshold_tokens(self) -> int:
        """At how many tokens a compaction is due."""
        wanted = max(math.ceil(self.context_window * self.threshold), self.floor_tokens)
        return max(1, min(wanted, int(self.usable_tokens * _USABLE_SHARE)))

    @property
    def tail_budget(self) -> int:
        """What the recent messages may cost."""
        return self.threshold_tokens // 5 if self.tail_tokens is None else self.tail_tokens

    @property
    def ceiling_tokens(self) -> int:
        """What the tail may cost when one message overruns it, or to reach an anchor."""
        return int(self.tail_budget * self.soft_ceiling)

    @property
    def request_budget(self) -> int:
        """What a summariser is sent at most."""
        return self.request_tokens or max(1, self.context_window // 2)

    @property
    def least_tokens(self) -> int:
        """What head and tail may cost for the sake of `min_tail_messages`: a handoff must fit beside them."""
        return min(self.threshold_tokens * 3 // 4, self.threshold_tokens - _LEAST_HANDOFF_TOKENS)

    def handoff_tokens(self, kept_tokens: int) -> int:
        """Return what a handoff may cost beside *kept_tokens*.

        Two thirds of what they leave below the threshold, so that the next compaction is
        not due at once; where they fill that alone, of what they leave in the window.
        """
        most = self.threshold_tokens if kept_tokens < self.threshold_tokens else self.usable_tokens
        return max(0, most - kept_tokens) * 2 // 3

    def summary_budget(self, span_tokens: int) -> int:
        """Return how long the summary of a span of *span_tokens* may be."""
        if self.summary_tokens is not None:
            return self.summary_tokens
        most = max(2_000, min(self.context_window // 20, 12_000))
        most = min(most, self.threshold_tokens // 4)
        return max(64, min(most, max(span_tokens // 5, min(400, span_tokens // 2))))


_NOT_NEGATIVE: Final = (
    "floor_tokens",
    "reserved_output_tokens",
    "tail_tokens",
    "head_messages",
    "min_tail_messages",
    "user_words_chars",
    "facts_chars",
    "verbatim_tail_chars",
)
_WHOLE_NUMBERS: Final = (
    "context_window",
    "summary_tokens",
    "request_tokens",
    "fallback_chars",
    *_NOT_NEGATIVE,
)
_NUMBERS: Final = ("threshold", "soft_ceiling", "min_saving")
_OPTIONAL: Final = ("tail_tokens", "summary_tokens", "request_tokens")


def _require(holds: bool, name: str, problem: str) -> None:
    if not holds:
        raise PolicyError(f"compaction policy: {name} {problem}")


def _require_number(name: str, value: object, *, whole: bool) -> None:
    """Refuse what is no number at all: read from a file or an option, a value may be anything."""
    if value is None and name in _OPTIONAL:
        return
    fits = isinstance(value, int if whole else (int, float)) and not isinstance(value, bool)
    _require(fits, name, f"must be a {'whole number' if whole else 'number'}, not {value!r:.60}")
