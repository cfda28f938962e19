"""`/metrics`: what a monitoring system asks for, in the Prometheus text format.

Requests are counted here; the store is counted when it is asked about. Names of routes
are labels, addresses and ids never are.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Flask, Response, current_app, request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from hermes_sessions import __version__
from hermes_sessions.errors import StoreError
from hermes_sessions.store.opening.replica_choice import ReplicaState
from hermes_sessions.store.queries.figures import OriginFigures, StoreFigures, load_figures
from hermes_sessions.web.serving.request_store import primary_up, replica_states
from hermes_sessions.web.serving.requests import seconds
from hermes_sessions.web.site.context import database

bp = Blueprint("metrics", __name__)
_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class RequestCounts:
    """How many requests there were, and how long they took; one per application."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "hermes_sessions_requests",
            "Answers, by method, route and status.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "hermes_sessions_request_seconds",
            "Time from a request to the beginning of its answer.",
            ("route",),
            buckets=_BUCKETS,
            registry=self.registry,
        )

    def count(self, response: Response) -> Response:
        """Count one answer."""
        route = request.endpoint or "none"
        method = request.method if request.method in ("GET", "HEAD", "POST", "OPTIONS") else "other"
        self.requests.labels(method, route, str(response.status_code)).inc()
        self.seconds.labels(route).observe(seconds())
        return response


class StoreCounts(Collector):
    """What the store holds at one moment; without figures, that it does not answer."""

    def __init__(self, figures: StoreFigures | None, now: float) -> None:
        self._figures = figures
        self._now = now

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the families."""
        yield _gauge("build", "The version that runs.", ("version",), {(__version__,): 1})
        yield _gauge("store_up", "Whether the store answers.", (), {(): int(self._figures is not None)})
        if self._figures is None:
            return
        held = self._figures
        yield _gauge("store_bytes", "Size of the store.", (), {(): held.bytes})
        yield _gauge("conversations", "Conversations stored.", (), {(): held.conversations})
        yield _gauge("messages", "Messages that the scrolls show.", (), {(): held.messages})
        yield _gauge("compactions", "Compactions stored.", ("realisation", "status"), held.compactions)
        found = {(severity,): number for severity, number in held.findings.items()}
        yield _gauge("findings", "Findings of the audit.", ("severity",), found)
        yield from _origins([one for one in held.origins if not one.paused], self._now)


class ReplicaCounts(Collector):
    """How a store's replicas are; nothing where it has none."""

    def __init__(self, states: Sequence[tuple[ReplicaState, str | None]], primary: bool | None) -> None:
        self._states = states
        self._primary = primary

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the families."""
        if self._primary is None:
            return
        label = ("replica",)
        yield _gauge("primary_up", "Whether the store's primary answers.", (), {(): int(self._primary)})
        known = {(one.name,): one for one, _ in self._states}
        up = {(one.name,): int(one.lag_seconds is not None) for one in known.values()}
        used = {(one.name,): int(reason is None) for one, reason in self._states}
        seconds = {name: one.lag_seconds for name, one in known.items() if one.lag_seconds is not None}
        behind = {name: one.lag_bytes for name, one in known.items() if one.lag_bytes is not None}
        yield _gauge("replica_up", "Whether it answers, and replays this store's log.", label, up)
        yield _gauge("replica_in_use", "Whether pages are read from it.", label, used)
        yield _gauge("replica_lag_seconds", "Since when it lacks something; 0: nothing.", label, seconds)
        yield _gauge("replica_lag_bytes", "How much of the primary's log it lacks.", label, behind)


def register(app: Flask) -> None:
    """Count what the application answers, and tell who asks."""
    counts = RequestCounts()
    app.extensions["hermes_sessions_counts"] = counts
    app.after_request(counts.count)
    app.register_blueprint(bp)


@bp.get("/metrics")
def metrics() -> Response:
    """Return everything that is counted."""
    try:
        with database().read() as db:
            figures = load_figures(db)
    except StoreError:
        figures = None
    registry = CollectorRegistry()
    registry.register(StoreCounts(figures, time.time()))
    registry.register(ReplicaCounts(replica_states(), primary_up()))
    counts: RequestCounts = current_app.extensions["hermes_sessions_counts"]
    body = generate_latest(counts.registry) + generate_latest(registry)
    return Response(body, content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})


def _origins(origins: list[OriginFigures], now: float) -> Iterator[GaugeMetricFamily]:
    synced = {(one.label,): one.last_synced_at for one in origins if one.last_synced_at is not None}
    failing = {(one.label,): int(one.failing) for one in origins}
    lags = {(one.label,): lag for one in origins if (lag := _lag(one, now)) is not None}
    label = ("origin",)
    yield _gauge(
        "origin_synced_timestamp_seconds", "When an origin was last brought up to date.", label, synced
    )
    yield _gauge("origin_failing", "Whether the last attempt ended with an error.", label, failing)
    yield _gauge("origin_lag_seconds", "Since when its file holds something newer; 0: nothing.", label, lags)


def _lag(origin: OriginFigures, now: float) -> float | None:
    """Return how long the file has waited to be read; None where this machine does not have it."""
    times = []
    for name in (origin.location, f"{origin.location}-wal") if origin.location else ():
        try:
            times.append(Path(name).stat().st_mtime)
        except OSError:
            continue
    if not times:
        return None
    return max(0.0, now - max(times)) if max(times) > (origin.last_synced_at or 0.0) else 0.0


def _gauge(name: str, about: str, labels: tuple[str, ...], samples: Mapping[Any, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"hermes_sessions_{name}", about, labels=labels)
    for values, number in samples.items():
        family.add_metric(values, number)
    return family
