"""Which lines a later one replaces: the same things in other words, a rule set anew or lifted. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.compaction.economy.fact_lines import PATH_KINDS, STATEMENT, WHOLE_KINDS, FactLine
from hermes_sessions.compaction.economy.printed_rows import is_prose
from hermes_sessions.compaction.economy.statements import TALK_KINDS
from hermes_sessions.compaction.economy.wording.assigned_words import assigned, gives_up, told_words
from hermes_sessions.compaction.economy.wording.joined_names import JOINED_NAME
from hermes_sessions.facts.equivalence import equal_by
from hermes_sessions.facts.slots import is_lifted, tells_of_lifting
from hermes_sessions.facts.values import FactKind
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_VALUED: Final = frozenset(
    {
        FactKind.PORT,
        FactKind.VERSION,
        FactKind.DATE,
        FactKind.MONEY,
        FactKind.DURATION,
        FactKind.PERCENTAGE,
        FactKind.NUMBER,
        FactKind.IP,
    }
)
_RANKS: Final = {Role.ASSISTANT.value: 1, Role.SYSTEM.value: 2, Role.USER.value: 2}
_TOLD_OFTEN: Final = 16
"""So many of the newest lines about one thing are looked at."""

_SAID_KINDS: Final = (FactKind.DECISION, FactKind.REQUEST)
_WORD = late_pattern(r"[^\W\d_]\w*")
_FEW: Final = 4
"""A name in more lines than these is no subject of its own."""

_ALONE: Final = TALK_KINDS | {FactKind.REQUEST, FactKind.QUESTION}
"""What shares the worth of no other line about its things."""

_SMALL: Final = frozenset(
    (
        *("the", "a", "an", "is", "are", "was", "were", "be", "of", "for", "to", "in", "on", "at", "and"),
        *("it", "now", "from", "this", "that", "our", "set", "make"),
        *("der", "die", "das", "den", "dem", "ist", "für", "auf", "im", "am", "vom"),
        *("le", "la", "les", "de", "du", "des", "est", "pour", "sur", "en", "el", "los", "es", "son", "para"),
        *("的", "是", "为", "改", "了", "在", "到"),
    )
)
_SET: Final = (FactKind.CONSTRAINT, FactKind.DECISION)

_AMOUNT = late_pattern(r"[$€£¥]\d[\d.,]*\d|[$€£¥]\d|(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
"""What a rule is said again with when it is changed: other numbers may tell two rules apart."""

_HAN = late_pattern(r"[\u3040-\u30ff\u3400-\u9fff]")


_LEAST_WORDS: Final = 2
_NOW: Final = late_pattern(
    r"(?i)\b(?:now|moved|changed|no longer|from now on|jetzt|nun|ab sofort|nicht mehr|désormais|maintenant"
    r"|ahora|ya no|ora|agora|теперь)\b|现在|改为|改成|今は|이제"
)
"""What says that a value is another one than before, where no name shows what it is of."""

_LONG_NUMBER: Final = late_pattern(r"(?<![A-Za-z0-9_.,])\d[\d.,]{2,20}\d(?![A-Za-z0-9_])")
_NOT_A_NUMBER: Final = late_pattern(
    r"(?i)(?:\b(?:not|instead of|rather than|no longer|nicht|statt|anstatt|pas|au lieu d[eu]|en vez de"
    r"|en lugar de|ya no|invece di|non|em vez de|não|не|вместо)\s(?:the |den |die |das |le |la |el |los )?"
    r"|不是|不再是|而不是)(?P<old>\d[\d.,]{2,20}\d)(?![A-Za-z0-9_])"
)
_LONG_WORD: Final = late_pattern(r"[^\W\d_\u3040-\u30ff\u3400-\u9fff]{4,}")


class _Sentence(NamedTuple):
    """What a line says: of which things, in which words, which value."""

    names: frozenset[str]
    words: frozenset[str]
    kind: str
    value: str


def replaced_lines(lines: Sequence[FactLine]) -> dict[int, int]:
    """Return the places of lines that a later one replaces, each with the place of that one.

    The later speaker is the same or above, both name the same things, and all the
    words of the earlier line stand in the later one. Where a line holds several values,
    or names nothing, its subject is not sure, and it stays.
    """
    replaced = {**_reworded(lines), **_corrected(lines)}
    known: dict[tuple[str, frozenset[str]], list[tuple[int, _Sentence]]] = {}
    for place, line in enumerate(lines):
        told = _told(line)
        if told is None:
            continue
        before = known.setdefault((told.kind, told.names), [])
        for earlier, other in before[-_TOLD_OFTEN:]:
            if (
                earlier not in replaced
                and other.words <= told.words
                and (told.names or _NOW.search(line.text))
                and _may_go(lines[earlier])
                and _RANKS[line.speaker] >= _RANKS[lines[earlier].speaker]
                and line.at >= lines[earlier].at
                and not equal_by(told.kind, other.value, told.value)
            ):
                replaced[earlier] = place
        before.append((place, told))
    return replaced


def _corrected(lines: Sequence[FactLine]) -> dict[int, int]:
    """The same where a later line gives a number up by naming it: *it is 98105, not 57711*."""
    holding: dict[str, list[int]] = {}
    replaced: dict[int, int] = {}
    for place, line in enumerate(lines):
        if line.speaker not in _RANKS or (" " not in line.text and line.text.isascii()):
            continue
        given_up = {_bare(number) for number in _NOT_A_NUMBER.findall(line.text)}
        for number in given_up:
            for earlier in holding.get(number, ())[-_TOLD_OFTEN:]:
                if _may_replace(line, lines[earlier]) and _share_a_word(line.text, lines[earlier].text):
                    replaced.setdefault(earlier, place)
        for number in {_bare(one) for one in _LONG_NUMBER.findall(line.text)} - given_up:
            holding.setdefault(number, []).append(place)
    return replaced


def _bare(number: str) -> str:
    return re.sub(r"\D", "", number)


def _share_a_word(one: str, other: str) -> bool:
    words = set(_LONG_WORD.findall(one.lower())) & set(_LONG_WORD.findall(other.lower()))
    return bool(words - _SMALL) or len(set(_HAN.findall(one)) & set(_HAN.findall(other))) > 1


def _reworded(lines: Sequence[FactLine]) -> dict[int, int]:
    """The same where the value is a word of no known kind: its attribute is named, or it is given up."""
    replaced: dict[int, int] = {}
    assigning: dict[frozenset[str], list[int]] = {}
    spoken: dict[frozenset[str], list[int]] = {}
    for place, line in enumerate(lines):
        if line.speaker not in _RANKS or " " not in line.text:
            continue
        sets, (things, gone) = assigned(line.text), gives_up(line.text)
        before = [
            *(at for at in _newest(assigning, sets.names if sets else None) if _sets_anew(lines[at], line)),
            *(at for at in _newest(spoken, things if gone else None) if _gives_up(lines[at].text, line.text)),
        ]
        for earlier in before:
            if earlier not in replaced and _may_replace(line, lines[earlier]):
                replaced[earlier] = place
        if sets:
            assigning.setdefault(sets.names, []).append(place)
        if names := told_words(line.text)[0]:
            spoken.setdefault(names, []).append(place)
    return replaced


def _newest(places: Mapping[frozenset[str], list[int]], names: frozenset[str] | None) -> Sequence[int]:
    """Return where these things were told of last."""
    return places.get(names, ())[-_TOLD_OFTEN:] if names else ()


def _may_replace(line: FactLine, before: FactLine) -> bool:
    may_go = _may_go(before) or before.kind in _SAID_KINDS
    return may_go and _RANKS[line.speaker] >= _RANKS[before.speaker] and line.at >= before.at


def _sets_anew(old: FactLine, new: FactLine) -> bool:
    """Whether both give one attribute of the same things a value, each another."""
    before, after = assigned(old.text), assigned(new.text)
    if before is None or after is None or before.value == after.value:
        return False
    return before.attribute <= after.attribute and before.value not in after.attribute


def _gives_up(old: str, new: str) -> bool:
    """Whether a later sentence about the same things gives up by name what the earlier one tells."""
    (names, words), (_, given_up) = told_words(old), gives_up(new)
    gone = words & given_up
    about = len(names) > 1 or bool((words & told_words(new)[1]) - gone)
    return bool(gone) and about and not gone & gives_up(old)[1]


def _may_go(line: FactLine) -> bool:
    return line.kind == STATEMENT or line.kind not in WHOLE_KINDS


def _told(line: FactLine) -> _Sentence | None:
    if line.speaker not in _RANKS or line.kind == FactKind.CONSTRAINT:
        return None
    values = {(fact.kind, fact.value) for fact in line.slots if fact.kind in _VALUED}
    return _read(line.text, *values.pop()) if len(values) == 1 else None


@lru_cache(maxsize=16_384)
def _read(text: str, kind: str, value: str) -> _Sentence | None:
    bare = text.replace(value, " ")
    names = frozenset(name.lower() for name in JOINED_NAME.findall(bare))
    rest = JOINED_NAME.sub(" ", bare).lower()
    words = {*_WORD.findall(_HAN.sub(" ", rest)), *_HAN.findall(rest)} - _SMALL
    sure = bool(names and words) or len(words) >= _LEAST_WORDS
    return _Sentence(names, frozenset(words), kind, value) if sure else None


def not_set_anew(lines: Sequence[FactLine]) -> list[FactLine]:
    """Return *lines*, oldest first, without rules and decisions that the same speaker set anew.

    That is: said again later, to the letter, with another amount of money or another date.
    """
    newest = {_apart_from_amounts(line): place for place, line in enumerate(lines) if line.kind in _SET}
    return [
        line
        for place, line in enumerate(lines)
        if line.kind not in _SET or newest[_apart_from_amounts(line)] == place
    ]


def _apart_from_amounts(rule: FactLine) -> tuple[str, str]:
    return rule.speaker, _AMOUNT.sub("#", rule.text)


def in_force(rules: Sequence[FactLine], said: Sequence[tuple[int, str, str]]) -> list[FactLine]:
    """Return the rules that nobody lifted later; what sets a rule lifts no other."""
    set_at: dict[int, list[str]] = {}
    for rule in rules:
        set_at.setdefault(rule.at, []).append(rule.slots[0].value)
    lifting = []
    for index, speaker, text in said:
        if tells_of_lifting(text):
            for rule_text in set_at.get(index, ()):
                text = text.replace(rule_text, " ")
            lifting.append((index, speaker, text))
    return [
        rule
        for rule in rules
        if not any(
            index > rule.at and is_lifted(rule.slots[0], text, speaker) for index, speaker, text in lifting
        )
    ]


def each_once(lines: Iterable[FactLine]) -> list[FactLine]:
    """Return each text once, under its weightiest kind and speaker; a path under its weightiest use."""
    best: dict[str, FactLine] = {}
    for line in lines:
        known = best.get(line.text)
        if known is None or line.weight > known.weight:
            best[line.text] = line
    changed = {line.text for line in best.values() if line.kind in PATH_KINDS}
    named = {path for path in changed if not path.startswith("/")}
    return [line for line in best.values() if not _named_better(line, named)]


def _named_better(line: FactLine, relative: set[str]) -> bool:
    """Whether an absolute path is listed by its relative form already."""
    if not line.is_path or not line.text.startswith("/"):
        return False
    parts = line.text.split("/")
    return any("/".join(parts[at:]) in relative for at in range(2, len(parts) - 1))


def in_step(
    rules: Sequence[FactLine], scored: Sequence[tuple[FactLine, float]]
) -> Iterator[tuple[FactLine, float]]:
    """Give lines about one thing the score of the best of them.

    Which of them replaces the other may not be sure; the earlier one alone would stand as current.
    """
    spoken = [
        (line, score, JOINED_NAME.findall(line.text))
        for line, score in (*((rule, rule.weight) for rule in rules), *scored)
        if (line.speaker != Role.TOOL or is_prose(line)) and not line.is_path and line.kind not in _ALONE
    ]
    often = Counter(name for _, _, names in spoken for name in set(names))
    best: dict[object, float] = {}
    for line, score, names in spoken:
        for name in names:
            key = name if often[name] <= _FEW else (line.kind, name)
            best[key] = max(score, best.get(key, score))
    named = {line: names for line, _, names in spoken}
    for line, own in scored:
        alike = (best.get(name, best.get((line.kind, name), own)) for name in named.get(line, ()))
        yield line, max((own, *alike))
