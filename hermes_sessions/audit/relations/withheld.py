"""A handoff that reports a deed as done of which the agent last said that nothing of it was done."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.relations.statements import Statement, ToldSentences, contradiction
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.facts.wording.sieves import Sieve, sieve
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role


def _deed(pattern: str) -> Sieve:
    return sieve(pattern, re.I)


_DEEDS: Final[tuple[Sieve, ...]] = (
    _deed(
        r"\b(?:sent|sends?|sending|mailed|gone out|went out|is out|are out|(?:ist|sind) (?:jetzt |schon |bereits )?(?:raus|unterwegs)|verschick\w*|gesendet|versand\w*|abgeschickt|rausgeschickt|geschickt|envo[iy]\w*|enviad[oa]s?|envi(?:é|ei|ado)|inviat[oaie]|spedit[oaie]|отправ\w+|разосла\w+|verstuurd\w*|verzonden|(?:est|sont) (?:déjà )?parti(?:e?s?)|saiu|saíram|salió|salieron|partit[aoie]|ушл[аои]|wysz(?:ło|ła|ły)|wysła\w+|wysłan\w+|gönder\w+)\b|发送|发出|寄出|已发|发给|送信|送っ|送り|보내|보냈|발송|أرسل|إرسال|يُرسل|رسل"
    ),
    _deed(
        r"\b(?:book(?:ed|ing)?|reserv(?:ed|ation)|gebucht|reserviert|réserv\w+|reservad[oa]s?|reserv(?:é|ei)|prenotat[oaie]|заброниров\w+|броню|geboekt|gereserveerd|zarezerwow\w+|rezerw\w+|rezerv\w+)\b|预订|预定|订好|予約|예약|حجز|حُجز|يُحجز|تحجز"
    ),
    _deed(
        r"\b(?:deploy(?:s|ed|ment|ments)?|rolled out|released|published|ausgerollt|deployt|veröffentlicht|déploy\w+|publiée?s?|desplegad[oa]s?|desplieg\w+|publicad[oa]s?|pubblicat[oaie]|rilasciat[oaie]|выкачен\w*|выкат\w+|опубликов\w+|выложен\w*|uitgerold|gepubliceerd|wdrożon\w*|opublikow\w+|yayınla\w+|dağıt\w+)\b|部署|上线|发布|デプロイ|リリース|배포|نشر"
    ),
    _deed(
        r"\b(?:paid|bezahlt|überwiesen|payée?s?|pagad[oa]s?|pagat[oaie]|оплачен\w*|оплатил\w*|betaald|zapłacon\w*|zapłaci\w*|ödendi)\b|付款|支付|支払|결제|دفع"
    ),
    _deed(
        r"\b(?:ordered|bestellt|commandée?s?|encargad[oa]s?|ordinat[oaie]|encomendad[oa]s?|заказан\w*|заказал\w*|besteld|zamówion\w*|zamówi\w*)\b|下单|订购|注文|주문"
    ),
    _deed(
        r"\b(?:pushed|gepusht|poussée?s?|merged|gemergt|fusionnée?s?|fusionad[oa]s?|запушен\w*|смержен\w*)\b"
    ),
)
"""Deeds that others see, in any form that tells of one, in the languages that are read."""
_ALL_OF_IT: Final = late_pattern(
    r"\b(?:all|everything|nothing|anything|none|it|they|them|this|that|yet|so far|already|now|has|have|been|was|were|is|are|still|done|made|any|no|not|hasn|haven|isn|aren|n['’]?t|and|i|we"
    r"|alles|nichts|schon|bereits|noch|nicht|kein\w*|wurde\w*|worden|ist|sind|habe|hat|bisher|und|ich|wir|rien|tout|tous|toutes|déjà|encore|pas|été|est|sont|n|ne|a|ont|ai|et|je|aucune?"
    r"|nada|todo|tudo|todos|ya|já|todavía|aún|ainda|sido|foi|foram|se|ha|han|he|no|não|feit[oa]s?|hech[oa]s?|fiz|nenhum\w?|ningún|y|e|niente|nulla|tutto|già|ancora|stat[oaie]|è|sono|fatt[oa]|non|ho|nessun\w?"
    r"|ничего|всё|все|уже|ещё|еще|не|пока|было|был[аи]?|и|nic|wszystko|już|jeszcze|nie|zostało|zostały|został[ay]?|było|niets|niks|nog|al|niet|geen|zijn|werd|en|hiçbir|şey|hiç|henüz|hepsi)\b|[什任]么|何も|まだ|还|没有?|都|已经?|全部|了|아무것도|아직|모두|لم|شيء|بعد|كل|تم",
    re.I,
)
"""What such a sentence may have besides the deed and still be about all of it."""
_NONE: Final = late_pattern(
    r"\b(?:nothing|nichts|rien|nada|niente|nulla|nic|nie|niets|niks|niet|geen|hiçbir|hiç|değil|ничего|kein\w*|none|nenhum\w?)\b|\w+(?:madı|medi|mamış|memiş)\b|没|未|何も|ません|ていない|안 |않|못|لم|لا ",
    re.I,
)
_AHEAD: Final = late_pattern(
    r"\b(?:to be|will|shall|must|should|can|may|before|until|unless|after|once|when|if|ready|wird|werden|soll\w*|muss|kann|darf|bevor|wenn|sobald|bis|nach|zu|va|doit|peut|avant|quand|si|à|será|debe|puede|antes|hasta|cuando|deve|pode|antes|sarà|prima|quando|будет|нужно|надо|до|после|если|zal|moet|voordat|als|będzie|musi|zanim|jeśli)\b|[要将会待前]|まで|たら|면|قبل",
    re.I,
)
_DONE: Final = late_pattern(
    r"\b(?:has|have|been|was|were|already|all|everything|done|went|bereits|schon|alles|wurde\w*|été|tout|tous|déjà|ya|todo|sido|foi|foram|feit[oa]s?|hech[oa]s?|já|tudo|già|tutto|stat[oaie]|fatt[oa]|уже|всё|все|wszystko|już|zostało|zostały|alles|al|hepsi)\b|已|了|済|ました|했|모두|كل|تم",
    re.I,
)
_CUT: Final = late_pattern(
    r"[,;:.!?]\s|[，。；！、]|\s[–—]\s|\s(?:and|but|und|aber|et|mais|y|pero|e|ma|и|но|en|maar|i|ale|ve)\s"
)
_LONGEST: Final = 60


def reported_withheld(claims: Sequence[Statement], told: ToldSentences) -> Iterator[Deviation]:
    """Yield sentences of a handoff that a deed is done, all of it, where the agent's last word was that none of it is."""
    for claim in claims:
        if claim.mode is not Mode.STATED or len(claim.text) > 4 * _LONGEST:
            continue
        for clause in _CUT.split(f"{claim.text} "):
            deed = _reported(clause)
            if deed is not None and (denied := _last_denial(deed, told)) is not None:
                yield contradiction(claim, denied, "withheld", "done")
                break


def _reported(clause: str | None) -> Sieve | None:
    """Return the deed that a clause reports as done without naming what of it."""
    if (
        not clause
        or len(clause) > _LONGEST
        or _NONE.search(clause)
        or is_negated(clause)
        or _AHEAD.search(clause)
    ):
        return None
    deed = next((one for one in _DEEDS if one.search(clause)), None)
    return deed if deed and _DONE.search(clause) and _is_of_all(clause, deed) else None


def _is_of_all(clause: str, deed: Sieve) -> bool:
    rest = _ALL_OF_IT.sub(" ", deed.sub(" ", clause))
    return not any(one.isalpha() and len(one) > 1 for one in re.findall(r"\w+", rest))


def _last_denial(deed: Sieve, told: ToldSentences) -> Statement | None:
    """Return the last sentence about *deed* where an agent says there that none of it was done."""
    for said in reversed(told):
        if deed.search(said.text):
            if said.speaker != Role.ASSISTANT or said.is_question:
                return None
            clauses = [one for one in _CUT.split(f"{said.text} ") if one and deed.search(one)]
            denied = all(is_negated(one) or _NONE.search(one) for one in clauses)
            return said if denied and not any(_AHEAD.search(one) for one in clauses) else None
    return None
