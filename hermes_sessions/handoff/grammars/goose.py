"""How Goose writes a summary: as a request that the user does not see, its own order after it. Pure.

Who sees a row says that it is one; its words never do.
"""

from typing import Final

from hermes_sessions.handoff.grammars.habits import Habits
from hermes_sessions.handoff.grammars.plain import UnframedGrammar


class GooseGrammar(UnframedGrammar):
    """A `HandoffGrammar`; nothing but the request under way goes on word for word."""

    name = "goose"
    habits = Habits(
        inserted=(
            "Your context was compacted",
            "The previous message contains a summary",
        ),
        keeps_tail=False,
    )


GRAMMAR: Final = GooseGrammar()
"""The grammar of Goose's summaries."""
