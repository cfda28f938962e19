"""What stands in the user's place and asks for nothing: notes, and what a client did for the user. Pure."""

from typing import Final

from hermes_sessions.handoff.grammars.own import is_synthetic

CLIENT_WORDS: Final = (
    "<command-name>",
    "<command-message>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<bash-input>",
    "<bash-stdout>",
    "<task-notification>",
    "[Request interrupted",
)
"""How rows begin that tell what a client did: a command such as `/compact`, its output, an interruption."""


def asks_nothing(text: str) -> bool:
    """Return whether *text* is a note in the user's name, or tells what the user's client did."""
    return is_synthetic(text) or text.lstrip().startswith(CLIENT_WORDS)
