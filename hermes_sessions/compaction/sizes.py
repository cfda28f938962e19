"""How large a handoff and its parts may be: roomy first, then smaller, the frame shrinking with them."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hermes_sessions.compaction.policy import CompactionPolicy

_SHORT_CHARS: Final = 160
"""To what a summary is cut before the user's words are left out altogether."""
_BRIEF_TOKENS: Final = 2_000
"""Below it headings and places are shared, and the frame, the tail and talk give way to values."""
_TERSE_TOKENS: Final = 400
"""Below it no section has a heading, and what is no rule, no fact and no summary is left out."""
_BRIEF_TAIL_CHARS: Final = 0.2
_LEAST_PART: Final = 64
"""Of the budget, for all but rules, before a rule is left out."""
_FEWER_RULES: Final = (0.8, 0.6, 0.4, 0.2, 0.0)
"""Of the room, for rules, where all of them do not fit the window."""
_TAIL_CHARS: Final = 0.4
_LEAST_TAIL_CHARS: Final = 240
"""Characters of the last reply for each token of the budget, a tenth of it, and at least."""
_TOLD_CHARS: Final = 8_000


@dataclass(frozen=True, slots=True)
class PartSizes:
    """What a handoff and its parts may cost.

    Attributes:
        tokens: of the whole; rules alone may exceed it.
        rules: tokens of the rules.
        laid_down: tokens that decisions may cost however little is left for all else.
        besides: whether what earlier handoffs held may be paid besides: nobody named a bound.
        verbatim: characters of the end of the last reply.
        summary: characters of the summary.
        told: characters of instructions that are quoted, and as much for the host's notes.
        pointers: how many of the newest pointers stand alone, older ones share a line.
        words: characters of the user's words at most; None for no such bound.
        facts: characters of the facts likewise.
        whole: characters of a handoff without a summary likewise.
        room: tokens of the whole at most, where rules are left out for it; None elsewhere.
        rules_alone: whether nothing is left to give up but rules.
    """

    tokens: int
    rules: int
    laid_down: int
    verbatim: int
    summary: int
    pointers: int = 2
    told: int = 0
    words: int | None = None
    facts: int | None = None
    whole: int | None = None
    besides: bool = True
    room: int | None = None
    rules_alone: bool = False

    @property
    def brief(self) -> bool:
        """Whether it is so small that headings and talk would take the room of values."""
        return self.tokens < _BRIEF_TOKENS

    @property
    def terse(self) -> bool:
        """Whether it is so small that the frame itself has to shrink to its markers."""
        return self.tokens < _TERSE_TOKENS


def sizes_for(
    policy: CompactionPolicy, span_tokens: int, room_tokens: int, rules_room: int
) -> Iterator[PartSizes]:
    """Yield sizes to try, roomy first: neither a small span nor a small window can pay for large parts.

    Args:
        room_tokens: what the handoff can cost at most.
        rules_room: what it can cost where nothing but rules is left.
    """
    full = max(1, min(policy.handoff_budget(span_tokens), room_tokens))
    # Instructions are never given up for room, but a host's bound of a fallback counts for them too.
    told = min(_TOLD_CHARS, policy.rules_tokens * 3, (policy.fallback_chars or sys.maxsize) // 4)
    # Rules go last: all else is given up before them, and they may take what the next turns need.
    most = policy.rules_tokens
    fewer = tuple(min(most, int(room_tokens * share)) for share in _FEWER_RULES)
    for part, rules, pointers in (
        (1, most, 2),
        (1.25, most, 2),
        (1.5, most, 2),
        (2, most, 2),
        (3, most, 1),
        (4, most, 1),
        (4, most, 0),
        (8, most, 0),
        (16, most, 0),
        (_LEAST_PART, most, 0),
        (_LEAST_PART + 1, most, 0),
        *((_LEAST_PART + 2, share, 0) for share in (most, *fewer)),
    ):
        tokens = int(full / part)
        yield PartSizes(
            tokens,
            rules=rules,
            laid_down=policy.decisions_tokens if part < 4 else 0,
            verbatim=min(policy.verbatim_tail_chars, _tail_chars(tokens)) if part < 16 else 0,
            summary=max(_SHORT_CHARS if part < _LEAST_PART else _SHORT_CHARS // 2, tokens * 2),
            pointers=pointers,
            told=told,
            words=policy.user_words_chars,
            facts=policy.facts_chars,
            whole=policy.fallback_chars,
            besides=policy.handoff_tokens is None,
            room=(rules_room if part == _LEAST_PART + 1 else room_tokens) if part > _LEAST_PART else None,
            rules_alone=part in (_LEAST_PART, _LEAST_PART + 1),
        )


def _tail_chars(tokens: int) -> int:
    share = _TAIL_CHARS if tokens >= _BRIEF_TOKENS else _BRIEF_TAIL_CHARS
    return min(tokens, max(_LEAST_TAIL_CHARS, int(tokens * share)))
