"""Write one conversation losslessly, line by line: every stored row of every session, forks included.

What belongs to other conversations is not in it: a parent outside is a foreign id and
nothing else. Masking, where asked for, is the one way to make it lossy.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.exporters import jsonl
from hermes_sessions.exporters.masking import ExportMasker
from hermes_sessions.store.queries.conversations import ConversationRow
from hermes_sessions.store.schema.models import Compaction, Message, Origin, Session, SystemPrompt

ROWS_AT_ONCE: Final = 100
_MASKED: Final = {"text", "title", "reasoning", "summary", "error", "focus", "cwd"}
_MASKED_JSON: Final = {"blocks", "tool_calls"}


@dataclass(slots=True)
class _Numbers:
    """The numbers that stand for the store's keys within the file."""

    origins: dict[int, int] = field(default_factory=dict)
    sessions: dict[int, int] = field(default_factory=dict)
    messages: dict[int, int] = field(default_factory=dict)
    compactions: dict[int, int] = field(default_factory=dict)


def iter_lines(db: DbSession, conversation: ConversationRow, masker: ExportMasker) -> Iterator[str]:
    """Yield the lines of a conversation; reads while it is iterated.

    Args:
        masker: where it is active, texts are masked, and the lines can no longer be imported
            as what they were.
    """
    mask = _masking(masker) if masker.active else dict
    numbers = _Numbers()
    sessions = _sessions(db, conversation.id)
    numbers.sessions = {row.id: at for at, row in enumerate(sessions, start=1)}
    yield jsonl.header_line(conversation.public_id, masked=masker.active)
    yield from _origin_lines(db, sessions, numbers)
    yield from _prompt_lines(db, sessions, masker)
    for row in sessions:
        values = _values(row, jsonl.SESSION)
        values |= {"number": numbers.sessions[row.id], "origin": numbers.origins[row.origin_id]}
        values["parent"] = numbers.sessions.get(row.parent_id)
        yield jsonl.data_line("session", mask(values))
    numbers.messages = _message_numbers(db, sessions)
    compactions = _compactions(db, conversation.id)
    numbers.compactions = {row.id: at for at, row in enumerate(compactions, start=1)}
    for values in _messages(db, sessions, numbers):
        yield jsonl.data_line("message", mask(values))
    for row in compactions:
        yield jsonl.data_line("compaction", mask(_compaction(row, numbers)))
    counts = {
        name: len(getattr(numbers, name)) for name in ("origins", "sessions", "messages", "compactions")
    }
    yield jsonl.end_line(counts)


def count_rows(db: DbSession, conversation: ConversationRow) -> int:
    """Return how many messages the lines hold."""
    return sum(row.message_count for row in _sessions(db, conversation.id))


def _sessions(db: DbSession, conversation_id: int) -> list[Any]:
    stmt = select(*Session.__table__.columns).where(Session.conversation_id == conversation_id)
    return list(db.execute(stmt.order_by(Session.ordinal, Session.fork, Session.id)))


def _origin_lines(db: DbSession, sessions: list[Any], numbers: _Numbers) -> Iterator[str]:
    for key in dict.fromkeys(row.origin_id for row in sessions):
        numbers.origins[key] = len(numbers.origins) + 1
        row = db.execute(select(*Origin.__table__.columns).where(Origin.id == key)).one()
        yield jsonl.data_line("origin", {"number": numbers.origins[key], **_values(row, jsonl.ORIGIN)})


def _prompt_lines(db: DbSession, sessions: list[Any], masker: ExportMasker) -> Iterator[str]:
    for key in dict.fromkeys(row.system_prompt_hash for row in sessions if row.system_prompt_hash):
        text = db.scalars(select(SystemPrompt.text).where(SystemPrompt.hash == key)).one()
        shown = masker.text(text) if masker.active else text
        yield jsonl.data_line("system_prompt", {"hash": key, "text": shown})


def _message_numbers(db: DbSession, sessions: list[Any]) -> dict[int, int]:
    """A copy may come ahead of what it repeats, so all numbers are known before the first line."""
    numbers: dict[int, int] = {}
    for session in sessions:
        stmt = select(Message.id).where(Message.session_id == session.id).order_by(Message.position)
        for key in db.scalars(stmt):
            numbers[key] = len(numbers) + 1
    return numbers


def _messages(db: DbSession, sessions: list[Any], numbers: _Numbers) -> Iterator[dict[str, Any]]:
    for session in sessions:
        stmt = (
            select(*Message.__table__.columns)
            .where(Message.session_id == session.id)
            .order_by(Message.position)
            .execution_options(yield_per=ROWS_AT_ONCE)
        )
        for row in db.execute(stmt):
            yield _values(row, jsonl.MESSAGE) | {
                "number": numbers.messages[row.id],
                "session": numbers.sessions[session.id],
                "copy_of": numbers.messages.get(row.copy_of),
                "archived_by": numbers.compactions.get(row.archived_by),
            }


def _compactions(db: DbSession, conversation_id: int) -> list[Any]:
    stmt = select(*Compaction.__table__.columns).where(Compaction.conversation_id == conversation_id)
    return list(db.execute(stmt.order_by(Compaction.ordinal, Compaction.id)))


def _compaction(row: Any, numbers: _Numbers) -> dict[str, Any]:
    return _values(row, jsonl.COMPACTION) | {
        "number": numbers.compactions[row.id],
        "session": numbers.sessions[row.session_id],
        "parent": numbers.sessions.get(row.parent_id),
        "child": numbers.sessions.get(row.child_id),
        "span_first": numbers.messages.get(row.span_first_id),
        "span_last": numbers.messages.get(row.span_last_id),
        "handoff": numbers.messages.get(row.handoff_id),
    }


def _values(row: Any, names: tuple[str, ...]) -> dict[str, Any]:
    mapping = row._mapping
    return {name: mapping[name] for name in names}


def _masking(masker: ExportMasker) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Return a function that masks the texts of a line; what is kept raw beside them is left out."""

    def mask(values: Mapping[str, Any]) -> dict[str, Any]:
        masked = dict(values)
        for name, value in values.items():
            if isinstance(value, str) and name in _MASKED:
                masked[name] = masker.text(value)
            elif isinstance(value, str) and name in _MASKED_JSON:
                masked[name] = masker.json(value)
            elif name in ("extra", "claim", "policy"):
                masked[name] = None
        return masked

    return mask
