"""What a store says of that which is still at its origin: as a store that was filled today would."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import select

from hermes_sessions.call_names import TOOL_NAME
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Compaction, Conversation, Message, Session

NOW = 1_790_000_000.0
_ROW = (
    "origin_key", "role", "kind", "handoff_grammar", "state", "created_at", "digest", "token_count",
    "tool_call_id", "tool_name", "finish_reason", "reply_start", "reply_end", "text", "blocks", "tool_calls",
    "reasoning", "extra",
)  # fmt: skip
_SESSION = (
    "parent_session_id", "relation", "fork", "inherited_count", "source", "model", "title", "cwd",
    "system_prompt_hash", "started_at", "ended_at", "end_reason", "tool_call_count", "input_tokens",
    "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens", "actual_cost_usd",
    "origin_archived", "ordinal", "extra",
)  # fmt: skip
_EVENT = (
    "origin_key", "realisation", "status", "fork", "ordinal", "span_messages", "span_stored", "head_messages",
    "tail_messages", "summary", "method", "trigger", "tokens_before", "tokens_after", "tokens_method",
    "started_at", "finished_at", "error", "claim",
)  # fmt: skip
_CONVERSATION = ("kind", "title", "preview", "session_count", "fork_count", "compaction_count", "archived")


class Present:
    """Everything that is still at the origin, under names that two stores share.

    A row that repeats one which the origin deleted is shown there, where it was said first: it counts as
    shown and as nobody's copy, as in a store that never had the deleted one.

    Attributes:
        torn: sessions that cannot be read today, and those that hang on one of them or on one which is gone;
            the store knows more of them than their files say.
        spanless: compactions whose span nothing tells (any more).
        begun: conversations that may begin with a row which the origin deleted and others repeat.
        nameless: rows of results whose call nothing tells (any more), as session and key.
    """

    def __init__(self, database: Database, unread: Collection[str] = ()) -> None:
        with database.read() as db:
            self._sessions = {one.id: one for one in db.scalars(select(Session))}
            self._rows = {
                one.id: one
                for one in db.scalars(select(Message).order_by(Message.session_id, Message.position))
            }
            self._events = {one.id: one for one in db.scalars(select(Compaction))}
            self._conversations = {one.id: one for one in db.scalars(select(Conversation))}
        self._unread = unread
        self.torn = {one.foreign_id for one in self._sessions.values() if self._hangs_on_gone(one)}
        self.begun = {
            self._conversations[row.conversation_id].public_id
            for row in self._rows.values()
            if row.shown and row.origin_key is None
        }
        self.spanless = {one.origin_key for one in self._events.values() if one.span_messages is None}
        self.nameless = {self._name(one.id) for one in self._rows.values() if one.tool_name is None}

    def values(
        self,
        left_out: Collection[str] = (),
        spanless: Collection[Any] = (),
        nameless: Collection[str | None] = (),
    ) -> dict[str, Any]:
        """Return sessions, rows, compactions and conversations.

        Args:
            left_out: sessions of which nothing is returned.
            spanless: compactions of whose spans nothing is.
            nameless: rows of whose tool nothing is.
        """
        told = {
            one.id: one
            for one in self._sessions.values()
            if one.gone_at is None and one.foreign_id not in left_out
        }
        rows: dict[str, list[Any]] = {one.foreign_id: [] for one in told.values()}
        for row in self._rows.values():
            if row.session_id in told and row.origin_key is not None:
                rows[told[row.session_id].foreign_id].append(self._row(row, nameless))
        torn = {
            self._sessions[one.id].conversation_id for one in self._sessions.values() if one.id not in told
        }
        past = self._past(spanless)
        events = [one for one in self._events.values() if one.session_id in told and one not in past]
        return {
            "sessions": {one.foreign_id: self._session(one, rows[one.foreign_id]) for one in told.values()},
            "rows": rows,
            "compactions": sorted(
                (self._event(one, spanless, past) for one in events),
                key=repr,
            ),
            "conversations": {
                one.public_id: self._conversation(one, past)
                for one in self._conversations.values()
                if one.id not in torn
            },
        }

    def _past(self, spanless: Collection[Any]) -> list[Compaction]:
        """Return the compactions that are known here only: the file begins with one of *spanless*."""
        first = {one.session_id: one.ordinal for one in self._events.values() if one.origin_key in spanless}
        events = self._events.values()
        return [one for one in events if (one.ordinal or 0) < (first.get(one.session_id) or 0)]

    def _hangs_on_gone(self, session: Session) -> bool:
        if session.foreign_id in self._unread:
            return True
        above, seen = self._sessions.get(session.parent_id or 0), {session.id}
        while above is not None and above.id not in seen:
            if above.gone_at is not None or above.foreign_id in self._unread:
                return True
            seen.add(above.id)
            above = self._sessions.get(above.parent_id or 0)
        return False

    def _session(self, one: Session, rows: list[Any]) -> dict[str, Any]:
        parent = self._sessions.get(one.parent_id or 0)
        told = {name: getattr(one, name) for name in _SESSION}
        told["parent"] = None if parent is None else parent.foreign_id
        told["shown"] = sum(row["shown"] for row in rows)
        mine = (row for row in self._rows.values() if row.session_id == one.id)
        told["inherited_count"] = sum(
            row.origin_key is not None and row.position < one.inherited_count for row in mine
        )
        return told

    def _row(self, row: Message, nameless: Collection[str | None]) -> dict[str, Any]:
        first = self._rows.get(row.copy_of or 0)
        again = first is not None and first.origin_key is None and first.session_id == row.session_id
        told = {name: getattr(row, name) for name in _ROW}
        told["shown"] = row.shown or (again and first is not None and first.shown)
        told["copy_of"] = None if again else self._name(row.copy_of)
        event = self._events.get(row.archived_by or 0)
        told["archived_by"] = None if event is None else event.origin_key
        if self._name(row.id) in nameless:
            told["tool_name"] = None
            told["extra"] = {one: it for one, it in (row.extra or {}).items() if one != TOOL_NAME} or None
        return told

    def _conversation(self, one: Conversation, past: Collection[Compaction]) -> dict[str, Any]:
        told = {name: getattr(one, name) for name in _CONVERSATION}
        told["compaction_count"] -= sum(event.conversation_id == one.id for event in past)
        return told

    def _event(
        self, one: Compaction, spanless: Collection[Any], past: Collection[Compaction]
    ) -> dict[str, Any]:
        told = {name: getattr(one, name) for name in _EVENT}
        told["ordinal"] -= sum(event.conversation_id == one.conversation_id for event in past)
        told["session"] = self._sessions[one.session_id].foreign_id
        for name in ("span_first_id", "span_last_id", "handoff_id"):
            told[name] = self._name(getattr(one, name))
        if one.origin_key in spanless:
            return {name: value for name, value in told.items() if not name.startswith("span_")}
        return told

    def _name(self, key: int | None) -> str | None:
        row = self._rows.get(key or 0)
        return None if row is None else f"{self._sessions[row.session_id].foreign_id}:{row.origin_key}"


def bring(database: Database, path: Any) -> Any:
    """Import; afterwards the store agrees with itself."""
    report = import_path(database, path, ImportOptions(lambda: NOW))
    with database.read() as db:
        assert check_store(db) == []
    return report


def differences(database: Database, fresh: Database, unread: Collection[str] = ()) -> list[str]:
    """Return what two stores of the same files say differently of what is still there.

    Args:
        unread: sessions whose files are there and half written.
    """
    kept, told = Present(database, unread), Present(fresh)
    # So are spans and names of calls whose lines are gone.
    mine, theirs = (one.values(kept.torn, told.spanless, told.nameless) for one in (kept, told))
    for values in (mine, theirs):
        for one in kept.begun & values["conversations"].keys():
            del values["conversations"][one]["preview"]
    # What hangs on a session that is gone is known better here; its words are those of its files.
    words = {
        one: [(row["origin_key"], row["text"]) for row in kept.values()["rows"].get(one, [])]
        for one in kept.torn
        if one in told.values()["sessions"]
    }
    found = [
        f"rows of {one}"
        for one, said in words.items()
        if said != [(row["origin_key"], row["text"]) for row in told.values()["rows"][one]]
    ]
    return found + _unlike(mine, theirs)


def _unlike(mine: Any, theirs: Any, at: str = "") -> list[str]:
    if isinstance(mine, dict) and isinstance(theirs, dict):
        names = sorted(mine.keys() | theirs.keys())
        return [
            line
            for one in names
            for line in _unlike(mine.get(one, "nothing"), theirs.get(one, "nothing"), f"{at}/{one}")
        ]
    if isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        pairs = enumerate(zip(mine, theirs, strict=True))
        return [line for number, (a, b) in pairs for line in _unlike(a, b, f"{at}/{number}")]
    if isinstance(mine, list) and isinstance(theirs, list):
        return [f"{at}: {len(mine)} instead of {len(theirs)}: {_keys(mine)} / {_keys(theirs)}"]
    return [] if mine == theirs else [f"{at}: {mine!r:.150} instead of {theirs!r:.150}"]


def _keys(values: list[Any]) -> list[Any]:
    return [one.get("origin_key") if isinstance(one, dict) else one for one in values]
