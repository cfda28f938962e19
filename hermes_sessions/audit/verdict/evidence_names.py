"""What the pieces of a finding's evidence are called where people read them. Values only."""

from collections.abc import Mapping
from typing import Final

_NAMES: Final[Mapping[str, str]] = {
    "calls_without_result": "calls without a result",
    "chars": "characters",
    "count": "how many",
    "counted": "counted by",
    "counter": "the agent counts",
    "done_again": "done again",
    "era": "words of the release",
    "first_role": "begins with",
    "live": "of them in the context",
    "members": "sessions",
    "merged": "in a message with other words",
    "method": "made by",
    "minutes": "within minutes",
    "order": "which order",
    "originals": "copies of messages",
    "paths": "files",
    "prefixes": "beginnings one in the other",
    "reads": "read again, times",
    "recorded": "recorded error",
    "repeats": "is a copy",
    "results_without_call": "results without a call",
    "role": "stored as",
    "rows": "rows stored",
    "seconds": "seconds at most",
    "span_tokens": "tokens summarised",
    "stands_instead": "instead of them",
    "summary_tokens": "tokens of the summary",
    "tail_stored": "the kept tail is stored",
    "tails": "kept tails",
    "values": "which",
    "why": "because",
}


def evidence_name(name: str) -> str:
    """Return what a piece of evidence is called; of an unknown one its name in words."""
    return _NAMES.get(name, name.replace("_", " "))
