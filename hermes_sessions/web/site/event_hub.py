"""One look at the store for all open pages: the hub that feeds every stream of events.

A thread looks at the store's change token while anybody listens, and asks what changed
only when it moved; each change set is worded once, whatever the number of streams.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from hermes_sessions.errors import StoreUnavailableError
from hermes_sessions.operations.documents.encoding import encode
from hermes_sessions.operations.documents.following import ChangesJson, HelloJson, changes_document
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.changes import latest_change, load_changes

logger = logging.getLogger(__name__)

LOOK_SECONDS: Final = 0.5
HEARTBEAT_SECONDS: Final = 10.0
GONE_SECONDS: Final = 2.0
"""How often a silent stream asks whether its reader is gone."""

CLOSE_SECONDS: Final = 2.0
KEPT_EVENTS: Final = 64
RETRY_MILLISECONDS: Final = 2_000


class ChangeHub:
    """Streams of what changes in one store; safe to use from any thread.

    Args:
        watched: gives the store to look at, whoever writes to it; another copy of it each time, if need be.
        most: streams at a time; each keeps one of the server's threads.
        look_seconds: time between two looks at the change token.
        heartbeat_seconds: how often a silent stream says something, which finds closed ones.
        beside: how many streams other hubs of the same server have open; they count as its own.
    """

    def __init__(
        self,
        watched: Callable[[], Database],
        *,
        most: int,
        look_seconds: float = LOOK_SECONDS,
        heartbeat_seconds: float = HEARTBEAT_SECONDS,
        beside: Callable[[], int] = lambda: 0,
    ) -> None:
        self._watched = watched
        self._most = most
        self._look_seconds = look_seconds
        self._heartbeat_seconds = heartbeat_seconds
        self._beside = beside
        self._changed = threading.Condition()
        self._stopping = threading.Event()
        self._streams: dict[str, _Stream] = {}
        self._events: deque[bytes] = deque(maxlen=KEPT_EVENTS)
        self._count = 0
        self._cursor = 0
        self._token = ""
        self._thread: threading.Thread | None = None

    @property
    def open_streams(self) -> int:
        """How many streams are open."""
        with self._changed:
            return len(self._streams)

    def open(self, browser: str, is_gone: Callable[[], bool] = lambda: False) -> "EventStream | None":
        """Open the stream of a browser, which ends the one it had; None when there are too many.

        The stream begins with a `hello` that carries the cursor of this moment. Whoever opened it
        closes it, whether anything of it was read or not.

        Args:
            browser: its name; the same browser has one stream.
            is_gone: asked now and then, where the server knows that nobody listens any more.
        """
        stream, most = _Stream(is_gone), self._most - self._beside()
        with self._changed:
            if self._stopping.is_set() or (len(self._streams) >= most and browser not in self._streams):
                return None
            self._streams[browser] = stream
            stream.seen = self._count
            self._changed.notify_all()
        try:
            # Behind the registration: what is committed from here on is told.
            with self._watched().read() as db:
                cursor = latest_change(db)
        except BaseException:
            self._leave(browser, stream)
            raise
        self._look_from(cursor)
        return EventStream(self._tell(browser, stream, cursor), lambda: self._leave(browser, stream))

    def close(self) -> None:
        """End every stream at once, and the look at the store."""
        self._stopping.set()
        with self._changed:
            thread = self._thread
            self._changed.notify_all()
        if thread is not None:
            thread.join(CLOSE_SECONDS)

    # -- streams -----------------------------------------------------------------------------------

    def _tell(self, browser: str, stream: "_Stream", cursor: int) -> Iterator[bytes]:
        yield b"retry: %d\n" % RETRY_MILLISECONDS + _event("hello", HelloJson(cursor=cursor))
        while (news := self._await(browser, stream)) is not None:
            yield news

    def _await(self, browser: str, stream: "_Stream") -> bytes | None:
        """Return what a stream has not told yet, or a sign of life; None when it is over."""

        def over() -> bool:
            return self._stopping.is_set() or self._streams.get(browser) is not stream

        silent_until = time.monotonic() + self._heartbeat_seconds
        with self._changed:
            while not (over() or stream.seen < self._count):
                left = silent_until - time.monotonic()
                if left <= 0:
                    return b": still here\n\n"
                self._changed.wait(min(left, GONE_SECONDS))
                if stream.is_gone():
                    return None
            if over():
                return None
            missed = self._count - stream.seen
            stream.seen = self._count
            if missed > len(self._events):
                return _event("changed", ChangesJson(cursor=self._cursor, more=True, conversations=[]))
            return b"".join(list(self._events)[len(self._events) - missed :])

    def _leave(self, browser: str, stream: "_Stream") -> None:
        with self._changed:
            if self._streams.get(browser) is stream:
                del self._streams[browser]

    # -- looking -----------------------------------------------------------------------------------

    def _look_from(self, cursor: int) -> None:
        with self._changed:
            if self._thread is None:
                self._cursor, self._token = cursor, ""
                self._thread = threading.Thread(target=self._run, name="watch the store", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not self._stopping.wait(self._look_seconds):
            with self._changed:
                if not self._streams:
                    self._thread = None
                    return
            try:
                self._look()
            except StoreUnavailableError:
                continue  # the store says so itself, once
            except Exception as error:
                # Whatever a driver raises when its server goes: nobody is told less than late.
                logger.info("the store could not be read; the next attempt follows: %s", error)

    def _look(self) -> None:
        database = self._watched()
        token = database.change_token()
        if token == self._token:
            return
        with database.read() as db:
            changes = load_changes(db, self._cursor)
        # What is held comes without another commit: the transaction that holds it may write nothing here.
        self._token = "" if changes.held else token
        if not changes.items:
            return
        with self._changed:
            self._cursor = changes.cursor
            self._events.append(_event("changed", changes_document(changes)))
            self._count += 1
            self._changed.notify_all()


class EventStream:
    """What one browser is told; it counts until it ends or is closed, also where none of it was read.

    A generator that never began would not notice that it is closed.
    """

    def __init__(self, told: Iterator[bytes], leave: Callable[[], None]) -> None:
        self._told = told
        self._leave = leave

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            return next(self._told)
        except BaseException:  # the end of it as well
            self._leave()
            raise

    def close(self) -> None:
        """End it."""
        self._leave()


@dataclass(slots=True)
class _Stream:
    """One stream: whether anybody listens, and how far it has told."""

    is_gone: Callable[[], bool]
    seen: int = 0


def _event(name: str, document: HelloJson | ChangesJson) -> bytes:
    return b"event: %b\nid: %d\ndata: %b\n\n" % (name.encode(), document.cursor, encode(document))
