"""Words with which a sentence corrects another one, or says that something is another than before. Pure."""

from functools import lru_cache
from typing import Final

from hermes_sessions.compaction.economy.wording.correcting_words import corrected_pieces
from hermes_sessions.late_patterns import late_pattern

_LABEL: Final = late_pattern(
    r"(?i)^\W{0,3}(?:correction|corrected|update[ds]?|erratum|amend(?:ed|ment)?|korrektur|berichtigung|nachtrag|änderung"
    r"|rectification|rectificatif|corrigé|mise à jour|corrección|rectificación|corrijo|correzione|rettifica|errata"
    r"|correção|retificação|correctie|rectificatie|wijziging|poprawka|korekta|sprostowanie|поправка|исправление|уточнение"
    r"|düzeltme|rättelse|oprava)(?![\w-])"
    r"|^\W{0,3}(?:更正|订正|勘误|訂正|修正|정정|변경)"
)
"""How a correction begins."""

_CORRECTS: Final = late_pattern(
    r"(?i)\b(?:was wrong|were wrong|instead of|not .{1,40} but|i misread|i misspoke|scratch that|strike that|forget (?:the|what)|should (?:be|read|have been)"
    r"|gilt nicht mehr|sondern|statt|falsch|verlesen|vertan|doch (?:nicht|lieber)"
    r"|oubliez|au lieu d[eu]|et non|n['’]est plus|trompée?|en vez de|en lugar de|ya no|sino|equivoqué|olvida"
    r"|invece di|non più|dimentica|sbagliat[oa]|em vez de|já não|esqueç\w|enganei|in plaats van|niet meer|niet langer|vergeet"
    r"|zamiast|już nie|pomyłka|pomyliłem|вместо|больше не|ошибся|ошиблась|не .{1,40}, а)\b"
    r"|不再|而不是|不是.{1,20}(?:而是|，是)|说错|记错|弄错|ではなく|じゃなく|間違え|아니라|대신"
)

_CHANGE: Final = late_pattern(
    r"(?i)\b(?:now|from now on|as of|raised|lowered|increased|decreased|reduced|cut to|went (?:up|down)|goes (?:up|down|to)|rose|fell|moved|moves|changed|changes|switched|bumped|pushed back|brought forward|make (?:it|that|the)|new"
    r"|jetzt|nun|ab sofort|neuerdings|gestiegen|steigt|gesunken|sinkt|erhöht|gesenkt|verschoben|geändert|neu(?:er|e|es)?|umgestellt|wird"
    r"|désormais|maintenant|passe|passent|monte|baisse|augmente|diminue|reporté\w?|avancé\w?|modifié\w?|nouve(?:au|lle)"
    r"|ahora|queda|pasa|sube|baja|aumenta|cambia|se aplaza|nuev[oa]|agora|passou|passa|sobe|subiu|desce|desceu|mudou|adiad[oa]|nov[oa]"
    r"|adesso|ora|sale|scende|aumenta|cambia|passa|spostat[oa]|rinviat[oa]|nuov[oa]"
    r"|nu|voortaan|wordt|stijgt|daalt|verhoogd|verlaagd|verzet|verschoven|gewijzigd|nieuwe?"
    r"|teraz|odtąd|wzrósł|wzrosła|wzrosło|spadł|spadła|zmienion\w+|przesuni\w+|przełożon\w+|now[yae]"
    r"|теперь|отныне|вырос\w*|снизил\w+|повысил\w+|перенес\w+|измен\w+|стал[аои]?|нов(?:ый|ая|ое)"
    r"|artık|şimdi|yeni)\b"
    r"|改为|改成|改到|变成|变为|涨到|降到|升到|推迟到|提前到|现在|今后|起は|に変わり|に変更|になり|へ変更|に上が|に下が|今は|今後|이제|으로 변경|로 바뀌"
)

_SMALL: Final = frozenset(
    "the and for with from this that these those our your their its was were are has had have been being will "
    "would shall should can could may might must not but now then than what who whom whose which when where "
    "why how all any each every some such only just also too very more most less least correction corrected "
    "update amended instead make makes made set sets gave before after wrong per about into onto over under "
    "out off there here der die das den dem des ein eine einen einem einer und oder für mit von vom zum zur "
    "bei beim auf aus ist sind war waren wird werden wurde hat haben hatte nicht mehr nur auch noch doch jetzt "
    "nun statt sondern korrektur berichtigung gilt alte alter stand uns wir ihr ich sie man als wie wenn dass "
    "les des une est sont pour par sur avec dans aux que qui quoi pas plus désormais maintenant passe "
    "correction rectification oubliez valeur avant nous vous ils elle los las una uno para por con del que son "
    "está ahora queda pasa corrección sobre como más pero nos sus este esta gli della dello delle degli del "
    "alla allo nel nella per con che sono adesso ora passa correzione non più una uno come questo questa uma "
    "dos das pelo pela com para que são agora passou passa correção não mais como este esta seu sua het een "
    "van voor met naar bij aan uit zijn wordt niet meer nog ook correctie onze deze dit dat die jest się nie "
    "już tak jak dla przez przy poprawka teraz oraz jego jej ich ten tej tego это как для при про над под без "
    "или что где теперь поправка исправление нас вас они она оно его уже ещё".split()
)
_SMALL_PAIRS: Final = frozenset(
    (
        "です",
        "ます",
        "まし",
        "した",
        "ので",
        "から",
        "まで",
        "に変",
        "変わ",
        "わり",
        "りま",
        "更正",
        "訂正",
        "现在",
        "我们",
        "你们",
        "改为",
        "改成",
        "하는",
        "니다",
        "습니",
    )
)


@lru_cache(maxsize=16_384)
def corrects(text: str) -> bool:
    """Return whether a sentence says that it corrects another one."""
    return (
        _LABEL.search(text) is not None or _CORRECTS.search(text) is not None or bool(corrected_pieces(text))
    )


@lru_cache(maxsize=16_384)
def says_change(text: str) -> bool:
    """Return whether a sentence says that something is another than before."""
    return _CHANGE.search(text) is not None


def closed_class(word: str) -> bool:
    """Return whether a word in small letters, or two signs, say nothing of what a sentence is about."""
    return word in _SMALL or word in _SMALL_PAIRS
