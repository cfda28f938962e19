"""What shows that an accusation holds two sorts of things against each other: miles and seats. Pure."""

import re
from math import log10
from typing import Final
from unicodedata import combining, normalize

from hermes_sessions.audit.checking.denied import denied_deeds, is_denied
from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.exchanges.measures import numbers_with_units
from hermes_sessions.audit.figures.told_figures import FigureTelling, ToldFigures
from hermes_sessions.audit.figures.written_numbers import read_numbers
from hermes_sessions.audit.words.telling import telling_words
from hermes_sessions.facts.polarity import NEGATION
from hermes_sessions.facts.quantities.amounts import NUMBER_WORDS
from hermes_sessions.late_patterns import late_pattern

_COUNTED: Final = late_pattern(r"\d[ \u00a0-]?[^\W\d_]{3,}")
_MONEY: Final = late_pattern(
    r"[€$£¥₽]|\b(?:eur|usd|gbp|chf|pln|zł|kr|euros?|dollars?|pounds?|crowns?|francs?)\b|元|円|원", re.I
)
_CLOCK: Final = late_pattern(r"\d{1,2}[.:]\d{2} ?(?:[ap]\.?m\b|uhr|h\b)", re.I)
_NOT: Final = late_pattern(
    r"\b(?:not|nicht|auch nicht|pas|ni|no|não|non|nemmeno|nie|niet|ani|ни|не)(?: \w{1,5})?\s$", re.I
)
_THOUSAND: Final = late_pattern(r"(\d{1,3})K")
_NUMBER: Final = late_pattern(r"\d+(?:[.,]\d+)*")
_FIGURES: Final = frozenset({"number", "money", "duration", "percentage"})
_PAIRS: Final = late_pattern(
    r"\bneither\b.{1,80}\bnor\b|\bweder\b.{1,80}\bnoch\b|\b(ni|nem|né|ani|ни)\b.{1,80}\b\1\b|也不.{1,40}也不|も.{1,40}も",
    re.I,
)
"""A word that denies before each of two things."""
_IF: Final = late_pattern(
    r"\b(?:if|unless|once|in case|wenn|falls|sofern|sobald|indien|zodra|jeśli|gdy|если|когда|якщо|коли|hvis"
    r"|dersom|ifall|eğer)\b|(?:^|[,(] ?)(?:si|quand|dès|cuando|se|quando|qualora|als|om|når)\b"
    r"|如果|若|一旦|なら|たら|場合|もし|경우",
    re.I,
)
_RATES: Final = frozenset({7.0, 12.0, 24.0, 30.0, 52.0, 60.0, 365.0})
"""So many of one length of time are another one: hours of a day, days of a week."""
_KEY: Final = late_pattern(r"(?<!\w)([^\W\d][\w-]{3,40})$")
_KEY_SIGNS: Final = 42
_KEY_WORD: Final = late_pattern(r"[^\W\d_]{4,}")
_STEM: Final = 5
_OF_WHOLE: Final = 2
_LONG: Final = 3
_NEAR: Final = 16
_TINY: Final = 1e-6


def is_measure_for_count(one: Deviation, _: ToldFigures) -> bool:
    """Return whether a measure is held against a count of things, or a count against a measure."""
    own, other = (any(True for _ in numbers_with_units(text)) for text in (one.value, one.source))
    counted = one.source if own else one.value
    return own is not other and _COUNTED.search(counted) is not None and _MONEY.search(counted) is None


def is_sum_for_price(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether a number without a currency, that may be worked out, is held against a price."""
    at = one.line.find(one.value)
    near = one.line[max(0, at - 3) : at + len(one.value) + 4] if at >= 0 else one.value
    if _MONEY.search(near) or _MONEY.search(one.source) is None:
        return False
    return figures.telling(one.value, one.line) > FigureTelling.NOWHERE


def is_said_in_words(one: Deviation, _: ToldFigures) -> bool:
    """Return whether the source's sentence has a bare number in words; or has 10 km as `10K`."""
    thousand = _THOUSAND.fullmatch(one.source)
    if thousand is not None and one.value.startswith(thousand[1]):
        return True
    words = {NUMBER_WORDS[word] for word in one.source_line.casefold().split() if word in NUMBER_WORDS}
    return _NUMBER.fullmatch(one.value) is not None and _sizes(one.value) <= words


def is_at_a_time(one: Deviation, _: ToldFigures) -> bool:
    """Return whether a number is a time of day: *9.30 am*."""
    at = one.line.find(one.value)
    return at >= 0 and _CLOCK.match(one.line, at) is not None


def is_rate(one: Deviation, _: ToldFigures) -> bool:
    """Return whether a figure is another one of its line for another length of time: 3 an hour, 72 a day."""
    beside = _sizes(one.line.replace(one.value, " "))
    return any(
        abs(size - other * rate) <= _TINY * size
        for size in _sizes(one.value)
        for other in beside
        for rate in _RATES
    )


def is_in_another_unit(one: Deviation, _: ToldFigures) -> bool:
    """Return whether a measure has the digits of a number without a unit: 47.5 tonnes for 475."""
    if not any(True for _ in numbers_with_units(one.value)) or _COUNTED.search(one.source):
        return False
    return any(
        abs(power - round(power)) <= _TINY and round(power) != 0
        for size in _sizes(one.value)
        for other in _sizes(one.source)
        if size > 0 and other > 0
        for power in (log10(other / size),)
    )


def is_written_elsewhere(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether a longer number is in the source: as it is, with a unit, in a row (`18000,195`).

    Of two numbers in sentences alike one may be told from another place.
    """
    if len(one.value) < _LONG:
        return False
    shape = re.compile(rf"(?<![\w.]){re.escape(one.value)}(?:[^\W\d_]{{1,3}}\b|(?!\w|\.\d))")
    return one.kind == "number" and any(map(shape.search, figures.texts))


def is_under_its_name(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether a number has a key with a word of its line: *humidity 84* for `"humid_pct": 84`."""
    if one.kind not in _FIGURES:
        return False
    number = re.escape(one.value.rstrip("%° "))
    given = re.compile(rf"[\"']? ?[:=] ?[\"']?{number}(?!\w|[.,]\d)")
    named = {
        key[1]
        for text in figures.texts
        for found in given.finditer(text)
        if (key := _KEY.search(text, max(0, found.start() - _KEY_SIGNS), found.start()))
    }
    words = {_stem(word) for word in _KEY_WORD.findall(one.line)} if named else frozenset[str]()
    return any(_stem(word) in words for key in named for word in _KEY_WORD.findall(key))


def _stem(word: str) -> str:
    """Return how a word begins, in small letters without marks."""
    return "".join(one for one in normalize("NFD", word.casefold()) if not combining(one))[:_STEM]


def are_told_together(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether the source has a part and its whole with other words between: *611 wheels of 940*."""
    numbers = _NUMBER.findall(one.value)
    if len(numbers) != _OF_WHOLE:
        return False
    part, whole = map(re.escape, numbers)
    shape = re.compile(rf"(?<![\w.,]){part}(?!\w|[.,]\d)[^\n.;,\d]{{1,40}}(?<![\w.,]){whole}(?!\w|[.,]\d)")
    return any(map(shape.search, figures.texts))


def is_none_of(one: Deviation, _: ToldFigures) -> bool:
    """Return whether a part is denied: *not one of the 412*."""
    at = one.line.find(one.value)
    return at > 0 and _NOT.search(one.line, max(0, at - _NEAR), at) is not None


def denies_both(one: Deviation, _: ToldFigures) -> bool:
    """Return whether both sentences deny: *not pushed*, *neither pushed nor deployed*."""
    return is_denied(one.value) and (is_denied(one.source) or _PAIRS.search(one.source) is not None)


def is_conditional(one: Deviation, _: ToldFigures) -> bool:
    """Return whether only a condition lets be what the source denies: *a push, if and when one is wanted*."""
    return _IF.search(one.value) is not None and _IF.search(one.source) is None


def denies_in_pairs(one: Deviation, _: ToldFigures) -> bool:
    """Return whether a sentence denies two things by a word for each: *ni reembolsos ni reintentos*."""
    return _PAIRS.search(one.value) is not None


def is_another_deed(one: Deviation, _: ToldFigures) -> bool:
    """Return whether what is reported is not the deed that is still open: *pushed*, for *not watched yet*."""
    deeds = denied_deeds(one.source)
    return bool(deeds) and deeds.isdisjoint(telling_words(one.value))


def both_deny_twice(one: Deviation, _: ToldFigures) -> bool:
    """Return whether both sentences have two negations or more: *nothing ..., not even after ...*."""
    return all(len(NEGATION.findall(text)) > 1 for text in (one.value, one.source))


def is_of_another_amount(one: Deviation, _: ToldFigures) -> bool:
    """Return whether how often something is goes with another amount: 6000 a year for 500 a month."""
    if one.kind != "duration":
        return False
    own, other = (
        _NUMBER.findall(line[: max(0, line.find(value))])[-1:]
        for value, line in ((one.value, one.line), (one.source, one.source_line))
    )
    return bool(own) and bool(other) and own != other


_ASKED: Final = (
    is_measure_for_count,
    is_sum_for_price,
    is_said_in_words,
    is_at_a_time,
    is_rate,
    is_in_another_unit,
)


def is_of_another_sort(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether one of two figures is told in another way, or is of another sort than the other."""
    return one.kind in _FIGURES and any(asked(one, figures) for asked in _ASKED)


def _sizes(text: str) -> frozenset[float]:
    return frozenset(abs(found.size) for found in read_numbers(text))
