"""A measure of a handoff that the user gave under a word, and later gave another number under the same word."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.items import items_of_word, plain_number
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import is_heading
from hermes_sessions.audit.relations.replacing import tells_former
from hermes_sessions.audit.relations.statements import Statement, ToldSentences
from hermes_sessions.audit.support.figures import has_digit
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_UNDER: Final = late_pattern(
    r"([^\W\d_]{4,})[^\w\n]{0,3}(?:(?:is|of|to|at|auf|von|bei|de|à|a|do|na|до|на|van|op|now|jetzt)\s){0,2}"
    r"(\d{1,6}(?:[.,]\d{1,4})?)(\s?(?:%|percent|Prozent|pour cent|por ciento|ms|s|min|h|kg|g|GB|MB|€|EUR|km|cm|mm|°C|days?|Tage|weeks?|hours?)(?!\w))?(?![\d:./-]*\d)",
    re.I,
)


_OF: Final = late_pattern(
    r"(?<![\w.,:/#-])(\d{1,6})(?:[ -]| ?(?=[\u2e80-\ud7ff]))([^\W\d_]{4,20}|[\u2e80-\ud7ff]{1,3})"
)
"""A number of something, right behind it."""


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
    for match in _UNDER.finditer(said.text) if has_digit(said.text) else ():
        if word := items_of_word(match[1]):
            yield _Given(word, plain_number(match[2]), match[3] is not None, said, match.group())


def counts_given_later(
    claims: Sequence[Statement], told: ToldSentences, texts: Sequence[tuple[int, str]]
) -> Iterator[Deviation]:
    """Yield counts of something that the user gave another number last, in a sentence about the same.

    The handoff has that number of it nowhere, and this one of it stands nowhere after that.
    """
    written = {one for claim in claims for one, _ in _counts(claim.text)}
    asked = [(claim, one, text) for claim in claims if _is_of_now(claim) for one, text in _counts(claim.text)]
    things = {thing for _, (_, thing), _ in asked}
    given = [
        (one, said)
        for said in told
        if asked and said.speaker == Role.USER
        for one, _ in _counts(said.text)
        if one[1] in things and one not in written
    ]
    for claim, (number, thing), text in asked:
        for (last, other), said in reversed(given):
            if (
                other == thing
                and last != number
                and (claim.about & said.about) - items_of_word(text.split()[-1])
            ):
                is_last = not any(
                    (number, thing) in (own for own, _ in _counts(later.text))
                    for later in told
                    if later.message > said.message
                )
                if is_last and _was_counted((number, thing), said.message or 0, texts):
                    yield Deviation(
                        Grade.NOT_VERBATIM, "number", text, claim.text, "given-later", last, said.text, said.message
                    )  # fmt: skip
                break


def _was_counted(one: tuple[str, str], before: int, texts: Sequence[tuple[int, str]]) -> bool:
    """Return whether a text before a message counts just so many of something."""
    return any(
        one in (own for own, _ in _counts(text))
        for message, text in texts
        if message < before and one[0] in text and len(text) < _LONGEST
    )


def _counts(text: str) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the numbers of a text, each with what it counts, and how both are written."""
    for match in _OF.finditer(text) if has_digit(text) else ():
        if thing := items_of_word(match[2]):
            yield (match[1], min(thing)), match.group()


_LONGEST: Final = 20_000
