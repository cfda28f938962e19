"""Sessions of the store, made of what a file said. Names no agent."""

from collections.abc import Mapping
from typing import Any

from hermes_sessions.agents.session_files.survey import FiledSession
from hermes_sessions.agents.session_files.told import SessionOutline
from hermes_sessions.agents.told_messages import TokenUsage
from hermes_sessions.agents.values import SessionRow


def session_row(
    session: FiledSession, outline: SessionOutline, source: str, copied: int, extra: Mapping[str, Any]
) -> SessionRow:
    """Return the row of a session.

    Args:
        copied: how many of its first messages, and the tokens that they cost, are another's.
    """
    own = outline.heard[copied:]
    usages = [one.usage for one in own if one.usage is not None]
    total = outline.whole or TokenUsage()
    if usages:
        total = TokenUsage(*(sum(values) for values in zip(*usages, strict=True)))
    models = (one.model for one in reversed(outline.heard) if one.model is not None)
    return SessionRow(
        foreign_id=session.id,
        parent_session_id=session.parent,
        source=source,
        model=next(models, outline.model),
        title=outline.title,
        cwd=outline.cwd,
        started_at=session.file.facts.started,
        tool_call_count=sum(one.calls for one in own),
        input_tokens=total.input,
        output_tokens=total.output,
        cache_read_tokens=total.cache_read,
        cache_write_tokens=total.cache_write,
        reasoning_tokens=total.reasoning,
        estimated_cost_usd=total.cost or None,
        mark=session.mark,
        extra={"records": dict(outline.kinds), **outline.facts, **extra},
    )
