"""Choices told by who made them: "per your choice", "we landed on", "the outcome of the call:". Pure.

The wordings of facts know what speakers decide. An assistant tells what somebody decided, and names who:
a word for a choice, with its owner before it or a person as its subject; or the choice is a label.
"""

import re
from typing import Final

from hermes_sessions.facts.wording.heads import fold_case
from hermes_sessions.facts.wording.words import UNDECIDED
from hermes_sessions.late_patterns import late_pattern

_CHOICE: Final = r"(?:choice|vote|call|decision|preference|verdict|wish|instructions?|ruling|agreement|conclusion|outcome|say-so|pick)"
_WAHL: Final = r"(?:wahl|votum|abstimmung|entscheidung|beschluss|wunsch|vorgabe|absprache|einigung|ansage)"
_CHOIX: Final = r"(?:choix|vote|décision|préférence|souhait|consigne|verdict|accord)"
_OPCION: Final = r"(?:elección|voto|votación|decisión|preferencia|acuerdo|deseo|scelta|decisione|preferenza|accordo|escolha|decisão|preferência|acordo|votação)"
_CHOSEN: Final = late_pattern(
    # whose choice it was, before what follows from it
    rf"\b(?:your|our|their|his|her|the \w+['’]s|[A-ZÀ-Þ][\w-]+['’]s?) (?:\w+ ){{0,2}}{_CHOICE}\b[^.?!]{{3,}}"
    rf"|\b(?:nach|laut|gemäß|auf|wegen|durch) (?:eure[rmn]?|deine[rmn]?|unsere[rmn]?|ihre[rmn]?|der|dem|[A-ZÀ-Þ]\w+s) (?:\w+ )?{_WAHL}\b[^.?!]{{3,}}"
    rf"|\b(?:selon|suivant|après|vu|d['’]après) (?:votre|ton|ta|notre|leur|le|la) {_CHOIX}\b[^.?!]{{3,}}"
    rf"|\b(?:según|tras|por|conforme a|secondo|dopo|per|segundo|após|conforme) (?:tu|su|vuestra?|nuestr[oa]|la|el|il|a|o|(?:la )?(?:tua|vostra|nostra|sua|nossa)) {_OPCION}\b[^.?!]{{3,}}"
    # who chose
    r"|\b(?:we|you|you (?:both|all|two)|both of (?:us|you)|they|the (?:team|board|group|owners?|council|committee)|everyone|[A-Z]\w+ and (?:you|I|[A-Z]\w+)) (?:(?:have|has|had|all|both|just|then|finally|now) ){0,2}"
    r"(?:landed on|concluded(?: that)?|picked|chose|voted (?:for|to|that)|prefer(?:red)?|opted (?:for|to)|ruled (?:that|out)|came down on|want(?:ed)? it|went for)\b"
    r"|\b(?:wir|ihr|du|das team|der vorstand) (?:haben |habt |hast |hat )(?:\S+ ){1,12}?(?:gewählt|abgestimmt|geeinigt|festgelegt|ausgesucht)\b"
    r"|\b(?:nous avons|vous avez|on a|l['’]équipe a) (?:\S+ ){0,2}?(?:choisi|voté|tranché|convenu|retenu|opté)\b"
    r"|\b(?:hemos|habéis|han|el equipo ha) (?:elegido|votado|acordado|optado|escogido)\b|\b(?:abbiamo|avete|hanno) (?:scelto|votato|concordato|optato)\b"
    # what was taken, and what was given up for it
    r"|\bva pour \w[^.?!]{2,}|\b(?:i|we)(?:['’]ve| have)? (?:dropped|discarded|rejected) \S+(?: \S+)? (?:since|because|as|for|in favou?r)\b"
    r"|\bj['’]ai (?:écarté|abandonné) \w|\b(?:habe ich|ich habe) (?:\S+ ){1,3}verworfen\b|\bhe descartado \w|\bho scartato \w|\bdescartei \w"
    r"|\blieber \S+(?: \S+){0,2} als \S+(?: \S+){0,2}, (?:jedenfalls|zumindest)\b|\blet['’]s not reopen (?:this|that)\b|\bnous ne rouvrons pas\b"
    r"|^\W{0,3}[\w+.-]+(?: [\w+.-]+){0,2} it is (?:for|then)\b|我放弃了"
    r"|\bloses?, (?:\S+ ){1,4}wins?\b|\bverliert, (?:\S+ ){1,4}gewinnt\b|\beveryone (?:at|in|on) the \w+ (?:preferred|chose|wanted|voted)\b"
    # the choice as a label
    rf"|^\W{{0,3}}(?:the |so |our )?{_CHOICE}(?: (?:of|on|from|about|for|at) [^:]{{2,40}})?:\s?\S|^\W{{0,3}}(?:die |unsere )?{_WAHL}(?: [^:]{{2,40}})?:\s?\S"
    rf"|^\W{{0,3}}(?:le |la |notre )?{_CHOIX}(?: [^:]{{2,40}})?\s?:\s?\S|^\W{{0,3}}(?:el |la |il )?{_OPCION}(?: [^:]{{2,40}})?:\s?\S"
    r"|\b(?:выбрали|решили|договорились|проголосовали)\b|(?:选定|选了|投票决定|商定|拍板)|(?:に決定|を選び|で合意)|(?:선택했|결정했|합의했)",
    re.I,
)  # fmt: skip
_NONE_YET: Final = late_pattern(
    r"\b(?:if|whether|unless|once|until|before|when|awaiting|waiting for|need|pending|no (?:decision|vote)|falls|wenn|ob|bis|si|se|cuando|quando|если|когда|нет)\b|不|没|まだ|아직",
    re.I,
)

WISH: Final = late_pattern(
    r"(?i)\b(?:(?:can|could|would|will) (?:you|we)|please|pls|bitte|kannst|könntest|s['’]il (?:te|vous)|peux|pouvez|por favor"
    r"|puedes|podrías|puoi|per favore|pode|podes|need you|want you|i['’]d like|let me)\b|请|帮|してください|주세요|пожалуйста"
    r"|^\W{0,3}(?:(?:ok|okay|and|so|now|then|also|well|hm+|yes|no)\b\W{1,3}){0,2}(?:have (?:a|another) look|take (?:a|another) look|look|check|see|show|explain|tell|go|continue|carry on|try|keep going|start|finish"
    r"|schau|sieh|zeig|erkläre?|prüfe?|mach weiter|regarde[zs]?|montre[zs]?|continue[zs]?|mira|muestra|sigue|guarda|mostra|continua|veja|olha|посмотри|покажи|продолж)\b|再看|看一下|继续"
)  # fmt: skip
"""What is wished for in words of politeness, wherever it stands in a sentence."""


_CHOSEN_SIGNS: Final = (
    "loses, ", "lose, ", "verliert, ", "everyone ",    "va pour", "dropped", "discarded", "rejected", "écarté", "abandonné", "verworfen", "descart", "scartato", "lieber", "reopen", "rouvr", "it is for", "it is then", "放弃",
    "choi", "vote", "call", "decision", "preference", "verdict", "wish", "instruction", "ruling", "agreement", "conclusion", "outcome",
    "say-so", "pick", "wahl", "votum", "abstimmung", "entscheidung", "beschluss", "wunsch", "vorgabe", "absprache", "einigung", "ansage",
    "décision", "préférence", "souhait", "consigne", "accord", "elección", "voto", "votación", "decisión", "preferencia", "acuerdo",
    "deseo", "scelta", "decisione", "preferenza", "escolha", "decisão", "preferência", "acordo", "votação", "landed on", "concluded",
    "chose", "prefer", "opted", "ruled", "came down on", "want", "went for", "gewählt", "abgestimmt", "geeinigt", "festgelegt", "ausgesucht",
    "choisi", "voté", "tranché", "convenu", "retenu", "opté", "elegido", "votado", "acordado", "optado", "escogido", "scelto", "votato",
    "concordato", "optato", "выбрали", "решили", "договорились", "проголосовали", "选定", "选了", "投票决定", "商定", "拍板", "に決定",
    "を選び", "で合意", "선택했", "결정했", "합의했",
)  # fmt: skip
"""One of them, in small letters, is in everything that `_CHOSEN` matches."""


def tells_a_choice(text: str) -> bool:
    """Return whether a sentence tells what was chosen, and by whom; not one that waits for a choice."""
    small = fold_case(text)
    if not any(sign in small for sign in _CHOSEN_SIGNS):
        return False
    found = _CHOSEN.search(text)
    return found is not None and not _NONE_YET.search(text[: found.end()]) and not UNDECIDED.search(text)
