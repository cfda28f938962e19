"""Words with which minutes tell what was resolved, and tools in plain words that something broke off. Pure."""

from typing import Final

from hermes_sessions.late_patterns import late_pattern

_VERBS: Final = (
    r"resolved|carried|passed|adopted|approved|agreed|decided|ratified|motion (?:carried|passed)|resolution|decision|ruling|outcome of the vote"
    r"|beschlossen|beschluss|angenommen|entschieden|entscheidung|genehmigt|verabschiedet|beschlussfassung"
    r"|adoptée?s?|résolution|délibération|décision|approuvée?s?|décidée?s?|votée?s?|retenue?s?"
    r"|aprobad[oa]s?|se aprueba|acuerdo|se acuerda|acordado|resolución|se resuelve|decisión|adoptad[oa]"
    r"|aprovad[oa]s?|deliberad[oa]|deliberação|decisão|acordado|decidido"
    r"|delibera(?:to|zione)?|approvat[oa]|si approva|decisione|deciso|risoluzione"
    r"|besluit|besloten|aangenomen|goedgekeurd|vastgesteld"
    r"|uchwał[aę]|uchwalono|przyjęto|postanowiono|postanowienie|zatwierdzono|zdecydowano|decyzja"
    r"|постановил[аи]?|постановлено|решил[аи]?|решено|решение|принято|утверждено|одобрено"
    r"|karar|kabul edildi|onaylandı|beslutat|vedtatt"
)
_LABELLED: Final = late_pattern(
    rf"(?i)^(?:[^\W\d_][\w'’.]{{0,20}} ){{0,3}}?(?:{_VERBS})(?: (?:n[r.oº°]{{0,3}} ?)?[\d/.-]{{1,12}})?(?: [^\W\d_][\w'’]{{0,16}}){{0,3}} ?(?:\([^()]{{1,40}}\) ?)?[:：] ?(?P<said>\S.{{8,260}})$"
    r"|^(?:全会一致で|一致)?(?:決議|議決|可決|決定|承認|采纳|决议|议决|通过|决定|核准|의결|가결|결정|승인)(?:事項|事项)?(?:第?[\d一二三四五六七八九十]{1,4}[号條条]?)?[:：]\s?(?P<han>\S.{3,200})$"
)
_VOTED: Final = late_pattern(
    r"(?i)\b(?:unanimous(?:ly)?|nem\.? con\.?|by (?:a )?(?:show of hands|majority|acclamation)|abst(?:ention|ain)\w*|votes? (?:for|against|to)|in favou?r|(?:passed|carried) \d{1,3} ?[-–:] ?\d{1,3}|\w{1,8} for, \w{1,8} against"
    r"|einstimmig|enthaltung(?:en)?|gegenstimmen?|\d{1,3} (?:zu \d{1,3} )?stimmen|mit mehrheit|mehrheitlich"
    r"|à l['’]unanimité|à la majorité|abstentions?|voix (?:pour|contre)|par \d{1,3} voix|mise? aux voix"
    r"|por unanimidad|por mayoría|abstenci(?:ón|ones)|votos (?:a favor|en contra)|por aclamación"
    r"|por unanimidade|por maioria|absten(?:ção|ções)|votos (?:a favor|contra)"
    r"|all['’]unanimità|a maggioranza|astensioni?|astenut[oi]|voti (?:favorevoli|contrari)|favorevoli \d|contrari \d"
    r"|unaniem|met algemene stemmen|bij meerderheid|onthouding(?:en)?|stemmen (?:voor|tegen)"
    r"|jednogłośnie|większością głosów|wstrzymał\w+ się|głosów (?:za|przeciw)|za: \d|przeciw: \d"
    r"|единогласно|большинством голосов|воздержал\w+|за [-—–] \d|против [-—–] \d|голос(?:ов|а)? (?:за|против))(?![\w-])"
    r"|全会一致|賛成(?:多数|[\d一二三四五六七八九十]{1,3})|反対(?:なし|[\d一二三四五六七八九十]{1,3})|棄権|一致(?:通过|同意)|赞成(?:票|[\d一二三四五六七八九十]{1,3}票)|弃权|多数(?:通过|赞成)|만장일치|찬성 ?\d|기권"
)
_RESOLVES: Final = late_pattern(
    rf"(?i)\b(?:{_VERBS}|vote[ds]?|elected|chosen|motion|antrag|gewählt|élue?|elegid[oa]|eleit[oa]|elett[oa]|gekozen|wybran[oay]|избран\w*|выбран\w*)(?![\w-])"
    r"|可決|決議|決定|承認|選出|通过|决议|决定|同意|选出|가결|의결|결정"
)
_BROKE_OFF: Final = late_pattern(
    r"(?i)\b(?:stopped|halted|gave up|gives up|stalled|hangs|did not (?:finish|complete|go through|start|arrive)|could not (?:be|reach|open|load|save|send|find|start)|cannot reach|was (?:cut off|interrupted|aborted|refused|rejected|turned away)|broke off|fell over|out of order|unreachable|timed out|ended early"
    r"|brach ab|bricht ab|abgebrochen|nicht möglich|unmöglich|gescheitert|scheiterte|steht still|nicht erreichbar|abgewiesen|verweigert|stehen geblieben|blieb stehen|ausgefallen"
    r"|s['’]est (?:interrompue?|arrêtée?|coupée?)|interrompue?|impossible|n['’]a pas (?:abouti|pu)|a échoué|refusée?|injoignable|en panne"
    r"|se (?:detuvo|interrumpió|cortó|paró)|no se pudo|no fue posible|imposible|rechazad[oa]|interrumpid[oa]"
    r"|parou|interrompid[oa]|não foi possível|não conseguiu|recusad[oa]|falhou|impossível"
    r"|si è (?:fermat[oa]|interrott[oa]|bloccat[oa])|interrott[oa]|impossibile|non è stato possibile|non riesce|rifiutat[oa]"
    r"|(?:is|werd|zijn) (?:gestopt|afgebroken|geweigerd|gestaakt)|afgebroken|niet mogelijk|onmogelijk|mislukt|kon niet|onbereikbaar"
    r"|przerwan[aeoy]|zatrzyman\w+|nie udało się|niemożliw\w+|odrzucon\w+|nie powiod\w+"
    r"|остановлен\w*|остановил\w+|прерван\w*|прервал\w+|не удалось|не удал\w+|невозможно|отклон[её]н\w*|не отвечает)(?![\w-])"
    r"|中断|停止し|止まり|できません|できなかった|拒否され|中止|无法|未能|被拒|断开|중단|중지|실패|할 수 없"
)
_CODED: Final = late_pattern(r"(?<![\w.])(?:[A-Za-zА-Яа-я]{1,4}-?\d{2,7}|\d{3,7})(?![\w.]*[\w])")
_ATTEMPTS: Final = late_pattern(
    r"(?i)\b(?:after|nach|après|tras|após|dopo|na|po|после) \w{1,10} (?:\w{1,10} )?(?:attempts?|tries|versuchen|tentatives?|essais|intentos|tentativas|tentativi|pogingen|próbach|попыт\w+)|\d+回|\d+次"
)
_SIGNS: Final = late_pattern(r"[{}<>|\\=`;]|https?://|\w\(|\]\s|->")


RESOLVING: Final = tuple(
    "resol carried passed adopt approv agreed decid ratif motion decision ruling outcome unanim nem. major acclam abst vote favo against"
    " beschl angenommen entsch genehmigt verabschiedet einstimmig enthalt gegenstimm stimmen mehrheit"
    " résol délib décis votée retenue voix aprueb aprob acuerd acord votos aprov delib appro decis deciso risol maggior asten favorevol contrar"
    " besl aangenomen goedgekeurd vastgesteld onthoud meerderheid uchwa przyj postan zatwierd zdecyd decyzja jednog większ wstrzym głos za: przeciw"
    " постанов реш принят утвержд одобр единогл больш воздерж против голос karar kabul onaylan beslut vedtatt"
    " 決 議 承認 采纳 议 通过 决 核准 의결 가결 결정 승인 賛成 反対 棄権 一致 赞成 弃权 多数 만장 찬성 기권".split()
)
"""One of these is in every line that resolves: what a text is asked for first."""

BREAKING: Final = (
    *tuple(
        "stopped halted gave gives stalled hangs interrupt abort refus reject timed broke"
        " brach brich abge möglich gescheit scheit steht erreichbar verweig stehen ausgef interrom arrêt coup impos abouti n'a n’a échou refus injoign panne"
        " detuv cortó paró parou pudo posible rechaz interrump fermat bloccat possibile riesce rifiut interrott"
        " gestopt afgebr geweig gestaak mogelijk mislukt kon berei przerw zatrzym uda niemoż odrzuc powiod"
        " останов прерв удал невозм откл отвеч 中断 停止 止 でき 拒否 中止 无法 未能 被拒 断开 중단 중지 실패 할 수".split()
    ),
    "did not",
    "could not",
    "cannot reach",
    "cut off",
    "turned away",
    "fell over",
    "out of order",
    "reachable",
    "ended early",
)
"""The same of what broke off."""


def resolves(line: str) -> bool:
    """Return whether a line of what a tool put out tells what was resolved: under its label, or by a vote."""
    if _SIGNS.search(line):
        return False
    found = _LABELLED.match(line)
    if found and (found["han"] or len([word for word in found["said"].split() if word[:1].isalpha()]) > 2):
        return True
    return _VOTED.search(line) is not None and (_RESOLVES.search(line) is not None or len(line) > 40)


def broke_off(line: str) -> bool:
    """Return whether a line tells in plain words that something did not come to its end, with a code of it."""
    if _SIGNS.search(line) or not _BROKE_OFF.search(line):
        return False
    return _CODED.search(line) is not None or _ATTEMPTS.search(line) is not None
