"""What became of each message that a compaction met."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.handoff.grammars.registry import grammar_named
from hermes_sessions.messages import MessageKind


class Fate(StrEnum):
    """What became of a message.

    `kept`: verbatim in the new transcript. `carried`: likewise, and it had been carried
    over by an earlier compaction already. `pruned`: kept, with its text, arguments, images or
    files cut. `summarised`: out of the model's sight, its row is here. `gone`: no row of it
    survives.
    """

    KEPT = "kept"
    CARRIED = "carried"
    PRUNED = "pruned"
    SUMMARISED = "summarised"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class MessageFate:
    """A message of the transcript before, what became of it, and the row it lives on in."""

    message: int
    fate: Fate
    now: int | None = None


@dataclass(frozen=True, slots=True)
class Fates:
    """The fates of the rows before a compaction, in their order.

    `gone` counts messages of which no row is stored; None where nobody says how many.
    """

    messages: tuple[MessageFate, ...]
    gone: int | None

    def count(self, fate: Fate) -> int:
        """Return how many messages met *fate*."""
        return (self.gone or 0) if fate is Fate.GONE else sum(one.fate is fate for one in self.messages)


def trace_fates(case: CompactionCase) -> Fates:
    """Return the fate of every row that stood before the compaction."""
    kept = case.kept
    return Fates(tuple(_fate(row, kept.get(row.original)) for row in case.before), _gone(case))


def _fate(row: AuditMessage, now: AuditMessage | None) -> MessageFate:
    if now is None:
        return MessageFate(row.id, Fate.SUMMARISED)
    if not is_verbatim(row, now):
        return MessageFate(row.id, Fate.PRUNED, now.id)
    return MessageFate(row.id, Fate.CARRIED if row.is_copy else Fate.KEPT, now.id)


def is_verbatim(row: AuditMessage, now: AuditMessage) -> bool:
    """Return whether *now* says what *row* said, to the letter, calls, images and files included."""
    same = row.text == now.text and row.attachments == now.attachments
    return same and _arguments(row) == _arguments(now)


def _arguments(row: AuditMessage) -> Sequence[tuple[str, str]]:
    return [(call.name, call.arguments) for call in row.calls]


def _gone(case: CompactionCase) -> int | None:
    """How many messages a compaction deleted: told by the record, or by what the handoff admits."""
    if case.facts.span_stored or not case.facts.is_committed:
        return 0
    return case.facts.span_messages or (case.wording.removed if case.wording else None)


def keeps_tail(case: CompactionCase) -> bool:
    """Return whether the agent lets the newest messages go on word for word."""
    return case.handoff is None or grammar_named(case.handoff.grammar).habits.keeps_tail


def is_tail_stored(case: CompactionCase) -> bool:
    """Return whether anything behind the handoff, or merged with it, was carried over.

    Some releases lost the copies when they wrote the new session: what the model kept
    cannot be told there.
    """
    handoff = case.handoff
    merged = handoff is not None and handoff.kind == MessageKind.MERGED and handoff.is_copy
    head = {row.id for row in case.head}
    return merged or any(row.is_copy and row.id not in head for row in case.after)
