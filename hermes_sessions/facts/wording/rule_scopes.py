"""How far an instruction reaches: to each time something happens, until it is lifted, to one person; or to this once."""

import re
from typing import Final

from hermes_sessions.facts.gates import gated
from hermes_sessions.facts.wording.sieves import sieve

_NOBODY: Final = r"(?!\W{0,3}(?:there|it|i|we|he|she|they|that|this|es|ich|wir|er|sie|das|il|elle|je|on|ça|yo|él|ella|io|lui|lei|eu|ele|ela)\b)"

_ONLY_THAT: Final = (
    (("darfst", "dürft"), r"\b(?:darfst|dürft) (?:du |ihr )?(?:\S+ ){0,4}?(?:nur|lediglich|ausschließlich) (?:noch )?\w"),
    (("all you may", "all that you may", "all you are allowed", "all you’re allowed", "all you're allowed"), r"\b(?:is|are) all (?:that )?you(?:['’]re| are allowed| may) (?:\w+ )?\w"),
    (("ne peux", "ne pouvez", "droit"), r"\b(?:tu ne peux|vous ne pouvez|tu n['’]as le droit|vous n['’]avez le droit) (?:\S+ ){0,2}?(?:que |qu['’])(?!(?:l[ea]s? |l['’])?(?:constater|espérer|deviner|regretter|supposer|imaginer)\b)\w"),
    (("únicamente", "solamente", "solo", "sólo", "só ", "apenas", "somente"), r"\b(?:únicamente|solamente|tan s[oó]lo|s[oó]lo) (?:puedes|podéis)\b|\b(?:puedes|podéis) (?:\S+ ){1,4}?(?:únicamente|solamente)\b|\b(?:só|apenas|somente) podes\b|\b(?:podes|pode) (?:\S+ ){1,4}?(?:apenas|somente)\b"),
    (("только",), r"\bразреш(?:ено|ается) только\b|\bтолько чтение\b"),
    (("sadece", "yalnızca"), r"\b(?:sadece|yalnızca) (?:\S+ ){0,3}?\w*[ae]bilirsin(?:iz)?\b"),
    (("기만",), r"[가-힣]기만 (?:가능|허용|하세요|하십시오|해(?:요|줘|야)?(?:[. ]|$)|돼|됩니다)"),
    (("فقط",), r"(?:يمكنك|يمكنكم|يسمح لك|مسموح لك|يُسمح لك) [^.،]{2,40}فقط"),
)  # fmt: skip
"""One thing is allowed to the reader, and no more: `there you may only read`."""

SCOPES: Final = gated(
    (("whenever", "every time", "each time", "any time"), r"(?:^|[,;.] )\W{0,3}(?:(?:and|also|please|so) )?(?:whenever|every time|each time|any time) (?:you|we|someone|somebody|anyone|anybody|an?)\b[^!?]{2,80}, \w|^(?!\W{0,3}(?:i|we|they|he|she|it|the|my|this|that)\b)\w+ [^,.!?]{2,70} (?:whenever|every time|each time) (?:you|we|someone|somebody|anyone|an?)\b"),
    (("immer wenn", "jedes mal", "jedesmal", "wann immer", "sooft"), r"(?:^|[,;.] )\W{0,3}(?:immer wenn|jedes ?mal,? wenn|wann immer|sooft) (?:du|ihr|wir|jemand|eine?r?)\b[^!?]{2,80}, \w"),
    (("chaque fois", "toutes les fois", "cada vez que", "siempre que", "sempre que", "ogni volta che", "tutte le volte"), r"(?:^|[,;.] )\W{0,3}(?:à )?(?:chaque fois que|toutes les fois que) (?:tu|vous|on|nous|quelqu['’]un|une?)\b[^!?]{2,80}, \w|(?:^|[,;.] )\W{0,3}(?:cada vez que|siempre que|sempre que|ogni volta che|tutte le volte che) (?!yo\b|io\b|eu\b)\w+[^!?]{2,80}, \w"),
    (("каждый раз", "всякий раз", "每当", "每次", "たびに", "때마다"), r"(?:каждый|всякий) раз,? (?:когда|как) (?:ты|вы|мы|кто)\b[^!?]{2,80}, \w|每[当次](?:你|您|我们)?[^，。？]{1,20}[，,]?(?:都|要|请|就|先|必)|たびに.{1,30}(?:ください|こと)|때마다 .{1,30}(?:세요|십시오|해줘)"),
    (("otherwise", "say so", "tell you", "unless i ", "unless we ", "until i ", "until we "), r"\b(?:until|till|unless) (?:i|we|told|you hear)\b[^.!?]{0,20}\b(?:say|tell|otherwise|ask|hear|so)\b"),
    (("anderes", "widerruf", "es sei denn", "außer ich"), r"\b(?:bis|solange|es sei denn,?|außer,?) (?:ich|wir)\b[^.!?]{0,30}\b(?:anderes|sage|sagen|bitte|widerruf\w*)\b|\bbis auf widerruf\b"),
    (("contraire", "autrement", "contrario", "contrário", "diversamente", "otra cosa", "altrimenti", "diversa"), r"\b(?:jusqu['’]à ce que|sauf si|tant que) (?:je|nous|on)\b[^.!?]{0,40}\b(?:contraire|autrement|autre chose)\b|\b(?:hasta que|salvo que|a menos que|mientras no)\b[^.!?]{0,20}\b(?:lo contrario|otra cosa)\b|\b(?:finché non|a meno che|salvo che)\b[^.!?]{0,30}\b(?:contrario|diversamente|altrimenti|altro)\b|\b(?:até que|até eu|a menos que|salvo se)\b[^.!?]{0,25}\b(?:contrário|outra coisa)\b"),
    (("пока я не", "пока мы не", "если я не", "除非我", "直到我", "言うまで", "指示するまで"), r"\b(?:пока|если) (?:я|мы) не (?:скаж\w+|попрош\w+|отмен\w+)|除非我|直到我(?:说|另)|(?:言う|指示する|伝える)まで"),
    (("mine", "ours", "my call", "my job", "my decision", "our call", "my business"), rf"^{_NOBODY}[^,.!?]{{2,50}}\b(?:is|are|stays?|remains?) (?:(?:mine|ours)(?: alone| only| to \w+)?|(?:only )?(?:my|our) (?:call|decision|job|business|responsibility))(?: alone| only)?\W*$"),
    (("meine sache", "allein meine", "mache ich selbst", "mache nur ich", "mach ich selbst", "à moi seul", "mon affaire", "cosa mía", "solo yo", "sólo yo", "solo io", "cosa mia", "só eu", "comigo", "только я", "моё дело", "我自己来", "由我来", "私だけ", "私がやり", "내가 직접"), r"\b(?:ist|sind|bleib(?:t|en)) (?:allein |nur )?meine (?:sache|aufgabe|entscheidung)\b|\bmach(?:e|t)? (?:ich selbst|nur ich)\b|\bc['’]est (?:à moi seule?|mon affaire)\b|\b(?:es|son) cosa mía\b|\bs[oó]lo yo\b(?! (?:sé|creo|tengo|he)\b)|\bsolo io\b(?! (?:so|credo|ho)\b)|\b(?:è|sono) cosa mia\b|\bsó eu\b(?! (?:sei|acho|tenho)\b)|\bé (?:só )?comigo\b|\bтолько я (?!знаю|думаю|вижу)\w+|由我来|我自己来|私だけが|私がやります"),
    (("in no ", "to no ", "on no ", "kein", "aucun", "ningún", "ninguna", "nessun", "nenhum", "ни в одн", "ни одн"), rf"^{_NOBODY}(?:\w+:\s)?[^,.!?]{{3,60}}(?<!was)(?<!were)(?<!had)(?<!war)(?<!waren)\s(?:in|to|on|into|auf|an|aus|dans|sur|en|em|nel\w*|su|ни в|ни на)\s(?:no|kein(?:em|er|en)|aucune?|ning[uú]na?|nessun[oa]?|nenhuma?|одн\w+)\s\w[^!?]{{2,60}}\b(?:that|which|who|auf|das|die|der|qui|que|che|котор\w+)\b"),
    (("anywhere", "nirgend", "nulle part", "ninguna parte", "nessuna parte", "lado nenhum", "нигде", "никуда", "哪里都", "任何地方", "どこにも", "어디에도"), r"^\W{0,3}(?:please )?(?:and |but )?(?:do not|don['’]t) [^!?]{3,60}\banywhere\b|\b(?:darf|dürfen|soll\w*|kommt|kommen|gehört|gehören) [^.!?]{0,40}\bnirgend(?:s|wo\w*)\b|\bne \w+ [^.!?]{0,40}\bnulle part\b|\b(?:no|non|não) \w+ [^.!?]{0,40}\b(?:en ninguna parte|da nessuna parte|em lado nenhum)\b|\bне \w{3,}(?:и|й|йте|ите|ь|ьте)\b[^.!?]{0,30}\b(?:нигде|никуда)\b|\b(?:нигде|никуда) не \w{3,}(?:и|й|йте|ите|ь|ьте)\b|(?:哪里都|任何地方都?)(?:不|别)|どこにも.{1,20}ないで"),
    *_ONLY_THAT,
    (("every ", "each "), r"^\W{0,3}(?:please )?(?!i\b|we\b|you\b|they\b|he\b|she\b|it\b|the\b|my\b|our\b|in\b|on\b|at\b|for\b)[a-z]+ (?:every|each)(?: single)? \w+(?: \w+)? (?:i|we|you) (?:make|write|send|give|mention|use|post|say|ask|add|open|create|change|touch)\b"),
)  # fmt: skip
"""Where the user says it: what holds each time, until it is lifted, everywhere and nowhere, and what is one person's alone."""

ONCE: Final = sieve(
    r"\b(?:(?:just |only )?this (?:once|time|one time)|just (?:for )?once|for (?:this|that) (?:one|(?:\w+ )?(?:experiment|run|time|step|try|test|demo|draft|round))|diesmal|dieses mal|dies eine mal|ausnahmsweise|cette fois(?:-ci)?|exceptionnellement|(?:por )?esta vez|por una vez|excepcionalmente|(?:per )?questa volta|per una volta|eccezionalmente|desta vez|só desta|deze keer|voor één keer"
    r"|(?:на|в) этот раз|на сей раз|один раз|bu sefer(?:lik)?)\b|这[一]?次|上次|上回|今回[はだの]|この回|今日だけ|이번(?:에는|엔|만|은)|هذه المرة",
    re.I,
)
"""What is asked for once."""

DUE: Final = sieve(
    r"\b(?:bis dahin (?:muss|müssen|soll\w*)|by then\b.{0,60} (?:must|has to|have to|needs? to|should)|(?:must|has to|have to|needs? to|should)\b.{0,60} by then|d['’]ici là\b.{0,60} (?:doi(?:t|vent)|il faut)|(?:para entonces|até lá)\b.{0,60} (?:debe\w*|tien\w+ que|deve\w*|tem que)"
    r"|(?:entro|per) allora\b.{0,60} dev\w+|к тому времени\b.{0,60} (?:долж\w+|нужно)|do tego czasu\b.{0,60} (?:mus\w+|powin\w+)|tegen die tijd\b.{0,60} moet\w*|o zamana kadar)\b|それまでに|到时候?.{0,20}(?:必须|要)|그때까지",
    re.I,
)
"""What has to be so at one time."""

BARRED_THEN: Final = sieve(
    r"\b(?:not|no|nothing|nobody|never|only|nicht|nichts|kein\w*|niemand|nur|pas|rien|aucun\w*|seulement|nada|nadie|solo|sólo|ninguém|nenhum\w*|niente|nessun\w*|не|ничего|никто|только|nie|nic|tylko|niet|niets|geen|alleen)\b|不|ない|別|지 마",
    re.I,
)
"""A ban that holds until then."""

GENERAL: Final = sieve(
    r"\b(?:always|never|every|each|from now on|immer|nie(?:mals)?|jede[rsnm]?|ab jetzt|toujours|jamais|chaque|siempre|nunca|cada|sempre|mai|ogni|всегда|никогда|кажд\w+)\b|总是|永远|以后|从不|必须|每|必ず|常に|今後|항상|절대",
    re.I,
)
"""What reaches further than once."""

REPORTED: Final = sieve(
    r"^\W{0,3}(?!(?:i|we|you|ich|wir|je|nous|yo|io|noi|eu|nós|я|мы)\b)[^,.;:!?]{2,50}\b(?:wrote|said|told (?:me|them|us)|mentioned|claimed|complained|schrieb|sagte|erzählte|meinte|a (?:dit|écrit|raconté)|dijo|escribió|contó|ha (?:detto|scritto|raccontato)|disse|escreveu|contou|сказал[аи]?|написал[аи]?|рассказал[аи]?)\b,? (?:that|how|dass|que|qu['’]|che|что)\s?"
    r"(?!.*\b(?:you|your|we|us|our|du|dir|dich|wir|uns|tu|te|toi|vous|nous|nosotros|noi|ci|você|nós|ты|тебе|вы|вам|нам|нас|мы)\b)(?!(?:nobody|nothing|no|none|everything|all|any\w*|only|niemand|nichts|alles|alle|nur|personne|rien|tout|nadie|nada|todo|nessuno|niente|tutto|ninguém|tudo|никто|ничего|все|всё|только)\b)",
    re.I | re.S,
)
"""What somebody told of others, the reader not among them."""


def is_this_once(text: str) -> bool:
    """Return whether *text* asks for something once, and says nothing that reaches further."""
    if GENERAL.search(text) is not None:
        return False
    return ONCE.search(text) is not None or (
        DUE.search(text) is not None and BARRED_THEN.search(text) is None
    )
