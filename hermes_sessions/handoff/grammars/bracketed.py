"""Handoffs with the bracket that the first agent gave them, which ours have too. Pure."""

from collections.abc import Callable, Sequence
from typing import Final

from hermes_sessions.handoff.grammars import own
from hermes_sessions.handoff.grammars.grammar import OWN, HandoffSpan
from hermes_sessions.handoff.grammars.habits import Habits
from hermes_sessions.handoff.inspection import HandoffFacts, handoff_facts, is_corroborated
from hermes_sessions.handoff.parts import Part
from hermes_sessions.handoff.render import render_handoff
from hermes_sessions.handoff.split import (
    PartRange,
    bracket_ranges,
    parts_around,
    split_at_length,
    split_handoff,
)
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Content

BRACKETED: Final = frozenset({OWN, "hermes"})
"""Names of the grammars of this kind."""
_MAY_BEGIN: Final = late_pattern(r"[\s\ufeff\u200b\u2060\[]")
"""How a handoff may begin, to look no further at other texts."""


class BracketedGrammar:
    """A `HandoffGrammar`; whoever knows the bracket recognises what any of its kind frames."""

    def __init__(self, name: str, habits: Habits) -> None:
        self.name = name
        self.habits = habits

    def starts(self, text: str) -> bool:
        """Return whether *text*, after white space, begins like a handoff or a merged row."""
        return bool(_MAY_BEGIN.match(text)) and own.starts_handoff(text)

    def spans(self, text: str) -> Sequence[HandoffSpan]:
        """Return every handoff of a row that is one."""
        return [_span(text, one) for one in bracket_ranges(text) if one.kind == "handoff"]

    def split(self, content: Content) -> tuple[Part, ...]:
        """Return the handoffs and messages of a row."""
        return split_handoff(content)

    def split_around(self, text: str, reply: tuple[int, int]) -> tuple[Part, ...]:
        """Split *text* at a reply whose offsets are known."""
        return parts_around(text, reply)

    def find_reply(self, text: str, length: int, is_reply: Callable[[str], bool]) -> tuple[int, int] | None:
        """Return where a reply of *length* characters is in a merged row of any shape."""
        return split_at_length(text, length, is_reply)

    def shares_row(self, text: str) -> bool:
        """Return whether a bracket ahead says that a message comes first."""
        return text.startswith(own.PRIOR, own.skip_unseen(text, 0))

    def facts(self, text: str) -> HandoffFacts:
        """Return what the wording of a handoff tells about its making."""
        return handoff_facts(text)

    def is_known(self, text: str) -> bool:
        """Return whether some release, or this program, wrote the frame to the letter."""
        return own.has_known_prefix(text)

    def is_likely(self, text: str) -> bool:
        """Return whether more than the bracket says that *text* is a handoff."""
        return is_corroborated(text)

    def is_synthetic(self, text: str) -> bool:
        """Return whether an agent or this engine wrote *text* in the user's name."""
        return own.is_synthetic(text)

    def frame(self, body: str) -> str:
        """Return *body* in the current format."""
        return render_handoff(body)


def _span(text: str, found: PartRange) -> HandoffSpan:
    body = own.strip_ends(text[found.text_start : found.text_end])
    start = min(found.text_end, own.skip_space(text, found.text_start))
    return HandoffSpan(found.start, start, start + len(body), found.end)
