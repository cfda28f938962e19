"""What agents promise for all that follows, what needs a signature, and further forms of rules that users set."""

import re
from typing import Final

from hermes_sessions.facts.gates import gated
from hermes_sessions.facts.wording.sieves import sieve

_SIGNED_BY: Final = r"(?:signatures?|approval|consent|sign-?off|permission|unterschrift|freigabe|zustimmung|genehmigung|signature|accord|autorisation|validation|visa|firma|aprobación|autorización|permiso|visto bueno|consentimiento|approvazione|autorizzazione|consenso|assinatura|aprovação|autorização|подпис\w*|соглас\w+|разрешени\w+|одобрени\w+)"

SIGNED: Final = gated(
    (("qu'avec", "qu’avec", "qu'après", "qu’après", "uniquement", "seulement", "exclusivement"), rf"\bn(?:e |['’])(?:se |s['’])?\w+ (?:\S+ ){{0,6}}?qu['’](?:avec|après) (?:\S+ ){{0,2}}?(?:l['’])?{_SIGNED_BY}\b|\b(?:uniquement|seulement|exclusivement) (?:avec|après) (?:\S+ ){{0,2}}?(?:l['’])?{_SIGNED_BY}\b"),
    (("solo ", "sólo ", "únicamente", "exclusivamente", "soltanto", "esclusivamente", "só ", "somente", "apenas"), rf"\b(?:solo|sólo|únicamente|exclusivamente|soltanto|esclusivamente|só|somente|apenas) (?:\S+ ){{0,4}}?(?:con|tras|previa|dopo|com|após|mediante) (?:\S+ ){{0,2}}?(?:l['’])?{_SIGNED_BY}\b"),
    (("только", "исключительно"), rf"\b(?:только|исключительно) (?:\S+ )?(?:с|после|при) (?:\S+ ){{0,2}}?{_SIGNED_BY}\b"),
    (("ausschließlich", "ausschliesslich", "nur "), rf"\b(?:ausschlie(?:ß|ss)lich|nur) (?:nach|mit) (?:\S+ ){{0,2}}?{_SIGNED_BY}\b"),
    (("签字", "签名", "批准", "审批", "同意"), r"(?:须|需|必须|应|只有|仅限)经?.{0,16}(?:签字|签名|批准|审批|同意)后?(?:方可|才能|才可|办理)|经.{1,16}(?:签字|签名|批准|审批|同意)后方可"),
)  # fmt: skip
"""What happens with somebody's signature or approval alone, whoever says so."""

PROMISED: Final = gated(
    (("only", "exclusively", "solely"), r"\b(?:i|we)(?:['’]ll| will| shall) (?:\S+ ){0,10}?(?:only|exclusively|solely) (?:\S+ ){0,5}?(?:after|once|when|with|if)\b"),
    (("won't", "won’t", "will not", "werde ", "rai ", "rien", "ré ", "no ", "rò ", "non ", "rei ", "não ", "не "), r"\b(?:i|we) (?:won['’]t|will not|shall not) [^!?]{2,80}\b(?:without|until|before|unless) (?:your?|you['’]ve|somebody|(?-i:[A-Z])\w+)\b|\bich \w+e (?:\S+ ){0,6}?(?:nichts?|kein\w*|niemand\w*)\b[^!?]{0,60}\b(?:ohne|bevor|bis|solange) (?:ihre\w*|deine\w*|eure\w*|sie|du|ihr|(?-i:[A-Z])\w+)\b|\bje ne (?:\w+ )?\w+rai (?:rien|pas|plus|aucun\w*|personne|jamais)\b[^!?]{0,60}\b(?:sans|avant|tant que)\b|\bno \w+ré (?:nada|ning\w+|a nadie)?[^!?]{0,60}\b(?:sin|hasta|antes de) (?:su|tu|vuestr\w+|que)\b|\bnon \w+rò (?:niente|nulla|nessun\w*)?[^!?]{0,60}\b(?:senza|finché|prima) (?:il|la|che|del|di|non)\b|\bnão \w+rei (?:nada|nenhum\w*)?[^!?]{0,60}\b(?:sem|até|antes de) (?:o|a|que|sua|seu)\b|\bя (?:ничего )?не (?:буду \w+|\w+[ую])\b[^!?]{0,60}\b(?:без (?:ваш\w+|тво\w+)|пока (?:вы|ты) не)\b"),
    (("always",), r"\b(?:i|we)(?:['’]ll| will| shall) always\b"),
    (("from now on", "from here on", "going forward", "henceforth"), r"\b(?:from (?:now|here) on|going forward|henceforth),? (?:i|we)(?:['’]ll| will| shall| \w+)\b|\b(?:i|we)(?:['’]ll| will| shall) (?:\S+ ){1,14}?(?:from (?:now|here) on|going forward)\b"),
    (("each", "every", "any "), r"\b(?:each|every|any) time (?:i|we) [^.!?]{3,80}?\b(?:i|we)(?:['’]ll| will| shall)\b|\b(?:i|we)(?:['’]ll| will| shall) (?:\S+ ){1,14}?(?:(?:each|every|any) time (?:i|we)|before (?:each|every|any)) |\bbefore (?:each|every|any) [^.!?]{2,60}?\b(?:i|we)(?:['’]ll| will| shall)\b"),
    (("ausschließlich", "ausschliesslich", "nur ", "erst "), r"\bich (?!habe|hatte|bin|war)\w+e (?:\S+ ){0,8}?(?:ausschlie(?:ß|ss)lich|nur|erst) (?:nach|mit|wenn|sobald|nachdem) (?:\S+ ){0,4}?(?:ihre\w*|deine\w*|eure\w*|freigabe|zustimmung|bestätigung|genehmigung|erlaubnis|rücksprache|sie|du|ihr)\b"),
    (("immer ", "stets "), r"\bich (?!habe|hatte|bin|war)\w+e (?:\S+ ){0,4}?(?:immer|stets) (?:\S+ ){0,12}?(?:bevor|vor|zuerst|vorher)\b"),
    (("ab jetzt", "ab sofort", "von nun an", "von jetzt an", "künftig", "fortan", "in zukunft"), r"\b(?:ab jetzt|ab sofort|von nun an|von jetzt an|künftig|fortan|in zukunft) \w+e ich\b|\bich \w+e (?:\S+ ){0,3}?(?:ab jetzt|ab sofort|von nun an|von jetzt an|künftig|fortan|in zukunft)\b"),
    (("jedes mal", "jedesmal", "immer wenn", "vor jede"), r"\b(?:jedes ?mal|immer),? (?:wenn|bevor) ich [^.!?]{3,80}, \w+e ich\b|\bvor jede[mrs]? [^.!?]{2,50}\b\w+e ich\b|\bich (?!habe|hatte)\w+e (?:\S+ ){0,8}?vor jede[mrs]?\b"),
    (("qu'", "qu’", "exclusivement", "uniquement", "seulement"), r"\bje n(?:e |['’])\w+rai (?:\S+ ){0,10}?qu['’](?:après|avec|une fois)|\bje \w+rai (?:\S+ ){0,8}?(?:exclusivement|uniquement|seulement) (?:après|avec|si|quand)\b"),
    (("toujours", "systématiquement"), r"\bje \w+rai (?:toujours|systématiquement)\b"),
    (("désormais", "dorénavant", "partir de maintenant", "l'avenir", "l’avenir"), r"\b(?:désormais|dorénavant|à partir de maintenant|à l['’]avenir),? je (?:\w+ )?\w+rai\b|\bje \w+rai (?:\S+ )?(?:désormais|dorénavant)\b"),
    (("chaque",), r"\b(?:à|avant) chaque [^.!?]{2,60}, je (?:\w+ )?\w+rai\b|\bje \w+rai (?:\S+ ){1,14}?(?:à|avant) chaque\b|\bchaque fois que je [^.!?]{3,60}, je (?:\w+ )?\w+rai\b"),
    (("únicamente", "exclusivamente", "solo ", "sólo "), r"\b\w+(?:ré|remos) (?:\S+ ){0,8}?(?:únicamente|exclusivamente|solo|sólo) (?:después|tras|con|cuando|si)\b"),
    (("siempre ",), r"\bsiempre (?:\w+ )?\w+(?:ré|remos) |\b\w+(?:ré|remos) siempre "),
    (("a partir de ahora", "ahora en adelante", "en adelante"), r"\b(?:a partir de ahora|(?:de ahora )?en adelante),? (?:\S+ ){0,3}?(?:\w+(?:ré|remos)\b|voy a )"),
    (("cada ",), r"\bcada vez que (?:\S+ ){1,14}?\w+(?:ré|remos)\b|\bantes de cada [^.!?]{2,50} \w+(?:ré|remos)\b|\b\w+(?:ré|remos) (?:\S+ ){1,12}?antes de cada\b|\b(?:cada|toda) vez que (?:\S+ ){1,14}?(?:\w+rei|vou)\b"),
    (("esclusivamente", "solo ", "soltanto"), r"\b\w+(?:rò|remo) (?:\S+ ){0,8}?(?:esclusivamente|solo|soltanto) (?:dopo|con|quando|se)\b"),
    (("sempre ",), r"\b\w+(?:rò|remo) sempre |\b(?:\w+rei|vou) sempre |\bsempre (?:\w+ )?(?:\w+rei|vou) "),
    (("d'ora in", "d’ora in", "da ora in", "ogni volta", "prima di ogni"), r"\b(?:d['’]ora|da ora) in (?:poi|avanti),? (?:\S+ ){0,3}?\w+(?:rò|remo)\b|\bogni volta che (?:\S+ ){1,14}?\w+(?:rò|remo)\b|\b\w+(?:rò|remo) (?:\S+ ){1,12}?prima di ogni\b"),
    (("exclusivamente", "somente", "apenas", "só "), r"\b(?:\w+rei|vou \w+r) (?:\S+ ){0,8}?(?:exclusivamente|somente|apenas|só) (?:depois|após|com|quando|se)\b"),
    (("a partir de agora", "de agora em diante", "daqui em diante"), r"\b(?:a partir de agora|(?:de agora|daqui) em diante),? (?:\S+ ){0,3}?(?:\w+rei|vou \w+r)\b"),
    (("我",), r"我(?:们)?(?:只会?|仅会?)在?.{0,16}(?:你|您|用户|确认|同意|批准|许可).{0,12}(?:之后|以后|后)|我(?:们)?(?:会)?(?:总是|始终|一定|总会|都会)先.{1,20}(?:再|才|之前|前)|我(?:们)?每次.{1,20}(?:前|时).{0,3}都?(?:会)?先|每次.{1,16}(?:前|时)[,，]?我(?:们)?(?:都|会|先)|从现在起[,，]?我(?:们)?.{2,30}(?:都|会|先)|我(?:们)?会?在?每次.{1,20}(?:之前|前)(?:都|先)"),
    (("исключительно", "только"), r"\bя (?:буду (?:\S+ ){1,8}?|\w+[ую] (?:\S+ ){0,6}?)(?:исключительно|только) (?:после|с|когда|если)\b"),
    (("всегда",), r"\bя (?:всегда буду|буду всегда)\b|\bя всегда \w+[ую] (?:\S+ ){0,12}?(?:перед|прежде|сначала)\b"),
    (("отныне", "впредь", "с этого момента", "каждый раз", "перед кажд"), r"\b(?:отныне|впредь|с этого момента) я (?:буду|\w+[ую])\b|\b(?:каждый раз,?|перед кажд\w+) (?:\S+ ){1,8}?я (?:\S+ ){0,2}?(?:буду|\w+[ую])\b|\bя (?:буду |\w+[ую] )(?:\S+ ){0,10}?(?:каждый раз|перед кажд\w+)"),
    (("今後", "これから", "毎回"), r"(?:今後|これから)は?.{0,40}(?:前に|てから).{0,20}ます|毎回.{0,40}(?:前に|てから).{0,20}ます"),
)  # fmt: skip
"""Where an agent says it: what it will do, or not do, each time from then on."""

ASKED: Final = gated(
    (("leave ", "keep "), r"\b(?:leave|keep) [^.!?]{2,50} out of (?:every|each|any|all)\b"),
    (("under no ", "in no case"), r"\bunder no conditions?\b|\bin no case\b"),
    (("in kein", "auf kein", "finger weg"), r"\b(?:in|auf) kein\w* \w+ (?:gehör(?:t|en)|komm(?:t|en)|darf|dürfen)\b|\bfinger weg\b"),
    (("au plus", "como mucho", "al più", "no máximo"), r"\b(?:\S+ ){1,3}au plus \w|\bcomo mucho (?!más)\w|\bal più \w"),
    (("qu'avec", "qu’avec", "qu'après", "qu’après"), r"\b(?:on|tu|vous) n(?:e |['’])\w+ (?:\S+ ){0,8}?qu['’](?:avec|après)\b"),
    (("先", "只有"), r"前(?:都|请|要|得|必须)?先(?:问|告诉|通知|征得|让|给|跟)|只有.{1,16}(?:才能|才可以?|方可)"),
)  # fmt: skip
"""Where the user says it."""

CIRCUMSTANCE: Final = sieve(
    r"\b(?:i|we|one|they) can never\b(?! (?:allow|accept|permit|have))|\bkann man (?:\S+ ){0,2}?(?:nie|niemals)\b|\bman kann (?:\S+ ){0,2}?(?:nie|niemals)\b|\bon ne peut (?:jamais|plus)\b(?!.*\b(?:sans|avant|tant que)\b)"
    r"|\b(?:weather|raining|rains|snowing|snows|wetter|regnet|schneit|météo|pleut|neige|lluvia|llueve|nieva|pioggia|piove|nevica|chuva|chove|погод[аеуы]|дожд\w{1,3}|снег\w?)\b|天气|下雨|下雪|天気|雨が"
    r"|不(?:能|可以|会)[^，,。；;]{1,12}了[。！!]?$|(?:不能|不可以?)(?:准时|按时)"
    r"|\b(?:est|sont|était|étaient) \w+(?:ée?s?|ie?s?|ue?s?) (?:uniquement|seulement|exclusivement) (?:par|dans|pour)\b"
    r"|\bnever (?:ran|was|were|had|got|came|went|saw|did|made|took|found|met|knew|worked|passed|failed) (?:\S+ ){0,5}?before (?:this|that|the|now)\b"
    r"|[,;:] (?:das|dies|eso|esto|ce qui|cela|which|that|this|questo|isso|это) (?:erklärt|explica|explique|explains|spiega|объясняет)\b"
    r"|^\W{0,3}s[oó]lo (?:pude|pudimos|encontré|vi|hay|había|tengo|quedan?)\b|(?<!设为)(?<!是)只读取了",
    re.I,
)
"""What cannot be because of the weather, the way, or how things are; what explains something: no rule."""
