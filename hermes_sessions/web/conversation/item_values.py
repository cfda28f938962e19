"""The items of a transcript as its pages show them. Values only."""

from dataclasses import dataclass

from hermes_sessions.handoff import HandoffFacts
from hermes_sessions.lineage import Relation
from hermes_sessions.store.queries.compactions import ListedCompaction
from hermes_sessions.store.queries.lineage import FamilySession
from hermes_sessions.store.queries.paging import ScrollPlace
from hermes_sessions.store.queries.transcript_rows import TranscriptRow
from hermes_sessions.web.text.images import Attachment
from hermes_sessions.web.text.sentences import SeparatorLine
from hermes_sessions.web.text.tools import Arguments, Output


@dataclass(frozen=True, slots=True, kw_only=True)
class CallItem:
    """A tool call with its result where that is near enough; `kind` picks the macro."""

    name: str
    arguments: Arguments
    result: Output | None
    result_row: TranscriptRow | None
    message_id: int
    number: int
    """Which of its message's calls it is, from 0."""
    kind: str = "call"

    @property
    def anchor(self) -> str:
        """The call's id on every page that shows it."""
        return f"call-{self.message_id}-{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bubble:
    """What somebody said: one message part."""

    row: TranscriptRow
    speaker: str
    text: str
    length: int
    first: bool
    """The first part of its row, which carries the row's anchor."""
    calls: tuple[CallItem, ...] = ()
    broken_calls: str | None = None
    attachments: tuple[Attachment, ...] = ()
    inherited: bool = False
    merged_into: int | None = None
    """Id of a row whose handoff was merged with this reply."""
    kind: str = "bubble"

    @property
    def cut(self) -> bool:
        """Whether the page shows less than all of the text."""
        return self.length > len(self.text)

    @property
    def place(self) -> ScrollPlace:
        """Where the row stands in its conversation."""
        return ScrollPlace(self.row.ordinal, self.row.position)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffItem:
    """A context handoff: the summary as it stands in the transcript."""

    row: TranscriptRow
    text: str
    length: int
    facts: HandoffFacts
    first: bool
    reply_id: int | None
    """The real reply that shared its row, wherever it is shown."""
    attachments: tuple[Attachment, ...] = ()
    kind: str = "handoff"

    @property
    def cut(self) -> bool:
        """Whether the page shows less than all of the text."""
        return self.length > len(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """A tool's result whose call is not on this page."""

    row: TranscriptRow
    name: str
    output: Output
    inherited: bool = False
    kind: str = "result"


@dataclass(frozen=True, slots=True, kw_only=True)
class Separator:
    """The line at a compaction."""

    compaction: ListedCompaction
    line: SeparatorLine
    summary: str | None
    """Shown here where no handoff row carries it."""
    kind: str = "separator"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offshoot:
    """A fork, branch, reset or delegate that left the conversation here."""

    session: FamilySession
    label: str
    kind: str = "offshoot"

    @property
    def inline(self) -> bool:
        """Whether it opens in its place: what a delegate did belongs to the call that started it."""
        return self.session.relation == Relation.DELEGATE and not self.session.fork


@dataclass(frozen=True, slots=True, kw_only=True)
class Inherited:
    """Where a branch begins (`opening`), and where its own messages begin."""

    session: FamilySession
    parent: FamilySession | None
    opening: bool
    kind: str = "inherited"


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """The day changes here."""

    at: float | None
    kind: str = "day"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """Rows that the one scroll folds into one line."""

    session: str
    first: ScrollPlace
    last: ScrollPlace
    count: int
    label: str
    kind: str = "fold"


Item = Bubble | HandoffItem | ToolResult | Separator | Offshoot | Inherited | Day | Fold
