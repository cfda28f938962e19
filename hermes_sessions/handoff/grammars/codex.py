"""How Codex frames a summary that it wrote itself: a fixed text before it, nothing after it. Pure."""

from collections.abc import Sequence
from typing import Final

from hermes_sessions.handoff.grammars.grammar import HandoffSpan
from hermes_sessions.handoff.grammars.habits import Habits
from hermes_sessions.handoff.grammars.plain import PlainGrammar

_LEAD: Final = (
    "Another language model started to solve this problem and produced a summary of its thinking process."
)
_END: Final = "assist with your own analysis:"
_LONGEST_OPENING: Final = 800


class CodexGrammar(PlainGrammar):
    """A `HandoffGrammar`; requests go on word for word before the summary, replies and results do not."""

    name = "codex"
    habits = Habits(keeps_tail=False)

    def starts(self, text: str) -> bool:
        """Return whether *text* begins with the fixed text's first sentence."""
        return text.lstrip().startswith(_LEAD)

    def spans(self, text: str) -> Sequence[HandoffSpan]:
        """Return all of *text*: the row of a summary holds nothing else."""
        if not text:
            return []
        begin = _body_start(text)
        return [HandoffSpan(0, begin, len(text), len(text))]

    def is_known(self, text: str) -> bool:
        """Return whether *text* begins as some release wrote it, to the colon."""
        return self.starts(text) and _body_start(text) > 0

    def frame(self, body: str) -> str:
        """Return *body* with the fixed text before it."""
        return (
            f"{_LEAD} You also have access to the state of the tools that were used by that language model."
            " Use this to build on the work that has already been done and avoid duplicating work."
            " Here is the summary produced by the other language model, use the information in this summary"
            f" to  {_END}\n{body}"
        )


def _body_start(text: str) -> int:
    """Return where the summary begins: on the line after the fixed text; 0 where that is not there."""
    start = len(text) - len(text.lstrip())
    if not text.startswith(_LEAD, start):
        return 0
    at = text.find(_END, start, start + _LONGEST_OPENING)
    if at < 0:
        return 0
    at += len(_END)
    return at + 1 if text.startswith("\n", at) else at


GRAMMAR: Final = CodexGrammar()
