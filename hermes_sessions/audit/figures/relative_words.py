"""Words beside a figure that make it the result of two others: a sum, a rest, a difference, a share. Pure.

`16 over the limit`, `three days earlier`, `1.050 euro di margine`. A word that may only bound a figure (`over 250`)
tells of a difference behind it alone; a word for a sum may head a list, all others stand beside their figure.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.late_patterns import late_pattern

_FAR: Final = 60
_NEAR: Final = 26
_BEHIND: Final = 40
_CUT: Final = late_pattern(r"[.;:!?](?:\s|$)|[。；！？，、|\n()（）]|,\s|\s[—–-]\s")
"""Where another clause begins."""
_STOP: Final = late_pattern(r"[.;!?](?:\s|$)|[。；！？|\n]")
"""Where another sentence begins."""

_SUMS: Final = (
    r"\b(?:revenue|takings|turnover|einnahmen|umsatz|recettes|ingresos|receitas?|incass\w+|ricav\w+|opbrengst|omzet|przychod\w+|выручк\w+|обойд[её]т\w*|en tout|total\w*|altogether|combined|in all|sums?|comes? to|came to|makes|adds? up|amounts? to|reach\w*|(?:the|all|total|running) costs|expenses|needed|lack\w*|missing|short(?:fall)?"
    r"|insgesamt|gesamt(?:summe|kosten|preis|betrag)?|zusammen|summe|macht|kommt man auf|ergibt|(?:die|alle|gesamte) kosten|ausgaben|fehl(?:en|t)|brauch\w*"
    r"|au total|totalit\w+|somme|s['’]él[èe]v\w+|dépenses|manquent?|on arrive à|il faut|se llega a|chega-se a|juntos|juntas|suman?|gastos|costes|faltan?|hacen? falta|no total|ao todo|somam?|soma|despesas|custos|faltam"
    r"|si arriva a|in tutto|totale|insieme|somma\w*|spese|costi|mancano|servono|occorrono|kom\w* (?:je |men )?(?:uit )?op|in totaal|totaal|samen|(?:de|alle|totale) kosten|uitgaven|tekort|ontbre\w+"
    r"|razem|łącznie|w sumie|suma|wychodzi|koszty|wydatki|brakuje|potrzeba|выходит|набегает|всего|итого|вместе|сумм\w*|расход\w*|не хватает|toplam\w*|birlikte)\b"
    r"|合计|共|总|一共|合計|全部で|総額|합계|총|모두|합쳐|المجموع|الإجمالي|कुल"
)
_SHARES: Final = (
    r"\b(?:together|overall|average|mean|half|halv\w+|double|twice|triple|quarter|third|apiece|each|per|(?:a|al|alla|ao|à|a la) (?:settimana|mese|giorno|notte|ora|mes|día|año|semana|mês|dia|ano)|(?:im|pro) (?:monat|jahr)|am tag|die woche|täglich|wöchentlich|monatlich|dziennie|tygodniowo|miesięcznie|в (?:день|месяц|неделю|час|год)|a (?:head|piece|person|guest|month|day|week|year|night)"
    r"|je (?-i:[A-ZÄÖÜ])\w+|pro|jeweils|durchschnitt\w*|hälfte|doppelt\w*|viertel|drittel"
    r"|ensemble|par (?:personne|tête|enfant|élève|adulte|invité|page|pièce|mois|jour|nuit|an|heure|semaine)|chacune?|moyenne|moitié|quart|tiers"
    r"|cada|por (?:persona|cabeza|niñ[oa]|alumn[oa]|invitad[oa]|página|pieza|unidad|mes|día|noche|año|hora|semana|pessoa|cabeça|criança|alun[oa]|convidad[oa]|peça|unidade|mês|dia|noite|ano)|mitad|doble|cuarto|tercio|metade|dobro|média"
    r"|ciascun\w*|ognun\w*|a testa|metà|doppio|quarto|terzo|media|elk\w*|gemiddeld|helft|dubbel\w*|kwart|derde"
    r"|(?:za|na) (?:osobę|sztukę|sztuce|stronę|dzień|noc|miesiąc|godzinę)|każd\w+|średnio|połow\w+|dwukrotn\w+|ćwier\w+"
    r"|кажд\w+|средн\w+|половин\w+|вдвое|четверт\w+|треть|başına|ortalama|yarı\w*|iki katı|çeyre\w*)\b"
    r"|每|人均|平均|一半|两倍|一人|1人|１人|あたり|半分|倍|당 |평균|절반|두 배"
)
_RESTS: Final = (
    r"\b(?:left(?! alone)|remain\w*(?! (?:until|at|in|on|as|unchanged))|rest|balance|spare|leaves|leaving|differ\w*|gap|margin|saves?|saved|savings?|discount\w*|rebate|cheaper|dearer|costlier|apart"
    r"|übrig\w*|verbleib\w*|bleib\w*(?! (?:bei|auf|bis|es))|rest|restlich\w*|saldo|nötig|unterschied|differenz|abstand|spar\w+|gespart|ersparnis|rabatt|nachlass|billiger|günstiger|teurer"
    r"|reste\w*(?! à)|solde|écart|différence|marge|économi\w+|remise|rabais|réduction|moins cher\w*|plus cher\w*"
    r"|queda\w*(?! en)|restante\w*|saldo|sobra\w*|diferencia|margen|ahorr\w+|descuento\w*|rebaja|más (?:car|barat)\w+"
    r"|fica\w*(?! em)|sobram?|restantes?|diferença|margem|poup\w+|desconto|mais (?:car|barat)\w+"
    r"|rest(?:a|ano|ante|anti)(?! (?:a|al|in)\b)|riman\w+|avanz\w+|differenza|margine|risparmi\w+|sconto|più (?:car|economic)\w+"
    r"|over(?:blijft|blijven|schot)|blijft(?! (?:op|tot|bij))|rest(?:eren\w*|bedrag)?|nodig|verschil|bespar\w+|korting|goedkoper|duurder"
    r"|zosta\w+|pozosta\w+|reszt\w*|różnic\w*|oszczęd\w+|rabat\w*|zniżk\w+|tańs\w+|droż\w+"
    r"|остал\w+|оста[её]тся|остат\w+|разниц\w*|запас по|эконом\w+|скидк\w+|дешевле|дороже|kal[ıa]\w*|eksik|fark\w*|tasarruf|indirim\w*|ucuz|pahalı)\b"
    r"|余款|剩|差|缺|省|折扣|优惠|便宜|贵|多出|超出|残り|残額|差額|不足|浮く|浮いた|割引|安い|安く|高い|高く|남[는은아]|잔액|부족|차이|절약|할인|싸|비싸|المتبقي|الفرق|शेष|अंतर"
)
_DIFFERENCES: Final = (
    r"\b(?:between|zwischen|entre|tra|tussen|między|между|over|under|above|below|beyond|past|short|more|less|fewer|further|extra|additional|too (?:many|much|few|little)|off|ago|before|after|later|earlier|ahead|sooner|longer|shorter|faster|slower|higher|lower|bigger|smaller|larger|older|younger"
    r"|über|unter|mehr|weniger|zu (?:viel\w*|wenig\w*)|extra|zusätzlich|vor(?:her)?|nach(?:her)?|danach|davor|später|früher|länger|kürzer|schneller|langsamer|höher|niedriger|größer|kleiner|darüber|darunter"
    r"|de plus|de moins|en plus|en moins|de trop|au-dess\w+|en dessous|sous|sur|avant|après|plus t[ôa]\w+|supplémentaires?|plus|moins"
    r"|más|menos|de más|por encima|por debajo|antes|después|encima|mais|a mais|a menos|acima|abaixo|depois|além"
    r"|più|meno|in più|in meno|di più|di meno|oltre|sopra|sotto|prima|dopo"
    r"|meer|minder|te (?:veel|weinig|kort)|boven|onder|voor|na|later|eerder|langer|korter"
    r"|więcej|mniej|ponad|poniżej|powyżej|przed|po|później|wcześniej"
    r"|больше|меньше|сверх|выше|ниже|до|после|спустя|раньше|позже|лишн\w+"
    r"|fazla|daha|altında|üstünde|üzerinde|önce|sonra|artı)\b|超|多|少|前|后|後|短|长|長|早|晚|遅|以上多|초과|적[다은]|많[다은]|전|후|빠[르른]|늦"
)
_SUM: Final = late_pattern(_SUMS, re.I)
_REST: Final = late_pattern(_RESTS, re.I)
_DIFFERENCE: Final = late_pattern(f"{_RESTS}|{_DIFFERENCES}", re.I)
_SHARE: Final = late_pattern(_SHARES, re.I)
_LIST: Final = late_pattern(
    rf"(?:{_RESTS})[^\d,;]{{0,12}}\d[^.;\n]{{0,40}}(?:,|\b(?:and|und|et|y|e|en|i|и)\b|[、和])[^\d,]{{0,6}}$",
    re.I,
)
"""A rest that heads a list: `109 tomatoes, 38 peppers`."""
_BY: Final = late_pattern(
    r"(?:\b(?:by|um)|超(?:过|出|预算|支)?|多|少|贵|差)[\s*`]*$|超(?:え|過)[^。]{0,6}$", re.I
)
"""What a difference follows: `exceeds it by 16`."""
_BRACKETED: Final = late_pattern(rf"(?:{_RESTS}|{_DIFFERENCES})\s?[(（]\W{{0,3}}$", re.I)
"""How a figure in brackets says again what a word of comparison before them tells: `10 % more (36 euros)`."""
_UNITS: Final = (late_pattern(r"\s?"), late_pattern(r"(?:[ \u00a0\u202f-]?[^\W\d]{1,10}| ?[€$£¥%])?\s?"))
"""The unit of a figure, or none."""


class _FigureWords(NamedTuple):
    """What stands before and behind a figure: near by, in its clause, and further off in its sentence."""

    far: str
    before: str
    behind: str


def _besides(value: str, line: str) -> Iterator[_FigureWords]:
    """Yield what stands beside *value* wherever it stands in *line*; nothing where the line is the value."""
    if value == line or value not in line:
        return
    for at in [found.start() for found in _alone(value).finditer(line)] or [line.find(value)]:
        end = at + len(value)
        first, near = max(0, at - _FAR), max(0, at - _NEAR)
        start = max((cut.end() for cut in _STOP.finditer(line, first, at)), default=first)
        near = max((cut.end() for cut in _CUT.finditer(line, max(start, near), at)), default=max(start, near))
        cut = _CUT.search(line, end)
        stop = min(end + _BEHIND, cut.start() if cut else len(line))
        yield _FigureWords(line[start:at], line[near:at], line[end:stop])


@lru_cache(maxsize=512)
def _alone(value: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.,]){re.escape(value)}(?!\w)")


def place_of(value: str, line: str) -> int:
    """Return where *value* stands in *line*, by itself if it does anywhere: not in `9.103,10` for `103,10`."""
    found = _alone(value).search(line)
    return found.start() if found else line.find(value)


def is_relative(value: str, line: str) -> bool:
    """Return whether *line* tells *value* as a sum, a rest, a difference or a share."""
    if is_difference(value, line):
        return True
    return any(
        _SUM.search(one.far)
        or _LIST.search(one.far)
        or _SUM.search(one.behind)
        or _SHARE.search(one.before)
        or _SHARE.search(one.behind)
        for one in _besides(value, line)
    )


def is_difference(value: str, line: str) -> bool:
    """Return whether *line* tells *value* as a rest or a difference: `24.20 cheaper`, `9 720 remain`."""
    found = any(
        _REST.search(one.before) or _REST.search(one.behind) or _BY.search(one.before)
        for one in _besides(value, line)
    )
    return found or is_compared(value, line)


def is_compared(value: str, line: str) -> bool:
    """Return whether a word of comparison follows *value* and its unit at once: `16 over the limit`.

    So does one that is right before the brackets in which a value is.
    """
    return any(_BRACKETED.search(one.far) for one in _besides(value, line)) or any(
        _DIFFERENCE.match(one.behind, unit.end())
        for one in _besides(value, line)
        for shape in _UNITS
        if (unit := shape.match(one.behind))
    )
