"""The deterministic handoff when no summary could be had: a receipt for every turn it replaces.

It says that it is one and why; the notes below are those of the summariser without a
model. The user's words, rules and exact facts are sections of their own.
"""

from typing import Final

from hermes_sessions.facts.lines import shorten_line
from hermes_sessions.handoff import write_notes
from hermes_sessions.messages import SummaryRequest

RECEIPT: Final = "Written without a model:"


def fallback_summary(request: SummaryRequest, reason: str, replaced: int, max_chars: int) -> str:
    """Return notes on the span made by rules, at most *max_chars* long.

    The receipt stands first, so that nothing can cut it off.

    Args:
        request: what the summariser was given: masked, bounded.
        reason: why there is no summary, one line.
        replaced: how many messages the handoff stands for.
        max_chars: of the whole text.
    """
    receipt = f"{RECEIPT} {shorten_line(reason, 160)}. It stands for {replaced} messages."
    notes = write_notes(request.entries, request.previous, max_chars - len(receipt) - 2, RECEIPT)
    return "\n\n".join(text for text in (receipt, notes) if text)[:max_chars]
