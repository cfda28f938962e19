"""Charts of a conversation as geometry for SVG: context size over time, survival of facts. Pure.

Every chart says the same in words, and the page shows the figures in a table behind it.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from hermes_sessions.store.queries.findings import ContextPoint
from hermes_sessions.web.conversation.chart_values import (
    CURVE_HEIGHT,
    SPARK_HEIGHT,
    SPARK_WIDTH,
    STRIP_HEIGHT,
    WIDTH,
    ContextCharts,
    Curve,
    Drop,
    Live,
    Size,
    Sparkline,
    Strip,
    Survival,
    Tick,
)
from hermes_sessions.web.text.filters import plural, share_words, short_number

LEFT, RIGHT, TOP, BOTTOM = 54, 12, 12, 22
MAX_CURVES = 12
"""Curves drawn one by one; of longer chains those of evenly spaced compactions."""

MAX_LABELS = 10
_TABLE_WORDS = " The table below has every figure."
_UP_TO_NOW = 0.9
"""The part of the strip that compactions take where what came since the last one is drawn as well."""


def draw_charts(points: Sequence[ContextPoint]) -> ContextCharts:
    """Draw what is stored about a conversation's compactions."""
    told = tuple(size for point in points if (size := _told_size(point)) is not None)
    estimated = tuple(size for point in points if (size := _estimated_size(point)) is not None)
    # One way of counting for all: an agent's count holds what it adds on the fly, ours does not.
    by_agent = bool(told) and len(told) >= len(estimated)
    sizes = told if by_agent else estimated
    counted = "counted by the agent" if by_agent else "estimated"
    live = _live_tokens(points, sizes)
    return ContextCharts(
        strip=_strip(sizes, counted, live) if sizes else None,
        survival=_survival(points),
        sizes=sizes,
        live=live,
        counted=counted,
        unsized=len(points) - len(sizes),
    )


def draw_sparkline(points: Sequence[ContextPoint]) -> Sparkline | None:
    """Draw the context's size over the compactions as small as a word; None where no size is known."""
    found = draw_charts(points)
    if found.strip is None:
        return None
    sizes = [size for one in found.sizes for size in (one.before, one.after)]
    now = found.live if found.live is not None else sizes[-1]
    top = max(1, now, *sizes)
    step = SPARK_WIDTH / (len(found.sizes) + 1)
    places = [round(step * (1 + index // 2), 1) for index in range(len(sizes))]
    line = [(0.0, _spark_y(0, top))]
    line += [(x, _spark_y(size, top)) for x, size in zip(places, sizes, strict=True)]
    line.append((float(SPARK_WIDTH), _spark_y(now, top)))
    return Sparkline(line=_path(line), words=found.strip.words.replace(_TABLE_WORDS, ""))


def _spark_y(size: int, top: int) -> float:
    return round(SPARK_HEIGHT - 1 - (SPARK_HEIGHT - 3) * size / top, 1)


def _live_tokens(points: Sequence[ContextPoint], sizes: Sequence[Size]) -> int | None:
    """Return the context's size now: after the last compaction, and what was said since.

    What was said since is estimated; nobody counted it.
    """
    if not sizes or points[-1].id != sizes[-1].id:
        return None
    measured = _mapping(points[-1].audit, "sizes")
    after, end = _count(measured, "after"), _count(measured, "end")
    return sizes[-1].after + end - after if after and end >= after else None


def _told_size(point: ContextPoint) -> Size | None:
    """Return the agent's own counts, where it left both."""
    if not point.tokens_before or point.tokens_after is None:
        return None
    return _size(point, point.tokens_before, point.tokens_after)


def _estimated_size(point: ContextPoint) -> Size | None:
    """Return the audit's estimates, where it had a transcript to measure."""
    sizes = _mapping(point.audit, "sizes")
    before = _count(sizes, "before")
    return _size(point, before, _count(sizes, "after")) if before else None


def _size(point: ContextPoint, before: int, after: int) -> Size:
    return Size(
        id=point.id,
        ordinal=point.ordinal,
        at=point.finished_at,
        before=max(0, before),
        after=max(0, after),
        retained=point.retained,
    )


def _mapping(audit: Mapping[str, Any] | None, name: str) -> Mapping[str, Any]:
    found = (audit or {}).get(name)
    return found if isinstance(found, Mapping) else {}


def _count(sizes: Mapping[str, Any], name: str) -> int:
    value = sizes.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


# -- the strip -------------------------------------------------------------------------------------


def _strip(sizes: Sequence[Size], counted: str, live: int | None) -> Strip:
    top = max(1, live or 0, *(max(size.before, size.after) for size in sizes))
    xs = _places(sizes)
    if live is not None:
        xs = [round(LEFT + (x - LEFT) * _UP_TO_NOW, 1) for x in xs]
    line = [(float(LEFT), _y(0, top, STRIP_HEIGHT))]
    drops = []
    for x, size in zip(xs, sizes, strict=True):
        high, low = _y(size.before, top, STRIP_HEIGHT), _y(size.after, top, STRIP_HEIGHT)
        line += [(x, high), (x, low)]
        drops.append(
            Drop(id=size.id, x=x, top=min(high, low), bottom=max(high, low), title=_drop_words(size))
        )
    now = None
    if live is not None:
        now = Live(x=float(WIDTH - RIGHT), y=_y(live, top, STRIP_HEIGHT), title=_live_words(live))
        line.append((now.x, now.y))
    path = _path(line)
    floor = STRIP_HEIGHT - BOTTOM
    return Strip(
        area=f"{path}V{floor}H{LEFT}Z",
        line=path,
        drops=tuple(drops),
        live=now,
        across=tuple(_labels(xs, [size.ordinal for size in sizes])),
        up=(
            Tick(at=_y(0, top, STRIP_HEIGHT), label="0"),
            Tick(at=_y(top, top, STRIP_HEIGHT), label=short_number(top)),
        ),
        words=_strip_words(sizes, counted, live),
    )


def _places(sizes: Sequence[Size]) -> list[float]:
    """Return where each compaction stands: by time where all times are known and rise, else evenly."""
    count, width = len(sizes), WIDTH - LEFT - RIGHT
    times = [size.at for size in sizes if size.at is not None]
    rising = len(times) == count and all(a < b for a, b in pairwise(times))
    if not rising or count < 2:
        return [round(LEFT + width * (place + 1) / (count + 0.25), 1) for place in range(count)]
    first, last = times[0], times[-1]
    # The first one lies an even step from the start, for what came before it has no time here.
    step = 1 / (count + 0.25)
    return [round(LEFT + width * (step + (0.98 - step) * (at - first) / (last - first)), 1) for at in times]


def _drop_words(size: Size) -> str:
    return f"Compaction {size.ordinal}: {short_number(size.before)} to {short_number(size.after)} tokens"


def _live_words(live: int) -> str:
    return f"Now: {short_number(live)} tokens, what came since the last compaction estimated"


def _strip_words(sizes: Sequence[Size], counted: str, live: int | None) -> str:
    largest = max(sizes, key=lambda size: size.before - size.after)
    return (
        f"Context size, {counted}, over {plural(len(sizes), 'compaction')}."
        f" Largest drop: {_drop_words(largest)}."
        f"{f' {_live_words(live)}.' if live is not None else ''}"
        f"{_TABLE_WORDS}"
    )


# -- survival --------------------------------------------------------------------------------------


def _survival(points: Sequence[ContextPoint]) -> Survival | None:
    measured = [(point.ordinal, _shares(point.audit)) for point in points]
    ordinals = [ordinal for ordinal, _ in measured]
    width = WIDTH - LEFT - RIGHT
    step = width / max(1, len(ordinals))
    xs = [round(LEFT + step * (place + 0.5), 1) for place in range(len(ordinals))]
    curves = [
        _curve(ordinal, shares[: len(xs) - place], xs[place:])
        for place, (ordinal, shares) in enumerate(measured)
        if shares
    ]
    if not curves:
        return None
    return Survival(
        curves=tuple(_spaced(curves)),
        across=tuple(_labels(xs, ordinals)),
        up=tuple(Tick(at=_y(share, 1, CURVE_HEIGHT), label=f"{share:.0%}") for share in (0.0, 0.5, 1.0)),
        words=_survival_words(curves),
    )


def _shares(audit: Mapping[str, Any] | None) -> tuple[float, ...]:
    values = (audit or {}).get("survival")
    if not isinstance(values, list):
        return ()
    return tuple(min(1.0, max(0.0, float(value))) for value in values if isinstance(value, (int, float)))


def _curve(ordinal: int, shares: Sequence[float], xs: Sequence[float]) -> Curve:
    points = tuple((x, _y(share, 1, CURVE_HEIGHT)) for x, share in zip(xs, shares, strict=False))
    return Curve(ordinal=ordinal, path=_path(points), points=points, values=tuple(shares))


def _spaced(curves: Sequence[Curve]) -> Iterator[Curve]:
    if len(curves) <= MAX_CURVES:
        yield from curves
        return
    for number in range(MAX_CURVES):
        yield curves[round(number * (len(curves) - 1) / (MAX_CURVES - 1))]


def _survival_words(curves: Sequence[Curve]) -> str:
    first = curves[0]
    return (
        f"Share of exact facts still in the model's sight. Of what compaction {first.ordinal} summarised:"
        f" {share_words(first.values[0])} right after it, {share_words(first.values[-1])} after the last one."
        f"{_TABLE_WORDS}"
    )


# -- geometry --------------------------------------------------------------------------------------


def _y(value: float, top: float, height: int) -> float:
    return round(height - BOTTOM - (height - TOP - BOTTOM) * value / top, 1)


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)


def _labels(xs: Sequence[float], ordinals: Sequence[int]) -> Iterator[Tick]:
    """Yield numbers under the axis, so few that they do not touch."""
    every = max(1, -(-len(xs) // MAX_LABELS))
    last = -WIDTH * 1.0
    for place, (x, ordinal) in enumerate(zip(xs, ordinals, strict=True)):
        if place % every == 0 and x - last >= 24:
            yield Tick(at=x, label=str(ordinal))
            last = x
