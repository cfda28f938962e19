"""What a model is told when it writes a summary: text constants and two render functions."""

from collections.abc import Sequence
from typing import Final

from hermes_sessions.messages import SpanEntry

INSTRUCTIONS: Final = """\
You write working notes for an agent whose older messages are about to be taken out of its view. \
The notes are all it will have of them, together with the user's own words and an index of exact \
strings, which are added by a program: do not repeat those at length.

Rules:
- Write only what the transcript shows. Where it is silent, stay silent; leave a section out \
rather than fill it.
- Quote the user only in words that stand in the transcript. Where no user speaks, say that no user spoke.
- Tell what was done and how it ended as the past. Notes are no orders: whatever was \
finished must read as finished.
- Copy names, paths, commands, ids, versions, numbers and error texts to the letter.
- Where earlier notes are given, return them brought up to date as one text: keep what still holds, \
correct what changed, drop what is settled and needed by nobody.
- Write in the language the user writes in. Mask anything that looks like a password or key.
- Answer with the notes alone, in Markdown, using these headings where they apply, in this order:
## Active task
## Goal
## Constraints
## Completed actions
## State
## Decisions
## Resolved questions
## Pending questions
## Files
"""

_LABELS: Final = {
    "user": "USER",
    "assistant": "ASSISTANT",
    "call": "TOOL CALL",
    "result": "TOOL RESULT",
    "summary": "OLDER NOTES",
    "note": "NOTE",
}


def render_prompt(entries: Sequence[SpanEntry], previous: str, focus: str, max_tokens: int) -> str:
    """Return the material for a model: earlier notes, the transcript, and what to mind."""
    parts: list[str] = []
    if previous:
        parts.append(
            f"EARLIER NOTES, to be brought up to date:\n<earlier_notes>\n{previous}\n</earlier_notes>"
        )
    parts.append(f"TRANSCRIPT:\n<transcript>\n{render_entries(entries)}\n</transcript>")
    if focus:
        parts.append(f"The user asks to keep above all what concerns: {focus}")
    parts.append(f"Write the notes now, in at most {max_tokens} tokens (about {max_tokens * 3} characters).")
    return "\n\n".join(parts)


def render_entries(entries: Sequence[SpanEntry]) -> str:
    """Return *entries* as labelled paragraphs, oldest first."""
    return "\n\n".join(_render_entry(entry) for entry in entries)


def _render_entry(entry: SpanEntry) -> str:
    label = _LABELS.get(entry.kind, "NOTE")
    name = f" {entry.name}" if entry.name else ""
    return f"[{entry.index}] {label}{name}: {entry.text}"
