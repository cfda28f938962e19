"""The value of a setting that a handoff gives, where the last thing said of the setting gives another one.

`MODE: WARN -> BLOCK` and then `MODE is now WARN`; `leave lr at 3e-4`, and then `lr 1.5e-4` that somebody only
proposed. A setting is what has a value right behind it in the source.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.items import plain_number
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode, is_heading
from hermes_sessions.audit.relations.replacing import is_set_aside
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.facts.page import line_around
from hermes_sessions.late_patterns import late_pattern

_KEY: Final = r"(?<![\w./-])(?P<key>[A-Za-z]\w{0,40}[A-Za-z0-9])(?![\w-])"
_SIGNS: Final = r"[`'\"*]{0,3}"
_GIVES: Final = (
    r"(?:\s?(?:[:=]|:=|=>)\s?|\s(?:(?:is|are|stays?|remains?|left|set|now|at|to|as|ist|jetzt|steht|bleibt|auf|nun|est|reste"
    r"|désormais|à|es|está|queda|ahora|en|a|é|fica|agora|è|ora|resta|nu|op|jest|teraz|na|теперь|на|равно)\s){0,3})"
)
_VALUE: Final = (
    r"(?:\d(?:[\d.,]{0,12}\d)?(?:e[-+]?\d{1,2})?(?P<{0}unit>[A-Za-z%]{0,3})"
    r"(?![\w]*[/:@-]\w|\w|[.,]\d|[ \u00a0\u202f]\d{3}(?!\d))"
    r"|[Tt]rue\b|[Ff]alse\b|on\b|off\b|[A-Z][A-Z_]{2,30}(?![\w-]))"
)
_TOLD: Final = late_pattern(rf"{_KEY}{_SIGNS}{_GIVES}{_SIGNS}(?P<value>{_VALUE.replace('{0}', '')})")
_ARROW: Final = r"(?:\s?(?:->|→|⇒|=>)\s?|\s(?:to|auf|à|a|para|до|на|na|naar)\s)"
_BEHIND: Final = late_pattern(
    rf"{_SIGNS}{_GIVES}{_SIGNS}(?P<value>{_VALUE.replace('{0}', '')})"
    rf"(?:{_SIGNS}{_ARROW}{_SIGNS}(?P<new>{_VALUE.replace('{0}', 'new')}))?"
)
_MOVES: Final = late_pattern(rf"{_SIGNS}{_ARROW}")
_EXPONENT: Final = late_pattern(r"[eE][-+]?\d{1,2}$")
_NUMBER: Final = late_pattern(r"\d(?:[\d.,]*\d)?(?:e[-+]?\d{1,2})?")
_SWITCHES: Final = frozenset({"true", "false", "on", "off"})
_NEAR: Final = 80
_LINE: Final = 300
_MOST_KEYS: Final = 120


class _BoundValue(NamedTuple):
    """A value that a line gives a setting.

    Attributes:
        value: it, as it is compared.
        written: it, as it is written.
        unit: the letters behind a number.
        message: the message that has the line.
        line: the line.
        is_set: whether a sign is between the setting and it.
        former: the value that the line says it had before.
    """

    value: str
    written: str
    unit: str
    message: int
    line: str
    is_set: bool
    former: str


def last_values(claims: Sequence[Statement], texts: Sequence[tuple[int, str]]) -> Iterator[Deviation]:
    """Yield the values of settings that the last line which gives the setting a value has not.

    Args:
        claims: the sentences of the handoff.
        texts: everything that was said, called and returned, each with its message.
    """
    later = _Later(texts)
    known: dict[str, Sequence[_BoundValue]] = {}
    for claim in claims:
        if claim.mode is Mode.PLANNED or is_heading(claim.text):
            continue
        for match in _TOLD.finditer(claim.text):
            key, value = match["key"], _plain(match["value"])
            if is_set_aside(match["value"], claim.text) or _MOVES.match(claim.text, match.end()):
                continue
            if key not in known:
                if len(known) >= _MOST_KEYS:
                    return
                known[key] = [*_bound_to(key, texts)]
            last = _other_last(value, match["unit"] or "", known[key], later)
            if last is not None and last.written not in claim.text:
                yield Deviation(
                    Grade.NOT_VERBATIM, "value", match["value"], claim.text, "given-last",
                    last.written, last.line, last.message or None, key=key,
                )  # fmt: skip


def _other_last(value: str, unit: str, bound: Sequence[_BoundValue], later: "_Later") -> _BoundValue | None:
    """Return the last line that gives a setting a value of the sort, where that is another value."""
    alike = [one for one in bound if _sort(one.value) == _sort(value)]
    if not alike or not any(one.is_set for one in alike):
        return None
    last = alike[-1]
    if any(one.value == value for one in alike if one.message == last.message) or last.unit != unit:
        return None
    return None if later.has(value, last) else last


class _Later:
    """What was said after a message; its numbers are read once."""

    def __init__(self, texts: Sequence[tuple[int, str]]) -> None:
        self._texts = texts
        self._numbers: dict[int, frozenset[str]] = {}

    def has(self, value: str, last: _BoundValue) -> bool:
        """Return whether a value is in the last line itself or in a later message."""
        own = "" if last.former == value else last.line
        if _sort(value) == "word":
            return any(value.casefold() in text.casefold() for text in (own, *self._behind(last.message)))
        if last.message not in self._numbers:
            self._numbers[last.message] = frozenset().union(*map(_numbers, self._behind(last.message)))
        return value in self._numbers[last.message] or value in _numbers(own)

    def _behind(self, message: int) -> Iterator[str]:
        return (text for at, text in self._texts if at > message)


def _numbers(text: str) -> frozenset[str]:
    return frozenset(map(_plain, _NUMBER.findall(text)))


def _bound_to(key: str, texts: Sequence[tuple[int, str]]) -> Iterator[_BoundValue]:
    """Yield the values that stand right behind the name of a setting, in their order."""
    shape = re.compile(rf"(?<![\w./-]){re.escape(key)}(?![\w-])")
    for message, text in texts:
        for match in shape.finditer(text) if key in text else ():
            given = _BEHIND.match(text, match.end(), match.end() + _NEAR)
            if given is None:
                continue
            start, end = line_around(text, *match.span())
            line = text[max(start, match.start() - _LINE) : min(end, match.end() + _LINE)].strip()
            group = "new" if given["new"] else "value"
            unit = given["newunit" if given["new"] else "unit"] or ""
            is_set = text[match.end() : match.end() + 3].lstrip("`'\"* ")[:1] in (":", "=")
            former = _plain(given["value"]) if given["new"] else ""
            yield _BoundValue(_plain(given[group]), given[group], unit, message, line, is_set, former)


def _sort(value: str) -> str:
    if value[0].isdigit():
        return "number"
    return "switch" if value in _SWITCHES else "word"


def _plain(value: str) -> str:
    """Return a number as it is written shortest, anything else in small letters."""
    found = _NUMBER.match(value)
    if found is None:
        return value.casefold()
    written = found.group()
    if _EXPONENT.search(written):
        return f"{float(written.replace(',', '.')):.9g}"
    number = plain_number(written)
    return f"{float(number):.9g}" if number.replace(".", "", 1).isdecimal() else number
