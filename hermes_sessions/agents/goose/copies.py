"""Which session is a copy of another one: nothing but the messages themselves says so. Pure."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from hermes_sessions.agents.goose.records import GooseMessage, GooseShelf, dumped
from hermes_sessions.agents.values import Rejected

DELEGATES: Final = ("sub_agent", "subagent", "SubAgent")
"""Kinds of sessions that an agent began; what they hang on is not written down."""
_LEAST: Final = 2
"""How many messages are the same, to the second: one alone may be the prompt of a program."""


def copies_of(shelf: GooseShelf) -> Mapping[str, str]:
    """Return copy -> the session that it repeats the most of; the older one where several fit.

    Only sessions whose first messages have one time are compared further; each of their messages is
    looked at once.
    """
    groups: dict[tuple[str, float], list[str]] = defaultdict(list)
    for one, session in shelf.sessions.items():
        begun = shelf.beginning(one)
        if begun is not None and begun[1] and session.kind not in DELEGATES:
            groups[begun].append(one)
    found: dict[str, str] = {}
    for ids in groups.values():
        if len(ids) > 1:
            found.update(_parents(shelf, ids))
    return found


def _parents(shelf: GooseShelf, ids: Sequence[str]) -> dict[str, str]:
    """Return the parents among sessions that begin alike, in the order in which they began."""
    first: dict[int, str] = {}
    found: dict[str, str] = {}
    for one in ids:
        so_far = 0
        for number, message in enumerate(shelf.messages(one, _unheard), 1):
            so_far = hash((so_far, _key(message)))
            owner = first.setdefault(so_far, one)
            if owner != one and number >= _LEAST:
                found[one] = owner
    return found


def _key(message: GooseMessage) -> tuple[str, float | None, str]:
    return message.role, message.created, dumped(message.content)


def _unheard(told: Rejected) -> None:
    """Pass over what is reported when the session is read."""
