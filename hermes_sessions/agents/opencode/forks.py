"""Which session begins with another's messages: nothing but the messages themselves says so. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from hermes_sessions.agents.opencode.records import OpenCodeShelf, milliseconds
from hermes_sessions.agents.parsed_values import dict_of
from hermes_sessions.agents.session_shelves.copies import copies_among

_Key: TypeAlias = tuple[str, float]


def forks_of(shelf: OpenCodeShelf) -> Mapping[str, str]:
    """Return fork -> the session that it copied the most of; a session with a parent is none.

    A copy keeps the role and the time of a message to the millisecond.
    """

    def said(session: str) -> Iterator[_Key | None]:
        return map(_key, shelf.message_values(session))

    begun = {one: _key(shelf.first_message(one)) for one in shelf.sessions}
    found = copies_among(begun, said, alone=True)
    return {one: parent for one, parent in found.items() if shelf.sessions[one].parent is None}


def _key(value: Mapping[str, Any] | None) -> _Key | None:
    if value is None:
        return None
    time = milliseconds(dict_of(value.get("time")).get("created"))
    role = value.get("role")
    return (role, time) if isinstance(role, str) and time is not None else None
