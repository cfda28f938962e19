"""Names that are only copied and that nobody wrote: paths, hosts, versions, identifiers. Pure.

A summary rounds figures and rewords sentences; a path, a version or an address it has from somewhere, or it
is wrong. So one that the source has in no form is an accusation, but where it is said not to be there, or yet
to be made.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

from hermes_sessions.audit.checking.asked_values import JudgedValue
from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.sources.source_index import PATHS, SourceIndex
from hermes_sessions.audit.unheard.accusing import accuse
from hermes_sessions.audit.words.wording import DONE, MODAL, is_open
from hermes_sessions.facts.compare import Likeness
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.late_patterns import late_pattern

_COPIED: Final = PATHS | frozenset(
    ("host", "ip", "url", "email", "hash", "version", "identifier", "branch", "image", "port")
)
_LOOSE: Final = late_pattern(r"[*{}<>…?$%]|\.\.\.|\bX{2,}|\.x\b")
"""A pattern, or a place for something: no name."""
_NAME_OF_FILE: Final = late_pattern(r"[^/\\\s]*[^\W_][^/\\\s]*\.[A-Za-z]\w{0,7}|[^/\\\s]*[\d_][^/\\\s]*")
_NUMBERED: Final = late_pattern(r"#\d{2,7}")
_HOST: Final = late_pattern(r"[a-z][\w-]{0,62}(?:\.[a-z][\w-]{1,62}){2,6}", re.I)
_VERSION: Final = late_pattern(
    r"v?(\d{1,4}(?:\.\d{1,4}){1,3})(?!\s?[ap]m\b)(?:[-+.]?[a-z][\w.]{0,12})?", re.I
)
_DAY: Final = late_pattern(r"(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?:20)?[1-4]\d")
"""`10.10.25`: the day of a month and a year."""
_SENTENCE: Final = SentenceCut(r"(?<=[.!?;])\s+|[。！？；\n]")
_HEX: Final = late_pattern(r"[0-9a-f]{7,64}", re.I)
_SIGNS: Final = late_pattern(r"[^\w-]+")
_DOTS: Final = late_pattern(r"[.:#/]+")
_LINES: Final = late_pattern(r"(?::\d+)+$")
_KEY: Final = late_pattern(r"[\"']?\s?[:：=]")
_SHORTEST: Final = 4
_PREFIX: Final = 7


def unheard_names(
    found: Sequence[Deviation], judged: Iterable[JudgedValue], source: SourceIndex
) -> list[Deviation]:
    """Return *found* with an accusation for each name of the handoff that its source has in no form.

    A note about it becomes the accusation, with what the source has in its place where that is known; what is
    only planned is left out.
    """
    stated = ((one.kind, one.value, one.text) for one, mode in judged if mode is Mode.STATED)
    coined = ((_kind_of(one.value), one.value, one.line) for one in found if one.kind == "id")
    return accuse(
        found,
        (
            (kind, value, line)
            for kind, value, line in chain(stated, coined)
            if kind in _COPIED
            and not _is_to_be(value, line)
            and not _may_be_written(kind, value, line, source)
        ),
    )


def _is_to_be(value: str, line: str) -> bool:
    """Return whether the sentence of a name says that it may be, is yet to be made or was not made."""
    at = max(line.find(value), 0)
    start, end = _SENTENCE.around(line, at, at + len(value))
    text = line[start:end]
    return bool(MODAL.search(text)) or is_open(text) or (is_negated(text) and DONE.search(text) is not None)


def _kind_of(value: str) -> str:
    """Return what a word with digits or signs is by its form; '' where it may be anything."""
    if _NUMBERED.fullmatch(value):
        return "port"
    return "host" if _HOST.fullmatch(value) else ""


def _may_be_written(kind: str, value: str, line: str, source: SourceIndex) -> bool:
    """Return whether a name may be taken from the source, in whatever form, or is none."""
    if f"<{value}" in line or f"</{value}" in line:
        return True  # a tag of the summary's own form
    value = value.strip(".,;:()[]\"'`*_")
    if len(value) < _SHORTEST or _LOOSE.search(value) or not value.isascii():
        return True
    if source.says(kind, value).likeness is not Likeness.ABSENT:
        return True
    if kind == "port":
        number = value.lstrip("#")
        return not number.isdecimal() or source.holds_number(number)
    if source.holds_text(value):
        return True
    if kind in PATHS:
        return _may_be_path(value, source)
    if kind == "version":
        return _may_be_version(value, source)
    if kind == "hash":
        return _HEX.fullmatch(value) is None or source.holds_text(value[:_PREFIX])
    if kind == "identifier" and _is_key(value, line):
        return True
    parts = _DOTS if kind == "identifier" else _SIGNS
    return kind != "ip" and all(map(source.knows_word, filter(None, parts.split(value))))


def _may_be_path(value: str, source: SourceIndex) -> bool:
    *folders, name = _LINES.sub("", value.rstrip("/")).split("/")
    if _HOST.fullmatch(folders[0] if folders else ""):
        return source.holds_text(folders[0])
    return _NAME_OF_FILE.fullmatch(name) is None or all(map(source.holds_text, (name, *folders)))


def _may_be_version(value: str, source: SourceIndex) -> bool:
    found = _VERSION.fullmatch(value)
    if found is None or _DAY.fullmatch(value):
        return True
    digits = found[1]
    known = digits.rpartition(".")[0] if digits.count(".") > 1 else digits
    return value == digits and source.holds_text(known)


def _is_key(value: str, line: str) -> bool:
    """Return whether a name is a key of the summary's own form: `retry_owner: Jonna`."""
    at = line.find(value)
    return at >= 0 and _KEY.match(line, at + len(value)) is not None
