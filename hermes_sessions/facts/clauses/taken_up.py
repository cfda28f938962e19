"""How somebody takes up what they were told, in the languages that are read."""

import re
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_WORDS: Final = (
    r"understood|noted|got it|gotcha|acknowledged|will do|roger(?: that)?|agreed|right|okay|ok|sure(?: thing)?|fine|of course|certainly|absolutely|copy that|fair enough|very well|all right|alright|message received|duly noted|makes sense|so noted",
    r"verstanden|notiert|(?:ist )?(?:notiert|vermerkt|gemerkt)|alles klar|in ordnung|gut|okay|klar|abgemacht|einverstanden|geht klar|jawohl|gern|gerne|mach ich|wird gemacht|natürlich|selbstverständlich|schon klar|merke ich mir|in ordnung",
    r"compris|noté|c['’]est noté|entendu|bien entendu|bien reçu|d['’]accord|c['’]est (?:compris|entendu|clair)|très bien|parfait|bien sûr|je note|pris note|ça marche|reçu|bien compris",
    r"entendido|anotado|de acuerdo|vale|queda (?:anotado|apuntado)|apuntado|tomo nota|claro|perfecto|muy bien|por supuesto|conforme|comprendido|recibido",
    r"entendi|anotado|certo|combinado|registado|registrado|fica (?:anotado|registado|combinado)|está bem|tudo bem|claro|muito bem|perfeito|de acordo|percebido|compreendido|tomei nota",
    r"capito|annotato|ricevuto|d['’]accordo|segnato|va bene|inteso|preso nota|me lo segno|certo|chiaro|perfetto|benissimo|appuntato|ho capito|certamente",
    r"begrepen|genoteerd|prima|oké|akkoord|goed|duidelijk|afgesproken|komt voor elkaar|is goed|in orde|helder|zeker|natuurlijk|doe ik",
    r"rozumiem|zrozumiałem|zrozumiałam|zanotowane|zanotowałem|zanotowałam|jasne|dobra|dobrze|w porządku|przyjęte|przyjąłem|zapisane|oczywiście|zgoda|umowa|zapamiętam",
    r"понял|поняла|понятно|принято|принял|приняла|хорошо|ясно|ладно|записал|записала|записано|договорились|учту|учтено|так точно|конечно|запомнил|запомнила|согласен|согласна",
    r"anladım|anlaşıldı|not ettim|tamam",
    r"明白(?:了)?|好的?|收到|了解|记下了|知道了|行|没问题|记住了|遵命",
    r"了解(?:しました|です|いたしました)?|承知(?:しました|です|いたしました)?|かしこまりました|分かりました|わかりました|はい|心得ました|メモしました|記録しました|了承しました|畏まりました",
    r"알겠습니다|네|확인했습니다",
)
ACKNOWLEDGED: Final = late_pattern(
    rf"^\W{{0,3}}(?:{'|'.join(_WORDS)})(?:,? (?:thanks|thank you|danke|merci|gracias|obrigado|obrigada|grazie|dank je|dzięki|спасибо))?(?:[,.:;!–—。，、：！-]| ?[:;]|\s[–—-])\s?(?=\S)",
    re.I,
)
"""What follows is what somebody was told."""

ONLY_ACKNOWLEDGED: Final = late_pattern(
    rf"^\W{{0,3}}(?:{'|'.join(_WORDS)})(?:,? [\w'’]+){{0,2}}[.!。！]?$", re.I
)
"""A sentence that says no more than that: what follows it is what somebody was told."""
