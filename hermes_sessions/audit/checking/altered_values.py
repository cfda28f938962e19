"""Values of a handoff that its source does not hold, and the value each most likely was.

A value that can be worked out (a sum, a share, a count) and one that is only planned is
no deviation. Where another value clearly stood in its place the handoff contradicts it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hermes_sessions.audit.checking.contexts import (
    edits,
    is_misread,
    is_misspelt,
    is_renamed,
    is_scaled,
    is_swapped,
    word_behind,
    words_beside,
)
from hermes_sessions.audit.checking.derived import is_derivable, is_total_of
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.newer_values import find_newer
from hermes_sessions.audit.checking.passages import Mode, Passage, is_target
from hermes_sessions.audit.checking.source_index import (
    EXIT,
    PATHS,
    QUANTITIES,
    RELEASE,
    TOKEN,
    SourceIndex,
    Told,
    is_physical,
    same_unit,
)
from hermes_sessions.facts.amounts import NUMBER_WORDS, read_amount
from hermes_sessions.facts.compare import Likeness
from hermes_sessions.facts.equivalence import equal_by, outcome, spelled
from hermes_sessions.facts.extract import extract_text_facts
from hermes_sessions.facts.kinds.outcomes import OF_ALL
from hermes_sessions.facts.slots import same_subject, subject_words
from hermes_sessions.facts.values import Fact

_WRITTEN: Final = frozenset(
    {"email", "host", "ip", "url", "id", "hash", "branch", "image", "identifier", "config", "name"}
)
"""Kinds that a summary can only copy: nobody works out an address."""

_TIMED: Final = frozenset({"date", "time"})
_CHECKED: Final = _WRITTEN | PATHS | _TIMED | QUANTITIES | {"version"}
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
_MAX_ONLY: Final = 3
_MOST_TIMES: Final = 12
_SPELLED = re.compile(
    r"\b([^\W\d_]{2,12})[ -](?:seconds?|minutes?|hours?|days?|weeks?|sekunden?|minuten?|stunden?|tagen?|wochen?|secondes?|heures?|jours?|semaines?|segundos?|minutos?|horas?|d[ií]as?|semanas?)\b",
    re.I,
)
_SURE: Final = frozenset({"same-key", "swapped"})
_PAIR = re.compile(
    r"(?<![\w./-])([A-Za-z]\w{0,40}_\w{1,40}|[A-Z][A-Z0-9]{3,40})[\"`']?"
    r"(?:\s?[:=]\s?[\"`']?|\s(?:from|von|de|da|с)\s[\d.]{1,12}\s(?:to|auf|a|à|para|на)\s|\s[\d.]{1,12}\s?(?:->|→)\s?)"
    r"(\d[\w.]{0,20}\w|\d)(?![\w.]\w)"
)
_COPIED: Final = _SURE | {"same-line", "same-noun", "misspelt"}
_DATE = re.compile(r"(?<![\w/.-])\d{1,2}([/.])\d{1,2}\1\d{4}(?![\w/-])")
_OUTCOME = re.compile(r"\d{1,6} (?:tests? )?(?:fail|pass|skip|error)\w*", re.I)
_BARE = re.compile(r"\d(?:[\d.,'\u00a0\u202f]{0,20}\d)?")
_WHOLE = re.compile(r"(?<!\w)\d+(?![^\W\d_]*\d)")
_CLOCK = re.compile(r"\d{1,2} ?[hH](?: ?\d\d)?")
_DIGITS = re.compile(r"(?<![\w.,:/#+-])\d[\d.,]{0,20}\d(?![\w/:-])|(?<![\w.,:/#+-])\d(?![\w/:.,-])")


class JudgedValue(NamedTuple):
    """A value of the handoff: its fact, and how its line is to be read."""

    fact: Fact
    mode: Mode


def altered_values(
    passages: Sequence[Passage], source: SourceIndex, handoff: SourceIndex
) -> Iterator[Deviation]:
    """Yield each value of the handoff that its source does not hold."""
    for asked in _asked(passages):
        fact = asked.fact
        if asked.mode is Mode.OWN:
            continue
        if fact.kind == "exit_code":
            yield from _altered_exit(fact, source)
        elif fact.kind in _CHECKED and (
            not _is_said(fact, source) or _is_counted_otherwise(fact, source, handoff)
        ):
            yield from _altered(_as_time(fact), asked.mode, source, handoff)
        elif newer := find_newer(fact, source, handoff):
            yield _contradiction(fact, newer, "superseded")


def _as_time(fact: Fact) -> Fact:
    """`22h30` is a time of day, whatever it was taken for."""
    return fact._replace(kind="time") if fact.kind == "duration" and _CLOCK.fullmatch(fact.value) else fact


def _altered(fact: Fact, mode: Mode, source: SourceIndex, handoff: SourceIndex) -> Iterator[Deviation]:
    found = _counterpart(fact, source, handoff)
    is_sure = found is not None and (found[1] in _SURE or _is_transposed(fact, found[0].fact))
    if not is_sure and is_worked_out(fact, source, handoff):
        return
    planned = mode is Mode.PLANNED or is_target(fact.text)
    if planned and (found is None or found[1] not in _COPIED):
        return
    if found is not None:
        yield _contradiction(fact, *found)
    elif mode is Mode.STATED:
        yield Deviation(Grade.NOT_VERBATIM, fact.kind, fact.value, fact.text, "not-said")


def _altered_exit(fact: Fact, source: SourceIndex) -> Iterator[Deviation]:
    code = re.findall(r"\d+", fact.value)[-1]
    if source.exit_codes and code not in source.exit_codes:
        other = f"exit code {min(source.exit_codes)}"
        yield Deviation(Grade.CONTRADICTS, "number", fact.value, fact.text, "exit-code", other, other, None)


def _is_transposed(fact: Fact, other: Fact) -> bool:
    """A share, or a number of three digits or more, with its digits in another order: no sum explains that."""
    digits = sum(map(str.isdigit, fact.value))
    return (fact.kind == other.kind == "percentage" or digits > 2) and is_swapped(fact.value, other.value)


def _asked(passages: Sequence[Passage]) -> Iterator[JudgedValue]:
    for mode in Mode:
        text = "\n".join(one.text for one in passages if one.mode is mode)
        facts = extract_text_facts(text)
        yield from (JudgedValue(fact, mode) for fact in facts)
        yield from (JudgedValue(fact, mode) for fact in (*_loose_numbers(text, facts), *_spelled_times(text)))


def _spelled_times(text: str) -> Iterator[Fact]:
    """Yield durations in words: `for two weeks`."""
    for line in text.split("\n"):
        for match in _SPELLED.finditer(line):
            if match[1].lower() in NUMBER_WORDS:
                yield Fact("duration", "", match.group(), line.strip()[:400], "assistant", 0.0, match.span())


def _loose_numbers(text: str, facts: Sequence[Fact]) -> Iterator[Fact]:
    """Yield numbers that are no part of a fact: the end of a card's number, a count without a noun."""
    taken = {digits for fact in facts if fact.kind in _CHECKED for digits in _WHOLE.findall(fact.value)}
    counted_in = {
        digits for fact in facts if fact.kind == "test_result" for digits in _WHOLE.findall(fact.value)
    }
    values = [fact.value for fact in facts if fact.kind in _CHECKED]
    for line in text.split("\n"):
        for match in _DIGITS.finditer(line):
            counted = None if line.endswith(OF_ALL, 0, match.start()) else _OUTCOME.match(line, match.start())
            known = counted_in if counted else taken
            if not known.issuperset(re.findall(r"\d+", match.group())):
                kind, value = ("test_result", counted.group()) if counted else ("number", match.group())
                yield Fact(kind, "", value, line.strip()[:400], "assistant", 0.0, match.span())
        yield from (
            Fact("exit_code", "", match.group(), line.strip()[:400], "assistant", 0.0, match.span())
            for match in EXIT.finditer(line)
        )
        for match in _PAIR.finditer(line):
            span = (match.start(2), match.end(2))
            yield Fact("config", match[1], match[2], line.strip()[:400], "assistant", 0.0, span)
        for kind, shape in (("date", _DATE), ("id", TOKEN), ("id", RELEASE)):
            for match in shape.finditer(line):
                value = match.group().strip(".,:;-")
                if not any(value in one for one in values):
                    yield Fact(kind, "", value, line.strip()[:400], "assistant", 0.0, match.span())


def _is_said(fact: Fact, source: SourceIndex) -> bool:
    """Return whether the source holds the value, as it is or in other words."""
    if fact.kind == "config" and fact.key:
        known = [one.fact for one in source.by_kind.get("config", ()) if same_subject(fact.key, one.fact.key)]
        if known:
            return any(equal_by("config", fact.value, one.value) for one in known) or source.sets(
                fact.key, fact.value
            )
    value = fact.value.strip("_*`") if fact.kind in PATHS else fact.value
    if source.says(fact.kind, value).likeness is not Likeness.ABSENT:
        return True
    if fact.kind in ("hash", "id", "email", "host"):
        return source.holds_whole(value)
    if fact.kind == "duration" and _CLOCK.fullmatch(fact.value):
        return source.says("time", fact.value).likeness is not Likeness.ABSENT
    if fact.kind == "number" and is_physical(fact.value) and source.holds_measure(fact.value):
        return True
    number = _BARE.search(fact.value)
    if fact.kind in ("number", "duration") and number is not None and _is_set(fact, number.group(), source):
        return True
    if fact.kind in ("number", "port", "money", "config") and (
        fact.kind == "money" or not is_physical(fact.value)
    ):
        return source.holds_number(re.sub(r"[^\d.,]", "", fact.value))
    if fact.kind == "version" and " " not in fact.value:
        return source.holds_number(fact.value.lstrip("v"))
    return False


def _is_counted_otherwise(fact: Fact, source: SourceIndex, handoff: SourceIndex) -> bool:
    """Return whether the source counts this noun once, with a number that the handoff does not hold."""
    number = _BARE.search(fact.value) if fact.kind == "number" and not is_physical(fact.value) else None
    noun = word_behind(fact.text, number.group()) if number else ""
    known = source.counted.get(noun, {}) if noun else {}
    if number is None or len(known) != 1 or number.group() in known:
        return False
    return not any(map(handoff.holds_number, known)) and not any(
        map(source.holds_text, spelled(f"{number.group()} {noun}"))
    )


def _is_set(fact: Fact, number: str, source: SourceIndex) -> bool:
    return source.holds_day(fact.value) or source.sets_number(number)


def is_worked_out(fact: Fact, source: SourceIndex, handoff: SourceIndex) -> bool:
    """Return whether the value is a sum, a share or a count of what the source or the handoff holds."""
    return fact.kind in QUANTITIES and (is_derivable(fact, source) or is_total_of(fact, handoff))


def _contradiction(fact: Fact, other: Told, rule: str) -> Deviation:
    grave = fact.kind == "test_result"
    return Deviation(
        Grade.CONTRADICTS,
        fact.kind,
        fact.value,
        fact.text,
        rule,
        other.fact.value,
        other.fact.text,
        other.message,
        grave,
    )


def _counterpart(fact: Fact, source: SourceIndex, handoff: SourceIndex) -> tuple[Told, str] | None:
    """Return what the source most likely says in this place, and by which rule it was found."""
    candidates = list(_candidates(fact, source))
    beside = words_beside(fact.text, fact.value)
    best: tuple[float, Told, str] | None = None
    missing: dict[str, Told] = {}
    for told in candidates:
        is_missing = not handoff.says_strictly(told.fact.kind, told.fact.value)
        if is_missing:
            missing.setdefault(told.fact.value, told)
        rule, score = _likeness(fact, told.fact, beside, is_missing=is_missing)
        if rule and (best is None or score > best[0]):
            best = (score, told, rule)
    if best is not None:
        return best[1], best[2]
    if fact.kind == "id" and not fact.weight:
        return _misspelt_token(fact, source, handoff)
    if fact.kind == "number" and not is_physical(fact.value) and (found := _same_noun(fact, source, handoff)):
        return found, "swapped" if is_swapped(fact.value, found.fact.value) else "same-noun"
    if fact.kind in ("number", "duration", "port") and (found := _misread(fact, source, handoff)):
        return found, "misspelt"
    if fact.kind in _ONLY or (fact.kind == "number" and is_physical(fact.value)):
        alike = [told for value, told in missing.items() if _unit(value) == _unit(fact.value)]
        left = alike or [told for told in missing.values() if _is_of_one_size(fact, told.fact)]
        return (left[0], "only-value") if 0 < len(left) <= _MAX_ONLY else None
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
    return "".join(sign for sign in value if not (sign.isdigit() or sign in " .,'-")).casefold()


def _misspelt_token(fact: Fact, source: SourceIndex, handoff: SourceIndex) -> tuple[Told, str] | None:
    if source.holds_text(fact.value):
        return None
    for word, told in source.tokens.items():
        if is_misspelt(fact.value, word) and not handoff.holds_text(word):
            return told, "misspelt"
    return None


def _same_noun(fact: Fact, source: SourceIndex, handoff: SourceIndex) -> Told | None:
    """Return the one other number that the source has before the same word."""
    number = _BARE.search(fact.value)
    noun = word_behind(fact.text, number.group()) if number else ""
    known = source.counted.get(noun, {})
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
    return number in index.counted.get(noun, {})


def _misread(fact: Fact, source: SourceIndex, handoff: SourceIndex) -> Told | None:
    """Return the number of the source, fact or not, that this one is with a digit wrong."""
    number = _BARE.search(fact.value)
    for other, told in source.numbers.items() if number else ():
        if number and is_misread(number.group(), other) and not handoff.holds_number(other):
            return told
    return None


def _candidates(fact: Fact, source: SourceIndex) -> Iterator[Told]:
    kinds = PATHS if fact.kind in PATHS else {fact.kind}
    if fact.kind == "port":
        kinds = {"port", "config"}
    if fact.kind == "number" and not fact.weight:
        kinds = QUANTITIES
    if fact.kind in ("id", "hash"):
        kinds = {"id", "hash"}
    for kind in kinds:
        for told in source.by_kind.get(kind, ()):
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
        word_behind(one.text, found.group()) for one in (fact, other) if (found := _BARE.search(one.value))
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
