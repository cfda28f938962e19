"""How Gemini CLI frames a summary: a tag around it, nothing else. Pure."""

from collections.abc import Sequence
from typing import Final

from hermes_sessions.handoff.grammars.grammar import HandoffSpan
from hermes_sessions.handoff.grammars.habits import Habits
from hermes_sessions.handoff.grammars.plain import PlainGrammar

_OPENING: Final = "<state_snapshot>"
_CLOSING: Final = "</state_snapshot>"


class GeminiGrammar(PlainGrammar):
    """A `HandoffGrammar`; the newest messages go on word for word, a short thank-you comes before them."""

    name = "gemini"
    habits = Habits(
        inserted=("Got it. Thanks for the additional context!",),
        answers=True,
        pruned=("<tool_output_masked>", "[Message Normalized:"),
    )

    def starts(self, text: str) -> bool:
        """Return whether *text* begins with the tag."""
        return text.lstrip().startswith(_OPENING)

    def spans(self, text: str) -> Sequence[HandoffSpan]:
        """Return all of *text*: the row of a summary holds nothing else, and the tag is the summary's own."""
        return [HandoffSpan(0, 0, len(text), len(text))] if text else []

    def is_known(self, text: str) -> bool:
        """Return whether *text* is within the tag."""
        return self.starts(text) and text.rstrip().endswith(_CLOSING)

    def frame(self, body: str) -> str:
        """Return *body* within the tag."""
        return body if self.is_known(body) else f"{_OPENING}\n{body}\n{_CLOSING}"


GRAMMAR: Final = GeminiGrammar()
