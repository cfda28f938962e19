"""The rules ledger as values: each rule, who set it, and where it stands after each compaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hermes_sessions.audit.ledger.numbered import numbered


class Sight(StrEnum):
    """Where a rule stands after a compaction.

    `tail`: in a message that was kept, head included. `handoff`: the summary says it.
    `prompt`: the system prompt says it. `lost`: nowhere. `lifted`: it was taken back, or replaced.
    `unknown`: the new transcript, or its tail, is not stored.
    """

    TAIL = "tail"
    HANDOFF = "handoff"
    PROMPT = "prompt"
    LOST = "lost"
    LIFTED = "lifted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class RuleSight:
    """Where a rule stands after one compaction."""

    compaction: int
    ordinal: int
    sight: Sight
    is_doubtful: bool = False
    """It is lost as far as words show; a sentence of the handoff may mean it."""
    is_told_perhaps: bool = False
    """The handoff may say it in other words: the verdict lists it as *perhaps*, not as gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRule:
    """One rule of a conversation, said once or more.

    Attributes:
        text: as it was said first.
        speaker: who set it; the highest of those who said it.
        message: key of the row that said it first.
        said: how often it was said.
        sights: one for each compaction after it was said, oldest first.
        lifted_by: key of the row that took it back, or replaced it.
        replaced: it was replaced by another rule rather than taken back.
        is_standing: it was surely set for all that follows, by the user or the system.
        broken_by: keys of rows that broke it while it was out of sight.
    """

    text: str
    speaker: str
    message: int
    said: int = 1
    sights: tuple[RuleSight, ...] = ()
    lifted_by: int | None = None
    replaced: bool = False
    is_standing: bool = True
    broken_by: tuple[int, ...] = ()
    broken_after: tuple[int, ...] = ()

    @property
    def losses(self) -> tuple[RuleSight, ...]:
        """The compactions that took it out of sight."""
        found, seen = [], True
        for one in self.sights:
            if one.sight is Sight.LOST and seen:
                found.append(one)
            seen = one.sight is not Sight.LOST
        return tuple(found)

    @property
    def lost_by(self) -> RuleSight | None:
        """The first compaction that lost it."""
        return next(iter(self.losses), None)

    @property
    def is_in_force(self) -> bool:
        """Nobody took it back."""
        return self.lifted_by is None

    @property
    def state(self) -> str:
        """`in sight`, `lost` or `lifted`, as things are now."""
        if not self.is_in_force:
            return "lifted"
        return "lost" if self.sights and self.sights[-1].sight is Sight.LOST else "in sight"


SIGHT_WORDS: Final = {
    Sight.TAIL: "in a kept message",
    Sight.HANDOFF: "in the handoff",
    Sight.PROMPT: "in the system prompt",
    Sight.LOST: "out of sight",
    Sight.LIFTED: "lifted",
    Sight.UNKNOWN: "unknown",
}


def find_sight(rule: LedgerRule, compaction: int) -> Sight | None:
    """Return where *rule* stands after a compaction, None where it was set later."""
    return next((one.sight for one in rule.sights if one.compaction == compaction), None)


def state_words(rule: LedgerRule) -> str:
    """Return what has become of *rule* up to now, in words."""
    if not rule.is_in_force:
        told = f"{'replaced' if rule.replaced else 'lifted'} by message {rule.lifted_by}"
    elif rule.state == "lost":
        told = f"out of sight since compaction {_named(rule.losses[-1])}"
    elif rule.lost_by is not None:
        told = f"in sight again, lost by compaction {_named(rule.lost_by)}"
    else:
        told = "in sight"
    broken = ", ".join(str(one) for one in rule.broken_by[:8])
    return f"{told}; broken by message {broken}" if broken else told


def _named(sight: RuleSight) -> str:
    return numbered(sight.compaction, sight.ordinal)


RulesLedger = Sequence[LedgerRule]
"""The rules of a conversation in the order in which they were set."""
