"""Grammars to derive from, and the one for handoffs whose grammar nobody knows. Pure."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hermes_sessions.handoff.grammars.grammar import HandoffSpan
from hermes_sessions.handoff.grammars.habits import Habits
from hermes_sessions.handoff.inspection import HandoffFacts, handoff_sections
from hermes_sessions.handoff.parts import Part
from hermes_sessions.handoff.split import PartRange, split_content
from hermes_sessions.messages import Content

_PLAIN: Final = Habits()


class PlainGrammar(ABC):
    """A `HandoffGrammar` whose handoffs have a beginning and an end, and nothing between the lines."""

    habits: Habits = _PLAIN

    @property
    @abstractmethod
    def name(self) -> str:
        """The word stored with a handoff; never changes."""

    @abstractmethod
    def spans(self, text: str) -> Sequence[HandoffSpan]:
        """Return every handoff of a row that is one; what lies between them is messages."""

    @abstractmethod
    def frame(self, body: str) -> str | None:
        """Return *body* as this agent frames it; None where it cannot be written."""

    def starts(self, text: str) -> bool:
        """Return whether *text*, after white space, begins with a handoff."""
        return any(not text[: span.start].strip() for span in self.spans(text)[:1])

    def split(self, content: Content) -> tuple[Part, ...]:
        """Return the handoffs and messages of a row."""
        return split_content(content, lambda text: list(_ranges(text, self.spans(text))))

    def split_around(self, text: str, reply: tuple[int, int]) -> tuple[Part, ...]:
        """Split *text* at a reply whose offsets are known; the rest is the handoff."""
        start, end = reply
        pieces = (("handoff", text[:start]), ("message", text[start:end]), ("handoff", text[end:]))
        return tuple(_part(kind == "handoff", piece) for kind, piece in pieces if piece)

    def find_reply(self, text: str, length: int, is_reply: Callable[[str], bool]) -> tuple[int, int] | None:
        """Return where a reply of *length* characters is: at the end of the text, after a blank line."""
        at = len(text) - length
        framed = length and at > 2 and text[at - 2 : at] == "\n\n" and self.starts(text)
        return (at, len(text)) if framed and is_reply(text[at:]) else None

    def shares_row(self, text: str) -> bool:
        """Return False: what shares a row shows in it."""
        return False

    def facts(self, text: str) -> HandoffFacts:
        """Return what the wording of a handoff tells: its sections."""
        found = self.spans(text)
        body = text[found[0].body_start : found[0].body_end] if found else text
        return HandoffFacts(
            era=self.name,
            eras=(self.name,),
            marker=False,
            fallback=False,
            removed=None,
            nested=1,
            has_end=bool(found) and found[0].body_end < found[0].end,
            sections=handoff_sections(body),
        )

    def is_known(self, text: str) -> bool:
        """Return whether *text* begins with a handoff."""
        return self.starts(text)

    def is_likely(self, text: str) -> bool:
        """Return whether *text* begins with a handoff."""
        return self.is_known(text)

    def is_synthetic(self, text: str) -> bool:
        """Return whether *text* is something the agent writes beside its summaries."""
        return self.habits.is_inserted(text.lstrip())


class UnframedGrammar(PlainGrammar):
    """Handoffs with nothing around them: who wrote a row says that it is one, its words never do."""

    def spans(self, text: str) -> Sequence[HandoffSpan]:
        """Return all of *text*: only rows that are known to be handoffs are asked for."""
        return [HandoffSpan(0, 0, len(text), len(text))] if text else []

    def starts(self, text: str) -> bool:
        """Return False: nothing tells a handoff from a message."""
        return False

    def is_known(self, text: str) -> bool:
        """Return True: there is no frame that could be another's."""
        return True

    def frame(self, body: str) -> str | None:
        """Return *body* as it is."""
        return body


class WholeGrammar(UnframedGrammar):
    """Handoffs in a frame that is not known: nothing is recognised, and a stored one is shown whole."""

    name = ""

    def __init__(self, name: str) -> None:
        self.name = name

    def is_known(self, text: str) -> bool:
        """Return False: the frame is not."""
        return False

    def frame(self, body: str) -> None:
        """Return None: nobody knows how."""
        return


def _part(handoff: bool, text: str) -> Part:
    return Part("handoff", text.strip(), text, text) if handoff else Part("message", text, text, text)


def _ranges(text: str, spans: Sequence[HandoffSpan]) -> Iterator[PartRange]:
    at = 0
    for span in spans:
        if at < span.start and text[at : span.start].strip():
            yield PartRange("message", at, span.start, at, span.start)
            at = span.start
        yield PartRange("handoff", at, span.end, span.body_start, span.body_end)
        at = span.end
    if at < len(text) or not spans:
        yield PartRange("message", at, len(text), at, len(text))
