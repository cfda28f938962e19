"""Decisions, open work, next steps and questions: what people say about the work."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from hermes_sessions.facts.page import Mark, TextPage
from hermes_sessions.facts.speech.sentences import Sentence, sentences, without_end
from hermes_sessions.facts.values import MAX_FACT_CHARS
from hermes_sessions.facts.wording.choice_shapes import chooses, may_choose
from hermes_sessions.facts.wording.decision_grammar import TOPIC, decides
from hermes_sessions.facts.wording.request_shapes import POLITE
from hermes_sessions.facts.wording.sieves import Sieve
from hermes_sessions.facts.wording.words import (
    DECISION,
    DECISION_WORDS,
    HEADINGS,
    MARKER,
    NEXT,
    NEXT_WORDS,
    NOTED_WORDS,
    TODO,
    TODO_WORDS,
    UNDECIDED,
)
from hermes_sessions.late_patterns import late_pattern

_QUESTION_END: Final = "?？؟"
_TOPIC_CHARS: Final = 120
_COMMENT_TODO = late_pattern(
    r"(?:#|//|/\*|--|<!--|\*|;|^|- )\s{0,3}(?:TODO|FIXME|XXX)\b(?:\([^)\n]{1,40}\))?:?[ ]{1,3}([^\n]{3,300})",
    re.M,
)
_BOXES = late_pattern(
    r"^[ \t]{0,20}(?:[-*+]|\d{1,3}[.)])?[ \t]{0,3}(?:\[ \]|☐)[ \t]{1,3}([^\n]{2,300})$", re.M
)
_ENDS: Final = (" */", " -->", "*/", "-->")
_PROSE_LOOKS: Final = ("", "mail")
_STOPS: Final = tuple(".。!)")


def speech_marks(page: TextPage) -> Iterator[Mark]:
    """Yield what is said about the work; in data only what a marker names."""
    if page.is_speech:
        yield from _spoken(page)
    elif page.form != "argument" or page.key in (
        "content",
        "text",
        "todos",
        "new_string",
        "description",
        "task",
    ):
        yield from _in_data(page)


def _spoken(page: TextPage) -> Iterator[Mark]:
    rules: list[tuple[str, Sieve, Sequence[str]]] = [
        (kind, shape, words)
        for kind, shape, gate in (
            ("decision", DECISION, DECISION_WORDS),
            ("next_step", NEXT, NEXT_WORDS),
            ("todo", TODO, TODO_WORDS),
        )
        if (words := page.opened.get(gate, ()))
    ]
    topic: Sentence | None = None
    for one in sentences(page):
        kind = _kind(page, one, rules)
        if kind:
            mark = _cut(page, kind, one)
            yield _with_topic(mark, topic) if kind == "decision" and topic else mark
        topic = one if TOPIC.match(page.text[one.start : one.end]) else _goes_on(topic, one)


def _kind(page: TextPage, one: Sentence, rules: list[tuple[str, Sieve, Sequence[str]]]) -> str:
    text = page.text[one.start : one.end]
    if one.box:
        return "todo" if one.box == "open" else ""
    if text.rstrip("\"'”)*_ ")[-1:] in _QUESTION_END and text:
        return "question" if _is_question(text, page.speaker) else ""
    if one.item and one.heading:
        kind = heading_kind(one.heading)
        if kind:
            return kind
    lowered = page.lower[one.start : one.end]
    for kind, shape, words in rules:
        if any(word in lowered for word in words) and shape.search(text):
            if kind != "decision":
                return kind if _is_own(page, kind, text) else ""
            if not UNDECIDED.search(text):
                return kind
    chosen = chooses(text, lowered, page.opened) or decides(text, lowered, page.opened)
    return "decision" if chosen and not UNDECIDED.search(text) else ""


def _goes_on(topic: Sentence | None, one: Sentence) -> Sentence | None:
    """Return the topic that the sentence behind *one* still has: little is said about one."""
    near = topic is not None and topic.item == one.item and one.end - topic.start < _TOPIC_CHARS
    return topic if near else None


def _with_topic(mark: Mark, topic: Sentence) -> Mark:
    """Begin where somebody said what a decision is about: *About the index. Lucene it is.*"""
    return mark._replace(start=topic.start) if mark.end - topic.start <= MAX_FACT_CHARS else mark


@lru_cache(maxsize=256)  # the items of a list have one
def heading_kind(heading: str) -> str:
    """Return which kind the items under *heading* are, '' where it does not say."""
    return next(kind for kind, shape in HEADINGS.items() if shape.search(heading) or not kind)


def _is_own(page: TextPage, kind: str, text: str) -> bool:
    """A user's `we need to fix X` is the request itself, not a list of what is open."""
    return (
        kind != "todo"
        or page.speaker != "user"
        or MARKER.match(text) is not None
        or "still" in text
        or "noch" in text
        or len(text) < 300
    )


def _is_question(text: str, speaker: str) -> bool:
    body = text.strip()
    words = len(body.split())
    if words < 3 and (body.isascii() or len(body) < 5):
        return False
    return speaker != "user" or not POLITE.match(body)


def _cut(page: TextPage, kind: str, one: Sentence) -> Mark:
    start = one.start
    marker = MARKER.match(page.text[one.start : one.end])
    if marker and one.start + marker.end() < one.end:
        start += marker.end()
    return Mark(kind, start, one.end if kind == "question" else without_end(page.text, start, one.end))


def _in_data(page: TextPage) -> Iterator[Mark]:
    text = page.text
    if "[ ]" in text or "☐" in text:
        for match in _BOXES.finditer(text):
            yield Mark("todo", match.start(1), without_end(text, match.start(1), match.end(1)))
    if "TODO" in text or "FIXME" in text or "XXX" in text:
        for match in _COMMENT_TODO.finditer(text):
            end = match.end(1)
            for tail in _ENDS:
                end -= len(tail) if text.endswith(tail, match.start(1), end) else 0
            yield Mark("todo", match.start(1), without_end(text, match.start(1), end))
    if page.looks in _PROSE_LOOKS and len(text) < 40_000 and _may_hold_notes(page):
        yield from _noted(page)


def _may_hold_notes(page: TextPage) -> bool:
    """Return whether anything of *page* may be what `_noted` yields: most of what tools show is no note."""
    opened = page.opened
    return (
        NOTED_WORDS in opened
        or DECISION_WORDS in opened
        or may_choose(opened)
        or any(sign in page.text for sign in _QUESTION_END)
    )


def _noted(page: TextPage) -> Iterator[Mark]:
    """Notes and mails that a tool shows: what stands under a heading or after a marker, and plain decisions."""
    deciding = DECISION_WORDS in page.opened
    for one in sentences(page):
        text = page.text[one.start : one.end]
        kind = heading_kind(one.heading) if one.item and one.heading and not one.box else ""
        if text[-1:] in _QUESTION_END:
            if _is_asked(page, one, text):
                yield _cut(page, "question", one)
            continue
        if kind and kind != "constraint":
            yield _cut(page, kind, one)
        elif marker := MARKER.match(text):
            named = heading_kind(marker.group().strip(" :：*-"))
            if named and named != "constraint" and not one.box:
                yield _cut(page, named, one)
        elif not one.box and _is_decided(page, text, page.lower[one.start : one.end], deciding):
            yield _cut(page, "decision", one)


def _is_decided(page: TextPage, text: str, lowered: str, deciding: bool) -> bool:
    """A whole sentence that decides."""
    if text[-1:] not in _STOPS or UNDECIDED.search(text):
        return False
    if text[-1] == ")" or not (deciding and " " in text and DECISION.search(text)):
        return chooses(text, lowered, page.opened)
    return True


def _is_asked(page: TextPage, one: Sentence, text: str) -> bool:
    """A question in a mail, in notes or in a chat; one in a long page or a list of questions is answered there."""
    return (
        (page.looks == "mail" or len(page.text) < 6_000)
        and (len(text.split()) > 2 or not text.isascii())
        and not one.heading.startswith("FAQ")
    )
