"""How this engine frames a summary. Pure."""

from typing import Final

from hermes_sessions.handoff.grammars.bracketed import BracketedGrammar
from hermes_sessions.handoff.grammars.grammar import OWN, HandoffGrammar
from hermes_sessions.handoff.grammars.habits import Habits

GRAMMAR: Final[HandoffGrammar] = BracketedGrammar(OWN, Habits())
