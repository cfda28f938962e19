"""What a sentence demands: a ban, a limit, a duty, or leave; in the languages that are read."""

import re
from enum import Flag, auto
from functools import lru_cache
from typing import Final

from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.late_patterns import late_pattern


class Modality(Flag):
    """What a sentence demands of whoever reads it; several may hold."""

    NONE = 0
    BAN = auto()
    LIMIT = auto()
    DUTY = auto()


_BAN: Final = sieve(
    r"\b(?:never|not|n't|n’t|no|nobody|nothing|none|forbidden|prohibited|banned|off[- ]limits|hands off|left alone|leave\b.{1,40}\balone|untouched|avoid|without|freeze)\b|n['’]t\b|\bdont\b|\b(?:nie|niemals|nicht|nichts|keine?[nmrs]?|verboten|keinesfalls|ohne|tabu|finger)\b"
    r"|\b(?:jamais|pas|aucune?|rien|interdit\w*|sans|nul)\b|\b(?:nunca|jamás|no|ning[uú]n\w*|prohibid\w+|sin|nada|evita\w*)\b|\b(?:não|nunca|proibid\w+|sem|jamais)\b|\b(?:non|mai|vietat\w|senza)\b"
    r"|\b(?:nooit|geen|niets|niemand|zonder|nigdy|żad\w+|nikt|zabroni\w+|zakaz\w*|asla|yasak\w*|hiçbir)\b"
    r"|\b(?:не|нельзя|никогда|запрещ\w+|без|ничего|никому|покое|запрет\w*)\b|不要|不得|不应|不该|禁止|不能|不许|切勿|绝不|绝对不|严禁|请勿|勿|未经|不可|不准|别|ないで|ないこと|ないよう|禁|なしに|いけ|ダメ|せず|지 마|금지|안 됩|면 안|لا |ممنوع|يمنع|बिना|नहीं|मत ",
    re.I,
)
_LIMIT: Final = sieve(
    r"\b(?:only|at most|no more than|maximum|max\.?|cap(?:ped)?|limit(?:ed)?|under|below|within|exceed\w*|over|above|until|unless|before|without|read-only|needs?|requires?|less than|up to)\b"
    r"|\b(?:nur|höchstens|maximal|bis|erst|ohne|vor|schreibgeschützt|überschreit\w*|über|unter)\b|\b(?:uniquement|seulement|au maximum|pas plus|avant|jusqu\w*|sans|lecture seule|dépass\w*|exclusivement|qu['’])"
    r"|\b(?:braucht|brauchen|erforder\w*|nécessit\w*|exige\w*|precisa\w*|requer\w*|necesita\w*|requiere\w*|richied\w*|нуж(?:е?н|н\w+)|требу\w+)\b|才可|方可|必要"
    r"|\b(?:solo|sólo|únicamente|como máximo|hasta|antes|sin|solo lectura|somente|apenas|no máximo|até|sem)\b|\b(?:только|не более|максимум|до|без|превыш\w*|свыше)\b|最多|只能|只读|不超过|不得超过|之前|仅|上限|以内|のみ|だけ|まで|以下|読み取り専用|만|까지|فقط|حتى|केवल",
    re.I,
)
_DUTY: Final = sieve(
    r"\b(?:always|must|required?|requires?|has to|have to|needs?|mandatory|make sure|ensure)\b|\b(?:immer|muss|müssen|stets|unbedingt)\b|\b(?:toujours|doit|doivent|obligatoire\w*|il faut)\b|\b(?:siempre|debe\w*|obligatori\w+|sempre|deve\w*)\b"
    r"|\b(?:всегда|обязательно|долж\w+)\b|必须|务必|一律|必ず|必須|なければ|반드시|항상|يجب|دائما",
    re.I,
)
LEAVE: Final = sieve(
    r"\b(?:you (?:may|can|are allowed to|are free to|have my (?:ok|approval|permission))|(?:it is|it's|is|are|now) (?:ok|okay|fine|allowed|permitted)|go ahead|i approve|approved|lifted|no longer|any ?more|is over|are over|ended|forget|ignore|drop|cancel|scrap|never mind|disregard|rule is gone|not needed any)\b"
    r"|\b(?:darfst|dürft|könnt|kannst|erlaubt|aufgehoben|freigegeben|genehmigt|gilt nicht mehr|nicht mehr|vergiss|hinfällig|vorbei|ist okay|ist ok)\b|\b(?:tu peux|vous pouvez|autorisée?s?|levée?s?|n['’]est plus|ne s['’]applique plus|oublie|oubliez|annule)"
    r"|\b(?:ya puedes|puedes|podéis|permitid\w+|levantad\w+|ya no|olvida|ignora|pode[sm]?|liberad\w+|não vale mais|esqueça|puoi|potete|non vale più|dimentica)\b|\b(?:можно|можешь|можете|разрешаю|разреш\w+|отмен\w+|снят\w*|больше не|забудь\w*)\b"
    r"|可以|允许|不再|解除|取消|忘掉|作废|ても(?:いい|よい|構)|解除|もう|忘れ|取り消|해도 (?:돼|됩)|يمكنك|رفع|لم يعد",
    re.I,
)
"""Words that give leave, or take a rule back."""

RULES_HEADING: Final = late_pattern(
    r"\b(?:rules?|constraints?|do not|don'?ts?|never|forbidden|prohibited|restrictions?|boundaries|limits|polic(?:y|ies)|must not)\b|regeln|verbote|vorgaben|einschränk|règles|contraintes|interdi|reglas|restricci|prohib|regras|restriç|правил|ограничен|запрет|规则|约束|禁止|限制|ルール|制約|禁止事項|규칙|제약",
    re.I,
)
"""A heading whose items are rules, without a modal word of their own."""


@lru_cache(maxsize=20_000)
def read_modality(text: str) -> Modality:
    """Return what *text* demands."""
    found = Modality.NONE
    for shape, modality in ((_BAN, Modality.BAN), (_LIMIT, Modality.LIMIT), (_DUTY, Modality.DUTY)):
        if shape.search(text):
            found |= modality
    return found


def may_ban(text: str) -> bool:
    """Return whether `read_modality` may find a ban in a part of *text*."""
    return _BAN.may_be_in(text)


def is_same_demand(one: Modality, other: Modality) -> bool:
    """Return whether two sentences about one thing demand the same.

    Bans and limits are one family; *only in French* and *must be in French* are one, too.
    """
    return _SAME[one.value][other.value]


def _is_same(one: Modality, other: Modality) -> bool:
    strict = Modality.BAN | Modality.LIMIT
    if one & strict and other & strict:
        return True
    positive = Modality.LIMIT | Modality.DUTY
    return bool(one & positive and other & positive) and not (one | other) & Modality.BAN


_ALL: Final = tuple(map(Modality, range(8)))
_SAME: Final = tuple(tuple(_is_same(one, other) for other in _ALL) for one in _ALL)
"""The answer for each two: rules are held against every sentence of a handoff."""
