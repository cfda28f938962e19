"""What has a rule's words and sets none: stories, counts of what came, doubts somebody had, the weather, how a program works."""

import re
from typing import Final

from hermes_sessions.facts.wording.sieves import sieve

_STORY: Final = (
    r"^\W{0,3}(?:in|im|dans|en|no|na|nel|nella|nello|в|w|in de|in het) (?:\w+ )?(?:novel|film|movie|book|story|tale|poem|play|game|chapter|dream|fairy tale|song|saga|legend|roman|buch|märchen|spiel|traum|kapitel|geschichte|livre|conte|jeu|rêve|chapitre|histoire|novela|película|libro|cuento|juego|sueño|capítulo|historia|romance|filme|livro|conto|jogo|sonho|romanzo|fiaba|gioco|sogno|libro|capitolo|storia|романе|фильме|книге|сказке|игре|рассказе|сне|filmie|książce|powieści|bajce|grze|boek|verhaal|sprookje|spel)\b"
    r"|^\W{0,3}(?:the|a|this|that|my|der|die|das|le|la|ce|el|este|il|questo|o) (?:novel|film|movie|book|story|play|game|roman|buch|spiel|livre|película|novela|libro|filme|romanzo|gioco)\b[^,.!?]{0,40}\b(?:is|was|are|tells|handelt|erzählt|geht|raconte|parle|cuenta|trata|racconta|parla|conta|fala)\b"
    r"|^.{0,8}(?:小说|电影|故事|书|童话|游戏|剧)里|(?:小説|映画|物語|童話|ゲーム)(?:の中)?では|(?:소설|영화|동화|게임|이야기)(?:에서|에선)"
)
_SAID_BY_OTHERS: Final = (
    r"\bused to (?:say|tell|insist|ask|preach)\b|\bit says here\b|^\W{0,3}(?!(?:i|we|you|ich|wir|je|nous|on)\b)(?:[\w'’-]+ ){1,4}?(?:thinks?|believes?|claims?|reckons?|glaubt|meint|findet|behauptet|pense|croit|trouve|prétend|cree|piensa|opina|acha|pensa|crede|ritiene|думает|считает|полагает)\b(?! (?:of|about|twice|first|before)\b)(?:,? (?:that|dass|que|che|что|the|a|an|our|all|die|der|das|\w+s)\b)"
    r"|^\W{0,3}(?:the|your|his|her|its|an?) (?:docs?|documentation|manual|readme|tutorial|article|error(?: message)?|log|message|page|site|website|dialog|tooltip) (?:says?|states?|claims?|tells?|reads?|mentions?)\b(?!.*\b(?:so|therefore),? (?:do not|don|never|please|keep|use)\b)"
    r"|, (?:sagte|meinte|disait|decía|dizia|diceva|said|говорил\w?) (?:(?:meine?|unsere?|mon|ma|mi|meu|minha|mio|mia|my|our|моя|мой) )?\w+(?: \w+)?[.!]?$"
)
_CAME: Final = r"(?:no|not) more than|at most|mehr als|höchstens|pas plus de|au plus|no más de|como (?:mucho|máximo)|não mais (?:de|que)|no máximo|non più di|al massimo|не (?:больше|более)|nie więcej niż|niet meer dan|hooguit"
_COUNTED: Final = (
    rf"^(?=.*\b(?:{_CAME})\b)(?!.*\b(?:must|may|should|please|never|soll\w*|darf|dürfen|doit|doivent|debe\w*|deve\w*)\b).*\b(?:came|took|was|were|lasted|showed|attended|cost|needed|slept|ate|saw|waited|got|waren|kamen|kam|war|dauerte|kostete|brauchte|hatte\w?|hat|haben|sont venu\w*|est venu\w*|étaient|était|a (?:duré|pris|coûté)|vinieron|vino|fueron|eran|era|tardó|tardamos|costó|duró|vieram|veio|foram|levou|custou|sono venut\w|è (?:venut\w|durat\w|costat\w)|erano|пришл[оиа]|пришёл|был[оиа]?|заняло|стоил[оаи]?|длил\w+|przyszł\w+|było|trwał\w+|zajęł\w+|kwamen|kwam|was|duurde)\b"
    r"|^(?:最多|不超过|顶多)(?:来|花|用|走|坐|有|去|只有)?了|(?:まで|以内|以下)(?:しか|で)(?:来|終わり|済み|済ん).{0,6}(?:た|でした)。?$|까지만 (?:왔|걸렸|있었)\S*[.!]?$"
)
_DOUBTED: Final = r"\b(?:i was|we were|i wasn['’]t|i am|i['’]m|we['’]re) (?:\w+ )?(?:in doubt|unsure|not sure|uncertain)\b|\bim zweifel (?:war|waren|hat|hatte|haben|habe)\b|\bj['’]étais dans le doute\b|\btenía (?:mis )?dudas\b|\b(?:fiquei|estava|estive) (?:na|em) dúvida\b|\b(?:ero|eravamo|sono) (?:nel|in) dubbio\b|\bя (?:не уверен\w*|сомнева(?:лся|лась|юсь))\b|^我(?:也|还|有点)?(?:拿不准|不确定|不清楚)|^(?:迷ったので|わからなかったので)|(?:확실하지|잘 몰라) ?(?:않아서|서)"
_SKY: Final = r"^\W{0,3}(?:the |das |le |la |el |o |il |lo |a )?(?:weather|sky|sun|rain|snow|temperature|heating(?!.*(?:\b(?:until|till|bis|solange|tant que|hasta|até|finché|fino|tot|zolang|до|пока|do|dopóki)\b|jusqu))|screen|monitor|display|printer|page|button|wetter|himmel|heizung(?!.*(?:\b(?:until|till|bis|solange|tant que|hasta|até|finché|fino|tot|zolang|до|пока|do|dopóki)\b|jusqu))|bildschirm|seite|drucker|temps|ciel|écran|page|chauffage(?!.*(?:\b(?:until|till|bis|solange|tant que|hasta|até|finché|fino|tot|zolang|до|пока|do|dopóki)\b|jusqu))|tiempo|cielo|pantalla|página|tempo|céu|ecrã|tela|schermo|pagina|meteo)\b[^,.!?]{0,30}\b(?:stays?|remains?|bleibt|reste|se queda|queda|fica|resta|rimane)\b"
_BY_NOW: Final = (
    r"\bnessun[oa]? (?:l['’])?h(?:a|anno) \w+(?:t|s)[oaie]\b(?!.*\b(?:deve|dovrà|può|finché)\b)|(?:^\W{0,3}|\bnikt )(?:jeszcze )?nie \w+(?:ał|ił|ął|ył|uł|iał)[ao]?\b|\bniemand (?:hat|heeft|had|hatte) (?:\S+ ){1,6}?\w+(?:t|en|d)\b(?!.*\b(?:darf|mag|soll|moet)\b)|\bnobody has \w+(?:ed|n)\b|\bне \w+(?:ал|ил|ел|ял)[аи]? (?:\S+ ){0,4}?, (?:а|но|и всё|и все) "
    r"|\b(?:kept|left|stayed|stuck|held|gave|put) (?:\S+ ){1,6}?(?:until|while|before|for) (?:\S+ ){0,4}?(?:had|was|were|years|months|weeks|days)\b|\bmust(?: not|n['’]t)? (?:\w+ )?have (?:\w+ ){0,2}?(?:\w+(?:ed|un|en|ne|de|nt|pt|lt|st)|been|run|had|gone|come)\b"
    r"|^\W{0,3}we only \w+ [^!?]{3,60}, so (?:i|we) (?:do not|don['’]t|can['’]t|cannot|have no|haven['’]t)\b|^\W{0,3}(?:that['’]s|this is|that is) as far as it (?:goes|gets)\b"
    r"|^(?!.*\b(?:please|must|never)\b).*\b(?:until further notice|closed on|closed for)\b.*, so (?:we|i|they) (?:went|had|took|did|ate|drove|stayed)\b|^\W{0,3}(?:had|if) (?:i|we) (?:only )?known\b|^\W{0,3}(?:whatever|wherever|whichever) \w+ in (?:the|a|that|this) (?:loop|code|function|file|request|log)\b"
)
_SUPPOSED: Final = (
    r"^\W{0,3}if (?:i|we|you|they|nobody|everyone|someone|it|he|she)\b[^,!?]{3,80}, [^!?]*\b(?:would|could|might)\b|^\W{0,3}wenn [^,!?]{3,80}, (?:würde|wäre|hätte|könnte|ginge|gäbe)\w*\b|^\W{0,3}si [^,!?]{3,80}(?:ait|ais|ions|aient), [^!?]*\w+r(?:ait|ions|aient|ais)\b|^\W{0,3}si [^,!?]{3,80}(?:ra|ras|ramos|ran|se|semos|sen)\b[^,!?]{0,40}, [^!?]*\w+ría(?:s|n|mos)?\b"
    r"|^\W{0,3}se [^,!?]{0,80}\w+ss(?:i|e|imo|ero|emos|em)\b[^,!?]{0,40}, [^!?]*\w+(?:rei|rebbe|remmo|rebbero|ria|riam|ríamos)\b|^\W{0,3}если бы\b|^\W{0,3}gdyby\w*\b|^(?:要是|假如|如果当初).{2,30}就(?:会|好)"
)
_GRANTED: Final = (
    r"^(?!.*(?:\b(?:only|never|not|but|unless|until|before|nur|nie\w*|nicht|kein\w*|aber|erst|seulement|jamais|ne|pas|mais|avant|solo|sólo|nunca|no|pero|hasta|antes|non|mai|ma|prima|só|não|mas|até|только|не|но|пока)\b|n['’]))"
    r"(?=.*\b(?:now|from now on|going forward|again|directly|freely|jetzt|ab (?:jetzt|sofort)|wieder|künftig|désormais|dorénavant|maintenant|directement|ahora|en adelante|directamente|ora|adesso|d['’]ora|direttamente|agora|em diante|diretamente|теперь|отныне|впредь|снова)\b)"
    r".*\b(?:you (?:may|can|are free to|are allowed to)|du (?:darfst|kannst)|(?:darfst|kannst) du|ihr (?:dürft|könnt)|tu peux|vous pouvez|(?:ya )?puedes|podéis|puoi|potete|(?:você )?pode|podes|(?:ты |вы )?можешь|можете)\b"
    r"|^(?!.*[只仅不别才]).*(?:现在|以后|今后)可以"
)
_LEFT_TO_DO: Final = r"^(?!.*\b(?:ab (?:jetzt|sofort)|künftig|darf\w*|dürfen)\b).*\bnur noch (?:die|das|den|eine?n?|kurz|schnell|einmal)\b|^[^,!?]{4,50}, nie (?-i:[A-ZŁŚŻ])\w+[.!]?$"
_THANKED: Final = (
    r"^\W{0,3}(?:thanks|thank you|danke|merci|gracias|obrigad[oa]|grazie|bedankt|dank je|dzięki|dziękuję|спасибо)\b[^.;!]{0,40}\b(?:need|brauch\w*|besoin|necesito|falta|preciso|serve|nodig|potrzeb\w+|нужно|надо)\b"
    r"|^(?:谢谢|多谢|ありがとう).{0,12}(?:不需要|不用|十分|大丈夫)"
)
_NOT_BELIEVED: Final = r"^\W{0,3}(?:i (?:do not|don['’]t) (?:think|believe|suppose)|ich (?:glaube|denke) nicht|je ne (?:pense|crois) pas|no creo|não (?:acho|creio)|non (?:credo|penso)|ik (?:denk|geloof) niet|nie (?:sądzę|myślę|wydaje)|(?:я )?не думаю)\b|^我(?:不)?觉得|と思う。?$|と思います。?$"
_NO_MORE: Final = r"^(?:以前|从前|原来|原先|过去).{2,40}(?:现在|如今|已经)(?:都)?(?:不|没)|^(?:以前|昔|かつて)は?.{2,40}(?:もう|今は).{1,12}(?:ない|ません)"
_THOUGHT_OF: Final = r"^\W{0,3}(?:one|another|an?) (?:option|idea|possibility|alternative) (?:is|would be|might be)\b|こともでき(?:ます|る)|可以考虑|^(?!.*\b(?:nicht|nie|nur)\b).*\bman könnte\b|\bon pourrait\b|\bse podrían?\b|\bsi potrebbe(?:ro)?\b|\bmożna by\b|\bможно было бы\b|\bwe could (?:also )?(?:cap|limit|restrict|keep|leave)\b|\bwe zouden?\b.{0,60}\bkunnen\b|\bpodíamos\b"
_WRITTEN_SOMEWHERE: Final = r"^\W{0,3}(?:laut|gemäß) (?:\w+ )?(?:doku\w*|handbuch|anleitung|readme)\b|^\W{0,3}(?:selon|d['’]après) (?:la |le )?(?:documentation|manuel|doc)\b|^\W{0,3}(?:la |a )?(?:documentation|documentación|documentação|documentazione|dokumentacja|documentatie) (?:précise|indique|dit|dice|indica|diz|afferma|specifica|mówi|zegt)\b|^\W{0,3}volgens de (?:documentatie|handleiding)\b|^\W{0,3}в документации (?:сказано|написано|указано)|^(?:文档|手册|说明书?)(?:里|中)?(?:说|写|提到)|(?:資料|文書|ドキュメント|説明書)(?:によると|では|に)"
_LEFT_OVER: Final = r"^\W{0,3}no [\w-]+(?: [\w-]+){0,2} (?:was|were|has been|have been|had been) (?!allowed|permitted|to be)\w+"
TALE: Final = sieve(
    rf"{_THANKED}|{_NOT_BELIEVED}|{_NO_MORE}|{_THOUGHT_OF}|{_WRITTEN_SOMEWHERE}|{_LEFT_OVER}|{_STORY}|{_SAID_BY_OTHERS}|{_COUNTED}|{_DOUBTED}|{_SKY}|{_BY_NOW}|{_SUPPOSED}|{_GRANTED}|{_LEFT_TO_DO}",
    re.I,
)
"""Whoever says it: no rule."""

_THEREFORE: Final = r"[,;] (?:hence|which is why|d['’]où|daher (?:der|die|das)|de ahí|daí|da qui|di qui|vandaar|stąd|отсюда|отсюда и) (?:\w+ ){0,3}\w+[.!]?$"
WORKINGS: Final = sieve(
    _THEREFORE + "|"
    r"^\W{0,3}(?:the|this|that|our|each|every|an?|der|die|das|le|la|l['’]|el|il|lo|o) (?:\w+[ -]){0,2}?(?:cache|tests?|process|worker|queue|scheduler|parser|lexer|gateway|proxy|client|server|heuristic|iterator|loader|module|migration|watcher|daemon|thread|lock|buffer|handler|plugin|hook|linter|compiler|runner|job|table|row|index|page|endpoint|api|service|analizador|analyseur|analizzatore|tabelle|warteschlange|dienst|speicher|modul|puffer)s?\b (?!(?:must|should|shall|may)\b(?! not have))"
    r"(?:only |never |always |simply |just |then )?(?:stays?|remains?|retries|stops?|keeps?|leaves?|returns?|gets?|is|are|has to|have to|waits?|holds?|reads?|writes?|sends?|runs?|drops?|skips?|lässt|bleibt|ist|wartet|liest|schreibt|ne \w+|n['’]\w+|deja|lascia|resta|reste|laisse|attend)\b"
    r"|^\W{0,3}nothing is (?:sent|written|read|flushed|stored|logged|emitted|returned) (?:before|until|unless) (?:the|a|an) (?:\w+ )?(?:buffer|queue|batch|lock|cache|socket|header|timeout|limit|file|stream|block)\b"
    r"|^\W{0,3}(?:in|im|dans|en) (?:the|this|our|aktuellen?|le|el) (?:current |present |old )?(?:code|implementation|version|codebase|code actuel|código|implementierung)\b,? (?:nobody|no one|nothing|niemand|personne|nadie)\b"
    r"|^\W{0,3}without (?:approval|permission|consent)s?,? (?:the|a|an|it) (?:\w+ ){0,3}?(?:returns?|fails?|throws?|answers?|rejects?|blocks?|gives?|shows?)\b"
    r"|^\W{0,3}if in doubt,? (?:the|it|this) (?!user|team|reader)\w+ \w+s\b"
    r"|\bis required by the (?:api|server|spec|schema|client|protocol|library|compiler)\b|^解析器|^(?:パーサー|キャッシュ|ワーカー)は|^(?:парсер|кэш|кеш|сервер|клиент|воркер|таблица) (?:\S+ )?(?:оставля|хран|держ|жд|остаёт|пропуск|чита)\w+",
    re.I,
)  # fmt: skip
"""Where an agent says it: how something works."""

_OF_A_FORM: Final = r"(?:values?|names?|strings?|keys?|lengths?|sizes?|passwords?|tokens?|identifiers?|fields?|inputs?|arguments?|parameters?|labels?|tags?|paths?|urls?|indexes|indices|index|clients?|options?|flags?|headers?|payloads?|this (?:option|flag|argument|parameter|field|value|function|method))"
FORMAL: Final = sieve(
    rf"^\W{{0,3}}(?:note: |warning: |hint: )?(?:the |an? |all |each |every |this |these )?(?:\w+ ){{0,2}}?{_OF_A_FORM} (?:\w+ )?(?:must|may|should|shall|cannot|can)(?: only| not)? (?:be (?:at (?:most|least)|between|shorter|longer|unique|valid|non-?empty|empty|lower|upper|a|an|one|used|set|given|in the range|less|greater|equal|ascii|utf|quoted|escaped|specified|combined|positive|negative)|exceed|contain|start|begin|end|match|have|consist|include|keep clear|avoid)\b"
    r"|^\W{0,3}(?:warning|caution|note): (?:do not|never) (?:use|run|expose|enable) (?:\S+ ){0,3}?(?:in production|as root|with|without)\b",
    re.I,
)  # fmt: skip
"""Where a tool's result says it: what a value may look like."""
