"""Give tool results that are appended the name of their tool, where only their call has it."""

import json
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import bindparam, select

from hermes_sessions.call_names import CallNames, lacks_name, named_extra
from hermes_sessions.messages import read_calls
from hermes_sessions.store.engines.exchange import OpenLine, Step, exchange
from hermes_sessions.store.schema.models import Message

LOOK_BACK: Final = 1_000
"""How many rows before the new ones may hold the call."""
_MOST_ASKED: Final = 100
"""How many calls are looked for among stored rows; a batch of results brings its calls along."""
_LOOK_ALIKE: Final = 5
"""SQLite's LIKE takes C1 for c1, and an id may stand in an argument."""
_MAX_ID_CHARS: Final = 1_000
"""SQLite refuses patterns that are very long."""

_CALLS_BEFORE: Final[Any] = (
    select(Message.position, Message.tool_calls)
    .where(
        Message.session_id == bindparam("session"),
        Message.position >= bindparam("first"),
        Message.position < bindparam("before"),
        Message.tool_calls.like(bindparam("pattern"), escape="\\"),
    )
    .order_by(Message.position.desc())
    .limit(1)
)


def name_results(line: OpenLine, session_id: int, position: int, rows: Sequence[dict[str, Any]]) -> None:
    """Fill in the name of the nearest call before, and keep in `extra` what the result itself said.

    Args:
        position: the rows' first; calls stored before it are found too.
        rows: new rows of the session in order; those that lack a name are changed.
    """
    for row in rows:
        if _lacks_name(row):
            break
    else:
        return
    names = CallNames()
    asked: dict[str, str | None] = {}
    for row in rows:
        if row["tool_calls"]:
            names.learn(read_calls(row["tool_calls"]))
        if not _lacks_name(row):
            continue
        call_id = row["tool_call_id"]
        name = names.find(call_id)
        if name is None and call_id not in asked and len(asked) < _MOST_ASKED:
            asked[call_id] = _stored_name(line, session_id, position, call_id)
        name = name or asked.get(call_id)
        if name is not None:
            row["extra"] = named_extra(row["extra"], row["tool_name"])
            row["tool_name"] = name


def _lacks_name(row: dict[str, Any]) -> bool:
    return lacks_name(row["role"], row["tool_name"], row["tool_call_id"])


def _stored_name(line: OpenLine, session_id: int, before: int, call_id: str) -> str | None:
    if len(call_id) > _MAX_ID_CHARS:
        return None
    written = json.dumps(call_id)
    for special in "\\%_":
        written = written.replace(special, f"\\{special}")
    asked = {"session": session_id, "first": before - LOOK_BACK, "pattern": f"%{written}%"}
    for _ in range(_LOOK_ALIKE):
        [found] = exchange(line, [Step(_CALLS_BEFORE, {**asked, "before": before})])
        if not found:
            return None
        before, calls = found[0]
        names = CallNames()
        names.learn(read_calls(calls))
        if (name := names.find(call_id)) is not None:
            return name
    return None
