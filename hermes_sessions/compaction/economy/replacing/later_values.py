"""Old values beside newer ones: which line tells later what another one told, and both as one line. Pure.

*Lend it to Brask hall* and later *correction, Brask hall: ...*: a line that surely replaces another takes its
place. Where that is not sure, both stay, and the old one must not read as current: the later one stands in
its line, *old text [later: new text]*. Nothing is lost if that was not meant.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from hermes_sessions.compaction.economy.fact_lines import LATER, FactLine
from hermes_sessions.compaction.economy.printed_rows import is_prose, loss_of_row
from hermes_sessions.compaction.economy.wording.changing_words import closed_class, corrects, says_change
from hermes_sessions.compaction.economy.wording.joined_names import JOINED_NAME
from hermes_sessions.facts.values import FactKind
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

Scored = tuple[FactLine, float]

_RANKS: Final = {Role.TOOL.value: 0, Role.ASSISTANT.value: 1, Role.SYSTEM.value: 2, Role.USER.value: 2}
_WORTH: Final = 2.0
"""What scores less is seldom in a handoff, but the user's word on something counts."""
_MOST_CHARS: Final = 200
_MOST_LATER: Final = 2
_OFTEN: Final = 12
"""A word in more lines than these tells nothing about which thing is meant."""

_SOME_WORDS: Final = 3
_LONG: Final = 8
_STEM: Final = 6
"""So much of a Russian word counts: what follows tells its case."""
_SAME_SHARE: Final = 0.8
_JOINED: Final = late_pattern(r"(?<![\w/.-])[A-Za-z]{3,40}\w{0,40}(?:[-_/.]\w{1,40}){1,8}")
_HOST: Final = late_pattern(
    r"(?<![\w./-])(?:\d{1,3}(?:\.\d{1,3}){3}|[a-z0-9-]{1,40}(?:\.[a-z0-9-]{1,40}){1,4}\.[a-z]{2,8})(?![\w./-])"
)
_SENTENCES: Final = late_pattern(r"[.!?。！？]\s*[^\s.!?。！？]{2}")
_COUNTED: Final = late_pattern(r"(?<!\w)\d[\d.,:-]*(?: ?[A-Za-z]{1,12}(?!\w))?")
"""A number with what it counts: no word for a thing."""
_HAN: Final = late_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_WORD: Final = late_pattern(JOINED_NAME.pattern + r"|[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{3,}")
_VALUES: Final[Mapping[str, re.Pattern[str]]] = {
    "day": late_pattern(
        r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)|\d{1,2}\s?月\s?\d{1,2}\s?日"
        r"|(?<!\d)\d{1,2}\. ?\d{1,2}\. ?(?:\d{4})?(?!\d)"
        r"|(?<!\d)\d{1,2}\.? (?:de |do |d['’])?[^\W\d_]{3,10}\.?(?:(?: de| do)? \d{4})?(?![\w-])"
    ),
    "time": late_pattern(r"(?<![\d.:/-])\d{1,2}:\d\d(?![\d:])"),
    "code": late_pattern(
        r"(?<![\w/-])(?=[A-Za-z0-9/-]{0,40}\d)(?=\d{0,20}[A-Za-z])[A-Za-z0-9]+(?:[/-][A-Za-z0-9]+)*(?![\w/-])"
    ),
    "number": late_pattern(
        r"(?<![\w.,/-])\d[\d.,\u00a0]*(?<![.,])(?![\w/-])|(?<=[\u3040-\u9fff])\d[\d.,]*(?<![.,])|(?<![\w.,/-])\d[\d.,]*(?=[\u3040-\u9fff])"
    ),
    "name": late_pattern(r"(?<![\w'’-])[^\W\d_a-zß-ÿ][^\W\d_]+(?: [^\W\d_a-zß-ÿ][^\W\d_]+){1,2}(?![\w'’-])"),
}


class _SaidOf(NamedTuple):
    """What a line says: its words, and the things in it whose names are written together."""

    words: tuple[str, ...]
    known: frozenset[str]
    things: frozenset[str]


def later_values(lines: Sequence[FactLine]) -> dict[int, int]:
    """Return for lines that a later one may correct the place of that one; each corrects one line at most.

    Both name the same thing, by words that are rare among the lines. The later one says that it corrects
    or changes something, or is the same sentence with another value; its speaker is the same or above.
    """
    told = {place: _read(line.text.partition(LATER)[0]) for place, line in enumerate(lines) if _is_said(line)}
    often = Counter(word for one in told.values() for word in one.known)
    holding: dict[str, list[int]] = {}
    found: dict[int, int] = {}
    for place, one in told.items():
        rare = [word for word in one.known if often[word] <= _OFTEN]
        near = {earlier for word in rare for earlier in holding.get(word, ()) if earlier not in found}
        likely = near if lines[place].at >= 0 else ()
        best = max(
            ((_likeness(lines, place, earlier, told, often), earlier) for earlier in likely),
            default=(0.0, -1),
        )
        if best[0] > 0:
            found[best[1]] = place
        for word in rare:
            holding.setdefault(word, []).append(place)
    return found


def with_later(
    rules: Sequence[FactLine], scored: Sequence[Scored], gain: float
) -> tuple[tuple[FactLine, ...], tuple[Scored, ...], frozenset[str]]:
    """Return rules and other lines with what was said of them later in them, and the texts of the old ones.

    Args:
        gain: what it adds to be corrected: somebody cared.
    """
    scores = dict(scored)
    worth = (line for line, score in scored if score >= _WORTH or line.speaker == Role.USER)
    lines = sorted((*rules, *worth), key=lambda line: line.at)
    told = {lines[old]: lines[new] for old, new in later_values(lines).items()}
    taken = frozenset(told.values())
    old_texts = {line.text.partition(LATER)[0] for line in told}
    found = []
    for line, score in scored:
        if line in taken or (line not in told and _holds_old(line, old_texts)):
            continue
        others = list(_following(line, told))
        score = max(score, *(scores.get(one, one.weight) for one in others)) + gain if others else score
        found.append((_joined(line, others), score))
    kept = tuple(_joined(rule, list(_following(rule, told))) for rule in rules)
    return kept, tuple(found), frozenset(line.text for line in told)


def _holds_old(line: FactLine, old_texts: Collection[str]) -> bool:
    """Whether a line is a whole message, or a row with its sign, that an old text is a sentence of."""
    if line.kind != FactKind.REQUEST and not line.text.startswith(("- ", "* ")):
        return False
    return any(text in line.text for text in old_texts)


def _following(line: FactLine, told: Mapping[FactLine, FactLine]) -> Iterator[FactLine]:
    while (later := told.get(line)) is not None:
        yield later
        line = later


def _joined(line: FactLine, others: Sequence[FactLine]) -> FactLine:
    text, slots = line.text, line.slots
    for later in others:
        text, slots = as_one(text, later.text), (*slots, *later.slots)
    return line._replace(text=text, slots=slots)


def as_one(old: str, new: str) -> str:
    """Return the line that holds an old text with what was said of it later, the newest two of that."""
    base, *before = old.split(LATER)
    kept = [*(text.removesuffix("]") for text in before), new.partition(LATER)[0]][-_MOST_LATER:]
    return base + "".join(f"{LATER}{text}]" for text in kept)


def _is_said(line: FactLine) -> bool:
    if line.kind in (FactKind.QUESTION, FactKind.COMMAND, FactKind.TEST_RESULT) or line.is_path:
        return False
    if line.speaker == Role.TOOL and not is_prose(line):
        return False
    bare = line.text.partition(LATER)[0]
    if loss_of_row(line) > 0 or "{" in bare or bare.count(";") > 1 or "|" in bare:
        return False
    if line.kind == FactKind.REQUEST and _SENTENCES.search(bare):
        return False  # its sentences are lines, too
    return len(bare) <= _MOST_CHARS and (" " in bare or not bare.isascii())


@lru_cache(maxsize=16_384)
def _read(text: str) -> _SaidOf:
    # Names that are written together are of things, whatever digits are in them.
    rest = _HOST.sub(" ; ", text) if "." in text else text
    things = [name.lower() for name in _JOINED.findall(rest)]
    if things:
        rest = _JOINED.sub(" ", rest)
    rest = _COUNTED.sub(" ; ", rest)
    words = things + [word for word in _WORD.findall(rest.lower()) if not closed_class(word)]
    if not text.isascii():
        words = [word[:_STEM] if "а" <= word[0] <= "я" else word for word in words]
        for run in _HAN.findall(rest):
            pairs = (run[at : at + 2] for at in range(len(run) - 1))
            words += [pair for pair in pairs if not closed_class(pair)]
    return _SaidOf(tuple(words), frozenset(words), frozenset(things))


@lru_cache(maxsize=16_384)
def _values(text: str) -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    if hosts := frozenset(_HOST.findall(text)):
        found["address"] = hosts
    rest = _JOINED.sub(" ", _HOST.sub(" ; ", text))
    for kind, shape in _VALUES.items():
        if values := frozenset(shape.findall(rest)):
            found[kind] = values
            if kind != "name":
                rest = shape.sub(" ; ", rest)
    return found


def _likeness(
    lines: Sequence[FactLine], place: int, earlier: int, told: Mapping[int, _SaidOf], often: Mapping[str, int]
) -> float:
    """Return how much a line looks like a later word on an earlier one; 0 where it does not."""
    line, before = lines[place], lines[earlier]
    if (
        line.at < 0
        or before.at > line.at
        or _RANKS[line.speaker] < _RANKS[before.speaker]
        or line.text in before.text
    ):
        return 0.0
    if line.kind == before.kind == FactKind.CONSTRAINT:
        return 0.0  # another number may make another rule
    new, old = told[place], told[earlier]
    shared = new.known & old.known
    if not _is_one_thing(new.words, old.words, shared, often) or not _named_alike(new.things, old.things):
        return 0.0
    laid_down = line.speaker == Role.USER or line.kind == FactKind.DECISION
    told_again = laid_down and len(shared) >= _SAME_SHARE * max(len(new.known), len(old.known))
    correcting = corrects(line.text)
    if not (correcting or told_again or says_change(line.text)):
        return 0.0
    told_of, told_before = _values(line.text), _values(before.text.partition(LATER)[0])
    another = any(_changed(kind, told_of, told_before) for kind in told_of)
    if not (another or correcting):
        return 0.0
    # What it is set to by a correction may be a word of no kind.
    worth = 1.0 if not correcting else 2.0 if another else 0.5
    return worth + len(shared) + (0.5 if before.kind == FactKind.DECISION else 0.0) + earlier / (place + 1)


def _named_alike(new: frozenset[str], old: frozenset[str]) -> bool:
    """Whether two lines name the same things, where any has a name that is written together."""
    return new <= old or (bool(old) and old <= new)


def _changed(kind: str, new: Mapping[str, frozenset[str]], old: Mapping[str, frozenset[str]]) -> bool:
    """Whether both have one value of a kind, each another."""
    before, after = old.get(kind, frozenset()), new[kind]
    if kind == "name":
        before, after = before - after, after - before
        return len(before) == 1 and len(after) == 1
    return bool(after - before) and bool(before - after)


def _is_one_thing(
    new: Sequence[str], old: Sequence[str], shared: frozenset[str], often: Mapping[str, int]
) -> bool:
    """Whether two lines share two words that stand side by side, some rare words, or a long rare one."""
    rare = {word for word in shared if often[word] <= _OFTEN}
    if not rare:
        return False
    pairs = set(pairwise(new)) & set(pairwise(old))
    if any(one in rare or other in rare for one, other in pairs):
        return True
    return len(rare) >= _SOME_WORDS or any(len(word) >= _LONG or "-" in word or "_" in word for word in rare)
