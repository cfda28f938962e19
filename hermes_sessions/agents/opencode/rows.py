"""Messages and sessions of the store, made of what was read."""

from typing import Any, Final

from hermes_sessions.agents.contract import Entry
from hermes_sessions.agents.opencode.outline import OpenCodeOutline
from hermes_sessions.agents.opencode.said import SaidHere
from hermes_sessions.agents.parsed_values import text_of
from hermes_sessions.agents.told_messages import ToldMessage, kept_beside
from hermes_sessions.agents.values import SessionRow
from hermes_sessions.messages import Role

SOURCE: Final = "opencode"
"""What the list of conversations says of where one is from."""
_UNTITLED: Final = ("New session - ", "Child session - ")
"""How titles begin that the agent gives before it has one."""


def told_of(said: SaidHere, place: int) -> ToldMessage:
    """Return what is stored of a message; *place* is its number in its session."""
    finish = said.record.value.get("finish") if said.role == Role.ASSISTANT else None
    return ToldMessage(
        key=said.key,
        at=place,
        role=said.role,
        time=None if said.time is None else said.time / 1000,
        text=said.text,
        digest=said.same,
        blocks=said.other,
        calls=said.calls,
        reasoning="\n".join(said.thoughts) or None,
        answers=said.answers,
        finish=text_of(finish),
        extra={**said.extra, **({"parts_b64": said.exact} if said.exact else {})},
    )


def session_row(outline: OpenCodeOutline, entry: Entry, copied: int) -> SessionRow:
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
        parent_session_id=entry.parent,
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
        mark=entry.mark,
        extra=kept_beside(extra),
    )
