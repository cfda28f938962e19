"""Keep origins up to date for as long as a viewer runs."""

import logging
import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Final, Protocol

from hermes_sessions.agents.contract import Found
from hermes_sessions.errors import HermesSessionsError, SourceError, StoreError, StoreUnavailableError
from hermes_sessions.operations.auditing.audit_conversations import run_audit
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.operations.imports.locate_origin import label_of, locate_origin
from hermes_sessions.operations.imports.watch_folders import FolderWatch, folders_below
from hermes_sessions.store.engines.file_probe import network_file_system
from hermes_sessions.store.engines.sqlite_engine import mounts
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.progress import Progress
from hermes_sessions.store.queries.stored_audits import FindingListing

logger = logging.getLogger(__name__)

POLL_SECONDS: Final = 2.0
CALM_SECONDS: Final = 30.0
"""How often is looked where changes are noticed by themselves."""

QUIET_SECONDS: Final = 0.2
"""A writer is given this long to go on before its rows are read."""

PACE: Final = 4.0
MAX_PAUSE_SECONDS: Final = 30.0
"""After a sync that took long, so many times as long nothing is read."""


class SyncListener(Protocol):
    """What is told how far a sync is; `web.site.sync_status.SyncStatus` is one."""

    def start(self, label: str, *, total: int | None = None, first: bool = False) -> None:
        """An origin is being imported, for the first time or again."""

    def advance(self, label: str, done: int, total: int | None = None) -> None:
        """So many rows are done."""

    def finish(self, label: str, at: float) -> None:
        """The origin is up to date."""

    def fail(self, label: str, message: str) -> None:
        """The attempt ended with an error, in one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What is followed.

    Attributes:
        paths: databases, whether or not they are there now.
        discover: finds further ones with their names, asked again and again: profiles are made later.
        folders: where those would appear.
        polling: look from time to time; never wait to be told of changes.
        jobs: how many processes an import may use.
    """

    paths: Sequence[Path] = ()
    discover: Callable[[], Sequence[Found]] = tuple
    folders: Callable[[], Sequence[Path]] = tuple
    polling: bool = False
    jobs: int = 1


class Follower:
    """A thread that imports databases and keeps following them until it is stopped.

    It only looks at a file's change token between imports, which opens nothing: when the
    operating system says that something in its folder changed, and now and then anyway.
    Where it says nothing (network file systems) every two seconds. What an import
    changed is audited at once.
    """

    def __init__(
        self, database: Database, sources: Sources, listener: SyncListener, clock: Callable[[], float]
    ) -> None:
        self._database = database
        self._sources = sources
        self._listener = listener
        self._options = ImportOptions(clock=clock, jobs=sources.jobs)
        self._stopping = threading.Event()
        self._noticed = threading.Event()
        self._watch = FolderWatch(self._noticed.set)
        self._seen: dict[Path, str] = {}
        self._labels: dict[Path, str] = {}
        self._thread = threading.Thread(target=self._run, name="follow origins", daemon=True)

    def start(self) -> None:
        """Begin following."""
        self._thread.start()

    def stop(self, timeout: float = 10.0) -> None:
        """Ask the thread to end after the transaction it is in, and wait for it."""
        self._stopping.set()
        self._noticed.set()
        self._thread.join(timeout)

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                told = self._round()
                if not self._stopping.is_set():
                    self._noticed.wait(CALM_SECONDS if told else POLL_SECONDS)
        finally:
            self._watch.stop()

    def _round(self) -> bool:
        """Look at everything once; return whether changes after that will be noticed."""
        try:
            told = self._expect()
            started = time.monotonic()
            for path in self._paths():
                if not self._stopping.is_set():
                    self._look(path)
        except StoreError as error:
            # No origin is at fault. The next round finds what this one did not read.
            logger.debug("following waits for the store: %s", error)
            self._noticed.clear()
            return False
        self._pause(time.monotonic() - started)
        return told

    def _paths(self) -> list[Path]:
        found = self._sources.discover()
        self._labels = {one.path: one.label for one in found}
        paths = (*self._sources.paths, *(one.path for one in found))
        return list({path.resolve(): path for path in paths}.values())

    def _expect(self) -> bool:
        """Watch the folders of what is followed; return whether changes there will be noticed."""
        self._noticed.clear()
        paths = self._paths()
        if self._sources.polling or _any_on_network(paths):
            return False
        below = (folders_below(path) if path.is_dir() else [path.resolve().parent] for path in paths)
        self._watch.follow({*chain.from_iterable(below), *self._sources.folders()})
        return self._watch.works

    def _pause(self, took: float) -> None:
        """Leave the files alone for a moment, the longer the more there is to read."""
        self._stopping.wait(min(MAX_PAUSE_SECONDS, max(QUIET_SECONDS, PACE * took)))

    def _look(self, path: Path) -> None:
        label = self._labels.get(path, path.stem)
        try:
            located = locate_origin(path)
            label = self._labels.get(located.path) or label_of(located)
            token = located.importer.token(located.path)
            if self._seen.get(path) == token:
                return
            first = path not in self._seen
            self._listener.start(label, first=first)
            report = import_path(self._database, located.path, self._told(label))
            if first or not report.unchanged:
                run_audit(
                    self._database, FindingListing(origin=report.origin), clock=self._options.clock,
                    progress=self._unless_stopped(label),
                )  # fmt: skip
            self._seen[path] = token
            self._listener.finish(label, self._options.clock())
            if report.origin != label:
                self._listener.finish(report.origin, self._options.clock())
        except StoreUnavailableError:
            raise
        except (HermesSessionsError, OSError) as error:
            self._seen.setdefault(path, "")
            if not self._stopping.is_set():  # else whoever stopped us knows why it is incomplete
                self._listener.fail(label, str(error))
        except Exception as error:  # of one origin: the others are followed all the same
            logger.debug("following %s failed", path, exc_info=True)
            self._seen.setdefault(path, "")
            told = " ".join(str(error).split())[:300]
            self._listener.fail(label, f"{path}: failed ({type(error).__name__}): {told}")

    def _unless_stopped(self, label: str) -> Progress:
        """Return a listener that ends what it listens to once this follower is to stop."""

        def progress(step: str, done: int, total: int) -> None:
            if self._stopping.is_set():
                raise SourceError(
                    f"{label}: stopped before it was complete; the next run continues from there"
                )

        return progress

    def _told(self, label: str) -> ImportOptions:
        stopped = self._unless_stopped(label)

        def progress(step: str, done: int, total: int) -> None:
            stopped(step, done, total)
            self._listener.advance(label, done, total)

        return replace(self._options, labels=self._labels, progress=progress)


def _any_on_network(paths: Collection[Path]) -> bool:
    known = mounts()
    return any(network_file_system(path.resolve(), known) is not None for path in paths)
