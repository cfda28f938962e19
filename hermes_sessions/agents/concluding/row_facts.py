"""What alignment looks at in a row, whoever wrote it: texts become hashes, calls become their ids. Pure."""

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from hermes_sessions.agents.values import MessageRow
from hermes_sessions.handoff import Part, is_engine_note
from hermes_sessions.handoff.grammars.grammar import HandoffGrammar
from hermes_sessions.messages import Content, MessageState, Role, content_text

_SPEAKERS: Final = (Role.USER, Role.ASSISTANT)


class Carrier(NamedTuple):
    """The content of a row that begins like a handoff, and the grammar by which it does."""

    content: Content
    grammar: HandoffGrammar

    @property
    def text(self) -> str:
        """Its text; that of all blocks."""
        return content_text(self.content)

    def split(self) -> tuple[Part, ...]:
        """Return its handoffs and messages."""
        return self.grammar.split(self.content)


class RowFacts(NamedTuple):
    """What alignment looks at; texts are represented by hashes, so that a family of any size fits.

    `id` is its `MessageRow.ref`. `carrier` has the row's content where it begins like a
    handoff, and `carrier_key` is its key at the origin then, else None; `flagged` says that
    the agent itself marked the row as a summary, `noted` that it is a note of our engine.
    """

    id: int
    role: str
    state: MessageState
    created_at: float | None
    text_key: int
    length: int
    calls_key: int
    call_ids: tuple[str, ...]
    tool_call_id: str | None
    tool_name: str | None
    structured: bool
    pruned: bool
    inserted: bool
    carrier: Carrier | None
    flagged: bool
    carrier_key: str | None = None
    noted: bool = False


def read_call_ids(written: str | None) -> tuple[str, ...]:
    """Return an id for each of the tool calls in JSON; none where it is not valid."""
    try:
        calls = json.loads(written or "[]")
    except (ValueError, RecursionError):
        return ()
    return call_ids_of(calls if isinstance(calls, list) else [calls])


def call_ids_of(calls: Sequence[Any]) -> tuple[str, ...]:
    """Return an id for each of the parsed tool calls that has one."""
    ids = tuple(str(call.get("call_id") or call.get("id")) for call in calls if isinstance(call, dict))
    return tuple(one for one in ids if one != "None")


def row_facts(
    message: MessageRow,
    content: Content,
    call_ids: tuple[str, ...],
    *,
    flagged: bool,
    grammar: HandoffGrammar,
) -> RowFacts:
    """Return what alignment looks at in a decoded row.

    Args:
        content: its text or blocks.
        call_ids: an id for each of its tool calls.
        flagged: something other than its wording says that it is a handoff.
        grammar: how its agent frames a summary, and what it writes beside one.
    """
    text = message.text or ""
    speaks = message.role in _SPEAKERS and grammar.starts(text)
    carrier = Carrier(content, grammar) if speaks or flagged else None
    short = len(text) < 4000
    return RowFacts(
        id=message.ref,
        role=message.role,
        state=message.state,
        created_at=message.created_at,
        text_key=hash(text or message.blocks or ""),
        length=len(text),
        calls_key=hash(message.tool_calls) if call_ids or message.tool_calls not in (None, "[]") else 0,
        call_ids=call_ids,
        tool_call_id=message.tool_call_id,
        tool_name=message.tool_name,
        structured=message.blocks is not None,
        pruned=short and grammar.habits.is_pruned(text),
        inserted=grammar.habits.is_inserted(text),
        carrier=carrier,
        flagged=flagged,
        carrier_key=message.origin_key if carrier is not None else None,
        noted=is_engine_note(message.role, message.text, message.tool_calls),
    )


def same(old: RowFacts, new: RowFacts) -> bool:
    """Return whether *new* repeats *old*, to the letter or pruned."""
    if old.role != new.role:
        return False
    if old.role == Role.SYSTEM:
        return True  # a compaction appends a note to it
    if old.text_key == new.text_key and old.calls_key == new.calls_key:
        return old.tool_call_id == new.tool_call_id
    if old.role == "tool":
        if old.tool_call_id is not None or new.tool_call_id is not None:
            return old.tool_call_id == new.tool_call_id
        return new.pruned and old.tool_name == new.tool_name
    if new.call_ids:
        # A call that nothing answered may be missing from the copy.
        repeated = all(one in old.call_ids for one in new.call_ids)
        return repeated and (old.text_key == new.text_key or new.pruned or not new.length)
    if new.pruned:
        return old.structured or bool(old.call_ids and not old.length)
    return bool(old.call_ids and old.length) and old.text_key == new.text_key
