"""What a handoff asserts that nothing before it said: exact facts, and words put into the user's mouth."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hermes_sessions.audit.retention import FactReader, facts_in, read_facts
from hermes_sessions.audit.source import Source
from hermes_sessions.audit.values import CompactionCase
from hermes_sessions.facts import WORD_CHARS, shorten_line, text_facts
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
    r"|用户(?:还|又|也|曾|再次)?(?:要求|请求|询问|问|说|表示|希望|想|提出|指示)|ユーザー(?:は|が|の依頼|の要求|の質問)"
    r"|\b(?:be)?nutzer(?:in)? (?:bat|fragte?|sagte?|schrieb|wollte|will|möchte|verlangte?)\b"
    r"|\butilisateur (?:a (?:demandé|dit|écrit)|demande|veut)\b"
    r"|\busuario (?:pidió|pide|dijo|preguntó|quiere|solicitó)\b"
)
_QUOTED = re.compile(
    r"[\"“„«「『]([^\"“”„«»「」『』\n]{3,400})[\"”“»」』]|(?<!\w)'([^\n]{3,400}?)'(?!\w)|‘([^‘\n]{3,400}?)’(?!\w)"
)
_UNQUOTED = re.compile(r"[*_]{0,3}[:：][*_]{0,3} (\S[^\n]{0,400})")
_SPOKEN = re.compile(r"\w+")
_WORD_OF_CLAIM = re.compile(rf"[{WORD_CHARS}]{{4,40}}")
_MIN_WORDS: Final = 4
_TOLD_SHARE: Final = 1 / 3
"""A claim of `_MIN_WORDS` words or more, unquoted, is invented where fewer of them stood anywhere before."""

_ENGLISH: Final = frozenset(
    {
        *("the", "and", "please", "this", "that", "with", "what", "how", "you", "it", "is", "of", "to"),
        *("on", "go", "for", "not", "can", "are", "from", "when", "why", "should"),
    }
)
_ENGLISH_SHARE: Final = 0.05
"""Where fewer of the requests' words are these, an English handoff translates, and its words are its own."""

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
    return (
        *(Invention(kind, value) for kind, value in unknown),
        *_invented_words(case, body, source),
        *_invented_claims(case, body, source),
    )


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


def _invented_claims(case: CompactionCase, body: str, source: Source) -> Iterator[Invention]:
    """Yield what the handoff says without quotation marks after `User asked:`, in words that are all new."""
    for rest in _claims(body):
        said = None if _QUOTED.search(rest) else _UNQUOTED.match(rest)
        words = set(_WORD_OF_CLAIM.findall(said[1].casefold())) if said else ()
        if not said or len(words) < _MIN_WORDS or not _is_english(case.known_requests):
            continue
        if source.share_known(words) < _TOLD_SHARE:
            yield Invention(USER_WORDS, shorten_line(said[1]))


def _is_english(texts: Sequence[str]) -> bool:
    """Return whether the requests hold as many small English words as an English text does."""
    words = [word for text in texts for word in _SPOKEN.findall(text.casefold())]
    return sum(word in _ENGLISH for word in words) > len(words) * _ENGLISH_SHARE


def _claims(body: str) -> Iterator[str]:
    """Yield what stands on a line behind words like `the user asked`."""
    for line in body.splitlines():
        if claim := _CLAIM.search(line):
            yield line[claim.end() :]


def _quotes(body: str) -> Iterator[str]:
    for rest in _claims(body):
        yield from ("".join(groups) for groups in _QUOTED.findall(rest))


def _is_told(quote: str, told: Sequence[str], words: Sequence[set[str]]) -> bool:
    folded = _folded(quote).rstrip("…")
    if any(folded in text for text in told):
        return True
    telling = set(_WORD.findall(folded))
    most = max((len(telling & known) for known in words), default=0)
    return not telling or most >= len(telling) * _KNOWN_SHARE


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .,;:!?*_`")
