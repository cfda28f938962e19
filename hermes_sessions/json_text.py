"""JSON in stored text: read where it is valid, its escapes read, and written for people while readable."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from hermes_sessions.late_patterns import late_pattern

MAX_DEPTH: Final = 40
"""Each line is indented by its depth, so what is nested deep grows with the square of its length."""
_DOCUMENT = late_pattern(r"\s*[\[{]")
_ESCAPES = late_pattern(r'\\["\\/bfnrt]|(?:\\u[0-9a-fA-F]{4})+')
_READ: Final[Mapping[str, str]] = {
    '"': '"', "\\": "\\", "/": "/", "b": " ", "f": "\n", "n": "\n", "r": "\n", "t": "\t",
}  # fmt: skip


INVALID: Final = object()


def parsed_json(text: str, otherwise: Any = None) -> Any:
    """Return the value of JSON text; *otherwise* where it is not valid or is nested too deep to read."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return otherwise


def is_json(text: str) -> bool:
    """Return whether a text is valid JSON."""
    return parsed_json(text, INVALID) is not INVALID


def dump_json(value: Any) -> str:
    """Return *value* as JSON that any engine can store, lone surrogates escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"))
    return text


def pretty_json(value: Any, text: str) -> str:
    """Return a value that was read from *text* over several lines; *text* where it is nested too deep."""
    return text if _is_deep(value) else json.dumps(value, indent=2, ensure_ascii=False)


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [inner for one in level for inner in _inside(one)]
        if not level:
            return False
    return True


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def without_escapes(text: str) -> str:
    """Return a JSON document with the escapes of its strings read; any other text as it is.

    In `{"output": "a\\nb"}` the word after the break is `b`, not `nb`; `\\u4e2d` is a character. What
    comes out is for reading and searching, no longer JSON; it may be cut off anywhere.
    """
    if not _DOCUMENT.match(text):
        return text
    if "\\" not in text:
        return text
    nested = '{\\"' in text or '[\\"' in text  # a tool that passes on what another one said
    read = _ESCAPES.sub(_read_escapes, text)
    return _ESCAPES.sub(_read_escapes, read) if nested else read


def _read_escapes(found: re.Match[str]) -> str:
    escapes = found.group()
    if escapes[1] == "u":
        return str(json.loads(f'"{escapes}"'))
    return _READ[escapes[1]]
