"""Names that are only copied and that nobody wrote: paths, hosts, versions, identifiers. Pure.

A summary rounds figures and rewords sentences; a path, a version or an address it has from somewhere, or it
is wrong. So one that the source has in no form is an accusation, but where it is said not to be there, or yet
to be made.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

from hermes_sessions.audit.checking.asked_values import JudgedValue
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.sources.source_index import PATHS, SourceIndex
from hermes_sessions.audit.words.wording import DONE, MODAL, is_open
from hermes_sessions.facts.compare import Likeness
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.late_patterns import late_pattern

_COPIED: Final = PATHS | {
    "host",
    "ip",
    "url",
    "email",
    "hash",
    "version",
    "identifier",
    "branch",
    "image",
    "port",
}
_LOOSE: Final = late_pattern(r"[*{}<>…?$%]|\.\.\.|\bX{2,}|\.x\b")
"""A pattern, or a place for something: no name."""
_NAME_OF_FILE: Final = late_pattern(r"[^/\\\s]*[^\W_][^/\\\s]*\.[A-Za-z]\w{0,7}|[^/\\\s]*[\d_][^/\\\s]*")
_NUMBERED: Final = late_pattern(r"#\d{2,7}")
_HOST: Final = late_pattern(r"[a-z][\w-]{0,62}(?:\.[a-z][\w-]{1,62}){2,6}", re.I)
_VERSION: Final = late_pattern(
    r"v?(\d{1,4}(?:\.\d{1,4}){1,3})(?!\s?[ap]m\b)(?:[-+.]?[a-z][\w.]{0,12})?", re.I
)
_SENTENCE: Final = late_pattern(r"(?<=[.!?;])\s+(?![a-z\d/~])|[。！？；\n]")
_HEX: Final = late_pattern(r"[0-9a-f]{7,64}", re.I)
_PARTS: Final = late_pattern(r"[\w-]+")
_KEY: Final = late_pattern(r"[\"']?\s?[:：=]")
_SHORTEST: Final = 4
_PREFIX: Final = 7
_EXACT_RULES: Final = frozenset(
    {"misspelt", "same-line", "same-slot", "same-key", "same-name", "same-folder"}
)


def unheard_names(
    found: Sequence[Deviation], judged: Iterable[JudgedValue], source: SourceIndex
) -> list[Deviation]:
    """Return *found* with an accusation for each name of the handoff that its source has in no form.

    A note about it becomes the accusation, with what the source has in its place where that is known; what is
    only planned is left out.
    """
    named = {one.value for one in found if one.grade is not Grade.NOT_VERBATIM}
    heard = _NamesInWriting(source)
    kept = list(found)
    stated = [(one.kind, one.value, one.text) for one, mode in judged if mode is Mode.STATED]
    coined = [(_kind_of(one.value), one.value, one.line) for one in found if one.kind == "id"]
    for kind, value, line in (*stated, *coined):
        if kind not in _COPIED or any(value in one for one in named) or _is_to_be(value, line):
            continue
        if heard.may_be(kind, value, line):
            continue
        named.add(value)
        known = [one for one in kept if one.value == value and one.grade is Grade.NOT_VERBATIM]
        kept = [one for one in kept if one not in known]
        tied = next((one for one in known if one.rule in _EXACT_RULES and one.source), None)
        if tied is not None:
            kept.append(tied._replace(grade=Grade.CONTRADICTS))
        else:
            kept.append(Deviation(Grade.INVENTED, kind, value, line, "said-nowhere"))
    return kept


def _is_to_be(value: str, line: str) -> bool:
    """Return whether the sentence of a name says that it may be, is yet to be made or was not made."""
    at = max(line.find(value), 0)
    start = max((cut.end() for cut in _SENTENCE.finditer(line, 0, at)), default=0)
    end = _SENTENCE.search(line, at + len(value))
    text = line[start : end.start() if end else None]
    return bool(MODAL.search(text)) or is_open(text) or (is_negated(text) and DONE.search(text) is not None)


def _kind_of(value: str) -> str:
    """Return what a word with digits or signs is by its form; '' where it may be anything."""
    if _NUMBERED.fullmatch(value):
        return "port"
    return "host" if _HOST.fullmatch(value) else ""


class _NamesInWriting:
    """What a source has in writing, asked for names in every form in which a summary may copy them."""

    def __init__(self, source: SourceIndex) -> None:
        self._source = source

    def may_be(self, kind: str, value: str, line: str) -> bool:
        """Return whether a name may be taken from the source, or is none."""
        if f"<{value}" in line or f"</{value}" in line:
            return True  # a tag of the summary's own form
        value = value.strip(".,;:()[]\"'`*_")
        if len(value) < _SHORTEST or _LOOSE.search(value) or not value.isascii():
            return True
        if (kind != "port" and self._has(value)) or self._source.says(
            kind, value
        ).likeness is not Likeness.ABSENT:
            return True
        if kind == "port":
            number = value.lstrip("#")
            return not number.isdecimal() or self._source.holds_number(number)
        if kind in PATHS:
            return self._may_be_path(value)
        if kind == "version":
            return self._may_be_version(value)
        if kind == "hash":
            return _HEX.fullmatch(value) is None or self._has(value[:_PREFIX])
        if kind == "identifier":
            return self._may_be_identifier(value, line)
        if kind == "ip":
            return False
        return all(map(self._has_word, _PARTS.findall(value)))

    def _may_be_path(self, value: str) -> bool:
        *folders, name = re.sub(r"(?::\d+)+$", "", value.rstrip("/")).split("/")
        if _HOST.fullmatch(folders[0] if folders else ""):
            return self._has(folders[0])
        if _NAME_OF_FILE.fullmatch(name) is None:
            return True
        return self._has(name) and all(map(self._has_word, folders))

    def _may_be_version(self, value: str) -> bool:
        found = _VERSION.fullmatch(value)
        if found is None:
            return True
        digits = found[1]
        return value == digits and self._has(digits.rpartition(".")[0] if digits.count(".") > 1 else digits)

    def _may_be_identifier(self, value: str, line: str) -> bool:
        at = line.find(value)
        if at >= 0 and _KEY.match(line, at + len(value)):
            return True  # a key of the summary's own form
        return all(map(self._has_word, filter(None, re.split(r"[.:#/]+", value))))

    def _has(self, text: str) -> bool:
        return text.casefold() in self._folded

    def _has_word(self, word: str) -> bool:
        return len(word) < _SHORTEST - 1 or word.casefold() in self._words or self._has(word)

    @cached_property
    def _folded(self) -> str:
        return "\n".join(text for _, text in self._source.texts).casefold()

    @cached_property
    def _words(self) -> frozenset[str]:
        found = _PARTS.findall(self._folded)
        return frozenset(found) | {part for one in found for part in re.split(r"[_-]", one)}
