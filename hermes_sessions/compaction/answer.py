"""What a summariser gave back: cleaned, masked, and refused where it is no summary."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from hermes_sessions.compaction.prompt import INSTRUCTIONS
from hermes_sessions.compaction.sections import close_fences, read_body
from hermes_sessions.errors import SummaryFailedError
from hermes_sessions.handoff import split_handoff, starts_handoff
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.redact import redact

_THOUGHT: Final = (("<think>", "</think>"), ("<thinking>", "</thinking>"))
_CLAIM = late_pattern(
    r"(?i)\b(?:the )?user(?:'s)? (?:also )?"
    r"(?:asked|said|requested|wrote|told|wants|wanted|request(?: was|:)|instructed)\b"
)
_QUOTED = late_pattern(r"[\"“„«]([^\"“”„«»\n]{3,400})[\"”“»]|(?<!\w)'([^'\n]{3,400})'(?!\w)")
_WORD = late_pattern(r"\w{2,40}")
_REFUSAL = late_pattern(
    r"(?i)^(?:i'm sorry|i am sorry|sorry,|i can(?:no|')t|i cannot|i'm unable|i am unable|as an ai)\b.{0,200}"
    r"\b(?:assist|help|comply|summari[sz]e|provide|continue|process)"
)
_ECHO_SHARE: Final = 0.5
_KNOWN_WORDS_SHARE: Final = 0.8
_SHARED_WORDS_SHARE: Final = 0.3


def clean_answer(answer: object) -> str:
    """Return the summary in *answer*: no thoughts, no handoff frame, no ruled sections, masked.

    Raises:
        SummaryFailedError: nothing usable is left.
    """
    if not isinstance(answer, str):
        kind = "empty" if answer is None else "malformed"
        raise SummaryFailedError(f"the summariser returned {type(answer).__name__}, not text", kind=kind)
    text = _without_fence(_without_thoughts(answer).strip())
    if starts_handoff(text):
        parts = split_handoff(text)
        text = "\n\n".join(part.text for part in parts)
    summary, _ = read_body(close_fences(text))
    summary = redact(summary.strip()).text
    if not re.search(r"\w", re.sub(r"(?m)^#.*$", "", summary)):
        raise SummaryFailedError("the summariser returned no text", kind="empty")
    if _REFUSAL.match(summary):
        raise SummaryFailedError(f"the summariser refused: {summary[:120]}", kind="refused")
    if _echoes(summary):
        raise SummaryFailedError("the summariser repeated its instructions", kind="malformed")
    return summary


def unfounded_claims(summary: str, said: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Take out lines that put words into the user's mouth which the user never said.

    A line is such a claim when it says that the user asked or said something, and what
    it quotes stands in none of the user's messages. Without quotation marks, what
    follows a colon is taken as the quotation and may be a paraphrase of the same words;
    without a colon too, a line that shares hardly a word with the user is one.

    Args:
        summary: a cleaned summary.
        said: everything the user said, as far as it is known.

    Returns:
        The summary without those lines, and the lines.
    """
    known = [_folded(text) for text in said]
    words = [frozenset(_WORD.findall(text)) for text in known]
    kept: list[str] = []
    dropped: list[str] = []
    for line in summary.splitlines():
        claims = _CLAIM.search(line)
        founded = claims is None or _is_founded(line, claims.end(), known, words)
        (kept if founded else dropped).append(line)
    return ("\n".join(kept) if dropped else summary), tuple(dropped)


def _is_founded(line: str, start: int, known: Sequence[str], words: Sequence[frozenset[str]]) -> bool:
    quoted = [first or second for first, second in _QUOTED.findall(line[start:])]
    if quoted:
        return all(_is_said(quote, known, words) for quote in quoted)
    if words and not any(word.isascii() for told in words for word in told):
        # The user writes in another script: a paraphrase cannot be held against the words.
        return True
    colon = line.find(":", max(0, start - 1))
    if colon >= 0 and line[colon + 1 :].strip():
        return _is_said(line[colon + 1 :], known, words)
    return _shares(line[start:], words, _SHARED_WORDS_SHARE)


def _is_said(quote: str, known: Iterable[str], words: Sequence[frozenset[str]]) -> bool:
    folded = _folded(quote)
    return not folded or any(folded in text for text in known) or _shares(quote, words, _KNOWN_WORDS_SHARE)


def _shares(text: str, words: Sequence[frozenset[str]], share: float) -> bool:
    """Return whether that share of the telling words of *text* stands in one message of the user."""
    telling = {word for word in _WORD.findall(_folded(text)) if len(word) > 3}
    most = max((len(telling & told) for told in words), default=-1)
    return bool(telling) and most >= len(telling) * share


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .,;:!?*_`")


def _without_thoughts(text: str) -> str:
    for opening, closing in _THOUGHT:
        if text.lstrip().startswith(opening):
            _, found, rest = text.partition(closing)
            text = rest if found else ""
    return text


def _without_fence(text: str) -> str:
    """Return *text* without a code fence around the whole of it."""
    lines = text.splitlines()
    if len(lines) > 2 and lines[0].startswith("```") and lines[-1].strip() == "```":
        return "\n".join(lines[1:-1])
    return text


def _echoes(summary: str) -> bool:
    rules = [line.strip("- ").strip() for line in INSTRUCTIONS.splitlines() if len(line) > 60]
    folded = _folded(summary)
    echoed = sum(_folded(line)[:60] in folded for line in rules)
    return echoed >= max(2, len(rules) * _ECHO_SHARE)
