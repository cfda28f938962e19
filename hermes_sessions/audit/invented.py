"""What a handoff asserts that nothing before it said: exact facts, and words put into the user's mouth."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hermes_sessions.audit.retention import FactReader, facts_in, read_facts
from hermes_sessions.audit.source import Source
from hermes_sessions.audit.values import CompactionCase
from hermes_sessions.facts import shorten_line, text_facts
from hermes_sessions.handoff import handoff_sections

CHECKED_KINDS: Final = ("path", "url", "command", "id", "version", "number")
"""Kinds of fact that a summary can only have from its source; the others are prose."""

USER_WORDS: Final = "user_words"
"""The kind of an invention that puts words into the user's mouth."""

_POINTERS: Final = "Where the originals are"
# The last line of the agent's deterministic fallback; what it names is not from the transcript.
_FAILURE = re.compile(r"(?<=compacted message\(s\)\. )Summary failure reason: [^\n]*\s*\Z")
_WORD = re.compile(r"\w{4,40}")
_CLAIM = re.compile(
    r"(?i)\b(?:the )?user(?:'s)? (?:also |then )?"
    r"(?:asks?|asked|said|says|requested|wrote|told|wants|wanted|instructed|request(?: was|:))\b"
)
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»\n]{3,400})[\"”“»]|(?<!\w)'([^\n]{3,400}?)'(?!\w)")
_KNOWN_SHARE: Final = 0.8
"""How many of a quotation's telling words must stand in one request for a loose quotation."""


@dataclass(frozen=True, slots=True)
class Invention:
    """Something the handoff says and its source does not: a kind of fact, or `user_words`."""

    kind: str
    value: str


def find_inventions(case: CompactionCase, read: FactReader = read_facts) -> tuple[Invention, ...]:
    """Return what the handoff invented; nothing where its source is not stored, or it only counts.

    The source is everything that stood before the compaction: head, span, tail, earlier
    handoffs, and all that the user said in the conversation.
    """
    marker = case.wording is not None and case.wording.marker
    if not case.before or not case.body or marker:
        return ()
    body = _checked_text(case.body)
    told = dict.fromkeys((fact.kind, fact.value) for fact in text_facts(body) if fact.kind in CHECKED_KINDS)
    known = facts_in(case.before, read) if told else set()
    source = Source(case, known)
    unknown = (fact for fact in told if fact not in known and not source.tells(*fact))
    return (*(Invention(kind, value) for kind, value in unknown), *_invented_words(case, body, source))


def _checked_text(body: str) -> str:
    """Return the handoff without its pointers into our own store, and without why no model answered."""
    sections = (part for part in handoff_sections(_FAILURE.sub("", body)) if part.title != _POINTERS)
    return "\n".join(f"{part.title}\n{part.text}" for part in sections)


def _invented_words(case: CompactionCase, body: str, source: Source) -> Iterator[Invention]:
    """Yield what the handoff quotes as the user's and nobody said before, nor an earlier handoff told."""
    quotes = list(_quotes(body))
    if not quotes:
        return
    told = [_folded(text) for text in (*case.known_requests, *case.previous_handoffs)]
    words = [set(_WORD.findall(text)) for text in told]
    for quote in dict.fromkeys(quotes):
        if not _is_told(quote, told, words) and not source.quotes(_folded(quote)):
            yield Invention(USER_WORDS, shorten_line(quote))


def _quotes(body: str) -> Iterator[str]:
    for line in body.splitlines():
        claim = _CLAIM.search(line)
        for first, second in _QUOTED.findall(line[claim.end() :]) if claim else ():
            yield first or second


def _is_told(quote: str, told: Sequence[str], words: Sequence[set[str]]) -> bool:
    folded = _folded(quote).rstrip("…")
    if any(folded in text for text in told):
        return True
    telling = set(_WORD.findall(folded))
    most = max((len(telling & known) for known in words), default=0)
    return not telling or most >= len(telling) * _KNOWN_SHARE


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .,;:!?*_`")
