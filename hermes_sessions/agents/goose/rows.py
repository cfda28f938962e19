"""Messages and sessions of the store, made of what was read."""

import json
from typing import Any, Final

from hermes_sessions.agents.contract import Entry
from hermes_sessions.agents.goose.conclude import GooseOutline
from hermes_sessions.agents.goose.records import GooseSession, dumped
from hermes_sessions.agents.goose.said import SaidToGoose
from hermes_sessions.agents.values import MessageRow, SessionRow
from hermes_sessions.call_names import CallNames
from hermes_sessions.messages import MessageState, read_calls

SOURCE: Final = "goose"
"""What the list of conversations says of where one is from."""


def message_row(said: SaidToGoose, ref: int, place: int, names: CallNames) -> MessageRow:
    """Return the row of a message.

    Args:
        place: its number in its session.
        names: the calls of its session so far; learns those of this message.
    """
    names.learn(read_calls(said.calls))
    exact = said.record.exact
    extra = {**said.extra, **({"content_b64": exact} if exact is not None else {})}
    return MessageRow(
        ref=ref,
        origin_key=said.key,
        origin_row_id=place,
        role=said.role,
        state=MessageState.LIVE,
        created_at=said.record.created,
        digest=said.digest,
        token_count=None,
        tool_call_id=said.answers,
        tool_name=names.find(said.answers) if said.answers is not None else None,
        finish_reason=None,
        text=said.text,
        blocks=None if said.other is None else dumped(said.other),
        tool_calls=dumped(said.calls) if said.calls else None,
        reasoning="\n".join(said.thoughts) or None,
        extra=_plain(extra),
    )


def session_row(session: GooseSession, outline: GooseOutline, entry: Entry) -> SessionRow:
    """Return the row of a session."""
    return SessionRow(
        foreign_id=session.id,
        parent_session_id=entry.parent,
        source=SOURCE,
        model=session.model,
        title=session.title,
        cwd=session.directory,
        started_at=session.began,
        tool_call_count=sum(one.calls for one in outline.heard),
        input_tokens=session.tokens["input"],
        output_tokens=session.tokens["output"],
        estimated_cost_usd=session.cost,
        archived=session.archived,
        mark=entry.mark,
        extra=_plain({"contents": dict(outline.kinds), **session.extra}),
    )


def _plain(extra: dict[str, Any]) -> dict[str, Any] | None:
    """Return what is kept beside a row as JSON that every engine can hold; None where it is nothing."""
    found: dict[str, Any] | None = json.loads(dumped(extra)) if extra else None
    return found
