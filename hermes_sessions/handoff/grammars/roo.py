"""How Roo Code frames a summary: newer releases put a heading before it. Pure."""

from collections.abc import Sequence
from typing import Final

from hermes_sessions.handoff.grammars.grammar import HandoffSpan
from hermes_sessions.handoff.grammars.habits import Habits
from hermes_sessions.handoff.grammars.plain import PlainGrammar

_OPENING: Final = "## Conversation Summary\n"


class RooGrammar(PlainGrammar):
    """A `HandoffGrammar`; nothing goes on beside a summary."""

    name = "roo"
    habits = Habits(keeps_tail=False)

    def starts(self, text: str) -> bool:
        """Return whether *text* begins with the heading."""
        return text.lstrip().startswith(_OPENING)

    def spans(self, text: str) -> Sequence[HandoffSpan]:
        """Return all of *text*: the row of a summary holds nothing else."""
        if not text:
            return []
        start = len(text) - len(text.lstrip())
        begin = start + len(_OPENING) if text.startswith(_OPENING, start) else 0
        return [HandoffSpan(0, begin, len(text), len(text))]

    def frame(self, body: str) -> str:
        """Return *body* below the heading."""
        return f"{_OPENING}{body}"


GRAMMAR: Final = RooGrammar()
