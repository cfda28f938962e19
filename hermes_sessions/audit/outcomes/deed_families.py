"""Deeds that others notice, in any form that tells of one, and what a clause says of them. Pure."""

import re
from typing import Final

from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.notices.polarity import NO, YES, denial
from hermes_sessions.facts.wording.sieves import Sieve, sieve
from hermes_sessions.late_patterns import late_pattern

FAMILIES: Final[tuple[Sieve, ...]] = tuple(
    sieve(one, re.I)
    for one in (
        r"\b(?:sen[dt]s?|sending|unsent|mailed|texted|posted|g(?:o|oes|oing|one) out|went out|(?:is|are) out|(?:ver|ab|raus)?schick\w*|(?:ver|ab)?send(?:e|en|et)|(?:ab)?gesendet|versandt?\w*|(?:ver|abge|rausge|ge)schickt|raus|envo(?:y|ie)\w*|transm[ei]\w+|env[ií][aeoó]\w*|mand(?:ar|ad[oa]s?|es?|é|ó|ato|ata)|invi(?:a|are|at[oaie]|o|amo)|sped\w+|saiu|saíram|sal(?:e|en|ió|ieron)|verstuur\w*|verzend\w*|verzonden|stuur\w*|gestuurd|wys(?:y|ł)[łlany]\w*|wysz(?:ło|ła|ły)|отправ\w+|разосла\w+|рассыла\w+|высла\w+|посла\w+|ушл[аои])\b|发送|发出|寄出|已发|未发|别发|不发|发给|送信|送[っりるられ]|送付|未送|보내|보냈|발송",
        r"\b(?:delet\w+|eras\w+|wiped?|purg\w+|lösch\w*|gelöscht|supprim\w+|effac\w+|borr(?:ad[oa]s?|ar|es?|ó|é)|elimin\w+|apag(?:ad[oa]s?|ar|ue|ou)|cancellat\w+|verwijder\w*|gewist|usun\w+|usuwa\w*|skasow\w+|kasow\w+|удал\w+|ст[её]р\w*|стира\w+)\b|删除|删掉|清空|削除|消去|삭제",
        r"\b(?:withdr\w+|revok\w+|taken (?:away|back)|tak(?:e|es|ing) (?:away|back)|entz(?:ieh|og)\w+|entziehst|weggenommen|wegnehm\w*|retir(?:er|ée?s?|ez|ar|ad[oa]s?|es?|ó)|révoqu\w+|enlev\w+|quit(?:es?|en|ar|ad[oa]s?|ó)|revoc\w+|revog\w+|revoqu\w+|tolt[oaie]|togli\w*|ingetrokken|intrek\w*|odebra\w*|odbiera\w*|cofni?ę\w+|отозва\w+|отбира\w+|отобра\w+|лиши\w+)\b|撤回|撤销|收回|取り上げ|剥奪",
        r"\b(?:deploy\w*|roll(?:ed)? out|rollout|releas\w+|publish\w*|publication|ausgerollt|ausroll\w*|veröffentlich\w*|déplo[iy]\w+|publi(?:ée?s?|er|ez|c\w+)|desplegad[oa]s?|despl[ie]+g\w+|publi(?:car|cad[oa]s?|ques?|có)|pubblic\w+|rilasci\w+|выкат\w+|выкладыва\w+|выложен\w*|опубликов\w+|публик\w+|uitgerold|uitrol\w*|publiceer\w*|gepubliceerd|wdroż\w+|wdraża\w*|publik\w+|opublikow\w+)\b|部署|上线|发布|公開|デプロイ|リリース|배포",
        r"\b(?:pa(?:id|ys?|ying)|transferred|bezahl\w*|zahl(?:en|t|e)|gezahlt|überw(?:eis|ies)\w*|payée?s?|pa[iy]er|paiement|virée?s?|pag(?:ad[oa]s?|ar|ues?|ó|ou|at[oaie]|are)|betaald|betal\w*|zapłac\w+|płac\w+|оплат\w+|оплач\w+|плат\w+)\b|付款|支付|支払|払[いっうわ]|결제",
        r"\b(?:order(?:ed|s)|(?:ab)?bestell(?:t|en)?|command(?:ée?s?|er|ez)|encarg(?:ad[oa]s?|ar|ues?|ó)|ped(?:ido|ir)|ordinat[oaie]|ordinare|encomend\w+|besteld|bestellen|zamów\w+|zamawia\w+|заказ\w+)\b|下单|订购|注文|発注|주문",
        r"\b(?:book(?:ed|s|ing)?|reserv(?:e|ed|es)|(?:ge)?buch(?:t|en)|reservier\w*|réserv(?:ée?s?|er|ez)|reserv(?:ad[oa]s?|ar|es?|ó|ou)|prenot\w+|geboekt|boek(?:en|t)|gereserveerd|zarezerw\w+|rezerw\w+|брон\w+|заброн\w+)\b|预订|预定|订好|予約|예약",
        r"\b(?:push(?:ed|es|ing)?|gepusht|pouss(?:ée?s?|er|ez)|merg(?:e|ed|es|ing)|gemergt|fusion\w+|запуш\w*|смерж\w*|слит\w*|wypchni\w*|scal\w+)\b|推送|合并|プッシュ|マージ",
        r"\b(?:submi\w+|fil(?:ed|ing)|handed in|einreich\w*|eingereicht|abgegeben|dépos(?:ée?s?|er|ez)|soumi[st]\w*|presentad[oa]s?|present(?:ar|es)|entregue\w*|presentat[oaie]|ingediend|indien\w*|złoż\w+|składa\w*|пода[нлтв]\w*)\b|提交|递交|提出|제출",
        r"\b(?:install\w*|upgrad\w+|instalad[oa]s?|instal(?:ar|es?)|aktualisier\w*|geupdatet|mis(?:e|es)? à jour|mettre à jour|actualiz\w+|atualiz\w+|aggiorn\w+|bijgewerkt|bijwerk\w*|zaktualiz\w+|zainstal\w+|обнов\w+|установ\w+)\b|安装|升级|更新|インストール|アップグレード|설치",
        r"\b(?:restart\w*|reboot\w*|bounced|neu ?(?:ge)?start\w*|redémarr\w+|relanc\w+|reinici\w+|riavvi\w+|herstart\w*|restartow\w+|zrestart\w+|перезапу\w+|перезагру\w+)\b|重启|再起動|재시작",
        r"\b(?:cancel\w+|called off|calls? off|stornier\w*|abgesagt|absag\w*|gekündigt|kündig\w*|annul\w+|résili\w+|anul\w+|disd[ei]\w+|rescind\w+|geannuleerd|annuleer\w*|opgezegd|odwoł\w+|anulow\w+|wypowied\w+|отмен\w+)\b|取消|キャンセル|解約|취소",
        r"\b(?:told|informed|notified|inform(?:s|iert)?|benachrichtig\w*|Bescheid|verständig\w*|inform(?:ée?s?|er|ez)|préven(?:ue?s?|ir|ez)|avert\w+|avis(?:ad[oa]s?|ar|es?|ó|ou|at[oaie])|informad[oa]s?|informat[oaie]|ingelicht|poinform\w+|powiadom\w+|сообщ\w+|уведом\w+|предупре\w+)\b|告诉|通知|知らせ|伝え|알려",
        r"\b(?:sold|sell(?:s|ing)?|verkauf\w*|vend(?:ue?s?|re|ez)|vendid[oa]s?|vend(?:er|as?)|vendut[oaie]|vendere|verkocht|verkop\w+|sprzeda\w*|прода[нлтвё]\w*)\b|卖|売[っりる]|販売|판매",
        r"\b(?:chang(?:ed?|es|ing)|modif\w+|altered|touch(?:ed|es)?|(?:ge|ver)änder(?:t|n)|angefasst|anfassen|angerührt|modifié\w*|modifier|changée?s?|touch(?:ée?s?|er|ez)|modific(?:ad[oa]s?|ar)|cambi(?:ad[oa]s?|ar|es|at[oaie])|toc(?:ad[oa]s?|ar|ó)|toques?|alter(?:ad[oa]s?|ar)|mex(?:er|ido|as?)|modificat[oaie]|toccat[oaie]|toccare|gewijzigd|wijzig\w*|zmieni\w+|измен\w+|меня[лтей]\w*|поменя\w+|трога\w+)\b|修改|更改|改动|没动|変更|触[っら]|변경|바꾸|바꿨",
        r"\b(?:call(?:ed|s)?|phoned?|rang|(?:an)?gerufen|anruf(?:en|t)|angerufen|telefonier\w*|appel(?:ée?s?|er|ez)|téléphon\w+|llam(?:ad[oa]s?|ar|es?|ó)|lig(?:ar|ou|ue)|chiamat[oaie]|chiamare|gebeld|bellen|dzwoni\w*|zadzwoni\w*|позвони\w*|звони\w*)\b|打电话|電話(?:し|を)|전화",
        r"\b(?:announc\w+|advertis\w+|angekündigt|ankündig\w*|bekannt ?(?:ge)?geben|annonc(?:ée?s?|er|ez)|anunci(?:ad[oa]s?|ar|es?|ó|ou)|annunci(?:at[oaie]|are)|aangekondigd|aankondig\w*|ogłosz\w+|ogłasza\w*|объяв\w+|анонс\w+)\b|宣布|公布|発表|告知|발표",
        r"\b(?:sign(?:ed|s)|unterschr\w+|unterzeichn\w*|sign(?:ée?s?|er|ez)|firm(?:ad[oa]s?|ar|es?|ó|at[oaie]|are)|assin(?:ad[oa]s?|ar|ou)|getekend|ondertek\w+|podpis(?:an\w*|ał\w*|uj\w*)|подпис\w+)\b|签(?:字|署|了)|署名|서명",
    )
)  # fmt: skip
"""Deeds that others notice, in the languages that are read."""
_IFS: Final = late_pattern(
    r"\b(?:if|until|till|before|unless|once|when|as soon as|after|whether|to be|would|could|should|wenn|falls|bevor|bis|sobald|nachdem|erst|würde|könnte|soll\w*|avant|quand|dès|après|une fois|jusqu\w*|si|antes|cuando|hasta|después|una vez|tras|quando|até|depois|após|prima|dopo|finché|voordat|als|zodra|nadat|zanim|gdy|kiedy|jeśli|dopóki|gdyby|если|когда|пока|после|прежде|перед|как только)\b|如果|之前|以前|之后|前に|まで|たら|ら、|後に|場合|면 |전에",
    re.I,
)
"""What is only done under a condition, or at a time."""

_STOP: Final = late_pattern(r"[;.!?]\s|[；。！？]")


def is_reported(clause: str) -> bool:
    """Return whether a clause says that something is done, is being done or may be, and under no condition."""
    return denial(clause) == YES and not has_condition(clause)


def has_condition(text: str) -> bool:
    """Return whether what *text* says is so at a time, or under a condition, or only asked for."""
    return _IFS.search(text) is not None


def lead_of(claim: Clause) -> str:
    """Return what the sentence of a clause has before it, since the last stop."""
    before = claim.said.text[: max(0, claim.said.text.find(claim.text))]
    return _STOP.split(before)[-1]


def is_left_undone(clause: str) -> bool:
    """Return whether a clause forbids, denies or leaves open what it names."""
    return denial(clause) == NO
