"""Which session begins with another's messages: nothing but the messages themselves says so. Pure."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from hermes_sessions.agents.opencode.records import Shelf, milliseconds
from hermes_sessions.agents.parsed_values import dict_of

_Key: TypeAlias = tuple[str, float]
_LEAST: Final = 2
"""How many messages are the same: one alone may be what a program asked of two sessions at once."""


def forks_of(shelf: Shelf) -> Mapping[str, str]:
    """Return fork -> the session that it copied the most of; the older one where several fit.

    A copy keeps the role and the time of a message to the millisecond. Only sessions that begin at one
    such moment are compared further; each of their messages is looked at once. Two are the same at least,
    but where a session has no more than one.
    """
    groups: dict[_Key, list[str]] = defaultdict(list)
    for one in shelf.sessions:
        key = _key(shelf.first_message(one))
        if key is not None:
            groups[key].append(one)
    found: dict[str, str] = {}
    for ids in groups.values():
        if len(ids) > 1:
            found.update(_parents(shelf, ids))
    return found


def _parents(shelf: Shelf, ids: list[str]) -> dict[str, str]:
    """Return the parents among sessions that begin alike, in the order in which they began."""
    first: dict[int, str] = {}
    found: dict[str, str] = {}
    for one in ids:
        so_far, number, owner = 0, 0, one
        for number, value in enumerate(shelf.message_values(one), 1):
            so_far = hash((so_far, _key(value)))
            owner = first.setdefault(so_far, one)
            if owner != one and number >= _LEAST:
                found[one] = owner
        if number < _LEAST and owner != one:
            found[one] = owner
    return {one: parent for one, parent in found.items() if shelf.sessions[one].parent is None}


def _key(value: Mapping[str, Any] | None) -> _Key | None:
    if value is None:
        return None
    time = milliseconds(dict_of(value.get("time")).get("created"))
    role = value.get("role")
    return (role, time) if isinstance(role, str) and time is not None else None
