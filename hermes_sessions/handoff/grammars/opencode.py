"""How OpenCode writes a summary: as a reply, with nothing before it and nothing after it. Pure.

The kind of its record says that a reply is one; its words never do.
"""

from collections.abc import Sequence
from typing import Final

from hermes_sessions.handoff.grammars.grammar import HandoffSpan
from hermes_sessions.handoff.grammars.habits import Habits
from hermes_sessions.handoff.grammars.plain import PlainGrammar


class OpenCodeGrammar(PlainGrammar):
    """A `HandoffGrammar`; a compaction that keeps nothing word for word is this agent's way."""

    name = "opencode"
    habits = Habits(
        inserted=(
            "Continue if you have next steps, or stop and ask for clarification",
            "The previous request exceeded the provider's size limit",
        ),
        pruned=("[Old tool result content cleared]",),
        keeps_tail=False,
    )

    def starts(self, text: str) -> bool:
        """Return False: nothing in its words tells a summary from a reply."""
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


GRAMMAR: Final = OpenCodeGrammar()
"""The grammar of OpenCode's summaries."""
