"""What the templates of the charts receive: geometry, labels, words. Values only."""

from dataclasses import dataclass

WIDTH, STRIP_HEIGHT, CURVE_HEIGHT = 640, 120, 150
SPARK_WIDTH, SPARK_HEIGHT = 120, 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Tokens before and after one compaction."""

    id: int
    ordinal: int
    at: float | None
    before: int
    after: int
    retained: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """One compaction in the strip: a vertical line from `top` to `bottom`."""

    id: int
    x: float
    top: float
    bottom: float
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """The context as it is now: a point behind the last drop."""

    x: float
    y: float
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A labelled place on an axis."""

    at: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """Context size over time: an area, a drop at each compaction, two axes."""

    area: str
    line: str
    drops: tuple[Drop, ...]
    live: Live | None
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    words: str
    height: int = STRIP_HEIGHT
    width: int = WIDTH


@dataclass(frozen=True, slots=True, kw_only=True)
class Sparkline:
    """Context size over the compactions, as small as a word: one line, no axes."""

    line: str
    words: str
    height: int = SPARK_HEIGHT
    width: int = SPARK_WIDTH


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """The survival of one compaction's facts: a path, its points, its values."""

    ordinal: int
    path: str
    points: tuple[tuple[float, float], ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Survival:
    """How much of what each compaction summarised is in sight after later ones."""

    curves: tuple[Curve, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    words: str
    height: int = CURVE_HEIGHT
    width: int = WIDTH


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextCharts:
    """What a conversation's page draws about its compactions; None where nothing is known."""

    strip: Strip | None
    survival: Survival | None
    sizes: tuple[Size, ...]
    live: int | None
    """Tokens in the context now, partly estimated; None where not known."""
    counted: str
    """Whose counts they are, all of them: "counted by the agent" or "estimated"."""
    unsized: int
    """Compactions of which no size is known by that count."""
