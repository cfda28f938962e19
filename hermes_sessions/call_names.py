"""The name of the tool that answers, where it stands only on the call. Pure.

Older agents, and everyone who speaks OpenAI's dialect, name a tool on the call alone.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from hermes_sessions.messages import Role, ToolCall
from hermes_sessions.storable_text import is_storable

TOOL_NAME: Final = "$tool_name"
"""Where `extra` holds what a result itself says of its tool's name, if its row has its call's."""
_KEPT: Final = 50_000
_MAX_CHARS: Final = 200
"""What is longer is no name."""


class CallNames:
    """Names of a session's calls by each of their ids, learnt in the order of its rows.

    The latest call with an id counts. Of very many ids the oldest are forgotten.
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._older: dict[str, str] = {}

    def learn(self, calls: Iterable[ToolCall]) -> None:
        """Take note of calls; one whose name no engine can hold, or without a name, is passed over."""
        for call in calls:
            if 0 < len(call.name) <= _MAX_CHARS and is_storable(call.name):
                self._names.update(dict.fromkeys(call.ids, call.name))
        if len(self._names) > _KEPT:
            self._names, self._older = {}, self._names

    def find(self, call_id: str) -> str | None:
        """Return the name of the call with this id."""
        return self._names.get(call_id) or self._older.get(call_id)


def lacks_name(role: str, tool_name: str | None, call_id: str | None) -> bool:
    """Return whether a message is a tool's result that names its call, but not its tool."""
    return role == Role.TOOL and not tool_name and bool(call_id)


def named_extra(extra: Mapping[str, Any] | None, written: str | None) -> dict[str, Any]:
    """Return *extra* for a row that gets the name of its call instead of what was *written*."""
    return {**(extra or {}), TOOL_NAME: written}


def written_name(tool_name: str | None, extra: Mapping[str, Any] | None) -> str | None:
    """Return what the result itself says of its tool's name: nothing that was taken from the call."""
    if extra is None or TOOL_NAME not in extra:
        return tool_name
    written = extra[TOOL_NAME]
    return written if isinstance(written, str) else None
