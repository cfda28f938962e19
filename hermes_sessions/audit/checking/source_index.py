"""Texts and their facts, ready to be asked for many values in any way a summary may write them."""

import itertools
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.checking.loose_values import LooseValues, number_forms
from hermes_sessions.facts.compare import Comparison, Likeness, folded, stands_in
from hermes_sessions.facts.equivalence import equal_by, expand_braces, outcome, spelled
from hermes_sessions.facts.page import line_around
from hermes_sessions.facts.quantities.amounts import (
    Amount,
    read_amount,
    read_clock,
    read_days,
    same_amount,
    same_quantity,
)
from hermes_sessions.facts.values import Fact

QUANTITIES: Final = frozenset({"number", "money", "percentage", "duration", "test_result", "port"})
PATHS: Final = frozenset({"path", "file_changed", "file_read"})
_NUMBER = re.compile(r"\d[\d.,'’\u00a0\u202f _٫٬]{0,40}\d|\d")
_LONG_NUMBER = re.compile(r"(?<![\w.,-])\d[\d.,'\u00a0\u202f]{1,20}\d(?![\w-])")
EXIT = re.compile(r"(?i)\bexit(?:ed|ing|s)?[ _-]?(?:with )?(?:code|status)\W{0,4}(\d{1,3})\b")
_DAY = re.compile(r"(\d{1,2})[./](\d{1,2})\.?")
_BARE = re.compile(r"(?<=[^\W\d_] )(\d{1,6})(?=[.!?]?\s*$|[,;] [^\W\d]|[.!?] [^\W\d])", re.M)
_DATA = re.compile(r"\s{0,20}[\[{|<\"]")
_ISO_DAY = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_SET = re.compile(r"(?:--?[A-Za-z][\w-]{0,40}[= ]|[\w\"'][:=] ?[\"']?)(\d{1,9})(?![\w.:])")
_COUNTED = re.compile(r"(?<![\w.,:/-])(\d{1,9})[ \u00a0]?([^\W\d_]{2,30})")
_MEASURE = re.compile(r"(?<![\w.,])(\d[\d.,]{0,20}\d|\d)[ \u00a0]?([^\W\d_])")
_MAX_COUNTED: Final = 40
_MAX_BRACES: Final = 100_000
"""Of longer texts the braces of paths stay closed."""

_ABSENT: Final = Comparison(Likeness.ABSENT)
_ASCII_RUN: Final = re.compile(r"[0-9A-Za-z]+")
_TINY: Final = 2
"""Two letters or digits stand in any text; a fact that short is compared with facts alone."""
TOKEN = re.compile(
    r"(?<![\w./@-])(?=[\w-]{0,40}\d)(?=[\w-]{0,40}[A-Za-z])[A-Za-z0-9][\w-]{3,60}(?![\w/@]|\.\w)"
)
RELEASE = re.compile(r"(?<![\w./@-])v?\d{1,4}(?:\.\d{1,4}){2,4}(?:[-+]\w{1,12})?(?![\w/@-]|\.\d)")
_MAX_DIGITS: Final = 12
_CENT = re.compile(r"\d\s?(?:cents?|ct|centimes?|céntimos?|центов|копе\w+)\b", re.I)


TextReader = Callable[[str], Sequence[Fact]]
"""Returns the facts of a text that is no message; one that remembers them reads a summary once."""


class Told(NamedTuple):
    """A fact and the message that holds it."""

    fact: Fact
    message: int


class SourceIndex:
    """Texts with the facts found in them, read once and asked many times."""

    def __init__(self, texts: Sequence[tuple[int, str]], told: Iterable[Told]) -> None:
        """Take *texts*, each with the number of its message, and the facts in them."""
        self.texts = texts
        self.told = tuple(told)
        self._counted_as: dict[str, dict[str, Told]] = {}
        self._standing: dict[str, bool] = {}

    def says(self, kind: str, value: str) -> Comparison:
        """Return whether a value of *kind* stands there: word for word, in other words, or not at all."""
        if len(value) > _TINY and self._stands(value):
            return Comparison(Likeness.VERBATIM, "same", value)
        for other in self._candidates(kind, value):
            if rule := _equal(kind, value, other):
                return Comparison(Likeness.EQUIVALENT, rule, other)
        if kind in QUANTITIES:
            return self._says_quantity(kind, value)
        if kind in PATHS and self._has_path(value):
            return Comparison(Likeness.EQUIVALENT, "path-parts", value)
        if kind in ("url", "host", "image") and self._has_parts(value):
            return Comparison(Likeness.EQUIVALENT, "url-parts", value)
        return _ABSENT

    def says_strictly(self, kind: str, value: str) -> bool:
        """Return whether a quantity stands there with what it counts, not only as a number."""
        if kind not in QUANTITIES:
            return self.says(kind, value).likeness is not Likeness.ABSENT
        return self._stands(value) or any(self._near(one, strict=True) for one in _amounts(value))

    @cached_property
    def exit_codes(self) -> frozenset[str]:
        """The exit codes told."""
        return frozenset(EXIT.findall(self.raw))

    def holds_number(self, value: str) -> bool:
        """Return whether the digits of *value* stand there as a number of their own, whatever it counts."""
        return not number_forms(value).isdisjoint(self._digits)

    def knows_word(self, word: str) -> bool:
        """Return whether *word* stands there, in any case."""
        return word.casefold() in self._lowered

    @cached_property
    def raw(self) -> str:
        """Everything as it stands."""
        return "\n".join(text for _, text in self.texts)

    @cached_property
    def text(self) -> str:
        """Everything, quotation marks and blanks made the same, braces of paths opened."""
        expanded = expand_braces(self.raw) if len(self.raw) < _MAX_BRACES else ""
        return folded(f"{self.raw}\n{expanded}" if expanded else self.raw)

    @cached_property
    def by_kind(self) -> dict[str, list[Told]]:
        """The facts by kind."""
        found: dict[str, list[Told]] = defaultdict(list)
        for one in self.told:
            found[one.fact.kind].append(one)
        return dict(found)

    @cached_property
    def numbers(self) -> dict[str, Told]:
        """Every number of some length where it first stands, as it is written, facts or not."""
        found: dict[str, Told] = {}
        for message, text in self.texts:
            for match in _LONG_NUMBER.finditer(text):
                digits = match.group().strip(".,")
                if digits not in found and len(digits) <= _MAX_DIGITS:
                    start, end = line_around(text, *match.span())
                    line = text[start:end]
                    found[digits] = Told(
                        Fact("number", "", match.group(), line, "", 0.0, match.span()), message
                    )
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

    def holds_day(self, value: str) -> bool:
        """Return whether `25.07` is a day that is named there."""
        found = _DAY.fullmatch(value)
        if found is None:
            return False
        one, two = int(found[1]), int(found[2])
        return any(("date", f"{month}-{day}") in self._by_key for day, month in ((one, two), (two, one)))

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
        found: set[str] = set()
        for run in set(_NUMBER.findall(self.text)):
            found |= number_forms(run)
            for part in run.split():
                found |= number_forms(part)
            found.update(one.lstrip("0") for one in re.split(r"[ ,.]", run))
        return frozenset(found)

    def _stands(self, value: str) -> bool:
        """Whether a value stands there whole: then every run of its ASCII letters and digits is one there, too."""
        known = self._standing.get(value)
        if known is None:
            may_stand = self._runs.issuperset(_ASCII_RUN.findall(value))
            known = self._standing[value] = may_stand and stands_in(value, self.text)
        return known

    @cached_property
    def _runs(self) -> frozenset[str]:
        return frozenset(_ASCII_RUN.findall(self.text))

    def _candidates(self, kind: str, value: str) -> Iterable[str]:
        if kind in QUANTITIES or kind == "config" or self._families.isdisjoint(_FAMILIES.get(kind, (kind,))):
            return ()
        return dict.fromkeys(other for key in _keys(kind, value) for other in self._by_key.get(key, ()))

    @cached_property
    def _families(self) -> frozenset[str]:
        """What the keys of its facts are of: most kinds have none in a handoff."""
        return frozenset(family for family, _ in self._by_key)

    @cached_property
    def _by_key(self) -> dict[tuple[str, str], list[str]]:
        found: dict[tuple[str, str], list[str]] = defaultdict(list)
        for one in self.told:
            for key in _keys(one.fact.kind, one.fact.value):
                found[key].append(one.fact.value)
        return dict(found)

    # -- quantities --------------------------------------------------------------------------------

    def _says_quantity(self, kind: str, value: str) -> Comparison:
        if kind == "test_result" and (found := self._outcome(value)):
            return Comparison(Likeness.EQUIVALENT, "same-outcome", found)
        if kind != "test_result":
            for amount in _amounts(value):
                if other := self._near(amount):
                    return Comparison(Likeness.EQUIVALENT, "same-number", other)
        if word := next((one for one in spelled(value.lower()) if stands_in(one, self._lowered)), ""):
            return Comparison(Likeness.EQUIVALENT, "number-word", word)
        return _ABSENT

    def _outcome(self, value: str) -> str:
        digits = re.findall(r"\d+", value)
        wanted = (outcome(value), digits[0].lstrip("0") or "0") if digits else None
        return self._outcomes.get(wanted, "") if wanted else ""

    @cached_property
    def _outcomes(self) -> dict[tuple[str, str], str]:
        return {
            (outcome(one.fact.value), digits[0].lstrip("0") or "0"): one.fact.value
            for one in self.by_kind.get("test_result", ())
            if (digits := re.findall(r"\d+", one.fact.value))
        }

    def _near(self, amount: Amount, *, strict: bool = False) -> str:
        numbers, known = self._numbers
        room = max(amount.step, abs(amount.number) * 0.06, 0.5) + 1e-9
        low = bisect_left(numbers, amount.number - room)
        high = bisect_right(numbers, amount.number + room)
        for other, value in known[low:high]:
            if same_amount(amount, other) if strict else same_quantity(amount, other):
                return value
        return ""

    @cached_property
    def _numbers(self) -> tuple[list[float], list[tuple[Amount, str]]]:
        known = sorted(
            (
                (amount, one.fact.value)
                for one in self.told
                if one.fact.kind in QUANTITIES or one.fact.kind in ("config", "error")
                if len(one.fact.value) < 40
                for amount in _amounts(one.fact.value)
            ),
            key=lambda found: found[0].number,
        )
        return [amount.number for amount, _ in known], known

    # -- paths and addresses -----------------------------------------------------------------------

    def _has_path(self, value: str) -> bool:
        """Return whether a path stands there under its last part, or as a folder of one."""
        bare = value.strip("_`*").removeprefix("./").rstrip("/")
        return bool(bare) and (f"{bare}/" in self.text or f"/{bare}" in self.text)

    def _has_parts(self, value: str) -> bool:
        """Return whether a URL's host and its path both stand there, if apart."""
        rest = value.partition("://")[2] or value
        host, _, path = rest.removeprefix("www.").rstrip("/").partition("/")
        return host in self.text and path in self.text


_FAMILIES: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(PATHS, ("path",)),
    **dict.fromkeys(("hash", "id"), ("hash", "id")),
    **dict.fromkeys(("url", "host", "ip"), ("url",)),
}
"""Kinds whose keys are of other names than the kind."""


@lru_cache(maxsize=65_536)
def _keys(kind: str, value: str) -> tuple[tuple[str, str], ...]:
    """Return what two spellings of one value have in common, for an index to find them by."""
    if kind in PATHS:
        name = re.sub(r"(?::\d{1,7}){1,2}$", "", value.replace("\\", "/").rstrip("/")).rpartition("/")[2]
        return (("path", name.casefold()),)
    if kind in ("hash", "id"):
        return (("hash", value.rpartition(":")[2].casefold()[:7]), ("id", value.casefold()))
    if kind == "date":
        return tuple(("date", f"{month}-{day}") for _, month, day in sorted(read_days(value)))
    if kind == "time":
        clock = read_clock(value)
        return () if clock is None else (("time", f"{clock[0]}:{clock[1]}"),)
    if kind == "version":
        return (("version", value.rpartition(" ")[2].lstrip("vV").casefold()),)
    if kind in ("url", "host", "ip"):
        bare = (value.partition("://")[2] or value).casefold().removeprefix("www.")
        return (("url", bare.partition("/")[0]),)
    if kind == "command":
        return (("command", value.split(" ", 1)[0]),)
    return ((kind, value.casefold().removesuffix("()")),)


def _equal(kind: str, one: str, other: str) -> str:
    return equal_by("path" if kind in PATHS else kind, one, other)


def _amounts(value: str) -> Iterator[Amount]:
    for amount in read_amount(value):
        yield amount
        if _CENT.search(value):
            yield Amount(amount.number / 100, "", amount.step / 100)
