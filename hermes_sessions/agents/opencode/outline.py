"""What is remembered of a session when it was read to its end: facts, few texts."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from hermes_sessions.agents.opencode.records import MessageRecord, SessionRecord, milliseconds
from hermes_sessions.agents.opencode.said import KINDS, SaidHere, error_of, is_summary, marker_of
from hermes_sessions.agents.parsed_values import dict_of, text_of
from hermes_sessions.messages import Role

_MOST: Final = 2**48
_ATTACHED: Final = "[Attached "
"""How a line begins that stands for a file where a request is sent again."""


class HeardHere(NamedTuple):
    """What concluding needs of one message.

    Attributes:
        ref: its number in its family.
        message: the id of its record; `part` that of its first part.
        same: a hash of what it says and when.
        words: a hash of the words of a request.
        cleared: milliseconds when its result was cleared.
        calls: how many calls of tools are in it.
    """

    ref: int
    key: str
    message: str
    part: str
    role: str
    same: int
    words: int
    answers: str | None
    cleared: float | None
    calls: int
    is_summary: bool


class BegunCompaction(NamedTuple):
    """The beginning of a compaction.

    Attributes:
        message: the id of its record.
        after: the number of messages before it.
        tail: the id of the first record that stays; None where none does.
    """

    message: str
    after: int
    time: float | None
    auto: bool
    overflow: bool
    tail: str | None


class EndedCompaction(NamedTuple):
    """The end of a compaction, or of the attempt.

    Attributes:
        after: the number of messages before it: the summary, if it is stored, is the next one.
        parent: the record with which the compaction began.
        error: why it failed; None where it did not.
        finished: whether the summary is complete.
    """

    message: str
    after: int
    time: float | None
    parent: str | None
    error: str | None
    finished: bool
    text: str | None


class ReplyUsage(NamedTuple):
    """What one reply cost; `after` is the number of messages before it."""

    after: int
    input: int
    output: int
    reasoning: int
    read: int
    written: int
    cost: float


@dataclass(slots=True)
class OpenCodeOutline:
    """One session as far as it was read.

    Attributes:
        kinds: how many parts of each kind there are.
    """

    session: SessionRecord
    heard: list[HeardHere] = field(default_factory=list)
    marks: list[BegunCompaction | EndedCompaction] = field(default_factory=list)
    usages: list[ReplyUsage] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    model: str | None = None
    cwd: str | None = None

    @property
    def unknown(self) -> Mapping[str, int]:
        """Kinds of parts that nobody here knows, and how many of each."""
        return {kind: count for kind, count in self.kinds.items() if kind not in KINDS}


def note_record(outline: OpenCodeOutline, record: MessageRecord) -> None:
    """Take a record into the outline, before its messages."""
    for part in record.parts:
        outline.kinds[part.kind] += 1
    after = len(outline.heard)
    time = dict_of(record.value.get("time"))
    marker = marker_of(record)
    if marker is not None:
        told = marker.value
        tail = text_of(told.get("tail_start_id"))
        auto, overflow = told.get("auto") is True, told.get("overflow") is True
        outline.marks.append(
            BegunCompaction(record.id, after, milliseconds(time.get("created")), auto, overflow, tail)
        )
    if is_summary(record):
        outline.marks.append(_summary_mark(record, after))
    if record.value.get("role") == "assistant":
        _note_reply(outline, record, after)


def note_said(outline: OpenCodeOutline, said: SaidHere, ref: int) -> HeardHere:
    """Take a message into the outline."""
    summary = is_summary(said.record) and said.role == Role.ASSISTANT and said.key == said.record.id
    heard = HeardHere(
        ref=ref,
        key=said.key,
        message=said.record.id,
        part=said.part,
        role=said.role,
        same=said.same,
        words=_words(said) if said.role == Role.USER else 0,
        answers=said.answers,
        cleared=said.cleared,
        calls=len(said.calls),
        is_summary=summary,
    )
    outline.heard.append(heard)
    return heard


def _summary_mark(record: MessageRecord, after: int) -> EndedCompaction:
    time = dict_of(record.value.get("time"))
    texts = [one.value.get("text") for one in record.parts if one.kind == "text"]
    text = "\n".join(one for one in texts if isinstance(one, str) and one)
    return EndedCompaction(
        message=record.id,
        after=after,
        time=milliseconds(time.get("completed")) or milliseconds(time.get("created")),
        parent=text_of(record.value.get("parentID")),
        error=error_of(record),
        finished=bool(record.value.get("finish")),
        text=text or None,
    )


def _note_reply(outline: OpenCodeOutline, record: MessageRecord, after: int) -> None:
    value = record.value
    if not is_summary(record):
        outline.model = text_of(value.get("modelID")) or outline.model
    outline.cwd = outline.cwd or text_of(dict_of(value.get("path")).get("cwd"))
    steps = [one.value for one in record.parts if one.kind == "step-finish" and "tokens" in one.value]
    for told in steps if len(steps) > 1 else [value]:
        tokens = dict_of(told.get("tokens"))
        cache = dict_of(tokens.get("cache"))
        cost = told.get("cost")
        outline.usages.append(
            ReplyUsage(
                after=after,
                input=_count(tokens.get("input")),
                output=_count(tokens.get("output")),
                reasoning=_count(tokens.get("reasoning")),
                read=_count(cache.get("read")),
                written=_count(cache.get("write")),
                cost=float(cost) if isinstance(cost, int | float) and 0 <= cost < _MOST else 0.0,
            )
        )


def _words(said: SaidHere) -> int:
    """Return a hash of a request's words, without the lines that stand for files."""
    kept = [line for line in said.text.split("\n") if not line.startswith(_ATTACHED)]
    told = "\n".join(kept).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(told, digest_size=8).digest(), "big")


def _count(value: Any) -> int:
    fit = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _MOST
    return int(value) if fit else 0
