"""Messages and sessions of the store, made of what was read."""

import json
from typing import Any, Final

from hermes_sessions.agents.opencode.outline import OpenCodeOutline
from hermes_sessions.agents.opencode.records import dumped
from hermes_sessions.agents.opencode.said import SaidHere
from hermes_sessions.agents.parsed_values import text_of
from hermes_sessions.agents.values import MessageRow, SessionRow
from hermes_sessions.call_names import CallNames
from hermes_sessions.messages import MessageState, Role, read_calls

SOURCE: Final = "opencode"
"""What the list of conversations says of where one is from."""
_UNTITLED: Final = ("New session - ", "Child session - ")
"""How titles begin that the agent gives before it has one."""


def message_row(said: SaidHere, ref: int, place: int, names: CallNames) -> MessageRow:
    """Return the row of a message.

    Args:
        place: its number in its session.
        names: the calls of its session so far; learns those of this message.
    """
    names.learn(read_calls(said.calls))
    extra = {**said.extra, **({"parts_b64": said.exact} if said.exact else {})}
    finish = said.record.value.get("finish") if said.role == Role.ASSISTANT else None
    return MessageRow(
        ref=ref,
        origin_key=said.key,
        origin_row_id=place,
        role=said.role,
        state=MessageState.LIVE,
        created_at=None if said.time is None else said.time / 1000,
        digest=said.same,
        token_count=None,
        tool_call_id=said.answers,
        tool_name=names.find(said.answers) if said.answers is not None else None,
        finish_reason=text_of(finish),
        text=said.text,
        blocks=None if said.other is None else dumped(said.other),
        tool_calls=dumped(said.calls) if said.calls else None,
        reasoning="\n".join(said.thoughts) or None,
        extra=_plain(extra),
    )


def session_row(outline: OpenCodeOutline, parent: str | None, copied: int, mark: str) -> SessionRow:
    """Return the row of a session.

    Args:
        copied: how many of its first messages, and what they cost, are another's.
    """
    record = outline.session
    own = [one for one in outline.usages if one.after >= copied] if copied else outline.usages
    title = record.title
    extra: dict[str, Any] = {"parts": dict(outline.kinds), **record.extra}
    return SessionRow(
        foreign_id=record.id,
        parent_session_id=parent,
        source=SOURCE,
        model=outline.model or record.model,
        title=None if title is None or title.startswith(_UNTITLED) else title,
        cwd=record.directory or outline.cwd,
        started_at=None if record.created is None else record.created / 1000,
        ended_at=None,
        tool_call_count=sum(one.calls for one in outline.heard[copied:]),
        input_tokens=sum(one.input for one in own),
        output_tokens=sum(one.output for one in own),
        cache_read_tokens=sum(one.read for one in own),
        cache_write_tokens=sum(one.written for one in own),
        reasoning_tokens=sum(one.reasoning for one in own),
        estimated_cost_usd=sum(one.cost for one in own) or None,
        archived=record.archived,
        mark=mark,
        extra=_plain(extra),
    )


def _plain(extra: dict[str, Any]) -> dict[str, Any] | None:
    """Return what is kept beside a row as JSON that every engine can hold; None where it is nothing."""
    found: dict[str, Any] | None = json.loads(dumped(extra)) if extra else None
    return found
