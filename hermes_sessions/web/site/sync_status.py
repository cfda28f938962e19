"""How far each origin's sync is: written by the syncing thread, read by every page."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum


class Phase(StrEnum):
    """What a sync is doing with an origin."""

    WAITING = "waiting"
    IMPORTING = "importing"
    FOLLOWING = "following"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginProgress:
    """One origin's sync at a moment. `total` is None while it is not known."""

    label: str
    phase: Phase = Phase.WAITING
    done: int = 0
    total: int | None = None
    first: bool = False
    last_sync_at: float | None = None
    last_error: str | None = None

    @property
    def share(self) -> float | None:
        """Rows done as a share of all, from 0 to 1; None while the total is not known."""
        if not self.total:
            return None
        return min(1.0, self.done / self.total)


class SyncStatus:
    """Progress by origin, safe to use from any thread.

    Args:
        on_failure: is told of each new error, for whoever watches the terminal.
    """

    def __init__(self, on_failure: Callable[[str], None] | None = None) -> None:
        self._lock = threading.Lock()
        self._on_failure = on_failure
        self._on_imported: Callable[[str], None] | None = None
        self._imported: list[str] = []
        self._origins: dict[str, OriginProgress] = {}
        self.watched: tuple[str, ...] = ()
        """Files and folders where conversations are looked for; what appears there is imported."""

    def start(self, label: str, *, total: int | None = None, first: bool = False) -> None:
        """Say that an origin is being imported now, for the first time or again."""
        self._change(label, phase=Phase.IMPORTING, done=0, total=total, first=first)

    def advance(self, label: str, done: int, total: int | None = None) -> None:
        """Say how many rows are done; *total* replaces the known total when given."""
        if total is None:
            self._change(label, done=done)
        else:
            self._change(label, done=done, total=total)

    def finish(self, label: str, at: float) -> None:
        """Say that an origin is up to date since *at* and is being followed."""
        before = self._change(label, phase=Phase.FOLLOWING, last_sync_at=at, last_error=None, first=False)
        if before.first:
            read = f"{before.done:,} rows read" if before.done else "nothing new"
            self._tell_imported(f"{label}: {read}; followed from now on")

    def tell_imports(self, on_imported: Callable[[str], None]) -> None:
        """Tell *on_imported* of each origin's first import from now on, and of those before now."""
        with self._lock:
            self._on_imported, before = on_imported, self._imported
        for line in before:
            on_imported(line)

    def fail(self, label: str, message: str) -> None:
        """Say that the last attempt ended with an error, in one line."""
        before = self._change(label, phase=Phase.FAILED, last_error=message, first=False)
        if self._on_failure is not None and before.last_error != message:
            self._on_failure(message)

    def snapshot(self) -> tuple[OriginProgress, ...]:
        """Return every origin's progress, by label."""
        with self._lock:
            return tuple(self._origins[label] for label in sorted(self._origins))

    @property
    def importing(self) -> tuple[OriginProgress, ...]:
        """Return the origins whose first import is running."""
        return tuple(origin for origin in self.snapshot() if origin.first and origin.phase is Phase.IMPORTING)

    @property
    def failed(self) -> tuple[OriginProgress, ...]:
        """Return the origins whose last attempt ended with an error; also while the next one runs."""
        return tuple(origin for origin in self.snapshot() if origin.last_error is not None)

    def _tell_imported(self, line: str) -> None:
        with self._lock:
            if self._on_imported is None:
                self._imported.append(line)
                return
        self._on_imported(line)

    def _change(self, label: str, **changes: object) -> OriginProgress:
        """Make changes; return how it was before."""
        with self._lock:
            known = self._origins.get(label) or OriginProgress(label=label)
            self._origins[label] = replace(known, **changes)  # type: ignore[arg-type]
        return known
