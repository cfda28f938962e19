"""Things of a handoff with another number or letter than the source ever gives them: `dock 6` for `dock 9`."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode, Passage
from hermes_sessions.audit.words.small_words import SMALL_WORDS
from hermes_sessions.audit.words.telling import telling_words
from hermes_sessions.facts.wording.units import MONTHS
from hermes_sessions.late_patterns import late_pattern

_THING: Final = late_pattern(
    r"(?<![\w.-])(?P<thing>[^\W\d_]{3,20})[ \u00a0](?:(?:n(?:o|r|º|°)\.?|#|number|nummer|numéro|número|numero|номер) ?)?"
    r"(?P<number>\d{1,4}|[A-Z])(?=[.,;:!?)]?(?:\s|$))(?! ?[%°€$£])"
)
_NUMBERED: Final = late_pattern(r"[\dA-Z][.,;:!?)]?(?:\s|$)")
"""What is sought first, and fast: a number or a letter that something may end with."""
_STEM: Final = 6
_LEAST: Final = 1
_MOST: Final = 4
"""A thing with more numbers is counted, not named."""


def renumbered_things(passages: Sequence[Passage], texts: Sequence[tuple[int, str]]) -> Iterator[Deviation]:
    """Yield things whose number no text gives them, where another one stands beside the same words."""
    asked = [
        (one, match) for one in passages if one.mode is not Mode.OWN for match in _THING.finditer(one.text)
    ]
    stems = {_stem(match["thing"]) for _, match in asked} - _NAMELESS
    if not stems:
        return
    known = _numbers_of(stems, texts)
    written = {(_stem(match["thing"]), match["number"]) for _, match in asked}
    for passage, match in asked:
        stem, number = _stem(match["thing"]), match["number"]
        numbers = known.get(stem, {})
        alike = [
            one for one in numbers if one.isdecimal() == number.isdecimal() and (stem, one) not in written
        ]
        if number in numbers or not alike or len(numbers) > _MOST:
            continue
        words = telling_words(passage.text) - telling_words(match.group())
        for other in alike:
            message, line = numbers[other]
            if len(words & telling_words(line)) >= _LEAST:
                value = f"{match['thing']} {number}"
                yield Deviation(
                    Grade.NOT_VERBATIM, "number", value, passage.text.strip()[:400], "numbered-otherwise",
                    f"{match['thing']} {other}", line, message or None,
                )  # fmt: skip
                break


def _numbers_of(stems: set[str], texts: Sequence[tuple[int, str]]) -> dict[str, dict[str, tuple[int, str]]]:
    """Return the numbers of each thing, with the last line that gives it."""
    found: dict[str, dict[str, tuple[int, str]]] = {}
    for message, text in texts:
        folded = text.casefold()
        named = [one for one in stems if one in folded]
        for line in text.splitlines() if named else ():
            folded = line[:400].casefold()
            is_likely = any(one in folded for one in named) and _NUMBERED.search(line, 0, 400)
            for thing, number in _things(line[:400]) if is_likely else ():
                if thing in stems:
                    found.setdefault(thing, {})[number] = message, line.strip()[:400]
    return found


@lru_cache(maxsize=20_000)
def _things(line: str) -> tuple[tuple[str, str], ...]:
    return tuple((_stem(match["thing"]), match["number"]) for match in _THING.finditer(line))


def _stem(word: str) -> str:
    return word.casefold()[:_STEM]


_NAMELESS: Final = frozenset(
    one[:_STEM]
    for one in (
        *SMALL_WORDS,
        *MONTHS,
        *[
            "the",
            "and",
            "for",
            "with",
            "from",
            "until",
            "till",
            "before",
            "after",
            "over",
            "under",
            "only",
            "all",
            "any",
            "next",
            "last",
            "first",
            "least",
            "most",
            "than",
            "about",
            "around",
            "down",
            "step",
            "option",
            "phase",
            "part",
            "item",
            "point",
            "task",
            "test",
            "commit",
            "version",
            "day",
            "page",
            "line",
            "table",
            "figure",
            "of",
            "bis",
            "ab",
            "um",
            "vor",
            "nach",
            "mit",
            "von",
            "auf",
            "nur",
            "alle",
            "etwa",
            "rund",
            "de",
            "le",
            "les",
            "des",
            "du",
            "la",
            "à",
            "el",
            "los",
            "las",
            "para",
            "por",
            "con",
            "desde",
            "hasta",
            "entre",
            "sobre",
            "da",
            "do",
            "dos",
            "das",
            "até",
            "com",
            "per",
            "di",
            "il",
            "lo",
            "al",
            "alle",
            "van",
            "tot",
            "met",
            "op",
            "do",
            "na",
            "od",
            "po",
            "z",
            "из",
            "до",
            "на",
            "от",
            "по",
            "в",
            "с",
        ],
    )
)
"""What stands before a number and is no thing, and what a handoff numbers itself."""
