"""Values of a handoff that its source does not hold, and the value each most likely was.

A value that can be worked out (a sum, a share, a count) and one that is only planned is
no deviation. Where another value clearly stood in its place the handoff contradicts it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.checking.asked_values import CHECKED, JudgedValue
from hermes_sessions.audit.checking.contexts import is_swapped, word_behind
from hermes_sessions.audit.checking.counterparts import BARE_NUMBER, find_counterpart
from hermes_sessions.audit.checking.derived import is_day_told, is_derivable, is_total_of, is_written_bare
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.near_values import ComparedPairs
from hermes_sessions.audit.checking.newer_values import find_newer
from hermes_sessions.audit.checking.passages import Mode, is_target
from hermes_sessions.audit.checking.sentences import is_rest
from hermes_sessions.audit.sources.growth import has_grown
from hermes_sessions.audit.sources.loose_values import is_loosely_said
from hermes_sessions.audit.sources.source_index import PATHS, QUANTITIES, SourceIndex
from hermes_sessions.audit.sources.written_text import Told
from hermes_sessions.facts.compare import Likeness
from hermes_sessions.facts.equivalence import equal_by, spelled
from hermes_sessions.facts.quantities.amounts import is_physical, read_amount, read_days
from hermes_sessions.facts.slots import same_subject
from hermes_sessions.facts.values import Fact
from hermes_sessions.late_patterns import late_pattern

_SURE: Final = frozenset({"same-key", "swapped"})
_COPIED: Final = _SURE | {"same-line", "same-noun", "misspelt"}
_CURRENCIES: Final = frozenset({"eur", "usd", "gbp", "jpy", "cny", "rub", "chf"})
_OF_ONE_SIGN: Final = frozenset({"jpy", "cny"})
_SHORT: Final = 2
"""Numbers of so few digits stand anywhere."""
_WITH_MINUTES = late_pattern(r"\d{1,2} ?[hH] ?\d\d")
_CLOCK = late_pattern(r"\d{1,2} ?[hH](?: ?\d\d)?")


def altered_values(
    judged: Sequence[JudgedValue], source: SourceIndex, handoff: SourceIndex
) -> Iterator[Deviation]:
    """Yield each value of the handoff that its source does not hold."""
    pairs = ComparedPairs(source)
    for asked in judged:
        fact = asked.fact
        if asked.mode is Mode.OWN or (fact.kind == "name" and _is_label(fact)):
            continue
        if fact.kind == "money" and (other := _other_currency(fact, source)):
            yield _contradiction(fact, other, "other-unit")
        elif fact.kind == "exit_code":
            yield from _altered_exit(fact, source)
        elif fact.kind in CHECKED and (
            not _is_said(fact, source) or _is_counted_otherwise(fact, source, handoff)
        ):
            yield from _altered(_as_time(fact, source), asked.mode, source, handoff, pairs)
        elif newer := find_newer(fact, source, handoff):
            yield _contradiction(fact, newer, "superseded")


def _is_label(fact: Fact) -> bool:
    """Return whether a name is what a line, or its value, stands under: `Cause: a full disk`, `## Results`."""
    behind = fact.text[fact.text.find(fact.value) + len(fact.value) :]
    return behind.lstrip(" *_`")[:1] in (":", "：") or fact.text.strip(" *_#:") == fact.value


def _as_time(fact: Fact, source: SourceIndex) -> Fact:
    """`22h30` is a time of day, whatever it was taken for, unless the source has lengths that are written so."""
    if fact.kind != "duration" or _CLOCK.fullmatch(fact.value) is None:
        return fact
    lengths = [told.fact.value for told in source.by_kind.get("duration", ())]
    is_length = _WITH_MINUTES.fullmatch(fact.value) and any(map(_WITH_MINUTES.fullmatch, lengths))
    return fact if is_length else fact._replace(kind="time")


def _altered(
    fact: Fact, mode: Mode, source: SourceIndex, handoff: SourceIndex, pairs: ComparedPairs
) -> Iterator[Deviation]:
    found = find_counterpart(fact, source, handoff, pairs)
    if found is not None and _has_grown(fact, found[0]):
        found = None
    is_sure = found is not None and (found[1] in _SURE or _is_transposed(fact, found[0].fact))
    if not is_sure and is_worked_out(fact, source, handoff):
        return
    if (
        not is_sure
        and found is not None
        and fact.kind == "number"
        and is_rest(fact.value, found[0].fact.text)
    ):
        return
    planned = mode is Mode.PLANNED or is_target(fact.text)
    if planned and (found is None or found[1] not in _COPIED or found[0].fact.value in fact.text):
        return  # `from 118 to 119`: what is to be changed is named
    if found is not None:
        yield _contradiction(fact, *found)
    elif mode is Mode.STATED:
        yield Deviation(Grade.NOT_VERBATIM, fact.kind, fact.value, fact.text, "not-said")


def _has_grown(fact: Fact, former: Told) -> bool:
    """Return whether *fact* counts more than an older handoff did, or what is left: work went on since."""
    if former.message or fact.kind not in ("number", "test_result") or is_physical(fact.value):
        return False
    sizes = [one.number for value in (fact.value, former.fact.value) for one in read_amount(value)[:1]]
    if len(sizes) < 2:
        return False
    return has_grown(sizes[0], sizes[1], fact.text)


def _altered_exit(fact: Fact, source: SourceIndex) -> Iterator[Deviation]:
    code = re.findall(r"\d+", fact.value)[-1]
    if source.exit_codes and not source.holds_number(code):
        other = f"exit code {min(source.exit_codes)}"
        yield Deviation(Grade.CONTRADICTS, "number", fact.value, fact.text, "exit-code", other, other, None)


def _other_currency(fact: Fact, source: SourceIndex) -> Told | None:
    """Return an amount of the source, where it has amounts in other currencies alone."""
    own = {one.unit for one in read_amount(fact.value)} & _CURRENCIES
    known, units = source.by_kind.get("money", ()), source.money_units
    if not own or not units or not units <= _CURRENCIES or own & units:
        return None
    if own <= _OF_ONE_SIGN and units & _OF_ONE_SIGN:
        return None
    number = BARE_NUMBER.search(fact.value)
    if number is None or _stands_bare(number.group(), known, source):
        return None  # a list of prices may leave its currency out
    return next(iter(known))


def _stands_bare(number: str, known: Sequence[Told], source: SourceIndex) -> bool:
    """Return whether the source has a number of some digits, and never as an amount of money."""
    amounts = {one.number for one in read_amount(number)}
    is_money = any(
        not amounts.isdisjoint(one.number for one in read_amount(told.fact.value)) for told in known
    )
    return not is_money and sum(map(str.isdigit, number)) > _SHORT and source.holds_number(number)


def _is_transposed(fact: Fact, other: Fact) -> bool:
    """A share, or a number of three digits or more, with its digits in another order: no sum explains that."""
    digits = sum(map(str.isdigit, fact.value))
    return (fact.kind == other.kind == "percentage" or digits > 2) and is_swapped(fact.value, other.value)


def _is_said(fact: Fact, source: SourceIndex) -> bool:
    """Return whether the source holds the value, as it is or in other words."""
    if fact.kind == "config" and fact.key:
        known = [one.fact for one in source.by_kind.get("config", ()) if same_subject(fact.key, one.fact.key)]
        if known:
            return any(equal_by("config", fact.value, one.value) for one in known) or source.sets(
                fact.key, fact.value
            )
    value = fact.value.strip("_*`") if fact.kind in PATHS else fact.value
    value = re.sub(r"['’]s$", "", value) if fact.kind == "name" else value
    if source.says(fact.kind, value, more_roughly=False).likeness is not Likeness.ABSENT:
        return True
    if _is_day_or_time_said(fact, value, source) or _is_part_said(fact, source):
        return True
    if fact.kind in ("hash", "id", "email", "host"):
        return source.holds_whole(value)
    if fact.kind == "duration" and _CLOCK.fullmatch(fact.value):
        return source.says("time", fact.value).likeness is not Likeness.ABSENT
    if fact.kind in ("number", "duration", "percentage", "money") and is_loosely_said(fact, source.loose):
        return True
    if fact.kind == "version":
        return source.holds_number(fact.value.rpartition(" ")[2].lstrip("v"))
    return _is_number_said(fact, source)


def _is_part_said(fact: Fact, source: SourceIndex) -> bool:
    """`1 of 148 failed` for `(1/148)`: a part, and its whole in the same line."""
    number = BARE_NUMBER.search(fact.value) if fact.kind == "test_result" else None
    if number is None:
        return False
    wholes = {one for one in re.findall(r"\d{1,7}", fact.text) if int(one) > 1 and one != number.group()}
    return any(source.holds_whole(f"{number.group()}/{whole}") for whole in wholes)


def _is_day_or_time_said(fact: Fact, value: str, source: SourceIndex) -> bool:
    if fact.kind == "date":
        return source.holds_date(value) or _is_day_of_month_said(value, source)
    if fact.kind in ("time", "duration"):
        return _is_length_said(value, source) or is_written_bare(fact, source)
    ordinal = _ORDINAL.fullmatch(value) if fact.kind == "id" else None
    return ordinal is not None and source.holds_number(ordinal[1])


def _is_day_of_month_said(value: str, source: SourceIndex) -> bool:
    """`15 October` where the source says *on the 15th* and names other days of October."""
    days = {(one[1], one[2]) for one in read_days(value) if one[2]}
    if not days:
        return False
    months = {one[1] for told in source.by_kind.get("date", ()) for one in read_days(told.fact.value)}
    named = {int(next(filter(None, found))) for found in _DAY_ALONE.findall(source.raw)}
    return any(month in months and day in named for month, day in days)


def _is_length_said(value: str, source: SourceIndex) -> bool:
    """`10:45` for 10 minutes and 45 seconds, or 10 hours and 45 minutes."""
    found = _MINUTES.fullmatch(value)
    if found is None:
        return False
    first = str(int(found[1]))
    return bool(
        re.search(
            rf"{first}(?<!\d{first}) ?[^\W\d]{{1,9}}\.?[ ,]{{0,2}}(?:[^\W\d]{{1,3}} )?0?{int(found[2])} ?[^\W\d]",
            source.raw,
        )
    )


_DAY_ALONE = late_pattern(
    r"(?<![\w.,:/-])(?:(\d{1,2})(?:st|nd|rd|th)(?!\w)|(?:am|zum|vom|den|dem|bis) (\d{1,2})\.(?! ?[^\W_a-zäöü])|(?:the|le|el|al|il|o|dia|día|giorno|do) (\d{1,2})(?=[.,;!?]|\s|$)(?!\s?[:hH€$%\d])|(\d{1,2})(?:-?го|[日号]|일)(?!\w))"
)
_ORDINAL = late_pattern(r"(\d{1,4})(?:st|nd|rd|th|er|e|º|ª|\.)", re.I)
_MINUTES = late_pattern(r"(\d{1,3}):(\d\d)")


def _is_number_said(fact: Fact, source: SourceIndex) -> bool:
    """Return whether the source holds the number of *fact*, if of something else."""
    number = BARE_NUMBER.search(fact.value)
    if number is None:
        return False
    if fact.kind == "number" and is_physical(fact.value) and source.holds_measure(fact.value):
        return True
    digits = sum(map(str.isdigit, number.group()))
    if fact.kind == "number" and digits > _SHORT + 1 and source.holds_number(number.group()):
        return True  # its unit may stand at the head of the column
    is_long = digits > _SHORT
    if fact.kind == "duration" and is_long and source.holds_number(number.group()):
        return True
    if fact.kind in ("number", "duration", "money") and source.holds_bare(number.group()):
        return True
    if fact.kind in ("number", "duration") and _is_set(fact, number.group(), source):
        return True
    if fact.kind not in ("number", "port", "money", "config"):
        return False
    is_counted = fact.kind == "money" or not is_physical(fact.value)
    return is_counted and source.holds_number(re.sub(r"[^\d.,]", "", fact.value))


def _is_counted_otherwise(fact: Fact, source: SourceIndex, handoff: SourceIndex) -> bool:
    """Return whether the source counts this noun once, with a number that the handoff does not hold."""
    number = BARE_NUMBER.search(fact.value) if fact.kind == "number" and not is_physical(fact.value) else None
    noun = word_behind(fact.text, number.group()) if number else ""
    known = source.counted(noun) if noun else {}
    if number is None or len(known) != 1 or number.group() in known or is_loosely_said(fact, source.loose):
        return False
    if noun in fact.value.casefold() and source.holds_text(fact.value):
        return False
    if any(_has_grown(fact, told) for told in known.values()):
        return False
    if source.are_together(number.group(), *known):
        return False  # one message has both: `two of 120 responses are missing` beside `118 responses`
    return not any(map(handoff.holds_number, known)) and not any(
        map(source.holds_text, spelled(f"{number.group()} {noun}"))
    )


def _is_set(fact: Fact, number: str, source: SourceIndex) -> bool:
    return source.holds_day(fact.value) or source.sets_number(number)


def is_worked_out(fact: Fact, source: SourceIndex, handoff: SourceIndex) -> bool:
    """Return whether the value is a sum, a share or a count of what the source or the handoff holds."""
    if is_day_told(fact, source):
        return True
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
        fact.key or other.fact.key,
    )
