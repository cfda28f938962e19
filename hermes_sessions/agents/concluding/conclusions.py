"""What became of a family's messages, while its sessions are gone through. Names no agent."""

from dataclasses import dataclass, field
from typing import Any, Final

from hermes_sessions.agents.values import CompactionRow, Verdict

_PLAIN: Final = Verdict()


@dataclass(slots=True)
class FamilyConclusions:
    """What became of a family's messages.

    Attributes:
        verdicts: number of a message -> what it is.
        inherited: session -> how many of its first messages are its parent's.
        events: keys of compactions and clearings that a session has already.
    """

    verdicts: dict[int, Verdict] = field(default_factory=dict)
    compactions: list[CompactionRow] = field(default_factory=list)
    inherited: dict[str, int] = field(default_factory=dict)
    events: set[str] = field(default_factory=set)

    def mark(self, ref: int, **changed: Any) -> None:
        """Change the verdict on a message."""
        self.verdicts[ref] = self.verdicts.get(ref, _PLAIN)._replace(**changed)

    def original(self, ref: int) -> int:
        """Return the first place of what a message repeats."""
        copied = self.verdicts.get(ref, _PLAIN).copy_of
        return ref if copied is None else copied
