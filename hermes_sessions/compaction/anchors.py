"""The facts that a handoff's index is made of: the rules live in `facts`, where the audit finds them too."""

from hermes_sessions.facts import (
    KINDS,
    MAX_TEXT_CHARS,
    extract_facts,
    message_facts,
    shorten_line,
    text_facts,
)

__all__ = ["KINDS", "MAX_TEXT_CHARS", "extract_facts", "message_facts", "shorten_line", "text_facts"]
