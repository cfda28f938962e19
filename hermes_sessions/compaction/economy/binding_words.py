"""How much a sentence sounds like something that was laid down, by closed classes of words. Pure.

A rule or a decision can be worded in any way, but hardly without a word of a few small classes: one that
speaks of all or none, one that bounds it in time, one that binds or allows, one that keeps or gives up,
one that asks for consent. In the languages that are read.
"""

import re
from functools import lru_cache
from typing import Final

_ALL_OR_NONE: Final = re.compile(
    r"\b(?:all|any|anybody|anyone|anything|anywhere|each|every|everybody|everyone|everything|ever|never|no|nobody|none|no-one|nothing|nowhere|not|only|just|solely|whoever"
    r"|whatever|whichever|wherever|without|always|nor|neither|out of|off)\b|\b[a-z]{2,7}n['’]t\b|\bcannot\b"
    r"|\b(?:alle[nmrs]?|jede[nmrs]?|kein\w{0,2}|niemand\w{0,2}|nichts|nie|niemals|nicht|nur|ausschließlich|immer|stets|ohne|außen|außer|wer|weder|egal)\b"
    r"|\b(?:tou(?:t|te|s|tes)|chaque|aucun\w{0,2}|personne|rien|jamais|pas|plus|seul\w{0,3}|uniquement|toujours|sans|ni|quiconque|^qui|n['’]|hors)(?:\b|(?<=['’]))"
    r"|\b(?:tod[oa]s?|cada|ning[uú]n\w{0,2}|nadie|nada|nunca|jamás|siempre|s[oó]lo|únicamente|solamente|sin|ni|no|cualquier\w?|quien|quienquiera)\b"
    r"|\b(?:ogni|nessun\w?|niente|nulla|mai|sempre|soltanto|senza|non|tutt[oaie]|qualsiasi|ningu[eé]m|nenhum\w?|sempre|apenas|sem|não|qualquer|tudo)\b"
    r"|\b(?:все|всех|кажд\w{2,3}|люб\w{2,3}|никто|ничего|никогда|нигде|всегда|только|не|ни|без|нельзя|kimse|hiçbir|her|asla|yalnızca|sadece|olmadan)\b"
    r"|所有|每|任何|谁|都|不|别|勿|只|没有|無|无|未|禁|全部|一律|一概|すべて|全て|誰も|必ず|ない|ません|のみ|だけ|禁止|絶対|모든|아무|절대|항상|만 |없이|않|마세요|जब भी|कोई|नहीं|हमेशा|सिर्फ|केवल|बिना|كل|لا |أي |أحد|دائم|فقط|دون|بدون|ليس",
    re.I,
)
_BOUND: Final = re.compile(
    r"\b(?:until|till|before|after|while|unless|as long as|so long as|from now|from here|henceforth|first|once|during|whenever|if|when|by (?:then|monday|friday|end)|for (?:now|good|another)|anymore|any more|any longer|going forward|end of|between)\b"
    r"|\b(?:bis|vor|bevor|nach|nachdem|solange|während|ab sofort|ab jetzt|ab dem|künftig|fortan|zuerst|vorher|erst|weiterhin|falls|wenn|sobald|vorerst|mehr|ende)\b"
    r"|\b(?:avant|après|tant que|désormais|dorénavant|pendant|d['’]abord|dès|lorsque|quand|si|fin)\b|\bjusqu['’]"
    r"|\b(?:antes|después|hasta|mientras|a partir|en adelante|primero|durante|cuando|si|fin|prima|dopo|fino|finché|durante|d['’]ora|se|depois|até|enquanto|primeiro|quando)\b"
    r"|\b(?:до|после|пока|перед|прежде|отныне|впредь|сначала|если|когда|önce|sonra|kadar|artık|eğer)\b"
    r"|之前|之后|以前|以后|直到|期间|先|今后|从现在|起|前|后|再|如果|まで|前に|後|間|今後|以降|場合|전에|후에|까지|동안|앞으로|तक|पहले|बाद|قبل|بعد|حتى|أثناء|إذا|من الآن",
    re.I,
)
_BINDS: Final = re.compile(
    r"\b(?:must|mustn|should|shall|may|can|cannot|could|needs?|ha(?:s|ve) to|ought|supposed|allowed|permitted|required?|requires|binding|mandatory|want|wants|rather|expect|insist|in charge|question|belongs?|place|limit|cap|maximum|minimum|at (?:most|least)|goes (?:through|past|via)|go (?:through|past|via)|wait for|waits for)\b"
    r"|\b(?:muss|müssen|soll|sollen|sollte|darf|dürfen|kann|können|brauch\w{1,2}|will|wollen|möchte|gehör\w{1,2}|pflicht|gilt|zwingend|höchstens|mindestens|maximal|geht|gehen|lass\w{0,2}|über)\b"
    r"|\b(?:doi(?:t|vent|s)|devr\w{2,5}|faut|peu(?:t|vent)|besoin|veux|exig\w{1,3}|obligatoire|question|passe(?:nt)?|interdit\w{0,2}|maximum|minimum|réserv\w{1,3})\b"
    r"|\b(?:debe[ns]?|deber\w{1,3}|hay que|tiene[ns]? que|pued\w{1,3}|necesit\w{1,3}|quiero|pasa[n]? por|obligatori[oa]|prohibid\w{1,2}|máximo|mínimo|salen?|dev[eo]\w{0,3}|può|possono|serve|passa(?:no)? (?:da|per)|precisa\w?|pode\w?)\b"
    r"|\b(?:долж\w{2,3}|надо|нужно|можно|следует|обяза\w{2,8}|требу\w{2,4}|gerek\w{0,4}|zorunda|lazım|olmalı)\b"
    r"|要|须|須|应|可以|能|得|需|许|准|请|归|必要|なければ|べき|してよい|必須|ください|해야|하세요|돼요|됩니다|चाहिए|होगा|يجب|ينبغي|يمكن|على ",
    re.I,
)
_CHOICE: Final = re.compile(
    r"\b(?:stays?|staying|remains?|keep|keeps|keeping|leave|drop|dropping|stick|instead|rather|forget|scrap|ditch|final|finally|after all|stop|away|hands|fingers|choose|pick|winner|wins|settle\w?|over|it is|it['’]s going|we['’]re|we are (?:going|doing|using|moving)|let['’]s|plan|option|variant|on second|changed|verdict|call|conclusion|from now|as (?:is|agreed))\b"
    r"|\b(?:bleib\w{1,2}|lass\w{0,2}|statt|stattdessen|doch|eben|lieber|weg|finger|kommando|variante|gewinnt|nehmen|verzicht\w{2,3}|fest|entscheid\w{1,4}|dabei|finale?)\b"
    r"|\b(?:reste\w{0,3}|gard\w{1,4}|laiss\w{1,4}|plutôt|finalement|abandonn\w{1,4}|prend\w{0,4}|choix|tranché|retien\w{1,3}|variante|sera|bon)\b"
    r"|\b(?:qued\w{1,5}|dej\w{1,5}|mejor|al final|en (?:lugar|vez)|será|nos vamos|descart\w{1,4}|opción|preferi\w{2,4}|manten\w{2,5}|rimane|restiamo|teniamo|lasci\w{1,4}|invece|meglio|alla fine|fica\w{0,4}|ficou|deix\w{1,4}|melhor|opção|em vez)\b"
    r"|\b(?:оста[её]\w{1,4}|оставля\w{1,4}|берём|берем|вместо|лучше|отказ\w{2,6}|в итоге|вариант|kalsın|kalıyor|yerine|seçenek|vazgeç\w{0,6})\b"
    r"|还是|改|保持|保留|留|就|定|换|不要了|放弃|方案|最后|最终|やめ|にする|にします|案|そのまま|代わりに|最終|유지|대신|그대로|결국|안으로|ही रहेगा|बजाय|يبقى|بدلا|بدلاً|نبقي|الخيار",
    re.I,
)
_CONSENT: Final = re.compile(
    r"\b(?:approv\w{0,4}|permi(?:ssion|t)|okays?|ok|go-ahead|green light|sign(?:s|ed|ature|-off)?|sign off|consents?|asks?|asking|confirm\w{0,6}|review\w{0,3}|check(?:s)? with|eyes|ticket|blessing)\b"
    r"|\b(?:freigabe\w{0,2}|zustimm\w{2,4}|einverständnis|einverstanden|rück(?:frage|sprache)|genehm\w{2,6}|fragen?|fragt|bestätig\w{2,4}|vier augen|absprache|okay|segen)\b"
    r"|\b(?:accord|autoris\w{2,6}|valid\w{1,6}|feu vert|permission|signature|deman\w{3,4}|prévenir|aval)\b"
    r"|\b(?:permiso|aprob\w{2,6}|autoriz\w{1,6}|visto bueno|avis\w{2,3}|pregunt\w{1,3}|consent\w{2,8}|firma|permesso|approv\w{2,6}|chied\w{1,4}|consenso|permissão|aprov\w{2,6}|avisar|pergunt\w{1,3})\b"
    r"|\b(?:согласи\w{1,4}|согласова\w{2,5}|разреш\w{2,6}|одобр\w{2,6}|спрос\w{1,5}|подтвержд\w{2,5}|onay\w{0,4}|izin|izni\w{0,3}|sor\w{0,4})\b"
    r"|同意|批准|许可|确认|點頭|点头|签字|审批|经过|经|问|承認|許可|確認|同意|相談|승인|허락|확인|동의|अनुमति|मंज़ूरी|पूछ|موافقة|إذن|تأكيد|بعلم",
    re.I,
)
_RETOLD: Final = re.compile(
    r"\b(?:looks?|seems?|appears?|probably|apparently|saw|found|noticed|compared|checked|was|were|had|did|turned out|explains?|already)\b|\b(?:i|we)(?:['’]ve| have| just)? \w{2,}ed\b"
    r"|\b(?:sieht|scheint|wohl|vermutlich|war|waren|wurden?|hatten?|offenbar|habe[n]?)\b|\b(?:semble|dirait|paraît|était|étaient|j['’]ai|a été|apparemment)\b"
    r"|\b(?:parece\w?|estaba[n]?|había|he \w+do|hemos|fue|aparentemente|sembra|era|erano|ho|abbiamo)\b|\b(?:кажется|похоже|был[аио]?|видимо)\b|看起来|似乎|好像|已经|了。|ようです|らしい|でした|ました",
    re.I,
)
_CLASS_GAIN: Final = 0.75
_PAIR_GAIN: Final = 0.75
_RULE_GAIN: Final = 1.5
_RETOLD_LOSS: Final = 0.75


@lru_cache(maxsize=32_768)  # a sentence is weighed in every round
def binding(text: str) -> float:
    """Return what the words of a sentence add to its worth: 0 for plain telling, about 4 for a plain rule."""
    whole = _ALL_OR_NONE.search(text) is not None
    others = sum(shape.search(text) is not None for shape in (_BOUND, _BINDS, _CHOICE, _CONSENT))
    gain = _CLASS_GAIN * (whole + others)
    if others and whole + others > 1:
        gain += _RULE_GAIN if whole else _PAIR_GAIN
    return gain - (_RETOLD_LOSS if gain and _RETOLD.search(text) is not None else 0.0)


def may_bind(text: str) -> bool:
    """Return whether a sentence that asks for something may ask for it for good."""
    return binding(text) >= _CLASS_GAIN * 2 + _RULE_GAIN
