"""What the templates of the audit receive: the declared contract between views and pages. Values only."""

from collections.abc import Mapping
from dataclasses import dataclass

from hermes_sessions.audit.verdict.differences import FoundPlaces
from hermes_sessions.store.queries.compactions import ListedCompaction
from hermes_sessions.store.queries.conversations import ConversationRow
from hermes_sessions.store.queries.findings import FindingLine, Neighbour
from hermes_sessions.web.auditing.verdict_view import VerdictView
from hermes_sessions.web.conversation.item_values import Item
from hermes_sessions.web.site.site_values import Pager
from hermes_sessions.web.text.diffs import Diff


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One message in a column.

    Attributes:
        fate: class of its mark; `label` is the same in words.
        now: key of the row it lives on in, where it does.
        claims: numbers of the claims it is a source of.
        anchor: id of the line on the page.
    """

    id: int
    speaker: str
    text: str
    fate: str
    label: str
    anchor: str
    at: float | None
    now: int | None = None
    claims: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """Messages in order; `left_out` of them are not shown behind the first `first`."""

    lines: tuple[Line, ...]
    total: int
    left_out: int = 0
    first: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLink:
    """A message that a claim may come from: how much they share, in words."""

    id: int
    speaker: str
    words: str
    anchor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimLine:
    """One sentence or list item of the handoff."""

    number: int
    text: str
    sources: tuple[SourceLink, ...]
    unsourced: bool
    """It says something, and no message before it seems to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimSection:
    """A section of the handoff with its claims."""

    title: str
    claims: tuple[ClaimLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """One exact fact: its kind in words, its value, and where it first stands."""

    kind: str
    value: str
    message: int | None
    anchor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipGroup:
    """Facts that met the same end: `name` is its class, `label` its words."""

    name: str
    label: str
    about: str
    chips: tuple[Chip, ...]
    more: tuple[Chip, ...]
    """Further ones, shown on demand."""
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KindShare:
    """One line of the table of facts; the widths draw its bar, out of 100.

    `handoff` counts what is in the handoff alone: `total = tail + handoff + perhaps + lost`.
    """

    kind: str
    total: int
    tail: int
    handoff: int
    perhaps: int
    lost: int
    share: str
    kept_width: float
    handoff_width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingView:
    """A finding in words, with what to do; `places` are handoff and source side by side."""

    rule: str
    severity: str
    about: str
    advice: str
    evidence: tuple[tuple[str, str], ...]
    places: FoundPlaces
    messages: tuple[int, ...]
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleLine:
    """A rule of the conversation: who set it, where it is after the compaction, what became of it."""

    text: str
    speaker: str
    message: int
    sight: str
    words: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionPage:
    """`audit/compaction.html`: what one compaction kept, lost and invented."""

    row: ListedCompaction
    conversation: ConversationRow
    headline: str
    detail: str
    verdict: VerdictView
    previous: Neighbour | None
    next: Neighbour | None
    numbers: tuple[tuple[str, str, str], ...]
    """(name, value, remark) of each measurement."""
    findings: tuple[FindingView, ...]
    before: Column
    sections: tuple[ClaimSection, ...]
    claims_left_out: int
    after: Column
    following: Column
    chips: tuple[ChipGroup, ...]
    shares: tuple[KindShare, ...]
    rules: tuple[RuleLine, ...]
    diff: Diff | None
    diff_with: Neighbour | None
    is_empty: bool
    """Whether there is no transcript to compare."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCount:
    """A rule with how often it struck, by severity."""

    code: str
    about: str
    advice: str
    worst: str
    counts: tuple[tuple[str, int], ...]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingsPage:
    """`audit/findings.html`: stored findings by rule; of one rule, one by one."""

    rules: tuple[RuleCount, ...]
    rule: RuleCount | None
    lines: tuple[tuple[FindingLine, tuple[tuple[str, str], ...], FoundPlaces], ...]
    """Findings of `rule`, each with its evidence in words and the places where it found something."""
    pager: Pager
    audited: int
    conversations: int
    totals: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPage:
    """`audit/seen.html`: the context that the model had in front of it at one message."""

    conversation: ConversationRow
    message: int
    session: str
    has_system_prompt: bool
    items: tuple[Item, ...]
    count: int
    first: int
    last: int
    tokens: int
    tokens_exact: bool
    tokens_method: str
    notes: tuple[str, ...]
    pager: Pager
