"""How people say that a choice is made without a word for deciding, in the languages that are read.

Either the sentence says that a talk is over (*that settles it: ...*), or it carries the label of an outcome
(*Outcome of item 3 - ...*), or it names what will be used and what gives way to it (*... instead of ...*).
"""

import re
from typing import Final

from hermes_sessions.facts.gates import Opened, gated, holds, present
from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.late_patterns import late_pattern

SETTLED: Final = gated(
    (("decision", "outcome", "verdict", "ruling"), r"(?:^|[:.] )\W{0,4}(?:the |our |final )?decision(?: (?:recorded|noted|logged|reached|confirmed|taken|final|no\.? ?\d+|#?\d+|(?:on|of|for|about) [^:.!?]{2,50}))?(?:\s?[:：]| [–—-]) ?\w|(?:^|[:.] )\W{0,4}(?:the |final )?(?:outcome|verdict|ruling) (?:of|on|for|from) (?:the )?(?:item|point|topic|agenda|vote|meeting|call|discussion|poll|debate|proposal|rfc|adr)\b[^:.!?–—]{0,40}?(?:[:：]| [–—-]) ?\w"),
    (("slept on", "settles it", "settled", "decided", "closed"), r"\bslept on it\b\W{1,4}\w|\bthat settles it\b|\bconsider (?:it|this|that) (?:settled|decided)\b|\b(?:it|that)(?:['’]s| is) settled\b|\bsettled[,:] \w|\b(?:matter|discussion|debate) (?:is |over \w+ is )?(?:settled|closed)\b"),
    (("fest", "geschlafen", "abgemacht", "beschlossene sache", "diskussion", "ergebnis d"), r"\bsteht (?:damit |somit |nun |jetzt |also |nunmehr )?fest\s?[:–—-]|\b(?:darüber|drüber) geschlafen\b|\babgemacht[:,] \w|\bbeschlossene sache\b|\bdiskussion [^.!?]{0,60}\b(?:ist|wäre) (?:damit )?(?:durch|beendet|erledigt)\b|\bergebnis de[rs] (?:abstimmung|beratung|besprechung|diskussion|punkts?|runde)\b[^:.!?]{0,40}[:–—]"),
    (("almohada", "zanjad", "queda ", "resultado de"), r"\bconsultado con la almohada\b|\b(?:asunto|tema|debate) zanjado\b|\bqueda (?:zanjado|acordado|decidido|resuelto)\b|\best[áa] zanjado\b|\bresultado de la (?:votación|reunión|discusión)\b[^:.!?]{0,40}:"),
    (("dormi dessus", "réglé", "affaire", "question close", "débat", "résultat d"), r"\bdormi dessus\b|\bc['’]est réglé\s?[:,]|\baffaire (?:réglée|entendue|conclue)\b|\bquestion close\b|\ble débat est clos\b|\brésultat (?:du (?:vote|débat)|de la (?:réunion|discussion))\b[^:.!?]{0,40}:"),
    (("assunto encerrado", "fica decidido", "fica combinado", "è deciso", "questione chiusa", "dormito sopra", "resta inteso", "esito d"), r"\bassunto encerrado\b|\bfica (?:decidido|combinado)\b|\bè deciso\s?[:,]|\bquestione chiusa\b|\bdormito sopra\b|\bresta inteso\b|\besito (?:del|della) (?:voto|votazione|riunione|discussione|punto)\b[^:.!?]{0,40}:"),
    (("讨论完", "讨论结束", "商量好", "最终方案", "最终选择", "就这么定", "想了一晚", "投票结果"), r"讨论(?:完(?:了|毕)|结束)(?!后|之后|再|前)|商量好了|最终(?:方案|选择)[:：是为]|就这么定|想了一晚|投票结果[:：]"),
    (("で決まり", "で確定", "話し合いの結果", "検討の結果", "最終案", "一晩考え"), r"で(?:決まり|確定)(?!していない|ではない|か)|(?:話し合い|検討)の結果|最終案[はとに:：]|一晩考え"),
    (("정했", "확정했", "최종안", "하룻밤"), r"로 (?:정했|확정했)|최종안[은:]|하룻밤 생각"),
    (("вопрос", "порешили", "переспал", "итог обсуждения", "итоги голосования"), r"\bвопрос (?:реш[её]н|закрыт)\b|\bна том и порешили\b|\bпереспал\w{0,2} с\b|\b(?:итог обсуждения|итоги голосования)\s?[:—-]"),
    (("حسمنا", "حُسم", "انتهى النقاش", "القرار النهائي", "तय हुआ", "अंतिम फ़ैसला", "अंतिम निर्णय", "kesinleşti", "karara bağla", "konu kapan"), r"حسمنا|حُسم|انتهى النقاش|القرار النهائي|तय हुआ|अंतिम (?:फ़ैसला|निर्णय)|\bkesinleşti\b|\bkarara bağla(?:ndı|dık)|\bkonu kapan(?:dı|mıştır)"),
)  # fmt: skip
"""The talk is over, or a label says whose outcome it is."""

_GIVES_WAY: Final = gated(
    (("instead of", "rather than", "in place of", "favor of", "favour of", "ruled out", "ruling out", "off the table", "out of the r", "no longer", "discarded", "rejected", "abandoned", "scrapped"), r"\b(?:instead|in place|in favou?r) of (?!\d)|\brather than (?!\d)|\bruled out\b|\bruling out\b|\boff the table\b|\bout of the r(?:ace|unning)\b|\bno longer (?:considered|an option|on the table|in play|pursued|a candidate)\b|\b(?:discarded|rejected|abandoned|scrapped)\b"),
    (("statt", "anstelle", "verworfen", "ausgeschlossen", "vom tisch", "scheide", "betracht", "abgelöst", "aus dem rennen"), r"\b(?:an)?statt (?!\d)|\banstelle (?:von|der|des)\b|\bverworfen\b|\bausgeschlossen\b|\bvom tisch\b|\bscheide[nt]\b.{0,40}\baus\b|\bnicht (?:mehr|länger) in betracht\b|\babgelöst\b|\baus dem rennen\b"),
    (("lugar de", "vez de", "descart", "queda fuera", "quedan fuera", "fica fora", "invés de", "em lugar", "fora da", "ya no se"), r"\b(?:en|em) (?:lugar|vez) de (?!\d)|\bao invés de\b|\bdescart(?:ad[oa]s?|amos|é|ei|ó)\b|\bqueda[n]? fuera\b|\bfica fora\b|\bfora da (?:disputa|mesa)\b|\bya no se (?:considera|contempla)\b"),
    (("au lieu d", "plutôt qu", "la place d", "écarté", "abandonn", "exclu", "envisagé", "de côté", "tant pis"), r"\bau lieu d(?:e |['’])(?!\d)|\bplutôt qu(?:e |['’])|\bà la place d|\bécartée?s?\b|\babandonn(?:ée?s?|e|ons)\b|\bexclue?s?\b|\bplus envisagée?s?\b|\blaissée?s? de côté\b|\btant pis pour\b"),
    (("invece d", "anziché", "al posto d", "scartat", "esclus", "non più"), r"\binvece d(?:i|el\w*) (?!\d)|\banziché\b|\bal posto d(?:i|el\w*)\b|\bscartat[oaie]\b|\besclus[oaie]\b|\bnon più (?:considerat|in gioco)"),
    (("而不是", "而非", "代替", "取代", "放弃", "不考虑", "不再考虑", "排除", "出局", "作罢"), r"而不是|而非|代替|取代|放弃|不(?:再)?考虑|排除|出局|作罢"),
    (("代わり", "ではなく", "却下", "見送", "候補から外", "やめ"), r"(?:の)?代わり(?:に|として)|ではなく|却下|見送|候補から外|(?:は|を)やめ"),
    (("대신", "아니라", "제외", "고려하지 않", "배제"), r"대신|아니라|제외|고려하지 않|배제"),
    (("вместо", "отказ", "отпада", "отброшен", "рассматрива", "а не "), r"\bвместо (?!\d)|\bотказ(?:ались|ываемся)\b|\bотпада(?:ет|ют)\b|\bотброшен\w*|\bне рассматрива\w+|,? а не "),
    (("بدلا من", "بدلاً من", "عوضا عن", "عوضاً عن", "استبعد", "के बजाय", "की जगह", "yerine", "elendi", "vazgeç"), r"بدل(?:ا|اً) من|عوض(?:ا|اً) عن|استبعد|के बजाय|की जगह|\byerine\b|\belendi\b|\bvazgeç(?:tik|iyoruz|ildi)"),
)  # fmt: skip
"""What is given up for something else. Where a number follows a value is meant (*404 instead of 200*)."""

_TAKEN: Final = sieve(
    r"\b(?:will|shall|is going to|are going to|is to|are to) (?:now |all |then )?(?:be (?:built|based|done|written|made|kept|hosted|run|stored|rewritten|backed|served|handled|moved)\b|use|run|go|stay|keep|move|adopt|get|rely|live|switch|take|replace|become)\b"
    r"|\b(?:we|i)(?:['’]ll| will|['’]m| am|['’]re| are)? (?:now |all |then )?(?:take|taking|use|using|keep|keeping|pick|picked|adopt|adopting|switch|switching|move|moving|go|going|went|opt|opted|chose|stick|sticking|settle|settled)\b"
    r"|\b(?:the team|adopts|gets|moves to|goes with|switches to|stays with|opts for|it['’]s going to be)\b"
    r"|\b(?:künftig|fortan|nutzen wir|nehmen wir|nimmt|wechseln?|wechselt|setzt|setzen|bleiben|bekommt|umgestellt|(?:wird|werden) (?:\S+ ){0,8}(?:gebaut|umgesetzt|betrieben|eingesetzt|verwendet|genutzt|gespeichert|abgelegt))\b"
    r"|\b(?:se |nos )?opt(?:[oó]|amos|aron|ou|a)\b(?: por)?|\b(?:se (?:adopta|usará|eligió|escogió|elige|queda|construirá)|usar(?:á|emos|án|emo)|vamos (?:a|con|com|usar)|pasa(?:rá|remos|mos)? a|nos quedamos|ficamos|passa(?:rá|remos|mos)? a|vai (?:usar|ser)|adot(?:amos|a|ou)|adoptamos|elegimos|escolhemos)\b"
    r"|\b(?:passe(?:ra|rons|ront)?|passons|utiliser(?:a|ons|ont)|utilisons|prend(?:ra|rons|ons)|(?:sera|seront) (?:bâti|construit|écrit|basé|hébergé|stocké)\w*|part(?:ira|irons|ons) sur|on (?:part|prend|passe|garde|mise|choisit|utilise)|opt(?:é|ons|era)|choisi|retenu|adopter(?:a|ons)|adoptons|mis(?:era|erons|ons) sur|bascul(?:e|era|ons))\b"
    r"|\b(?:useremo|userà|usiamo|passiamo|passerà|scegliamo|prendiamo|adottiamo|adotta|sarà (?:costruit|basat|scritt)[oa]|si (?:usa|passa|sceglie|adotta))\b"
    r"|[用选選](?!户|例|法|于|途|项|时)|采用|换成|改成|转向|上马"
    r"|使(?:う|い(?:ます|ましょう)|用し)|採用|に(?:し(?:ます|ました|よう)|する|決め)|選び|選ん|でいき|でいく|移行し"
    r"|쓰(?:기로|겠|자)|씁니다|쓴다|사용(?:합니다|하기로|한다|하겠)|선택|기로|채택|갑니다"
    r"|\b(?:бер[её]м|возьм[её]м|выбираем|выбрали|переходим|перейд[её]т|переедет|используем|будем|оста[её]мся|ставим|(?:будет|будут) (?:работать|построен\w*|жить|использовать\w*))\b"
    r"|سنستخدم|نستخدم|سنعتمد|نعتمد|اخترنا|سيعمل|سننتقل|करेंगे|लेंगे|रखेंगे|चुना|चुनते|\b(?:kullanacağız|kullanıyoruz|kullanacak|geçiyoruz|geçeceğiz|seçtik|kullanılacak|alıyoruz)\b",
    re.I,
)  # fmt: skip
_PENDING: Final = late_pattern(
    r"\b(?:if|once|until|unless|whether|before|when|after|why|how|not|wenn|sobald|bis|falls|ob|bevor|warum|nicht|kein\w*|noch|cuando|antes|hasta|quando|finché|prima|quand|avant|tant que|si|no|não|non|если|когда|пока|не)\b|n['’]t\b|如果|要是|等|之前|是否|还没|もし|まだ|만약|아직",
    re.I,
)
_LEAST_WORDS: Final = 4
_LEAST_SIGNS: Final = 8


def may_choose(opened: Opened) -> bool:
    """Return whether a sentence of a page, whose gates are *opened*, may say what was chosen."""
    return any(one.gate in opened for shapes in (SETTLED, _GIVES_WAY) for one in shapes)


def chooses(text: str, lowered: str, opened: Opened) -> bool:
    """Return whether a sentence of a page, whose gates are *opened*, says what was chosen."""
    if len(text.split()) < _LEAST_WORDS and (text.isascii() or len(text) < _LEAST_SIGNS):
        return False
    for words, pattern in present(SETTLED, opened):
        if any(word in lowered for word in words) and (found := pattern.search(text)):
            return _PENDING.search(text, 0, found.start()) is None
    if not holds(present(_GIVES_WAY, opened), text, lowered):
        return False
    taken = _TAKEN.search(text)
    return taken is not None and _PENDING.match(text.lstrip()) is None
