"""What a grammar is: how an agent frames a summary in its transcript. No storage. Pure."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol

from hermes_sessions.handoff.grammars.habits import Habits
from hermes_sessions.handoff.inspection import HandoffFacts
from hermes_sessions.handoff.parts import Part
from hermes_sessions.messages import Content

OWN: Final = "own"
"""The grammar of what our engine writes."""


class HandoffSpan(NamedTuple):
    """Where a handoff stands in a text: [start, end), its body inside, offsets of the text."""

    start: int
    body_start: int
    body_end: int
    end: int


class HandoffGrammar(Protocol):
    """Recognise and frame a summary; an importer names one, the engine uses `own`.

    `plain.PlainGrammar` is one to derive from: a small grammar says where its handoffs
    begin and end, and how one is written.
    """

    @property
    def name(self) -> str:
        """The word stored with a handoff; never changes."""
        ...

    @property
    def habits(self) -> Habits:
        """What the agent writes beside its summaries."""
        ...

    def starts(self, text: str) -> bool:
        """Return whether *text*, after white space, begins like a handoff or a merged row."""
        ...

    def spans(self, text: str) -> Sequence[HandoffSpan]:
        """Return every handoff of a row that is one; what lies between them is messages."""
        ...

    def split(self, content: Content) -> tuple[Part, ...]:
        """Return the handoffs and messages of a row that is a handoff; their raws joined are *content*."""
        ...

    def split_around(self, text: str, reply: tuple[int, int]) -> tuple[Part, ...]:
        """Split *text* at a reply whose offsets are known; the rest is the handoff."""
        ...

    def find_reply(self, text: str, length: int, is_reply: Callable[[str], bool]) -> tuple[int, int] | None:
        """Return where a reply of *length* characters, known from elsewhere, is in a merged row."""
        ...

    def shares_row(self, text: str) -> bool:
        """Return whether the frame itself says that a message shares the row, be it empty."""
        ...

    def facts(self, text: str) -> HandoffFacts:
        """Return what the wording of a handoff tells about its making."""
        ...

    def is_known(self, text: str) -> bool:
        """Return whether some release wrote the frame to the letter: corroboration by wording."""
        ...

    def is_likely(self, text: str) -> bool:
        """Return whether more than its beginning says that *text* is a handoff: people quote that."""
        ...

    def is_synthetic(self, text: str) -> bool:
        """Return whether the agent wrote *text* in the user's name."""
        ...

    def frame(self, body: str) -> str | None:
        """Return *body* as this agent frames it; None where it cannot be written."""
        ...
