"""How a reply takes something on without having done it: it is noted, agreed to, or under way."""

import re
from typing import Final

from hermes_sessions.audit.effects.reply_words import NOTED
from hermes_sessions.late_patterns import late_pattern

_UNDER_WAY: Final = late_pattern(
    r"\b(?:i['’]?m|i am|we['’]re|we are)(?: (?:now|just|currently|already|still))?(?: (?!done|going)\w{2,}ing)\b"
    r"|\bich (?:bin (?:gerade |noch )?dabei|\w{3,}e\b[^.!?\n]{0,60}\b(?:gerade|jetzt|nun))|\b(?:bin|sind) (?:gerade |noch )?(?:dabei|am \w+en)\b"
    r"|\b(?:je suis|on est|nous sommes) en train d|\bje (?:l[ea]s? |l['’])?(?!suis|garde|note|confirme)\w{3,}(?:e|ds|ts|is)\b(?! (?:fait|mis|pris))"
    r"|\b(?:estoy|estamos|estou|estamos|sto|stiamo) (?:ahora |já |ora )?\w+(?:ndo|nd[oa]\w{0,4})\b"
    r"|\bсейчас \w+(?:ю|у|ем|им)\b|\b(?:исправляю|делаю|пишу|проверяю|добавляю|меняю|готовлю|переношу)\b"
    r"|正在|(?:我|这就|马上)(?:来|去)?(?:改|修|写|做|处理|查)(?!了|好)|しています|しているところ|中です|하고 있|중입니다",
    re.I,
)

_WILL_DO: Final = late_pattern(
    r"^\W*(?:(?:then|first|now|next|so)[, ]+)?(?:i['’]ll|i will|i['’]m going to|let me|we['’]ll|we will)\b|^\W*ich werde\b|^\W*ich \w+e\b[^.!?\n]{0,60}\b(?:zuerst|erst(?: mal)?|noch|vorher)\b|^\W*(?:d['’]abord,? )?je (?:vais|commence par)\b|^\W*(?:primero )?(?:voy|vamos) a\b|^\W*(?:primeiro )?(?:vou|vamos)\b|^\W*(?:prima )?(?:adesso |ora )?\w+(?:erò|irò|eremo|iremo)\b|^\W*(?:сначала|сейчас) |^\W*я (?:сейчас|буду|сначала)\b|^我(?:先|会|这就|来)|^(?:まず|先に)|^먼저",
    re.I,
)


def without_assent(sentence: str) -> str:
    """Return *sentence* without the words that only take note of what was said, where it begins with them."""
    return NOTED.sub("", sentence, count=1)


def is_under_way(sentence: str) -> bool:
    """Return whether the one who speaks is at it: it is begun, and not done."""
    return _UNDER_WAY.search(sentence) is not None


def is_announced(sentence: str) -> bool:
    """Return whether the one who speaks says what is done next: *I'll collect the merged changes first*."""
    return _WILL_DO.search(sentence) is not None
