"""Errors: the line that reports one, with its type, its code, its status."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hermes_sessions.facts.gates import Shapes, holds, present
from hermes_sessions.facts.page import Mark, TextPage, hit_lines
from hermes_sessions.facts.unwrap import LISTING, Form
from hermes_sessions.facts.wording.failure_shapes import (
    BARE_TYPED,
    CODE_LINE,
    DIGITS_OF_STATUS,
    ERRNO,
    EXIT,
    FAILED_TEST,
    FRAME,
    HEAD,
    HTML_LINE,
    LEADING,
    LEVEL,
    LEVEL_WORDS,
    LOG_LINE,
    NAME_CHARS,
    NONE,
    PHRASE,
    PHRASE_WORDS,
    PHRASES,
    SPOKEN_WORDS,
    STATUS,
    TYPED,
    WORDS,
)
from hermes_sessions.late_patterns import late_pattern

_SHOWN_KEYS: Final = frozenset("content new_string old_string code command patch file_text new_str".split())
_SENTENCE_ENDS: Final = (". ", "; ", " – ", " — ", ", but ", ", so ", " when ", " if ", "。", "，")


_JOB_PREFIX = late_pattern(r"^(?:[^\t\n]{1,80}\t){1,3}\d{4}-\d\d-\d\dT[\d:.]{8,20}Z ")
"""What the log of a runner writes before each line: job, step, time."""


class _Hit(NamedTuple):
    start: int
    end: int
    type: str = ""
    whole: bool = False


class _Signs(NamedTuple):
    """Words of a page that let a line be a level's or a phrase's."""

    levels: Sequence[str]
    phrases: Sequence[str]
    phrased: Shapes
    denials: Shapes

    def level(self, lowered: str) -> bool:
        return any(word in lowered for word in self.levels)

    def phrase(self, lowered: str) -> bool:
        return any(word in lowered for word in self.phrases)


def failure_marks(page: TextPage) -> Iterator[Mark]:
    """Yield the lines that report an error; in speech, the part that quotes it."""
    signs = _Signs(
        page.opened.get(LEVEL_WORDS, ()),
        page.opened.get(PHRASE_WORDS, ()),
        present(PHRASES, page.opened),
        present(NONE, page.opened),
    )
    if page.is_speech:
        for start, end in hit_lines(page, SPOKEN_WORDS):
            yield from _spoken_error(page, signs, start, end)
    elif _may_report(page):
        for start, end in hit_lines(page, WORDS):
            yield from _error_line(page, signs, start, end)


def _may_report(page: TextPage) -> bool:
    """Whether a text that is shown tells what happened: not what is written, nor a file that is read, unless it is a log."""
    if page.key == LISTING:
        return page.looks == "log" or LOG_LINE.search(page.text) is not None
    return page.form is not Form.ARGUMENT or page.key not in _SHOWN_KEYS


def _error_line(page: TextPage, signs: _Signs, start: int, end: int) -> Iterator[Mark]:
    line = page.text[start:end]
    body = (_JOB_PREFIX.sub("", line, 1) if "\t" in line else line).lstrip("*• │|>+")
    if line.startswith(("< HTTP", "> HTTP")):
        line = body = line[2:]
    if FRAME.match(line) or HTML_LINE.match(line) or line.startswith("Traceback (most"):
        return
    lowered = page.lower[end - len(body) : end]
    hit = _found(body, lowered, signs)
    if hit is None and not _by_phrase(body, lowered, signs):
        return
    if not _certain(body, hit) and (
        holds(signs.denials, line, page.lower[end - len(line) : end]) or CODE_LINE.match(line)
    ):
        return
    yield Mark("error", end - len(body), end, hit.type if hit else "")


def _certain(line: str, hit: _Hit | None) -> bool:
    return (hit is not None and hit.type != "" and hit.start == 0) or bool(
        HEAD.match(line) or FAILED_TEST.match(line)
    )


def _found(line: str, lowered: str, signs: _Signs) -> _Hit | None:
    """Return the most telling sign of an error in *line*."""
    if ("error" in lowered or "exception" in lowered or "fa" in lowered or "interrupt" in lowered) and (
        match := TYPED.search(line)
    ):
        head = line[: match.start(1)]
        first = len(head.rstrip(NAME_CHARS))
        name = line[first : match.end(1)]
        if not name.startswith(".") and line[first - 1 : first] not in ("/", "-"):
            return _Hit(first, match.end(1), name, whole=True)
    if signs.level(lowered) and (match := LEVEL.search(line)):
        return _Hit(*match.span(), whole=True)
    if (match := ERRNO.search(line)) and not line[match.start() - 1 : match.start()].isalnum():
        return _Hit(*match.span(), whole=True)
    return _coded(line, lowered)


def _coded(line: str, lowered: str) -> _Hit | None:
    if DIGITS_OF_STATUS.search(line) and (match := STATUS.search(line)):
        return _Hit(*match.span())
    if ("exit" in lowered or "return" in lowered or "code" in lowered) and (match := EXIT.search(line)):
        return _Hit(*match.span())
    return None


def _by_phrase(line: str, lowered: str, signs: _Signs) -> bool:
    if FAILED_TEST.match(line) or HEAD.match(line) or BARE_TYPED.match(line):
        return True
    return holds(signs.phrased, line, lowered)


def _spoken_error(page: TextPage, signs: _Signs, start: int, end: int) -> Iterator[Mark]:
    line = page.text[start:end]
    if line.startswith("#"):
        return
    head = LEADING.match(line)
    begin = head.end() if head else 0
    lowered = page.lower[start:end]
    if (
        FAILED_TEST.match(line)
        or (signs.level(lowered[:80]) and LEVEL.search(line[:80]))
        or HEAD.match(line, begin)
    ):
        if not holds(signs.denials, line, lowered):
            yield Mark("error", start + begin, end)
        return
    hit = _found(line, lowered, signs)
    if hit and not holds(signs.denials, line, lowered):
        first, last = _quoted(line, hit)
        yield Mark("error", start + first, start + last, hit.type)
    elif "`" in line and signs.phrase(lowered) and (match := PHRASE.search(line)):
        opened, closed = line.rfind("`", 0, match.start()), line.find("`", match.end())
        if 0 <= opened < closed and line.count("`", 0, opened) % 2 == 0:
            yield Mark("error", start + opened + 1, start + closed)


_TELLS_STATUS: Final = tuple(
    "return got respond with a gibt liefert renvoie devuelve throws fail repl reject refus end exit back dies died".split()
)
"""What the words before a status begin with; the status alone is the error."""


def _quoted(line: str, hit: _Hit) -> tuple[int, int]:
    """Widen to the quotation marks around, or else to the end of the sentence."""
    first, last = hit.start, hit.end
    for quote in "`\"'":
        opened = line.rfind(quote, 0, first)
        closed = line.find(quote, last)
        if opened >= 0 and closed > 0 and line.count(quote, 0, opened) % 2 == 0 and first - opened < 60:
            return opened + 1, closed
    if hit.whole:
        last = min(
            (place for sign in _SENTENCE_ENDS if (place := line.find(sign, last)) > 0), default=len(line)
        )
    else:
        first += (
            len(line[first:last]) - len(line[first:last].lstrip("abcdefghijklmnopqrstuvwxyz "))
            if line[first:last][-3:].isdigit() and line[first:last].lower().startswith(_TELLS_STATUS)
            else 0
        )
    while last > first and line[last - 1] in " .,;:!?。)":
        last -= 1
    return first, last
