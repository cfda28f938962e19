"""What has a rule's words and tells what was seen, what failed, or what documentation says of code."""

import re
from typing import Final

from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.late_patterns import late_pattern

OBSERVED: Final = sieve(
    r"\b(?:ne |n['’])(?:montr|rév[èe]l|signal|indiqu|affich|apparai|apparaî|comport|présent|détect|fonctionn|répond|contien|trouv|constat|remarqu|change(?:nt)?\b)\w* (?:plus |pas |rien|aucun\w*)(?! (?:sans|avant)\b)"
    r"|^(?!.*\b(?:darf|dürfen|soll\w*|muss|müssen|bitte|nie|niemals|ohne)\b).*\b(?:zeig(?:t|en|te|ten)|ergab|ergibt|enthält|enthalten|meldet|melden|liefert|liefern|tritt|treten|erscheint|erscheinen|verrät|verraten) (?:\S+ ){0,4}(?:nichts?|kein\w*)\b"
    r"|^(?!.*\b(?:may|must|allowed|shall|never|please)\b).*\bno (?:errors?|warnings?|failures?|problems?|issues?|crash\w*|entries|output|hits?|match\w*|results?|signs?|traces?)\b"
    r"|\bno (?:se )?(?:muestran?|aparecen?|revelan?|indican?|contienen?|encuentran?|ven?|salen?|funcionan?|responden?|devuelven?|fallan?|ocurren?|existen?|detectan?)\b(?! (?:sin|antes|de aquí|de (?:esta|la|nuestra|mi))\b)"
    r"|\bon ne (?:voit|sait|trouve|comprend|entend|sent|lit|remarque|reçoit|capte|distingue|reconnaît)\b|\bno se (?:ve|oye|entiende|nota|sabe|lee)\b|\bnão se (?:vê|ouve|entende|sabe|lê|nota)\b|\bnon si (?:vede|sente|capisce|sa|legge|nota)\b"
    r"|\bman (?:sieht|hört|merkt|versteht|erkennt|liest) (?:\S+ ){0,4}?(?:nichts?|kein\w*)\b|\bnie (?:widać|słychać|wiadomo|czuć)\b|\bне (?:видно|слышно|понятно|известно|ясно)\b"
    r"|\b(?:I swear|ich schwöre|je (?:te |vous )?(?:le )?jure|lo juro|eu juro|lo giuro|клянусь)\b"
    r"|^(?!.*\b(?:if|when|whenever|once|until|before|unless|as soon as|stop|must|may|shall|should|tell|ask|wait|never|not|do|please)\b).*\b(?:caps?|limits?|ceiling|maximum|budget|quota|threshold)\b[^.;:!?]{0,30} (?:is|are|was|were|will be|would be|gets?|got) (?:reached|hit|exhausted|used up|exceeded)\b"
    r"|^(?!.*\b(?:if|must|may|never|not|no|nothing|please|keep|stay|do)\b).*\b(?:caps?|limits?|ceiling|maximum|budget|quota|threshold)\b[^.;:!?]{0,20} (?:is|are|was|were|seems?|looks?) (?:\w+ )?(?:low|high|tight|generous|small|large|unusual|common|fine|enough)\b"
    r"|^(?!.*\b(?:wenn|falls|sobald|bis|bevor|darf|dürfen|soll\w*|muss|müssen|nie|niemals|nicht|kein\w*|bitte)\b).*\b(?:obergrenze|grenze|limit|deckel|höchst\w+|budget|kontingent|maximum)\b[^.;:!?]{0,40} (?:erreicht|erschöpft|ausgeschöpft|überschritten)\b"
    r"|^(?!.*\b(?:si|quand|dès|avant|doi\w*|ne|jamais)\b).*\b(?:plafond|limite|maximum|budget|quota|seuil)\b[^.;:!?]{0,30} (?:atteinte?|épuisée?|dépassée?)\b"
    r"|^(?!.*\b(?:si|se|cuando|quando|antes|prima|debe\w*|deve\w*|no|não|non|nunca|mai)\b(?! (?:alcanza|atinge|raggiunge))).*\b(?:tope|límite|máximo|presupuesto|cupo|limite|teto|massimo|tetto|budget)\b[^.;:!?]{0,12} (?:(?:se )?alcanz\w+|(?:é |foi )?atingid\w+|(?:se )?atinge|(?:si )?raggiun\w+|(?:está |è |é )?agotad\w+|esaurit\w+|esgotad\w+)\b"
    r"|^(?!.*\b(?:если|когда|до|долж\w+|не|нельзя)\b).*\b(?:лимит|предел|потолок|максимум|бюджет)\w*[^.;:!?]{0,30} (?:достигн\w+|исчерпан\w*|превышен\w*)\b"
    r"|^\W{0,3}(?:(?:on|in|at|here|auf|hier) [^,.!?]{1,30} )?(?:i|we) (?:can|could) only (?:see|find|read|hear|open|load|reproduce)\b|^(?:en|na|no|nella|sulla) (?:\S+ ){1,3}s[oó]lo se ve\b"
    r"|\bnão (?:mostram?|aparecem?|revelam?|indicam?|cont[eéê]m|encontram?|respondem?|funcionam?)\b|\bnon (?:mostra(?:no)?|risulta(?:no)?|appare|appaiono|contiene|contengono|rivela(?:no)?|segnala(?:no)?|compare|compaiono)\b",
    re.I,
)  # fmt: skip
"""Nothing was seen: an observation, though it denies."""

DOCUMENTED: Final = sieve(
    r"\bif optional arg\w*\b|\bguarantees? that\b|\(the default\)|\bdefaults? to\b|\bthis many\b|\b(?:will be|is|are|gets?) (?:called|invoked|evaluated) (?:at most|no more than|only)\b"
    r"|^\W{0,4}(?:\w+ ?[:–-] )?each (?:\w+ ){0,2}(?:line|element|item|row|chunk|call|value|key|entry|token|byte)s? (?:will|is|has|can|may)\b",
    re.I,
)  # fmt: skip
"""How documentation speaks of code, with *at most*, *only* and *until*."""

_FAILS: Final = sieve(
    r"\b(?:errors?|fails?|failed|failing|dies|died|crash\w*|throws?|threw|raises?|aborts?|aborted|exits?|complains?|stops|breaks)\b|\bbricht\b.*\bab\b|\b(?:fehler\w*|scheitert|stirbt|endet|stürzt|abgebrochen|meldet)\b"
    r"|\b(?:échoue|plante|erreur|s['’]arrête|refuse)\b|\b(?:falla|fallando|error|rompe|aborta|falha|erro|fallisce|errore|si ferma)\b|\b(?:падает|упал\w*|ошибк\w*|вылетает)\b|报错|失败|崩溃|エラー|失敗|落ち|오류|실패|خطأ|hata|त्रुटि",
    re.I,
)  # fmt: skip
_QUOTED: Final = late_pattern(
    r"\"[^\"\n]{2,300}\"|[“„][^“”„\n]{2,300}[“”]|«[^«»\n]{2,300}»|»[^«»\n]{2,300}«|`[^`\n]{2,300}`|「[^」\n]{2,300}」"
)
_MARKS: Final = tuple('"“„«»`「')
"""How everything begins that `_QUOTED` matches."""
_STILL: Final = sieve(
    r"\bimmer (?:noch|wieder|mehr|weniger)\b|\bnoch immer\b|\btoujours (?:pas|en|aussi|avec)\b", re.I
)


def without_quoted_errors(text: str) -> str:
    """Return *text*, as long as before, without *still* and, where it tells of a failure, without what it quotes."""
    text = _STILL.sub(_blank, text)
    if not any(map(text.__contains__, _MARKS)) or not _FAILS.may_be_in(text):
        return text
    bare = _QUOTED.sub(_blank, text)
    return bare if _FAILS.search(bare) else text


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())
