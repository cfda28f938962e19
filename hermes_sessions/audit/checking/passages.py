"""The lines of a handoff: what it states, what it only plans, and what an agent's machinery wrote."""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from hermes_sessions.audit.searchable_text import without_written_breaks
from hermes_sessions.handoff import handoff_sections
from hermes_sessions.late_patterns import late_pattern


class Mode(StrEnum):
    """What a line of a handoff does: it states, it plans, or it is the machinery's own."""

    STATED = "stated"
    PLANNED = "planned"
    OWN = "own"


class Passage(NamedTuple):
    """A line of a handoff: where it starts in the body, and how it is to be read."""

    start: int
    text: str
    mode: Mode


_POINTERS: Final = "where the originals are"
_HEADING = late_pattern(
    r"\s*(?:#{1,6}\s+(?P<hash>.+)|(?:\d{1,2}[.)]\s+)?\*\*(?P<bold>[^*\n]{2,80}?):?\*\*:?\s*|(?:\d{1,2}[.)]\s+)?(?P<plain>[^\s:|.][^:|.\n]{1,50}):)\s*$"
)
_LABEL = late_pattern(
    r"\s*(?:[-*+•]\s+|\d{1,2}[.)]\s+)?(?:\*\*)?(?P<label>[^\s:：|][^:：|\n]{1,40}?)(?:\*\*)?[:：](?:\*\*)?\s*\S"
)
_PLANNED_WORDS: Final = (
    *("next step", "next action", "next move", "to do", "todo", "to-do", "pending", "remaining", "open item", "open point", "outstanding", "still open", "plan", "planned", "upcoming", "follow-up", "following step"),
    *("nächste schritte", "nächster schritt", "offen", "ausstehend", "noch zu tun", "zu erledigen", "geplant"),
    *("prochaines étapes", "prochaine étape", "à faire", "reste", "en attente", "próximos pasos", "próximo paso", "pendiente", "por hacer", "próximos passos", "pendente", "a fazer", "prossimi passi", "da fare", "in sospeso"),
    *("следующие шаги", "осталось", "дальнейшие", "предстоит", "план", "下一步", "待办", "待辦", "未完成", "计划", "后续", "次のステップ", "残り", "未完了", "予定", "今後", "다음 단계", "남은", "할 일", "예정", "الخطوات التالية", "متبق"),
)  # fmt: skip
_OPEN_LABELS: Final = (
    "open",
    "remains",
    "rest",
    "later",
    "next",
    "still to do",
    "not done yet",
    "queue",
    "target",
    "goal for",
    "будет",
)
_NAMED = late_pattern(r"\w/\w|\w\.[a-z]{1,5}$|_")
"""A path or a name of code."""
_TARGET = late_pattern(
    r"\b(?:target|aim(?:ing)?|expected|should (?:then )?(?:be|end up)|goal (?:is|[<>≤≥])|will (?:then )?(?:be|become)|would be|zielwert)\b",
    re.I,
)
_OWN = late_pattern(
    r"^\s*(?:\[?(?:Note by|compacted|\d{1,6} (?:messages?|turns?) (?:folded|removed|compacted|omitted|summari[sz]ed))|\(?\d{1,7} (?:lines?|chars?|characters|bytes|tokens) (?:output|omitted|truncated|elided|left out))"
    r"|\b\d{1,7} (?:lines? output|more lines?|chars? omitted|(?:more )?(?:messages?|lines?|chars?|characters) (?:folded|omitted|truncated|elided|left out))\b"
    r"|\d{1,6} compacted message\(s\)|Summary failure reason:",
    re.I,
)  # fmt: skip


def read_passages(body: str) -> tuple[Passage, ...]:
    """Return the lines of *body* that hold something, in order."""
    return tuple(_passages(body))


def _passages(body: str) -> Iterator[Passage]:
    planned = own = False
    pointers = {part.text for part in handoff_sections(body) if part.title.casefold() == _POINTERS}
    start = 0
    body = without_written_breaks(body)
    for line in body.splitlines(keepends=True):
        heading = _heading(line)
        if heading:
            planned, own = is_planned_title(heading), heading.casefold() == _POINTERS and bool(pointers)
        if line.strip():
            yield Passage(start, line.rstrip("\n"), _mode(line, planned=planned, own=own))
        start += len(line)


def _heading(line: str) -> str:
    match = _HEADING.match(line)
    return (match["hash"] or match["bold"] or match["plain"]).strip(" *:#") if match else ""


def _mode(line: str, *, planned: bool, own: bool) -> Mode:
    if own or _OWN.search(line):
        return Mode.OWN
    label = _LABEL.match(line)
    if (
        planned
        or (label is not None and is_planned_title(label["label"]))
        or line.lstrip().startswith("- [ ]")
    ):
        return Mode.PLANNED
    return Mode.STATED


def is_planned_title(title: str) -> bool:
    """Return whether what stands under *title* is still to be done."""
    lowered = title.casefold().strip(" *_`#-")
    if _NAMED.search(lowered):
        return False  # `src/app/planner.py` plans nothing
    return any(word in lowered for word in _PLANNED_WORDS) or lowered in _OPEN_LABELS


def is_target(text: str) -> bool:
    """Return whether *text* says what a value should become."""
    return _TARGET.search(text) is not None


def is_heading(text: str) -> bool:
    """Return whether a line of a handoff says nothing itself."""
    return _SAYS_NOTHING.match(text) is not None


_SAYS_NOTHING: Final = late_pattern(r"#{1,6}\s|[^|]{1,60}[:：]$|\d{1,2}[.)]?$")
