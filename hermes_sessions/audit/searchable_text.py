"""A text that is asked for exact strings: whole words, whole facts, white space counting as one blank."""

import re
from functools import cached_property
from typing import Final

from hermes_sessions.facts import WORD_CHARS, without_escapes
from hermes_sessions.late_patterns import late_pattern

_WORD = late_pattern(rf"[{WORD_CHARS}]+")
_INSIDE_WORD = late_pattern(rf"[{WORD_CHARS}]{{2}}")
# A fact is a piece of a longer one by how the text before it ends, and by how the text behind it begins.
# A leading `./` leaves a path the same, and so does a line number behind it.
_LONGER_BEFORE: Final = {
    "number": late_pattern(r"[0-9][.,]\Z"),
    "version": late_pattern(r"[0-9]\.\Z"),
    "path": late_pattern(rf"(?:[{WORD_CHARS}~.]|[{WORD_CHARS}]-|(?<!\.)/|[{WORD_CHARS}/.~-]\./)\Z"),
}
_LONGER_BEHIND: Final = {
    "version": late_pattern(rf"\.[0-9]|[-+][{WORD_CHARS}]"),
    "path": late_pattern(rf"[{WORD_CHARS}]|/\.?\w|[.-][{WORD_CHARS}]"),
    "url": late_pattern(rf"[{WORD_CHARS}]|/\.?[\w~-]|[.?&=%-][{WORD_CHARS}]"),
}
_JSON: Final = late_pattern(r"[{\[,]\s*\"[^\"\n]{0,80}\"\s*:")
_WRITTEN_BREAK: Final = late_pattern(r"(?<!\\)\\[nrt]")
_NEAR: Final = 3
"""How many characters before a fact tell whether it is a piece of a longer one."""


class SearchableText:
    """A text that is asked for many exact strings; white space counts as one blank, colours as nothing."""

    def __init__(self, *texts: str) -> None:
        self._raw = without_escapes("\n".join(texts))

    @cached_property
    def _text(self) -> str:
        return one_line(self._raw)

    def holds(self, value: str, kind: str = "") -> bool:
        """Return whether *value* stands in the text, and not within a longer word or fact of its kind."""
        value = one_line(value.removesuffix("…"))
        # A string without blanks stands in the raw text too: no need to make one line of it.
        text = self._text if " " in value else self._raw
        at = text.find(value) if value else -1
        while at >= 0:
            end = at + len(value)
            if _stands_alone(text, at, end, kind):
                return True
            at = text.find(value, at + 1)
        return False


class IndexedText(SearchableText):
    """The same for a text that is asked for thousands of strings, most of which are not in it."""

    def __init__(self, *texts: str) -> None:
        super().__init__(*texts)
        self._words = set(_WORD.findall(self._raw))

    def holds(self, value: str, kind: str = "") -> bool:
        """Return whether *value* stands in the text; all its words must be words of the text."""
        return self._words.issuperset(_WORD.findall(value)) and super().holds(value, kind)


def without_written_breaks(text: str) -> str:
    r"""Return *text* with blanks for the `\\n` of results that it quotes as JSON; no place in it moves."""
    if "\\" not in text or '"' not in text:
        return text
    return "\n".join(
        _WRITTEN_BREAK.sub(_as_blanks, line) if quotes_json(line) else line for line in text.split("\n")
    )


def quotes_json(line: str) -> bool:
    """Return whether *line* quotes a result as JSON: no speech."""
    return _JSON.search(line) is not None


def _as_blanks(match: re.Match[str]) -> str:
    return " " * len(match.group())


def one_line(text: str) -> str:
    """Return *text* with each run of white space as one blank, none at the ends."""
    return " ".join(text.split())


def _stands_alone(text: str, start: int, end: int, kind: str) -> bool:
    """Return whether what stands from *start* to *end* is neither within a word nor within a longer fact."""
    if (start and _INSIDE_WORD.match(text, start - 1)) or _INSIDE_WORD.match(text, end - 1):
        return False
    before, behind = _LONGER_BEFORE.get(kind), _LONGER_BEHIND.get(kind)
    if before is not None and before.search(text[max(start - _NEAR, 0) : start]):
        return False
    return behind is None or behind.match(text, end) is None
