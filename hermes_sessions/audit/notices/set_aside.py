"""What somebody set aside for something else, and a handoff gives as chosen: `laptops go to Wen, not to IT support`."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.relations.name_shapes import read_doers
from hermes_sessions.audit.relations.replacing import tells_former
from hermes_sessions.audit.relations.statements import Statement, ToldSentences
from hermes_sessions.audit.words.wording import FORBIDS
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_X: Final = r"(?P<x>[^,.;:!?()\n，。；：！？（）、]{2,40})"
_WORDS: Final = r"(?P<x>[\w.@/-]{2,30}(?: [\w.@/-]{2,20})?)"
_SHAPES: Final = tuple(
    sieve(shape, re.I)
    for shape in (
        rf"[,–—(] ?(?:and |und |et |y |e |и |а )?(?:not|nicht|pas|no|não|non|не|niet|nie)(?! (?:yet|only|nur|seulement|solo|só|todavía|encore|noch|before|vor|until|if|wenn|because)\b) {_X}",
        rf"\b(?:instead of|rather than|in place of|statt|anstatt|anstelle (?:von|der|des)|au lieu d[eu]|plutôt que|à la place d[eu]|en vez de|en lugar de|em vez d[eoa]|no lugar d[eoa]|invece d\w+|anziché|al posto d\w+|вместо|zamiast|in plaats van) {_X}",
        rf"\b(?:cancell?ed|annulé\w*|storniert|abgesagt|cancelad[oa]|cancelé|annullat\w|отменил\w*) (?:the |la |le |el |die |den |das )?{_WORDS}",
        rf"{_WORDS} (?:is|are|ist|sind|est|está|è|wäre|is nu) (?:now )?(?:ill|sick|away|on (?:leave|holiday|vacation)|off (?:today|this week)|out|krank|im Urlaub|verreist|weg|malade|en (?:vacances|congé)|absente?|enferm[oa]|de (?:vacaciones|baja)|doente|de férias|malat[oa]|in ferie|ziek|op vakantie|full|booked|sold out|taken|ausgebucht|belegt|voll|complete?|complète|llen[oa]|esgotad[oa]|pien[oa])\b",
        rf"{_WORDS} (?:заболел\w?|в отпуске|занят\w?|уехал\w?|отказал\w*)",
        r"(?:^|[,;] )(?:a |à |al )?(?P<x>[^\W\d_]{3,}) (?:no hace falta|non serve|nicht nötig|n['’]est pas nécessaire|não é preciso)\b",
        r"(?:而不是|不是|不要用?|不用)(?:交给|发给|给|找|让|请|叫|通知)?(?P<x>[\w\u4e00-\u9fff.]{2,10}?)(?=[，,。；了]|$)",
        r"(?P<x>[\u4e00-\u9fff]{2,4}?|[\w.-]{2,20})(?:不用|不参加|请假|不在|休假|已满|满了|太贵|取消了)",
        r"(?P<x>[^\s、。，,]{2,12})(?:は(?:満席|満室|休み|不在|無理|キャンセル)|ではなく|じゃなく|の代わりに)",
        r"(?P<x>[가-힣\w]{2,10}?)(?: 씨)?(?:은|는|이|가)? ?(?:휴가|취소|만석|아니라)",
    )
)
_MOST_ITEMS: Final = 4
_FOR_ANOTHER: Final = (0, 1)
"""The shapes in which something else stands before: *not*, *instead of*."""
_NAME: Final = late_pattern(
    r"(?:the |o |a |el |la |de[rnm]? |il )?[A-ZÀ-ÞА-Я][a-zà-ÿа-я]+(?: [A-ZÀ-ÞА-Я][a-zà-ÿа-я]+)?$"
)
_LEAST_LETTERS: Final = 3
_DIGIT: Final = late_pattern(r"\d")
_SPOKEN: Final = frozenset({Role.USER, Role.ASSISTANT})
_OUT: Final = sieve(
    r"\b(?:ill|sick|away|leave|holiday|vacation|full|booked|cancel\w*|krank|Urlaub|ausgebucht|belegt|storniert|abgesagt|malade|vacances|congé|complet\w*|annul\w*|enferm\w+|vacaciones|llen[oa]|cancelad\w|doente|férias|malat\w|ferie|pien[oa]|заболел\w?|отпуск\w*|отмен\w*|rejected|verworfen|verglichen|compared|option|alternativ\w*|out|raus)\b|请假|不在|休假|满|取消|満席|休み|不在|휴가|취소",
    re.I,
)


class _Aside(NamedTuple):
    """What was set aside, and the sentence that says so."""

    items: frozenset[str]
    words: str
    said: Statement
    is_named: bool = False
    """Whether it is a name, and set aside for another one in the same sentence: `Ana, not Kim`."""


def chosen_after_all(claims: Sequence[Clause], told: ToldSentences) -> Iterator[Deviation]:
    """Yield clauses that give what was set aside, with what it was set aside for, where nobody took it up again."""
    named = frozenset[str]().union(*(claim.named for claim in claims))
    found = [
        aside
        for said in told.sharing(named)
        if said.speaker in _SPOKEN and not said.is_question and _may_set_aside(said.text)
        for aside in _asides(said)
        if aside.items <= named
    ]
    for claim in claims:
        if is_negated(claim.text) or tells_former(claim.text) or _limits(claim):
            continue
        hit = [one for one in found if one.items <= claim.named and _is_of_one(claim, one, named)]
        if hit and not _is_taken_up(hit[-1], told):
            said = hit[-1].said
            is_sure = hit[-1].is_named and _is_only_one(claim, hit[-1], named)
            yield Deviation(
                Grade.CONTRADICTS if is_sure else Grade.NOT_VERBATIM, "choice", claim.text, claim.said.text, "set-aside", said.text, said.text,
                said.message or None,
            )  # fmt: skip


def _may_set_aside(text: str) -> bool:
    """Return whether *text* has a word that every one of the shapes needs."""
    return is_negated(text) or any(shape.search(text) is not None for shape in (_OUT, _INSTEAD, _GONE))


_GONE: Final = sieve(
    r"\b(?:in place|à la place|taken|sold out|voll|weg|verreist|ziek|op vakantie|absente?|esgotad[oa]|занят\w?|уехал\w?|отказал\w*)\b|太贵|無理",
    re.I,
)


def _limits(claim: Clause) -> bool:
    text = claim.said.text
    return any(shape.search(text) for shape in (FORBIDS, _OUT)) or _INSTEAD.search(text) is not None


_INSTEAD: Final = sieve(
    r"\b(?:instead|rather|statt|anstatt|anstelle|sondern|au lieu|plutôt|en vez|en lugar|em vez|invece|anziché|вместо|zamiast|in plaats)\b|而不是|ではなく|代わり|아니라|대신",
    re.I,
)


def _is_of_one(claim: Clause, aside: _Aside, named: frozenset[str]) -> bool:
    """Return whether a clause has what was chosen for nothing, and something else of the same sentence."""
    rest = read_items(aside.said.text).all - aside.items
    chosen = frozenset(one for one in _names(aside.said.text) if one not in aside.items)
    if chosen and chosen & claim.named:
        return False
    if rest & claim.named - chosen:
        return True
    return bool(chosen) and not chosen & named and bool(_names(aside.words))


def _is_only_one(claim: Clause, aside: _Aside, named: frozenset[str]) -> bool:
    """Return whether a handoff lacks the one name in whose place a clause has this one, with a word beside it."""
    chosen = frozenset(one for one in _names(aside.said.text) if one not in aside.items)
    rest = read_items(aside.said.text).all - aside.items - chosen
    return bool(chosen) and not chosen & named and bool(rest & claim.named)


@lru_cache(maxsize=8_192)
def _names(text: str) -> frozenset[str]:
    """Return what *text* names with a capital, digits, or signs of one language alone."""
    found = [*_CAPITAL.findall(text), *read_doers(text)]
    return frozenset[str]().union(*(read_items(one).all for one in found)) if found else frozenset()


_CAPITAL: Final = late_pattern(r"(?<![.!?] )(?<!^)\b[A-ZÀ-ÞА-ЯĞİŞŁŚŻ][\w-]{2,}|\b\w+-\w+\b")


def _is_taken_up(aside: _Aside, told: ToldSentences) -> bool:
    """Return whether somebody speaks of it later without setting it aside."""
    for said in told.sharing(aside.items, len(aside.items)):
        is_later = said.message > aside.said.message
        if (
            is_later
            and not is_negated(said.text)
            and not any(aside.items <= one.items for one in _asides(said))
        ):
            return True
    return False


@lru_cache(maxsize=8_192)
def _asides(said: Statement) -> tuple[_Aside, ...]:
    found = []
    for place, shape in enumerate(_SHAPES):
        for match in shape.finditer(said.text):
            items = read_items(match["x"]).all
            if _DIGIT.search(match["x"]) or (place == 0 and not is_negated(said.text)):
                continue  # of numbers, `Timeline` knows more; `no auditório` denies nothing
            if 0 < len(items) <= _MOST_ITEMS and len(match["x"]) >= _LEAST_LETTERS - (match["x"] > "\u2e7f"):
                is_named = place in _FOR_ANOTHER and _NAME.match(match["x"]) is not None
                found.append(_Aside(items, match["x"], said, is_named))
    return tuple(found)
