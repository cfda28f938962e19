"""A rule in a figure of speech, said plainly: a handoff is held against what it asks, not against its picture."""

import re
from functools import lru_cache
from typing import Final

from hermes_sessions.audit.words.modality import Modality, read_modality
from hermes_sessions.facts.wording.sieves import Sieve, sieve

_NOT_CHANGED: Final = " must not change "
_ALWAYS: Final = " always "
_NOT_SENT: Final = " not send "
_ASKED: Final = " needs approval "


def _figure(pattern: str) -> Sieve:
    return sieve(pattern, re.I)


_FIGURES: Final[tuple[tuple[Sieve, str], ...]] = (
    (
        _figure(
            r"\b(?:hands|paws) off\b|\b(?:keep|steer|stay) (?:well |right )?(?:clear of|away from|out of|off)\b|\b(?:is|are|stays?|remains?) (?:strictly )?(?:off[- ]limits|sacred|sacrosanct|untouchable|taboo|frozen|locked)\b"
            r"|\bgive\b(?=.{2,60} a wide berth)|\ba wide berth\b|\b(?:stays?|remains?|keep|leave) (?:\S+ ){0,5}?(?:exactly |just )?(?:as (?:it|they) (?:is|are|stands?)|alone|untouched|unchanged|be\b)|\b(?:is|are) (?:carved|set|cast|written) in stone\b|\bnobody (?:else )?touches\b"
            r"|\b(?:pfoten|hände|griffel|finger) (?:weg )?von\b|\b(?:pfoten|hände|griffel|finger) weg\b|\bbleib(?:t|en),? (?:\S+ )?(?:so,? )?wie (?:es|er|sie) (?:ist|sind)\b|\bgeht niemand (?:r?an|dran)\b|\b(?:einen )?(?:großen |weiten )?bogen\b|\bin stein gemeißelt\b|\btabu\b"
            r"|\bbas les pattes\b|\bpas touche\b|\bpersonne ne touche\b|\breste(?:nt)? (?:tel(?:le)?s? quel(?:le)?s?|en l['’]état)\b|\bn['’]y touche (?:pas|plus)\b|\bfiche la paix\b"
            r"|\b(?:las )?manos quietas con\b|\b(?:que )?nadie toque\b|\bse queda(?:n)? como est\w+\b|\bni tocarl[oa]s?\b|\btir[ae] as mãos d\w\b|\bninguém mexe\b|\bfica(?:m)? como est\w+\b|\bgiù le (?:mani|zampe) d\w+\b|\bnessuno tocchi\b|\bresta(?:no)? com['’](?:è|erano)\b"
            r"|\bруки прочь от\b|\bникто не трогает\b|\bоставля\w+ как есть\b|\bhanden af van\b|\bręce precz od\b"
        ),
        _NOT_CHANGED,
    ),
    (
        _figure(
            r"谁[也都]别碰|[动碰]都别动|保持原样|离.{1,12}远[一点些]|手を出さない(?:で|こと)\w*|今のまま\w*|近づかない\w*|손 ?대지 ?마\S*|그대로 두\S*|건드리지 ?마\S*"
        ),
        "不要修改",
    ),
    (
        _figure(
            r"\bwhatever happens\b|\bcome what may\b|\bno matter what\b|\bwas auch (?:immer )?(?:passiert|kommt|geschieht)\b|\bkomme,? was woll?e\b|\bquoi qu['’]il arrive\b|\bpase lo que pase\b|\baconteça o que acontecer\b|\bqualunque cosa succeda\b|\bчто бы ни случилось\b|\bcokolwiek się stanie\b|, full stop\b|, punkt\b"
        ),
        _ALWAYS,
    ),
    (
        _figure(
            r"\bnothing (?:goes out|leaves(?: the \w+)?|ships)\b|\braus geht (?:erst )?(?:was|nichts)?\b|\bnichts geht raus\b|\brien ne (?:part|sort)\b|\bno sale nada\b|\bnada sa[il]e?\b|\bnon (?:parte|esce) niente\b|\bничего не уходит\b"
        ),
        _NOT_SENT,
    ),
    (
        _figure(
            r"\b(?:has|have) (?:seen|looked at|read|signed)(?: it| them)?\b|\bgesehen hat\b|\bl['’]ait vu\b|\blo vea\b|\blo veda\b|\bunterschrieben hat\b|\bn['’]a pas signé\b|\bsigns?\b|\bfirm[ea]\b|\bпо(?:дпиш|смотр)\w+"
        ),
        " approval review ",
    ),
    (
        _figure(
            r"\b(?:goes|go) (?:past|through|via|by)\b|\bläuft über\b|\bgeht über\b|\bpasse par\b|\bpasa por\b|\bpassa (?:por|da)\b|\bтолько через\b|\b(?:okay|ok|say-so|blessing|nod|go-?ahead|segen|aval|visto bueno|benestare)\b"
        ),
        _ASKED,
    ),
    (
        _figure(
            r"\bdon['’]t even think (?:of|about)\b|\bnicht (?:ein)?mal (?:dr)?an\b|\bpense[rz]? même pas à\b|\bni pensar en\b|\bnem pense em\b|\bneanche pensar(?:ci|e)(?: di)?\b|\bдаже не думай\w*\b|\b(?:has|have) no (?:place|business) in\b|\bhaben\b(?=.{2,50} verloren)|\bnichts verloren\b|\bn['’](?:a|ont) rien à faire\b|\bno pintan? nada\b|\bnot a word\b|\bkein (?:sterbens)?wort\b|\bpas un mot\b|\bni una palabra\b"
        ),
        " not ",
    ),
)
_HELD: Final = sieve(
    r"\b(?:frozen|freeze|locked?|on hold|paused|suspended|blocked|exclusively|alone|eingefroren|gesperrt|ausgeschlossen|gelée?s?|bloquée?s?|congelad[oa]s?|bloquead[oa]s?|congelat[oaie]|bloccat[oaie]|заморожен\w*|заблокирован\w*|bevroren|geblokkeerd|zamrożon\w+|zablokowan\w+)\b|冻结|凍結|동결|保持不变|保持原样|不变|不动|不(?!是|喜欢|知道|同|过|错|好|仅|但|会|够|存在|到|必)[\u4e00-\u9fff]|変更なし|変えず|現状維持",
    re.I,
)
"""What holds a thing as it is."""
_OWED: Final = sieve(
    r"\b(?:reviews?|approves?|decides?|signs off|checks) (?:all|every|any|everything|anything)\b|\b(?:goes|go|going) (?:exclusively |only )?(?:through|via)\b|\b(?:budget|limit|cap)\w*(?:\s\w+)?:|\bfirst\b|\bprüft (?:alle|jede|alles)\w*\b|\bzuerst\b|\bläuft über\b|\bvalide (?:tou|chaque)\w*\b|\bd['’]abord\b|\brevisa tod[oa]\w*\b|\bprimero\b|\bcontrolla (?:tutt|ogni)\w*\b|\bпроверя\w+\b|\bсначала\b|先|まず",
    re.I,
)
"""What says a duty without a modal word."""


@lru_cache(maxsize=4_096)
def say_plainly(rule: str) -> str:
    """Return *rule* with plain words in the place of its figures of speech; as it was where it has none."""
    for figure, plain in _FIGURES:
        rule = figure.sub(plain, rule)
    return " ".join(rule.split())


def demanded_by(text: str) -> Modality:
    """Return what *text*, a rule or a sentence of a handoff, demands: what is frozen is barred, too."""
    found = read_modality(text)
    if _HELD.search(text):
        found |= Modality.BAN
    if _OWED.search(text):
        found |= Modality.DUTY | Modality.LIMIT
    return found
