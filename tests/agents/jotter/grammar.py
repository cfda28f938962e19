"""How Jotter frames a summary."""

from collections.abc import Sequence
from typing import Final

from hermes_sessions.handoff.grammars.grammar import HandoffSpan
from hermes_sessions.handoff.grammars.plain import PlainGrammar

_BEGIN: Final = "<<< jotted down so far\n"
_END: Final = "\n>>> now go on"


class JotterGrammar(PlainGrammar):
    """A `HandoffGrammar`."""

    name = "jotter"

    def starts(self, text: str) -> bool:
        """Return whether *text* begins with the frame."""
        return text.lstrip().startswith(_BEGIN)

    def spans(self, text: str) -> Sequence[HandoffSpan]:
        """Return the one handoff that a row may begin with."""
        start = len(text) - len(text.lstrip())
        if not text.startswith(_BEGIN, start):
            return ()
        end = text.find(_END, start)
        body_end = len(text) if end < 0 else end
        return [HandoffSpan(start, start + len(_BEGIN), body_end, min(len(text), body_end + len(_END)))]

    def is_known(self, text: str) -> bool:
        """Return whether the frame is whole."""
        return self.starts(text) and _END in text

    def frame(self, body: str) -> str:
        """Return *body* in the frame."""
        return f"{_BEGIN}{body}{_END}"


GRAMMAR: Final = JotterGrammar()
