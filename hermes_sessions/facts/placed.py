"""Where the facts of a message stand: enough to have them again without looking for them.

A *note* is JSON: kinds, keys and offsets into the unwrapped message. What a message says is not
in it, so that it is small and tells nobody what was masked. It is worth as much as the version
of the rules that it was made with, and holds for the very message that it was made of.
"""

import hashlib
import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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

    def look(numbers: list[Any]) -> tuple[Fact, ...]:
        found, start, at = [], 0, -1
        fields = [numbers[place::_FIELDS] for place in range(_FIELDS)]
        for number, distance, length, key in zip(*fields, strict=True):
            start += distance
            here = bisect_right(starts, start) - 1
            if here != at:
                at, piece = here, unwrapped.pieces[here]
                lines = LineReader(piece.text)
            first, last = start - piece.start, start - piece.start + length
            if not 0 <= first < last <= len(piece.text):
                raise ValueError(f"no fact stands at {start}")
            kind = _KINDS[number]
            found.append(
                Fact(
                    kind,
                    key or "",
                    piece.text[first:last],
                    lines.around(first, last),
                    piece.speaker,
                    weigh(kind, piece.speaker),
                    (start, start + length),
                )
            )
        return tuple(found)

    return look
