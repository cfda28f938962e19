"""Hosts, mail addresses, paths, branches and versions in whose place a source has another one.

Nobody works a name out: a wrong one is most often another name of the same transcript. What a sentence names
beside a name is looked for in the lines of all names that it may be mistaken for. What stands beside many of
them tells little.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple

from hermes_sessions.audit.checking.asked_values import JudgedValue
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import is_heading
from hermes_sessions.audit.places.near_words import TextSpan, near_words
from hermes_sessions.audit.relations.replacing import is_set_aside
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.audit.sources.source_index import SourceIndex
from hermes_sessions.facts.page import line_around
from hermes_sessions.late_patterns import late_pattern

_SORTS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("host", "url", "ip"), "host"),
    **dict.fromkeys(("path", "file_changed", "file_read"), "path"),
    **{one: one for one in ("email", "branch", "version", "image")},
}
"""Kinds of facts that are names, and what those of each may be mistaken for."""
_MOST_NAMES: Final = 60
"""So many names of a sort are held against each other, those named last."""
_MOST_LINES: Final = 12
"""So many lines of a name are read, its last ones."""
_MOST_ASKED: Final = 200
_MARGIN: Final = 0.35
"""So much more of what tells stands beside another name."""
_DIGITS: Final = late_pattern(r"[\d.:]+")
_ENDING: Final = late_pattern(r"\.([^\W\d_]\w{0,5})$")
_HOST: Final = late_pattern(r"[a-z]{2,10}://(?:[^/\s@]{1,60}@)?([\w.-]{1,100})", re.I)
_FOLDER: Final = late_pattern(r"(?<![\w/:.])(?:[A-Za-z]:|~)?/[\w.-]{1,60}(?:/[\w.-]{1,60}){1,12}/?(?<![.])")
_OF_FOLDERS: Final = "path "
_REACH: Final = 160


class _AskedName(NamedTuple):
    """A name of a handoff, its kind, what it may be mistaken for, and its sentence."""

    kind: str
    name: str
    sort: str
    text: str


class _ToldName(NamedTuple):
    """A name of a source, its line and message."""

    name: str
    text: str
    message: int


class _NamePlace(NamedTuple):
    """A line that has a name, its message, and what stands beside the name."""

    text: str
    message: int
    beside: Mapping[str, float]


class _BestName(NamedTuple):
    """How much of what is asked for stands beside a name, and where."""

    score: float
    name: str
    place: _NamePlace | None


def other_names(
    claims: Sequence[Statement], judged: Sequence[JudgedValue], source: SourceIndex
) -> Iterator[Deviation]:
    """Yield names beside whose words the source has another one that the handoff lacks, or has for this one.

    Args:
        claims: the sentences of the handoff.
        judged: its values.
        source: everything that was said, called and returned.
    """
    asked = [*islice(_asked(claims, judged), _MOST_ASKED)]
    if not asked:
        return
    written = "\n".join(one.text for one in claims).casefold()
    sorts = _sorted_names(source, has_folders=any(one.sort == _OF_FOLDERS for one in asked))
    found = [(one, best) for one in asked if (best := _nearer(one, asked, sorts)) is not None]
    pairs = {(one.name, best.name) for one, best in found}
    for one, best in found:
        is_exchanged = any(_is_part(one.name, new) and _is_part(best.name, old) for old, new in pairs)
        if best.place is not None and (is_exchanged or best.name.casefold() not in written):
            yield Deviation(
                Grade.NOT_VERBATIM, one.kind, one.name, one.text, "beside-another",
                best.name, best.place.text, best.place.message or None,
            )  # fmt: skip


def _nearer(
    one: _AskedName, asked: Sequence[_AskedName], sorts: Mapping[str, "_NamesOfSort"]
) -> _BestName | None:
    """Return the name that stands beside clearly more of a sentence than the name that this has."""
    line = one.text
    if is_heading(line) or is_set_aside(one.name, line) or one.sort not in sorts:
        return None
    others = [other.name for other in asked if other.text == line and other.sort == one.sort]
    others = [other for other in others if not _is_part(other, one.name)]
    return sorts[one.sort].nearer(one.name, _beside(line, one.name, others))


def _asked(claims: Sequence[Statement], judged: Sequence[JudgedValue]) -> Iterator[_AskedName]:
    """Yield the names of a handoff, each with its sentence."""
    names = (one.fact for one in judged if one.fact.kind in _SORTS)
    kinds = {_bare(one.value): one.kind for one in names if one.kind != "file_changed"}  # `changed` fits any
    for claim in claims:
        folders = {match.group(): "path" for match in _FOLDER.finditer(claim.text)}
        for name, kind in {**folders, **kinds}.items():
            if name in claim.text:
                yield _AskedName(kind, name, _sort_of(kind, name), claim.text)


def _sorted_names(source: SourceIndex, *, has_folders: bool) -> Mapping[str, "_NamesOfSort"]:
    """Return the names of a source by what they may be mistaken for."""
    told: dict[str, list[_ToldName]] = defaultdict(list)
    for kind in _SORTS:
        for one in source.by_kind.get(kind, ()):
            name = _bare(one.fact.value)
            told[_sort_of(kind, name)].append(_ToldName(name, one.fact.text, one.message))
    for message, text in source.texts if has_folders else ():
        for match in _FOLDER.finditer(text):
            start, end = line_around(text, *match.span())
            line = text[max(start, match.start() - _REACH) : min(end, match.end() + _REACH)]
            told[_sort_of("path", match.group())].append(_ToldName(match.group(), line, message))
    return {sort: _NamesOfSort(found) for sort, found in told.items()}


class _NamesOfSort:
    """The names of one sort in a source, with what stands beside each."""

    def __init__(self, told: Iterable[_ToldName]) -> None:
        lines: dict[str, dict[str, int]] = defaultdict(dict)
        self._named_in: dict[str, dict[str, None]] = defaultdict(dict)
        for one in sorted(told, key=lambda found: found.message):
            if one.name in one.text:
                lines[one.name].pop(one.text, None)
                lines[one.name][one.text] = one.message
                self._named_in[one.text][one.name] = None
        names = sorted(lines, key=lambda one: max(lines[one].values()))[-_MOST_NAMES:]
        self._lines = {name: [*lines[name].items()][-_MOST_LINES:] for name in names}

    @cached_property
    def _places(self) -> Mapping[str, Sequence[_NamePlace]]:
        return {
            name: [*map(lambda one: self._place(name, *one), found)] for name, found in self._lines.items()
        }

    def _place(self, name: str, text: str, message: int) -> _NamePlace:
        others = [one for one in self._named_in[text] if not _is_part(one, name)]
        return _NamePlace(text, message, _beside(text, name, others))

    @cached_property
    def _counts(self) -> Mapping[str, float]:
        """Beside how many names each thing stands, those counted less that it is farther from."""
        found: dict[str, float] = defaultdict(float)
        for places in self._places.values():
            near: dict[str, float] = {}
            for one in places:
                for item, part in one.beside.items():
                    near[item] = max(near.get(item, 0.0), part)
            for item, part in near.items():
                found[item] += part
        return {item: max(1.0, count) for item, count in found.items()}

    def nearer(self, name: str, about: Mapping[str, float]) -> _BestName | None:
        """Return the name that stands beside clearly more of what a sentence is *about* than its own one."""
        own = [self._best(one, about) for one in self._places if _is_part(one, name)]
        if not own:
            return None
        rivals = [self._best(one, about) for one in self._places if not _is_part(one, name)]
        best = max(rivals, key=lambda one: one.score, default=None)
        if best is None or best.place is None:
            return None
        if best.score - max(one.score for one in own) < _MARGIN:
            return None
        if name in best.place.text:
            return None
        shared = about.keys() & best.place.beside.keys()
        return best if any(not one.startswith("#") for one in shared) else None

    def _best(self, name: str, about: Mapping[str, float]) -> _BestName:
        best = _BestName(0.0, name, None)
        for place in self._places[name]:
            shared = about.keys() & place.beside.keys()
            score = sum(about[one] * place.beside[one] / self._counts[one] for one in sorted(shared))
            if score >= best.score:
                best = _BestName(score, name, place)
        return best


def _beside(text: str, name: str, others: Iterable[str]) -> Mapping[str, float]:
    """Return what *text* names beside a name, and nearer to it than to others."""
    spans = [_span(text, one) for one in others]
    return near_words(text, _span(text, name), spans)


def _span(text: str, name: str) -> TextSpan:
    at = text.find(name)
    return TextSpan(at, at + len(name))


def _bare(value: str) -> str:
    """Return the host of an address, any other name as it is."""
    found = _HOST.match(value)
    return found[1] if found else value


def _sort_of(kind: str, name: str) -> str:
    """Return what a name may be mistaken for: a host for any other, a file for one of the same ending."""
    sort = _SORTS[kind]
    if sort == "host":
        return f"host {_DIGITS.fullmatch(name) is not None}"
    return f"path {_shape(name)}" if sort == "path" else sort


def _shape(name: str) -> str:
    """Return what the name of a file ends with, '' for a folder."""
    end = _ENDING.search(name)
    return end[1].casefold() if end else ""


def _is_part(one: str, other: str) -> bool:
    """Return whether one name is the other, or a part of it."""
    first, second = one.casefold().rstrip("/"), other.casefold().rstrip("/")
    return first in second or second in first
