"""Words of work that follows other work, that waits, or that somebody else did; in the languages that are read."""

import re
from typing import Final

from hermes_sessions.late_patterns import late_pattern

FOLLOWS_UP: Final = late_pattern(
    r"\b(?:monitor|watch|observe|announce|tell|inform|notify|document|verify|check|test|review|confirm|follow(?:[- ]up)?|roll back|revert|undo|clean up|report|compare|measure|discuss|explain|keep|maintain|improve|extend|optimi[sz]e|debug|investigate|remind)\w{0,4}\b"
    r"|\b(?:beobacht|überwach|ankündig|mitteil|informier|dokumentier|prüf|überprüf|test|bestätig|nachfass|zurückroll|aufräum|bericht|vergleich|mess|besprech|erklär|verbesser|erweiter|untersuch|erinner)\w{0,5}\b"
    r"|\b(?:surveill|annonc|inform|prévenir|document|vérifi|test|confirm|relanc|annuler|nettoy|compar|mesur|expliqu|amélior|étendre|rappel)\w{0,4}\b"
    r"|\b(?:vigil|monitor|anunci|avis|inform|document|verific|comprob|revis|prob|confirm|revert|limpi|compar|med|explic|mejor|ampli|record)(?:ar|ir|e[ms]?|a[ms]?|ando|o)\b"
    r"|\b(?:monitor|anunci|avis|verific|test|confirm|revert|limp|explic|melhor|lembr)(?:ar|e[ms]?|a[ms]?|ando)\b"
    r"|\b(?:controll|verific|annunci|avvis|document|test|conferm|confront|spieg|miglior|ricord)(?:are|a|i|o)\b"
    r"|\b(?:controleer|meld|test|bevestig|bewaak|vergelijk|verbeter)\w{0,4}\b"
    r"|\b(?:провер|сообщ|протест|подтверд|наблюд|сравн|объясн|улучш|напомн|откат)\w{0,6}\b"
    r"|监控|观察|通知|告知|记录|验证|检查|测试|确认|回滚|清理|比较|改进|提醒|監視|確認|検証|テスト|報告|比較|改善|모니터|확인|테스트|알리|검토|비교",
    re.I,
)
"""What is done about something that was done: it is not the same work."""

LATER: Final = late_pattern(
    r"\b(?:wait\w*|await\w*|once|until|when(?:ever)?|as soon as|if|after|later|tomorrow|tonight|next (?:week|month|time|year)|recurring|every|each|daily|weekly|monthly|future)\b"
    r"|\b(?:wart\w*|abwarten|sobald|bis|wenn|falls|nachdem|später|morgen|heute abend|nächste[nsr]? (?:woche|monat|mal)|jede[nrs]?|täglich|wöchentlich)\b"
    r"|\b(?:attend\w*|dès que|jusqu\w*|quand|lorsque|si|après|plus tard|demain|ce soir|prochain\w*|chaque)\b"
    r"|\b(?:espera\w*|cuando|hasta|si|en cuanto|después|más tarde|mañana|esta noche|cada)\b"
    r"|\b(?:aguard\w*|quando|até|se|assim que|depois|mais tarde|amanhã|hoje à noite|cada)\b"
    r"|\b(?:aspett\w*|attesa|finché|appena|dopo|più tardi|domani|stasera|ogni)\b"
    r"|\b(?:wacht\w*|zodra|totdat|als|nadat|later|morgen|elke?)\b"
    r"|\b(?:жд\w+|дожд\w+|когда|как только|если|после|позже|завтра|вечером|кажд\w+)\b"
    r"|等待?|一旦|之后|以后|明天|今晚|每(?:天|周|月)|待っ|待ち|まで|たら|後で|明日|今夜|毎|기다|나중|내일|이후|매일",
    re.I,
)
"""What waits for something, or comes again."""

LIGHT: Final = late_pattern(
    r"(?:finish|complet|continu|do|doing|perform|carry|carrying|set|setting|get|getting|mak|add|adding|handl|implement|work|start|begin|proceed|resum|hav|put|putting|help|still|task|build|creat|prepar"
    r"|fertig|abschließ|weiter|mach|durchführ|vornehm|einrich|erledig|anleg|hinzufüg|umsetz|arbeit"
    r"|finir|termin|faire|continu|mettre|ajout|réalis|effectu|prépar|hacer|termin|seguir|poner|añad|agreg|realiz|configur|prepar|fazer|acabar|seguir|pôr|coloc|adicion|fare|finire|metter|aggiung|prepar|afmak|doen|инач|сдела|заверш|доб|наст|закон|продолж|подготов)\w*$",
    re.I,
)
"""Verbs that say only that something is to be done."""

VERB_LAST: Final = late_pattern(
    r"\b(?:der|die|das|den|dem|des|und|für|mit|von|auf|zum|zur|het|een|voor|van)\b|\w+en\W*$", re.I
)
"""A line of a language whose infinitives stand last."""

TOLD_BY_USER: Final = late_pattern(
    r"\b(?:I|we|he|she|they)(?:['’]ve|['’]s| have| has)? (?:already |just |also |meanwhile )?(?!need|want|ask|notic|tri|look|start|plan|expect|wonder|wish|mention)(?:\w{2,}ed|sent|did|done|made|put|bought|paid|told|wrote|came|went|took|gave|got|found|built|ran|brought|spoke|sold|met|called)\b(?! to\b)"
    r"|\b(?:is|are|works?|runs?|looks?) (?:\w+ )?(?:fine|good|ok(?:ay)?|green|done|settled|sorted|fixed|live|in place) ?(?:now|already)?\b|\balready\b|\bit works\b"
    r"|\b(?:habe?n?|hat) (?:ich|wir|er|sie)\b[^.?!]{0,80}\b\w*ge\w{2,}(?:t|en)\b|\b(?:ich|wir|er|sie) (?:habe?n?|hat)\b[^.?!]{0,80}\b(?:\w*ge\w{2,}(?:t|en)|(?:be|er|ver|über)\w{3,}(?:t|en)|\w+iert)\b|\b(?:schon|bereits|inzwischen)\b[^.?!]{0,60}\b(?:ge\w+|erledigt|fertig|da|\w+iert|(?:be|er|ver)\w+t)\b|\b(?:läuft|klappt|passt|geht) (?:jetzt|wieder|schon)\b"
    r"|\bj['’]ai (?:déjà |tout )?\w+(?:é|i|u|is|it)e?s?\b|\b(?:c['’]est|est|sont) (?:déjà )?(?:fait|réglée?s?|bon|envoyée?s?|partie?s?)\b|\b(?:il|elle|on|ils) (?:est|a|ont|sont) (?:déjà )?\w+(?:é|i|u|is|it)e?s?\b"
    r"|\bya (?:l[oae]s? |se )?(?:he|ha|hemos|han|está|están|qued\w+|\w+[éóí])\b|\b(?:l[oae]s? )?(?:he|hemos) \w+(?:ado|ido|cho|sto|to)\b|\bya est[áa]n?\b|\b(?:yo )?(?:lo|la|los|las|le|les) \w+é\b"
    r"|\bjá (?!posso|podes|pode)\w+|\b(?:eu |nós )?\w{3,}(?:ei|ámos|amos) (?:ontem|hoje|isso|o|a|os|as)\b|\b(?:ho|abbiamo|ha|hanno) (?:già )?\w+(?:ato|uto|ito|sso|tto|sto)\b|\bgià\b"
    r"|\b(?:heb|hebben|heeft) (?:ik|we|hij|ze)?\b[^.?!]{0,60}\bge\w+|\bis al\b|\b(?:я|мы) (?:уже |сам\w? )?\w+(?:л|ла|ли)\b|\bуже\b"
    r"|我已|已经|(?:我|他|她)(?:们)?[^，。]{0,8}(?:好了|过了|完了|了)|もう.{0,20}(?:ました|済|した)|(?:済み|済ませ|しておきました|してあります)|(?:이미|벌써)|했어요|했습니다|لقد|قمت|bile|zaten|już",
    re.I,
)
"""A user who says that something was done, by whomever."""

ABOUT: Final = late_pattern(
    r"\b(?:about|between|among|their|his|her|him|them|its|including|also|now|then|first|still|(?:still )?(?:has|have|needs?) to be (?:done|made|changed|finished|completed|fixed|sent)|to be (?:done|made|finished)|remaining|missing|new|all|every|both|each|please|too|as well|über|zwischen|auch|noch|jetzt|alle|neue[nrs]?|entre|aussi|tous|toutes|también|todos|todas|nuev[oa]|também|tutti|anche|tra|также|ещё|все)\b"
    r"|^\W*(?:(?:the )?user|der nutzer|l['’]utilisateur|el usuario|o usuário|l['’]utente|пользователь) \w+(?: (?:to|for|that|um|de|que|di|che))?\b",
    re.I,
)
"""Small words that join the things of a line, and the words that say who wants it."""

PRAISE: Final = late_pattern(
    r"^\W*(?:(?:ok|okay|ah|oh|yes|ja|oui|sí|sim)[,.! ]+)?(?:nice|great|good|excellent|perfect|super|cool|thanks|thank you|awesome|lovely|brilliant|well done|toll|prima|danke|sehr gut|wunderbar|merci|parfait|génial|très bien|gracias|genial|perfecto|estupendo|muy bien|ótimo|obrigad[oa]|perfeito|grazie|perfetto|ottimo|bedankt|mooi|спасибо|отлично|супер|прекрасно|dzięki|świetnie|teşekkürler|harika)\b"
    r"|^\W*(?:谢谢|很好|太好了|不错|いいですね|ありがとう|完璧|좋아|좋네|감사|고마워|شكرا|ممتاز)",
    re.I,
)
"""How a user begins who is content with what was done."""

ALSO: Final = late_pattern(
    r"\b(?:also|too|as well|auch|aussi|también|também|anche|ook|тоже|также|there|dort|dazu|là|y compris|allí|ahí|lá|там|туда)\b|也|还要|もお?|도 ",
    re.I,
)
"""Words by which a request goes on with what came before it."""
