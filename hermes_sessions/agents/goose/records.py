"""What both of Goose's forms have: sessions, and messages of one or several pieces of content."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, Protocol

from hermes_sessions.agents.parsed_values import dict_of, epoch_of, text_of
from hermes_sessions.agents.session_shelves.cells import parsed
from hermes_sessions.agents.session_shelves.reading import Shelf
from hermes_sessions.agents.told_messages import Refuse
from hermes_sessions.late_patterns import late_pattern

_LATEST: Final = 1e14
"""Times beyond it, in milliseconds, are none."""
_DEAREST: Final = 1e9
_MILLISECONDS: Final = 1e11
"""A time beyond it is no count of seconds."""
_UNTITLED: Final = late_pattern(r"(?:New|CLI|Chat|Untitled) session(?: \d+)?", re.IGNORECASE)


class GooseSession(NamedTuple):
    """A session; times in epoch seconds. `extra` is what else is kept of it."""

    id: str
    kind: str
    title: str | None
    directory: str | None
    model: str | None
    began: float | None
    tokens: Mapping[str, int]
    cost: float | None
    archived: bool
    extra: Mapping[str, Any]


class GooseMessage(NamedTuple):
    """A message.

    Attributes:
        place: what it is named by in a report.
        id: its own; None in older releases.
        for_user: the user sees it; `for_agent`: the model does.
        exact: its bytes in base 64, where they are not UTF-8.
    """

    place: str
    id: str | None
    role: str
    content: list[Any]
    created: float | None
    for_user: bool
    for_agent: bool
    exact: str | None

    @property
    def words(self) -> str | None:
        """Its text; None where there is anything else in it."""
        blocks = [one for one in self.content if isinstance(one, dict)]
        if not blocks or any(one.get("type") != "text" for one in blocks):
            return None
        return "\n".join(text for one in blocks if (text := text_of(one.get("text"))))


class GooseShelf(Shelf[GooseSession], Protocol):
    """Where its sessions are read from."""

    def beginning(self, session: str) -> tuple[str, float] | None:
        """Return role and time of a session's first message; None where there is none."""
        ...

    def messages(self, session: str, refuse: Refuse) -> Iterator[GooseMessage]:
        """Yield a session's messages in order; *refuse* is told of what cannot be read.

        Raises:
            SourceError: it cannot be read any more.
        """
        ...


def session_of(one: str, value: Mapping[str, Any]) -> GooseSession:
    """Return a session of its row, or of the first line of its file."""
    title = text_of(value.get("name")) or text_of(value.get("description"))
    if title is not None and not value.get("user_set_name") and _UNTITLED.fullmatch(title):
        title = None
    kept = ("session_type", "provider_name", "schedule_id")
    tokens = {
        name: _count(value.get(f"accumulated_{name}_tokens") or value.get(f"{name}_tokens"))
        for name in ("input", "output")
    }
    cost = value.get("accumulated_cost")
    return GooseSession(
        id=one,
        kind=text_of(value.get("session_type")) or "user",
        title=title,
        directory=text_of(value.get("working_dir")),
        model=_model(value.get("model_config_json")),
        began=_time(value.get("created_at")),
        tokens=tokens,
        cost=float(cost) if isinstance(cost, int | float) and 0 < cost < _DEAREST else None,
        archived=bool(value.get("archived_at")),
        extra={name: value[name] for name in kept if isinstance(value.get(name), str)},
    )


def message_of(place: str, value: Mapping[str, Any], exact: str | None) -> GooseMessage | str:
    """Return a message of an object with its fields, or why it is none."""
    role, content = value.get("role"), value.get("content")
    if role not in ("user", "assistant"):
        return f"its role is not known: {str(role)[:80]!r}"
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    if not isinstance(content, list):
        return "its content is not a list"
    seen = dict_of(value.get("metadata"))
    return GooseMessage(
        place=place,
        id=text_of(value.get("id")),
        role=role,
        content=content,
        created=_time(value.get("created")),
        for_user=seen.get("userVisible") is not False,
        for_agent=seen.get("agentVisible") is not False,
        exact=exact,
    )


def _time(value: Any) -> float | None:
    """Return epoch seconds of a count of seconds or milliseconds, or of a date in UTC."""
    if isinstance(value, str):
        utc = value if re.search(r"(Z|[+-]\d\d:?\d\d)$", value) else f"{value}+00:00"
        return epoch_of(utc)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _LATEST:
        return None
    return value / 1000 if value > _MILLISECONDS else float(value)


def _model(raw: Any) -> str | None:
    return text_of((parsed(raw).value or {}).get("model_name")) if isinstance(raw, str) else None


def _count(value: Any) -> int:
    fit = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**48
    return value if fit else 0
