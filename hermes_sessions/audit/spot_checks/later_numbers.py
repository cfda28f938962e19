"""A measure of a handoff that the user gave under a word, and later gave another number under the same word."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.items import items_of_word, plain_number
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import is_heading
from hermes_sessions.audit.relations.replacing import tells_former
from hermes_sessions.audit.relations.statements import Statement, ToldSentences
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_UNDER: Final = late_pattern(
    r"([^\W\d_]{4,})[^\w\n]{0,3}(?:(?:is|of|to|at|auf|von|bei|de|à|a|do|na|до|на|van|op|now|jetzt)\s){0,2}"
    r"(\d{1,6}(?:[.,]\d{1,4})?)(\s?(?:%|percent|Prozent|pour cent|por ciento|ms|s|min|h|kg|g|GB|MB|€|EUR|km|cm|mm|°C|days?|Tage|weeks?|hours?)(?!\w))?(?![\d:./-]*\d)",
    re.I,
)


class _Given(NamedTuple):
    word: frozenset[str]
    number: str
    has_unit: bool
    said: Statement
    text: str


def numbers_given_later(claims: Sequence[Statement], told: ToldSentences) -> Iterator[Deviation]:
    """Yield measures under a word under which the user gave them first and another number last."""
    asked = [(claim, one) for claim in claims if _is_of_now(claim) for one in _read(claim) if one.has_unit]
    if not asked:
        return
    given = [one for said in told if said.speaker == Role.USER for one in _read(said)]
    for claim, own in asked:
        alike = [one for one in given if one.word == own.word]
        same = [one for one in alike if one.number == own.number and one.has_unit]
        if not same or alike[-1].number == own.number or alike[-1].said.message <= same[-1].said.message:
            continue
        last = alike[-1]
        yield Deviation(
            Grade.NOT_VERBATIM, "number", own.text, claim.text, "given-later", last.text, last.said.text, last.said.message or None
        )  # fmt: skip


def _is_of_now(claim: Statement) -> bool:
    return not is_heading(claim.text) and not tells_former(claim.text)


def _read(said: Statement) -> Iterator[_Given]:
    """Yield the numbers of a sentence that stand right behind a word, with it."""
    for match in _UNDER.finditer(said.text):
        if word := items_of_word(match[1]):
            yield _Given(word, plain_number(match[2]), match[3] is not None, said, match.group())
