"""How Goose writes a summary: as a request that the user does not see, its own order after it. Pure.

Who sees a row says that it is one; its words never do.
"""

from collections.abc import Sequence
from typing import Final

from hermes_sessions.handoff.grammars.grammar import HandoffSpan
from hermes_sessions.handoff.grammars.habits import Habits
from hermes_sessions.handoff.grammars.plain import PlainGrammar


class GooseGrammar(PlainGrammar):
    """A `HandoffGrammar`; nothing but the request under way goes on word for word."""

    name = "goose"
    habits = Habits(
        inserted=(
            "Your context was compacted",
            "The previous message contains a summary",
        ),
        keeps_tail=False,
    )

    def starts(self, text: str) -> bool:
        """Return False: nothing in its words tells a summary from a request."""
        return False

    def spans(self, text: str) -> Sequence[HandoffSpan]:
        """Return all of *text*: the row of a summary holds nothing else."""
        return [HandoffSpan(0, 0, len(text), len(text))] if text else []

    def is_known(self, text: str) -> bool:
        """Return True: there is no frame that could be another's."""
        return True

    def frame(self, body: str) -> str:
        """Return *body* as it is."""
        return body


GRAMMAR: Final = GooseGrammar()
"""The grammar of Goose's summaries."""
