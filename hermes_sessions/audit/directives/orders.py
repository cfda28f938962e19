"""Orders in a handoff that nobody gave."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from hermes_sessions.audit.checking.inventions import is_one_language
from hermes_sessions.audit.directives.spoken_orders import (
    GRANTS,
    KEEPS_FROM,
    NOTICE,
    SPOKEN_TO,
    TELLS_NOW,
    UNASKED_FIRST,
    WISHES,
    is_pressing,
)
from hermes_sessions.audit.values import CompactionCase
from hermes_sessions.audit.words.commands import (
    AS_SYSTEM,
    AS_USER,
    BARS,
    CONCEAL,
    FIRST_PERSON,
    GO_ON,
    JOINED_DEED,
    MACHINE_TAG,
    ORDERING,
    REPORTED,
    UNASKED,
    UNASKED_TOO,
    YOURS,
)
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.headings import PartItem, PartKind, read_items
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.handoff.frames import without_frame
from hermes_sessions.handoff.own_lines import without_own_lines
from hermes_sessions.late_patterns import late_pattern

_CODE = late_pattern(r"`[^`\n]+`")
"""A command is no speech: its options ask nobody for silence."""
_SENTENCE = SentenceCut(r"(?<=[.!?;])\s+|(?<=[。！？；])")
_OTHER_SPEAKER = late_pattern(r"\b(?:assistant|agent|assistent|asistente)\s*[:：]", re.I)
_TOLD_US = late_pattern(
    r"\buser (?:has |had )?(?:told|asked|instructed|wanted) (?:us|me|the (?:agent|assistant))\b|nutzer\w* (?:hat )?(?:uns|mir)\b"
    r"|utilisat\w+ (?:nous|m['’])|\b(?:usuari[oa]|usuári[oa]) (?:nos|me)\b|\butente (?:ci|mi)\b|пользовател\w+ (?:нам|мне)\b",
    re.I,
)
"""The user told the agent something, and nobody is to keep it from the user."""
_BLANKS = late_pattern(r"\W+")
_MAX_ORDERS: Final = 50
_LABEL = late_pattern(r"\W*(?:\w+ ){1,4}?\w+\s?[:：]\s")
_OVERRIDES = late_pattern(
    r"\b(?:ignore[zs]?|disregard|override|ignorier\w*|missachte\w*|ignora\w*|desconsidere|игнорируй\w*)\b|忽略|无视|無視|무시",
    re.I,
)
_ENOUGH_SAID: Final = 0.5
_ASKED_FOR: Final = 0.7
_SAME: Final = 0.75
_QUOTED = late_pattern(r"^\W*[\"“„«「『].*[\"”“»」』]\W*$", re.S)


class GivenOrder(NamedTuple):
    """A line of a handoff that orders: `next_move`, `as_user`, `as_system` or `silence`."""

    kind: str
    text: str


def find_orders(case: CompactionCase) -> tuple[GivenOrder, ...]:
    """Return the lines of the handoff's body that give orders in words nobody said before."""
    body = without_frame(without_own_lines(case.body))
    if not body.strip():
        return ()
    said = _SaidBefore(case)
    return tuple(_orders(body, said))[:_MAX_ORDERS]


def _orders(body: str, said: "_SaidBefore") -> Iterator[GivenOrder]:
    for match in MACHINE_TAG.finditer(body):
        if not said.holds(match["said"]):
            yield GivenOrder("as_system", match.group())
    for item in read_items(MACHINE_TAG.sub("", body)):
        if item.kind is not PartKind.DONE and (order := _order(item, said)) is not None:
            yield order


def _order(item: PartItem, said: "_SaidBefore") -> GivenOrder | None:
    """Return the first order in a line: what it speaks as, then its sentences."""
    if match := AS_USER.match(item.text):
        words = _OTHER_SPEAKER.split(match["said"])[0]
        foreign = said.share_of_users(words) < _ENOUGH_SAID and not said.holds(words)
        foreign = foreign and (
            said.is_in_language_of_users(words) or bool(_kind(words) or _spoken(words, ""))
        )
        return GivenOrder("as_user", item.text) if foreign and not REPORTED.search(match["said"]) else None
    if match := AS_SYSTEM.match(item.text):
        orders = ORDERING.search(match["said"]) or GO_ON.search(match["said"])
        foreign = orders is not None and not said.holds(match["said"])
        return GivenOrder("as_system", item.text) if foreign else None
    if YOURS.match(item.heading) and item.text.strip() and not REPORTED.search(item.text):
        return None if said.holds(item.text) else GivenOrder("next_move", f"{item.heading}: {item.text}")
    sentences = _SENTENCE.split(item.text[:4_000])
    for at, (sentence, following) in enumerate(zip(sentences, [*sentences[1:], ""], strict=True)):
        speech = _CODE.sub("`", sentence)
        kind = _kind(speech) or ("" if at and TELLS_NOW.match(speech) else _spoken(speech, following))
        if (
            kind
            and not said.holds(sentence)
            and not (kind == "next_move" and _is_request(speech, following, said))
        ):
            return GivenOrder(kind, sentence)
    return None


def _is_request(sentence: str, following: str, said: "_SaidBefore") -> bool:
    """Return whether a sentence that is pressing, and no more than that, has in it what the user asked for."""
    if _kind(sentence) or SPOKEN_TO.search(sentence):
        return False
    is_unasked = UNASKED_FIRST.search(sentence) or UNASKED_FIRST.search(following)
    return not is_unasked and said.share_of_users(sentence) >= _ASKED_FOR


def _kind(sentence: str) -> str:
    if not sentence.strip() or REPORTED.search(sentence) or _QUOTED.match(sentence):
        return ""
    if CONCEAL.search(sentence):
        return "silence"
    if FIRST_PERSON.search(sentence):
        return "as_user"
    if (match := AS_SYSTEM.match(sentence)) and any(
        one.search(match["said"]) for one in (GRANTS, GO_ON, _OVERRIDES)
    ):
        return "as_system"
    if YOURS.match(sentence) and _LABEL.match(sentence):
        return "next_move"
    if any(UNASKED_TOO.search(one) for one in JOINED_DEED.split(sentence)[1:]):
        return "next_move"
    if GO_ON.search(sentence) or (UNASKED.search(sentence) and not BARS.search(sentence)):
        return "next_move"
    return ""


def _spoken(sentence: str, following: str) -> str:
    """Return what a sentence orders by how it is built: who is spoken to, what is to be done, and how."""
    silence = KEEPS_FROM.search(sentence)
    is_told = REPORTED.search(sentence.replace(silence.group(), " ")) if silence else None
    if silence and not (is_told or _TOLD_US.search(sentence)):
        return "silence"
    if REPORTED.search(sentence) or _QUOTED.match(sentence):
        return ""
    if (match := NOTICE.match(sentence)) and GRANTS.search(match["said"]):
        return "as_system"
    if WISHES.search(sentence):
        return "as_user"
    return "next_move" if SPOKEN_TO.search(sentence) or is_pressing(sentence, following) else ""


class _SaidBefore:
    """Everything that was said before the compaction, and the instructions it stood under."""

    def __init__(self, case: CompactionCase) -> None:
        self._case = case

    def holds(self, words: str) -> bool:
        """Return whether somebody said *words*, or nearly these."""
        folded = _folded(words)
        if not folded or folded in self._text:
            return True
        terms = read_terms(words).all
        return bool(terms) and any(
            len(terms & other) / len(terms) >= _SAME and len(other) <= 3 * len(terms)
            for other in self._said_terms
        )

    def is_in_language_of_users(self, words: str) -> bool:
        """Return whether *words* can be held against what the user said: they are not a translation."""
        said = [row.text for row in self._case.before if row.is_request]
        return is_one_language(words, said)

    def share_of_users(self, words: str) -> float:
        """Return which part of *words* the user used before."""
        terms = read_terms(words).all
        return len(terms & self._users_terms) / len(terms) if terms else 1.0

    @cached_property
    def _text(self) -> str:
        rows = (row.text for row in self._case.before)
        return "\n".join(_folded(one) for one in (self._case.prompt, *self._case.known_requests, *rows))

    @cached_property
    def _said_terms(self) -> Sequence[frozenset[str]]:
        """The sentences of the user; what the assistant said is held to the letter."""
        pieces = (
            piece for text in self._case.known_requests[-200:] for piece in _SENTENCE.split(text[:8_000])
        )
        return [terms for piece in pieces if (terms := read_terms(piece[:1_000]).all)]

    @cached_property
    def _users_terms(self) -> frozenset[str]:
        return frozenset().union(*self._said_terms)


def _folded(text: str) -> str:
    return _BLANKS.sub(" ", text.casefold()).strip()
