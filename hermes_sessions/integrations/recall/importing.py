"""Bring the store up to date before a question, now and then, without keeping the question waiting."""

import threading
import time
from collections.abc import Callable
from typing import Final

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.operations.imports.import_origin import ImportOptions
from hermes_sessions.operations.imports.sync import sync_origins
from hermes_sessions.store.opening.database import Database

PAUSE_SECONDS: Final = 10.0
"""How long what was imported counts as new."""

WAIT_SECONDS: Final = 5.0
"""How long a question waits for an import; a longer one continues beside it."""

_SHOWN_ERRORS: Final = 3
_ERROR_CHARS: Final = 300


class Importing:
    """Imports what changed at the origins of a store, one run at a time, in a thread of its own."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._ended: float | None = None
        self._errors: list[str] = []

    def bring_up_to_date(self, database: Database) -> list[str]:
        """Import, unless that was just done; return what whoever asks should know."""
        with self._lock:
            if self._thread is None and (
                self._ended is None or time.monotonic() - self._ended >= PAUSE_SECONDS
            ):
                self._thread = threading.Thread(
                    target=self._run, args=[database], name="import origins", daemon=True
                )
                self._thread.start()
            running = self._thread
        if running is not None:
            running.join(WAIT_SECONDS)
            if running.is_alive():
                return ["An import is under way: this is what was stored before it."]
        return list(self._errors)

    def _run(self, database: Database) -> None:
        errors: list[str] = []
        try:
            outcomes = sync_origins(database, ImportOptions(clock=self._clock))
            errors = [f"Not up to date: {one.error[:_ERROR_CHARS]}" for one in outcomes if one.error]
        except HermesSessionsError as error:
            errors = [f"Not up to date: {str(error)[:_ERROR_CHARS]}"]
        finally:
            with self._lock:
                self._errors = errors[:_SHOWN_ERRORS]
                self._ended = time.monotonic()
                self._thread = None
