"""What a recall server owns: the store, and the way from a call to a reply.

Whatever answers is imported with the first call: a client waits for the server to start, and gives up.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from hermes_sessions.errors import AmbiguousIdError, HermesSessionsError, QueryTimeoutError, StoreError
from hermes_sessions.integrations.recall.reach import Reach
from hermes_sessions.integrations.recall.tools import RecallTool

if TYPE_CHECKING:
    from hermes_sessions.integrations.recall.importing import Importing
    from hermes_sessions.store.opening.database import Database

logger = logging.getLogger(__name__)

STATEMENT_SECONDS: Final = 10.0
"""How long one question to the store may take; a call asks several."""

_ERROR_CHARS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Reply:
    """The text of an answer, or one line that says why there is none."""

    text: str
    failed: bool = False


def _local_time() -> datetime:
    return datetime.now().astimezone()


class RecallService:
    """Answers calls from one store; share it between threads.

    A store that is missing or outdated is looked for again at each call, so that the
    server need not be started again once it is there.
    """

    def __init__(
        self,
        url: str,
        reach: Reach,
        *,
        sync: bool = False,
        now: Callable[[], datetime] = _local_time,
    ) -> None:
        """Take what to read.

        Args:
            url: where the store is; it is opened at the first call.
            reach: what of it may be read.
            sync: import what changed at the store's origins before an answer.
            now: the user's time, with time zone.
        """
        self._url = url
        self._reach = reach
        self._sync = sync
        self._now = now
        self._lock = threading.Lock()
        self._database: Database | None = None
        self._importing: Importing | None = None

    def reply(self, tool: RecallTool, given: Mapping[str, Any]) -> Reply:
        """Answer one call; whatever goes wrong becomes one line."""
        try:
            return Reply(self._answer(tool, given))
        except HermesSessionsError as error:
            if isinstance(error, StoreError) and not isinstance(error, QueryTimeoutError):
                self.close()
            return Reply(self._line(error), failed=True)
        except Exception as error:  # of one call: the next ones are answered all the same
            logger.exception("%s failed", tool.name)
            self.close()
            return Reply(
                f"{tool.name}: failed ({type(error).__name__}); the server's log says why", failed=True
            )

    def close(self) -> None:
        """Close the store; the next call opens it again."""
        with self._lock:
            opened, self._database = self._database, None
        if opened is not None:
            opened.close()

    def _answer(self, tool: RecallTool, given: Mapping[str, Any]) -> str:
        from hermes_sessions.integrations.recall.answering import answer_call
        from hermes_sessions.integrations.recall.reading import Reading

        database = self._opened()
        notes = self._bring_up_to_date(database) if self._sync else []
        with database.read(statement_seconds=STATEMENT_SECONDS) as db:
            reading = Reading(db=db, reach=self._reach, now=self._now())
            return answer_call(reading, tool, given, notes)

    def _opened(self) -> "Database":
        from hermes_sessions.store.opening.database import Database

        with self._lock:
            if self._database is None:
                self._database = Database.open(self._url, create=False)
            return self._database

    def _bring_up_to_date(self, database: "Database") -> list[str]:
        from hermes_sessions.integrations.recall.importing import Importing

        with self._lock:
            self._importing = self._importing or Importing()
        return self._importing.bring_up_to_date(database)

    def _line(self, error: HermesSessionsError) -> str:
        from hermes_sessions.exporters.masking import plain_text
        from hermes_sessions.redact import redact

        text = str(error)
        if isinstance(error, AmbiguousIdError) and self._reach.narrowed:
            text = "this begins several ids; say more of it"
        return " ".join(redact(plain_text(text)).text.split())[:_ERROR_CHARS]
