"""A message as the texts in it: who says each, and whether it is speech or data.

JSON of tools, content blocks, arguments of calls and code fences are taken apart here;
`wrapping` takes numbers of lines, colours and diffs off a text. No rule is applied.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

from hermes_sessions.facts.json_text import json_texts
from hermes_sessions.facts.wrapping import is_diff, plain_text, read_diff, without_numbers
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role, read_calls


class Form(StrEnum):
    """What a piece of text is."""

    SPEECH = "speech"
    DATA = "data"
    DIFF = "diff"
    ARGUMENT = "argument"


class TextPiece(NamedTuple):
    """One text of a message.

    Attributes:
        text: without wrapping.
        start: where it begins in the unwrapped text of the message.
        form: what it is.
        speaker: who says it.
        key: of an argument, or the language of a fence; `FIELDS` or `LISTING`; else ''.
        tool: the tool called, for an argument; else ''.
    """

    text: str
    start: int
    form: Form
    speaker: str
    key: str = ""
    tool: str = ""


class Unwrapped(NamedTuple):
    """A message without its wrapping: the whole text, and the pieces it is joined from."""

    text: str
    pieces: tuple[TextPiece, ...]


FIELDS: Final = "fields"
"""Key of a piece made of the scalars of a JSON document, as lines `key: value`."""

LISTING: Final = "listing"
"""Key of a piece that a tool shows with the numbers of its lines: a file that was read."""

_MAX_DEPTH: Final = 12
_FENCE = late_pattern(r"^[ \t]{0,12}(?:```+|~~~+)([\w+-]{0,20})[^\n]{0,200}$", re.M)
_MACHINE = late_pattern(
    r"<(system-reminder|local-command-stdout|local-command-stderr|command-message|environment_context"
    r"|user_instructions|task-notification|bash-stdout|bash-stderr)>"
)
_CALL_TYPES: Final = ("tool_use", "server_tool_use", "function_call", "custom_tool_call", "local_shell_call")
_RESULT_TYPES: Final = ("tool_result", "function_call_output", "custom_tool_call_output", "toolResult")
_UNSEEN_TYPES: Final = ("thinking", "redacted_thinking", "reasoning", "signature", "image", "image_url")


def unwrap_message(message: Mapping[str, Any]) -> Unwrapped:
    """Return the texts of one OpenAI- or Anthropic-style message in order.

    What has an unexpected shape reads as absent; nothing raises.
    """
    role = _speaker(message)
    parts = [part for part in _content(message, role, 0) if part.text.strip()]
    parts += [part for part in _calls(message.get("tool_calls")) if part.text.strip()]
    return _joined(parts)


def unwrap_text(text: str, speaker: str = Role.ASSISTANT) -> Unwrapped:
    """Return the pieces of a text that is no message: a summary, a draft."""
    return _joined([part for part in _spoken(text, speaker) if part.text.strip()])


def _joined(parts: Sequence[TextPiece]) -> Unwrapped:
    start, placed = 0, []
    for part in parts:
        placed.append(part._replace(start=start))
        start += len(part.text) + 1
    return Unwrapped("\n".join(part.text for part in parts), tuple(placed))


def _speaker(message: Mapping[str, Any]) -> str:
    role = str(message.get("role") or "")
    if role in ("developer", "system"):
        return Role.SYSTEM
    if role in ("tool", "function", "toolResult") or message.get("type") in _RESULT_TYPES:
        return Role.TOOL
    return Role.USER if role in ("user", "human") else Role.ASSISTANT


def _content(message: Mapping[str, Any], speaker: str, depth: int) -> Iterator[TextPiece]:
    kind = message.get("type")
    if kind in _UNSEEN_TYPES or depth > _MAX_DEPTH:
        return
    if kind in _CALL_TYPES:
        name = str(message.get("name") or "")
        given = next((message[key] for key in ("input", "arguments", "action") if message.get(key)), None)
        yield from _arguments(name, given, depth)
        return
    if kind in _RESULT_TYPES:
        speaker = Role.TOOL
    for key in ("content", "text", "output"):
        value = message.get(key)
        if value:
            yield from _value(value, speaker, depth)


def _value(value: object, speaker: str, depth: int) -> Iterator[TextPiece]:
    if isinstance(value, str):
        yield from _spoken(value, speaker) if speaker != Role.TOOL else _told(value)
    elif isinstance(value, Mapping):
        if speaker == Role.TOOL and "type" not in value:
            yield from _told(_as_json(value))
        else:
            yield from _content(value, speaker, depth + 1)
    elif isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        for one in value:
            yield from _value(one, speaker, depth + 1) if depth < _MAX_DEPTH else ()


def _as_json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError, TypeError):
        return ""


def _told(text: str) -> Iterator[TextPiece]:
    """Pieces of a tool's result."""
    for part in json_texts(text):
        if part.fields:
            yield TextPiece(part.text, 0, Form.DATA, Role.TOOL, FIELDS)
            continue
        plain, is_read = without_numbers(plain_text(part.text, numbered=False))
        if is_diff(plain):
            yield TextPiece(read_diff(plain), 0, Form.DIFF, Role.TOOL)
        else:
            yield TextPiece(plain, 0, Form.DATA, Role.TOOL, LISTING if is_read else "")


def _spoken(text: str, speaker: str) -> Iterator[TextPiece]:
    """Pieces of what somebody wrote: speech, and the fences and machine's notes in it."""
    text = plain_text(text, numbered=False)
    for part, tag in _machine_notes(text):
        if tag:
            owner = Role.SYSTEM if tag in ("system-reminder", "environment_context") else Role.TOOL
            yield TextPiece(part, 0, Form.DATA, owner)
        else:
            yield from _fenced(part, speaker)


def _machine_notes(text: str) -> Iterator[tuple[str, str]]:
    """Yield what the agent's machinery put into a message apart from the rest, under its tag."""
    place = 0
    while match := _MACHINE.search(text, place):
        end = text.find(f"</{match[1]}>", match.end())
        if end < 0:
            break
        yield text[place : match.start()], ""
        yield text[match.end() : end], match[1]
        place = end + len(match[1]) + 3
    yield text[place:], ""


def _fenced(text: str, speaker: str) -> Iterator[TextPiece]:
    place, opened = 0, None
    for match in _FENCE.finditer(text) if "```" in text or "~~~" in text else ():
        inside = text[place : max(place, match.start() - 1)]
        yield from _fence(inside, opened, speaker) if opened is not None else [_speech(inside, speaker)]
        opened = match[1] if opened is None else None
        place = min(match.end() + 1, len(text))
    rest = text[place:]
    yield from _fence(rest, opened, speaker) if opened is not None else [_speech(rest, speaker)]


def _speech(text: str, speaker: str) -> TextPiece:
    if is_diff(text):
        return TextPiece(read_diff(text), 0, Form.DIFF, speaker)
    return TextPiece(text, 0, Form.SPEECH, speaker)


def _fence(text: str, language: str, speaker: str) -> Iterator[TextPiece]:
    plain = plain_text(text)
    if language == "diff" or is_diff(plain):
        yield TextPiece(read_diff(plain), 0, Form.DIFF, speaker, language)
    else:
        yield TextPiece(plain, 0, Form.DATA, speaker, language or "fence")


def _calls(value: object) -> Iterator[TextPiece]:
    for call in read_calls(value):
        yield from _arguments(call.name, call.arguments, 0)


def _arguments(tool: str, given: object, depth: int) -> Iterator[TextPiece]:
    """Each string of a call's arguments under its key, at any depth."""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            given = {"": given}
    waiting: list[tuple[str, object]] = [("", given)]
    while waiting:
        key, value = waiting.pop()
        if isinstance(value, Mapping):
            waiting.extend((str(one), inner) for one, inner in reversed(list(value.items())))
        elif isinstance(value, list | tuple):
            if key in ("command", "cmd") and all(isinstance(one, str) for one in value):
                waiting.append((key, _command_line(value)))
            else:
                waiting.extend((key, one) for one in reversed(value))
        elif isinstance(value, str):
            yield _argument(tool, key, value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield TextPiece(f"{key}: {value}", 0, Form.ARGUMENT, Role.ASSISTANT, key, tool)


def _command_line(words: Sequence[str]) -> str:
    """`bash -lc SCRIPT` is the script; other lists of words are one line."""
    if len(words) == 3 and words[1] in ("-c", "-lc"):
        return words[2]
    return " ".join(words)


def _argument(tool: str, key: str, value: str) -> TextPiece:
    plain = plain_text(value)
    if is_diff(plain):
        return TextPiece(read_diff(plain), 0, Form.DIFF, Role.ASSISTANT, key, tool)
    return TextPiece(plain, 0, Form.ARGUMENT, Role.ASSISTANT, key, tool)
