"""What the audit looks at, as frozen values: rows, sessions, compactions with what stood around them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hermes_sessions.audit.ledger.values import RulesLedger
from hermes_sessions.handoff import HandoffFacts, asks_nothing, is_synthetic
from hermes_sessions.handoff.grammars.registry import grammar_named
from hermes_sessions.handoff.own_lines import without_own_lines
from hermes_sessions.messages import (
    CompactionMethod,
    CompactionStatus,
    MessageKind,
    MessageState,
    Realisation,
    Role,
    Severity,
    ToolCall,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditMessage:
    """One stored row of a transcript.

    Attributes:
        id: its key in the store.
        position: its place in its session.
        original: the row it repeats, or itself.
        text: what somebody said; the handoff is left out.
        handoff: the handoff in this row as it stands, prefix and end marker included, or ''.
        grammar: the name of the grammar that framed it.
        attachments: digests of its images and files, in order.
        calls: the tool calls it makes.
        result_ids: the calls it answers.
        archived_by: the compaction that summarised it away.
    """

    id: int
    position: int
    role: str
    original: int
    kind: str = MessageKind.MESSAGE
    state: str = MessageState.LIVE
    text: str = ""
    handoff: str = ""
    grammar: str | None = None
    attachments: tuple[str, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    result_ids: tuple[str, ...] = ()
    tool_name: str | None = None
    archived_by: int | None = None
    created_at: float | None = None

    @property
    def is_copy(self) -> bool:
        """Whether it repeats an earlier row."""
        return self.original != self.id

    @property
    def is_request(self) -> bool:
        """Whether the user said or showed something here, and not an agent in the user's name."""
        shown = self._is_said or (self.kind != MessageKind.HANDOFF and bool(self.attachments))
        return self.role == Role.USER and shown and not asks_nothing(self.text)

    @property
    def is_reply(self) -> bool:
        """Whether the assistant said something the user could read."""
        return self.role == Role.ASSISTANT and self._is_said and not is_synthetic(self.text)

    @property
    def is_in_context(self) -> bool:
        """Whether it was ever sent to the model and not taken back."""
        return self.role != Role.SESSION_META and self.state != MessageState.REWOUND

    @property
    def _is_said(self) -> bool:
        return self.kind != MessageKind.HANDOFF and bool(self.text.strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionFacts:
    """What is recorded about one compaction.

    Attributes:
        ordinal: its number among the compactions of its conversation, or among the prunes.
        place: its place among all of them.
        session: key of the session it belongs to: a rotation's child, else the session itself.
        parent: key of the session it compacted, None where that is not stored.
        child: key of the session that goes on.
        head: how many rows were kept verbatim, and are sent before the handoff.
        tail: how many rows were kept, and are sent after it; a native one leaves them where they were.
    """

    id: int
    ordinal: int
    realisation: str
    status: str
    session: int
    parent: int | None = None
    child: int | None = None
    fork: bool = False
    method: str = CompactionMethod.UNKNOWN
    span_stored: bool = True
    span_messages: int | None = None
    head: int = 0
    tail: int = 0
    handoff: int | None = None
    summary: str | None = None
    tokens_before: int | None = None
    tokens_after: int | None = None
    finished_at: float | None = None
    error: str | None = None
    place: int = 0

    @property
    def is_native(self) -> bool:
        """Whether the agent notes it where it happened, and leaves what it kept where it was."""
        return self.realisation == Realisation.NATIVE

    @property
    def is_prune(self) -> bool:
        """Whether results of tools were cleared, and nothing was summarised."""
        return self.method == CompactionMethod.PRUNE

    @property
    def is_committed(self) -> bool:
        """Whether the conversation went on from it."""
        return self.status == CompactionStatus.COMMITTED

    @property
    def is_rotation(self) -> bool:
        """Whether it ended one session and began another."""
        return self.realisation == Realisation.ROTATION


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedSession:
    """One session of a conversation with all its rows, in the order of their positions.

    Attributes:
        parent: key of the parent, None where it has none or its row is missing.
        parent_id: the parent's id as the agent wrote it.
        message_counter: how many messages the agent says it has, None where it does not say.
        cycle: ids of sessions that are each other's parents, where this one closes the circle.
        prompt: its system prompt; '' where none is stored.
        inherited: how many of its first rows are another session's.
    """

    key: int
    foreign_id: str
    parent: int | None = None
    parent_id: str | None = None
    fork: bool = False
    relation: str = "root"
    end_reason: str | None = None
    started_at: float | None = None
    message_counter: int | None = None
    cycle: tuple[str, ...] = ()
    prompt: str = ""
    inherited: int = 0
    rows: Sequence[AuditMessage] = ()

    def is_left_behind(self, at: int) -> bool:
        """Whether the row at an index was taken by a compaction of the session that it comes from."""
        row = self.rows[at]
        return at < self.inherited and row.state == MessageState.COMPACTED and row.archived_by is None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionCase:
    """One compaction with the transcript before it, the one it left, and what was said next.

    Attributes:
        before: what the model had in front of it, oldest first.
        after: the new transcript: head, handoff, tail.
        following: what was added to it, up to the next compaction.
        span: the rows of *before* that were summarised away.
        known_requests: what the user said in the conversation up to here, oldest first.
        prompt: the system prompt that stood ahead of *before*.
    """

    facts: CompactionFacts
    before: tuple[AuditMessage, ...] = ()
    after: tuple[AuditMessage, ...] = ()
    following: tuple[AuditMessage, ...] = ()
    span: tuple[AuditMessage, ...] = ()
    known_requests: tuple[str, ...] = ()
    prompt: str = ""
    wording: HandoffFacts | None = field(default=None)

    @property
    def handoff(self) -> AuditMessage | None:
        """The row that carries the summary, None where there is none."""
        return next((row for row in self.after if row.id == self.facts.handoff), None)

    @property
    def has_no_summary(self) -> bool:
        """Whether nothing took the place of its span, or a mere count; an encrypted summary is one."""
        if self.facts.method == CompactionMethod.MARKER or (self.wording is not None and self.wording.marker):
            return True
        is_bare = self.handoff is None and not self.body.strip()
        return is_bare and bool(self.span) and self.facts.method != CompactionMethod.MODEL

    @property
    def is_stale(self) -> bool:
        """Whether nobody said anything after it, and the conversation goes on from another continuation."""
        return self.facts.fork and not self.following

    @property
    def body(self) -> str:
        """The summary without prefix and end marker; '' where none is stored."""
        return self.facts.summary or ""

    @property
    def judged(self) -> "CompactionCase":
        """The case without what an engine's machinery wrote of itself: neither claim nor source."""
        summary = None if self.facts.summary is None else without_own_lines(self.facts.summary)
        before = (
            replace(row, handoff=without_own_lines(row.handoff)) if row.handoff else row
            for row in self.before
        )
        return replace(self, facts=replace(self.facts, summary=summary), before=tuple(before))

    @property
    def kept(self) -> Mapping[int, AuditMessage]:
        """Rows of the new transcript by the row they repeat, or by themselves where they stay in it."""
        return {row.original: row for row in self.carried}

    @property
    def carried(self) -> tuple[AuditMessage, ...]:
        """Rows of the new transcript that repeat one of before, or stood there themselves."""
        stood = {row.id for row in self.before}
        return tuple(row for row in self.after if row.is_copy or row.id in stood)

    @property
    def head(self) -> tuple[AuditMessage, ...]:
        """Rows of the new transcript ahead of the handoff."""
        place = next((at for at, row in enumerate(self.after) if row.id == self.facts.handoff), None)
        return self.after[: self.facts.head] if place is None else self.after[:place]

    @property
    def previous_handoffs(self) -> tuple[str, ...]:
        """Older handoffs that stood in the transcript before."""
        return tuple(row.handoff for row in self.before if row.handoff)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationCase:
    """A conversation: its sessions, the chain first, and its compactions in order.

    `ledger` has its rules where they were looked for already.
    """

    sessions: tuple[AuditedSession, ...] = ()
    compactions: tuple[CompactionCase, ...] = ()
    ledger: RulesLedger | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingValue:
    """One thing a rule found.

    Attributes:
        messages: keys of the rows that show it.
        evidence: plain values for whoever reads it; never a secret.
    """

    rule: str
    severity: Severity
    session: int | None = None
    compaction: int | None = None
    messages: tuple[int, ...] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)


def read_wording(row: AuditMessage | None) -> HandoffFacts | None:
    """Return what the wording of a row's handoff tells, None where there is none."""
    if row is None or not row.handoff.strip():
        return None
    return grammar_named(row.grammar).facts(row.handoff)
