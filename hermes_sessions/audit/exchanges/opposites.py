"""Sentences of a handoff that name the other side: after for before, failed for passed, staging for production."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.checking.sentences import Phrase, Spoken
from hermes_sessions.audit.words.sides import DAYS, PERIODS, RELATIVE, SIDES, STILL
from hermes_sessions.audit.words.telling import telling_words
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.facts.wording.heads import fold_case, is_in
from hermes_sessions.facts.wording.sieves import Sieve
from hermes_sessions.late_patterns import late_pattern

_MIN_SHARED: Final = 2
_ENOUGH: Final = 0.5
_NAMED: Final = late_pattern(r"[/_\d]|\w\.\w")
_TEST = late_pattern(r"^test_?\w{4,}|\w_\w+_\w|^[a-z]\w{11,}$", re.A)
"""A name long enough to be of one thing."""
_RESULTS: Final = ("outcome", "answer")
_NUMBER = late_pattern(r"\d+")
_COMMA = late_pattern(r"[,;，；、]\s?")
_COUNTS = late_pattern(
    r"\d{1,12}(?!\d| ?%)\s?(?:/|of\b|von\b|de\b|tests?\b|\w{0,20} ?(?:pass|fail|green|red))|\b(?:one|two|three|some|several|einer?|zwei|deux|dos|два)\b",
    re.I,
)
_BESIDE: Final = 2
_SIGNS_BEFORE: Final = 12
_FULL_DATE = late_pattern(r"\b(\d{4})-(\d{2})-(\d{2})\b")


_SIDES: Final = {axis: tuple(map(Sieve, shapes)) for axis, shapes in SIDES.items()}


class _Clause(NamedTuple):
    """A part of a sentence that names one side of something; *about* is what the whole sentence speaks of."""

    side: int
    text: str
    about: frozenset[str]
    beside: frozenset[str]
    denied: bool
    said: Spoken | Phrase


def opposite_sides(phrases: Sequence[Phrase], spoken: Sequence[Spoken]) -> Iterator[Deviation]:
    """Yield each sentence of the handoff that names one side where all who speak of it name the other."""
    told = "\n".join(phrase.text for phrase in phrases)
    for axis, shapes in _SIDES.items():
        if not any(shape.search(told) for shape in shapes):
            continue
        asked = [(phrase, clauses) for phrase in phrases if (clauses := _asked(phrase, axis, shapes))]
        words = frozenset[str]().union(*(phrase.words for phrase, _ in asked))
        near = [said for said in spoken if not words.isdisjoint(said.words)]
        known = [clause for said in near for clause in _clauses(said, shapes)]
        told_of = _told_of(known)
        for phrase, clauses in asked if known else ():
            for clause in clauses:
                if found := _other_side(clause, known, told_of, axis):
                    yield _turned(phrase, found, is_grave=axis == "outcome")
                    break


def _asked(phrase: Phrase, axis: str, shapes: Sequence[Sieve]) -> list[_Clause]:
    """Return the clauses of a sentence that claims one side; a question does not, nor what tells both."""
    if phrase.text.endswith(("?", "？")):
        return []
    if axis in _RESULTS and all(shape.search(phrase.text) for shape in shapes):
        return []  # two rejected, 310 accepted
    return list(_clauses(phrase, shapes))


def _clauses(said: Spoken | Phrase, shapes: Sequence[Sieve]) -> Iterator[_Clause]:
    """Yield the clauses that name one side and not the other."""
    named = [list(shape.finditer(said.text)) for shape in shapes]
    if not any(named):
        return
    own = frozenset(word for one in chain(*named) for word in telling_words(one.group()))
    is_mixed = all(named)
    parts = _COMMA.split(said.text)
    for text in parts:
        whole = [one[0] if one else None for one in named]
        found = whole if len(parts) == 1 else [shape.search(text) for shape in shapes]
        sides = [(at, match) for at, match in enumerate(found) if match]
        if len(sides) == 1:
            at, match = sides[0]
            behind = [word for one in text[match.end() :].split() for word in telling_words(one)]
            before = (
                text[max(0, match.start() - _SIGNS_BEFORE) : match.start()]
                if match.group() > "\u2e7f"
                else ""
            )
            beside = frozenset(behind[:_BESIDE]) | telling_words(before)
            about = telling_words(text) if is_mixed and telling_words(text) - own else said.words
            yield _Clause(at, text, about - own, beside, is_negated(text), said)


def _told_of(known: Sequence[_Clause]) -> Mapping[tuple[int, bool], frozenset[str]]:
    """Return what the clauses that name a side, or deny it, speak of together."""
    found = defaultdict[tuple[int, bool], set[str]](set)
    for one in known:
        found[one.side, one.denied] |= one.about
    return {side: frozenset(words) for side, words in found.items()}


def _other_side(
    clause: _Clause,
    known: Sequence[_Clause],
    told_of: Mapping[tuple[int, bool], frozenset[str]],
    axis: str,
) -> Spoken | None:
    """Return the last sentence about the same that names another side, where none names this one."""
    is_now = axis == "outcome" and STILL.search(clause.text) is not None
    if axis == "outcome" and _COUNTS.search(clause.text):
        return None
    if not is_now and not clause.about.isdisjoint(told_of.get((clause.side, clause.denied), frozenset())):
        return None
    last = next(
        (
            one
            for one in reversed(known)
            if one.denied == clause.denied and _is_about(clause, one, axis, is_now)
        ),
        None,
    )
    if last is None or last.side == clause.side:
        return None
    return last.said if isinstance(last.said, Spoken) else None


def _is_about(clause: _Clause, said: _Clause, axis: str, is_now: bool) -> bool:
    shared = clause.about & said.about
    if not shared:
        return False
    if axis == "order" and not clause.beside & said.beside:
        return False  # `print after release` is `release before print`
    if axis == "outcome" and _counts(said.text):
        return False
    if axis in _RESULTS and _numbers(clause.text) - _numbers(said.said.text):
        return False  # another number is of other things
    if axis == "outcome" and any(
        map(_TEST.search, shared & telling_words(clause.text) & telling_words(said.text))
    ):
        return True
    if is_now and clause.about <= said.about:
        return bool(shared)
    if len(clause.about) <= _MIN_SHARED and any(_NAMED.search(one) and not one.isdigit() for one in shared):
        return True
    return len(shared) >= max(_MIN_SHARED, min(len(clause.about), len(said.about)) * _ENOUGH)


@lru_cache(maxsize=4_096)  # each clause of a handoff is held against the same
def _counts(text: str) -> bool:
    return _COUNTS.search(text) is not None


@lru_cache(maxsize=4_096)
def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(text))


def other_days(phrases: Sequence[Phrase], told: Sequence[tuple[int, str]], body: str) -> Iterator[Deviation]:
    """Yield days of the week, and how often, that nobody named where another one was named that the handoff lacks."""
    named = [shape for shape in (*DAYS, *PERIODS) if shape.search(body)]
    whole = "\n".join(text for _, text in told) if named else ""
    small = fold_case(whole)
    for shapes, is_day in ((DAYS, True), (PERIODS, False)):
        asked = [shape for shape in shapes if shape in named]
        if all(is_in(shape, whole, small) for shape in asked):
            continue
        said = {at for at, shape in enumerate(shapes) if is_in(shape, whole, small)}
        missing = {at for at in said if shapes[at] not in asked}
        if not missing or (is_day and is_in(RELATIVE, whole, small)):
            continue
        if is_day:
            said |= set(_days_of_dates(whole))
        for phrase in phrases:
            for at, shape in enumerate(shapes):
                match = shape.search(phrase.text)
                if match is None or at in said or phrase.mode is Mode.OWN:
                    continue
                if found := _named_instead(
                    phrase, [shapes[one] for one in sorted(missing)], told, len(missing)
                ):
                    message, word, line = found
                    yield Deviation(
                        Grade.CONTRADICTS, "date" if is_day else "duration", match.group(), phrase.text[:400],
                        "other-day", word, line[:400], message or None,
                    )  # fmt: skip


def _days_of_dates(text: str) -> Iterator[int]:
    for year, month, day in set(_FULL_DATE.findall(text)):
        try:
            yield date(int(year), int(month), int(day)).weekday()
        except ValueError:
            continue


def _named_instead(
    phrase: Phrase, shapes: Sequence[re.Pattern[str]], told: Sequence[tuple[int, str]], count: int
) -> tuple[int, str, str] | None:
    for message, text in told:
        for shape in shapes:
            for match in shape.finditer(text):
                line = text[max(0, match.start() - 100) : match.end() + 100]
                if count == 1 or telling_words(line) & phrase.words:
                    return message, match.group(), line
    return None


def _turned(phrase: Phrase, said: Spoken, *, is_grave: bool = False) -> Deviation:
    return Deviation(
        Grade.CONTRADICTS, "opposite", phrase.text[:400], phrase.text[:400], "other-side", said.text[:400], said.text[:400],
        said.message or None, is_grave,
    )  # fmt: skip


_VALUE = r"[`\"']?(\d[\w.,:]{0,80}(?: ?(?:s|ms|MB|GB|KB|%|min|h|€|USD|EUR))?|v\d[\w.]{0,40}|[_-]{0,2}[^\W_]{1,80}(?:[._-]{1,2}[^\W_]{1,80}){1,15})[`\"']?"
_FIRST = _VALUE.replace(r"[_-]{0,2}", r"[_-]{0,2}(?<![^\W_])")
"""Names are read from where they begin: else a long one is read again from each of its letters."""
_FROM_TO = late_pattern(
    rf"(?:\b(?:from|von|de|da|от|с|со)\s+)?{_FIRST}(?=[\s→=か改到에-]|\b\w)\s*(?:->|→|=>|\b(?:to|auf|bis|a|à|para|до|на)\b|から|改为|改成|到|에서)\s*{_VALUE}",
    re.I,
)


def swapped_ends(body: str, told: Sequence[tuple[int, str]]) -> Iterator[Deviation]:
    """Yield `from A to B` where it is told as from B to A, and never so."""
    known: dict[tuple[str, str], tuple[int, str]] = {}
    changes = list(_FROM_TO.finditer(body))
    pairs = [(match[1].lower().strip(_ENDS), match[2].lower().strip(_ENDS)) for match in changes]
    for message, text in told if pairs else ():
        lowered = text.lower()
        if not any(one in lowered and other in lowered for one, other in pairs):
            continue
        for match in _FROM_TO.finditer(text):
            known.setdefault((_bare(match[1]), _bare(match[2])), (message, match.group()))
        for old, new in _edits(text):
            known.setdefault((_bare(old), _bare(new)), (message, f"{old} -> {new}"))
    for match in changes:
        ends = _bare(match[1]), _bare(match[2])
        if ends[0] != ends[1] and ends not in known and (found := known.get(ends[::-1])):
            line = match.group()
            yield Deviation(
                Grade.CONTRADICTS, "order", line, line, "swapped-ends", found[1], found[1], found[0] or None
            )


_ENDS: Final = " .,:`'\""


def _edits(text: str) -> Iterator[tuple[str, str]]:
    """Yield the value that an edit took out and the one it put in, of diffs and of calls that replace a text."""
    for shape in (_CALLED, _DIFF):
        for match in shape.finditer(text):
            old, new = _TOKEN.findall(match[1]), _TOKEN.findall(match[2])
            gone, come = [one for one in old if one not in new], [one for one in new if one not in old]
            if len(gone) == len(come) == 1 and len(old) > 1:
                yield gone[0], come[0]


_CALLED = late_pattern(
    r'"old\w{0,10}"\s?:\s?"([^\n]{1,200}?)"\s?,\s?"new\w{0,10}"\s?:\s?"([^\n]{1,200}?)"\s?[,}]'
)
_DIFF = late_pattern(r"^-(?!--)([^\n]{1,200})\n\+(?!\+\+)([^\n]{1,200})", re.M)
_TOKEN = late_pattern(r"[\w.-]*\w")


def _bare(value: str) -> str:
    return value.casefold().strip(_ENDS).replace(" ", "")
