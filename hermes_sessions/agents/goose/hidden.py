"""Which words in the user's place are the agent's own: the user does not see them. Pure."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from hermes_sessions.agents.goose.records import GooseMessage

_AHEAD: Final = 3
"""How many records tell what one is: a summary, the order after it, the request once more."""


def own_words(records: Iterable[GooseMessage]) -> Iterator[tuple[GooseMessage, bool]]:
    """Yield each record of a session, and whether the agent itself wrote it in the user's place.

    It did where the user does not see the words and no compaction put them there: they are neither a
    summary, nor a line instead of a call, nor a request that is there once more.
    """
    cleared: set[float | None] = set()
    waiting: deque[GooseMessage] = deque()
    for record in records:
        waiting.append(record)
        if len(waiting) > _AHEAD:
            yield _told(waiting, cleared)
    while waiting:
        yield _told(waiting, cleared)


def _told(waiting: deque[GooseMessage], cleared: set[float | None]) -> tuple[GooseMessage, bool]:
    record, following = waiting.popleft(), tuple(waiting)
    if not record.for_agent and any(_is_result(one) for one in record.content):
        cleared.add(record.created)
    own = (
        _is_hidden(record, "user")
        and not _is_order(following[:1])
        and record.created not in cleared
        and not _is_asked_again(record, following)
    )
    return record, own


def _is_hidden(record: GooseMessage, role: str) -> bool:
    return record.role == role and not record.for_user and record.words is not None


def _is_order(records: Sequence[GooseMessage]) -> bool:
    """Whether records begin with the agent's order to continue after a summary."""
    return bool(records) and records[0].role != "user" and _is_hidden(records[0], records[0].role)


def _is_asked_again(record: GooseMessage, following: Sequence[GooseMessage]) -> bool:
    """Whether a summary follows at once, and after it the same words."""
    return (
        len(following) == _AHEAD
        and not record.for_agent
        and _is_hidden(following[0], "user")
        and _is_order(following[1:])
        and following[2].words == record.words
    )


def _is_result(piece: object) -> bool:
    return isinstance(piece, dict) and piece.get("type") == "toolResponse"
