"""The words that agents put before and after every summary: theirs, and not the summary's."""

import re
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_EDGE_CHARS: Final = 2_500
_OPENING: Final = (
    r"This session is being continued from a previous conversation",
    r"Another language model started to solve this problem",
    r"(?:The|Our|This) conversation (?:history )?(?:before|so far|up to) [^\n]{0,80}(?:compact|summari)",
    r"The following is a summary of",
    r"Here is a summary of the conversation",
)
_CLOSING: Final = (
    r"(?:Please )?continue (?:the|this|our) conversation from where",
    r"Resume directly\b",
    r"Pick up the last task as if",
    r"Continue if you have next steps, or stop and ask",
    r"Continue with the last task that you were asked to work on",
    r"If you need specific details from before compaction",
    r"Use this to build on the work that has already been done",
    r"Continue from the compressed conversation context above",
)
_COUNTED: Final = (
    r"(?:lines?|messages?|turns?|characters?|chars?|tokens?|bytes|tool (?:calls?|results?|outputs?)"
    r"|images?|items?)\b"
)
_DONE_TO_THEM: Final = (
    r"(?:output|folded|omitted|truncated|cut(?: off)?|left out|hidden|compacted|collapsed|skipped"
    r"|not shown|elided|pruned|cleared|compressed)"
)
_OWN_COUNT = late_pattern(
    rf"\b\d[\d.,]*\s(?:more |earlier |older |further |other )?{_COUNTED}\s(?:of )?{_DONE_TO_THEM}\b"
    rf"|\b(?:folded|omitted|truncated|skipped|elided|pruned|cleared)\s\d[\d.,]*\s(?:more )?{_COUNTED}",
    re.I,
)
_WORDS: Final = "|".join((*_OPENING, *_CLOSING))
_PARAGRAPH = late_pattern(rf"(?im)^[ \t]*+(?:<[\w-]+>[ \t]*+)?(?:{_WORDS})[^\n]*$")


def without_frame(body: str) -> str:
    """Return *body* without the lines that agents open and close every summary with.

    Only near its two ends: in the middle the same words are the summary's own.
    """
    if len(body) <= 2 * _EDGE_CHARS:
        return _PARAGRAPH.sub("", body)
    head, middle, tail = body[:_EDGE_CHARS], body[_EDGE_CHARS:-_EDGE_CHARS], body[-_EDGE_CHARS:]
    return f"{_PARAGRAPH.sub('', head)}{middle}{_PARAGRAPH.sub('', tail)}"


def without_own_counts(body: str) -> str:
    """Return *body* without what the machinery that wrote it counts of itself: `5 lines output`."""
    return _OWN_COUNT.sub("", body)
