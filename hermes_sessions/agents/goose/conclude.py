"""What a session means: what was compacted in place, by who sees its messages. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final, NamedTuple

from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.goose.said import KINDS, SaidToGoose
from hermes_sessions.agents.values import CompactionRow
from hermes_sessions.messages import (
    CompactionMethod,
    CompactionStatus,
    MessageKind,
    MessageState,
    Realisation,
    Role,
)

_BY_HAND: Final = "at the user's request"


class HeardGoose(NamedTuple):
    """What concluding needs of one message.

    Attributes:
        ref: its number in its family.
        number: which of its session's records it is of.
        same: a hash of what is stored of it.
        words: the text of a record that is nothing else, kept only where the user does not see it; of
            others a hash of it.
        ids: calls in it, or the one that it answers.
        calls: how many calls are in it.
    """

    ref: int
    key: str
    number: int
    role: str
    same: int
    words: str | int | None
    created: float | None
    for_user: bool
    for_agent: bool
    ids: tuple[str, ...]
    calls: int


@dataclass(slots=True)
class GooseOutline:
    """One session as far as it was read.

    Attributes:
        kinds: how many pieces of content of each kind there are.
    """

    session: str
    heard: list[HeardGoose] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    @property
    def unknown(self) -> Mapping[str, int]:
        """Kinds of content that nobody here knows, and how many of each."""
        return {kind: count for kind, count in self.kinds.items() if kind not in KINDS}


def note(outline: GooseOutline, said: SaidToGoose, ref: int) -> HeardGoose:
    """Take a message into the outline."""
    record = said.record
    words = record.words
    own = said.role == Role.SESSION_META and record.role == "user"
    ids = tuple(one["id"] for one in said.calls) or ((said.answers,) if said.answers else ())
    heard = HeardGoose(
        ref=ref,
        key=said.key,
        number=said.number,
        role=said.role,
        same=said.digest,
        words=words if words is None or (not record.for_user and not own) else hash(words),
        created=record.created,
        for_user=record.for_user,
        for_agent=record.for_agent,
        ids=ids,
        calls=len(said.calls),
    )
    outline.heard.append(heard)
    return heard


def conclude(work: FamilyConclusions, outline: GooseOutline, copied: int) -> None:
    """Conclude one session.

    A summary is a request that the user does not see, with the agent's order to continue after it. Without
    that order it stands for one call and its result.

    Args:
        copied: how many of its first messages are another's; so are the compactions among them.
    """
    own = outline.heard[copied].ref if copied < len(outline.heard) else None
    reading = _GooseReading(work, outline.session, own if copied else 0)
    records = [tuple(rows) for _, rows in groupby(outline.heard, key=lambda one: one.number)]
    at = 0
    while at < len(records):
        first = records[at][0]
        hidden = len(records[at]) == 1 and isinstance(first.words, str) and first.role == Role.USER
        following = records[at + 1][0] if at + 1 < len(records) else None
        if hidden and following is not None and _is_order(following):
            reading.compact(first, following, records[at + 2] if at + 2 < len(records) else ())
            at += 2
            continue
        if hidden:  # from the agent too, once a compaction came after it
            reading.shorten(first)
        else:
            reading.hear(records[at])
        at += 1


def _is_order(heard: HeardGoose) -> bool:
    return heard.role == Role.SESSION_META and isinstance(heard.words, str)


@dataclass(slots=True)
class _GooseReading:
    """A session while it is gone through in its order.

    Attributes:
        own: the number of the first message that is not another session's; None where all are.
        live: what the model sees at this place.
    """

    work: FamilyConclusions
    session: str
    own: int | None
    live: list[HeardGoose] = field(default_factory=list)

    def hear(self, rows: Sequence[HeardGoose]) -> None:
        """Come to a record."""
        self.live += rows

    def compact(self, summary: HeardGoose, order: HeardGoose, following: Sequence[HeardGoose]) -> None:
        """Come to a summary of everything before it."""
        by_hand = _BY_HAND in str(order.words)
        asked = None if by_hand else self._asked_again(following)
        gone = [one for one in self.live if one is not asked]
        key = summary.key if self._is_own(summary) else None
        for one in gone:
            self.work.mark(one.ref, state=MessageState.COMPACTED, archived_by=key)
        if asked is not None:
            self.work.mark(asked.ref, state=MessageState.SUPERSEDED)
            self.work.mark(following[0].ref, copy_of=self.work.original(asked.ref))
        self.work.mark(summary.ref, kind=MessageKind.HANDOFF)
        span = [one.ref for one in gone if self._is_summarised(one)]
        self._add(
            summary,
            CompactionRow(
                key=summary.key,
                realisation=Realisation.IN_PLACE,
                status=CompactionStatus.COMMITTED,
                session=self.session,
                parent=self.session,
                child=self.session,
                span_first=span[0] if span else None,
                span_last=span[-1] if span else None,
                span_messages=len(span),
                tail_messages=int(asked is not None),
                handoff=summary.ref,
                summary=str(summary.words) or None,
                method=CompactionMethod.MODEL,
                finished_at=summary.created,
                trigger="manual" if by_hand else "auto",
            ),
        )
        self.live = [summary, order]

    def shorten(self, summary: HeardGoose) -> None:
        """Come to a line that stands for one call and its result."""
        hidden = [one for one in self.live if one.role == Role.TOOL and not one.for_agent]
        result = next((one for one in hidden if one.created == summary.created), None)
        if result is None:
            self.live.append(summary)
            return
        self.work.mark(summary.ref, kind=MessageKind.HANDOFF)
        pair = [one for one in self.live if not set(one.ids).isdisjoint(result.ids)]
        for one in pair:
            self.work.mark(one.ref, state=MessageState.COMPACTED)
        self.live = [*(one for one in self.live if one not in pair), summary]
        self._add(
            summary,
            CompactionRow(
                key=summary.key,
                realisation=Realisation.NATIVE,
                status=CompactionStatus.COMMITTED,
                session=self.session,
                span_first=result.ref,
                span_last=result.ref,
                span_messages=1,
                method=CompactionMethod.PRUNE,
                finished_at=summary.created,
                trigger="auto",
                claim={"compactedToolIds": list(result.ids), "told": str(summary.words)},
            ),
        )

    def _add(self, summary: HeardGoose, row: CompactionRow) -> None:
        if self._is_own(summary):
            self.work.compactions.append(row)

    def _is_own(self, heard: HeardGoose) -> bool:
        return self.own is not None and heard.ref >= self.own

    def _asked_again(self, following: Sequence[HeardGoose]) -> HeardGoose | None:
        """Return the last request, where the agent put it once more after the summary."""
        if not following or following[0].role != Role.USER or not isinstance(following[0].words, int):
            return None
        asked = next(self._requests(), None)
        if asked is None:
            return None
        words = hash(asked.words) if isinstance(asked.words, str) else asked.words
        return asked if words == following[0].words else None

    def _requests(self) -> Iterator[HeardGoose]:
        return (one for one in reversed(self.live) if one.role == Role.USER and one.words is not None)

    def _is_summarised(self, one: HeardGoose) -> bool:
        known: Any = self.work.verdicts.get(one.ref)
        return one.role != Role.SESSION_META and (known is None or known.kind is not MessageKind.HANDOFF)
