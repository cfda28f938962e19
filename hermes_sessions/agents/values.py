"""What an importer hands over: plain values, foreign ids, nothing of the store.

Message rows are named tuples because hundreds of thousands of them are made per run.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hermes_sessions.lineage import Placement
from hermes_sessions.messages import (
    CompactionMethod,
    CompactionStatus,
    MessageKind,
    MessageState,
    Realisation,
)


class MessageRow(NamedTuple):
    """One foreign row, decoded; `extra` holds exactly what has no field here.

    Attributes:
        ref: what the rest of its family calls it: one number for each row of a family, for one reading.
        origin_key: what it is found again by, also after its file was rewritten: an id that is
            unique in its session; text of any kind.
        origin_row_id: its place among the rows of its session.
        indexed: what the full-text index gets of it besides its session, where that was made while it
            was read: all of it, or what is before and after its text. None: it is made when it is stored.
            Importers leave it alone.
    """

    ref: int
    origin_key: str
    origin_row_id: int
    role: str
    state: MessageState
    created_at: float | None
    digest: int
    token_count: int | None
    tool_call_id: str | None
    tool_name: str | None
    finish_reason: str | None
    text: str | None
    blocks: str | None
    tool_calls: str | None
    reasoning: str | None
    extra: dict[str, Any] | None
    indexed: str | tuple[str, str] | None = None

    @property
    def chars(self) -> int:
        """How many characters its texts have."""
        texts = (self.text, self.blocks, self.tool_calls, self.reasoning)
        return sum(len(one) for one in texts if one is not None)


class Verdict(NamedTuple):
    """What reconstruction found out about one row; rows without one are plain messages.

    Attributes:
        copy_of: `ref` of the message this row repeats.
        reply: offsets of the real reply in the text of a merged row, where the text cannot tell.
        archived_by: key of the compaction whose span holds the row.
    """

    kind: MessageKind = MessageKind.MESSAGE
    state: MessageState | None = None
    copy_of: int | None = None
    reply: tuple[int, int] | None = None
    archived_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """One foreign session, decoded.

    Attributes:
        placeholder: only its messages exist; the session row itself is missing.
        mark: what a later sync compares to see whether anything changed.
    """

    foreign_id: str
    parent_session_id: str | None = None
    source: str | None = None
    model: str | None = None
    title: str | None = None
    cwd: str | None = None
    system_prompt: str | None = None
    started_at: float | None = None
    ended_at: float | None = None
    end_reason: str | None = None
    session_key: str | None = None
    model_config: str | None = None
    tool_call_count: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0
    estimated_cost_usd: float | None = None
    actual_cost_usd: float | None = None
    archived: bool = False
    placeholder: bool = False
    mark: str = ""
    extra: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionRow:
    """One compaction as found at the origin; rows are named by their `ref`.

    Attributes:
        focus: what the user asked it to keep above all.
        claim: what the agent's log says of it; kept, not believed.
        noted: columns of the store that only the engine knows which made it; they count instead
            of what the rows show. None where no engine of ours left a note.
    """

    key: str
    realisation: Realisation
    status: CompactionStatus
    session: str
    parent: str | None = None
    child: str | None = None
    fork: bool = False
    span_first: int | None = None
    span_last: int | None = None
    span_messages: int | None = None
    span_stored: bool = True
    head_messages: int = 0
    tail_messages: int = 0
    handoff: int | None = None
    summary: str | None = None
    method: CompactionMethod = CompactionMethod.UNKNOWN
    started_at: float | None = None
    finished_at: float | None = None
    error: str | None = None
    trigger: str | None = None
    focus: str | None = None
    tokens_before: int | None = None
    tokens_after: int | None = None
    claim: dict[str, Any] | None = None
    noted: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Rejected:
    """A foreign row that was not stored."""

    table: str
    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Warned:
    """A value that was kept raw, or an oddity of a row that was stored."""

    table: str
    id: str
    column: str | None
    reason: str


MessageBatches = Callable[[], Iterator[tuple[str, Sequence[MessageRow]]]]
"""Call it to stream (session id, rows) in batches, parents before children, rows in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A root session with all its descendants, reconstructed.

    Attributes:
        sessions: parents before children.
        placements: by foreign id.
        verdicts: by the row's `ref`.
        inherited: branch -> how many of its first rows repeat its parent's.
        row_count: messages in `batches`.
        grown: its rows go on from those that are stored: what is not in `batches` is as it was.
        since: of a family that has grown: where reading began; its rows from this place on, by
            `origin_row_id`, are all in `batches`. None: nothing is known of them.
        earlier: `ref` -> `origin_key` of rows that are not in `batches` and yet are named by verdicts.
        rows_whole: every file that these sessions were in was read, and nothing of it refused: rows that
            are missing are gone, whatever could not be read elsewhere. False where that is not known.
        keeps_compacted: the agent's compactions delete nothing but what their `span_stored` says: of an
            origin that was read whole, other rows that are missing were taken back.
    """

    sessions: Sequence[SessionRow]
    placements: Mapping[str, Placement]
    verdicts: Mapping[int, Verdict]
    compactions: Sequence[CompactionRow]
    inherited: Mapping[str, int]
    row_count: int
    batches: MessageBatches
    rejected: Sequence[Rejected] = field(default_factory=tuple)
    warnings: Sequence[Warned] = field(default_factory=tuple)
    grown: bool = False
    since: int | None = None
    earlier: Mapping[int, str] = field(default_factory=dict)
    rows_whole: bool = False
    keeps_compacted: bool = False
