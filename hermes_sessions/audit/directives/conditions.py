"""Conditions that hold as long as the work does: `Flights must leave before 10:00` is never finished."""

import re
from typing import Final

from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.late_patterns import late_pattern

_MODAL: Final = late_pattern(
    r"(?<=\w )(?:must|may|has to|have to|should|cannot|can only|muss|müssen|darf|dürfen|sollen?|doit|doivent|peut|peuvent|debe[nr]?|puede[n]?|tienen? que|deve[mr]?|devono|pode[m]?|può|possono|долж(?:ен|на|но|ны)|мо[жг]\w+|нельзя)\b"
    r"|(?<=[\u3040-\u9fff])(?:必须|只能|不能|不得|なければ|てはいけ|てはなら)|(?<=[가-힣] ).{1,12}(?:해야|안 된다|안 됩니다)",
    re.I,
)
_LIMIT: Final = late_pattern(
    r"\b(?:before|after|until|by \d|at (?:least|most)|no (?:more|later|earlier|less)|only|never|not|under|over|within|between|vor|nach|bis|höchstens|mindestens|nur|nie|nicht|kein\w*|avant|après|au (?:plus|moins)|seulement|jamais|pas|antes|después|hasta|máximo|mínimo|solo|sólo|nunca|no|até|depois|apenas|não|entro|prima|dopo|non|до|после|не|только)\b|前|后|後|以内|まで|超过|超え|만|까지",
    re.I,
)
_DUE: Final = late_pattern(
    r"\b(?:(?:not|no) later|at the latest|not before|nicht später|spätestens|nicht vor|au plus tard|pas (?:plus tard|avant)|a más tardar|no (?:más tarde|antes)|mais tardar|não antes|al più tardi|non (?:più tardi|prima)|не (?:позже|позднее|раньше))\b|不晚于|不早于|最晚|遅くとも|늦어도",
    re.I,
)
"""A limit in time that is said without a verb."""
_ASKED: Final = late_pattern(
    r"\b(?:I|we|you|ich|wir|du|ihr|je|nous|tu|vous|yo|nosotros|eu|nós|io|noi|я|мы|ты|вы)\b"
    r"|\bbe \w{3,}(?:ed|en|t|ne|de|wn)\b|\b\w*(?:ge\w{2,}(?:t|en)|(?:be|er|ver|ent|zer)\w{3,}(?:t|en)|iert)\b[^.;]{0,12}\bwerden\b|\bêtre \w+(?:é|i|u|is|it)e?s?\b|\b(?:ser|estar) \w+[ai]d[oa]s?\b|\bessere \w+t[oaie]\b|\bбыть \w+н[аоы]?\b|\b(?:нужно|надо)\b",
    re.I,
)
"""Who has to do it, or that it has to be done by somebody."""
_LATIN: Final = late_pattern(r"[^\W\d_\u2e80-\ud7ff]{2}")


def is_condition(text: str) -> bool:
    """Return whether a line says what must hold of something, rather than what somebody has to do."""
    if _ASKED.search(text):
        return False
    if _DUE.search(text) and not read_terms(text).deeds:
        return True
    if _MODAL.search(text) is None or _LIMIT.search(text) is None:
        return False
    return _LATIN.search(text) is not None or not read_terms(text).deeds
