"""Rows that programs print by themselves: access logs, debug lines, the progress of a build. Pure.

What stands in such a row says little, whoever sends it: a user who pastes a log says none of its rows.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from hermes_sessions.compaction.economy.fact_lines import STATEMENT, WHOLE_KINDS, FactLine
from hermes_sessions.facts.values import FactKind, weigh
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

ROWS: Final = 4
"""So many lines of one shape in one output are rows of a table or a log, none of which stands out."""
_STAMPED_ROWS: Final = 2
"""The same for lines that begin with a time, as those of a log do."""
_STAMPED = late_pattern(r"\W?w[-/.]w[-/.]w\W{0,2}w:w:w|\W?w w w:w:w|\W?w:w:w")
_KEYED: Final = late_pattern(r"\S+ = ")
_KEY_AND_VALUE: Final = "="
_PROGRESS_LOSS: Final = 2.0
_PASTED_LOSS: Final = 3.0
"""Of a row of a log that a user pasted, which is a tool's row: besides what a tool's words weigh less."""

_LOGGED: Final = late_pattern(
    r"\W{0,3}(?:\d{4}-\d\d-\d\d[T ]\d\d:|\d\d:\d\d:\d\d\b|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d"
    r"|\d{1,3}(?:\.\d{1,3}){3} \S{1,40} \S{1,40} \["
    r"|(?:DEBUG|INFO|TRACE)\b)"
)
_PROGRESS: Final = late_pattern(
    r"\s{0,12}(?:\[ {0,3}\d{1,6}/\d{1,6}\]|\[ {0,2}\d{1,3}%\]|\(\d{1,6}/\d{1,6}\)"
    r"|Compiling \S|Downloading \S|Downloaded \S|Collecting \S|Fetching \S|Unpacking \S"
    r"|Requirement already satisfied|Using cached \S"
    r"|Get:\d|Setting up \S|Selecting previously|Preparing to unpack)"
)
_SEPARATED: Final = late_pattern(r"(?:[^;|\t]*[;|\t]){3}|(?:[^\s,]+,){3}[^\s,]")
_WORD: Final = late_pattern(r"\w+")
_PROSE: Final = late_pattern(r"[^\W\d_][^{}();=<>|\\]*[.!。！]")
_ODD: Final = late_pattern(
    r"(?i)fail|error|warn|fatal|critical|panic|refused|denied|timed? ?out|exception|\b[45]\d\d\b"
)


def loss_of_row(line: FactLine) -> float:
    """Return what it takes from a value that it stands in a printed row, unless that is odd."""
    if line.kind in WHOLE_KINDS or line.kind == FactKind.TEST_RESULT:
        return 0.0
    if line.speaker not in (Role.USER, Role.TOOL):
        return 0.0
    rows = (line.text, *(fact.text for fact in line.slots[:1]))
    if line.speaker == Role.TOOL:
        return _PROGRESS_LOSS if any(map(is_progress, rows)) else 0.0
    if not any(is_progress(row) or is_logged(row) for row in rows):
        return 0.0
    return _PASTED_LOSS + weigh(line.kind, Role.USER) - weigh(line.kind, Role.TOOL)


@lru_cache(maxsize=65_536)
def is_progress(row: str) -> bool:
    """Return whether a row counts or names what a build or an installation is at, without trouble."""
    return _PROGRESS.match(row) is not None and _ODD.search(row) is None


@lru_cache(maxsize=65_536)
def is_logged(row: str) -> bool:
    """Return whether a row is one of a log, without trouble."""
    return _LOGGED.match(row) is not None and _ODD.search(row) is None


@lru_cache(maxsize=65_536)
def is_separated(row: str) -> bool:
    """Return whether a line looks like a row of a table, which many send that is none of their words."""
    return _SEPARATED.match(row) is not None


@lru_cache(maxsize=65_536)
def shape_of(text: str) -> str:
    """Return what rows of one shape have in common: their key, else all that is no word."""
    key, equals, _ = text.partition(" = ")
    if equals and " " not in key:
        return key
    return " ".join(_WORD.sub("w", text).split())


@lru_cache(maxsize=65_536)
def reads_as_prose(text: str) -> bool:
    """Return whether a line is a sentence and no row."""
    return _PROSE.fullmatch(text.strip()) is not None


def is_prose(line: FactLine) -> bool:
    """Return whether a line, or the one that its value stands in, is a sentence."""
    if line.kind == STATEMENT or any(fact.kind == STATEMENT for fact in line.slots):
        return True
    return reads_as_prose(line.text) or any(map(reads_as_prose, {fact.text for fact in line.slots}))


def rows_among(messages: Sequence[Sequence[FactLine]]) -> frozenset[tuple[int, str]]:
    """Return (message, shape) of lines that are rows of a table, a log; -1 for an earlier handoff."""
    counts = Counter(
        (line.at, shape)
        for lines in messages
        for line in lines
        for shape in shapes_of(line)
        if (line.at >= 0 and is_separated(line.text))
        or (line.speaker == Role.TOOL and (line.at >= 0 or not is_prose(line)))
    )
    return frozenset(
        key for key, count in counts.items() if count >= (_STAMPED_ROWS if _STAMPED.match(key[1]) else ROWS)
    )


def shapes_of(line: FactLine) -> tuple[str, ...]:
    """Return the shape of a line, and besides that of a key with its value where it is one."""
    keyed = line.speaker == Role.TOOL and _KEYED.match(line.text) is not None
    return (shape_of(line.text), _KEY_AND_VALUE) if keyed else (shape_of(line.text),)
