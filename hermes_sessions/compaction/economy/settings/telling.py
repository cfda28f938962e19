"""The odd value among the settings, fields or rows that a tool put out. Pure.

Most of a file of settings is switches, paths and small numbers. A value with more in it, an address, a time,
a number of several digits, that hardly another one of the file is like, cannot be guessed: it is asked for.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from hermes_sessions.compaction.economy.settings.reading import (
    COLUMN,
    MARKED,
    SettingLine,
    settings_in,
    tells,
)
from hermes_sessions.facts.json_text import json_texts
from hermes_sessions.facts.unwrap import Form, Unwrapped
from hermes_sessions.facts.values import Fact, FactKind, weigh
from hermes_sessions.late_patterns import late_pattern

_LEAST: Final = 3
_MOST: Final = 2
_SHARE: Final = 3
"""So few settings show nothing; so many of all, one in so many, may be odd."""

_MOST_CHARS: Final = 8_000
_LEAST_LINES_SHARE: Final = 0.5
"""How many of the lines have to be settings: in a source they are a few among others."""

_COUNTS_ITSELF: Final = late_pattern(
    r"(?i)(?:.*[_.])?(?:ms|took|elapsed|duration|lines?|size|bytes(?:_\w+)?|count|total(?:_\w+)?|chars|pid|seq|offset"
    r"|exit_?code|status|code|timestamp|\w+_at|mtime|uid|gid|mode|version)"
)
"""What an answer says of itself."""

_CELLS: Final = late_pattern(r"[|;\t]")
_ELEMENT: Final = late_pattern(
    r"[ \t]{0,40}<(?P<tag>[A-Za-z][\w.:-]{0,60})(?: (?:name|key|id)=\"(?P<name>[^\"\n]{1,80})\")?"
    r"(?:>(?P<text>[^<>\n]{1,120})</[^<>\n]{1,80}>| value=\"(?P<value>[^\"\n]{1,120})\" ?/>)[ \t]{0,8}"
)
_NAMING: Final = late_pattern(r"(?i)(?:name|item|key|title|label|setting|field|property|service|host|option)")
_MOST_FIELDS: Final = 8
"""A record with more fields is a file of its own."""

_NAME: Final = late_pattern(r"[^\W\d_][\w .-]{1,60}")


def telling_settings(unwrapped: Unwrapped) -> Iterator[Fact]:
    """Yield the odd values in a tool's output, each under its key; their span is `MARKED`."""
    for piece in unwrapped.pieces:
        if piece.form is not Form.DATA or len(piece.text) > _MOST_CHARS:
            continue
        rows = _rows(piece.text)
        values = Counter(one.key for one in rows)
        odd = [
            one
            for one in rows
            if tells(one.value) and not _COUNTS_ITSELF.fullmatch(one.key) and values[one.key] < COLUMN
        ]
        if len(rows) >= _LEAST and 0 < len(odd) <= max(_MOST, len(rows) // _SHARE):
            weight = weigh(FactKind.CONFIG, piece.speaker)
            for key, value, line, _ in odd:
                yield Fact(FactKind.CONFIG, key, value, line, piece.speaker, weight, MARKED)


def _rows(text: str) -> list[SettingLine]:
    """Return keys and values of a text that is made of them; [] for any other."""
    if text.lstrip()[:1] in ("{", "["):  # read with the numbers of its lines
        text = "\n".join(part.text for part in json_texts(text))
    lines = sum(bool(line.strip()) for line in text.split("\n"))
    found = _named(list(settings_in(text))) or list(_elements(text)) or list(_cells(text))
    return found if len(found) >= lines * _LEAST_LINES_SHARE else []


def _named(rows: list[SettingLine]) -> list[SettingLine]:
    """Return *rows*, those of a record under the name that one of them gives it."""
    name = next((row.value for row in rows if _NAMING.fullmatch(row.key)), "")
    if not _NAME.fullmatch(name) or len(rows) > _MOST_FIELDS:
        return rows
    return [row if row.value == name else row._replace(key=f"{name}.{row.key}") for row in rows]


def _elements(text: str) -> Iterator[SettingLine]:
    """Yield what the elements of a file of XML hold, each a line."""
    for line in text.split("\n") if "</" in text or "/>" in text else ():
        if found := _ELEMENT.fullmatch(line):
            yield SettingLine(
                found["name"] or found["tag"], found["text"] or found["value"], line.strip(), True
            )


def _cells(text: str) -> Iterator[SettingLine]:
    """Yield what stands in the first column of a table with what stands beside it."""
    for line in text.split("\n"):
        bare = line.strip().strip("|")
        cells = [cell.strip() for cell in _CELLS.split(bare)]
        if len(cells) == 1 and ", " not in bare:
            cells = bare.split(",")
        if len(cells) > 1 and _NAME.fullmatch(cells[0]):
            value = next((cell for cell in cells[1:] if tells(cell)), cells[1])
            yield SettingLine(cells[0], value, line.strip(), plain=True)
