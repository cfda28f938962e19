"""How people put one value in the place of another, and how they set one aside."""

import re
from functools import lru_cache
from typing import Final

from hermes_sessions.facts.wording.sieves import any_case, sieve

_CHANGES: Final = sieve(
    r"\b(?:(?:let['’]?s )?make (?:it|that|this|the|them)|chang(?:e|ed|es|ing)|set (?:it |that |this )?to|instead|rather|rais(?:e|ed)|lower(?:ed)?|mov(?:e|ed)|switch(?:ed)?|bump(?:ed)?|go (?:to|with)|take|try|use|better|actually|now|updated?|adjust(?:ed)?|correct(?:ed|ion)?|reduc(?:e|ed)|increas(?:e|ed)|cut|postpon\w+|resched\w+|agreed to|no,|sorry|not but|wait"
    r"|setz\w*|stell\w* .{0,20}auf|genüg\w*|reich(?:t|en)|statt|lieber|doch|dann|nun|jetzt|nimm|änder\w*|geändert|umgestellt|erhöh\w*|senk\w*|gesenkt|verschieb\w*|verschoben|korrigier\w*|besser|sondern|erst|angepasst|möglich wäre"
    r"|prends|prenez|plutôt|finalement|change[rz]?|changé\w*|pass(?:e[rz]?|é\w*) à|ramen\w+|mets|mettez|maintenant|désormais|corrig\w+|modifi\w+|augment\w+|baiss\w+|repouss\w+|décal\w+|relev\w+"
    r"|bájal\w*|déjal\w*|mejor|cambi\w+|ahora|pon(?:lo|la)?|súbe\w*|sub(?:e|ido|imos)|baj(?:a|ado|amos)|actualizad\w+|ajust\w+|corrig\w+|espera|en realidad|salen"
    r"|põe|ponha|baixa|sobe|melhor|mud\w+|troc\w+|agora|alter\w+|atualiz\w+|ajust\w+|cort\w+|na verdade|passa para"
    r"|metti\w*|metta|meglio|cambia\w*|modific\w+|ora|adesso|port\w+ a|alza\w*|abbass\w+|anzi|piuttosto|aggiorn\w+|impost\w+ a|spost\w+"
    r"|maak er|zet|verander\w*|aangepast|gewijzigd|liever|wijzig\w*|nu|verplaats\w*|verhoog\w*|verlaag\w*"
    r"|лучше|измен\w+|помен\w+|теперь|подн(?:ими|ял)\w*|увелич\w+|сниз\w+|уменьш\w+|перен[её]с\w*|поставь|сделай|вместо|исправ\w+|обнов\w+|давай\w*"
    r"|ustaw\w*|będzie|zmie[nń]\w*|teraz|przesu\w+|podnie\w+|obniż\w+|ma być|lepiej"
    r"|değiştir\w*|alalım|yap\w*|yerine|artık|güncelle\w*|olsun|çek\w*)\b"
    r"|改|换|调|变更|提高|降低|增加|减少|延|现在|还是|変更|上げ|下げ|に(?:して|します)|代わり|やはり|바꾸|바꿔|바꿨|변경|대신|으로 해|조정|غيّر|غير|التعديل|تعديل|بدل|اجعل|فقط|बदल|कर दो|करो|अब",
    re.I,
)
"""Words of a clause that gives something another value."""
_ASIDE_BEFORE: Final = any_case(
    r"(?:\b(?:from|instead of|rather than|in place of|not|than|was|were|had been|formerly|previously|before|originally|initially|statt|anstatt|anstelle von|nicht|von|vom|war|waren|vorher|bisher|ursprünglich|au lieu de|pas|plutôt que|était|avant|initialement|en vez de|en lugar de|no|era|antes|em vez de|não|invece di|non|anziché|prima|вместо|не|было|был[аи]?|раньше|zamiast|nie|niet|in plaats van|was|değil)"
    r"(?: (?:the|at|on|to|by|of|for|about|den|der|die|das|dem|am|um|auf|le|la|les|el|los|las|o|a|os|as|il|lo|de|du|à|а|на|в|с|op|om|na|o))?|不是|从|由|原来是?|之前是?|以前|ليس|بدلا من)\s?[\"'`*«“$€£]?$",
    re.I,
)
_ASIDE_BEHIND: Final = any_case(
    r"^[^,.;:!?。，、；]{0,18}?(?:\b(?:is|are|was|were|seems?|would be|ist|wäre|war|est|es|é|è|sont|son|são|sono|это)\b[^,.;:!?。，、]{0,16}?\b(?:too|zu|trop|demasiad\w+|muy|muito|demais|troppo|слишком|много|мало|full|booked|taken|gone|wrong|off|over|cancel\w*|nichts|voll|belegt|falsch|complet|faux|lleno|mal|cheio|errad\w+|pieno|занят\w*)\b"
    r"|(?:是|就)?(?:太|冲突|和[^，。]{1,12}冲突|不行|错)|は(?:満席|無理|だめ|多|少|高|違)|ではなく|じゃなく|から|(?:이|가) 아니|değil\b|नहीं)",
    re.I,
)
_FORMER: Final = sieve(
    r"\b(?:was|were|before|former\w*|previous\w*|initial\w*|original\w*|at first|earlier|old|no longer|instead|rather|war|waren|vorher|zuvor|bisher|ursprünglich|früher|zunächst|anfangs|statt|anstatt|avant|ancien\w*|au lieu|initialement|était|d['’]abord|era|antes|anterior\w*|inicial\w*|en vez|en lugar|em vez|prima|invece|inizial\w*|было|был[аи]?|раньше|сначала|вместо|прежн\w+|wcześniej|zamiast|eerst|vroeger|önce|eski)\b|原|之前|不是|而是|当初|以前|ではなく|원래|처음|पहले|سابق",
    re.I,
)
"""How a clause tells what was before."""


@lru_cache(maxsize=20_000)
def replaces(text: str) -> bool:
    """Return whether a clause gives something another value, in words that say so."""
    return _CHANGES.search(text) is not None


def without_change_words(text: str) -> str:
    """Return *text* without the words that only say that something gets another value."""
    return _CHANGES.sub(" ", text)


def tells_former(text: str) -> bool:
    """Return whether a clause tells how something was before."""
    return _FORMER.search(text) is not None


def is_set_aside(value: str, text: str) -> bool:
    """Return whether *text* names *value* only to say that another one counts."""
    at = text.find(value)
    if at < 0:
        return False
    if _ASIDE_BEFORE.search(text[max(0, at - 30) : at]):
        return True
    return _ASIDE_BEHIND.match(text[at + len(value) : at + len(value) + 48]) is not None
