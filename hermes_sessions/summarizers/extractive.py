"""A summary without a model: sentences and lines picked by rule, the same for the same input."""

from dataclasses import dataclass
from typing import ClassVar, Final

from hermes_sessions.handoff import NOTHING_TO_TELL, write_notes
from hermes_sessions.messages import CompactionMethod, SummaryRequest

_CHARS_PER_TOKEN: Final = 3
_LEAST_CHARS: Final = 400


@dataclass(frozen=True, slots=True)
class ExtractiveSummarizer:
    """The summariser that needs no model."""

    method: ClassVar[CompactionMethod] = CompactionMethod.EXTRACTIVE
    name: ClassVar[str] = "extractive"

    def __call__(self, request: SummaryRequest) -> str:
        """Return notes on the span of *request*, brought together with the earlier ones."""
        room = max(_LEAST_CHARS, request.max_tokens * _CHARS_PER_TOKEN)
        return write_notes(request.entries, request.previous, room) or NOTHING_TO_TELL
