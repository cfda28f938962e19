"""Which session is a copy of another one: nothing but the messages themselves says so. Pure."""

from collections.abc import Iterator, Mapping
from typing import Final

from hermes_sessions.agents.goose.records import GooseShelf
from hermes_sessions.agents.json_lines.reading import unheard
from hermes_sessions.agents.session_shelves.copies import copies_among
from hermes_sessions.agents.told_messages import dumped

DELEGATES: Final = ("sub_agent", "subagent", "SubAgent")
"""Kinds of sessions that an agent began; what they hang on is not written down."""


def copies_of(shelf: GooseShelf) -> Mapping[str, str]:
    """Return copy -> the session that it repeats the most of; first messages are of one time."""

    def said(session: str) -> Iterator[tuple[str, float | None, str]]:
        found = shelf.messages(session, unheard)
        return ((one.role, one.created, dumped(one.content)) for one in found)

    users = [one for one, session in shelf.sessions.items() if session.kind not in DELEGATES]
    begun = {one: shelf.beginning(one) for one in users}
    timed = {one: key if key is not None and key[1] else None for one, key in begun.items()}
    return copies_among(timed, said)
