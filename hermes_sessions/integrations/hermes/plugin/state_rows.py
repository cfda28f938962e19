"""Rows of one conversation in the agent's database: read only, within a time. Names no tool."""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final
from urllib.parse import quote

_SECONDS: Final = 3.0
_STEPS: Final = 20_000
_BUSY_SECONDS: Final = 1.0
_MOST_ANCESTORS: Final = 500
_COMPACTED: Final = "compression"


@dataclass(frozen=True, slots=True, kw_only=True)
class StateRow:
    """A message of the agent's database; `archived` where the model does not see it any more."""

    id: int
    role: str
    text: str
    calls: str
    tool_name: str
    archived: bool

    @property
    def whole(self) -> str:
        """Its text, and the calls it made."""
        return "\n".join(part for part in (self.text, self.calls) if part)


class StateRows:
    """An open database and the sessions of one conversation in it; to be used as a context.

    Raises:
        sqlite3.Error: it cannot be read, or not within three seconds.
    """

    def __init__(self, path: Path, session: str) -> None:
        place = f"file:{quote(str(path))}?mode=ro"
        self._db = sqlite3.connect(place, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)
        self._until = time.monotonic() + _SECONDS
        self._session = session
        self.ended_early = False
        """Whether the time was over before a search had seen every message."""

    def __enter__(self) -> "StateRows":
        try:
            self._db.execute("PRAGMA query_only = ON")
            self._db.set_progress_handler(lambda: time.monotonic() > self._until, _STEPS)
            names = {row[1] for row in self._db.execute("PRAGMA table_info(messages)")}
            self._active = "active" if "active" in names else "1"
            self._sessions = self._conversation()
        except BaseException:
            self._db.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._db.close()

    def holding(self, words: Sequence[str]) -> Iterator[StateRow]:
        """Yield the messages that hold all *words*, newest first, until the time is over."""
        where = " AND ".join(
            "(coalesce(content, '') LIKE ? ESCAPE '\\' OR coalesce(tool_calls, '') LIKE ? ESCAPE '\\')"
            for _ in words
        )
        patterns = [f"%{_escaped(word)}%" for word in words for _ in range(2)]
        try:
            for row in self._rows(f"AND {where} ORDER BY id DESC", patterns):
                yield row
                if time.monotonic() > self._until:
                    break
            else:
                return
        except sqlite3.OperationalError:
            if time.monotonic() <= self._until:
                raise
        self.ended_early = True

    def around(self, row_id: int, limit: int) -> list[StateRow]:
        """Return up to *limit* messages around one, in order; nothing where it is not there."""
        if not any(True for _ in self._rows("AND id = ?", [row_id])):
            return []
        half = limit // 2
        before = list(self._rows(f"AND id < ? ORDER BY id DESC LIMIT {half}", [row_id]))[::-1]
        return before + list(self._rows(f"AND id >= ? ORDER BY id LIMIT {limit - len(before)}", [row_id]))

    def after(self, row_id: int, limit: int) -> list[StateRow]:
        """Return up to *limit* messages behind one, in order."""
        return list(self._rows(f"AND id > ? ORDER BY id LIMIT {int(limit)}", [row_id]))

    def _rows(self, rest: str, values: Sequence[object]) -> Iterator[StateRow]:
        marks = ",".join("?" * len(self._sessions))
        found = self._db.execute(
            f"SELECT id, role, content, tool_calls, tool_name, session_id, {self._active}"
            f" FROM messages WHERE session_id IN ({marks}) {rest}",
            [*self._sessions, *values],
        )
        for row_id, role, content, calls, tool, session, active in found:
            yield StateRow(
                id=row_id,
                role=str(role or ""),
                text=_text(content),
                calls=_text(calls),
                tool_name=str(tool or ""),
                archived=session != self._session or not active,
            )

    def _conversation(self) -> list[str]:
        """Return the session and those that it continues after a compaction."""
        found = [self._session]
        while len(found) < _MOST_ANCESTORS:
            row = self._db.execute(
                "SELECT p.id FROM sessions s JOIN sessions p ON p.id = s.parent_session_id"
                " WHERE s.id = ? AND p.end_reason = ?",
                (found[-1], _COMPACTED),
            ).fetchone()
            if row is None or row[0] in found:
                break
            found.append(row[0])
        return found


def _escaped(word: str) -> str:
    return "".join(f"\\{char}" if char in "\\%_" else char for char in word)


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value).removeprefix("\x00json:")
