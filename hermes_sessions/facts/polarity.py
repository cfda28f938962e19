"""Sentences that say the same, or the opposite: their words, and whether they deny."""

import re
from functools import lru_cache
from typing import Final

from hermes_sessions.facts.wording.sieves import Sieve
from hermes_sessions.late_patterns import late_pattern

_WORD = late_pattern(r"[\w.@/:-](?<![\w.@/:-].)[\w.@/:-]*(?<=\w)|[\u2e80-\ud7ff]")
NEGATION = late_pattern(
    r"\b(?:not?(?![-.°]\w|\. ?\d)|never|n't|cannot|can't|don't|doesn't|won't|mustn't|shouldn't|isn't|aren't|wasn't|without|none|nothing|forbidden|prohibited|stop(?! (?:at|after|when|once|on|in|before|by|training|early)\b)|avoid|nobody|nicht|nichts|niemand(?:em|en)?|nie|niemals|kein(?:e[nmrs]?)?|ohne|verboten|keinesfalls"
    r"|ne|pas|rien(?! que)|jamais|aucune?|sans|interdit\w*|no|nunca|jamás|nada|sin|ningun[ao]?|nadie|prohibid\w+|não|nunca|sem|ninguém|nenhum[ao]?|non(?!-)|senza|nessun[ao]?|nessuno|niente|nulla|не|нет|никогда|никто|ничего|нельзя|без|запрещ\w+|niet|niets|niks|geen|nooit|zonder|verboden|nigdy|nikt|bez|żad(?:en|na|ne|nego|nej)|zabronion\w+|inte|ej|aldrig|ingen|inget|inga|utan|förbjud\w+|ikke|aldri|uden|uten|forbudt|değil|yok|asla|hiç(?:bir|biri|kimse)?|yasak|ні|ніколи|ніхто|нічого|немає|заборонен\w*)\b|n[’']t\b|\bn[’']|(?:^|[.!?] )Mai (?=[a-z]{2,20}(?:re|rsi)\b)|不(?![过同仅但断久少错良])|没|未(?!来)|禁止|勿|(?<![级类分性特区识个差])别|ない|ません|(?<!少)な(?:かっ|くて|くな)|(?<=[\u3400-\u9fff])せず|なし|禁|(?<!\w)(?:و|ف)?(?:لا|ليس|لم|لن|بدون)(?!\w)|ممنوع|(?<![가-힣])[안못](?= )|않|못[하했한]|지 ?말", re.I
)  # fmt: skip
"""Words that deny or forbid, one by one."""
_MAY_DENY: Final = Sieve(NEGATION)
_ANSWER = late_pattern(
    r"^\W{0,3}(?:no|nope|nein|non|não|нет|不|不是|不用|いいえ|아니요|لا)[,，、.!:;] ?", re.I
)
"""`No, ask her`: an answer to what was said before, which denies nothing of the rest."""
_EMPTY: Final = frozenset(
    "the a an to of in on at for and or is are was were be been it its this that we i you they he she our your my will would should must do does did not no never"
    " with by from as so then just only please also have has had der die das den dem ein eine einen und oder ist sind wir ich du sie zu in im am auf für mit von"
    " le la les un une des de du et ou est sont nous je vous à en dans pour sur avec el los las una y o es son nosotros yo a con por para que se ne pas"
    " и или в на с по для это мы я вы не к из о".split()
)


_PORTUGUESE = late_pattern(
    r"[ãõç]|\b(?:é|em|com|uma|os|ao|à|às|pelo|pela|foi|são|dia|janeiro|fevereiro|maio|junho|julho|setembro|outubro|novembro|dezembro)\b",
    re.I,
)
_NOT_PORTUGUESE = late_pattern(r"\b(?:el|los|las|y|con|una|del|es|en|the|and|is|of|è|il|di|non)\b", re.I)
_IN_THE = late_pattern(r"\bno(?= [^\W\d_])", re.I)
"""`no auditório`: Portuguese for *in the*."""
_NOTHING_BUT = late_pattern(
    r"\b(?:ne\s|n[’'])(?:(?!pas\b|jamais\b|plus\b|rien\b|point\b)[\w’']+\s){1,3}?qu(?:e\b|[’'])", re.I
)
"""`ne s'occupe que de`: French for *only*."""


def is_portuguese(text: str) -> bool:
    """Return whether *text* has words or letters of Portuguese, in which *no* is *in the*."""
    return _PORTUGUESE.search(text) is not None and _NOT_PORTUGUESE.search(text) is None


def _without_homonyms(text: str) -> str:
    """Return *text* without what looks like a negation and is none in its language."""
    if _NOTHING_BUT.search(text):
        text = _NOTHING_BUT.sub(" ", text)
    if _IN_THE.search(text) and is_portuguese(text):
        text = _IN_THE.sub(" ", text)
    return text


def answers_no(text: str) -> bool:
    """Return whether *text* begins with the answer *no*."""
    return _ANSWER.match(text) is not None


@lru_cache(maxsize=8_192)  # the sentences of a tail stand before the next compaction, too
def is_negated(text: str) -> bool:
    """Return whether *text* denies or forbids: an odd number of negations, as two undo each other."""
    if not _MAY_DENY.may_be_in(text):
        return False
    found = [match.group().lower() for match in NEGATION.finditer(_without_homonyms(_ANSWER.sub("", text)))]
    paired = sum(
        one in ("ne", "n'", "n’", "without", "ohne", "sans", "sin", "без", "sem", "senza", "بدون")
        for one in found
    )
    return len(found) - paired > 0 or (bool(found) and paired == len(found))


def content_words(text: str) -> frozenset[str]:
    """Return the words of *text* that carry its meaning, in lower case."""
    return frozenset(filter(None, map(content_word, set(_WORD.findall(text)))))


@lru_cache(maxsize=65_536)
def content_word(word: str) -> str:
    """Return one word as `content_words` has it, '' where it carries nothing."""
    word = word.lower().strip(".:-/")
    return "" if not word or word in _EMPTY or NEGATION.fullmatch(word) else _stem(word)


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "en", "s", "e"):
        if len(word) > len(ending) + 3 and word.endswith(ending) and word.isalpha():
            return word[: -len(ending)]
    return word


def numbers_in(words: frozenset[str]) -> frozenset[str]:
    """Return the words with a digit: what two sentences must agree on."""
    return frozenset(word for word in words if any(map(str.isdigit, word)))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Return which part of *one* is in *other*."""
    return len(one & other) / len(one) if one else 0.0
