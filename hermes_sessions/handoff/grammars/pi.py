"""How Pi frames a summary that it sends: a sentence and a tag. Its files have the summary alone. Pure."""

from collections.abc import Sequence
from typing import Final

from hermes_sessions.handoff.grammars.grammar import HandoffSpan
from hermes_sessions.handoff.grammars.habits import Habits
from hermes_sessions.handoff.grammars.plain import PlainGrammar

_LEAD: Final = "The conversation history before this point was compacted into the following summary:"
_OPENING: Final = f"{_LEAD}\n\n<summary>\n"
_CLOSING: Final = "\n</summary>"


class PiGrammar(PlainGrammar):
    """A `HandoffGrammar`; the newest messages go on word for word, where they are."""

    name = "pi"
    habits = Habits(unstored="a sentence and a tag around the summary")

    def starts(self, text: str) -> bool:
        """Return whether *text* begins with the sentence."""
        return text.lstrip().startswith(_LEAD)

    def spans(self, text: str) -> Sequence[HandoffSpan]:
        """Return all of *text*: the row of a summary holds nothing else."""
        if not text:
            return []
        start = len(text) - len(text.lstrip())
        if not text.startswith(_OPENING, start):
            return [HandoffSpan(0, 0, len(text), len(text))]
        begin, kept = start + len(_OPENING), text.rstrip()
        end = len(kept) - len(_CLOSING) if kept.endswith(_CLOSING) else len(text)
        return [HandoffSpan(0, begin, max(begin, end), len(text))]

    def is_known(self, text: str) -> bool:
        """Return whether *text* begins as Pi sends it."""
        return text.lstrip().startswith(_OPENING)

    def frame(self, body: str) -> str:
        """Return *body* with the sentence and the tag around it."""
        return f"{_OPENING}{body}{_CLOSING}"


GRAMMAR: Final = PiGrammar()
