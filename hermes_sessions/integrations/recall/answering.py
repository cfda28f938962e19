"""The way from a call to its answer: arguments read, the tool asked, the answer written. Loads every tool."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.integrations.recall.answers import ANSWER_CHARS, Answer, with_notes, written
from hermes_sessions.integrations.recall.compactions import list_judged, list_lost
from hermes_sessions.integrations.recall.contexts import list_family, list_seen
from hermes_sessions.integrations.recall.expand import expand
from hermes_sessions.integrations.recall.find import list_newest, search
from hermes_sessions.integrations.recall.reading import Reading
from hermes_sessions.integrations.recall.tools import RecallTool
from hermes_sessions.typed_values import read_as

ANSWERS: Final[Mapping[str, Callable[[Reading, Any], Answer]]] = {
    "search": search,
    "expand": expand,
    "lost": list_lost,
    "compactions": list_judged,
    "seen": list_seen,
    "lineage": list_family,
    "list": list_newest,
}
"""What answers each tool, given its arguments."""


def answer_call(
    reading: Reading, tool: RecallTool, given: Mapping[str, Any], notes: Sequence[str] = ()
) -> str:
    """Return the answer to one call as JSON text of at most `ANSWER_CHARS` characters.

    Args:
        notes: what to say besides.

    Raises:
        InvalidQueryError: the arguments cannot be used; the line says which and why.
        HermesSessionsError: what the tool raises.
    """
    try:
        asked = read_as(given, tool.arguments, strict=False)
    except msgspec.ValidationError as error:
        raise InvalidQueryError(f"{tool.name}: {error}") from None
    answer = ANSWERS[tool.name](reading, asked)
    text = written(with_notes(answer, notes))
    if len(text) > ANSWER_CHARS:
        raise InvalidQueryError(f"{tool.name}: one line is longer than an answer may be; ask for less")
    return text
