"""What in a tool's result is put up for people to read: a notice, a memo, house rules, a letter."""

import re
from typing import Final

from hermes_sessions.facts.gates import Gate, Opened, gate
from hermes_sessions.late_patterns import late_pattern

_HEADS: Final = {
    "notice": r"notices?",
    "memo": r"memo(?:randum)?s?",
    "rules": r"(?:house |ground )?rules",
    "circular": r"circulars?",
    "bulletin": r"bulletins?",
    "reminder": r"reminders?",
    "announcement": r"announcements?",
    "message from": r"messages? from",
    "note from": r"note (?:from|to|for)",
    "policy": r"polic(?:y|ies)",
    "instructions": r"(?:standing )?instructions",
    "aushang": r"aushang",
    "ordnung": r"\w*ordnung",
    "rundschreiben": r"rundschreiben",
    "mitteilung": r"mitteilung\w*",
    "bekanntmachung": r"bekanntmachung",
    "hinweis": r"hinweise?",
    "dienstanweisung": r"dienstanweisung",
    "regeln": r"\w*regeln",
    "avis": r"avis",
    "note de service": r"notes? de service",
    "consigne": r"consignes?",
    "règlement": r"règlement(?: \w+)?",
    "communiqué": r"communiqué",
    "affiche": r"affich\w+",
    "aviso": r"avisos?",
    "circulaire": r"circulaire",
    "normas": r"normas(?: de la casa)?",
    "comunicado": r"comunicado",
    "reglamento": r"reglamento",
    "nota interna": r"nota interna",
    "regras": r"regras(?: da casa)?",
    "regulamento": r"regulamento",
    "avviso": r"avvis[oi]",
    "circolare": r"circolare",
    "regolamento": r"regolamento",
    "comunicazione": r"comunicazion[ei]",
    "regole": r"regole",
    "mededeling": r"mededelingen?",
    "huisregels": r"huisregels",
    "bericht van": r"bericht van",
    "kennisgeving": r"kennisgeving",
    "ogłoszenie": r"ogłoszeni[ea]",
    "regulamin": r"regulamin",
    "komunikat": r"komunikat",
    "okólnik": r"okólnik",
    "zasady": r"zasady",
    "uwaga": r"uwaga",
    "объявлени": r"объявлени[ея]",
    "правила": r"правила",
    "памятка": r"памятка",
    "распоряжени": r"распоряжени[ея]",
    "внимани": r"внимани[ею]",
    "お知らせ": r"お知らせ",
    "規則": r"\w*規則",
    "掲示": r"掲示",
    "注意事項": r"注意事項",
    "通達": r"通達",
    "通知": r"通知",
    "规定": r"\w*规定",
    "公告": r"公告",
    "告示": r"告示",
    "须知": r"\w*须知",
    "规则": r"\w*规则",
}
_LETTERS: Final = {
    "from:": r"from",
    "from :": r"from",
    "to:": r"to",
    "subject:": r"subject",
    "von:": r"von",
    "an:": r"an",
    "betreff:": r"betreff",
    "de :": r"de",
    "de:": r"de",
    "objet": r"objet",
    "asunto": r"asunto",
    "assunto": r"assunto",
    "da:": r"da",
    "oggetto": r"oggetto",
    "van:": r"van",
    "onderwerp": r"onderwerp",
    "od:": r"od",
    "temat:": r"temat",
    "от:": r"от",
    "тема:": r"тема",
    "差出人": r"差出人",
    "件名": r"件名",
    "发件人": r"发件人",
    "主题": r"主题",
}

NOTICE_WORDS: Final[Gate] = gate(*_HEADS, *_LETTERS)
_HEAD: Final = late_pattern(
    rf"\W{{0,4}}(?:(?:[\w'’]+ ){{0,4}}?(?:{'|'.join(_HEADS.values())})(?!\w)[^.!?。\n]{{0,50}}?(?:[:：]|(?= [–—-] )|$)|(?:{'|'.join(_LETTERS.values())}) ?[:：] ?\S)",
    re.I | re.M,
)
_MAX_CHARS: Final = 2_500
_MAX_PROSE_CHARS: Final = 600
_NO_PROSE: Final = late_pattern(
    r"[{}<>=|\\`$\[\]]|https?:|\w\(\)|^\s*(?:[-*#]|\d+[.:)]|//)|::|\d:\d\d:\d|^\s*\w+: ", re.M
)
_PROSE_END: Final = late_pattern(r"[.!。！”\"»]\s*$")


def is_headed(text: str, opened: Opened) -> bool:
    """Return whether *text* begins like a notice, a memo or a letter."""
    if NOTICE_WORDS not in opened or len(text) > _MAX_CHARS:
        return False
    return _HEAD.match(text.lstrip().partition("\n")[0][:100]) is not None


def is_plain_word(text: str) -> bool:
    """Return whether *text* is a few sentences of plain prose, as somebody leaves them for others."""
    if not 12 <= len(text) <= _MAX_PROSE_CHARS or _NO_PROSE.search(text):
        return False
    return all(_PROSE_END.search(line) for line in text.split("\n") if line.strip())
