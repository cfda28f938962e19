"""Find and mask secrets in text and in tool-call arguments. Best effort, no promise.

`forms` knows them by their own form, `values` by the name before them, `commands` by the
command or file they stand in, `spoken` by the sentence. The time is linear in the text,
whatever it holds. Masking twice changes nothing.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any, Final

from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.redact.commands import COMMANDS
from hermes_sessions.redact.forms import FORMS
from hermes_sessions.redact.rules import WordIndex, find, masked
from hermes_sessions.redact.spoken import SPOKEN
from hermes_sessions.redact.values import VALUES

_RULES: Final = (*FORMS, *VALUES, *COMMANDS, *SPOKEN)
_INDEX: Final = WordIndex(_RULES)
KINDS: Final = tuple(dict.fromkeys(kind for rule in _RULES for kind in rule.kinds or (rule.name,)))
"""The kinds of secrets that are known, by name."""

_SHORTEST_CHARS: Final = 10
"""No rule matches less: `pwd=` and six characters."""
_MASK = late_pattern(r"\[redacted(?::[^\]\s]{1,40})?\]")
_SECRET_KEY = late_pattern(
    r"(?i)(?:^|[_-])(?:(?:api|account|secret|secret[_-]?access)[_-]?key|(?:access|auth|refresh|private|bot)[_-]?token"
    r"|client[_-]?secret|token|secret|passw(?:or)?d|passphrase|pwd|credentials?|authorization|cookie)$|apikey$"
)


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text with its secrets masked, and how many were masked of each kind."""

    text: str
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, order=True)
class _Found:
    """A place to mask; of two that begin together the more telling rule wins."""

    start: int
    rank: int
    end: int
    name: str


def find_secrets(text: str, kinds: Collection[str]) -> list[tuple[int, int, str]]:
    """Return (start, end, kind) of the secrets of these kinds, in order; places that overlap are one.

    Args:
        kinds: names out of `KINDS`.
    """
    places: list[tuple[int, int, str]] = []
    at = 0
    for found in sorted(one for one in _find(text, frozenset(kinds)) if one.end > one.start):
        if found.start >= at:
            places.append((found.start, found.end, found.name))
        elif found.end > at:
            start, _, name = places[-1]
            places[-1] = (start, found.end, name)
        at = max(at, found.end)
    return places


def redact(text: str) -> Redacted:
    """Replace every secret found in *text* by `[redacted:<kind>]`."""
    if len(text) < _SHORTEST_CHARS:
        return Redacted(text)
    pieces: list[str] = []
    counts: Counter[str] = Counter()
    at = 0
    for found in sorted(_find(text)):
        if found.start >= at:
            pieces += [text[at : found.start], f"[redacted:{found.name}]"]
            counts[found.name] += 1
        at = max(at, found.end)
    if not counts:
        return Redacted(text)
    return Redacted("".join(pieces) + text[at:], dict(counts))


def is_mask(text: str) -> bool:
    """Return whether *text* is nothing but what stands for a secret."""
    return _MASK.fullmatch(text) is not None


def redact_arguments(arguments: str) -> Redacted:
    """Mask the secrets in the arguments of a tool call.

    Valid JSON stays valid: its strings are masked one by one, and a string under a key
    such as `password` is masked whole. Anything else is masked as text. Without a
    secret the arguments come back as they are, white space included.
    """
    if arguments.lstrip()[:1] not in ("{", "["):
        return redact(arguments)
    try:
        counts: Counter[str] = Counter()
        masked = _masked(json.loads(arguments), counts)
        return Redacted(json.dumps(masked, ensure_ascii=False) if counts else arguments, dict(counts))
    except (ValueError, RecursionError):
        return redact(arguments)


def _masked(value: Any, counts: Counter[str], key: str = "") -> Any:
    if isinstance(value, dict):
        return {_mask(name, counts): _masked(inner, counts, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_masked(inner, counts, key) for inner in value]
    if not isinstance(value, str):
        return value
    if len(value) >= 4 and _SECRET_KEY.search(key) and not value.startswith("[redacted:"):
        counts["argument"] += 1
        return "[redacted:argument]"
    return _mask(value, counts)


def _mask(text: str, counts: Counter[str]) -> str:
    found = redact(text)
    counts.update(found.counts)
    return found.text


def _find(text: str, kinds: Set[str] | None = None) -> Iterator[_Found]:
    for rank, words in _INDEX.likely(text):
        rule = _RULES[rank]
        if kinds is not None and kinds.isdisjoint(rule.kinds or (rule.name,)):
            continue
        for match in find(rule, text, words):
            kind = rule.kind(match)
            if kinds is None or kind in kinds:
                start, end = masked(match)
                yield _Found(start, rank, end, kind)
