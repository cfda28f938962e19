"""Words of two states that exclude each other for one thing at one time, in the languages that are read. Values only."""

import re
from typing import Final

from hermes_sessions.audit.words.sides import SIDES
from hermes_sessions.late_patterns import late_pattern

_ENDED: Final = (
    r"\b(?:succe(?:eds?|eded|ssful\w*)|pass(?:es|ed|ing)?|green|accept(?:s|ed)|approv(?:es|ed)|grant(?:s|ed)|went through|goes through|merged|valid|works|erfolgreich|bestanden|genehmigt|bewilligt|angenommen|akzeptiert|zugesagt|durchgelaufen|gelungen|funktioniert|gültig"
    r"|réussi\w*|accepté\w*|approuvé\w*|accordé\w*|validé\w*|valide|exitos\w+|aprobad\w+|aceptad\w+|concedid\w+|funciona|válid[oa]|aprovad\w+|aceit[oa]s?|riuscit\w+|accettat\w+|approvat\w+|concess\w+|geslaagd|goedgekeurd|geaccepteerd|успешн\w+|одобрен\w*|принят\w*|прош[её]л\w*|удал(?:ось|ся|ась)|udan[aey]|zatwierdzon\w+|zaakceptowan\w+|przyjęt\w+|başarıl\w+|onayland\w+|kabul edildi)\b|通过|成功|批准|获批|接受|承認され|受理|합격|성공|승인|통과|نجح|قُ?بل|وافق"
)
_REFUSED: Final = (
    r"\b(?:fail(?:s|ed|ing)?|den(?:ies|ied)|reject(?:s|ed)|refus(?:es|ed)|declin(?:es|ed)|turned down|broken|red|revert(?:s|ed)|rolled back|timed out|invalid|fehlgeschlagen|gescheitert|abgelehnt|verweigert|zurückgewiesen|abgesagt|schlägt fehl|schlug fehl|ungültig|zurückgerollt"
    r"|échoué\w*|refusé\w*|rejeté\w*|décliné\w*|invalide|fallid\w+|falló|rechazad\w+|denegad\w+|inválid[oa]|falhou|rejeitad\w+|recusad\w+|negad\w+|fallit\w+|respint\w+|rifiutat\w+|negat[oa]|mislukt|geweigerd|afgewezen|afgekeurd|провал\w+|не удал(?:ось|ся|ась)|отклон[её]н\w*|отказан\w*|упал\w*|nieudan\w+|odrzucon\w+|odmówion\w+|başarısız|reddedildi)\b|失败|失敗|拒绝|拒否|驳回|却下|실패|거절|거부|불합격|رفض|فشل"
)
_CHANGING: Final = ("switch", "door", "keeping", "direction")
CHANGING: Final = {
    "ended": (late_pattern(_ENDED, re.I), late_pattern(_REFUSED, re.I)),
    **{axis: SIDES[axis] for axis in _CHANGING},
}
"""What a thing may pass from one to the other of: a later word outweighs an earlier one."""
LASTING: Final = {axis: SIDES[axis] for axis in ("bound", "copy", "room", "face", "age")}
"""What a thing is, or is to be, on one side of."""
IF: Final = late_pattern(
    r"\b(?:if|when|once|unless|until|whether|wenn|falls|sobald|bis|ob|si|quand|dès|cuando|hasta|se|quando|até|finché|als|zodra|если|когда|пока|jeśli|gdy)\b|如果|当|若|たら|れば|면 ",
    re.I,
)
"""Words of a condition: what it says need not be so."""
