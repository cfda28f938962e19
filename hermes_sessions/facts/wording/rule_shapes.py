"""What rules look like, in the languages that are read: words that let a pattern be tried, and the pattern."""

import re
from typing import Final

from hermes_sessions.facts.gates import gated
from hermes_sessions.facts.wording.words import shape

TURKISH: Final = ("ğ", "ş", "bir", "için", "bana", "olan", "önce", "sonra")
"""What tells Turkish from other languages with its endings."""

_NOBODY: Final = (
    ("nobody", "no one", "no-one", "nothing", "niemand", "personne", "nadie", "nessuno", "ninguém"), r"\b(?:nobody|no[ -]one) (?!knows|cares|else|was|were|has|had|is)\w+s (?:\S+ ){1,10}?(?:while|until|unless|before|without|during)\b|\bnothing (?:may|must|shall|gets|goes|is (?:to be )?\w+(?:ed|en|t)) (?:\S+ ){0,8}?(?:before|until|without|unless)\b|\bniemand \w+t (?:\S+ ){1,10}?(?:solange|bis|bevor|ohne|während)\b|\bpersonne n(?:e |['’])\w+ (?:\S+ ){1,10}?(?:tant que|avant|sans|pendant)\b|\bnadie \w+ (?:\S+ ){1,10}?(?:hasta|mientras|sin|antes)\b|\bnessuno \w+ (?:\S+ ){1,10}?(?:finché|prima|senza|mentre)\b|\bninguém \w+ (?:\S+ ){1,10}?(?:até|enquanto|sem|antes)\b|\b(?:nobody|no[ -]one)(?: else| but [^.!?\n]{1,40}?| except [^.!?\n]{1,40}?)? (?:may|must|shall|is (?:allowed|permitted|to)|should (?!notice|see|care|mind|be |have ))|\bniemand(?:em)? (?:\S+ ){0,4}?(?:darf|dürfte|soll)\b|\b(?:darf|soll) (?:\S+ ){0,4}?niemand(?:em)?\b|\bpersonne (?:d'autre )?ne (?:doit|devra|peut|pourra)\b|\bnadie (?:más )?(?:debe|deberá|puede|podrá)\b|\bnessuno (?:deve|dovrà|può|potrà)\b|\bninguém (?:deve|deverá|pode|poderá)\b",
)  # fmt: skip
"""Who may: nobody. Not "nobody can", which is said of what does not work."""
_HELD: Final = (
    ("until", "approval", "review", "sign", "restricted to"), r"\b(?:deploy\w*|merg(?:es?|ing)|releases?|writes|pushes|changes|logins?|exports?) (?:\w+ ){0,4}(?:is|are|stays?|remains?) (?:blocked|paused|locked|on hold|suspended|closed) until\b|\brequires? (?:(?!no )\w+(?:'s)? ){0,3}(?:approval|reviewer|sign-?off)\b|\baccess (?:\S+ ){0,6}?(?:is|are) restricted to\b",
)  # fmt: skip
_NONE_WITHOUT: Final = (
    ("kein", "aucun", "ning", "nenhum", "nessun", "ни один", "никто"), r"(?:^|[,;:] )\W{0,3}(?:kein\w* \w+ (?:\S+ ){0,8}?(?:ohne|bevor|solange)|(?:plus )?aucune? \w+ (?:\S+ ){0,8}?(?:sans|avant|tant que)|ning[uú]n\w* \w+ (?:\S+ ){0,8}?(?:sin|hasta|antes)|nenhum\w* \w+ (?:\S+ ){0,8}?(?:sem|até|antes)|nessun\w* \w+ (?:\S+ ){0,8}?(?:senza|prima|finché)|(?:ни один|никто)\b (?:\S+ ){0,8}?(?:без|до|пока))\b",
)  # fmt: skip
"""Nothing without something: a ban in every language."""
_ONLY_WHO: Final = (
    ("nur ", "ausschließlich", "seul", "solo ", "sólo ", "únicamente", "somente", "apenas", "só ", "только"), r"\b(?:nur|ausschließlich) (?:\S+ ){1,4}?(?:darf|dürfen|soll|sollen)\b|\bseule?s? (?:\S+ ){1,5}?(?:peut|peuvent|doit|doivent)\b|\b(?:solo|sólo|únicamente) (?:\S+ ){1,5}?(?:puede|pueden|debe|deben|può|possono|deve|devono)\b|\b(?:só|somente|apenas) (?:\S+ ){1,5}?(?:pode|podem|deve|devem)\b|\bтолько (?:\S+ ){1,5}?(?:может|могут|вправе|имеет право)\b",
)  # fmt: skip
"""Who may: one alone."""

STRONG: Final = gated(
    _NOBODY,
    _HELD,
    _NONE_WITHOUT,
    _ONLY_WHO,
    (("stay", "remain"), r"\b(?:stays?|remains?) (?:\w+ ){0,2}?(?:shut|closed|locked|sealed|off|down|untouched|as (?:it is|they are|is)) (?:until|unless|while|till)\b"),
    (("erst", "nirgend"), r"\b(?:bekomm(?:t|en)|wird|werden|geh(?:t|en)|komm(?:t|en)|startet|starten|beginn(?:t|en)|gibt|\w+en wir) (?:\S+ ){0,6}?erst,? (?:nachdem|wenn|sobald)\b|\b(?:darf|dürfen) (?:\S+ ){0,6}nirgend\w*"),
    (("ないで", "ないこと"), r"[\u3040-\u9fff](?:ないで|ないこと)(?:ね|よ)?[。.!！]?$"),
    (("never",), r"(?<!was )(?<!were )(?<!has )(?<!have )(?<!had )\bnever\b(?! (?:mind|been|heard|seen|had|did|was|were|got|ran|reached|fires|fired|returns|called|happened|happens|completes|finished|saw|knew|really|quite|runs|worked))"),
    (("must", "may ", "not allowed", "forbidden", "prohibit", "limits", "strictly", "circumstances", "hands off", "should", "shall"), r"\bmust(?:n't|n’t| not| never)\b|\bmay (?:not|only|never)\b(?! (?:be (?:needed|necessary|the)|have))|\b(?:is|are) (?:not allowed|forbidden|prohibited|off[- ]limits|strictly)\b|\bnot allowed to\b|\bunder no circumstances\b|\bstrictly (?:forbidden|prohibited|no)\b|\bhands off\b|\bwe (?:should|shall) (?:not|never)\b"),
    (("do not", "don't", "don’t", "stop ", "avoid ", "always", "only ", "you "), r"^(?:\W{0,3}(?:please|also|and|but|so|then|important|note|reminder|remember|ok|okay|again|until then|for now|however)[,:]? ){0,2}(?:please )?(?:do not|don't|don’t|stop \w+ing|avoid \w+ing|always|only (?!the\b|a\b|one\b|then\b|two\b|\d)\w+)\b(?! (?:worry|know|think|mind|forget to mention|see|have\b))|[,;:–-] (?:but |and |so |please ){0,2}(?:do not|don't|don’t)\b(?! (?:worry|know|think|see|have|want|need|mind))|\byou (?:must|may only|should never|should not|shouldn't|are not to|have to|can only)\b"),
    (("without", "until", "before", "unless", "ask ", "approval", "sign"), r"\b(?:not?|nothing|no one|nobody|never|none)\b.{0,100}\b(?:without|until|before|unless)\b|\b(?:until|before|unless)\b.{3,80}, (?:nobody|no one|nothing|none)\b|\bwithout (?:\w+ ){0,3}(?:approval|permission|consent|asking|sign-?off|review|confirmation|authori[sz]ation|a ticket)\b|\bask (?:me|us|first|\w+) (?:first|before)\b|\bneeds? (?:\w+'s |\w+ )?(?:approval|sign-?off)\b"),
    (("nobody else", "no one else", "anywhere", "at all", "ever", "through", "max"), r"\b(?:nobody|no one) else\b|\b(?:we|you|they|it) (?:can't|can’t|cannot|can not|mustn't) (?:\S+ ){1,8}(?:anywhere|at all|ever)\b|\b(?:has|have) to go through \w+|^max(?:imum|\.)? \d"),
    (("keine", "kein "), r"\bkeine? \w+ (?:\S+ ){0,6}(?:nach|vor|ab|bis|zwischen) \d"),
    (("ning", "proh"), r"\bning[uú]n\w* \w+ (?:puede|debe|pode|deve)\b|\bproh[ií]be\w*\b"),
    (("read-only", "only", "freeze", "frozen"), r"\bread-only (?:until|for|from|during|while|on|in)\b|\b(?:is|are|stays?|remains?|keep \w+|keep it|keep them) read-only\b|\bonly (?:after|when|if|with|on|from|via|through|between|during|once|by|for|in)\b.{2,}|\b(?:may|can|should|must|shall) only\b|\b(?:is|are|be) only (?:allowed|permitted|to be)\b|\bcode freeze\b|\bfreeze until\b|\bfrozen until\b"),
    (("at most", "more than", "cap", "limit", "maximum", "budget", "keep", "stay", "must"), r"\b(?<!by )(?:at most|no more than|not more than)\b(?! by\b)|\b(?:capped at|cap (?:of|is|at)|hard (?:cap|limit)|must (?:stay|remain|be) (?:below|under|at most|within)|maximum (?:of|is)|budget (?:is|of) (?:at most|capped)|(?:keep|stay) (?:\w+ ){0,4}(?:under|below|within|at or below))\b"),
    (("nie", "finger", "darf", "nichts", "kein", "dürf", "keinesfalls", "keinen fall", "verbot", "nur", "erst ", "ohne ", "höchstens", "maximal", "schreibgesch", "bitte", "immer", "nicht", "kein"), r"\b(?:nie|niemals)\b(?! (?:gesehen|gehört|war|wurde))|\b(?:darf|dürfen|dürft) (?:\S+ ){0,6}(?:nichts?|nur|kein\w*|niemand|erst|höchstens|nie|niemals)\b|\b(?:wird|werden) (?:\S+ ){0,8}(?:nichts?|kein\w*|niemand) mehr \w+t\b|\bkeinesfalls\b|\bfinger (?:weg )?von\b|\bauf keinen fall\b|\bverbot(?:en)?\b|\b(?:nur|erst) (?:\w+,? )?(?:nach|mit|wenn|sobald|über|auf|in|lesend|von|zwischen|ab|per|noch)\b|\bohne (?:\w+ ){0,3}(?:freigabe|zustimmung|genehmigung|rückfrage|rücksprache|erlaubnis|absprache)|\b(?:höchstens|maximal)\b|\bschreibgeschützt\b|\bbitte (?:\w+ ){0,6}(?:nichts?|kein\w*|nur|immer)\b|^(?:schick|send|änder|lösch|schreib|verrat|sag|mach|tu|gib|lad|kopier|installier|nimm|rühr|fass|veröffentlich|teil|push|merg|deploy|commit|start|verwend|nutz|benutz|ersetz|entfern|verschieb|überschreib|arbeit|lies|antwort|führ)\w* (?:\S+ ){0,5}(?:nichts?|kein\w*|niemals|nie|nur)\b|^(?:\W{0,3})(?:immer|nicht|kein\w*)\b|\bimmer (?:erst|zuerst|vorher|mit|über)\b|^(?:\w+) (?:\w+ ){0,6}nicht (?:an|ändern|löschen|verwenden|anfassen|ohne|auf|in|vor)\b"),
    (("jamais", "pas", "interdi", "défense", "uniquement", "seulement", "exclusivement", "maximum", "sans ", "lecture seule", "aucun cas", "ne ", "n'", "n’"), r"\b(?:ne|n['’])\s?\S+ (?:\S+ )?(?:jamais|pas (?:sans|avant|toucher|modifier))|\bjamais\b|\bne pas\b|\bil ne faut (?:pas|jamais)\b|\binterdi(?:t|ction)|\bdéfense d|\bne (?:doit|doivent|devez|dois|peut|peuvent) (?:pas|jamais|être)|\b(?:uniquement|seulement|exclusivement)\b|\bau maximum\b|\bpas plus de\b|\bsans (?:\w+ ){0,3}(?:accord|autorisation|validation|approbation)\b|\blecture seule\b|\ben aucun cas\b|\bne \w+(?:ez|e|s)? (?:pas|rien|aucun\w*)\b|^(?:ne |n['’])\w+ (?:\w+ ){0,2}(?:pas|jamais|rien|aucun\w*|plus)\b|[,;] (?:mais |et )?(?:ne |n['’])\w+ (?:\w+ )?(?:pas|jamais|rien)\b"),
    (("nunca", "jamás", "no ", "solo ", "sólo ", "únicamente", "máximo", "sin ", "prohib", "prohíb"), r"\b(?:nunca|jamás)\b|^(?:\W{0,3}(?:por favor,? )?)no (?!hay|es|se (?:encontr|pudo)|tengo|sé|estoy|funciona)\w+(?:es|as|an|en|e|a)\b|\bno (?:debe|debes|deben|debemos|podemos|se debe|se puede|se permite|puede|toques|uses|borres)\b|\b(?:solo|sólo|únicamente) (?:se |después|con|cuando|si|desde|en|tras|puede|lectura|el|la)\b|\bcomo máximo\b|\bsin (?:\w+ ){0,3}(?:aprobación|permiso|autorización|confirmación)\b|\bprohib(?:id[oa]s?|ición)\b|\bse prohíbe|\bsolo lectura\b"),
    (("não", "nunca", "somente", "apenas", "sem ", "proibi", "no máximo", "até "), r"\bnão (?:deve\w*|pode\w*|altere|apague|remova|use|faça|mexa|toque|envie|publique|é permitid\w+|ultrapass\w+|exced\w+)\b|^\W{0,3}não \w{3,}(?:e|em)\b|\b(?:nunca|somente)\b|\bapenas (?:após|depois|com|se|quando)\b|\bsem (?:\w+ ){0,2}(?:aprovação|permissão|autorização|consultar|perguntar|confirmação)\b|\bproibi(?:d[oa]s?|ção)\b|\bno máximo\b"),
    (("non ", "mai ", "vietat", "divieto", "senza ", "solo", "soltanto", "al massimo", "massimo"), r"\bnon (?:deve|devono|devi|dovete|si deve|si può|può|possono|puoi|toccare|modificare|usare|cancellare|eliminare|inviare|superare|è (?:consentit|permess)\w)\b|\bmai\b(?= )|\bvietat[oaie]\b|\bdivieto\b|\bsenza (?:\w+ ){0,3}(?:approvazione|autorizzazione|permesso|consenso|conferma|chiedere|chieder\w+)\b|\b(?:solo|soltanto) (?:dopo|con|se|quando|in lettura)\b|\bal massimo\b|^usa(?:te)? solo\b"),
    (("नहीं", "न ", "मत", "केवल", "बिना", "कभी", "अनिवार्य", "सिर्फ"), r"(?:नहीं|न) (?:हो\w*|कर\w*|जा\w*|दे\w*|भेज\w*|चाहिए)|नहीं होन[ाी] चाहिए|(?:^|\s)मत\s|केवल .{2,60}(?: बाद|करें|ही)|बिना .{1,60}(?:न |नहीं|मत )|कभी (?:न|नहीं|भी)|अनिवार्य"),
    (("asla", "yalnızca", "sadece", "olmadan", "almadan", "sormadan", "yasak", "en fazla", "kesinlikle", "mamalı", "memeli", "mayın", "meyin", "masın", "mesin"), r"\basla\b|\byalnızca\b|\bsadece .{2,60}(?:sonra|ile|kullan)|\bsormadan\b|\b(?:onay|izin|onayı|izni)\w* (?:olmadan|almadan)\b|\byasak|\ben fazla\b|\bkesinlikle\b|\w{2,}(?:mamalı|memeli|mayın|meyin|mayınız|meyiniz|masın|mesin)(?:dır|dir)?\b"),
    (TURKISH, r"^(?=.*(?:[ğş]|\b(?:bir|için|bana|olan|önce|sonra)\b)).*\w{2,}(?:ma|me)[.!]?$"),
    (("하지", "지 마", "안 ", "금지", "절대", "까지만", "에만", "이하", "없이", "지 말", "읽기 전용", "을 넘지"), r"지 (?:마|말)|면 안 (?:됩|돼|된|되)|서는 안 (?:됩|돼|된|되)|금지|절대|까지만|이하로|(?:승인|허락|허가|동의) ?없이|후에만|읽기 전용|을 넘지"),
    (("不要", "不得", "禁止", "必须", "只能", "不许", "切勿", "绝", "最多", "不能", "不可", "不超", "不允", "只读", "未经", "务必", "仅限", "严禁", "请勿", "别", "千万", "一律", "上限", "限额", "不高于", "不低于", "至少"), r"不要|不得|禁止|必须|只能|不许|切勿|绝不|绝对不|最多(?:只能|不)?|不(?:能|可以?)(?!用$|运行|工作|正常)|不(?:超过|允许)|只读|未经|务必|仅限|严禁|请勿|^别|[,，。；]别|千万(?:别|不)|一律|(?:上限|限额|不高于|不低于|至少)(?:仍|还|设|定|改)?(?:是|为|：|:)?\s?[\d一二三四五六七八九十百千万]|之前必须"),
    (("ない", "禁止", "必ず", "のみ", "絶対", "読み取り", "なけれ", "だけ", "以内", "いけ", "なら", "ダメ", "だめ", "許可", "承認", "確認", "限", "抑え", "以下", "まで"), r"ないでください|(?:ては|では)(?:いけ|なら|ダメ|だめ)|禁止|必ず|のみ(?:可|許可|使用|で|に|と|を|変更)|絶対に|(?:し|え)ないこと|読み取り専用|(?:許可|承認|確認)(?:な(?:し|く)|を得|が必要|なしで|後)|なければな|ないように|だけ(?:に|を)(?:し|使)|以内(?:に|と|で)|(?:以下|以内|まで)(?:に限|とし|に抑え|で)|に限(?:る|り)"),
    (("никогда", "в покое", "нельзя", "запре", "не", "максимум", "без", "только"), r"\bникогда\b(?! не (?:видел|было|слышал))|\bнельзя\b|\bоставь\w* .{2,60} в покое\b|\bзапре(?:щ\w+|т)\b|\bне (?:\w+(?:йте|й|ите|ай|яй|уй|ь|ьте))\b|\b(?:не (?:более|больше|чаще|реже|позже|раньше|дольше|выше|ниже|менее|меньше)|максимум)\b|(?:^|[,;.] )(?:и |но )?не \w{3,}и\b|\bбез (?:\w+ ){0,3}(?:согласовани\w+|разрешени\w+|одобрени\w+|подтверждени\w+|ревью)|\bтолько (?:после|для чтения|через|если|с|на|когда|по|в|из)\b|^\w+(?:й|йте|ь|ьте|и|ите) (?:\w+ )?только\b|\bне (?:долж\w+|должно|трогать|менять|удалять|использовать)\b|\bне допускается\b"),
    (("لا", "ممنوع", "أبد", "منع", "بدون", "دون", "للقراءة", "فقط", "كحد", "يجب", "محظور"), r"(?:^|[ ،.])[وف]?لا (?:ت|يجوز|يُسمح|يسمح|يجب|يمكن|ن)\w*|يجب (?:عدم|ألا|أن لا)|محظور|ممنوع|أبد[اً]ً?|يُمنع|يمنع|(?:بدون|دون) (?:\w+ ){0,2}(?:إذن|موافقة|الموافقة|موافقتي)|للقراءة فقط|فقط (?:بعد|إذا|من|في|عند|عبر)|كحد أقصى"),
)  # fmt: skip
"""Rules whoever says them."""

WEAK: Final = gated(
    (("must", "ha", "always", "required", "should", "make sure", "keep ", "leave ", "only"), r"\bmust\b(?! have\b| admit| say| be (?:a|an|the|because|due|something|some)\b)|\b(?:has|have) to (?:be|stay|remain|use|go|pass|run|happen|support|work|wait)\b|\balways\b|\b(?:is|are) required\b|\bshould(?:n't|n’t| not| never| always)\b|\bmake sure (?:that |to |you |the |it )|\bkeep \w+(?: \w+){0,5} (?:as is|unchanged|untouched|intact|backward)|\bleave \w+(?: \w+){0,5} (?:alone|as is|untouched|unchanged)|\bonly[.!]?$|\b(?:use|with) only\b|\bonly (?:use|touch|change|edit|deploy|modify|work|read|write|allow|merge|push|commit)\b"),
    (("muss", "müssen", "immer", "nur", "doi", "toujours", "il faut", "deb", "siempre", "solo", "sempre", "deve"), r"\b(?:muss|müssen)\b|\bimmer\b|\bnur\b.{3,}\b(?:verwenden|benutzen|ändern|nutzen|arbeiten|deployen)|\bdoit\b|\bdoivent\b|\btoujours\b|\bil faut que\b|\bdebe(?:n|s)?\b|\bsiempre\b|\bsolo\b|\bsempre\b|\bdeve(?:m)?\b"),
    (("without ", "ohne ", "sans ", "sin ", "sem ", "senza "), r"\b(?:without (?!anyth|someth)\w{3,}ing\b|ohne [^.!?\n]{1,60} zu \w|sans \w{3,}(?:er|ir|re)\b|sin \w{3,}[aei]r\b|sem \w{3,}[aei]r\b|senza \w{3,}re\b)"),
    (("before ", "bevor ", "antes de ", "avant d", "prima di ", "прежде чем", "перед тем"), r"^(?:before (?:you |\w+ing )|bevor du |antes de \w+[aei]r\b|avant d['e] ?\w+|prima di \w+re\b|прежде чем |перед тем)"),
    (("no se ",), r"\bno se \w+ (?:nada|a nadie|hasta|sin|antes|nunca|fuera)\b"),
    (("wir ", "ausschließlich"), r"\bwir (?!haben|finden|sehen|wissen|hatten|kennen|brauchen|können|konnten|hören|verlieren|bekommen|sind|waren)\w{3,}en (?:\S+ ){0,3}?(?:nichts|nie|niemals|kein\w*)\b|\bausschließlich \w"),
    (("at no ", "max"), r"\bat no (?:time|point|moment)\b(?! (?:did|was|were|has|had|have))|^\W{0,3}max\.? \d"),
    (("if ", "when ", "whenever "), r"^(?:if|when|whenever) [^.!?\n]{4,120}, (?:then )?(?:always |never |please )?(?:hand|escalate|tell|ask|stop|refuse|use|say|reply|answer|call|transfer|send|do|forward|report|explain|offer|decline|redirect|wait)\b"),
    (TURKISH, r"^(?=.*(?:[ğş]|\b(?:bir|için|bana|olan|önce|sonra)\b)).*\w{2,}(?:sin|sın|sun|sün)(?:ler|lar)?[.!]?$"),
    (("zorunda", "malı", "meli"), r"\bzorunda\b|\w{2,}(?:malı|meli)(?:dır|dir)?[.!]?$"),
    (("必須", "絶対", "のみ", "まで", "долж", "обязательно", "всегда", "يجب", "دائم", "반드시"), r"必須|しかし絶対|のみ|までに|(?:должен|должна|должны|должно)\b|\bобязательно\b|\bвсегда\b|يجب|دائم[اً]|반드시"),
)  # fmt: skip
"""Rules where the user or the system says them."""

NO_RULE: Final = re.compile(
    r"\b(?:presque|quasi|casi|quase|fast|beinahe|almost|practically|hardly|почти) (?:jamais|mai|nunca|nie|never|ever|никогда)\b|^(?:\W{0,3})(?:eu|yo|io|ich|я) (?:\S+ )?(?:nunca|jamás|mai|nie|никогда) |^only (?:on|in|at|after|when|with) [^,.;]{1,50} (?:did|was|were|had)\b|^(?:value|input|field|parameter|argument)s? must\b|"
    r"^(?:\W{0,3})(?:i|we|it|they|he|she|this|that|there|ich|wir|es|je|nous|yo|я|мы)(?:'ve|'m|'re|'d)? (?:have |had |has |was |were |just |also |still |habe |haben |ai |avons )?(?:only|never|didn't|did not|don't|do not|doesn't|does not|couldn't|wasn't|weren't|can't|cannot|haven't|hasn't|always|nur|nicht|nie|must have|have to|had to|noch nie|не)\b(?! (?:want|wants|touch|allow|ever|use |push|merge|deploy|accept))(?![^.!?]{0,80}\b(?:anywhere|ever)\b)"
    r"|\b(?:would|might|could) never\b|\bwhy\b.*\bmust\b|\bnot only\b|\bif only\b|\bread[- ]only (?:mode|property|field|access|replica|flag|file ?system)\b(?!.*\b(?:until|must|never|only)\b.*)|\bonly (?:a few|one|two|three|the first|the last|\d+)\b|\bfailed because\b|\bwhether\b[^.!?]{1,60}\bmust\b|(?<!be )\bnever (?!(?:need|exceed|proceed|succeed|feed|embed|speed|breed|shed|bleed|seed|heed)\b)\w{2,}ed\b(?! (?:by|without|before|unless))|\b(?:nunca|jamás) (?:h[ae]\w{0,4}|había\w*|hubo|fue|era\w*|estuvo|tuv\w+|tinha\w*|houve|foi|vi|vimos|\w{2,}(?:aba|aban|ían|ava|avam|aron|ieron))\b|\b(?:non|n[’']) ?(?:ho|ha|hai|hanno|abbiamo|avev\w+|era|fu) mai\b|\bn[’'](?:a|ai|as|ont|avons|avez|avai\w+|était) jamais\b|\b(?:hab\w*|hat\w*|war\w*) (?:\S+ ){0,4}nie (?:\S+ ){0,4}(?:ge\w+|\w+iert)\b|^(?!.*\b(?:doi|devr|peu|pourr|sans|avant|faut)\w*)(?:le|la|les|l['’]\w+|il|elle|ils|elles|mon|ma|mes|son|sa|ses|notre|nos)\b[^,.;!?]{0,60} n(?:e |['’])\w+ (?:presque )?jamais\b|\bmust not be confused\b|^erst (?:muss|müssen) (?:aber|noch|ja)\b|\bmust (?:not )?(?:be|have|contain|match|return|equal)\b.{0,20}\b(?:None|null|nil|empty|undefined|positive|negative|unique|an? (?:integer|string|number))\b|\bmust not (?:crash|fail|hang|throw|raise)\b|^only \S{1,12}[.!]?$|\byou must be \d+\b", re.I
)  # fmt: skip
REFERS: Final = re.compile(
    r"(?:\b(?:it|those|them|ihn|davon|cela|ça|celui-ci|esto|eso|его|её|ее|их|это)\b|\b(?:this|that|these)(?=$|[.,;:!?]| (?:without|until|before|to|with|in|on|at|anyone|again|yet)\b)|它|那个|これ|それ|هذا|هذه)",
    re.I,
)
OBJECTLESS: Final = re.compile(
    r"^(?:never|do not|don't|don’t|must not|not|nie|niemals|ne jamais|nunca|никогда не|不要|禁止)\s+\w+(?:\s+(?:without|before|until|unless|ohne|vor|sans|avant|sin|без|до)\b.*)?$",
    re.I,
)
PROSE = re.compile(r"^[^{}<>=|\\]{12,400}$")
NOTICE_HEAD = shape(
    r"\b(?:rules?|polic(?:y|ies)|guidelines?|notice|conventions?|important|freeze|security|boundaries|constraints?|must|never|don'?ts?|warning|announcement|maintenance)\b|regeln|hinweis|richtlinie|règles|consignes|reglas|normas|规则|公告|通知|须知|お知らせ|ルール|правила|важно|объявление|قواعد|تنبيه"
)
HELP = re.compile(
    r"^\s*-{1,2}\w|\busage:|--\w+[= ]|^\s*(?:#|//|/\*|\*|--) |\b(?:parameter|argument|option|returns?|function|method|deprecated|by default|the following|example)\b|\(s\)",
    re.I,
)
TOOL_STRONG = gated(
    _NOBODY,
    _HELD,
    (("schreibgeschützt", "lecture seule", "solo lectura", "somente leitura", "sola lettura", "для чтения"), r"\b(?:bis|während|solange)\b.{0,60}\bschreibgeschützt\b|\bschreibgeschützt\b.{0,20}\b(?:bis|während|solange)\b|\blecture seule\b.{0,30}(?:jusqu|pendant|tant que)|\b(?:solo lectura|somente leitura|sola lettura)\b.{0,30}\b(?:hasta|durante|mientras|até|enquanto|fino)\b|для чтения\b.{0,30}\b(?:до|пока|на время|во время)\b"),
    (("has to go through", "have to go through", "are only ", "is only ", "ning", "no se puede", "proh", "nouvel ordre", " plus"), r"\b(?:has|have) to go through \w+.{0,60}\bbefore\b|\b(?:is|are) only \w+(?:ed|en) (?:with|after|by|if|when|on|during)\b|\bning[uú]n\w* \w+ (?:puede|debe)\b|\bno se puede\b.{0,40}\b(?:cambiar|modificar|borrar|usar|tocar)\b|\bproh[ií]be\w*\b|\bjusqu['’]à nouvel ordre\b|\bne (?:doit|doivent|peut|peuvent) plus\b"),
    (("darf ", "dürfen"), r"\b(?:darf|dürfen) (?:\S+ ){1,9}nicht\b"),
    (("aucun",), r"\ben aucun cas\b|\baucun\w* \w+ n['’]est (?:autorisé|permis)"),
    (("never", "not", "only", "forbidden", "prohibited", "frozen", "limits", "without", "no ", "cap", "at most", "no more", "must"), r"\bnever\b|\b(?:must|may|shall) not\b|\bwe should (?:not|never)\b|\bdo not\b|\bread-only (?:until|for|during|while)\b|\b(?:is|are) (?:not allowed|forbidden|prohibited|read-only|frozen|off[- ]limits)\b|\bwithout (?:\w+ ){0,3}(?:approval|permission|sign-?off|consent)\b|\b(?:only|not) (?:after|before|with|when|by|between)\b.{3,}|\b(?:may|must|can) only\b|\bno (?:deploy\w*|merge\w*|releases?|changes|pushes|writes)\b.{0,60}\b(?:until|before|after|without|on|during)\b|\bcap(?:ped)?\b.{0,40}\d|\bat most\b|\bno more than\b|\bmust\b"),
    (("niemals", "darf", "dürfen", "mehr", "verboten", "ohne", "nur ", "jamais", "ne ", "interdit", "sans ", "nunca", "no ", "prohibido", "sin "), r"\bniemals\b|\b(?:darf|dürfen) (?:\S+ ){0,6}(?:nichts?|nur|erst|kein\w*)\b|\b(?:wird|werden) (?:\S+ ){0,8}(?:nichts?|kein\w*) mehr \w+t\b|\bverboten\b|\bohne (?:\w+ ){0,2}(?:freigabe|zustimmung|genehmigung)|\bnur (?:nach|mit)\b|\bjamais\b|\bne (?:doit|doivent) (?:pas|jamais)|\binterdit|\bsans (?:\w+ ){0,2}(?:accord|autorisation|validation)\b|\bnunca\b|\bno (?:debe|se debe|se permite|se puede)|\bprohibido\b|\bsin (?:aprobación|autorización)"),
    (("不得", "禁止", "必须", "严禁", "未经", "请勿", "只读", "ください", "ては", "では", "読み取り専用", "必ず", "지 마세요", "면 안 ", "서는 안", "금지", "मत ", "नहीं", "न करें", "não ", "non ", "vietat", "proibid", "mamalı", "memeli", "mayın", "meyin", "يجب", "никогда", "запрещ", "нельзя", "без ", "только", "ممنوع", "يمنع", "لا يجوز", "للقراءة"), r"不得|禁止|必须|严禁|未经|请勿|只读|ないでください|(?:ては|では)(?:いけ|なら)|読み取り専用|必ず|지 마세요|면 안 (?:됩|돼)|서는 안|금지|मत |नहीं होन|न करें|\bnão (?:deve|pode)|\bnon (?:deve|devono|può|possono|si può)\b|\bvietat|\bproibid|(?:mamalı|memeli|mayın|meyin)|يجب (?:عدم|ألا)|никогда|запрещ|нельзя|без (?:согласовани|разрешени|одобрени)|только после|ممنوع|يمنع|لا يجوز|للقراءة فقط"),
)  # fmt: skip
"""Rules that a notice, a policy or a mail in a tool's result holds."""
