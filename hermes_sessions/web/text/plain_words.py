"""Markdown as the words a reader sees, for a line that is too short to be rendered. Pure."""

from typing import Final

from hermes_sessions.late_patterns import late_pattern

MAX_LINK: Final = 600
"""Longer addresses stay: what looks for their end takes a bounded time."""
_LINK: Final = late_pattern(rf"!?\[([^\[\]\n]{{0,{MAX_LINK}}})\]\([^()\s]{{0,{MAX_LINK}}}\)")
_LINE_START: Final = late_pattern(r"(?m)^[ \t]{0,12}(?:(?:#{1,6}|[-*+>]|\d{1,3}[.)])[ \t]+)+")
_RULE: Final = late_pattern(r"(?m)^[ \t]{0,12}(?:```[^\n`]{0,40}|[-|: \t]{3,400}|[-*_]{3,40})[ \t]{0,4}$")
_STRONG: Final = late_pattern(r"\*{2,3}|~~|`{1,3}")
_EMPHASIS: Final = late_pattern(r"(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*])")
_CELLS: Final = late_pattern(r"(?m)^[ \t]{0,12}\|[ \t]*|[ \t]*\|[ \t]*$")


def plain_words(text: str) -> str:
    """Return *text* without the marks of Markdown: headings, lists, emphasis, code, links, tables.

    Lines stay lines. A beginning or an end that was cut off anywhere is read like the rest.
    """
    text = _LINK.sub(r"\1", _RULE.sub("", text))
    text = _CELLS.sub("", _LINE_START.sub("", text))
    return _EMPHASIS.sub("", _STRONG.sub("", text))
