"""Ids in URLs (any text survives, and the common ids stay readable), and paths that are ours.

Session ids are free text. One that a path segment cannot carry unchanged is written
as `~` and its UTF-8 in URL-safe base64.
"""

import base64
import binascii
import re
from urllib.parse import urlsplit

from werkzeug.routing import BaseConverter, ValidationError

_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:@-]*")


def encode_id(public_id: str) -> str:
    """Return *public_id* as one path segment."""
    if _PLAIN.fullmatch(public_id):
        return public_id
    packed = base64.urlsafe_b64encode(public_id.encode("utf-8", "surrogatepass"))
    return "~" + packed.decode("ascii").rstrip("=")


def decode_id(segment: str) -> str:
    """Return the id that *segment* stands for.

    Raises:
        ValueError: the segment begins with `~` and is not one of ours.
    """
    if not segment.startswith("~"):
        return segment
    packed = segment[1:]
    try:
        raw = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        return raw.decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        raise ValueError("not an encoded id") from None


class IdConverter(BaseConverter):
    """Flask converter `<sid:...>` for session and conversation ids."""

    regex = r"[^/]{1,2000}"
    part_isolating = True

    def to_python(self, value: str) -> str:
        """Decode a path segment; an unknown form is a 404."""
        try:
            return decode_id(value)
        except ValueError:
            raise ValidationError from None

    def to_url(self, value: str) -> str:
        """Encode an id; everything it returns is a plain path segment."""
        return encode_id(value)


def own_path(target: str | None) -> str:
    """Return *target* when it is a path of ours, else the list: no open redirect."""
    if not target or not target.startswith("/"):
        return "/"
    # Browsers read a backslash as a slash and skip control characters.
    if any(ord(mark) < 33 or mark == "\\" for mark in target):
        return "/"
    parts = urlsplit(target)
    return "/" if parts.scheme or parts.netloc else target
