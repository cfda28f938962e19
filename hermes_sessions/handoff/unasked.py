"""What stands in the user's place and asks for nothing: notes, and what a client did for the user. Pure."""

import re
from typing import Final

from hermes_sessions.handoff.grammars.own import is_synthetic
from hermes_sessions.late_patterns import late_pattern

CLIENT_WORDS: Final = (
    "<command-name>",
    "<command-message>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<bash-input>",
    "<bash-stdout>",
    "<task-notification>",
    "<agent-notification>",
    "<bash-stderr>",
    "<user-prompt-submit-hook>",
    "Stop hook feedback:",
    "[Request interrupted",
)
"""How rows begin that tell what a client did: a command such as `/compact`, its output, an interruption."""

_COMMAND: Final = late_pattern(r"<command-name>\s*(.*?)\s*(?:</command-name>|\Z)", re.DOTALL)
_ARGUMENTS: Final = late_pattern(r"<command-args>\s*(.*?)\s*(?:</command-args>|\Z)", re.DOTALL)
_TYPED_CHARS: Final = 4_000
_COMMANDS: Final = ("<command-name>", "<command-message>", "<bash-input>")
_OUTPUTS: Final = ("<local-command-stdout>", "<local-command-stderr>", "<bash-stdout>", "<bash-stderr>")
_TAGGED: Final = late_pattern(r"\s*<([a-z][\w-]*)>(.*?)</\1>\s*", re.DOTALL)
_SHELL: Final = late_pattern(r"<bash-input>\s*(.*?)\s*(?:</bash-input>|\Z)", re.DOTALL)


def asks_nothing(text: str) -> bool:
    """Return whether *text* is a note in the user's name, or tells what the user's client did."""
    return is_synthetic(text) or text.lstrip().startswith(CLIENT_WORDS)


def as_typed(text: str) -> str:
    """Return the command that the user typed, where *text* is how a client records one; else *text*."""
    begins = text[:_TYPED_CHARS].lstrip()
    if begins.startswith("<bash-input>") and (shell := _SHELL.match(begins)):
        return f"!{shell[1]}"
    if not begins.startswith(("<command-name>", "<command-message>")):
        return text
    name, given = _COMMAND.search(begins), _ARGUMENTS.search(begins)
    if name is None or not name[1]:
        return text
    return f"{name[1]} {given[1]}" if given is not None and given[1] else name[1]


def is_client_words(text: str) -> bool:
    """Return whether *text* is what a client wrote in the user's name: a command as it records one, too."""
    return text.lstrip().startswith(CLIENT_WORDS)


def is_command(text: str) -> bool:
    """Return whether *text* is a client's record of a command that the user gave it."""
    return text.lstrip().startswith(_COMMANDS)


def as_shown(text: str) -> str:
    """Return a client's words without its markup: a command as it was typed, outputs as they were."""
    if is_command(text):
        return as_typed(text)
    if not text.lstrip().startswith(_OUTPUTS):
        return text
    found, at = [], 0
    while match := _TAGGED.match(text, at):
        found.append(match[2])
        at = match.end()
    return "\n".join(one for one in found if one.strip()) or text if at == len(text) else text
