"""Texts as they are written, asked for numbers, names and words; which of these are facts is not known."""

import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from hermes_sessions.audit.sources.bent_names import BentNames
from hermes_sessions.audit.sources.loose_values import LooseValues, number_forms
from hermes_sessions.audit.words.sentence_ends import MAX_READ_CHARS, SENTENCE_ENDS
from hermes_sessions.facts.compare import folded, stands_in
from hermes_sessions.facts.equivalence import expand_braces
from hermes_sessions.facts.page import line_around
from hermes_sessions.facts.quantities.amounts import read_amount, read_days
from hermes_sessions.facts.values import Fact
from hermes_sessions.late_patterns import late_pattern

_OF_NUMBERS: Final = ".,'’\u00a0\u202f _٫٬"
"""Signs that stand inside of numbers."""
_NUMBER = late_pattern(rf"\d[\d{_OF_NUMBERS}]{{0,40}}\d|\d")
_LOOKED_AT: Final = 4
_REACH: Final = 120
_LONG_NUMBER = late_pattern(r"\d(?<![\w.,-].)[\d.,'\u00a0\u202f]{1,20}\d(?![\w-])")
"""Like all that begin with a digit: that is looked for fast, and what stands before it only then."""
EXIT = late_pattern(r"(?i)\bexit(?:ed|ing|s)?[ _-]?(?:with )?(?:code|status)\W{0,4}(\d{1,3})\b")
_BARE = late_pattern(r"(\d(?<=[^\W\d_] .)\d{0,5})(?=[.!?]?\s*$|[,;] [^\W\d]|[.!?] [^\W\d])", re.M)
_DATA = late_pattern(r"\s{0,20}[\[{|<\"]")
_FULL_HOUR = late_pattern(r"(\d(?<![\d:.,].)\d{0,5}) ?(?:h|Uhr)(?!\w)")
_ISO_DAY = late_pattern(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_SET = late_pattern(r"(?:--?[A-Za-z][\w-]{0,40}[= ]|[\w\"'][:=] ?[\"']?)(\d{1,9})(?![\w.:])")
_COUNTED = late_pattern(r"(\d(?<![\w.,:/-].)\d{0,8})[ \u00a0]?([^\W\d_]{2,30})")
_MEASURE = late_pattern(r"(\d(?<![\w.,].)(?:[\d.,]{0,20}\d)?)[ \u00a0]?([^\W\d_])")
_ALL = late_pattern(r"(\d(?<![\w.,:/-].)\d{0,5})(?= tests?\b| specs?\b| total\b| examples?\b|件|个|個|개)")
_PARTS = late_pattern(r"[ ,.]")
_AT: Final = r"(?:\b(?:at|by|from|until|till|before|after|um|ab|bis|gegen|vor|nach|kurz vor|à|vers|dès|avant|après|a las?|las|às|as|alle|dalle|в|до|после|с)\s|\d(?: ?[ap]m)? ?(?:to|till|until|[-–]|bis|à|às|a|до|tot) ?)"
_MAX_COUNTED: Final = 40
_BLANKED: Final = bytes(
    sign if chr(sign).isascii() and chr(sign).isalnum() else ord(" ") for sign in range(256)
)
"""Every byte that is no ASCII letter or digit is a blank."""
_OF_CODE: Final = r"A-Za-z0-9_\u00c0-\u024f"
"""Letters of codes: what stands at one without a blank in other scripts is a word of its own, as *c3390de이다*."""
TOKEN = late_pattern(
    rf"(?<![{_OF_CODE}./@-])(?=[{_OF_CODE}-]{{0,40}}\d)(?=[{_OF_CODE}-]{{0,40}}[A-Za-z])[A-Za-z0-9][{_OF_CODE}-]{{3,60}}"
    rf"(?![{_OF_CODE}/@]|\.[{_OF_CODE}])"
)
RELEASE = late_pattern(r"(?<![\w./@-])v?\d{1,4}(?:\.\d{1,4}){2,4}(?:[-+]\w{1,12})?(?![\w/@-]|\.\d)")
_PLAIN = late_pattern(r"(?<![\w.,:/-])\d{1,9}(?:[.,' \u00a0\u202f]\d{3}){0,3}(?:[.,]\d{1,2})?(?![\w.:/-]*\d)")
_SOME_NUMBERS: Final = 6
_MAX_DIGITS: Final = 12
_NOON: Final = 12
_MAX_BRACES: Final = 100_000
"""Of longer texts the braces of paths stay closed."""


class Told(NamedTuple):
    """A fact and the message that holds it."""

    fact: Fact
    message: int


class WrittenText:
    """Texts, read once and asked many times for what stands in them."""

    def __init__(self, texts: Sequence[tuple[int, str]]) -> None:
        """Take *texts*, each with the number of its message."""
        self.texts = texts
        self._counted_as: dict[str, dict[str, Told]] = {}
        self._standing: dict[str, bool] = {}
        self._hours: dict[int, bool] = {}

    @cached_property
    def exit_codes(self) -> frozenset[str]:
        """The exit codes told."""
        return frozenset(EXIT.findall(self.raw))

    @cached_property
    def full_hours(self) -> frozenset[str]:
        """The numbers with *h* or *Uhr* behind them, as they are written."""
        return frozenset(_FULL_HOUR.findall(self.raw))

    def holds_number(self, value: str) -> bool:
        """Return whether the digits of *value* stand there as a number of their own, whatever it counts."""
        forms = number_forms(value)
        if "_digits" not in self.__dict__ and any(map(self._has_digits, forms)):
            return True
        return not forms.isdisjoint(self._digits)

    def _has_digits(self, digits: str) -> bool:
        """Whether one of the first places of *digits* is a number of its own: to read all numbers takes long."""
        if not digits.isdecimal() or digits.encode() not in self._runs:
            return False
        place = self.text.find(digits)
        for _ in range(_LOOKED_AT):
            if place < 0:
                return False
            if digits in _forms_of(_numbers_around(self.text, place)):
                return True
            place = self.text.find(digits, place + 1)
        return False

    def knows_word(self, word: str) -> bool:
        """Return whether *word* stands there, in any case."""
        return word.casefold() in self._lowered

    @cached_property
    def bent_names(self) -> BentNames:
        """Its names, for those of a handoff that bends them or writes them in other letters."""
        return BentNames(self.raw)

    @cached_property
    def raw(self) -> str:
        """Everything as it stands."""
        return "\n".join(text for _, text in self.texts)

    @cached_property
    def text(self) -> str:
        """Everything, quotation marks and blanks made the same, braces of paths opened."""
        expanded = expand_braces(self.raw) if len(self.raw) < _MAX_BRACES else ""
        return folded(f"{self.raw}\n{expanded}" if expanded else self.raw)

    def number(self, written: str) -> Told:
        """Return one of the numbers where it first stands."""
        match, message = self._first_numbers[written]
        start, end = line_around(match.string, *match.span())
        line = match.string[start:end]
        return Told(Fact("number", "", match.group(), line, "", 0.0, match.span()), message)

    def numbers_of_digits(self, number: str) -> Sequence[str]:
        """Return the numbers that have the digits of *number*, in whatever order."""
        return self._by_digits.get(_digits_of(number), ())

    def numbers_near(self, number: str) -> Sequence[str]:
        """Return those of the digits of *number* in any order, or with one more, fewer or another, as they first stand."""
        digits = "".join(filter(str.isdecimal, number))
        near = {written: None for key in one_less(digits) for written in self._by_rest.get(key, ())}
        near.update(dict.fromkeys(self.numbers_of_digits(number)))
        return sorted(near, key=self._places.__getitem__)

    @cached_property
    def _places(self) -> Mapping[str, int]:
        """The order in which the numbers first stand."""
        return {written: place for place, written in enumerate(self._first_numbers)}

    @cached_property
    def _by_rest(self) -> Mapping[str, Sequence[str]]:
        """The numbers by their digits, and by what is left of these without one."""
        found: dict[str, list[str]] = defaultdict(list)
        for written in self._first_numbers:
            for key in one_less("".join(filter(str.isdecimal, written))):
                found[key].append(written)
        return dict(found)

    @cached_property
    def _by_digits(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for written in self._first_numbers:
            found[_digits_of(written)].append(written)
        return dict(found)

    @cached_property
    def _first_numbers(self) -> Mapping[str, tuple[re.Match[str], int]]:
        found: dict[str, tuple[re.Match[str], int]] = {}
        for message, text in self.texts:
            for match in _LONG_NUMBER.finditer(text):
                digits = match.group().strip(".,")
                if len(digits) <= _MAX_DIGITS:
                    found.setdefault(digits, (match, message))
        return found

    def counted(self, noun: str) -> Mapping[str, Told]:
        """Return the numbers before *noun*, in small letters: what it counts."""
        known = self._counted_as.get(noun)
        if known is None:
            known = self._counted_as[noun] = {}
            for match, place in self._counted.get(noun, ()):
                if match[1] not in known and len(known) < _MAX_COUNTED:
                    message, text = self.texts[place]
                    start, end = line_around(text, *match.span())
                    fact = Fact("number", "", match[1], text[start:end], "", 0.0, match.span())
                    known[match[1]] = Told(fact, message)
        return known

    @cached_property
    def _counted(self) -> Mapping[str, Sequence[tuple[re.Match[str], int]]]:
        """Numbers by the word behind them, with the place of their text."""
        found: dict[str, list[tuple[re.Match[str], int]]] = defaultdict(list)
        for place, (_, text) in enumerate(self.texts):
            for match in _COUNTED.finditer(text):
                found[match[2].casefold()].append((match, place))
        return dict(found)

    @cached_property
    def tokens(self) -> dict[str, Told]:
        """Every word with letters and digits in it where it first stands: ids, names of hosts, of jobs."""
        found: dict[str, Told] = {}
        for message, text in self.texts:
            for match in itertools.chain(TOKEN.finditer(text), RELEASE.finditer(text)):
                word = match.group().strip(".,:;-")
                if word not in found:
                    start, end = line_around(text, *match.span())
                    found[word] = Told(Fact("id", "", word, text[start:end], "", 0.0, match.span()), message)
        return found

    def holds_date(self, value: str) -> bool:
        """Return whether the day stands there as `2026-11-12`, inside a path or a name, too."""
        return any(
            one[1:] == day[1:] and one[0] in (0, day[0])
            for one in read_days(value)
            if one[2]
            for day in self._written_days
        )

    @cached_property
    def _written_days(self) -> frozenset[tuple[int, int, int]]:
        return frozenset(one for day in set(_ISO_DAY.findall(self.raw)) for one in read_days(day))

    @cached_property
    def loose(self) -> LooseValues:
        """Its quantities, for those that are said less exactly."""
        return LooseValues(self.texts)

    def are_together(self, one: str, other: str) -> bool:
        """Return whether one text holds both numbers."""
        shapes = [re.compile(rf"(?<![\w.,]){re.escape(number)}(?![\w]|[.,]\d)") for number in (one, other)]
        return any(
            one in text and other in text and all(shape.search(text) for shape in shapes)
            for _, text in self.texts
        )

    @cached_property
    def totals(self) -> Sequence[int]:
        """How many tests there are, or things in all, wherever that is told."""
        return [int(one) for one in _ALL.findall(self.raw)]

    def sets(self, key: str, value: str) -> bool:
        """Return whether *value* stands right after the last part of *key*, a word or two between them."""
        name = re.escape(key.rpartition(".")[2])
        return (
            re.search(
                rf"{name}\W{{1,6}}(?:\w{{1,12}}\W{{1,3}}){{0,2}}{re.escape(value)}(?!\w)", self.raw, re.I
            )
            is not None
        )

    def sets_number(self, value: str) -> bool:
        """Return whether the number is the value of an option or a setting there: `--keep 14`."""
        return value in self._set_numbers

    @cached_property
    def spoken_numbers(self) -> frozenset[tuple[float, ...]]:
        """The numbers of each sentence of speech that has two to six of them."""
        found: set[tuple[float, ...]] = set()
        for piece in SENTENCE_ENDS.split(self.spoken[:MAX_READ_CHARS]):
            numbers = {one.number for run in _PLAIN.findall(piece) for one in read_amount(run)[:1]}
            if 1 < len(numbers) <= _SOME_NUMBERS:
                found.add(tuple(sorted(numbers)))
        return frozenset(found)

    @cached_property
    def _set_numbers(self) -> frozenset[str]:
        return frozenset(_SET.findall(self.raw))

    def holds_bare(self, value: str) -> bool:
        """Return whether the number ends a clause there, its unit left out: `the vicar wants 15.`"""
        return value in self._bare_numbers

    @cached_property
    def _bare_numbers(self) -> frozenset[str]:
        return frozenset(_BARE.findall(self.spoken))

    @cached_property
    def spoken(self) -> str:
        """Everything but what looks like a table, a log or JSON: lines of speech."""
        return "\n".join(line for line in self.raw.splitlines() if not _DATA.match(line))

    def says_hour(self, hour: int) -> bool:
        """Return whether speech names the hour: *at 7*, *from 19h*."""
        known = self._hours.get(hour)
        if known is None:
            known = self._hours[hour] = any(
                re.search(rf"{_AT}0?{one}(?:h|H|(?![\w:%°€$-]|[.,]\d|\s?[%°€$]))(?!\d)", self.spoken, re.I)
                for one in {hour, hour - 12 if hour > _NOON else hour}
            )
        return known

    def holds_text(self, value: str) -> bool:
        """Return whether *value* stands there in any case."""
        return value.casefold() in self._lowered

    def holds_measure(self, value: str) -> bool:
        """Return whether the number stands there before a unit that begins alike: `4 GB` is `4.00G`."""
        found = _MEASURE.search(value)
        return found is not None and any(
            (form, found[2][0].casefold()) in self._measures for form in number_forms(found[1])
        )

    @cached_property
    def _measures(self) -> frozenset[tuple[str, str]]:
        return frozenset(
            (form, unit[0].casefold())
            for number, unit in _MEASURE.findall(self.raw)
            for form in number_forms(number)
        )

    def holds_whole(self, value: str) -> bool:
        """Return whether *value* stands there in any case, no letter or digit beside it."""
        return stands_in(value.casefold(), self._lowered)

    @cached_property
    def _lowered(self) -> str:
        return self.text.lower()

    @cached_property
    def _digits(self) -> frozenset[str]:
        return _forms_of(set(_NUMBER.findall(self.text)))

    def _stands(self, value: str) -> bool:
        """Whether a value stands there whole: then every run of its ASCII letters and digits does, too."""
        known = self._standing.get(value)
        if known is None:
            is_there = self._may_stand(value) and (self._is_near(value) or stands_in(value, self.text))
            known = self._standing[value] = is_there
        return known

    def _is_near(self, _value: str) -> bool:
        """Whether a value stands where it is known to be looked for first; elsewhere it may, too."""
        return False

    def _may_stand(self, value: str) -> bool:
        return self._runs.issuperset(ascii_runs(value))

    @cached_property
    def _runs(self) -> frozenset[bytes]:
        return frozenset(ascii_runs(self.text))

    def _has_path(self, value: str) -> bool:
        """Return whether a path stands there under its last part, or as a folder of one."""
        bare = value.strip("_`*").removeprefix("./").rstrip("/")
        return bool(bare) and (f"{bare}/" in self.text or f"/{bare}" in self.text)

    def _may_have_path(self, value: str) -> bool:
        """Return whether every part of a path but its first, or but its last, stands there in whole runs."""
        runs = ascii_runs(value)
        return self._runs.issuperset(runs[1:]) or self._runs.issuperset(runs[:-1])

    def _has_parts(self, value: str) -> bool:
        """Return whether a URL's host and its path both stand there, if apart."""
        rest = value.partition("://")[2] or value
        host, _, path = rest.removeprefix("www.").rstrip("/").partition("/")
        return host in self.text and path in self.text


def _numbers_around(text: str, place: int) -> Sequence[str]:
    """Return the numbers of the signs around *place* that numbers are of, none where there are too many."""
    start, end = place, place
    while start and place - start < _REACH and _is_of_number(text[start - 1]):
        start -= 1
    while end < len(text) and end - place < _REACH and _is_of_number(text[end]):
        end += 1
    return [] if _REACH in (place - start, end - place) else _NUMBER.findall(text[start:end])


def _is_of_number(sign: str) -> bool:
    return sign in _OF_NUMBERS or sign.isdecimal()


def _forms_of(runs: Iterable[str]) -> frozenset[str]:
    """Return how the numbers of *runs* may be read, and each part of those that blanks or signs part."""
    found: set[str] = set()
    for run in runs:
        found |= number_forms(run)
        if not run.isdecimal():
            for part in run.split():
                found |= number_forms(part)
            found.update(one.lstrip("0") for one in _PARTS.split(run))
    return frozenset(found)


def ascii_runs(text: str) -> Sequence[bytes]:
    """Return the runs of ASCII letters and digits of *text*, as bytes: no pattern cuts so fast."""
    return text.encode("ascii", "replace").translate(_BLANKED).split()


def one_less(digits: str) -> set[str]:
    """Return *digits*, and all that is left where one is dropped."""
    return {digits, *(digits[:at] + digits[at + 1 :] for at in range(len(digits)))}


def _digits_of(number: str) -> str:
    """Return the digits of *number* by their size."""
    return "".join(sorted(number if number.isdecimal() else filter(str.isdecimal, number)))
