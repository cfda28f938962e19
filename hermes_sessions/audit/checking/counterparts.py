"""What the source most likely says where a handoff has a value that the source does not hold."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import inf, log
from typing import Final

from hermes_sessions.audit.checking.contexts import (
    edits,
    has_two_exchanged,
    is_misread,
    is_misspelt,
    is_renamed,
    is_scaled,
    is_swapped,
    word_behind,
    words_beside,
)
from hermes_sessions.audit.checking.near_values import ComparedPairs
from hermes_sessions.audit.checking.newer_values import proposes
from hermes_sessions.audit.checking.slot_context import in_same_slot
from hermes_sessions.audit.sources.source_index import PATHS, QUANTITIES, SourceIndex
from hermes_sessions.audit.sources.written_text import Told
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.facts.equivalence import equal_by, outcome
from hermes_sessions.facts.page import line_around
from hermes_sessions.facts.quantities.amounts import PHYSICAL, is_physical, read_amount, same_unit
from hermes_sessions.facts.slots import same_subject, subject_words
from hermes_sessions.facts.values import Fact
from hermes_sessions.late_patterns import late_pattern

_ONLY: Final = frozenset(
    {
        "port",
        "ip",
        "email",
        "host",
        "branch",
        "money",
        "date",
        "time",
        "duration",
        "version",
        "percentage",
        "image",
    }
)
_NUMERIC: Final = QUANTITIES | {"port", "version", "time", "date"}
_COUNTABLE: Final = frozenset({"number", "money", "port", "test_result", "duration", "percentage"})
_FEW_DIGITS: Final = 2
_LONG_DIGITS: Final = 5
_TRANSPOSED: Final = 3.0
_MISREAD: Final = 1.0
_PROPOSED: Final = 0.25
_MAX_ONLY: Final = 3
_MOST_TIMES: Final = 12
_USUAL_NAMES: Final = late_pattern(
    r"(?:readme|index|main|__init__|mod|config|settings|values|package|makefile|license|changelog|app|test)\b",
    re.I,
)
"""Names that files of many folders have."""
BARE_NUMBER = late_pattern(r"\d(?:[\d.,'\u00a0\u202f]{0,20}\d)?")
"""A number without its unit."""


def find_counterpart(
    fact: Fact, source: SourceIndex, handoff: SourceIndex, pairs: ComparedPairs
) -> tuple[Told, str] | None:
    """Return what the source most likely says in this place, and by which rule it was found.

    Where *pairs* are too many, only what has most in common with *fact* is looked at, and nothing is told of
    what the source does not have.
    """
    if found := _exchanged_digits(fact, source, handoff):
        return found, "misspelt"
    kinds = _kinds_like(fact)
    is_whole = pairs.take(sum(len(source.by_kind.get(kind, ())) for kind in kinds))
    known = (
        (told for kind in sorted(kinds) for told in source.by_kind.get(kind, ()))
        if is_whole
        else (told for told in pairs.near(fact) if told.fact.kind in kinds)
    )
    candidates = list(_candidates(fact, known))
    beside = words_beside(fact.text, fact.value)
    best: tuple[float, Told, str] | None = None
    missing: dict[str, Told] = {}
    for told in candidates:
        is_missing = not handoff.says_strictly(told.fact.kind, told.fact.value)
        if is_missing:
            missing.setdefault(told.fact.value, told)
        rule, score = _likeness(fact, told.fact, beside, is_missing=is_missing)
        if not rule:
            continue
        score += _nearness(fact, told, rule)
        if best is None or (score, told.message) >= (best[0], best[1].message):
            best = (score, told, rule)
    if best is not None:
        return best[1], best[2]
    in_place = _in_place(fact, candidates, source, handoff) if is_whole else None
    return (
        in_place
        or _misread_last(fact, source, handoff, pairs)
        or (_only_one(fact, missing) if is_whole else None)
    )


def _in_place(
    fact: Fact, candidates: Sequence[Told], source: SourceIndex, handoff: SourceIndex
) -> tuple[Told, str] | None:
    """Return what stands in the same place: the same folder, the same setting, the same bound."""
    if fact.kind in PATHS and (found := _in_same_folder(fact, candidates, source, handoff)):
        return found, "same-folder"
    if fact.kind in PATHS and (found := _of_same_name(fact, candidates, source, handoff)):
        return found, "same-name"
    if fact.kind == "config" and fact.key:
        return _set_otherwise(fact, source)
    if fact.kind in ("time", "date") and (found := in_same_slot(fact, candidates)):
        return found, "same-slot"
    return None


def _misread_last(
    fact: Fact, source: SourceIndex, handoff: SourceIndex, pairs: ComparedPairs
) -> tuple[Told, str] | None:
    """Return what is the value with a sign wrong, or counts the same."""
    if fact.kind == "id" and not fact.weight:
        return _misspelt_token(fact, source, handoff, pairs)
    if fact.kind == "number" and not is_physical(fact.value) and (found := _same_noun(fact, source, handoff)):
        return found, "swapped" if is_swapped(fact.value, found.fact.value) else "same-noun"
    if fact.kind == "duration" and (other := source.loose.other_length(fact, handoff.loose)):
        return Told(fact._replace(value=other[0], text=other[0]), other[1]), "misspelt"
    if fact.kind in ("number", "duration", "port") and (found := _misread(fact, source, handoff)):
        return found, "misspelt"
    return None


def _only_one(fact: Fact, missing: Mapping[str, Told]) -> tuple[Told, str] | None:
    """Return the only one of its kind that is missing, or of three the one nearest in size."""
    if fact.kind not in _ONLY and not (fact.kind == "number" and is_physical(fact.value)):
        return None
    sized = [told for told in missing.values() if _is_of_one_size(fact, told.fact)]
    left = [told for told in sized if _unit(told.fact.value) == _unit(fact.value)] or sized
    return (min(left, key=partial(_distance, fact)), "only-value") if 0 < len(left) <= _MAX_ONLY else None


def _nearness(fact: Fact, told: Told, rule: str) -> float:
    """Return what makes one candidate more likely than another: its spelling; less so where it is only proposed."""
    proposed = _PROPOSED if proposes(told) else 0.0
    if rule == "same-key" or fact.kind not in _NUMERIC:
        return -proposed
    if is_swapped(fact.value, told.fact.value) and sum(map(str.isdigit, fact.value)) > _FEW_DIGITS:
        return _TRANSPOSED - proposed
    return (_MISREAD if is_misread(fact.value, told.fact.value) else 0.0) - proposed


def _distance(fact: Fact, told: Told) -> float:
    """Return how far two quantities are apart, as what one is times the other."""
    sizes = [one.number for value in (fact.value, told.fact.value) for one in read_amount(value)[:1]]
    return abs(log(sizes[0] / sizes[1])) if len(sizes) == 2 and min(sizes) > 0 else inf


def _in_same_folder(
    fact: Fact, candidates: Sequence[Told], source: SourceIndex, handoff: SourceIndex
) -> Told | None:
    """Return the one file of the same folder and ending that the handoff lacks, where nothing has this name."""
    folder, _, name = fact.value.rpartition("/")
    ending = name.rpartition(".")[2] if "." in name else ""
    if not folder or not ending or source.holds_text(name):
        return None
    about = read_terms(fact.text.replace(fact.value, " ")).all
    beside = [
        told
        for told in candidates
        if told.fact.value.rpartition("/")[0] == folder
        and told.fact.value.endswith(f".{ending}")
        and not handoff.holds_text(told.fact.value.rpartition("/")[2])
        and not _is_further(name, told.fact.value.rpartition("/")[2])
    ]
    if len({told.fact.value for told in beside}) != 1:
        return None
    return next(
        (one for one in beside if about & read_terms(one.fact.text.replace(one.fact.value, " ")).all), None
    )


def _of_same_name(
    fact: Fact, candidates: Sequence[Told], source: SourceIndex, handoff: SourceIndex
) -> Told | None:
    """Return the one file of the same name in another folder, which the handoff does not name: no short form of it."""
    folder, _, name = fact.value.rpartition("/")
    if not folder or "." not in name[1:] or _USUAL_NAMES.match(name) or source.holds_text(fact.value):
        return None
    alike = {one.fact.value: one for one in candidates if one.fact.value.rpartition("/")[2] == name}
    if len(alike) != 1:
        return None
    (found,) = alike.values()
    own, other = folder.strip("./~").split("/"), found.fact.value.rpartition("/")[0].strip("./~").split("/")
    is_short = set(own) <= set(other) or set(other) <= set(own)
    is_new = other == [""] or handoff.holds_text(found.fact.value)
    return None if is_short or is_new else found


def _is_further(name: str, other: str) -> bool:
    """Whether one name only says more than the other: `report_de.txt` is a file beside `report.txt`."""
    own, beside = name.rpartition(".")[0], other.rpartition(".")[0]
    return own.startswith(beside) or beside.startswith(own)


def _set_otherwise(fact: Fact, source: SourceIndex) -> tuple[Told, str] | None:
    """Return the last value that stands behind the name of a setting, in an edit or a line of code, if that is another."""
    shape = re.compile(
        rf"(?<![\w.-]){re.escape(fact.key.rpartition('.')[2])}[\"'`]?\s?[:=]\s?[\"'`]?(\d[\w.]{{0,20}})", re.I
    )
    for message, text in reversed(source.texts):
        for match in reversed(list(shape.finditer(text))):
            start, end = line_around(text, *match.span(1))
            told = Told(fact._replace(value=match[1], text=text[start:end].strip()[:400]), message)
            if not proposes(told):
                return None if equal_by("config", fact.value, match[1]) else (told, "same-key")
    return None


def _is_of_one_size(fact: Fact, other: Fact) -> bool:
    """Whether two durations may be meant for each other: hours are not mistaken for milliseconds."""
    if fact.kind != "duration":
        return True
    sizes = [
        one.number for value in (fact.value, other.value) for one in read_amount(value)[:1] if one.number
    ]
    return len(sizes) == 2 and max(sizes) / min(sizes) <= _MOST_TIMES


def _unit(value: str) -> str:
    for amount in read_amount(value):
        if amount.unit in PHYSICAL:
            return amount.unit
    return "".join(sign for sign in value if not (sign.isdigit() or sign in " .,'-")).casefold()


def _misspelt_token(
    fact: Fact, source: SourceIndex, handoff: SourceIndex, pairs: ComparedPairs
) -> tuple[Told, str] | None:
    if source.holds_text(fact.value):
        return None
    is_whole = pairs.take(len(source.tokens))
    for told in source.tokens.values() if is_whole else pairs.near_tokens(fact):
        if is_misspelt(fact.value, told.fact.value) and not handoff.holds_text(told.fact.value):
            return told, "misspelt"
    return None


def _same_noun(fact: Fact, source: SourceIndex, handoff: SourceIndex) -> Told | None:
    """Return the one other number that the source has before the same word."""
    number = BARE_NUMBER.search(fact.value)
    noun = word_behind(fact.text, number.group()) if number else ""
    known = source.counted(noun)
    if not noun or number is None or number.group() in known:
        return None
    missing = [told for value, told in known.items() if not _counts(handoff, noun, value)]
    close = [told for told in missing if is_swapped(number.group(), told.fact.value)]
    if close:
        return close[0]
    beside = words_beside(fact.text, fact.value)
    alike = [told for told in missing if len(beside & words_beside(told.fact.text, told.fact.value)) >= 2]
    return alike[0] if len(missing) <= _MAX_ONLY - 1 and alike else None


def _counts(index: SourceIndex, noun: str, number: str) -> bool:
    return number in index.counted(noun)


def _exchanged_digits(fact: Fact, source: SourceIndex, handoff: SourceIndex) -> Told | None:
    """Return the number of the source that *fact* has with two digits exchanged, where the words beside it agree."""
    number = BARE_NUMBER.search(fact.value) if fact.kind in _COUNTABLE else None
    if number is None:
        return None
    beside = words_beside(fact.text, fact.value)
    for other in source.numbers_of_digits(number.group()):
        if not has_two_exchanged(number.group(), other) or handoff.holds_number(other):
            continue
        told = source.number(other)
        if len(other) > _LONG_DIGITS or beside & words_beside(told.fact.text, told.fact.value):
            return told
    return None


def _misread(fact: Fact, source: SourceIndex, handoff: SourceIndex) -> Told | None:
    """Return the number of the source, fact or not, that this one is with a digit wrong."""
    number = BARE_NUMBER.search(fact.value)
    for other in source.numbers_near(number.group()) if number else ():
        if number and is_misread(number.group(), other) and not handoff.holds_number(other):
            return source.number(other)
    return None


def _kinds_like(fact: Fact) -> frozenset[str]:
    """Return the kinds of facts that may have stood in the place of *fact*."""
    if fact.kind == "port":
        return frozenset({"port", "config"})
    if fact.kind == "number" and not fact.weight:
        return QUANTITIES
    if fact.kind in ("id", "hash"):
        return frozenset({"id", "hash"})
    return PATHS if fact.kind in PATHS else frozenset({fact.kind})


def _candidates(fact: Fact, known: Iterable[Told]) -> Iterator[Told]:
    for told in known:
        if equal_by(fact.kind, fact.value, told.fact.value):
            continue
        if fact.kind in QUANTITIES and fact.kind != "port" and not same_unit(fact.value, told.fact.value):
            continue
        if fact.kind == "test_result" and outcome(fact.value) != outcome(told.fact.value):
            continue
        yield told


def _likeness(fact: Fact, other: Fact, beside: frozenset[str], *, is_missing: bool) -> tuple[str, float]:
    """Return the rule by which *other* stood where *fact* stands now, '' for none, and how sure that is."""
    if (
        fact.key
        and other.key
        and fact.kind not in ("id", "hash", "url", "command", "file_changed")
        and _is_one_subject(fact, other)
    ):
        return "same-key", 4.0
    around = words_beside(other.text, other.value)
    shared = beside & around
    overlap = len(shared) / max(1, min(len(beside), len(around), 6))
    if len(shared) >= 2 and overlap >= 0.5 and _is_copied(fact, other, is_missing=is_missing):
        return "same-line", 2.0 + overlap + is_missing
    if fact.kind == "test_result" and is_missing:
        return "same-outcome", 2.0
    if fact.kind in PATHS or fact.kind in ("host", "email"):
        end = "/".join(other.value.split("/")[-1 - fact.value.count("/") :])
        letters = re.sub(r"\d", "0", fact.value.casefold()), re.sub(r"\d", "0", end.casefold())
        if len(fact.value) >= 8 and letters[0] != letters[1] and edits(*letters, 1) == 1:
            return "misspelt", 1.5
    if not is_missing or fact.kind in PATHS:
        return "", 0.0
    if fact.kind == "identifier" and is_renamed(fact.value, other.value):
        return "misspelt", 1.0
    if is_swapped(fact.value, other.value) and _is_of_one_noun(fact, other):
        return "swapped", 1.5
    close = (
        is_misread(fact.value, other.value)
        if fact.kind in QUANTITIES or fact.kind == "version"
        else is_misspelt(fact.value, other.value)
    )
    close = close or (
        fact.kind in QUANTITIES
        and (is_scaled(fact.value, other.value) or is_swapped(fact.value, other.value))
    )
    return ("misspelt", 1.0 + overlap) if close else ("", 0.0)


def _is_of_one_noun(fact: Fact, other: Fact) -> bool:
    """Return whether both count the same things, or are shares."""
    if fact.kind != "number" or other.kind != "number":
        return fact.kind == "percentage"
    nouns = {
        word_behind(one.text, found.group())
        for one in (fact, other)
        if (found := BARE_NUMBER.search(one.value))
    }
    return len(nouns) == 1 and nouns != {""}


def _is_one_subject(fact: Fact, other: Fact) -> bool:
    """Return whether both are of one subject; a setting may be named with its section or without."""
    if same_subject(fact.key, other.key):
        return True
    if fact.kind != "config" or other.kind != "config":
        return False
    short, long = sorted((subject_words(fact.key), subject_words(other.key)), key=len)
    return len(short) > 1 and short < long


def _is_copied(fact: Fact, other: Fact, *, is_missing: bool) -> bool:
    """Return whether a value of this kind, in the same words, should be the same."""
    if fact.kind in PATHS or fact.kind in ("identifier", "name", "number"):
        if fact.kind == "number":
            return is_missing
        return is_missing and is_misspelt(fact.value, other.value)
    return is_missing or fact.kind in ("port", "branch", "version", "image", "host", "ip")
