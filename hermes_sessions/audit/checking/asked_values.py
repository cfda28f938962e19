"""What is asked of a handoff: every value in it, facts and loose numbers, each with how its line is to be read."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hermes_sessions.audit.checking.passages import Mode, Passage
from hermes_sessions.audit.sources.source_index import PATHS, QUANTITIES
from hermes_sessions.audit.sources.written_text import EXIT, RELEASE, TOKEN
from hermes_sessions.facts.extract import extract_text_facts
from hermes_sessions.facts.kinds.outcomes import OF_ALL
from hermes_sessions.facts.page import line_around
from hermes_sessions.facts.quantities.durations import read_durations
from hermes_sessions.facts.values import Fact
from hermes_sessions.late_patterns import late_pattern

_WRITTEN: Final = frozenset(
    {"email", "host", "ip", "url", "id", "hash", "branch", "image", "identifier", "config", "name"}
)
"""Kinds that a summary can only copy: nobody works out an address."""

_TIMED: Final = frozenset({"date", "time"})
CHECKED: Final = _WRITTEN | PATHS | _TIMED | QUANTITIES | {"version"}
"""Kinds that are held against the source."""

_MONTH: Final = "jan|feb|m[aä]r|apr|ma[iyj]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек"
_PAIR = late_pattern(
    r"(?<![\w./-])([A-Za-z]\w{0,40}_\w{1,40}|[A-Z][A-Z0-9]{3,40})[\"`']?"
    r"(?:\s?(?:[<>~=!]=|[:=@])\s?[\"`']?|\s(?:from|von|de|da|с)\s[\d.]{1,12}\s(?:to|auf|a|à|para|на)\s|\s[\d.]{1,12}\s?(?:->|→)\s?)"
    r"(\d[\w.]{0,20}\w|\d)(?![\w.]\w)"
)
_DATE = late_pattern(r"(?<![\w/.-])\d{1,2}([/.])\d{1,2}\1\d{4}(?![\w/-])")
_OUTCOME = late_pattern(
    r"\d{1,6} (?:tests? )?(?:fail|pass|skip|error)\w*\b(?! (?:the|an?|its|his|her|their) )", re.I
)
_WHOLE = late_pattern(r"(?<!\w)\d+(?![^\W\d_]*\d)")
_DIGITS = late_pattern(
    r"(?<![\w.,:/#+-])(?<!\d[ \u00a0\u202f])\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?![\w/:-]|[ \u00a0\u202f.,]\d)"
    r"|(?<![\w.,:/#+-])\d[\d.,]{0,20}\d(?![\w/:-])|(?<![\w.,:/#+-])\d(?![\w/:.,-])"
)
"""Numbers, those whose thousands stand apart (`12 480`) as one."""


ITEM_NUMBER: Final = late_pattern(
    r"\s{0,8}(\d{1,3})[.)、．]\s+(?=[^\W\d_])(?!(?:{0})[^\W\d_]*\b)".replace("{0}", _MONTH), re.I
)
"""What numbers an item of a list, and no day: `12. May`."""


_PARTS_OF_DURATIONS: Final = frozenset({"duration", "number", "time"})
_CALENDAR_DAY = late_pattern(r" \d{1,2} [^\W\d_]{3,9}")
"""What makes of a word for days the day of a date: `9241 يوم 13 مارس`."""


class JudgedValue(NamedTuple):
    """A value of the handoff: its fact, and how its line is to be read."""

    fact: Fact
    mode: Mode


def read_values(passages: Sequence[Passage]) -> Iterator[JudgedValue]:
    """Yield the values of a handoff: what it states first, then what it plans."""
    for mode in Mode:
        text = "\n".join(one.text for one in passages if one.mode is mode)
        facts = _with_whole_durations(text, extract_text_facts(text))
        yield from (JudgedValue(fact, mode) for fact in facts)
        yield from (JudgedValue(fact, mode) for fact in _loose_numbers(text, facts))


def _with_whole_durations(text: str, facts: Sequence[Fact]) -> list[Fact]:
    """Return *facts* with each duration whole, `5 h 20 min` and `two weeks`, in the place of its parts."""
    whole = [
        _on_line(text, "duration", one.start, one.end)
        for one in read_durations(text)
        if not _CALENDAR_DAY.match(text, one.end)
    ]
    starts = [one.span[0] for one in whole]
    kept = []
    for fact in facts:
        at = bisect_right(starts, fact.span[0]) - 1
        inside = at >= 0 and fact.span[1] <= whole[at].span[1]
        if not (inside and fact.kind in _PARTS_OF_DURATIONS):
            kept.append(fact)
    return [*kept, *whole]


def _on_line(text: str, kind: str, start: int, end: int) -> Fact:
    first, last = line_around(text, start, end)
    return Fact(kind, "", text[start:end], text[first:last].strip()[:400], "assistant", 0.0, (start, end))


def _loose_numbers(text: str, facts: Sequence[Fact]) -> Iterator[Fact]:
    """Yield numbers that are no part of a fact: the end of a card's number, a count without a noun."""
    taken = {digits for fact in facts if fact.kind in CHECKED for digits in _WHOLE.findall(fact.value)}
    counted_in = {
        digits for fact in facts if fact.kind == "test_result" for digits in _WHOLE.findall(fact.value)
    }
    values = [fact.value for fact in facts if fact.kind in CHECKED]
    for line in text.split("\n"):
        item = ITEM_NUMBER.match(line)
        for match in _DIGITS.finditer(line, item.end(1) if item else 0):
            counted = None if line.endswith(OF_ALL, 0, match.start()) else _OUTCOME.match(line, match.start())
            known = counted_in if counted else taken
            if not known.issuperset(re.findall(r"\d+", match.group())):
                kind, value = ("test_result", counted.group()) if counted else ("number", match.group())
                yield Fact(kind, "", value, line.strip()[:400], "assistant", 0.0, match.span())
        yield from (
            Fact("exit_code", "", match.group(), line.strip()[:400], "assistant", 0.0, match.span())
            for match in EXIT.finditer(line)
        )
        for match in _PAIR.finditer(line):
            span = (match.start(2), match.end(2))
            yield Fact("config", match[1], match[2], line.strip()[:400], "assistant", 0.0, span)
        for kind, shape in (("date", _DATE), ("id", TOKEN), ("id", RELEASE)):
            for match in shape.finditer(line):
                value = match.group().strip(".,:;-")
                if not any(value in one for one in values):
                    yield Fact(kind, "", value, line.strip()[:400], "assistant", 0.0, match.span())
