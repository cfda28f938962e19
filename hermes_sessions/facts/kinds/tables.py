"""Numbers in the columns of a table, each with its heading: CSV, output of SQL, Markdown."""

from collections.abc import Iterator
from typing import Final

from hermes_sessions.facts.page import Mark, TextPage
from hermes_sessions.late_patterns import late_pattern

_RULE = late_pattern(r"^[ \t|:+-]{0,4}-{3,}[ \t|:+-]*$")
_NUMBER = late_pattern(r"-?\d{1,15}(?:[.,]\d{1,9})?")
_FLAG = late_pattern(r"[ \t|]{0,6}`?(--[\w-]{2,40})")
_HEADER = late_pattern(r"[A-Za-z_][\w .()%-]{0,40}")
_MAX_ROWS: Final = 200
_DULL: Final = frozenset("no # line row index rank".split())
_IDS: Final = frozenset("id key ref number nr".split())


def table_marks(page: TextPage) -> Iterator[Mark]:
    """Yield the numbers of tables under the names of their columns."""
    if page.looks in ("code", "log", "yaml", "ini", "fields"):
        return
    text = page.text
    if ("---" in text and "|" in text) or "-+-" in text:
        yield from _ruled(text)
    elif not page.is_speech and text.count(",") >= 4:
        yield from _separated(text)


def _ruled(text: str) -> Iterator[Mark]:
    """Tables with a line of dashes below their headings."""
    headings: list[str] = []
    before, place = "", 0
    for line in text.split("\n"):
        if "-" in line and "|" in line + before and _RULE.match(line[:400]):
            headings = [one.strip(" *") for one in before.strip(" |").split("|")]
        elif headings and "|" in line and len(line) < 2_000:
            yield from _row(line, place, "|", headings)
        else:
            headings = []
        before, place = line[:1_000], place + len(line) + 1


def _separated(text: str) -> Iterator[Mark]:
    """CSV: a first line of names, and the same number of commas in all that follow."""
    lines = [line for line in text.strip("\n").split("\n", _MAX_ROWS + 1)[: _MAX_ROWS + 1] if line]
    headings = lines[0].split(",") if lines else []
    if len(headings) < 2 or len(lines) < 2 or not all(_HEADER.fullmatch(one.strip()) for one in headings):
        return
    if sum(line.count(",") == len(headings) - 1 for line in lines) < len(lines) * 0.8:
        return
    place = len(text) - len(text.lstrip("\n"))
    for index, line in enumerate(text.strip("\n").split("\n", _MAX_ROWS + 1)[: _MAX_ROWS + 1]):
        if index and line.count(",") == len(headings) - 1:
            yield from _row(line, place, ",", [one.strip() for one in headings])
        place += len(line) + 1


def _row(line: str, place: int, sign: str, headings: list[str]) -> Iterator[Mark]:
    start = len(line) - len(line.lstrip(" |")) if sign == "|" and line.lstrip().startswith("|") else 0
    for cell, heading in zip(line[start:].split(sign), headings, strict=False):
        value = cell.strip()
        if (
            _NUMBER.fullmatch(value)
            and heading.lower() not in _DULL
            and (heading.lower() not in _IDS or len(value) >= 4)
        ):
            first = place + start + cell.find(value)
            flag = _FLAG.match(line)
            kind = (
                _kind(heading.lower(), value) if flag is None else ("port" if "port" in flag[1] else "config")
            )
            yield Mark(kind, first, first + len(value), heading if flag is None else flag[1])
        start += len(cell) + 1


def _kind(heading: str, value: str) -> str:
    return "id" if (heading.endswith(("_id", " id")) or heading in _IDS) and value.isdigit() else "number"
