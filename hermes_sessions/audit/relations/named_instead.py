"""Somebody, or something, that was ruled out in favour of another, given as the one; two names in each other's part."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.relations.statements import Statement, ToldSentences, contradiction
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.late_patterns import late_pattern

_NAME: Final = r"(?-i:[A-ZÀ-ÞĀ-ŽА-Я][\wà-ÿ'’-]*[^\W\d_])"
_NOT_NAME: Final = sieve(
    rf"\b(?:not|and not|nicht|pas|no|não|non|не|nie|niet|en niet) (?:by |von |de |da |di |a |à |to |an )?(?P<a>{_NAME})|(?P<b>{_NAME}) değil\b|不是(?P<c>[\u4e00-\u9fff]{{2,4}})(?=[，。,.]|$)",
    re.I,
)
_HAN_NOT: Final = late_pattern(
    r"不(?:要|再)?[做用选吃买订画]([\u4e00-\u9fff]{2,6}?)(?=[，。,.;；、()（）]|$)"
)
_PART: Final = late_pattern(
    rf"\b(deputy|backup|lead|leader|chair|owner|reviewer|approver|contact|captain|driver|host|speaker|moderator|treasurer|stellvertret\w+|vertretung|leitung|ansprechpartner\w*|suppléante?|remplaçante?|adjointe?|suplente|responsable|responsabile|sostitut[oa]|substitut[oa]|vice|заместител\w+|ответственн\w+|zastępc\w+|vervanger|vekil|yedek):? ({_NAME})\b",
    re.I,
)
_NAMED: Final = late_pattern(rf"\b{_NAME}")
_LONGEST: Final = 400


def chosen_instead(claims: Sequence[Statement], told: ToldSentences) -> Iterator[Deviation]:
    """Yield sentences that name somebody whom a sentence ruled out, and not the one in whose place; or exchange both."""
    named = {term for claim in claims for name in _names(claim.text) for term in read_terms(name).all}
    ruled = [(_denied_names(said.text), said) for said in told.sharing(named) if not said.is_question]
    ruled = [(names, said) for names, said in ruled if names]
    for claim in claims:
        for names, said in ruled:
            if _is_turned(claim, names, said):
                yield contradiction(claim, said, "ruled-out", "who")
                break


def _names(text: str) -> Sequence[str]:
    """Return the names of a text, and what a clause of Chinese does not do."""
    return [*_NAMED.findall(text), *_HAN_NOT.findall(text)] if len(text) <= _LONGEST else []


def _denied_names(text: str) -> frozenset[str]:
    if len(text) > _LONGEST:
        return frozenset()
    found = {one for match in _NOT_NAME.finditer(text) for one in match.groups() if one}
    return frozenset(found | set(_HAN_NOT.findall(text)))


def _is_turned(claim: Statement, names: frozenset[str], said: Statement) -> bool:
    own = _denied_names(claim.text)
    for name in names:
        if name not in claim.text or name in own or claim.text.count(name) > 1:
            continue
        if any(one in said.text and one not in names for one in own):
            return True  # `Yanis, not Mathilde` for `Mathilde, not Yanis`
    return False


def exchanged_parts(claims: Sequence[Statement], told: ToldSentences) -> Iterator[Deviation]:
    """Yield sentences in which the word for a part (`deputy Kim`) is before the other one of two names."""
    for claim in claims:
        own = _parts(claim.text)
        for word, name in own.items():
            for said in told.sharing(read_terms(name).all):
                other = _parts(said.text).get(word)
                if other and other != name and other in claim.text and name in said.text:
                    yield Deviation(
                        Grade.CONTRADICTS, "who", claim.text, claim.text, "name-changed", said.text, said.text,
                        said.message or None,
                    )  # fmt: skip
                    break


def _parts(text: str) -> dict[str, str]:
    """Return names by the word that is right before each: one name a word."""
    if len(text) > _LONGEST:
        return {}
    found: dict[str, str] = {}
    for word, name in _PART.findall(text):
        found[word.casefold()] = "" if word.casefold() in found else name
    return {word: name for word, name in found.items() if name}
