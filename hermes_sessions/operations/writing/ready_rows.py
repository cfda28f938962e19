"""New families whose rows are ready to be stored: everything that needs no key of the store.

Made by the process that reads them, or by the one that stores; no database is known here.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from hermes_sessions.agents.values import Family, MessageRow, Verdict
from hermes_sessions.messages import MessageKind, MessageState, Role
from hermes_sessions.store.keeping.conversation_values import is_shown, newest_time, preview_of
from hermes_sessions.store.language.ready_messages import READY, ReadyColumns, Words, ready_message

PLAIN: Final = Verdict()
_SAME: Final = tuple(name for name in MessageRow._fields if name in READY and name not in ("state", "extra"))

ReadyRow: TypeAlias = tuple[int, int | None, str | None, ReadyColumns, Words]
"""A plain tuple: `ref`, that of what it repeats, the key of what archived it, columns, words."""


class ReadySession(NamedTuple):
    """The rows of one session, and what a session keeps of them.

    Attributes:
        shown: how many are shown.
        newest: time of the last.
        preview: how the first request that is shown begins.
    """

    rows: Sequence[ReadyRow]
    shown: int
    newest: float | None
    preview: str | None


@dataclass(frozen=True, slots=True)
class ReadyBatches:
    """What a `Family` streams its rows with, where these are ready; *sessions* in the order of the stream."""

    sessions: Mapping[str, ReadySession]
    chars: int

    def __call__(self) -> Iterator[tuple[str, list[MessageRow]]]:
        """Yield the rows as an importer gives them, with the state in which they are stored."""
        for session, ready in self.sessions.items():
            yield session, [_message_row(ref, columns) for ref, _, _, columns, _ in ready.rows]


def plain_values(row: MessageRow, verdict: Verdict, grammar: str) -> dict[str, Any]:
    """Return the columns of a message that need no key of the store, but for `shown`."""
    start, end = verdict.reply or (None, None)
    return {
        "role": row.role,
        "kind": verdict.kind.value,
        "handoff_grammar": None if verdict.kind is MessageKind.MESSAGE else grammar,
        "state": (verdict.state or row.state).value,
        "created_at": row.created_at,
        "origin_key": row.origin_key,
        "origin_row_id": row.origin_row_id,
        "digest": row.digest,
        "token_count": row.token_count,
        "tool_call_id": row.tool_call_id,
        "tool_name": row.tool_name,
        "finish_reason": row.finish_reason,
        "reply_start": start,
        "reply_end": end,
        "text": row.text,
        "blocks": row.blocks,
        "tool_calls": row.tool_calls,
        "reasoning": row.reasoning,
        "extra": row.extra,
    }


def ready_batches(family: Family, grammar: str, most_chars: int | None = None) -> ReadyBatches | None:
    """Make the rows of a family ready; None, and no more of them is read, where their texts are too long.

    Args:
        grammar: how its agent frames a summary.
        most_chars: of all its rows.
    """
    gathered: dict[str, list[MessageRow]] = {}
    chars = 0
    for session, batch in family.batches():
        chars += sum(row.chars for row in batch)
        if most_chars is not None and chars > most_chars:
            return None
        gathered.setdefault(session, []).extend(batch)
    refs = {row.ref for rows in gathered.values() for row in rows}
    ready = {
        session: _ready_session(rows, family.verdicts, refs, grammar) for session, rows in gathered.items()
    }
    return ReadyBatches(ready, chars)


def _ready_session(
    rows: Sequence[MessageRow], verdicts: Mapping[int, Verdict], refs: set[int], grammar: str
) -> ReadySession:
    ready: list[ReadyRow] = []
    shown, newest, preview = 0, None, None
    for row in rows:
        verdict = verdicts.get(row.ref, PLAIN)
        copy_of = verdict.copy_of if verdict.copy_of in refs else None
        values = plain_values(row, verdict, grammar)
        values["copy_of"] = copy_of
        values["shown"] = is_shown(values)
        columns, words = ready_message(values)
        ready.append((row.ref, copy_of, verdict.archived_by, columns, words))
        shown += values["shown"]
        newest = newest_time(newest, row.created_at)
        if preview is None and _begins(values):
            preview = preview_of(values["text"])
    return ReadySession(ready, shown, newest, preview)


def _begins(values: Mapping[str, Any]) -> bool:
    """Return whether a conversation is listed by the words of this row, where it is the first such."""
    is_request = values["role"] == Role.USER and values["kind"] == MessageKind.MESSAGE
    return bool(is_request and values["shown"] and values["text"])


def _message_row(ref: int, columns: ReadyColumns) -> MessageRow:
    told = dict(zip(READY, columns, strict=True))
    extra = told["extra"]
    same = {name: told[name] for name in _SAME}
    state = MessageState(told["state"])
    return MessageRow(ref=ref, state=state, extra=None if extra is None else json.loads(extra), **same)
