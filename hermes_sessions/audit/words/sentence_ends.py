"""Where sentences end, and how much of a text is read for them. Values only."""

from typing import Final

from hermes_sessions.facts.speech.stops import SentenceCut

SENTENCE_ENDS: Final = SentenceCut(
    r"(?<=[.!?;])\s+|(?<=[。！？；])|\n", plain=r"\s(?:(?<=[.!?;]\s)\s*|(?<=\n))"
)
MAX_READ_CHARS: Final = 4_000
"""Of a message, as much is read for what it asks, allows or takes back."""
