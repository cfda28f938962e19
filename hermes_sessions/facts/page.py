"""A piece of text as the rules read it, and what a rule answers with."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from hermes_sessions.facts.gates import Gate, Opened, gate, open_gates
from hermes_sessions.facts.unwrap import FIELDS, Form, TextPiece
from hermes_sessions.facts.values import MAX_FACT_CHARS
from hermes_sessions.late_patterns import late_pattern

LATIN: Final = "A-Za-zÀ-ÖØ-öø-ʯ"
LETTERS: Final = "A-Za-zÀ-ÖØ-öø-\u052f\u0900-\u0963\u0970-\u097fḀ-\u1fff"
WORD: Final = f"0-9_{LETTERS}"
"""Characters of words that stand between blanks; Chinese or Japanese prose may stand right beside a value."""

CJK: Final = "\u2e80-\u312f\u31a0-\ud7ff\uf900-\ufaff"

_SAMPLE_LINES: Final = 60
_STAMP = late_pattern(
    r"[\[(]?(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d{4}/\d\d/\d\d \d\d:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d)"
)
_STAMPS = late_pattern(
    r"^[\[(]?(?:\d{4}[-/]\d\d[-/]\d\d[T ])?(?:[A-Z][a-z]{2} [ \d]\d )?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?",
    re.M,
)
_CODE = late_pattern(
    r"\s*(?:from \w[\w.]* import |import [\w{*\"']|(?:async )?def \w+\(|class \w+[(:{ ]|@\w|(?:export |public |private |static |async )"
    r"|function\b|func |fn |pub |let |const |var |return\b|if \(|if .*:$|for \(|for .*:$|while \(|package \w|use \w+::|#include|struct \w|impl |"
    r"type \w+ |interface \w|try:|except\b|elif |else:|raise |throw |[\w.]+ [-+]?:?= .*[({;]$|[})\]]+[;,]?$|//|/\*|\*/|\* )|.*[;{]$"
)
_YAML = late_pattern(r"\s*(?:- )?[\"']?[\w./-]+[\"']?:(?:\s+\S.*)?$|\s*- \S|\s*#|---$|\s*$")
_INI = late_pattern(r"\s*(?:(?:export )?[\w.-]+\s*=\s*\S?.*|\[[\w.\" -]+\]+|[#;].*)?$")
_HTTP = late_pattern(
    r"^[<>]? ?(?:HTTP/[\d.]+ \d{3}|(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S+ HTTP/)", re.M
)
_MAIL_WORDS: Final = gate("subject", "betreff", "objet", "asunto", "тема", "主题", "件名", "الموضوع")
_MAIL = late_pattern(r"^(?:Subject|Betreff|Objet|Asunto|Тема|主题|件名|الموضوع)\s?[:：]", re.M)


class Mark(NamedTuple):
    """A rule's answer: text[start:end] is a value of this kind, of *key* where that is known."""

    kind: str
    start: int
    end: int
    key: str = ""


class TextPage(NamedTuple):
    """A piece of text, ready for rules.

    Attributes:
        text: the piece.
        lower: the same length, in lower case.
        form: speech, data, diff or argument.
        speaker: who says it.
        key: of an argument or field, or a fence's language.
        tool: of an argument.
        looks: what the text looks like: code, log, yaml, ini, http, mail, or nothing.
        bare: the same length, without the time stamps that a log's lines begin with.
        opened: the gates that `lower` opens.
    """

    text: str
    lower: str
    form: Form
    speaker: str
    key: str
    tool: str
    looks: str
    bare: str
    opened: Opened

    @property
    def is_speech(self) -> bool:
        """Somebody says it, rather than shows it."""
        return self.form is Form.SPEECH


def make_page(piece: TextPiece, looks: str | None = None) -> TextPage:
    """Return *piece* with what all rules need computed once; what it looks like unless that is given."""
    text = piece.text
    lower = text.lower()
    if len(lower) != len(text):
        lower = text.replace("İ", "I").lower()
    opened = open_gates(lower)
    looks = _looks(piece, opened) if looks is None else looks
    bare = _STAMPS.sub(_blanks, text) if looks == "log" else text
    return TextPage(text, lower, piece.form, piece.speaker, piece.key, piece.tool, looks, bare, opened)


def _blanks(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _looks(piece: TextPiece, opened: Opened) -> str:
    if piece.form is Form.SPEECH:
        return ""
    if piece.key == FIELDS:
        return FIELDS
    head = piece.text[:8_000]
    if "HTTP/" in head and _HTTP.search(head):
        return "http"
    if _MAIL_WORDS in opened and _MAIL.search(head):
        return "mail"
    lines = [line[:200] for line in head.split("\n")[:_SAMPLE_LINES] if line.strip()]
    return _looks_of_lines(lines)


def _looks_of_lines(lines: list[str]) -> str:
    if not lines:
        return ""
    if _most(_STAMP, lines, 0.4):
        return "log"
    if any("=" in line for line in lines) and _most(_INI, lines, 0.85):
        return "code" if _most(_CODE, lines, 0.3) else "ini"
    if (
        len(lines) > 1
        and sum(":" in line for line in lines) * 2 >= len(lines)
        and _most(_YAML, lines, 0.8)
        and sum(line.rstrip().endswith((".", "?", "!", "。", "？")) for line in lines) * 8 <= len(lines)
    ):
        return "yaml"
    return "code" if _most(_CODE, lines, 0.3) else ""


def _most(shape: re.Pattern[str], lines: list[str], share: float) -> bool:
    """Return whether so many of the lines have a shape, as soon as that is sure."""
    found, left = 0, len(lines)
    for line in lines:
        found += shape.match(line) is not None
        left -= 1
        if found / len(lines) >= share:
            return True
        if (found + left) / len(lines) < share:
            return False
    return False


def line_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the line of text[start:end] begins and ends, without blanks, within `MAX_FACT_CHARS`."""
    end = min(end, start + MAX_FACT_CHARS)
    room = MAX_FACT_CHARS - (end - start)
    first = text.rfind("\n", max(0, start - room), start) + 1 or max(0, start - room)
    last = text.find("\n", end, first + MAX_FACT_CHARS)
    last = min(len(text), first + MAX_FACT_CHARS) if last < 0 else last
    while first < start and text[first].isspace():
        first += 1
    while last > end and text[last - 1].isspace():
        last -= 1
    return first, max(last, end)


class LineReader:
    """Quotes the lines of one text: where a value stands in the line of the one before, that is the line."""

    __slots__ = ("_end", "_line", "_start", "_text")

    def __init__(self, text: str) -> None:
        """Take the text."""
        self._text = text
        self._start = self._end = -1
        self._line = ""

    def around(self, start: int, end: int) -> str:
        """Return the line of text[start:end], as `line_around` finds it."""
        if not (self._start <= start and end <= self._end):
            self._start, self._end, self._line = self.stretch(start, end)
        return self._line

    def stretch(self, start: int, end: int) -> tuple[int, int, str]:
        """Return the line of text[start:end] with the stretch of the text of which it is the line.

        Of a line that is cut there is no such stretch.
        """
        text = self._text
        first = text.rfind("\n", max(0, start - MAX_FACT_CHARS), start) + 1
        last = text.find("\n", end, first + MAX_FACT_CHARS)
        last = len(text) if last < 0 else last
        if (first or start < MAX_FACT_CHARS) and last - first < MAX_FACT_CHARS:
            line = text[first:last]
            bare = line.strip()
            low = first + len(line) - len(line.lstrip())
            if low <= start and end <= low + len(bare) and "\n" not in bare:
                return low, low + len(bare), bare
        first, last = line_around(text, start, end)
        return -1, -1, text[first:last]


def hits(page: TextPage, gate: Gate) -> Iterable[tuple[int, str]]:
    """Return each place of each word of *gate*, word by word; the caller looks at what stands around."""
    words = page.opened.get(gate)
    return places_of(page.lower, words) if words else ()


def places_of(text: str, signs: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield each place of each of *signs* in *text*, sign by sign."""
    for sign in signs:
        place = text.find(sign)
        while place >= 0:
            yield place, sign
            place = text.find(sign, place + len(sign))


def _window(text: str, seen: bytearray, place: int, end: int) -> tuple[int, int]:
    """The line around a hit; of a very long line the stretch after what was looked at before."""
    low = max(0, place - MAX_FACT_CHARS // 2)
    first = text.rfind("\n", low, place) + 1
    if first == 0 and low:
        longer = max(0, place - MAX_FACT_CHARS)
        first = text.rfind("\n", longer, low) + 1 or (longer if longer == 0 else low)
    first = max(first, seen.rfind(1, first, place) + 1)
    last = text.find("\n", end, first + MAX_FACT_CHARS)
    last = min(len(text), first + MAX_FACT_CHARS) if last < 0 else last
    while first < place and text[first].isspace():
        first += 1
    while last > end and text[last - 1].isspace():
        last -= 1
    return first, max(last, end)


def hit_lines(page: TextPage, gate: Gate) -> list[tuple[int, int]]:
    """Return the lines that hold any word of *gate*, in order; of a very long line the pieces that do."""
    words = page.opened.get(gate, ())
    if not words:
        return []
    text, lower = page.text, page.lower
    found: list[tuple[int, int]] = []
    seen = bytearray(len(text))
    for word in words:
        place = lower.find(word)
        while place >= 0:
            end = place + len(word)
            if seen[place]:
                end = max(end, seen.find(0, place))
                end = len(text) if end < 0 else end
            else:
                line = _window(text, seen, place, end)
                seen[line[0] : line[1]] = b"\1" * (line[1] - line[0])
                found.append(line)
                end = max(end, line[1])
            place = lower.find(word, end)
    return sorted(found)
