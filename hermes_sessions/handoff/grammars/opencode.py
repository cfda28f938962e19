"""How OpenCode writes a summary: as a reply, with nothing before it and nothing after it. Pure.

The kind of its record says that a reply is one; its words never do.
"""

from typing import Final

from hermes_sessions.handoff.grammars.habits import Habits
from hermes_sessions.handoff.grammars.plain import UnframedGrammar


class OpenCodeGrammar(UnframedGrammar):
    """A `HandoffGrammar`; a compaction that keeps nothing word for word is this agent's way."""

    name = "opencode"
    habits = Habits(
        inserted=(
            "Continue if you have next steps, or stop and ask for clarification",
            "The previous request exceeded the provider's size limit",
        ),
        pruned=("[Old tool result content cleared]",),
        keeps_tail=False,
        unstored="a line of its own in the user's place before the summary",
    )


GRAMMAR: Final = OpenCodeGrammar()
"""The grammar of OpenCode's summaries."""
