"""The settings in a piece of a file: lines `key = value` and `key: value` under their sections. Pure."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from hermes_sessions.late_patterns import late_pattern

MARKED: Final = (-1, -1)
"""The span of a setting that was picked out: an edit sets it, or it is odd among others."""

COLUMN: Final = 3
"""A key that so many values of one message or one handoff have is a column of a table."""

LINE: Final = late_pattern(
    r"(?P<indent>[ \t]{0,40})(?:- )?(?:export |const |let |var |final |static )?"
    r"(?P<quote>[\"']?)(?P<key>[A-Za-z_][\w.-]{1,80})(?P=quote)"
    r"(?:[ \t]{0,20}={1,2}[ \t]{0,20}|[ \t]{0,4}:(?:[ \t]{1,20}|$))"
    r"(?P<value>\"[^\"\n]{1,120}\"|'[^'\n]{1,120}'|[^\s\"'`,;(){}\[\]<>|#]{1,120}|)"
    r"[,;]?[ \t]{0,20}(?:(?:#|//|;)[^\n]{0,200})?"
)
_SECTION: Final = late_pattern(r"[ \t]{0,8}\[{1,2}([\w. \"-]{1,80})\]{1,2}[ \t]{0,8}")
_PARENT: Final = late_pattern(
    r"(?P<indent>[ \t]{0,40})[\"']?(?P<key>[A-Za-z_][\w.-]{0,80})[\"']?[ \t]?:[ \t]?\{?[ \t]{0,8}"
)
_SCALAR: Final = late_pattern(r"-?\d[\w.%:-]{0,30}|(?:true|false|yes|no|on|off|null|none)", re.I)
_MOST_PARENTS: Final = 2
_DIGITS: Final = late_pattern(r"\d")
_LEAST_DIGITS: Final = 3
_HOST: Final = late_pattern(r"[a-z][\w-]*(?:\.[a-z][\w-]*){2,6}(?::\d{1,5})?")


class SettingLine(NamedTuple):
    """A value under its key.

    Attributes:
        key: with its section or its parents before it, dots between.
        value: without quotation marks.
        line: the line it stands in.
        plain: whether the value's text alone shows that it is one: a number, a switch, a quoted text.
    """

    key: str
    value: str
    line: str
    plain: bool


def settings_in(text: str) -> Iterator[SettingLine]:
    """Yield the settings of a piece of a file in their order."""
    section = ""
    parents: list[tuple[int, str]] = []
    for line in text.split("\n"):
        if headed := _SECTION.fullmatch(line):
            section, parents = headed[1], []
            continue
        opened, match = _PARENT.fullmatch(line), LINE.fullmatch(line)
        found = opened or match
        if found is None:
            continue
        depth = len(found["indent"].expandtabs(4))
        while parents and parents[-1][0] >= depth:
            parents.pop()
        if opened is not None:
            parents = [*parents[-_MOST_PARENTS:], (depth, opened["key"])]
        elif value := found["value"].strip("\"'"):
            above = [section] if section else [key for _, key in parents]
            plain = found["value"] != value or _SCALAR.fullmatch(value) is not None
            yield SettingLine(".".join([*above, found["key"]]), value, line.strip(), plain)


def tells(value: str) -> bool:
    """Return whether a value has so much in it that nobody guesses it."""
    if len(value) > 80 or value.startswith(("/", "./", "~")):
        return False
    return len(_DIGITS.findall(value)) >= _LEAST_DIGITS or _HOST.fullmatch(value) is not None
