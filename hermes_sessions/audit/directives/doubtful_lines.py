"""Lines of open work that may set no task though they name what is over: advice, what is set apart, a date to keep.

Such a line says something about finished work without asking for it again. Whoever reads the finding may look,
and is not warned.
"""

import re
from typing import Final

from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.facts.quantities.amounts import read_days
from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.late_patterns import late_pattern

_MAX_CHARS: Final = 400

_LABEL: Final = late_pattern(
    r"^\W*(?:[^\W\d_]+ ){0,2}(?:advice|tips?|hints?|suggestions?|suggested|recommend(?:ation|ations|ed)|ideas?|proposals?|proposed|notes?|reminders?|fyi|optional(?:ly)?|nice to have|follow[- ]?ups?|watch|caveat|risk|warning|beware"
    r"|empfehlung(?:en)?|ratschl[aä]g\w*|rat|tipps?|hinweise?|vorschl[aä]ge?|ideen?|anregung(?:en)?|anmerkung|achtung|merke|erinnerung"
    r"|conseils?|suggestions?|recommandations?|idées?|pistes?|remarques?|à noter|rappel|facultatif|attention"
    r"|consejos?|sugerencias?|recomendaci[oó]n(?:es)?|ideas?|notas?|recordatorio|opcional|ojo|aviso"
    r"|conselhos?|sugest(?:ão|ões)|recomendaç(?:ão|ões)|dicas?|ideias?|lembrete|atenção"
    r"|consigli[oa]?|suggeriment[oi]|raccomandazion[ei]|propost[ae]|ide[ae]|not[ae]|promemoria|facoltativo|attenzione"
    r"|advie[sz]\w*|suggesties?|aanbeveling(?:en)?|idee|opmerking|optioneel|let op|rad[ay]|sugesti[ae]|zaleceni[ea]|pomysł|uwag[ai]|opcjonalnie"
    r"|råd|förslag|forslag|совет\w?|рекомендаци[яи]|предложени[ея]|идея|заметка|примечание|напоминание|öneri(?:ler)?|tavsiye|fikir|hatırlatma|not)(?:\s*\([^)\n]{1,30}\))?(?: (?:of the|for the|pour|für|para|per|voor|dla|для) [^:\n]{1,30})?\s*(?:[:：–—]|\s-\s)"
    r"|^\W*(?:(?:给[^：:]{1,8}的)?(?:建议|提示|提议|备注|注意|可选|提醒)|提案|助言|アドバイス|備考|メモ|注意|参考|任意|제안|조언|권고|권장|참고|주의|نصيحة|اقتراح|توصية|ملاحظة|تذكير|اختياري|सुझाव|सलाह|नोट|ध्यान दें|वैकल्पिक)\s*[:：（(–—-]?",
    re.I,
)
"""What a line stands under that advises: `Advice: ...`."""
_HEDGED: Final = sieve(
    r"\b(?:maybe|perhaps|possibly|optional(?:ly)?|if (?:wanted|desired|needed|necessary|possible)|could|might|may want|would be (?:good|nice|better|wise|useful)|worth \w+ing|consider(?:ing)?|recommended|advisable|advised|propos(?:es?|al)|suggest(?:s|ed)?|it is best|better to|keep an eye)\b"
    r"|\b(?:vielleicht|eventuell|evtl|ggf|gegebenenfalls|bei bedarf|falls (?:gewünscht|nötig)|könnte[n]?|wäre[n]? (?:gut|sinnvoll|besser|ratsam)|empfehlenswert|empfohlen|ratsam|sinnvoll|lohnt sich|im auge behalten)\b"
    r"|\b(?:peut-être|éventuellement|si besoin|pourrai(?:t|ent)|serait (?:bon|utile|bien|mieux|sage)|conseillée?s?|recommandée?s?|mieux vaut|penser à|garder un œil)\b"
    r"|\b(?:quizás?|tal vez|acaso|si (?:hace falta|procede)|podrían?|convendría|conviene|sería (?:bueno|mejor|útil)|recomendable|aconsejable|se (?:recomienda|aconseja|sugiere))\b"
    r"|\b(?:talvez|se (?:necessário|possível|quiser)|poderia[m]?|convém|conviria|seria (?:bom|melhor|útil)|recomendável|recomenda-se|aconselha-se|sugere-se)\b"
    r"|\b(?:forse|magari|eventualmente|se (?:serve|necessario)|potrebbe(?:ro)?|converrebbe|conviene|sarebbe (?:bene|meglio|utile)|consigliabile|si (?:consiglia|raccomanda))\b"
    r"|\b(?:misschien|eventueel|indien (?:nodig|gewenst)|zou(?:den)? (?:kunnen|goed zijn)|aan te raden|aanbevolen|może|ewentualnie|w razie potrzeby|warto|można by|zaleca się|kanske|eventuellt|kan vara bra)\b"
    r"|\b(?:возможно|может быть|при необходимости|по желанию|стоит|можно (?:бы|было бы)|было бы (?:хорошо|неплохо|полезно)|желательно|рекомендуется|советую|belki|gerekirse|istenirse|iyi olur|önerilir|olabilir|yararlı olur)\b"
    r"|也许|或许|可能|如有需要|必要时|最好|不妨|可以考虑|建议|かもしれ|必要なら|必要に応じ|とよい|ほうがよい|方がいい|が望ましい|おすすめ|推奨|아마|필요하면|필요시|좋겠|바람직|권장|추천|ربما|إن لزم|يفضل|يستحسن|يُنصح|शायद|ज़रूरत हो तो|बेहतर होगा|अच्छा होगा",
    re.I,
)
_APART: Final = sieve(
    r"\b(?:(?:set )?apart|separate(?:ly)?|on its own|elsewhere|out of scope|not (?:part of|in scope)|parked|deferred|postponed|put off|shelved|tracked|backlog|another (?:team|ticket|time|day))\b"
    r"|\b(?:separat|gesondert|getrennt|anderswo|außerhalb|zurückgestellt|vertagt|verschoben|aufgeschoben|geparkt|ein andermal)\b"
    r"|(?:^|[^\w])à part\b|\b(?:séparément|ailleurs|hors (?:périmètre|sujet|champ)|reportée?s?|remise?s? à plus tard|mise?s? de côté|une autre fois)\b"
    r"|\b(?:aparte|por separado|en otro (?:sitio|lugar|momento)|fuera d\w+ alcance|aplazad[oa]s?|pospuest[oa]s?)\b|(?:^|[^\w])à parte\b|\b(?:em separado|separadamente|fora d\w+ (?:âmbito|escopo)|adiad[oa]s?|noutra altura|outra hora)\b"
    r"|\b(?:a parte|separatamente|altrove|fuori (?:ambito|perimetro)|rimandat[oaie]|rinviat[oaie]|accantonat[oaie]|un['’]altra volta)\b|\b(?:afzonderlijk|los(?:staand)?|elders|buiten (?:scope|bereik)|uitgesteld|een andere keer|osobno|oddzielnie|poza zakresem|odłożon\w+|przełożon\w+|separat|för sig|utanför)\b"
    r"|\b(?:отдельн\w+|вне рамок|отложен\w*|перенес[её]н\w*|в другой раз|ayrı(?:ca)?|kapsam dışı|ertelen\w+|başka zaman)\b"
    r"|另行|另外|单独|分开处理|另案|推迟|延后|搁置|以后再|別途|別件|切り離|後回し|延期|対象外|따로|별도|보류|연기|나중에|على حدة|بشكل منفصل|منفصل|مؤجل|خارج النطاق|अलग|स्थगित|बाद में",
    re.I,
)
"""What is dealt with elsewhere, or at another time."""
_TICKET: Final = sieve(
    r"\b(?:tickets?|issue|case|jira|vorgang|dossier|incidencia|chamado|pratica|zaak|zgłoszenie|ärende|задач[аеи]|заявк[аеи]|тикет\w?|talep)\b|工单|チケット|課題|티켓|이슈|تذكرة|टिकट|(?<![\w-])(?-i:[A-Z]{2,10})-\d{1,6}(?![\w-])",
    re.I,
)
_REST: Final = sieve(
    r"\b(?:rest|remaining|remainder|others?|further|more|another|additional|restlich\w*|übrig\w*|weiter\w+|ander\w+|reste|autres?|restante?s?|suivante?s?|resto|demás|otr[oa]s?|outr[oa]s?|restantes?|altr[oaie]|rimanent[ei]|overige|rest(?:erende)?|andere|pozostał\w+|inn\w{1,3}|drug\w{1,3}|övriga|resten|остальн\w+|оставш\w+|друг\w+|kalan|diğer)\b|其余|剩余|剩下|其他|另一|残り|ほか|別の|나머지|다른|الباقي|باقي|الأخرى|बाकी",
    re.I,
)
"""Another part of what was done in part."""
_DAY: Final = sieve(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)s?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|segunda-feira|terça(?:-feira)?|quarta(?:-feira)?|quinta(?:-feira)?|sexta(?:-feira)?|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|poniedzia\w+|wtorek|wtorku|środ[aęy]|czwart\w+|piąt\w+|sobot\w+|niedziel\w+|måndag|tisdag|onsdag|torsdag|fredag|lördag|söndag|понедельник\w*|вторник\w*|сред[аыу]|четверг\w*|пятниц\w+|суббот\w+|воскресень\w+|pazartesi|salı|çarşamba|perşembe|cuma|cumartesi|pazar"
    r"|today|tomorrow|tonight|weekend|heute|morgen|wochenende|demain|aujourd['’]hui|mañana|hoy|amanhã|hoje|domani|oggi|vandaag|jutro|dziś|imorgon|завтра|сегодня|yarın|bugün|due|deadline|fällig|frist|échéance|plazo|vence|prazo|scadenza|termijn|termin|срок\w*)\b"
    r"|(?:周|星期|礼拜)[一二三四五六日天]|[月火水木金土日]曜|[월화수목금토일]요일|明天|今天|今晚|明日|今日|期限|截止|내일|오늘|기한|غد[اً]*|اليوم|يوم (?:الاثنين|الثلاثاء|الأربعاء|الخميس|الجمعة|السبت|الأحد)|कल|आज|(?:सोम|मंगल|बुध|गुरु|शुक्र|शनि|रवि)वार"
    r"|\b\d{1,2}[:.h]\d\d\b|\b\d{1,2} ?(?:am|pm|uhr|h)\b|\b(?:week|kw|semaine|semana|settimana|tydzień|недел\w|hafta) \d{1,2}\b|\d{1,2}[月点時]\d{0,2}",
    re.I,
)
_TELLS: Final = sieve(
    r"\b(?:is|are|was|were|will be|be|[’']s|[’']re) (?:still |already |currently )?(?:away|absent|off|out|ill|sick|on (?:holiday|leave|vacation)|back|suspected|assumed|likely|known|unknown|unclear|there|here|with)\b"
    r"|\b(?:suspected|assumed|presumed|vermutet|vermutlich|soupçonnée?s?|supposée?s?|sospechos\w+|se sospecha|suspeit\w+|sospett\w+|vermoed\w*|podejrzew\w+|misstänk\w+|предполож\w+|подозрева\w+)\b"
    r"|\b(?:ist|sind|bleibt|bleiben) (?:noch |wieder |derzeit )?(?:weg|abwesend|krank|verreist|unterwegs|da|im urlaub|in urlaub|auf reisen)\b"
    r"|\b(?:est|sont) (?:encore |toujours )?(?:absente?s?|en congés?|malades?|en vacances|là|de retour)\b|\b(?:está|están|estará) (?:fuera|ausente|de vacaciones|de baja|enferm\w+)\b"
    r"|\b(?:está|estão) (?:fora|ausente|de férias|de baixa|doente)\b|\b(?:è|sono) (?:via|assente|in ferie|malat\w|fuori)\b|\bis (?:weg|afwezig|ziek|op vakantie)\b|\b(?:на больничном|в отпуске|отсутствует|болеет)\b"
    r"|不在|休假|出差|请假|疑似|怀疑|休暇|出張|欠席|疑い|부재|휴가|의심",
    re.I,
)
"""What says how somebody or something is, and asks for nothing: *is away until Monday*, *a leak is suspected*."""
_PARTED: Final = late_pattern(r"[:：,，、;(（–—|]|\s-\s")
"""A sign that parts a thing from what is said of it."""
_IN_THE: Final = late_pattern(r"\bno (?=[A-ZÀ-Ý])")
"""`No Porto` denies nothing."""


def is_doubtful(text: str, *, is_cancelled: bool = False) -> bool:
    """Return whether a line may be there for something else than to have a task done that is over.

    The day of what was called off is its name.
    """
    text = text[:_MAX_CHARS]
    if _LABEL.search(text) or _HEDGED.search(text) or _APART.search(text) or _REST.search(text):
        return True
    if is_negated(_IN_THE.sub(" ", text)) or _TELLS.search(text):
        return True
    return not is_cancelled and _PARTED.search(text) is not None and _is_appointed(text)


def is_set_apart(text: str) -> bool:
    """Return whether a sentence says that something is dealt with elsewhere, or at another time."""
    return _APART.search(text[:_MAX_CHARS]) is not None


def _is_appointed(text: str) -> bool:
    """Return whether a line without a deed names the day that something is on, or where it is followed up."""
    if read_terms(text).deeds:
        return False
    return bool(_DAY.search(text) or _TICKET.search(text) or read_days(text))
