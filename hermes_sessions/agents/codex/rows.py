"""Messages and sessions of the store, made of what was read."""

from typing import Any, Final

from hermes_sessions.agents.codex.outline import ThreadOutline
from hermes_sessions.agents.codex.said import SaidInThread
from hermes_sessions.agents.codex.survey import ThreadInfo
from hermes_sessions.agents.told_messages import ToldMessage
from hermes_sessions.agents.told_messages import message_row as row_of
from hermes_sessions.agents.values import MessageRow, SessionRow
from hermes_sessions.call_names import CallNames
from hermes_sessions.messages import Role

SOURCE: Final = "codex"
"""What the list of conversations says of where one is from."""
_OFFSETS: Final = 1 << 44
"""Places in one stream of a thread are below it."""


def message_row(said: SaidInThread, ref: int, stream: int, names: CallNames) -> MessageRow:
    """Return the row of a message.

    Args:
        stream: the number of its stream in its thread.
        names: the calls of its session so far; learns those of this message.
    """
    told = ToldMessage(
        key=said.key,
        at=stream * _OFFSETS + said.at,
        role=said.role,
        time=said.first.time,
        text=said.text,
        digest=said.digest,
        blocks=said.other,
        calls=said.calls,
        reasoning="\n".join(said.thoughts) or None,
        answers=said.answers,
        extra=_extra(said),
    )
    return row_of(told, ref, names)


def session_row(thread: ThreadInfo, outline: ThreadOutline, copied: int, title: str | None) -> SessionRow:
    """Return the row of a session.

    Args:
        copied: how many of its first messages, and the tokens that they cost, are another's.
        title: what the agent's index calls it.
    """
    own = [one for one in outline.usages if one.after >= copied] if copied else outline.usages
    facts = outline.facts
    told = ("cli_version", "originator", "model_provider", "effort", "git")
    extra: dict[str, Any] = {"records": dict(outline.kinds), **thread.extra}
    extra |= {name: facts[name] for name in told if name in facts}
    return SessionRow(
        foreign_id=thread.id,
        parent_session_id=thread.parent,
        source=SOURCE,
        model=facts.get("model"),
        title=title or outline.title,
        cwd=facts.get("cwd") or thread.cwd,
        system_prompt=facts.get("prompt"),
        started_at=thread.started,
        ended_at=None,
        tool_call_count=outline.calls_before + sum(one.calls for one in outline.heard[copied:]),
        input_tokens=sum(max(0, one.input - one.cached) for one in own),
        output_tokens=sum(one.output for one in own),
        cache_read_tokens=sum(one.cached for one in own),
        reasoning_tokens=sum(one.reasoning for one in own),
        archived=thread.archived,
        mark=thread.mark,
        extra=extra,
    )


def _extra(said: SaidInThread) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    if said.injected:
        kept["role"] = said.wrote
    phase = said.lines[-1].value.get("phase") if said.role == Role.ASSISTANT else None
    if isinstance(phase, str):
        kept["phase"] = phase
    exact = [one.exact for one in said.lines if one.exact is not None]
    if exact:
        kept["lines_b64"] = exact
    return kept
