"""What must stand in a text for a pattern to match anywhere in it, read from the pattern itself.

Of a pattern of many words in many languages most texts hold none. To try it takes a hundred times as
long as to look at the words of a text, so these are looked at first.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import product, zip_longest
from typing import Final, NamedTuple

from hermes_sessions.facts.wording.heads import fold_case
from hermes_sessions.late_patterns import late_pattern

_QUANTIFIER: Final = late_pattern(r"(?:[?*+]|\{(\d*)(?:,\d*)?\})[?+]?")
_SIGN: Final = late_pattern(r"u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.", re.S)
_BEHIND_NO_WORD: Final = late_pattern(r"\(\?<!(?:\\w|\[\\w[^\]]*\])\)")
_GROUP: Final = late_pattern(r"\((?:\?(?:P<\w+>|-?[ims]{0,3}:))?(?!\?)")
_LOOK: Final = late_pattern(r"\(\?(<?[=!])")
_LOOKS: Final = {"=": "ahead", "<=": "behind", "!": "not", "<!": "not"}
_MOST_SIGNS: Final = 4
_MOST_FORMS: Final = 16
_LONG_ENOUGH: Final = 6
_COMMON: Final = frozenset(
    "the that this there with from for and not no is are was were has have had be been to of in on as at it we you i will can"
    " changed never only der die das den und ist nicht le la les de que est el los un una и в не".split()
)
"""Words that stand in many a sentence: where another one is needed too, that is asked for."""
_COMMON_VALUE: Final = 2.5
"""Less than three letters at the beginning of a word."""


class Needed(NamedTuple):
    """Letters that every match of one kind holds.

    Attributes:
        begins: a word begins with them.
        ends: it ends with them, too.
    """

    letters: str
    begins: bool
    ends: bool


class _PatternPart(NamedTuple):
    """One part of a pattern: what it is, what it holds, how often it stands there at least and at most."""

    kind: str
    signs: Sequence[str] = ()
    within: Sequence[Sequence["_PatternPart"]] = ()
    least: int = 1
    is_single: bool = True


class _UnknownShapeError(Exception):
    """The pattern has something in it that is not read here."""


def needed_by(pattern: re.Pattern[str]) -> frozenset[Needed] | None:
    """Return letters of which one stands in every text that *pattern* is in, as `fold_case` has them.

    None where there are none, or where that is not sure.
    """
    if pattern.flags & (re.X | re.A):
        return None
    try:
        reader = _PatternReader(pattern.pattern)
        choices = reader.read_choices()
        if reader.at < len(pattern.pattern):
            return None
    except _UnknownShapeError:
        return None
    found, _ = _of_choices(choices, fresh=False)
    return found


class _PatternReader:
    """Reads a pattern from left to right."""

    def __init__(self, shape: str) -> None:
        self.shape = shape
        self.at = 0

    def read_choices(self) -> Sequence[Sequence[_PatternPart]]:
        """Read what stands between bars, up to the end or to a bracket that closes."""
        choices: list[list[_PatternPart]] = [[]]
        while self.at < len(self.shape) and self.shape[self.at] != ")":
            if self.shape[self.at] == "|":
                self.at += 1
                choices.append([])
            else:
                choices[-1].append(self._read_item())
        return choices

    def _read_item(self) -> _PatternPart:
        item = self._read_one()
        found = _QUANTIFIER.match(self.shape, self.at)
        if found is None or found[0].startswith("{}"):
            return item
        self.at = found.end()
        least = {"?": 0, "*": 0, "+": 1}.get(found[0][0], int(found[1] or 0) if found[1] is not None else 0)
        return item._replace(least=least, is_single=found[0] == "{1}")

    def _read_one(self) -> _PatternPart:
        sign = self.shape[self.at]
        if sign == "(":
            return self._read_group()
        self.at += 1
        if sign == "[":
            return self._read_class()
        if sign == "\\":
            return self._read_escape()
        if sign in "^$":
            return _PatternPart("edge")
        return _PatternPart("any") if sign == "." else _PatternPart("sign", (fold_case(sign),))

    def _read_escape(self) -> _PatternPart:
        found = _SIGN.match(self.shape, self.at)
        if found is None:
            raise _UnknownShapeError
        self.at = found.end()
        name = found[0]
        if len(name) > 1:
            return _PatternPart("sign", (fold_case(chr(int(name[1:], 16))),))
        if name in "sWntrfv":
            return _PatternPart("gap")
        if name in "bAZ":
            return _PatternPart("edge")
        if name.isalnum() and name.isascii():
            if name not in "wdSD":
                raise _UnknownShapeError
            return _PatternPart("any")
        return _PatternPart("sign", (fold_case(name),))

    def _read_class(self) -> _PatternPart:
        """Read a class of signs; of many, or of those that are not in it, it is not asked which."""
        start = self.at
        end = self.shape.find("]", start + 1 + self.shape.startswith("^", start))
        while end > 0 and _is_escaped(self.shape, end):
            end = self.shape.find("]", end + 1)
        if end < 0:
            raise _UnknownShapeError
        self.at = end + 1
        inner = self.shape[start:end]
        if inner.startswith("^") or "-" in inner[1:-1] or "[" in inner:
            return _PatternPart("any")
        bare = inner.replace("\\s", "").replace("\\W", "")
        if "\\" in bare:
            bare = re.sub(r"\\([^\w\s])", r"\1", bare)
            if "\\" in bare:
                return _PatternPart("any")
        if not any(map(_is_of_words, bare)):
            return _PatternPart("gap")
        if len(bare) > _MOST_SIGNS or bare != inner:
            return _PatternPart("any")
        return _PatternPart("sign", tuple(map(fold_case, bare)))

    def _read_group(self) -> _PatternPart:
        if found := _BEHIND_NO_WORD.match(self.shape, self.at):
            self.at = found.end()
            return _PatternPart("edge")
        look = _LOOK.match(self.shape, self.at)
        found = look or _GROUP.match(self.shape, self.at)
        if found is None:
            raise _UnknownShapeError
        self.at = found.end()
        within = self.read_choices()
        if not self.shape.startswith(")", self.at):
            raise _UnknownShapeError
        self.at += 1
        return _PatternPart(_LOOKS[look[1]] if look else "group", (), within)


def _is_escaped(shape: str, at: int) -> bool:
    count = 0
    while shape[at - 1 - count] == "\\":
        count += 1
    return count % 2 == 1


def _is_of_words(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


class _NeededWalk:
    """Goes through the parts of one choice and remembers the letters that it must hold."""

    def __init__(self, fresh: bool) -> None:
        """Take whether a letter here would begin a word."""
        self.fresh = fresh
        self.found: list[frozenset[Needed]] = []
        self._run: list[str] = []
        self._begins = False

    def end_run(self, *, ends: bool = False) -> None:
        """Remember the letters since the last other sign; *ends*: no letter can follow them."""
        if self._run:
            self.found.append(frozenset(Needed(one, self._begins, ends) for one in self._run))
        self._run = []

    def take(self, item: _PatternPart, *, is_last: bool) -> None:
        """Go over one part; *is_last*: no letter can follow it."""
        if item.kind in ("ahead", "behind"):
            self._look(item)
        elif _parts_words(item):
            self.end_run(ends=item.least > 0)
            self.fresh = self.fresh or item.least > 0
        elif item.kind == "group":
            self._take_group(item, is_last=is_last and item.is_single)
        elif item.kind == "sign" and all(map(_is_of_words, "".join(item.signs))):
            self._take_letter(item)
        elif item.kind != "not":
            self.end_run()
            self.fresh = False

    def _look(self, item: _PatternPart) -> None:
        found, _ = _of_choices(item.within, fresh=self.fresh and item.kind == "ahead")
        if found is not None and item.least:
            self.found.append(found)

    def _take_letter(self, item: _PatternPart) -> None:
        if item.least:
            forms = [f"{one}{sign}" for one, sign in product(self._run or ("",), item.signs)]
            if not self._run or len(forms) > _MOST_FORMS:
                self.end_run()
                self._begins = self.fresh
                forms = list(item.signs)
            self._run = forms
        if not item.is_single:
            self.end_run()
        self.fresh = False

    def _take_group(self, item: _PatternPart, *, is_last: bool) -> None:
        self.end_run()
        found, fresh = _of_choices(item.within, fresh=self.fresh, is_last=is_last)
        if item.least and found is not None:
            self.found.append(found)
        self.fresh = fresh and (bool(item.least) or self.fresh)


def _parts_words(item: _PatternPart) -> bool:
    """Whether *item* is no letter, or a place where none stands on one side."""
    return item.kind in ("edge", "gap") or (
        item.kind == "sign" and not any(map(_is_of_words, "".join(item.signs)))
    )


def _of_choices(
    choices: Sequence[Sequence[_PatternPart]], *, fresh: bool, is_last: bool = False
) -> tuple[frozenset[Needed] | None, bool]:
    """Return what any of *choices* must hold, and whether a letter behind each would begin a word."""
    walks = [_NeededWalk(fresh) for _ in choices]
    for walk, items in zip(walks, choices, strict=True):
        for item, after in zip_longest(items, items[1:]):
            walk.take(item, is_last=is_last if after is None else _parts_words(after) and after.least > 0)
        walk.end_run(ends=is_last)
    is_fresh = all(walk.fresh for walk in walks)
    if not all(walk.found for walk in walks):
        return None, is_fresh
    return frozenset().union(*(max(walk.found, key=_tells) for walk in walks)), is_fresh


def _tells(found: Iterable[Needed]) -> tuple[float, int]:
    """Return how much the least of *found* tells: letters, and that a word begins, or ends, with them."""
    least = min(_value(one) for one in found)
    return least, -len(tuple(found))


def _value(one: Needed) -> float:
    if one.ends and one.letters in _COMMON:
        return _COMMON_VALUE
    if not one.letters.isascii() and not one.begins:
        return _LONG_ENOUGH
    return min(len(one.letters) + one.ends, _LONG_ENOUGH) - (0 if one.begins else _MOST_SIGNS / 2)
