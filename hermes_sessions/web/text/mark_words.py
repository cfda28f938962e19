"""Mark what was looked for in HTML that we rendered: text between tags, never a tag. Pure."""

import re
from html import escape, unescape
from typing import Final

from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.store.language.highlight import Highlighter

_TAG = late_pattern(
    r"<(?P<close>/?)(?P<name>[a-zA-Z][\w-]*)(?P<rest>(?:[^\"'>]|\"[^\"]*\"|'[^']*')*)>|<!--.*?-->", re.S
)
_CLASS = late_pattern(r'\bclass="([^"]*)"')
_SAID: Final = frozenset({"prose", "output", "code", "raw", "tool-subject", "tool-name", "handoff-preview"})
"""Classes of the elements that hold what was said; the page's own words are not marked."""
_VOID: Final = frozenset({"br", "hr", "img", "input", "wbr", "path", "circle", "source"})


def mark_html(html: str, highlighter: Highlighter) -> str:
    """Return *html* with `<mark class="hit">` around what *highlighter* finds in what was said.

    A place that crosses a tag stays unmarked.
    """
    html = str(html)  # Markup would escape what is put into it once more
    found: list[str] = []
    at = depth = 0
    for tag in _TAG.finditer(html):
        between = html[at : tag.start()]
        found += [_mark_text(between, highlighter) if depth else between, tag.group()]
        depth = _deeper(tag, depth)
        at = tag.end()
    found.append(html[at:])
    return "".join(found)


def _deeper(tag: re.Match[str], depth: int) -> int:
    """Return how many elements are open from the one that holds what was said; 0 outside of it."""
    name = (tag["name"] or "").lower()
    if not name or name in _VOID or tag["rest"].endswith("/"):
        return depth
    if tag["close"]:
        return max(0, depth - 1)
    if depth:
        return depth + 1
    classes = _CLASS.search(tag["rest"])
    return 1 if classes and _SAID & set(classes[1].split()) else 0


def _mark_text(text: str, highlighter: Highlighter) -> str:
    if not text or text.isspace():
        return text
    pieces = highlighter.pieces(unescape(text))
    if not any(piece.marked for piece in pieces):
        return text
    return "".join(
        f'<mark class="hit">{escape(piece.text)}</mark>' if piece.marked else escape(piece.text)
        for piece in pieces
    )
