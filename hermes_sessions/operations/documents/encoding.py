"""One way from a document to JSON."""

import json
from typing import Any

import msgspec

from hermes_sessions.late_patterns import late_pattern

_SURROGATE = late_pattern("[\ud800-\udfff]")


def encode(document: Any) -> bytes:
    """Return a document, or plain values, as JSON in UTF-8."""
    try:
        return msgspec.json.encode(document)
    except UnicodeEncodeError:
        # Half a character, which stored JSON can spell and UTF-8 cannot.
        text = json.dumps(plain(document), ensure_ascii=False, separators=(",", ":"))
        return _SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04x}", text).encode()


def indented(document: Any) -> str:
    """Return a document as JSON for people, two spaces a level; half a character stays one."""
    return json.dumps(plain(document), ensure_ascii=False, indent=2)


def plain(document: Any) -> Any:
    """Return a document as dicts, lists, text and numbers."""
    return msgspec.to_builtins(document)
