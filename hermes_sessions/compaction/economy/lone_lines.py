"""The odd line out: what stands once among the rows of a listing, a log or a table. Pure."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

_LEAST_LINES: Final = 8
_ROWS: Final = 3
_ROWS_SHARE: Final = 0.7
"""So much of a text has to be rows, each form at least so often, before a line can stand out."""

_MOST: Final = 4
_LEAST_CHARS: Final = 8
_MOST_CHARS: Final = 200
_KEYED = re.compile(r"\W{0,8}([^\W\d][\w.-]{0,60})\"?\s{0,4}[:=]\s")
_WORD = re.compile(r"[\w./@-]+")
_LEAST_WORDS: Final = 2


def form_of(line: str) -> str:
    """Return what lines of one kind have in common: their key, else what is not words."""
    keyed = _KEYED.match(line)
    return keyed[1] if keyed else " ".join(_WORD.sub("w", line).split())


def lone_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield place and text of the few lines in a form of their own, where nearly all others are rows."""
    lines = text.split("\n")
    if len(lines) < _LEAST_LINES:
        return
    forms = [form_of(line) if line.strip() else "" for line in lines]
    often = Counter(form for form in forms if form)
    rows = sum(count for count in often.values() if count >= _ROWS)
    odd = sum(count == 1 for count in often.values())
    if not 0 < odd <= _MOST or rows < _ROWS_SHARE * sum(often.values()):
        return
    place = 0
    for line, form in zip(lines, forms, strict=True):
        said = line.strip()
        fits = _LEAST_CHARS <= len(said) <= _MOST_CHARS
        if often[form] == 1 and fits and len(_WORD.findall(said)) >= _LEAST_WORDS:
            yield place + len(line) - len(line.lstrip()), said
        place += len(line) + 1
