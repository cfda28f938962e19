"""The words by which a sentence forbids, is still open, reports something as done, or says who decided."""

import re
from functools import lru_cache
from typing import Final

from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.late_patterns import late_pattern

RESTRICTS: Final = sieve(
    r"\b(?:only|unless|until|before|after|once|when|if|as soon as|except|instead|in place of|in lieu of|rather|avoid\w*|forbid\w*|forbad\w*|prohibit\w*|refus\w*|reject\w*|keep|kept|stays?|remain\w*|unchanged|wait\w*|hold off|no longer|read-only|off[- ]limits|without|leave|left"
    r"|nur|erst|nach|wenn|sobald|außer|bevor|bis|statt|sondern|anstelle|anstatt|ersetz\w*|verboten|untersagt|unverändert|bleib\w*|reste(?:r|nt|ra)?|demeur\w*|laiss\w*|qued[ae]\w*|permane\w*|fica(?:m|r)?|riman\w*|resta(?:no|re)?|warten|replac\w*|substitut\w*|à la place|au lieu|remplac\w*|en (?:vez|lugar)|en su lugar|reemplaz\w*|sustitu\w*|em vez|no lugar|substitu\w*|al posto|invece|вместо|замен\w*|seulement|sauf|avant|après|quand|si|jusqu\w*|interdit\w*|inchangé\w*|attendre|sólo|solo|salvo|después|cuando|si|hasta|antes|prohibid\w*|só|apenas|somente|até|proibid\w*|soltanto|vietat\w*|prima"
    r"|dopo|finch[eé]|depois|após|a partir(?:e)?|à partir|dès|ab|только|после|когда|если|кроме|пока|запрещ\w*|до)\b|代替|替换|代わり|置き換|대신|بدل|只|仅|除非|之前|禁止|避免|だけ|のみ|のまま|据え置|まで|禁止|避け|만|전에|금지|فقط|قبل|يحظر|[≤≥≠]|[<>](?= ?\d)|\bmax\b",
    re.I,
)  # fmt: skip
"""Words that limit, beside plain negations: `only after review` forbids as `not before review` does."""

FORBIDS: Final = sieve(
    r"\b(?:forb[ia]d\w*|prohibit\w*|bann?ed|block(?:s|ed|ing)?|blockier\w*|gesperrt|den(?:y|ies|ied)|disallow\w*|revoke\w*|reject\w*|refus\w*|turned down|ruled out|postpon\w*|deferr?\w*|put off|on hold|paus\w*|verschob\w*|verschieb\w*|aufgeschob\w*|ajourn\w*|repouss\w*|aplaz\w*|pospon\w*|pospuest\w*|adiad\w*|rimandat\w*|отлож\w*|declin\w*|opted against|decided against|verzicht\w*|lehnt\w*|renonc\w*|déclin\w*|not allowed|off[- ]limits|off the table|hands off|(?:stay|keep|steer) (?:away|clear|out)|untouched|nobody|no one|niemand\w*|nadie|ninguém|nessuno|никто|verb[oi]t\w*|untersag\w*|abgelehnt|interdi\w*|refusé\w*|prohib\w*|rechaz\w*|proib\w*|viet\w*|запре\w*|отклон\w*)\b|bloqu\w*|блокир\w*|禁止|拒绝|拒否|阻止|屏蔽|ブロック|遮断|推迟|延期|暂停|暂缓|保留|見送|연기|没有人|任何人不|誰も|금지|거부|아무도|ممنوع|رفض",
    re.I,
)  # fmt: skip
"""Words that deny a whole sentence."""

NOT_YET: Final = sieve(
    r"\bnot\b.{0,60}\byet\b|^\W{0,4}not \w+(?:ed|en)\b|n[’']t\b.{0,60}\byet\b|\b(?:still (?:to do|open|pending|missing|need\w*|has to|have to|to be)|remains? to be|yet to be|not (?:been )?(?:done|started|finished|created|sent|pushed|written|merged|deployed|published|updated|implemented|tested|committed|applied)|(?:has|have|is|are|was|were)(?: not|n[’']t) (?:been )?\w+(?:ed|en|t)|have not \w+|I have not|did not \w+|didn[’']t \w+|nothing (?:is|was|has been)"
    r"|noch nicht|steht noch aus|noch offen|noch kein\w*|pas encore|reste à|encore à|aún no|todavía no|no\b.{1,50}\b(?:todavía|aún)|falta|ainda não|falta|non ancora|non (?:è|sono) ancora|n'est pas|ещё не|еще не|пока не|не (?:создан|сделан|отправлен)\w*)\b"
    r"|\b(?:nog (?:niet|geen|te \w+en)|(?:is|zijn|werd|werden|heb|hebt|heeft|hebben)\b.{0,40}\bniet \w{0,6}ge\w{2,}(?:d|t|en)|jeszcze nie|nie został\w*|ännu inte|inte ännu|(?:har|är)\b.{0,30}\binte \w+(?:t|d|n|ts|ats)|henüz \w.{0,60}(?:mad|med)[ıi]\w*)\b"
    r"|还没|尚未|还未|未(?:完成|创建|发送|通知|部署|修复|提交)|没有(?:完成|创建|部署|提交)|まだ|未(?:完了|実施|送信)|아직|لم .{0,20}بعد",
    re.I,
)  # fmt: skip

_OPEN_WORDS: Final = (
    "not", "yet", "n't", "n’t", "still", "remain", "noch", "encore", "reste", "aún", "todav", "falta", "ainda", "ancora", "n'est", "ещё", "еще",
    "nog", "niet", "jeszcze", "nie ", "ännu", "inte", "henüz", "пока", "не ", "没", "未", "まだ", "아직", "لم",
)  # fmt: skip
"""One of them, in small letters, is in everything that `NOT_YET` matches."""


@lru_cache(maxsize=8_192)  # the sentences of a tail stand before the next compaction, too
def is_open(sentence: str) -> bool:
    """Return whether *sentence* says that something is still to be done."""
    lowered = sentence.lower()
    return any(word in lowered for word in _OPEN_WORDS) and NOT_YET.search(sentence) is not None


DONE: Final = sieve(
    r"\b(?:(?:is|are|was|were|has been|have been|been|got|gets|has|have)(?: (?:already|now|successfully|also))? (?:\w+ed|done|sent|built|written|run|set|put|made|gone|live|ready|complete|finished|merged|green|shipped|in place)|already \w+ed|\w+ed already|done|completed|finished|sent|created|updated|pushed|published|deployed|merged|tagged|implemented|fixed|written|✅|I (?:\w+ed|wrote|sent|built|ran|made|set)"
    r"|(?:ist|sind|wurde|wurden|hat|haben|habe)\b.{0,60}\b(?:ge\w+[tn]|(?:be|er|ver|zer)\w{3,}(?:t|en)|\w{3,}iert|erledigt|aktualisiert|erstellt|eingetragen|versendet|veröffentlicht|fertig)|erledigt|fertig|aktualisiert|eingetragen|versendet"
    r"|(?:a été|ont été|est|sont|j'ai) (?:\w+é\w*|fait\w*|mis\w* à jour|écrit\w*)|terminé\w*|fait|envoyé\w*|(?:ha sido|han sido|fue|está|se ha|se) (?:\w+[ai]do\w*|hech\w+)|hecho|enviad[oa]\w*|(?:foi|foram|está) \w+[ai]d[oa]\w*|feito|enviad[oa]|(?:è|è stat[oa]|sono stat[ie]) \w+t[oaie]|fatto|inviat[oa]"
    r"|\w*(?:создан|сделан|отправлен|готов|обновл[её]н|выполнен)\w*)\b|已(?![知有])[\u4e00-\u9fff]|完成了|済み|完了|しました|(?:すでに|既に)|했(?:다|음|습니다)|완료|تم",
    re.I,
)  # fmt: skip

USER: Final = r"(?:the |our )?(?:user|customer|client|owner)|(?:der |die )?(?:be)?nutzer(?:in)?|(?:der )?(?:anwender|kunde)|l[’']utilisat(?:eur|rice)|le client|el usuario|la usuaria|el cliente|o usuário|o cliente|l[’']utente|il cliente|пользователь|клиент|用户|客户|ユーザー|사용자(?:가|는)?|المستخدم"
AGENT: Final = r"(?:the )?(?:assistant|agent|model|ai)|\bI\b|\bwe\b|(?:der )?(?:assistent|agent)|l[’']assistant|l[’']agent|el asistente|el agente|o assistente|o agente|l[’']assistente|ассистент|агент|助手|代理|アシスタント|エージェント|어시스턴트(?:가|는)?"
_DECIDED: Final = r"(?:has |have |had |then |also |finally |explicitly )*(?:decid\w+|chose|chosen|settled on|approved|agreed|picked|selected|insisted|opted|ruled)|(?:hat )?(?:sich )?(?:entschied\w*|entschieden|beschloss\w*|wählte|gewählt|entscheidet)|a (?:décidé|choisi|approuvé)|(?:ha )?(?:decidi[dó]\w*|elegi\w+|eligió|aprob\w+)|(?:decidiu|escolheu|aprovou)|ha (?:deciso|scelto|approvato)|решил\w*|выбрал\w*|одобрил\w*|决定|选择|同意|は.{0,20}(?:決定|選択)|결정|قرر|اختار"
USER_DECIDED: Final = late_pattern(
    rf"(?:\b|(?<=\W))(?:{USER})[ ]?(?:{_DECIDED})|\bdecided by the user\b", re.I
)
AGENT_DECIDED: Final = late_pattern(
    rf"(?:\b|(?<=\W))(?:{AGENT})[ ]?(?:{_DECIDED})|\bdecided by the (?:assistant|agent|model)\b", re.I
)

AGREES: Final = late_pattern(
    r"^\W*(?:yes|yep|yeah|ok(?:ay)?|sure|fine|agreed|go ahead|sounds good|do (?:it|that)|please do|perfect|great|correct|right|exactly|lgtm|approved|ja|gut|einverstanden|genau|passt|mach|oui|d[’']accord|parfait|vas-y|sí|si|vale|de acuerdo|claro|adelante|sim|pode|certo|va bene|да|хорошо|согласен|давай|好|可以|行|同意|没问题|对|是|はい|了解|お願い|いい|네|예|좋|نعم|حسنا|موافق)"
    r"|\b(?:is fine|sounds good|works for me|go with|agreed)\b",
    re.I,
)

FAILS: Final = sieve(
    r"\b(?:broken|want of|absence of|mangels|faute de|por falta|per mancanza|fail\w*|missing|lack\w*|lost|down|dead|unable|crash\w*|wrong|kaputt|defekt|fehl\w*|ausgefallen|en panne|cassé\w*|manqu\w*|échou\w*|rot[oa]|falla\w*|falt[ao]\w*|quebrad\w*|falh\w*|guast\w*|слом\w*|упал\w*|отсутств\w*)\b|失败|故障|缺|坏|壊れ|失敗|고장|실패",
    re.I,
)
"""Words that say of a thing that it is not as it should be: `push is broken` for `no push arrives`."""

MODAL: Final = sieve(
    r"\b(?:may|can|could|should|must|might|will|would|to be|e\.g\.|for example|z\. ?b\.|darf|dürfen|kann|können|soll\w*|muss|müssen|wird|werden|puede\w*|debe\w*|pode\w*|deve\w*|peut|peuvent|doit|doivent|par exemple|por ejemplo|por exemplo|per esempio|può|possono|можно|нужно|будет|например)\b|可以|要|将|例如|べき|予定|例えば|예를 들",
    re.I,
)
"""Words that say what may or should be, not what is."""
