"""A file that is one JSON value, rewritten whole: its items, one at a time. Names no agent."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from hermes_sessions.agents.json_lines.lines import FileLine
from hermes_sessions.errors import SourceError

LARGEST: Final = 128_000_000
"""Bytes of a file that is still read."""
_OBJECT: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_LIST: Final = msgspec.json.Decoder(list[msgspec.Raw])
_DECODER: Final = msgspec.json.Decoder()


class UnfinishedError(SourceError):
    """A file ends before its JSON does: it is being written, as a rule."""


class JsonDocument(NamedTuple):
    """What a file holds.

    Attributes:
        head: the members of its object without the items.
        items: the items, as lines whose offset is their number.
    """

    head: Mapping[str, Any]
    items: Sequence[FileLine]


def read_document(path: Path, member: str | None = None) -> JsonDocument:
    """Return the items of a file: of the list that it is, or of the list that *member* of its object is.

    Raises:
        OSError: the file cannot be read.
        SourceError: it is not such JSON, or not yet; the text says why.
    """
    with path.open("rb") as file:
        raw = file.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise SourceError(f"longer than {LARGEST:,} bytes, which are read")
    if not raw.strip(b"\0 \t\r\n"):
        raise SourceError("empty")
    try:
        return _exact(raw, member)
    except msgspec.ValidationError:
        raise SourceError(_wanted(member)) from None
    except (
        ValueError,
        RecursionError,
    ) as error:  # half characters, bytes that are no text, or no JSON at all
        return _replaced(raw, member, cut="truncated" in str(error))


def _exact(raw: bytes, member: str | None) -> JsonDocument:
    if member is None:
        return JsonDocument({}, _lines([bytes(one) for one in _LIST.decode(raw)]))
    members = _OBJECT.decode(raw)
    items = _LIST.decode(members.pop(member, msgspec.Raw(b"[]")))
    head = {name: _DECODER.decode(one) for name, one in members.items()}
    return JsonDocument(head, _lines([bytes(one) for one in items]))


def _replaced(raw: bytes, member: str | None, *, cut: bool) -> JsonDocument:
    try:
        value = json.loads(raw.decode("utf-8", "replace"))
        found = value if member is None else value.pop(member, []) if isinstance(value, dict) else None
        if not isinstance(found, list):
            raise SourceError(_wanted(member))
        items = [json.dumps(one).encode("ascii") for one in found]
    except RecursionError:
        raise SourceError("nested too deeply") from None
    except ValueError:
        raise (UnfinishedError("JSON that is cut off") if cut else SourceError("not JSON")) from None
    return JsonDocument(value if member is not None else {}, _lines(items))


def _lines(items: Sequence[bytes]) -> list[FileLine]:
    return [FileLine(at, at + 1, item) for at, item in enumerate(items)]


def _wanted(member: str | None) -> str:
    return "not a list" if member is None else f"not an object with a list {member!r}"
