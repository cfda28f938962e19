"""What an engine writes of itself in a handoff: nobody's words, and no claim about the work."""

import re
from typing import Final

from hermes_sessions.late_patterns import late_pattern

CUT: Final = "[...truncated]"
LAST_MESSAGE: Final = "The user's last message stands in full"
NOBODY_ASKED: Final = "No user message is known; nobody asked for anything here."
ORIGINALS_TITLE: Final = "Where the originals are"

_OWN_LINE = late_pattern(
    rf"(?m)^(?:{re.escape(LAST_MESSAGE)} (?:before|behind) this handoff.*|{re.escape(NOBODY_ASKED)}"
    r"|\(\d{1,9} (?:earlier ones are kept|more are kept|more stand) with the originals\.\)"
    r"|(?:- )?.{1,300} -> (?:done|exit 0)(?: \(\d{1,9} times\))?"
    r"|(?:- )?This fallback was generated locally without an LLM summary call\."
    r"|Previous compaction summary was present and should still be treated .*"
    r"|- The summary may be incomplete; prefer verifying current files, .*"
    r"|- Secrets and credentials were redacted before preservation\."
    r"|Recovered from a deterministic fallback because .*|Summary generation was unavailable(?:,|\.) .*"
    r"|(?:- )?\d{1,9} (?:earlier |older |compacted )?(?:message|turn|row|tool result)s?"
    r" (?:was|were|have been) (?:folded(?: away)?|dropped|removed|omitted|compacted)\b.*)$"
)
"""Of our own engine, and of the handoffs that an agent writes by rule where its model gave none."""

_PLACE = late_pattern(r"(?m)^- \[#[^\]\s]{0,20}\] ")
_CUT = late_pattern(rf"[^\s<>]{{0,80}}\s?{re.escape(CUT)}\s?[^\s<>]{{0,80}}")
"""With the halves of words beside it."""

_COUNTED = late_pattern(r"(?i)\b(?:compaction|compression|summary|handoff) (?:number |no\. ?|#)\d{1,6}\b")
"""Which summary it is."""

_ORIGINALS = late_pattern(rf"(?m)^## {re.escape(ORIGINALS_TITLE)}\n(?:- .*(?:\n|\Z))*")


def without_own_lines(body: str) -> str:
    """Return *body* without what the engine says of itself; where it cut a text, two lines stand.

    That is: which summary it is, which message is the last one, how much stands with the originals,
    where these are, the place before a line, and receipts of calls that went well.
    """
    body = _PLACE.sub("- ", _ORIGINALS.sub("", body))
    return _COUNTED.sub("", _OWN_LINE.sub("", _CUT.sub("\n", body)))
