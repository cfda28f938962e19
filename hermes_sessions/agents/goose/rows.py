"""Messages and sessions of the store, made of what was read."""

from typing import Final

from hermes_sessions.agents.contract import Entry
from hermes_sessions.agents.goose.conclude import GooseOutline
from hermes_sessions.agents.goose.records import GooseSession
from hermes_sessions.agents.goose.said import SaidToGoose
from hermes_sessions.agents.told_messages import ToldMessage, kept_beside
from hermes_sessions.agents.values import SessionRow

SOURCE: Final = "goose"
"""What the list of conversations says of where one is from."""


def told_of(said: SaidToGoose, place: int) -> ToldMessage:
    """Return what is stored of a message; *place* is its number in its session."""
    exact = said.record.exact
    return ToldMessage(
        key=said.key,
        at=place,
        role=said.role,
        time=said.record.created,
        text=said.text,
        digest=said.digest,
        blocks=said.other,
        calls=said.calls,
        reasoning="\n".join(said.thoughts) or None,
        answers=said.answers,
        extra={**said.extra, **({"content_b64": exact} if exact is not None else {})},
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
        extra=kept_beside({"contents": dict(outline.kinds), **session.extra}),
    )
