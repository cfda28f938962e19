"""Quotations of a verdict: cut to the sentence that tells it, secrets masked before anything is cut."""

from collections.abc import Callable
from typing import Final

from hermes_sessions.audit.words.sentence_ends import SENTENCE_ENDS
from hermes_sessions.facts import shorten_line
from hermes_sessions.facts.values import MAX_FACT_CHARS
from hermes_sessions.redact import is_mask, redact

MAX_CHARS: Final = 280
_HIDDEN: Final = "a masked value"

Masker = Callable[[str], str]
"""Takes the secrets out of a text, or leaves it as it is."""


def mask_secrets(text: str) -> str:
    """Return *text* with its secrets masked."""
    return redact(text).text


def quoted(text: str, masked: Masker) -> str:
    """Return *text* on one line, its secrets masked.

    They are masked before it is cut: a piece of a secret is not recognised any more. A text that was
    cut already ends with its last whole word.
    """
    if len(text) >= MAX_FACT_CHARS and " " in text:
        text = text[: text.rindex(" ")]
    return shorten_line(masked(text), MAX_CHARS)


def quoted_value(value: str, line: str, masked: Masker) -> str:
    """Return a value that is in *line*, hidden where only the words around it tell that it is a secret."""
    shown = quoted(value, masked)
    hidden = value in line and value not in masked(line) and shown == shorten_line(value, MAX_CHARS)
    return _HIDDEN if hidden else shown


def is_hidden(shown: str) -> bool:
    """Return whether nothing but a mask is shown of a value."""
    return shown == _HIDDEN or is_mask(shown)


def sentence_with(value: str, text: str) -> str:
    """Return the sentence of *text* that holds *value*, all of it where none does."""
    place = text.find(value)
    if place < 0:
        return text
    start, end = 0, len(text)
    for match in SENTENCE_ENDS.finditer(text):
        if match.end() <= place:
            start = match.end()
        elif match.start() >= place + len(value):
            end = match.start()
            break
    return text[start:end].strip() or text


def clause_with(value: str, text: str, max_chars: int = 70) -> str:
    """Return the few words of a line around *value*."""
    sentence = sentence_with(value, text).strip(" \t-*•#>`.;")
    place = sentence.find(value)
    if place < 0 or len(sentence) <= max_chars:
        return sentence
    ends = [
        at
        for at, sign in enumerate(sentence)
        if sign in ",;:()，；：（）、" and sentence[at + 1 : at + 2] in (" ", "")
    ]
    start = max((at + 1 for at in ends if at < place), default=0)
    stop = min((at for at in ends if at >= place + len(value)), default=len(sentence))
    start, stop = max(start, place - max_chars // 2), min(stop, place + len(value) + max_chars // 2)
    start = sentence.rfind(" ", 0, start) + 1 if start else 0
    if stop < len(sentence) and " " in sentence[stop:]:
        stop = sentence.index(" ", stop) if sentence[stop] not in ",;:()，；：（）、" else stop
    return sentence[start:stop].strip(" ,;:")
