"""What `overview/show.html` receives: bars, tables, figures. Values only."""

from dataclasses import dataclass

from hermes_sessions.store.queries.overview import Leader, StoreSize

HEIGHT = 150


@dataclass(frozen=True, slots=True)
class BarBlock:
    """One rectangle of a bar; `tone` names its colour.

    Across in percent of the chart, so that it fits any width with text of one size; down in pixels.
    """

    x: float
    y: float
    width: float
    height: float
    tone: str


@dataclass(frozen=True, slots=True)
class Bar:
    """What stands at one period: its rectangles from the bottom up, and what they say."""

    title: str
    blocks: tuple[BarBlock, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """A word beside an axis."""

    at: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BarChart:
    """A bar per period, drawn; `words` says the same to those who do not see it."""

    caption: str
    words: str
    bars: tuple[Bar, ...]
    across: tuple[Label, ...]
    floor: float
    ceiling: Label
    legend: tuple[tuple[str, str], ...] = ()
    """(tone, name), where bars have several tones."""
    height: int = HEIGHT


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodRow:
    """One period of the table behind the charts."""

    name: str
    since: str
    """ISO dates of the first and the last day, for links to the list."""
    until: str
    chat: int
    delegate: int
    scheduled: int
    messages: int
    compactions: int
    saved: int | None
    """Tokens saved by compactions; None where no size is known."""

    @property
    def conversations(self) -> int:
        """Every kind together."""
        return self.chat + self.delegate + self.scheduled


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    """One source or model; `name` None stands for the unknown one."""

    name: str | None
    conversations: int
    messages: int
    input_tokens: int
    output_tokens: int
    cost_usd: float
    estimated: bool
    share: float
    """Of all messages, 0 to 1."""
    others: int = 0
    """How many small groups this row adds up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """The figures of the whole time."""

    conversations: int
    messages: int
    input_tokens: int
    output_tokens: int
    cost_usd: float
    estimated: bool
    compactions: int
    saved: int | None
    sized: int
    counted: str
    """Whose sizes `saved` adds up: "counted by the agent" or "estimated"."""
    retained: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewPage:
    """`overview/show.html`."""

    ranges: tuple[tuple[str, str, bool], ...]
    """(label, link, current) of each time that can be chosen."""
    zone: str
    first: str
    last: str
    unit: str
    totals: Totals
    activity: BarChart | None
    compactions: BarChart | None
    savings: BarChart | None
    periods: tuple[PeriodRow, ...]
    """Those in which something happened, newest first."""
    sources: tuple[GroupRow, ...]
    models: tuple[GroupRow, ...]
    biggest: tuple[Leader, ...]
    most_compacted: tuple[Leader, ...]
    size: StoreSize
