"""What a compaction is told besides the messages, and what it gives back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hermes_sessions.compaction.assemble import Omission, Placed
from hermes_sessions.compaction.plan import CompactionPlan
from hermes_sessions.errors import TranscriptError
from hermes_sessions.handoff import render_handoff, split_handoff
from hermes_sessions.messages import CompactionMethod, CompactionOutcome


def splits_as_prefix(prefix: str) -> bool:
    """Return whether a handoff that begins with *prefix* is read back as it was written."""
    parts = split_handoff(render_handoff("body", prefix))
    return [(part.kind, part.text) for part in parts] == [("handoff", "body")]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionContext:
    """What is known about a transcript besides its messages.

    Attributes:
        focus: what the user wants kept above all.
        session_id: where the originals are stored; '' where they are not.
        first_position: position of the transcript's first message in that session, where
            its messages stand there without gaps.
        positions: position of each message in that session, or the number by which its store knows it, None
            where it has no row; counts instead of `first_position` where given.
        handoffs: indices of messages that are known to carry a handoff, whatever its wording.
        prefix: how the handoff begins, for a host whose own prefix it shall have; it begins
            with the bracket of a handoff and holds no line break, unless a release wrote it.
        pointer: how the reader gets at the originals, for instance a call of a tool; without
            it the command that shows the session.
        notes: what a host asks to have remembered; stands in the handoff, secrets masked.
        grammars: names of the grammars that framed them, by index; ours and those like it need none.
    """

    focus: str = ""
    session_id: str = ""
    first_position: int = 0
    positions: tuple[int | None, ...] | None = None
    handoffs: frozenset[int] = frozenset()
    grammars: Mapping[int, str] = field(default_factory=dict)
    prefix: str = ""
    pointer: str = ""
    notes: str = ""

    def __post_init__(self) -> None:
        if self.prefix and not splits_as_prefix(self.prefix):
            raise TranscriptError(
                "compaction context: prefix must begin with the bracket of a handoff and be one line"
            )

    def range_of(self, indices: Sequence[int]) -> tuple[int, int] | None:
        """Return the first and last position of the messages at *indices*, or None where none has a row."""
        if self.positions is None:
            return self.first_position + indices[0], self.first_position + indices[-1]
        found = [at for index in indices[: len(self.positions)] if (at := self.positions[index]) is not None]
        return (min(found), max(found)) if found else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionResult:
    """How a compaction ended, and the transcript to go on with.

    Attributes:
        status: `committed`, `aborted` (nothing changed, see `reason`) or `nothing`.
        messages: the new transcript; equal to the input unless committed.
        plan: what was to be kept.
        placed: the new transcript with each message's place in the input.
        handoff: the whole handoff as it stands in the transcript; '' unless committed.
        method: where the summary came from; None unless committed.
        tokens_before: of the input.
        tokens_after: of `messages`.
        tokens_method: how tokens were counted.
        reason: why nothing was done, why a fallback was used, or that a committed result
            still reaches the threshold.
        failure: kind of the summariser's failure; '' without one.
        omissions: broken tool calls and results that the result leaves out.
        dropped_claims: lines of the summary that put words into the user's mouth.
    """

    status: CompactionOutcome
    messages: list[dict[str, Any]]
    plan: CompactionPlan
    placed: tuple[Placed, ...] = ()
    handoff: str = ""
    method: CompactionMethod | None = None
    tokens_before: int
    tokens_after: int
    tokens_method: str
    reason: str = ""
    failure: str = ""
    omissions: tuple[Omission, ...] = ()
    dropped_claims: tuple[str, ...] = ()
