"""What the user asks: each sentence that asks for something, or else the message as a whole."""

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.facts.gates import Shapes, holds, open_gates, present
from hermes_sessions.facts.page import Mark, TextPage
from hermes_sessions.facts.speech.sentences import sentences
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.facts.values import MAX_FACT_CHARS
from hermes_sessions.facts.wording.request_shapes import IMPERATIVE, POLITE, WISH
from hermes_sessions.late_patterns import late_pattern

_THANKS: Final = frozenset(
    "ok okay k yes y yep yeah no nope thanks thank you thx great perfect nice cool good sure fine done right exactly correct continue go ahead on"
    " lgtm please ty awesome super ja nein danke gut genau klar weiter passt prima oui non merci d'accord parfait sí si no gracias vale perfecto"
    " да нет спасибо хорошо отлично понял 好 好的 谢谢 是 不 可以 はい いいえ ありがとう ありがとうございます 了解 نعم لا شكرا شكرًا حسنا obrigado grazie hi hello hey"
    " hallo bonjour hola привет 你好 こんにちは مرحبا good morning looks that's that works very much so a lot it all for now".split()
)
_WORD = late_pattern(r"[\w']+")
_CUT = SentenceCut(r"(?<=[.!?。！？])\s|\n")
_QUESTION: Final = "?？؟"
_MAX_ASKS: Final = 24
_FORBIDS = late_pattern(
    r"\b(?:never|not|don't|don’t|must|only|without|nicht|nie|niemals|kein\w*|nur|jamais|pas|uniquement|no|nunca|solo|sólo|não|apenas|non|mai|не|нельзя|только|никогда|لا|فقط|yalnızca|sadece|sormadan)\b"
    r"|不要|不得|禁止|必须|只能|别|ない|限|のみ|지 마|안 (?:됩|돼|된)|नहीं|(?:^|\s)न |मत |(?:ma|me|mayın|meyin|mesin|masın)[.!]?$", re.I
)  # fmt: skip


def request_marks(page: TextPage, rules: Sequence[Mark]) -> tuple[Mark, ...]:
    """Return the requests in what a user wrote: its sentences that ask, first a question's, at last the whole.

    One of the *rules* found in it is no request of its own; mere thanks ask nothing.
    """
    asked = tuple(itertools.islice(_asked(page, rules), _MAX_ASKS))
    start, end = request_span(page.text)
    if asked or start >= end:
        return asked
    questions = [one for one in sentences(page) if page.text[one.end - 1 : one.end] in _QUESTION]
    if questions:
        return (Mark("request", questions[0].start, questions[0].end),)
    return (Mark("request", start, end),)


def _asked(page: TextPage, rules: Sequence[Mark]) -> Iterator[Mark]:
    """Yield the sentences that ask; of the rules among them those that are orders, too."""
    wishes = present(WISH, page.opened)
    for one in sentences(page):
        text = page.text[one.start : one.end]
        if len(text) < 4 or one.box == "done" or not _asks(text, page.lower[one.start : one.end], wishes):
            continue
        if any(rule.start < one.end and one.start < rule.end for rule in rules) and _FORBIDS.search(text):
            continue
        yield Mark("request", one.start, one.end)


def _asks(text: str, lowered: str, wishes: Shapes) -> bool:
    if POLITE.match(text):
        return True
    return text[-1:] not in _QUESTION and (IMPERATIVE.match(text) is not None or holds(wishes, text, lowered))


def request_span(text: str) -> tuple[int, int]:
    """Return where the request stands in what a user wrote; start and end are equal where nothing is asked.

    At most `MAX_FACT_CHARS`, cut where a sentence or a line ends. Mere thanks ask nothing.
    """
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    if start >= end or _is_thanks(text[start:end]):
        return start, start
    if end - start > MAX_FACT_CHARS:
        limit = start + MAX_FACT_CHARS
        cuts = [match.start() for match in _CUT.finditer(text, start + 40, limit)]
        blank = text.rfind(" ", start + 40, limit)
        end = cuts[-1] if cuts else (blank if blank > 0 else limit)
    return start, end


def _is_thanks(text: str) -> bool:
    words = _WORD.findall(text.lower()) if len(text) < 80 else ()
    return bool(words) and all(word in _THANKS for word in words)


def asks_for_something(sentence: str) -> bool:
    """Return whether one sentence of a user's asks: politely, as an order, as a wish or as a question."""
    if sentence.rstrip()[-1:] in _QUESTION:
        return True
    lowered = sentence.lower()
    return _asks(sentence.strip(), lowered, present(WISH, open_gates(lowered)))
