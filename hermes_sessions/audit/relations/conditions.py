"""What may be done only on a condition, in a handoff that lets it be done without."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.relations.statements import Statement, ToldSentences, contradiction
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.modality import Modality, read_modality
from hermes_sessions.audit.words.telling import telling_words
from hermes_sessions.audit.words.wording import FORBIDS, is_open
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_WITHOUT = late_pattern(
    r"\b(?:without|regardless of|ohne|sans|sin|sem|senza|без)\s(?P<behind>[^,;.]{2,80})|(?:未经|无需|不经|不必|不用等?|无须)(?P<zh>[\u3400-\u9fff\w]{2,16})|(?P<ja>[\u3040-\u9fff\w]{2,20}?)(?:なしで|なしに|なしの|を待たず)|(?P<ko>[\uac00-\ud7a3]{2,12}) ?없이|(?:دون|بدون)\s(?P<ar>\w{3,20})",
    re.I,
)
_CONDITION = late_pattern(
    r"\b(?:without|until|unless|before|after|only|first|ask\w*|approv\w*|confirm\w*|ohne|bis|bevor|erst|nach|nur|vorher|frag\w*|sans|avant|après|seulement|uniquement|sin|hasta|antes|después|solo|sólo|sem|até|depois|só|somente|senza|prima|dopo|без|до|после|только|пока)\b|未经|之前|之后|以后|才能|只有|なしに|なしで|てから|後|まで|ないと|없이|후에|전에|بدون|دون|قبل|بعد|إلا",
    re.I,
)
_SIGNS = late_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MIN_SHARED: Final = 2
_HALF: Final = 0.5
_AS_LONG_AS = late_pattern(
    r"\b(?:tant que|as long as|solange|mientras|finch[eé]|enquanto|as soon as|пока)\b", re.I
)
"""What follows is a condition: `buy nothing as long as they have not confirmed`."""
_DENIED_CLAUSE = late_pattern(r"[,;:.(，、；：。—]\s?")


def freed_conditions(claims: Sequence[Statement], told: ToldSentences) -> Iterator[Deviation]:
    """Yield `may be sent without approval` where everybody says that it may not."""
    asked = [
        (claim, match)
        for claim in claims
        if (match := _WITHOUT.search(claim.text)) and _is_free(claim, match)
    ]
    if not asked:
        return
    for claim, match in asked:
        left_out = match[match.lastgroup or 0]
        condition = read_terms(left_out).all
        rest = claim.about - condition
        near = [
            said
            for said in told.sharing(claim.about, _MIN_SHARED)
            if rest & said.about
            and _limits(said)
            and len(condition & _demanded(said.text)) >= max(1, len(condition) * _HALF)
        ]
        bound = [said for said in near if not _is_freeing(said)]
        if bound and len(bound) == len(near) and not any(_denies(said, left_out) for said in told):
            grave = bound[-1].speaker in (Role.USER, Role.SYSTEM)
            yield contradiction(claim, bound[-1], "condition-dropped", "negation", grave=grave)


def _limits(said: Statement) -> bool:
    return not said.is_question and _CONDITION.search(said.text) is not None and not is_open(said.text)


def _demanded(text: str) -> frozenset[str]:
    """Return what stands from the first word of a condition on; in languages that have it last, everything."""
    match = None if _SIGNS.search(text) else _CONDITION.search(text)
    return read_terms(text[match.start() :] if match else text).all


def _is_free(claim: Statement, match: re.Match[str]) -> bool:
    """Whether nothing but the words of `without` denies or limits the sentence."""
    rest = f"{claim.text[: match.start()]} {claim.text[match.end() :]}"
    if claim.is_question or is_negated(rest) or FORBIDS.search(rest):
        return False
    return not read_modality(rest) & Modality.BAN


def _denies(said: Statement, left_out: str) -> bool:
    """Whether *said* denies just what is left out: `but do not send it`, for `without sending it`."""
    if said.is_question or not is_negated(said.text):
        return False
    deeds, words = read_terms(left_out).deeds, telling_words(left_out)
    return any(
        is_negated(clause)
        and _WITHOUT.search(clause) is None
        and bool(
            deeds & read_terms(clause).deeds
            or (words and len(words & telling_words(clause)) >= len(words) * _HALF)
        )
        for one in _DENIED_CLAUSE.split(said.text)
        for clause in _AS_LONG_AS.split(one, maxsplit=1)[:1]
    )


def _is_freeing(said: Statement) -> bool:
    """Whether *said* itself lets it be done without."""
    match = _WITHOUT.search(said.text)
    return match is not None and _is_free(said, match)
