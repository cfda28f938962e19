"""Ids in URLs (any text survives, and the common ids stay readable), and paths that are ours.

Session ids are free text. One that a path segment cannot carry unchanged is written
as `~` and its UTF-8 in URL-safe base64.
"""

import base64
import binascii
from urllib.parse import unquote

from flask import request
from werkzeug.routing import BaseConverter, ValidationError

from hermes_sessions.late_patterns import late_pattern

STORES = "/s/"
"""What the addresses of all stores of a fleet begin with; the store's name follows."""
SITE_ROOT = "hermes_sessions.site_root"
"""Where a request says what lies above a store's own pages."""
_OWN = late_pattern(r"/(?:[A-Za-z0-9_.:@~-]+(?:/[A-Za-z0-9_.:@~-]+)*/?)?(?:\?[!-\[\]-~]*)?")
_MAX_CHARS = 4_096
_DOTS = {".", ".."}
_CONTROL = late_pattern(r"[\x00-\x1f\x7f]")
_PLAIN = late_pattern(r"[A-Za-z0-9_][A-Za-z0-9_.:@-]*")


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


def site_root() -> str:
    """Return the path that all pages of this viewer begin with; a store of a fleet is below it."""
    root: str = request.environ.get(SITE_ROOT, request.script_root)
    return root + "/"


def full_path() -> str:
    """Return the path and query of the request below the site's root, whichever application answers it."""
    above = request.script_root.removeprefix(site_root().removesuffix("/"))
    return above + request.full_path


def path_below_store() -> str | None:
    """Return the path behind a store's name, whether there is such a store or not; None elsewhere."""
    path = full_path().partition("?")[0]
    if not path.startswith(STORES):
        return None
    return "/" + path.removeprefix(STORES).partition("/")[2]


def path_of_page() -> str:
    """Return the path of what is asked for: behind its store's name, where the address has one."""
    return path_below_store() or request.path


def own_path(target: str | None) -> str:
    """Return *target* when it is a path of ours, else the list: no open redirect.

    What a path of ours may hold is listed, not what is dangerous: its segments are
    routes and ids as `encode_id` writes them. So there is nothing that a proxy, a
    browser or our own code could later read as another host: no empty segment, no `.`
    or `..`, no backslash, nothing percent-encoded, nothing but ASCII. The query may
    hold anything that is no control character, also behind its encoding.
    """
    if not target or len(target) > _MAX_CHARS or not _OWN.fullmatch(target):
        return "/"
    path, _, query = target.partition("?")
    if _DOTS & set(path.split("/")) or _CONTROL.search(_decoded(query)):
        return "/"
    return target


def _decoded(query: str) -> str:
    """Return *query* without any layer of percent-encoding; a byte that is no text counts as a character."""
    while (plain := unquote(query, "latin-1")) != query:
        query = plain
    return query
