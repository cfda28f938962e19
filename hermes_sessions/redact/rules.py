"""What a rule is, and how it is looked for.

A rule is tried only where one of its words stands, so that text without them costs next to nothing.
Every quantifier of a pattern is bounded: the time is linear in the text, whatever it holds.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hermes_sessions.late_patterns import late_pattern

Accept = Callable[[re.Match[str]], bool]


def always(match: re.Match[str]) -> bool:
    """Take whatever the pattern matches."""
    return True


@dataclass(frozen=True, slots=True)
class SecretRule:
    """A kind of secret: what it looks like from one of its words on, or from as many characters `before` it.

    The group `s` is masked, or all of it; of a quoted value, what the quotes hold (`quoted`). A rule
    without words is looked for everywhere, and matches no blank. A rule with `kinds` tells which of them it
    met by the number of the last group that took part.
    """

    name: str
    pattern: re.Pattern[str]
    words: tuple[str, ...]
    accepts: Accept = always
    before: tuple[int, ...] = (0,)
    kinds: tuple[str, ...] = ()

    def kind(self, match: re.Match[str]) -> str:
        """Return what kind of secret was met."""
        return self.kinds[(match.lastindex or 1) - 1] if self.kinds else self.name


def rule(
    name: str, pattern: str, *words: str, accepts: Accept = always, before: tuple[int, ...] = (0,)
) -> SecretRule:
    """Return a rule; words and their edges are those of ASCII: no blank parts a key from Han characters."""
    ascii_words = pattern.replace(r"\b", r"(?a:\b)").replace(r"\w", "A-Za-z0-9_")
    return SecretRule(name, late_pattern(ascii_words), words, accepts, before)


def cases(*words: str) -> tuple[str, ...]:
    """Return each word in the three ways it is written: `token`, `Token`, `TOKEN`."""
    return tuple(dict.fromkeys(form for word in words for form in (word, word.capitalize(), word.upper())))


class WordIndex:
    """Which rules may find something in a text, by the longest piece without a blank of each word.

    Such a piece stands within what blanks part, and so does all that a rule without words matches. Most of
    what blanks part was seen before.
    """

    def __init__(self, rules: Sequence[SecretRule]) -> None:
        self._words: dict[str, list[tuple[int, int]]] = {}
        self._formed: list[int] = []
        self._rules = rules
        for number, one in enumerate(rules):
            if not one.words:
                self._formed.append(number)
            for place, word in enumerate(one.words):
                self._words.setdefault(max(word.split(), key=len), []).append((number, place))
        self._barren: set[str] = set()

    def likely(self, text: str) -> list[tuple[int, list[str]]]:
        """Return the numbers of the rules that may find something, each with its words in *text*."""
        fresh = set(text.split()) - self._barren
        unseen = " ".join(fresh)
        found = [word for word in self._words if word in unseen] if unseen else []
        formed = [number for number in self._formed if self._rules[number].pattern.search(unseen)]
        if len(unseen) <= _MAX_UNSEEN_CHARS:
            if len(self._barren) > _MAX_BARREN:
                self._barren = set()
            shapes = [self._rules[number].pattern for number in formed]
            self._barren |= {
                part
                for part in fresh
                if len(part) <= _MAX_PART_CHARS
                and not any(word in part for word in found)
                and not any(shape.search(part) for shape in shapes)
            }
        places: dict[int, list[int]] = {number: [] for number in formed}
        for word in found:
            for number, place in self._words[word]:
                places.setdefault(number, []).append(place)
        return [
            (number, [self._rules[number].words[place] for place in sorted(places[number])])
            for number in sorted(places)
        ]


_MAX_UNSEEN_CHARS: Final = 100_000
_MAX_BARREN: Final = 50_000
_MAX_PART_CHARS: Final = 80


def find(one: SecretRule, text: str, words: Sequence[str]) -> Iterator[re.Match[str]]:
    """Yield the matches that the rule accepts in *text*; places may overlap.

    Args:
        words: those of the rule that may be in *text*.
    """
    if not one.words:
        yield from filter(one.accepts, one.pattern.finditer(text))
        return
    ascii_only: Final = text.isascii()
    for word in words:
        at = -1 if ascii_only and not word.isascii() else text.find(word)
        while at >= 0:
            found = _match_beside(one, text, at)
            if found:
                yield found
            at = text.find(word, max(at + 1, masked(found)[1] if found else 0))


def masked(match: re.Match[str]) -> tuple[int, int]:
    """Return from where to where a match is the secret: what its quotes hold, its group `s`, or all of it."""
    groups = match.re.groupindex
    if "quoted" in groups and match["quoted"] is not None:
        return match.span("quoted")
    return match.span("s" if "s" in groups else 0)


def _match_beside(one: SecretRule, text: str, at: int) -> re.Match[str] | None:
    for before in one.before:
        match = one.pattern.match(text, at - before) if at >= before else None
        if match and one.accepts(match):
            return match
    return None
