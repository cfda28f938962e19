"""What each template receives: the declared contract between views and pages.

Values only. Everything a template shows is here or in the site-wide context
(`site`, `now`); a template never asks the store for anything.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hermes_sessions.handoff import HandoffFacts
from hermes_sessions.store.highlight import Highlighter
from hermes_sessions.store.queries.compactions import CompactionRow
from hermes_sessions.store.queries.conversations import ConversationListing, ConversationRow, Facets
from hermes_sessions.store.queries.ledger import CompactionListing
from hermes_sessions.store.queries.lineage import SessionRow
from hermes_sessions.store.queries.origins import OriginRow
from hermes_sessions.store.queries.paging import Place
from hermes_sessions.store.queries.rows import MessageRow
from hermes_sessions.store.queries.windows import View
from hermes_sessions.store.replicas import ReplicaState
from hermes_sessions.web.chart_values import ContextCharts
from hermes_sessions.web.images import Attachment
from hermes_sessions.web.progress import OriginProgress
from hermes_sessions.web.search_values import HitsBar
from hermes_sessions.web.tools import Arguments, Output


@dataclass(frozen=True, slots=True)
class Pager:
    """Links to the neighbouring pages; None where there is none."""

    previous: str | None
    next: str | None


@dataclass(frozen=True, slots=True)
class ConversationIndex:
    """`conversations/index.html`: the list."""

    listing: ConversationListing
    pinned: tuple[ConversationRow, ...]
    """The pinned ones among them, on the first page; in `rows` there are none then."""
    rows: tuple[ConversationRow, ...]
    pager: Pager
    facets: Facets
    kinds: tuple[tuple[str, str, bool], ...]
    """(label, link, current) of each kind."""
    filters: dict[str, str]
    """The filter values as they stand in the URL."""
    importing: tuple[OriginProgress, ...]
    failed: tuple[OriginProgress, ...]
    """Databases that could not be read the last time."""
    cursor: int
    """Of the change that the page knows last; it follows from there."""


# -- the items of a transcript ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call with its result where that is near enough; `kind` picks the macro."""

    name: str
    arguments: Arguments
    result: Output | None
    result_row: MessageRow | None
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

    row: MessageRow
    speaker: str
    text: str
    length: int
    first: bool
    """The first part of its row, which carries the row's anchor."""
    calls: tuple[Call, ...] = ()
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
    def place(self) -> Place:
        """Where the row stands in its conversation."""
        return Place(self.row.ordinal, self.row.position)


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoff:
    """A context handoff: the summary as it stands in the transcript."""

    row: MessageRow
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

    row: MessageRow
    name: str
    output: Output
    inherited: bool = False
    kind: str = "result"


@dataclass(frozen=True, slots=True, kw_only=True)
class Separator:
    """The line at a compaction."""

    compaction: CompactionRow
    total: int
    headline: str
    detail: str
    summary: str | None
    """Shown here where no handoff row carries it."""
    kind: str = "separator"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offshoot:
    """A fork, branch, reset or delegate that left the conversation here."""

    session: SessionRow
    label: str
    kind: str = "offshoot"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inherited:
    """Where a branch begins (`opening`), and where its own messages begin."""

    session: SessionRow
    parent: SessionRow | None
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
    first: Place
    last: Place
    count: int
    label: str
    kind: str = "fold"


Item = Bubble | Handoff | ToolResult | Separator | Offshoot | Inherited | Day | Fold


# -- pages -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """`conversations/window.html`: a window of a transcript and the links around it."""

    items: tuple[Item, ...]
    pager: Pager
    view: View
    conversation: str
    tools_open: bool = False
    highlighter: Highlighter | None = None
    """Marks what the search that led here looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationPage:
    """`conversations/show.html`: one conversation."""

    conversation: ConversationRow
    transcript: Transcript
    views: tuple[tuple[str, str, bool], ...]
    """(label, link, current) of each view."""
    cursor: int
    """Of the change that the page knows last; it follows from there."""
    session: SessionRow | None
    """The session that the view is about; the tip for the whole conversation."""
    before: SessionRow | None
    after: SessionRow | None
    """The sessions beside `session` in the chain, for the view of one session."""
    parent: SessionRow | None
    """The session that the root left, for branches, resets and delegates."""
    parent_words: str
    """What the conversation is to that session: "Branch of"."""
    latest: str
    tools_link: str
    """The same page with every tool call opened, or closed again."""
    resume: str | None
    has_system_prompt: bool
    charts: ContextCharts | None
    """Context size and survival of facts, for conversations that were compacted."""
    hits: HitsBar | None = None
    """The hits of the search that led here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePage:
    """`messages/show.html`: one row, complete."""

    row: MessageRow
    conversation: ConversationRow
    items: tuple[Item, ...]
    highlighter: Highlighter | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemPromptPage:
    """`system_prompt/show.html`: the system prompt of one session."""

    conversation: ConversationRow
    session: SessionRow
    text: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One session in the drawn tree, with its place in the drawing."""

    session: SessionRow
    x: int
    y: int
    depth: int
    own: bool
    """Belongs to the conversation that the page is about."""
    relation: str
    """What it is to its parent; also the class of its mark."""
    label: str
    """`relation` in the page's words."""
    size: str
    first_of_conversation: bool
    collapsed: int = 0
    """How many sessions of a long chain this node stands for, besides itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A line from a parent to a child: an SVG path, and what it means."""

    path: str
    relation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A family, laid out."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    width: int
    height: int
    circles: tuple[str, ...] = ()
    """Ids of sessions that are each other's ancestors."""
    complete: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LineagePage:
    """`lineage/show.html`: the family of a conversation and its ledger."""

    conversation: ConversationRow
    tree: Tree
    compactions: tuple[CompactionRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerPage:
    """`ledger/compactions.html`: the compactions of the store, filtered and sorted."""

    listing: CompactionListing
    rows: tuple[CompactionRow, ...]
    pager: Pager
    choices: Mapping[str, tuple[tuple[str, str], ...]]
    """Filter or order -> (value, words) of all that can be chosen."""
    filters: Mapping[str, str]
    """What the query string asks for, cursors left out."""
    headings: Mapping[str, "SortHeading"]
    """Column -> how its heading sorts."""


@dataclass(frozen=True, slots=True)
class SortHeading:
    """A column's heading as a link that sorts.

    Attributes:
        link: sorts by the column, the other way round where it is sorted already.
        current: `ascending` or `descending` where it is, else ''.
        words: what the link does.
    """

    link: str
    current: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginsPage:
    """`ledger/origins.html`: where rows came from, how syncing goes, and the store's replicas.

    Attributes:
        origins: every origin.
        progress: label -> how far its sync is.
        unread: databases that nothing could be read from, so that they are no origins yet.
        replicas: each replica, and why it is not read, if it is not.
        primary_up: whether the primary answers; None where there are no replicas.
    """

    origins: tuple[OriginRow, ...]
    progress: dict[str, OriginProgress] = field(default_factory=dict)
    unread: tuple[OriginProgress, ...] = ()
    replicas: tuple[tuple[ReplicaState, str | None], ...] = ()
    primary_up: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What the form that led to this page did."""

    text: str
    undo: int | None
    """Number of the change, where it can be taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What every page shows around its content."""

    signed_in: bool
    form_proof: str
    """Shows that a form was made by our own page."""
    may_write: bool
    """Whether forms that change something are shown."""
    here: str
    """The page itself, for a form to come back to."""
    news: News | None
    importing: tuple[OriginProgress, ...]
    lines: tuple[str, ...]
    """`importing` in words."""
