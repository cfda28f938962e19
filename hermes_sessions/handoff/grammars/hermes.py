"""How Hermes frames a summary, and what it writes beside one. Pure."""

from typing import Final

from hermes_sessions.handoff.grammars.bracketed import BracketedGrammar
from hermes_sessions.handoff.grammars.grammar import HandoffGrammar
from hermes_sessions.handoff.grammars.habits import Habits

_HABITS: Final = Habits(
    inserted=(
        "[Result from earlier conversation — see context summary above]",
        "[Your active task list was preserved across context compression]",
        "[Files already read in this session — do NOT re-read these]",
        "Continue from the compressed conversation context above.",
    ),
    pruned=(
        "[Old tool output cleared to save context space]",
        "[Duplicate tool output",
        "[screenshot removed",
        "[Attached image — stripped after compression]",
    ),
    removed=("(tool call removed)",),
    flattened=("[screenshot]",),
)


class HermesGrammar(BracketedGrammar):
    """A `HandoffGrammar`; our own handoffs are of its kind, so that Hermes recognises them."""

    def __init__(self) -> None:
        super().__init__("hermes", _HABITS)


GRAMMAR: Final[HandoffGrammar] = HermesGrammar()
