"""The numbers that steer a compaction. NOT the cutting, NOT whether one is due."""

import math
from dataclasses import KW_ONLY, dataclass
from typing import Final

from hermes_sessions.errors import PolicyError
from hermes_sessions.tokens import DEFAULT_ENCODING

_USABLE_SHARE: Final = 0.95
"""A compaction is due at the latest when this share of the usable window is full."""
_MIN_FALLBACK_CHARS: Final = 1_000
LEAST_HANDOFF_TOKENS: Final = 300
_SMALL_HANDOFF_TOKENS: Final = 600
_MOST_HANDOFF_TOKENS: Final = 24_000
_WINDOW_SHARE: Final = 0.08
_SPAN_SHARES: Final = ((0.114, 0), (0.083, 8_400), (0.074, 15_400))
"""(share of a span, and the tokens that it stands for at least): a longer span has a smaller share."""


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
        handoff_tokens: what a handoff may cost; by default 12 % of its span, 9 % of a span of
            100,000 tokens and 8 % of one of 200,000, at least 600, at most 8 % of the window or
            24,000. Rules in force are kept even beyond it.
        summary_tokens: length of a summary; by default a fifth of its span, within
            2,000 tokens and a twentieth of the window, a quarter of the threshold and two
            fifths of the handoff.
        request_tokens: what a summariser is sent at most; half the window by default.
        user_words_chars: most room for the user's own words in the handoff; None for what
            the rest leaves.
        facts_chars: most room for the index of exact facts in the handoff; None likewise.
        verbatim_tail_chars: room for the end of the last summarised reply; 0 for none.
        fallback_chars: most room for a handoff made without a summary; None likewise.
        min_saving: share of the tokens that a compaction must save to be kept.
        overhead_tokens: what is sent beside the transcript (tools, a system prompt that is not
            in it); it takes room in the window, and `tokens_before` and `_after` do not hold it.
        merge: whether a handoff that fits between no two roles may be put into the message
            behind it; False puts a note between them instead.
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
    handoff_tokens: int | None = None
    summary_tokens: int | None = None
    request_tokens: int | None = None
    user_words_chars: int | None = None
    facts_chars: int | None = None
    verbatim_tail_chars: int = 1_500
    fallback_chars: int | None = None
    min_saving: float = 0.0
    abort_on_summary_failure: bool = False
    overhead_tokens: int = 0
    merge: bool = True
    encoding: str = DEFAULT_ENCODING

    def __post_init__(self) -> None:
        for name in (*_WHOLE_NUMBERS, *_NUMBERS):
            _require_number(name, getattr(self, name), whole=name in _WHOLE_NUMBERS)
        for name in ("abort_on_summary_failure", "merge"):
            _require(isinstance(getattr(self, name), bool), name, "must be a bool")
        _require(isinstance(self.encoding, str), "encoding", "must be the name of a vocabulary")
        for name in ("context_window", "handoff_tokens", "summary_tokens", "request_tokens"):
            _require(getattr(self, name) is None or getattr(self, name) >= 1, name, "must be at least 1")
        for name in _NOT_NEGATIVE:
            _require(getattr(self, name) is None or getattr(self, name) >= 0, name, "must not be negative")
        _require(0 < self.threshold <= 1, "threshold", "must be above 0 and at most 1")
        _require(1 <= self.soft_ceiling <= 100, "soft_ceiling", "must be from 1 to 100")
        _require(0 <= self.min_saving < 1, "min_saving", "must be from 0 to below 1")
        _require(
            self.fallback_chars is None or self.fallback_chars >= _MIN_FALLBACK_CHARS,
            "fallback_chars",
            f"must be at least {_MIN_FALLBACK_CHARS}: the markers and the receipt need that much",
        )
        self._check_against_window()

    def _check_against_window(self) -> None:
        for name in (
            "reserved_output_tokens",
            "overhead_tokens",
            "tail_tokens",
            "handoff_tokens",
            "summary_tokens",
        ):
            value = getattr(self, name)
            _require(
                value is None or value < self.context_window,
                name,
                f"({value}) must be below context_window ({self.context_window})",
            )
        kept = self.tail_budget + (self.summary_tokens or 0) + self.reserved_output_tokens
        kept += self.overhead_tokens
        _require(
            kept < self.context_window,
            "tail_tokens",
            "with summary_tokens, reserved_output_tokens and overhead_tokens"
            f" ({kept}) must leave room in context_window",
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
    def room_tokens(self) -> int:
        """What the transcript alone may cost before a compaction is due again."""
        free = self.usable_tokens - self.overhead_tokens
        return max(1, self.threshold_tokens - self.overhead_tokens, free // 4)

    @property
    def fitting_tokens(self) -> int:
        """What the transcript alone may cost at most: the window without answer and overhead."""
        return max(1, self.usable_tokens - self.overhead_tokens)

    @property
    def instruction_tokens(self) -> int:
        """What the system and developer messages of a span may cost to be carried."""
        return self.room_tokens // 5

    @property
    def tail_budget(self) -> int:
        """What the recent messages may cost."""
        return self.room_tokens // 5 if self.tail_tokens is None else self.tail_tokens

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
        return min(self.room_tokens * 3 // 4, self.room_tokens - LEAST_HANDOFF_TOKENS)

    def handoff_room(self, kept_tokens: int) -> int:
        """Return what there is room for beside *kept_tokens*, whatever the handoff should cost.

        Two thirds of what they leave below the threshold, so that the next compaction is
        not due at once; where they fill that alone, of what they leave in the window.
        """
        most = self.room_tokens if kept_tokens < self.room_tokens else self.fitting_tokens
        return max(0, most - kept_tokens) * 2 // 3

    def rules_room(self, kept_tokens: int) -> int:
        """Return what a handoff of nothing but rules may cost beside *kept_tokens*, up to the window."""
        below = max(0, self.room_tokens - kept_tokens)
        return max(below, max(0, self.fitting_tokens - kept_tokens) * 2 // 3)

    def handoff_budget(self, span_tokens: int) -> int:
        """Return what the handoff of a span of *span_tokens* should cost; never less for a longer span."""
        if self.handoff_tokens is not None:
            return self.handoff_tokens
        of_span = min(max(int(span_tokens * share), least) for share, least in _SPAN_SHARES)
        most = min(of_span, int(self.context_window * _WINDOW_SHARE), _MOST_HANDOFF_TOKENS)
        return max(1, min(max(most, _SMALL_HANDOFF_TOKENS), self.context_window // 4))

    @property
    def rules_tokens(self) -> int:
        """What rules in force may cost, however little is left for all else."""
        return self.context_window // 4

    @property
    def decisions_tokens(self) -> int:
        """What decisions may cost, however little is left for all else."""
        return self.context_window // 8

    def summary_budget(self, span_tokens: int) -> int:
        """Return how long the summary of a span of *span_tokens* may be."""
        if self.summary_tokens is not None:
            return self.summary_tokens
        most = max(2_000, min(self.context_window // 20, 12_000))
        most = min(most, self.room_tokens // 4, self.handoff_budget(span_tokens) * 2 // 5)
        return max(64, min(most, max(span_tokens // 5, min(400, span_tokens // 2))))


_NOT_NEGATIVE: Final = (
    "floor_tokens",
    "overhead_tokens",
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
    "handoff_tokens",
    "summary_tokens",
    "request_tokens",
    "fallback_chars",
    *_NOT_NEGATIVE,
)
_NUMBERS: Final = ("threshold", "soft_ceiling", "min_saving")
_OPTIONAL: Final = (
    "tail_tokens",
    "handoff_tokens",
    "summary_tokens",
    "request_tokens",
    "user_words_chars",
    "facts_chars",
    "fallback_chars",
)


def _require(holds: bool, name: str, problem: str) -> None:
    if not holds:
        raise PolicyError(f"compaction policy: {name} {problem}")


def _require_number(name: str, value: object, *, whole: bool) -> None:
    """Refuse what is no number at all: read from a file or an option, a value may be anything."""
    if value is None and name in _OPTIONAL:
        return
    fits = isinstance(value, int if whole else (int, float)) and not isinstance(value, bool)
    _require(fits, name, f"must be a {'whole number' if whole else 'number'}, not {value!r:.60}")
