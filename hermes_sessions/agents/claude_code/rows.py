"""Messages and sessions of the store, made of what was read."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from hermes_sessions.agents.claude_code.outline import Outline
from hermes_sessions.agents.claude_code.said import Said
from hermes_sessions.agents.claude_code.spilled import read_spilled
from hermes_sessions.agents.claude_code.survey import StreamInfo
from hermes_sessions.agents.told_messages import ToldMessage, call_row
from hermes_sessions.agents.told_messages import message_row as row_of
from hermes_sessions.agents.values import MessageRow, SessionRow
from hermes_sessions.call_names import CallNames
from hermes_sessions.messages import Role

SOURCE: Final = "claude-code"
"""What the list of conversations says of where one is from."""


def message_row(said: Said, ref: int, names: CallNames, spilled: Mapping[str, Path]) -> MessageRow:
    """Return the row of a message.

    Args:
        names: the calls of its session so far; learns those of this message.
        spilled: files of long results, by their call.
    """
    told = ToldMessage(
        key=said.key,
        at=said.at,
        role=said.role,
        time=said.first.time,
        text=said.text,
        digest=said.digest,
        blocks=said.other,
        calls=[call_row(one.get("id"), one.get("name"), one.get("input")) for one in said.calls],
        reasoning=said.thoughts,
        answers=said.answers,
        finish=_last_text(said, "stop_reason"),
        extra=_extra(said, spilled.get(said.answers or "")),
    )
    return row_of(told, ref, names)


def session_row(stream: StreamInfo, outline: Outline, title: str | None) -> SessionRow:
    """Return the row of a session.

    Args:
        title: what another file calls it.
    """
    told, totals = outline.titles, outline.totals
    facts = {name: value for name, value in outline.facts.items() if name not in ("cwd", "model")}
    extra: dict[str, Any] = {"records": dict(outline.kinds), **facts, **stream.extra}
    return SessionRow(
        foreign_id=stream.id,
        parent_session_id=stream.parent,
        source=SOURCE,
        model=outline.facts.get("model"),
        title=told.get("custom")
        or told.get("ai")
        or title
        or ((told.get("typed") or told.get("command")) if "covered" in told else None),
        cwd=outline.facts.get("cwd"),
        started_at=stream.started,
        ended_at=None,
        tool_call_count=totals["calls"],
        input_tokens=totals["input_tokens"],
        output_tokens=totals["output_tokens"],
        cache_read_tokens=totals["cache_read_tokens"],
        cache_write_tokens=totals["cache_write_tokens"],
        archived=stream.hidden,
        mark=stream.mark,
        extra=extra,
    )


def _last_text(said: Said, name: str) -> str | None:
    found = said.records[-1].message.get(name) if said.role == Role.ASSISTANT else None
    return found if isinstance(found, str) else None


def _extra(said: Said, spilled: Path | None) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    if spilled is not None and (whole := read_spilled(spilled)) is not None:
        kept["spilled"] = whole
    if said.failed:
        kept["is_error"] = True
    if said.first.value.get("isApiErrorMessage") is True:
        kept["is_api_error"] = True
    exact = [one.exact for one in said.records if one.exact is not None]
    if exact:
        kept["lines_b64"] = exact
    return kept
