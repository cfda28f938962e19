"""Where the facts of a message stand: enough to have them again without looking for them.

A *note* is JSON: kinds, keys and offsets into the unwrapped message. What a message says is not
in it, so that it is small and tells nobody what was masked. It is worth as much as the version
of the rules that it was made with, and holds for the very message that it was made of.
"""

import hashlib
import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final, NamedTuple

from hermes_sessions.facts.extract import facts_and_rules
from hermes_sessions.facts.page import LineReader
from hermes_sessions.facts.unwrap import Unwrapped, unwrap_message
from hermes_sessions.facts.values import Fact, FactKind, weigh

_KINDS: Final = tuple(kind.value for kind in FactKind)
_NUMBERS: Final[Mapping[str, int]] = {kind: number for number, kind in enumerate(_KINDS)}
_FIELDS: Final = 4
NOTHING: Final = ""
"""The note of a message without facts."""


class FoundFacts(NamedTuple):
    """What is found in a message: its facts, and the rules that it sets."""

    facts: tuple[Fact, ...] = ()
    rules: tuple[Fact, ...] = ()


def find_facts(message: Mapping[str, Any]) -> FoundFacts:
    """Return the facts and the rules of one OpenAI- or Anthropic-style message."""
    return FoundFacts(*facts_and_rules(unwrap_message(message)))


def write_note(found: FoundFacts) -> str:
    """Return where these facts and rules stand."""
    if not (found.facts or found.rules):
        return NOTHING
    places = [list(_numbers(found.facts)), list(_numbers(found.rules))]
    return json.dumps(places, ensure_ascii=False, separators=(",", ":"))


def read_note(note: str, message: Mapping[str, Any]) -> FoundFacts | None:
    """Return the facts and rules that stand in *message* where *note* says.

    None where they cannot: the note is damaged, or that of another message.
    """
    if note == NOTHING:
        return FoundFacts()
    try:
        facts, rules = json.loads(note)
        look = _facts_at(unwrap_message(message))
        return FoundFacts(look(facts), look(rules))
    except (ValueError, TypeError, IndexError, RecursionError):
        return None


def digest_said(version: str, role: str, text: str, calls: Iterable[tuple[str, str]]) -> int:
    """Return a number that changes with all that decides the facts of a message, and with their rules.

    Args:
        version: of the rules.
        calls: name and arguments of each tool call.

    Returns:
        A signed number of 64 bits.
    """
    digest = hashlib.blake2b(digest_size=8)
    for part in (version, role, text, *(one for call in calls for one in call)):
        written = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(written))
        digest.update(written)
    return int.from_bytes(digest.digest(), "big", signed=True)


def _numbers(facts: Sequence[Fact]) -> Iterator[int | str]:
    """Yield kind, distance from the fact before, length and key of each; 0 is no key."""
    before = 0
    for fact in facts:
        start, end = fact.span
        yield from (_NUMBERS[fact.kind], start - before, end - start, fact.key or 0)
        before = start


def _facts_at(unwrapped: Unwrapped) -> Callable[[list[Any]], tuple[Fact, ...]]:
    starts = [piece.start for piece in unwrapped.pieces]
    behind = [*starts[1:], len(unwrapped.text) + 1]

    def look(numbers: list[Any]) -> tuple[Fact, ...]:
        found = []
        start = low = high = 0
        piece_start = piece_end = -1
        fields = [numbers[place::_FIELDS] for place in range(_FIELDS)]
        for number, distance, length, key in zip(*fields, strict=True):
            start += distance
            if not piece_start <= start < piece_end:
                here = bisect_right(starts, start) - 1
                piece_start, piece_end = starts[here], behind[here]
                text, _, _, speaker, *_ = unwrapped.pieces[here]
                lines, weights = LineReader(text), _weights_of(speaker)
                low = high = -1
            first, last = start - piece_start, start - piece_start + length
            if not 0 <= first < last <= len(text):
                raise ValueError(f"no fact stands at {start}")
            if not (low <= first and last <= high):
                low, high, line = lines.stretch(first, last)
            found.append(
                (
                    _KINDS[number],
                    key or "",
                    text[first:last],
                    line,
                    speaker,
                    weights[number],
                    (start, start + length),
                )
            )
        return tuple(map(_as_fact, found))

    return look


_as_fact: Final[Callable[[tuple[object, ...]], Fact]] = partial(tuple.__new__, Fact)
"""A fact of its fields: the call of a class for each of thousands takes longer than to find them."""


@cache
def _weights_of(speaker: str) -> tuple[float, ...]:
    return tuple(weigh(kind, speaker) for kind in _KINDS)
