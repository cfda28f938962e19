"""Texts and their facts, ready to be asked for many values in any way a summary may write them."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from math import floor
from typing import Final

from hermes_sessions.audit.sources.quantity_groups import QuantityGroups
from hermes_sessions.audit.sources.written_text import Told, WrittenText
from hermes_sessions.facts.compare import Comparison, Likeness, stands_in
from hermes_sessions.facts.equivalence import equal_by, outcome, spelled
from hermes_sessions.facts.quantities.amounts import (
    Amount,
    read_amount,
    read_clock,
    read_days,
    same_amount,
    same_quantity,
)
from hermes_sessions.facts.values import Fact, FactKind
from hermes_sessions.late_patterns import late_pattern

QUANTITIES: Final = frozenset({"number", "money", "percentage", "duration", "test_result", "port"})
PATHS: Final = frozenset({"path", "file_changed", "file_read"})
_DAY = late_pattern(r"(\d{1,2})[./](\d{1,2})\.?")
_OF_PARTS: Final = frozenset({"url", "host", "image"})
_ABSENT: Final = Comparison(Likeness.ABSENT)
_WHOLE: Final = 1.0
_HALF: Final = 0.51
"""A little more than by which a rounded number is off."""
_TINY_PART: Final = 1e-8
_FAR: Final = 1e15
_WIDE: Final = 1_000.0
_FEW_DIGITS: Final = 12
_TINY: Final = 2
"""Two letters or digits stand in any text; a fact that short is compared with facts alone."""
_LINE = late_pattern(r"(?::\d{1,7}){1,2}$")
_CENT = late_pattern(r"\d\s?(?:cents?|ct|centimes?|céntimos?|центов|копе\w+)\b", re.I)
TextReader = Callable[[str], Sequence[Fact]]
"""Returns the facts of a text that is no message; one that remembers them reads a summary once."""


class SourceIndex(WrittenText):
    """Texts with the facts found in them, read once and asked many times."""

    def __init__(self, texts: Sequence[tuple[int, str]], told: Iterable[Told]) -> None:
        """Take *texts*, each with the number of its message, and the facts in them."""
        super().__init__(texts)
        self.told = tuple(told)
        self._strictly: dict[tuple[str, str], bool] = {}
        self._by_key: dict[str, Mapping[tuple[str, str], Sequence[str]]] = {}

    def which_it_may_say(self, kind: str, values: Collection[str]) -> Collection[str]:
        """Return those of *values* that `says` can find at all: the others are absent, and hardly looked at."""
        likely = {one for one in values if len(one) > _TINY and self._may_stand(one)}
        rest = [one for one in values if one not in likely]
        if kind in QUANTITIES:
            likely.update(one for one in rest if self._nearness.may_hold(kind, one))
            return likely
        if kind in self._held_kinds:
            likely.update(self._spelled_alike(kind, rest))
        if kind in PATHS:
            likely.update(filter(self._may_have_path, rest))
        return values if kind in _OF_PARTS else likely

    def _spelled_alike(self, kind: str, values: Iterable[str]) -> Iterator[str]:
        """Yield those of *values* whose spelling has something in common with one that is there."""
        held = self._having(kind)
        if kind in _SPELLED_IN_MANY_WAYS:
            yield from (one for one in values if any(key in held for key in _keys(kind, one)))
            return
        key_of, alike = (_file_name if kind in PATHS else _bare_name), {key for _, key in held}
        yield from (one for one in values if key_of(one) in alike)

    def says(self, kind: str, value: str, *, more_roughly: bool = True) -> Comparison:
        """Return whether a value of *kind* stands there: word for word, in other words, or not at all.

        Args:
            more_roughly: a quantity that the text rounds counts: a summary may say 2 for 1.84, nobody makes 1.84 of 2.
        """
        if len(value) > _TINY and self._stands(value):
            return Comparison(Likeness.VERBATIM, "same", value)
        for other in self._candidates(kind, value):
            if rule := _equal(kind, value, other):
                return Comparison(Likeness.EQUIVALENT, rule, other)
        if kind in QUANTITIES:
            return self._says_quantity(kind, value, more_roughly=more_roughly)
        if kind in PATHS and self._has_path(value):
            return Comparison(Likeness.EQUIVALENT, "path-parts", value)
        if kind in _OF_PARTS and self._has_parts(value):
            return Comparison(Likeness.EQUIVALENT, "url-parts", value)
        return _ABSENT

    def _is_near(self, value: str) -> bool:
        """Whether a value stands as it is in a text of the message in which it was found: all texts are long."""
        message = self._first_found.get(value)
        texts = () if message is None else self._of_message.get(message, ())
        return any(stands_in(value, text) for text in texts)

    @cached_property
    def _first_found(self) -> Mapping[str, int]:
        return {one.fact.value: one.message for one in reversed(self.told)}

    @cached_property
    def _of_message(self) -> Mapping[int, Sequence[str]]:
        found: dict[int, list[str]] = defaultdict(list)
        for message, text in self.texts:
            found[message].append(text)
        return dict(found)

    def says_strictly(self, kind: str, value: str) -> bool:
        """Return whether a quantity stands there with what it counts, not only as a number."""
        known = self._strictly.get((kind, value))
        if known is None:
            known = self._strictly[kind, value] = self._says_strictly(kind, value)
        return known

    def _says_strictly(self, kind: str, value: str) -> bool:
        if kind not in QUANTITIES:
            return self.says(kind, value).likeness is not Likeness.ABSENT
        return self._stands(value) or any(self._near(one, strict=True) for one in _amounts(value))

    @cached_property
    def by_kind(self) -> dict[str, list[Told]]:
        """The facts by kind."""
        found: dict[str, list[Told]] = defaultdict(list)
        for one in self.told:
            found[one.fact.kind].append(one)
        return dict(found)

    @cached_property
    def groups(self) -> QuantityGroups:
        """Its quantities by message and unit, for what is worked out of them."""
        return QuantityGroups(self.by_kind, QUANTITIES)

    @cached_property
    def money_units(self) -> frozenset[str]:
        """The units of its amounts of money."""
        return frozenset(
            one.unit for told in self.by_kind.get("money", ()) for one in read_amount(told.fact.value)
        )

    def holds_day(self, value: str) -> bool:
        """Return whether `25.07` is a day that is named there."""
        found = _DAY.fullmatch(value)
        if found is None:
            return False
        one, two = int(found[1]), int(found[2])
        return any(
            ("date", f"{month}-{day}") in self._having("date") for day, month in ((one, two), (two, one))
        )

    def _candidates(self, kind: str, value: str) -> Iterable[str]:
        if kind not in self._held_kinds:
            return ()
        held = self._having(kind)
        return dict.fromkeys(other for key in _keys(kind, value) for other in held.get(key, ()))

    @cached_property
    def _held_kinds(self) -> frozenset[str]:
        """The kinds of whose families it has facts: a handoff has them of few."""
        return frozenset(one for one in _KEYED if _FAMILIES.get(one, one) in self._by_family)

    @cached_property
    def _by_family(self) -> Mapping[str, Sequence[Fact]]:
        """The facts by the families that are compared with each other."""
        found: dict[str, list[Fact]] = defaultdict(list)
        for one in self.told:
            found[_FAMILIES.get(one.fact.kind, one.fact.kind)].append(one.fact)
        return dict(found)

    def _having(self, kind: str) -> Mapping[tuple[str, str], Sequence[str]]:
        """Return the values of the family of *kind* by what their spellings have in common."""
        family = _FAMILIES.get(kind, kind)
        known = self._by_key.get(family)
        if known is None:
            found: dict[tuple[str, str], list[str]] = defaultdict(list)
            for fact in self._by_family.get(family, ()):
                for key in _keys(fact.kind, fact.value):
                    found[key].append(fact.value)
            known = self._by_key[family] = dict(found)
        return known

    def _says_quantity(self, kind: str, value: str, *, more_roughly: bool) -> Comparison:
        if kind == "test_result" and (found := self._outcome(value)):
            return Comparison(Likeness.EQUIVALENT, "same-outcome", found)
        if kind != "test_result":
            for amount in _amounts(value):
                if other := self._near(amount, more_roughly=more_roughly):
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

    @cached_property
    def _nearness(self) -> "_Nearness":
        return _Nearness(self._numbers[1])

    def _near(self, amount: Amount, *, strict: bool = False, more_roughly: bool = True) -> str:
        numbers, known = self._numbers
        room = max(amount.step, abs(amount.number) * 0.06, 0.5) + 1e-9
        low = bisect_left(numbers, amount.number - room)
        high = bisect_right(numbers, amount.number + room)
        for other, value in known[low:high]:
            if not more_roughly and other.step > amount.step and other.number != amount.number:
                continue
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


_FAMILIES: Final[Mapping[str, str]] = {
    **dict.fromkeys(PATHS, "path"),
    **dict.fromkeys(("hash", "id"), "hash"),
    **dict.fromkeys(("url", "host", "ip"), "url"),
}
"""Kinds that are compared with others, too."""
_KEYED: Final = frozenset(FactKind) - QUANTITIES - {"config"}
"""Kinds whose values are looked up by what two spellings have in common."""
_SPELLED_IN_MANY_WAYS: Final = frozenset(
    {"hash", "id", "date", "time", "version", "url", "host", "ip", "command"}
)
"""Kinds of which two spellings have more in common than the name, or something else."""


@lru_cache(maxsize=65_536)
def _keys(kind: str, value: str) -> tuple[tuple[str, str], ...]:
    """Return what two spellings of one value have in common, for an index to find them by."""
    if kind in PATHS:
        return (("path", _file_name(value)),)
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
    return ((kind, _bare_name(value)),)


def _file_name(path: str) -> str:
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return (_LINE.sub("", name) if ":" in name else name).casefold()


def _bare_name(value: str) -> str:
    return value.casefold().removesuffix("()")


def _equal(kind: str, one: str, other: str) -> str:
    return equal_by("path" if kind in PATHS else kind, one, other)


@lru_cache(maxsize=8_192)
def _amounts(value: str) -> Sequence[Amount]:
    found = read_amount(value)
    if value.isdecimal() or not _CENT.search(value):
        return found
    return [each for one in found for each in (one, Amount(one.number / 100, "", one.step / 100))]


class _Nearness:
    """Which quantities can be one of a few: by the whole numbers around these, without a look at each."""

    def __init__(self, known: Sequence[tuple[Amount, str]]) -> None:
        self._wholes: set[int] = set()
        self._wide: list[tuple[float, float]] = []
        for amount, _ in known:
            room = max(amount.step, _WHOLE) * _HALF + abs(amount.number) * _TINY_PART
            low, high = amount.number - room, amount.number + room
            if high - low < _WIDE:
                self._wholes.update(range(floor(low), floor(high) + 1))
            else:
                self._wide.append((low, high))

    def may_hold(self, kind: str, value: str) -> bool:
        """Return whether *value* can be one of them, or is said in words."""
        if kind == "test_result":
            return True
        if value.isdecimal() and len(value) <= _FEW_DIGITS:
            return self._may_be(int(value))
        near = any(one.step > _WHOLE or self._may_be(one.number) for one in _amounts(value))
        return near or bool(spelled(value.lower()))

    def _may_be(self, number: float) -> bool:
        """Whether a number that is written to the unit, or finer, can be one of them."""
        if -_FAR < number < _FAR:
            return floor(number) in self._wholes or any(low <= number <= high for low, high in self._wide)
        return True
