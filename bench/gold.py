"""The labelled set of facts: texts as agents store them, and what a careful reader wants to keep of each.

One file a text, `tests/gold/<nn>_<slug>.toml`; `tests/gold/README.md` says what a label means.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent.parent / "tests" / "gold"
LINE_KINDS: Final = frozenset(
    {"constraint", "request", "decision", "error", "question", "todo", "next_step", "command"}
)
"""Their value is a sentence or a line."""
KINDS: Final = LINE_KINDS | frozenset(
    {"test_result", "file_changed", "file_read", "config", "port", "host", "ip", "url", "email", "id", "hash"}
    | {"branch", "version", "image", "money", "percentage", "number", "duration", "date", "time"}
    | {"identifier", "name", "path"}
)
_FIELDS: Final = {"source", "language", "message", "json", "labels", "allowed"}
_LABEL_FIELDS: Final = {"kind", "kinds", "value", "also", "key"}
_NUMBERED: Final = re.compile(r"^ *\d+(?:→|\||\t)", re.MULTILINE)
_COLOUR: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class GoldError(Exception):
    """A file of the set cannot be read; the text names the file and what is wrong."""


@dataclass(frozen=True, slots=True)
class Label:
    """A fact that should be found: under any of *kinds*, as any of *values* (the first is shown)."""

    kinds: tuple[str, ...]
    values: tuple[str, ...]
    key: str = ""


@dataclass(frozen=True, slots=True)
class GoldText:
    """A message with its labels; what is *allowed* may be found and need not be."""

    name: str
    source: str
    language: str
    message: Mapping[str, Any]
    labels: tuple[Label, ...]
    allowed: tuple[str, ...] = ()


def load_gold(folder: Path) -> tuple[GoldText, ...]:
    """Return the texts of a folder by name, or raise GoldError."""
    paths = sorted(folder.glob("*.toml"))
    if not paths:
        raise GoldError(f"{folder}: no labelled text (*.toml) there")
    return tuple(_load_text(path) for path in paths)


def _load_text(path: Path) -> GoldText:
    try:
        return _read_text(path.stem, tomllib.loads(path.read_text("utf-8")))
    except (ValueError, KeyError, TypeError) as error:
        reason = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise GoldError(f"{path}: {reason}") from error


def _read_text(name: str, fields: Mapping[str, Any]) -> GoldText:
    _refuse_unknown(fields, _FIELDS)
    message = json.loads(fields["json"]) if "json" in fields else fields["message"]
    if not isinstance(message, dict):
        raise ValueError(f"the message is {type(message).__name__}, not an object")
    labels = tuple(_read_label(number, one) for number, one in enumerate(fields["labels"], 1))
    return GoldText(
        name, fields["source"], fields["language"], message, labels, tuple(fields.get("allowed", ()))
    )


def _read_label(number: int, fields: Mapping[str, Any]) -> Label:
    _refuse_unknown(fields, _LABEL_FIELDS)
    kinds = tuple(fields.get("kinds") or (fields["kind"],))
    unknown = sorted(set(kinds) - KINDS)
    if unknown:
        raise ValueError(f"label {number}: unknown kind {', '.join(unknown)}")
    values = (fields["value"], *fields.get("also", ()))
    empty = [one for one in values if not isinstance(one, str) or not one.strip()]
    if empty:
        raise ValueError(f"label {number}: {empty[0]!r} is no text to look for")
    return Label(kinds, values, fields.get("key", ""))


def _refuse_unknown(fields: Mapping[str, Any], known: set[str]) -> None:
    unknown = sorted(set(fields) - known)
    if unknown:
        raise ValueError(f"unknown field {', '.join(unknown)}")


def plain_text(message: Mapping[str, Any]) -> str:
    """Return all a message says: JSON strings decoded, line numbers and colours taken off.

    Made apart from the package's own reading, so that the set can be checked without it.
    """
    spoken = _spoken(message)
    return "\n".join(_NUMBERED.sub("", _COLOUR.sub("", one)) for part in spoken for one in _strings(part))


def _spoken(message: Mapping[str, Any]) -> Iterator[object]:
    """Yield what a message holds beside its roles, types and ids."""
    content = message.get("content")
    for block in content if isinstance(content, list) else [{"text": content}]:
        yield from (block[name] for name in ("text", "input", "content") if name in block)
    for call in message.get("tool_calls", ()):
        yield call["function"]["arguments"]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        inner = _parsed(value)
        if inner is None:
            yield value
        else:
            yield from _strings(inner)
    elif isinstance(value, dict):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)


def _parsed(text: str) -> dict[str, Any] | list[Any] | None:
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict | list) else None
