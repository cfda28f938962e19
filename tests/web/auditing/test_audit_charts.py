"""Charts as geometry, texts compared, evidence in words."""

from collections.abc import Sequence
from typing import Any

import pytest

from hermes_sessions.store.queries.findings import ContextPoint
from hermes_sessions.web.auditing.audit_words import evidence_words
from hermes_sessions.web.conversation.chart_values import WIDTH, Strip, Survival
from hermes_sessions.web.conversation.charts import MAX_CURVES, MAX_LABELS, draw_charts
from hermes_sessions.web.text.diffs import MAX_LINES, diff_texts
from tests.builders import NOON


def a_point(ordinal: int, **columns: Any) -> ContextPoint:
    given = {
        "id": ordinal,
        "finished_at": NOON + 60 * ordinal,
        "tokens_before": None,
        "tokens_after": None,
        "retained": None,
        "audit": None,
        **columns,
    }
    return ContextPoint(ordinal=ordinal, **given)


def strip_of(points: Sequence[ContextPoint]) -> Strip:
    found = draw_charts(points).strip
    assert found is not None
    return found


def survival_of(points: Sequence[ContextPoint]) -> Survival:
    found = draw_charts(points).survival
    assert found is not None
    return found


def an_audit(before: int, after: int, *survival: float) -> dict[str, Any]:
    return {"sizes": {"before": before, "after": after}, "survival": list(survival)}


def test_nothing_known_draws_nothing() -> None:
    found = draw_charts([a_point(1)])
    assert (found.strip, found.survival, found.sizes, found.unsized) == (None, None, (), 1)


def test_an_agents_count_and_an_estimate_never_share_a_chart() -> None:
    told = a_point(1, tokens_before=100_000, tokens_after=9_000, audit=an_audit(700, 80))
    found = draw_charts([told, a_point(2, audit=an_audit(650, 70)), a_point(3, audit=an_audit(1, 1))])
    assert [size.before for size in found.sizes] == [700, 650, 1]
    assert found.counted == "estimated"


def test_the_strip_ends_with_the_context_as_it_is_now() -> None:
    sizes = {"before": 700, "after": 80, "end": 240}
    found = draw_charts([a_point(1, tokens_before=1_000, tokens_after=100, audit={"sizes": sizes})])
    assert found.live == 260  # 100 by the agent's count, 160 more by ours
    assert found.strip is not None
    assert found.strip.live is not None
    assert found.strip.live.x > found.strip.drops[-1].x
    assert "260 tokens" in found.strip.words


def test_without_a_measured_end_nothing_is_said_about_now() -> None:
    told = a_point(2, tokens_before=100, tokens_after=50)
    found = draw_charts([a_point(1, tokens_before=100, tokens_after=50, audit=an_audit(9, 3)), told])
    assert found.live is None
    assert found.strip is not None
    assert found.strip.live is None


def test_a_drop_runs_from_the_size_before_to_the_size_after() -> None:
    (drop,) = strip_of([a_point(1, tokens_before=100, tokens_after=50)]).drops
    floor, top = 98, 12
    assert (drop.top, drop.bottom) == (top, (floor + top) / 2)


def test_times_that_do_not_rise_are_spaced_evenly() -> None:
    points = [
        a_point(1, finished_at=None, tokens_before=9, tokens_after=1),
        a_point(2, finished_at=5.0, tokens_before=9, tokens_after=1),
        a_point(3, finished_at=1.0, tokens_before=9, tokens_after=1),
    ]
    first, second, third = (drop.x for drop in strip_of(points).drops)
    assert third - second == pytest.approx(second - first, abs=0.2)


@pytest.mark.parametrize("count", [1, 2, 40, 300])
def test_every_chart_stays_inside_its_frame(count: int) -> None:
    points = [
        a_point(place + 1, audit=an_audit(900 + place, 90, *([0.5] * (count - place))))
        for place in range(count)
    ]
    strip, survival = strip_of(points), survival_of(points)
    xs = [drop.x for drop in strip.drops]
    assert 0 < min(xs) <= max(xs) <= WIDTH
    assert len(strip.across) <= MAX_LABELS
    assert len(survival.curves) <= MAX_CURVES
    assert all(0 <= x <= WIDTH for curve in survival.curves for x, _ in curve.points)


def test_a_damaged_audit_is_read_as_far_as_it_goes() -> None:
    damaged = {"sizes": {"before": "many", "after": True}, "survival": [0.5, None, 7, "x"]}
    points = [a_point(1, audit=damaged), a_point(2, audit={"sizes": 3, "survival": 4})]
    assert draw_charts(points).sizes == ()
    assert [curve.values for curve in survival_of(points).curves] == [(0.5, 1.0)]


def test_unchanged_lines_fold_between_changes() -> None:
    old = "\n".join(f"line {number}" for number in range(20))
    found = diff_texts(old, old.replace("line 10", "line ten"))
    kinds = [line.kind for line in found.lines]
    assert kinds == ["fold", "same", "same", "removed", "added", "same", "same", "fold"]
    assert sum(line.count for line in found.lines) == 15
    assert (found.added, found.removed) == (1, 1)


def test_endless_texts_are_compared_at_their_beginning() -> None:
    old = "\n".join(str(number) for number in range(5_000))
    found = diff_texts(old, old.replace("1", "2"))
    assert found.cut
    assert len(found.lines) <= 2 * MAX_LINES


def test_evidence_reads_as_words() -> None:
    evidence = {
        "tail_stored": True,
        "secrets": {"api-key": 2},
        "nothing": None,
        "saved": 0.0312,
        "tools": list("abcdefgh"),
    }
    assert evidence_words(evidence) == (
        ("the kept tail is stored", "yes"),
        ("secrets", "api-key 2"),
        ("saved", "0.0312"),
        ("tools", "a; b; c; d; e; f; and 2 others"),
    )
