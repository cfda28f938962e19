"""The texts in a tool's JSON: `{"output": "a\\nb", "exit_code": 1}` reads as lines.

A string under a key that holds text is a text of its own; every other value is a line
`key: value`. Several documents in one text are read one after the other. Text that only
looks like JSON, or is cut off, is given back with its escapes undone.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from hermes_sessions.late_patterns import late_pattern

_TEXT_KEYS: Final = frozenset(
    "output content stdout stderr result results message text body data html markdown diff log logs snippet"
    " description summary answer response value details note notes preview transcript reply".split()
)
_DEEPEST: Final = 4
_MAX_TEXTS: Final = 40
"""Of a list of rows, further texts of one line are fields."""
_LEVELS: Final = 40
_DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)
_OPENING = late_pattern(r'[{\[]\s{0,40}(?:["{\[\]}0-9tfn-])')
_ESCAPES: Final = (("\\n", "\n"), ("\\t", "\t"), ('\\"', '"'), ("\\r", ""))


class JsonText(NamedTuple):
    """A text out of JSON; `fields` says that it is made of lines `key: value`."""

    text: str
    fields: bool = False


def json_texts(text: str, depth: int = 0) -> Iterator[JsonText]:
    """Yield the texts in *text*: itself, where it holds no JSON document.

    Linear: a text that does not parse as a whole is tried once for each document in
    it, each beginning where the last one ended.
    """
    stripped = text.lstrip()
    if depth >= _DEEPEST or not _OPENING.match(stripped):
        yield from _after_words(text, depth)
        return
    place, failed = 0, False
    while place < len(stripped) and not failed:
        try:
            document, end = _DECODER.raw_decode(stripped, place)
        except (ValueError, RecursionError):
            failed = True
        else:
            yield from _document_texts(document, depth)
            place = _past_blanks(stripped, end)
            failed = place < len(stripped) and stripped[place] not in "{["
    if failed:
        rest = stripped[place:]
        yield JsonText(_unescaped(rest) if place == 0 else rest)


def _after_words(text: str, depth: int) -> Iterator[JsonText]:
    """A document that stands after a line or two of words, as in `Result:` and JSON below it."""
    place = text.find("\n{")
    if depth >= _DEEPEST or place < 0 or place > 400 or not _OPENING.match(text, place + 1):
        yield JsonText(text)
        return
    try:
        document, end = _DECODER.raw_decode(text, place + 1)
    except (ValueError, RecursionError):
        yield JsonText(text)
        return
    if not isinstance(document, Mapping) or not _TEXT_KEYS.intersection(document):
        yield JsonText(text)
        return
    yield JsonText(text[:place])
    yield from _document_texts(document, depth)
    if text[end:].strip():
        yield JsonText(text[end:])


def _past_blanks(text: str, place: int) -> int:
    while place < len(text) and text[place] in " \t\r\n,":
        place += 1
    return place


def _unescaped(text: str) -> str:
    if "\\n" in text:
        for written, meant in _ESCAPES:
            text = text.replace(written, meant)
    return text


def _document_texts(document: Any, depth: int) -> Iterator[JsonText]:
    lines: list[str] = []
    texts = 0
    for path, value in _leaves(document):
        key = path.rpartition(".")[2]
        if isinstance(value, str) and (
            "\n" in value or (key in _TEXT_KEYS and " " in value and texts < _MAX_TEXTS)
        ):
            texts += 1
            if lines:
                yield JsonText("\n".join(lines), fields=True)
                lines = []
            if key.lower() in ("error", "stderr") and "\n" not in value:
                value = f"{key}: {value}"
            yield from json_texts(value, depth + 1)
        elif path:
            lines.append(f"{path}: {value}")
        else:
            lines.append(str(value))
    if lines:
        yield JsonText("\n".join(lines), fields=True)


def _leaves(document: Any) -> Iterator[tuple[str, Any]]:
    """Yield each scalar with its last two keys; null and empty strings are left out."""
    waiting: list[tuple[str, Any, int]] = [("", document, 0)]
    while waiting:
        path, value, level = waiting.pop()
        if isinstance(value, dict) and level < _LEVELS:
            parent = path.rpartition(".")[2]
            under = f"{parent}." if parent and parent not in _TEXT_KEYS else ""
            waiting.extend((under + key, inner, level + 1) for key, inner in reversed(value.items()))
        elif isinstance(value, list) and level < _LEVELS:
            if value and all(isinstance(one, str) and len(one) < 60 for one in value):
                yield path, ", ".join(value)
            else:
                waiting.extend((path, inner, level + 1) for inner in reversed(value))
        elif isinstance(value, bool):
            yield path, "true" if value else "false"
        elif value is not None and value != "":
            yield path, value
