"""How Claude Code frames a summary: a sentence before it and, in most releases, an order after it. Pure."""

from collections.abc import Sequence
from typing import Final

from hermes_sessions.handoff.grammars.grammar import HandoffSpan
from hermes_sessions.handoff.grammars.habits import Habits
from hermes_sessions.handoff.grammars.plain import PlainGrammar

_LEAD: Final = "This session is being continued from a previous conversation that ran out of context."
_OPENINGS: Final = (
    f"{_LEAD} The summary below covers the earlier portion of the conversation.\n\n",
    f"{_LEAD} The conversation is summarized below:\n",
)
_CLOSINGS: Final = (
    "If you need specific details from before compaction",
    "Continue the conversation from where it left off without asking the user",
    "Please continue the conversation from where we left it off without asking the user",
    "Please continue the conversation from where we left off without asking the user",
)
_LONGEST_CLOSING: Final = 3_000


class ClaudeCodeGrammar(PlainGrammar):
    """A `HandoffGrammar`."""

    name = "claude-code"
    habits = Habits(
        pruned=("[Old tool result content cleared]",),
        keeps_tail=False,
        unstored="attachments after the summary, such as open files and plans",
    )

    def starts(self, text: str) -> bool:
        """Return whether *text* begins with the sentence."""
        return text.lstrip().startswith(_LEAD)

    def spans(self, text: str) -> Sequence[HandoffSpan]:
        """Return all of *text*: the row of a summary holds nothing else."""
        start = len(text) - len(text.lstrip())
        opening = next((one for one in (*_OPENINGS, _LEAD) if text.startswith(one, start)), "")
        begin = start + len(opening)
        return [HandoffSpan(0, begin, _body_end(text, begin), len(text))] if text else []

    def is_known(self, text: str) -> bool:
        """Return whether *text* begins as some release wrote it."""
        return text.lstrip().startswith(_OPENINGS)

    def frame(self, body: str) -> str:
        """Return *body* with the sentence before it and the order after it."""
        return f"{_OPENINGS[0]}{body}\n{_CLOSINGS[1]} any further questions."


def _body_end(text: str, begin: int) -> int:
    """Return where the first closing begins that is a line near the end, without white space before it."""
    lowest = max(begin, len(text) - _LONGEST_CLOSING)
    found = [at for one in _CLOSINGS if (at := text.rfind(f"\n{one}", lowest)) >= 0]
    return begin + len(text[begin : min(found)].rstrip()) if found else len(text)


GRAMMAR: Final = ClaudeCodeGrammar()
