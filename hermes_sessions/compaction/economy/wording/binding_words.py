"""How much a sentence sounds like something that was laid down, by closed classes of words. Pure.

A rule or a decision can be worded in any way, but hardly without a word of a few small classes: one that
speaks of all or none, one that bounds it in time, one that binds or allows, one that keeps or gives up,
one that asks for consent. What somebody found out has a word of cause or of fault, and who answers for a
thing is said with a few words. In the languages that are read. A word is looked at once: which classes it belongs to is remembered.
"""

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from hermes_sessions.late_patterns import late_pattern

ALL_OR_NONE: Final = 1
BOUND: Final = 2
BINDS: Final = 4
CHOICE: Final = 8
CONSENT: Final = 16
RETOLD: Final = 32
FOUND: Final = 64
OWNED: Final = 128


class _WordClass(NamedTuple):
    """A class of words.

    Attributes:
        bit: its number in a mask.
        words: a pattern that a word of it matches as a whole.
        pairs: words that belong to it one behind the other.
        unspaced: what belongs to it in scripts that write no blanks between words.
    """

    bit: int
    words: re.Pattern[str]
    pairs: frozenset[tuple[str, str]]
    unspaced: re.Pattern[str]


def _word_class(bit: int, words: tuple[str, ...], pairs: str, unspaced: str) -> _WordClass:
    listed = (tuple(pair.split()) for pair in pairs.split(","))
    return _WordClass(
        bit,
        late_pattern("|".join(words), re.I),
        frozenset((pair[0], pair[1]) for pair in listed if len(pair) == 2),
        late_pattern(unspaced),
    )


_CLASSES: Final = (
    _word_class(
        ALL_OR_NONE,
        (
            r"all|any|anybody|anyone|anything|anywhere|each|every|everybody|everyone|everything|ever|never|no|nobody|none|nothing|nowhere|not|only|just|solely|whoever|whatever|whichever|wherever|without|always|nor|neither|off|[a-z]{2,7}n['’]t|cannot",
            r"alle[nmrs]?|jede[nmrs]?|kein\w{0,2}|niemand\w{0,2}|nichts|nie|niemals|nicht|nur|ausschließlich|immer|stets|ohne|außen|außer|wer|weder|egal",
            r"tou(?:t|te|s|tes)|chaque|aucun\w{0,2}|personne|rien|jamais|pas|plus|seul\w{0,3}|uniquement|toujours|sans|ni|quiconque|n['’]\w*|hors",
            r"tod[oa]s?|cada|ning[uú]n\w{0,2}|nadie|nada|nunca|jamás|siempre|s[oó]lo|únicamente|solamente|sin|cualquier\w?|quien|quienquiera",
            r"ogni|nessun\w?|niente|nulla|mai|sempre|soltanto|senza|non|tutt[oaie]|qualsiasi|ningu[eé]m|nenhum\w?|apenas|sem|não|qualquer|tudo",
            r"все|всех|кажд\w{2,3}|люб\w{2,3}|никто|ничего|никогда|нигде|всегда|только|не|ни|без|нельзя|kimse|hiçbir|her|asla|yalnızca|sadece|olmadan",
        ),
        "out of",
        r"所有|每|任何|谁|都|不|别|勿|只|没有|無|无|未|禁|全部|一律|一概|すべて|全て|誰も|必ず|ない|ません|のみ|だけ|禁止|絶対|모든|아무|절대|항상|만 |없이|않|마세요|जब भी|कोई|नहीं|हमेशा|सिर्फ|केवल|बिना|كل|لا |أي |أحد|دائم|فقط|دون|بدون|ليس",
    ),
    _word_class(
        BOUND,
        (
            r"until|till|before|after|while|unless|henceforth|first|once|during|whenever|if|when|anymore|between",
            r"bis|vor|bevor|nach|nachdem|solange|während|künftig|fortan|zuerst|vorher|erst|weiterhin|falls|wenn|sobald|vorerst|mehr|ende",
            r"avant|après|désormais|dorénavant|pendant|d['’]abord|dès|lorsque|quand|si|fin|jusqu['’]\w*",
            r"antes|después|hasta|mientras|primero|durante|cuando|prima|dopo|fino|finché|d['’]ora|se|depois|até|enquanto|primeiro|quando",
            r"до|после|пока|перед|прежде|отныне|впредь|сначала|если|когда|önce|sonra|kadar|artık|eğer",
        ),
        "as long,so long,from now,from here,by then,by monday,by friday,by end,for now,for good,for another,any more,any longer,going forward,end of,ab sofort,ab jetzt,ab dem,tant que,a partir,en adelante",
        r"之前|之后|以前|以后|直到|期间|先|今后|从现在|起|前|后|再|如果|まで|前に|後|間|今後|以降|場合|전에|후에|까지|동안|앞으로|तक|पहले|बाद|قبل|بعد|حتى|أثناء|إذا|من الآن",
    ),
    _word_class(
        BINDS,
        (
            r"must|mustn|should|shall|may|can|cannot|could|needs?|ought|supposed|allowed|permitted|required?|requires|binding|mandatory|want|wants|rather|expect|insist|question|belongs?|place|limit|cap|maximum|minimum",
            r"muss|müssen|soll|sollen|sollte|darf|dürfen|kann|können|brauch\w{1,2}|will|wollen|möchte|gehör\w{1,2}|pflicht|gilt|zwingend|höchstens|mindestens|maximal|geht|gehen|lass\w{0,2}|über",
            r"doi(?:t|vent|s)|devr\w{2,5}|faut|peu(?:t|vent)|besoin|veux|exig\w{1,3}|obligatoire|passe(?:nt)?|interdit\w{0,2}|réserv\w{1,3}",
            r"debe[ns]?|deber\w{1,3}|pued\w{1,3}|necesit\w{1,3}|quiero|obligatori[oa]|prohibid\w{1,2}|máximo|mínimo|salen?|dev[eo]\w{0,3}|può|possono|serve|precisa\w?|pode\w?",
            r"долж\w{2,3}|надо|нужно|можно|следует|обяза\w{2,8}|требу\w{2,4}|gerek\w{0,4}|zorunda|lazım|olmalı",
        ),
        "has to,have to,in charge,at least,at most,goes through,goes past,goes via,go through,go past,go via,wait for,waits for,hay que,tiene que,tienes que,tienen que,pasa por,pasan por,passa da,passa per,passano da,passano per",
        r"要|须|須|应|可以|能|得|需|许|准|请|归|必要|なければ|べき|してよい|必須|ください|해야|하세요|돼요|됩니다|चाहिए|होगा|يجب|ينبغي|يمكن|على ",
    ),
    _word_class(
        CHOICE,
        (
            r"stays?|staying|remains?|keep|keeps|keeping|leave|drop|dropping|stick|instead|rather|forget|scrap|ditch|final|finally|stop|away|hands|fingers|choose|pick|winner|wins|settle\w?|over|we['’]re|let['’]s|plan|option|variant|changed|verdict|call|conclusion",
            r"bleib\w{1,2}|lass\w{0,2}|statt|stattdessen|doch|eben|lieber|weg|finger|kommando|variante|gewinnt|nehmen|verzicht\w{2,3}|fest|entscheid\w{1,4}|dabei|finale?",
            r"reste\w{0,3}|gard\w{1,4}|laiss\w{1,4}|plutôt|finalement|abandonn\w{1,4}|prend\w{0,4}|choix|tranché|retien\w{1,3}|sera|bon",
            r"qued\w{1,5}|dej\w{1,5}|mejor|será|descart\w{1,4}|opción|preferi\w{2,4}|manten\w{2,5}|rimane|restiamo|teniamo|lasci\w{1,4}|invece|meglio|fica\w{0,4}|ficou|deix\w{1,4}|melhor|opção",
            r"оста[её]\w{1,4}|оставля\w{1,4}|берём|берем|вместо|лучше|отказ\w{2,6}|вариант|kalsın|kalıyor|yerine|seçenek|vazgeç\w{0,6}",
        ),
        "after all,it is,it's going,it’s going,on second,from now,as is,as agreed,al final,en lugar,en vez,nos vamos,alla fine,em vez,в итоге",
        r"还是|改|保持|保留|留|就|定|换|不要了|放弃|方案|最后|最终|やめ|にする|にします|案|そのまま|代わりに|最終|유지|대신|그대로|결국|안으로|ही रहेगा|बजाय|يبقى|بدلا|بدلاً|نبقي|الخيار",
    ),
    _word_class(
        CONSENT,
        (
            r"approv\w{0,4}|permi(?:ssion|t)|okays?|ok|sign(?:s|ed|ature)?|consents?|asks?|asking|confirm\w{0,6}|review\w{0,3}|eyes|ticket|blessing",
            r"freigabe\w{0,2}|zustimm\w{2,4}|einverständnis|einverstanden|rück(?:frage|sprache)|genehm\w{2,6}|fragen?|fragt|bestätig\w{2,4}|absprache|okay|segen",
            r"accord|autoris\w{2,6}|valid\w{1,6}|signature|deman\w{3,4}|prévenir|aval",
            r"permiso|aprob\w{2,6}|autoriz\w{1,6}|avis\w{2,3}|pregunt\w{1,3}|consent\w{2,8}|firma|permesso|chied\w{1,4}|consenso|permissão|aprov\w{2,6}|avisar|pergunt\w{1,3}",
            r"согласи\w{1,4}|согласова\w{2,5}|разреш\w{2,6}|одобр\w{2,6}|спрос\w{1,5}|подтвержд\w{2,5}|onay\w{0,4}|izin|izni\w{0,3}|sor\w{0,4}",
        ),
        "go ahead,green light,sign off,check with,checks with,vier augen,feu vert,visto bueno",
        r"同意|批准|许可|确认|點頭|点头|签字|审批|经过|经|问|承認|許可|確認|同意|相談|승인|허락|확인|동의|अनुमति|मंज़ूरी|पूछ|موافقة|إذن|تأكيد|بعلم",
    ),
    _word_class(
        RETOLD,
        (
            r"looks?|seems?|appears?|probably|apparently|saw|found|noticed|compared|checked|was|were|had|did|explains?|already",
            r"sieht|scheint|wohl|vermutlich|war|waren|wurden?|hatten?|offenbar|habe[n]?",
            r"semble|dirait|paraît|était|étaient|j['’]ai|apparemment",
            r"parece\w?|estaba[n]?|había|hemos|fue|aparentemente|sembra|era|erano|ho|abbiamo",
            r"кажется|похоже|был[аио]?|видимо",
        ),
        "turned out,a été",
        r"看起来|似乎|好像|已经|了。|ようです|らしい|でした|ました",
    ),
    _word_class(
        FOUND,
        (
            r"because|caus(?:e|es|ed|ing)|reasons?|culprit|leak(?:s|ed|ing)?|miss(?:es|ing)|stale|wrong|wrongly|broken|broke|breaks|fail(?:s|ed|ing|ure|ures)?|fix(?:es|ed)|bugs?|crash(?:es|ed)?|hangs?|races?|deadlocks?|duplicat\w{1,4}|lost|loses|slow(?:er|s)?|faster|twice|added|removed|moved|replaced|renamed|reduced|grew|fell|dropped|measured|limited|unused|expired|outdated|deprecated|corrupt\w{0,3}|supports?|requires|rewrote",
            r"weil|ursache|grund|verursach\w{1,3}|liegt|lag|fehl(?:t|en|te|er|erhaft\w{0,2})|falsche?[nmrs]?|behoben|kaputt|veraltete?[nmrs]?|schneller|langsam\w{0,2}|doppelt|abgelaufen\w{0,2}|hinzugefügt|entfernt|verschoben|ersetzt|gemessen|verlier(?:t|en)",
            r"parce|cause|raisons?|manque(?:nt)?|manquante?s?|corrigée?s?|cassée?s?|fautes?|erreurs?|fuit\w?|perd(?:u|ent)?|lent\w?|rapide\w?|ajouté\w{0,2}|supprimé\w{0,2}|déplacé\w{0,2}|remplacé\w{0,2}|mesuré\w{0,2}|expiré\w{0,2}",
            r"porque|causas?|debido|debe|razón|culpa|falta[n]?|corregid[oa]s?|rot[oa]s?|fallo|falla[n]?|error|errores|fuga|pierde[n]?|lent[oa]s?|rápid[oa]s?|añadid[oa]s?|eliminad[oa]s?|movid[oa]s?|caducad[oa]s?|perché|causat[oa]|manca[n]?\w{0,2}|guast[oa]|risolt[oa]|corrett[oa]|causou|motivo|faltava\w?|corrigid[oa]|quebrad[oa]",
            r"причин\w{1,3}|потому|ошибк\w{1,3}|исправ\w{2,6}|сломан\w?|утечк\w|теря\w{1,3}|медлен\w{2,4}|быстр\w{2,4}|добав\w{2,6}|удал\w{2,6}|заменил\w?|neden\w{0,4}|çünkü|hata\w{0,3}|eksik|düzelt\w{0,5}",
        ),
        "due to,turned out,turns out,root cause,comes from,came from,vient de,venait de,se debe,because of,works around,no longer",
        r"原因|因为|因此|由于|導致|导致|缺少|缺失|修复|修正|修了|错误|問題|问题|泄漏|丢失|变慢|加快|新增|删除|替换|过期|なぜなら|ため|原因|不足|修正し|壊れ|遅く|速く|追加し|削除し|때문|원인|누락|수정했|오류|느려|빨라|कारण|क्योंकि|गलत|ठीक किया|بسبب|السبب|لأن|خطأ|إصلاح|مفقود",
    ),
    _word_class(
        OWNED,
        (
            r"owner|owners|owned|owns|maintain(?:s|ed|er|ers)|contact|contacts|responsible|belongs|author|wrote|written|authored|knows|reviewer|lead|leads",
            r"zuständig\w{0,2}|gehört|ansprechpartner\w{0,2}|verantwort\w{1,5}|kümmert|betreut|stammt|geschrieben",
            r"responsables?|propriétaire|auteure?|occupe|appartient|écrit|interlocut\w{1,5}",
            r"encarga|dueñ[oa]|autora?|contacto|pertenece|escribió|lleva|propietari[oa]|appartiene|autore|scritto|responsabile|responsável|don[oa]|pertence|escreveu",
            r"отвеча\w{1,3}|ответствен\w{2,4}|владел\w{1,4}|автор\w{0,2}|написал\w?|принадлеж\w{2,3}|sorumlu\w{0,3}|sahibi|yazd\w{1,4}",
        ),
        "in charge,looks after,look after,takes care,belongs to,est à,es de,vient de,cargo de",
        r"负责|負責|负责人|联系人|担当|責任者|作者|维护者|담당|책임|जिम्मेदार|مسؤول|صاحب",
    ),
)

_TOKEN = late_pattern(r"\w+(?:['’]\w*)*")
_APOSTROPHE = late_pattern(r"['’]")
_DID = late_pattern(r"\b(?:i|we)(?:['’]ve| have| just)? \w{2,}ed\b|\bhe \w+do\b", re.I)
_PERSON = late_pattern(
    r"(?<![\w.])[A-ZÀ-ÖØ-ÞА-Я][a-zà-öø-ÿĀ-ſа-яё'’-]+ (?:(?:van|von|de|da|di|del|der|dos) ){0,2}"
    r"[A-ZÀ-ÖØ-ÞĀ-ſА-Я][a-zà-öø-ÿĀ-ſа-яё'’-]+(?![\w(])"
)
_FOUND_GAIN: Final = 1.0
_OWNED_GAIN: Final = 1.0
_PERSON_GAIN: Final = 0.75
_CLASS_GAIN: Final = 0.75
_PAIR_GAIN: Final = 0.75
_RULE_GAIN: Final = 1.5
_RETOLD_LOSS: Final = 0.75
_PAIRS: Final = {
    pair: sum({one.bit for one in _CLASSES if pair in one.pairs}) for one in _CLASSES for pair in one.pairs
}
_FIRSTS: Final = frozenset(first for first, _ in _PAIRS)


@lru_cache(maxsize=65_536)
def _classes_of(word: str) -> int:
    """Return the mask of a word in lower case, and of what is before and behind its apostrophes."""
    if "_" in word or any(sign.isdigit() for sign in word):
        return 0
    mask = sum(one.bit for one in _CLASSES if one.words.fullmatch(word))
    parts = _APOSTROPHE.split(word)
    if len(parts) > 1:
        for part in parts:
            mask |= _classes_of(part) if part else 0
    return mask


@lru_cache(maxsize=32_768)  # a sentence is weighed in every round
def sound_of(text: str) -> int:
    """Return which classes the words of a sentence belong to, as a mask."""
    words = _TOKEN.findall(text.lower())
    mask = 0
    for word in words:
        mask |= _classes_of(word)
    if words and words[0] == "qui":
        mask |= ALL_OR_NONE
    if not _FIRSTS.isdisjoint(words):
        for pair in pairwise(words):
            mask |= _PAIRS.get(pair, 0)
    if not text.isascii():
        for one in _CLASSES:
            if not mask & one.bit and one.unspaced.search(text):
                mask |= one.bit
    return mask


def binding(text: str) -> float:
    """Return what the words of a sentence add to its worth: 0 for plain telling, about 4 for a plain rule."""
    mask = sound_of(text)
    whole = bool(mask & ALL_OR_NONE)
    others = (mask & (BOUND | BINDS | CHOICE | CONSENT)).bit_count()
    gain = _CLASS_GAIN * (whole + others)
    if others and whole + others > 1:
        gain += _RULE_GAIN if whole else _PAIR_GAIN
    return gain - (_RETOLD_LOSS if gain and (mask & RETOLD or _DID.search(text)) else 0.0)


def may_bind(text: str) -> bool:
    """Return whether a sentence that asks for something may ask for it for good."""
    return binding(text) >= _CLASS_GAIN * 2 + _RULE_GAIN


def telling(text: str) -> float:
    """Return what it adds to a sentence to say why, what was found or changed, or who answers for a thing."""
    mask = sound_of(text)
    person = _PERSON.search(text) is not None
    owned = _OWNED_GAIN if mask & OWNED else 0.0
    return (_FOUND_GAIN if mask & FOUND else 0.0) + (owned + _PERSON_GAIN if person else owned / 2)
