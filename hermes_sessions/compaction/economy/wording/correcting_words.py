"""The words of which a correction is made, beside the thing and its values: closed classes. Pure.

*Correction about Wick pump station: it is 17:50, not 21:10*: what is left between such words is the thing,
the new value and, where it is told, the old one.
"""

from functools import lru_cache
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_CORRECTS: Final = late_pattern(
    r"(?i)\b(?:correction|corrected|has changed|have changed|forget what|misread|mis-?heard|mis-?typed|mixed up|make (?:that|it)|mistake|mistaken|wrong"
    r"|sorry|actually|instead|no longer|now|rather|scratch that|should (?:be|read|have been)|not"
    r"|korrektur|korrigiere|berichtigung|statt|jetzt|nun|nicht mehr|sondern|doch|verlesen|vertan|verschrieben|geirrt|falsch|entschuldigung|eigentlich"
    r"|corrijo|corrección|ahora|ya no|perdón|perdona|en realidad|equivoqué|me he equivocado|en vez de|sino"
    r"|rectification|correction|désormais|maintenant|en fait|plutôt|trompée?|erreur|pardon|au lieu d[eu]|et non"
    r"|correzione|correggo|adesso|scusa|scusate|in realtà|sbagliat[oa]|invece di|bensì|e non"
    r"|correção|corrijo|agora|desculpa|desculpe|na verdade|enganei|em vez de|não"
    r"|исправление|поправка|теперь|извини|извините|на самом деле|ошибся|ошиблась|вместо)\b"
    r"|更正|改为|改成|不再是|不是|其实|说错|記錯|记错|写错|看错|应该是|訂正|今は|정정"
)
_BETWEEN: Final = late_pattern(
    r"(?i)(?<![\w'’-])(?:the|a|an|correction|corrected|about|on|for|with|to|as|it|is|are|was|were|be|been|has|have|had|changed|forget|what|we|i|you|said|told|wrote|right|one"
    r"|misread|misheard|mis-heard|mistyped|mixed|up|my|notes?|make|made|that|this|mistake|mistaken|wrong|sorry|actually|instead|no|longer|now|rather|than|scratch|should|read|not|but|oh|wait|please"
    r"|korrektur|korrigiere|berichtigung|zu|zum|zur|bei|beim|für|gilt|statt|jetzt|nun|nicht|mehr|sondern|doch|ich|habe|hatte|mich|verlesen|vertan|verschrieben|geirrt|falsch|richtig|entschuldigung|eigentlich"
    r"|es|sind|ist|der|die|das|dem|den|des|war|waren|von"
    r"|corrijo|corrección|lo|con|para|sobre|ya|vale|ahora|perdón|perdona|en|realidad|equivoqué|me|he|equivocado|vez|sino|son|era|eran|el|la|los|las"
    r"|rectification|pour|et|non|c|c['’]est|est|désormais|maintenant|fait|plutôt|je|suis|trompée?|erreur|pardon|au|lieu|du|le|les|ce"
    r"|correzione|correggo|per|adesso|scusa|scusate|realtà|sbagliat[oa]|mi|sono|invece|bensì|il|è|e"
    r"|correção|sobre|agora|desculpa|desculpe|na|verdade|enganei|em|não|mas|são|é|o|os|as"
    r"|исправление|поправка|теперь|извини|извините|на|самом|деле|ошибся|ошиблась|вместо|не|а|это)(?![\w'’-])"
    r"|更正|改为|改成|不再是|不是|应该是|其实|说错了?|记错了?|写错了?|看错了?|现在|訂正|今は|정정|(?:^|(?<=[，,。；]))是"
    r"|[,;:!?()\"«»“”—–：，。；！？]+(?=\s|$)|[：，。；！？]|(?<!\d)\.(?=\s|$)|\.$|\s[-–—]\s"
)
_GIVES_UP: Final = late_pattern(
    r"(?:\b(?:not|instead of|rather than|no longer|statt|anstatt|nicht(?: mehr)?|en vez de|ya no(?: vale)?|et non|au lieu d[eu]|pas"
    r"|invece di|e non|em vez de|e não|вместо|а не)(?: the| der| die| das| den| le| la| el)?|不再是|不是)\s?$"
)
_HAN: Final = late_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MOST_CHARS: Final = 160
_MOST_PIECES: Final = 3
_LEAST_WORDS: Final = 2
_LEAST_HAN: Final = 3


@lru_cache(maxsize=65_536)
def corrected_pieces(text: str) -> tuple[str, ...]:
    """Return what a correction has besides its own words: a thing and one value or two; () for others."""
    if len(text) > _MOST_CHARS or text.rstrip()[-1:] in "?？" or not _CORRECTS.search(text):
        return ()
    pieces = tuple(piece for part in _BETWEEN.split(text.lower()) if (piece := " ".join(part.split())))
    return pieces if 1 < len(pieces) <= _MOST_PIECES and any(map(names, pieces)) else ()


def names(piece: str) -> bool:
    """Return whether a piece is long enough to be the name of a thing."""
    if any(char.isdigit() for char in piece):
        return False
    return len(piece.split()) >= _LEAST_WORDS or len(_HAN.findall(piece)) >= _LEAST_HAN


def is_given_up(piece: str, text: str) -> bool:
    """Return whether a text in small letters says that a piece is the old value: *not 21:10*."""
    at = text.rfind(piece)
    return at >= 0 and _GIVES_UP.search(text[max(0, at - 24) : at].rstrip("\"'«“„ ") + " ") is not None


def stands_in(piece: str, text: str) -> bool:
    """Return whether a piece stands in a text in small letters, as words of their own."""
    start = text.find(piece)
    while start >= 0:
        end = start + len(piece)
        bound = _HAN.match(piece[0]) or not (
            text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()
        )
        if bound:
            return True
        start = text.find(piece, start + 1)
    return False
