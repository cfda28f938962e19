"""Which sentences only ask: questions, and what is to be done now. Pure."""

from typing import Final

from hermes_sessions.compaction.economy.wording.binding_words import may_bind
from hermes_sessions.facts.wording.request_shapes import IMPERATIVE, POLITE

QUESTION_MARKS: Final = "?？؟"


def asks(text: str) -> bool:
    """Return whether a sentence only asks: a question, or something to do now."""
    if text.rstrip()[-1:] in QUESTION_MARKS or POLITE.match(text):
        return True
    return IMPERATIVE.match(text) is not None and not may_bind(text)
