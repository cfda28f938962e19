"""Words of degree, that stand beside figures: how many at least or at most, more or less, later or earlier. Values only."""

import re
from typing import Final

from hermes_sessions.audit.words.sides import SIDES
from hermes_sessions.late_patterns import late_pattern

DEGREES: Final[dict[str, tuple[re.Pattern[str], ...]]] = {
    axis: (late_pattern(one, re.I), late_pattern(other, re.I))
    for axis, one, other in (
        (
            "bound",
            r"\b(?:at least|(?:a )?minimum(?: of)?|(?:no|not) (?:less|fewer|earlier|sooner) than|or more|mindestens|wenigstens|au moins|minimum|al menos|por lo menos|como mínimo|pelo menos|no mínimo|almeno|minstens|ten minste|tenminste|co najmniej|przynajmniej|не менее|как минимум|минимум|en az)\b|至少|不少于|以上|少なくとも|최소|적어도|على الأقل",
            r"\b(?:at most|(?:a )?maximum(?: of)?|(?:no|not) (?:more|later|longer) than|or less|or fewer|up to|höchstens|maximal|bis zu|au plus|au maximum|jusqu['’]à|como máximo|a lo sumo|hasta|no máximo|até|al massimo|hoogstens|maximaal|ten hoogste|co najwyżej|najwyżej|maksymalnie|не более|максимум|не больше|en fazla)\b|最多|不超过|以下|以内|多くとも|최대|على الأكثر",
        ),
        (
            "amount",
            r"\b(?:more|above|over|beyond|exceed\w*|higher|longer|larger|bigger|dearer|pricier|too (?:much|many|high|long|large|big)|mehr|über|überschreit\w*|höher\w*|länger\w*|größer\w*|teurer|zu (?:viel|viele|hoch|lang|groß)|plus (?:de|d['’]|cher|long|haut|élevé)\w*|de plus|au-dessus|dépass\w*|trop (?:haut|long|grand|élevé)\w*|más|por encima|super\w+|demasiad[oa]s?|mais|acima|ultrapass\w*|più|oltre|sopra|supera\w*|meer|boven|hoger|langer|groter|duurder|te (?:veel|hoog|lang|groot)|więcej|powyżej|wyższ\w+|dłuższ\w+|droż\w+|za (?:dużo|wysok\w+|dług\w+)|больше|выше|свыше|дольше|дороже|слишком (?:много|высок\w+|долг\w+|длинн\w+))\b|超过|超過|高于|多于|以上|超え|上回|より多|より高|초과|이상|أكثر|فوق",
            r"\b(?:less|fewer|below|under|beneath|lower|shorter|smaller|cheaper|too (?:little|few|low|short|small)|weniger|unter|niedriger\w*|kürzer\w*|kleiner\w*|billiger|günstiger|zu (?:wenig|wenige|niedrig|kurz|klein)|moins|en dessous|au-dessous|trop (?:bas|court|petit)\w*|menos|por debajo|demasiado (?:poco|bajo|corto)|abaixo|meno|sotto|minder|onder|lager|korter|kleiner|goedkoper|te (?:weinig|laag|kort|klein)|mniej|poniżej|niższ\w+|krótsz\w+|tań\w+|za (?:mało|nisk\w+|krótk\w+)|меньше|ниже|короче|дешевле|слишком (?:мало|низк\w+|коротк\w+))\b|低于|少于|不到|不足|以下|未満|下回|より少|より低|미만|이하|أقل|تحت",
        ),
        (
            "time",
            r"\b(?:later|after|behind|late|delayed|slow|past|später|nach|verspätet|hinter|après|plus tard|en retard|de retard|después|más tarde|tarde|retraso|tras|depois|após|mais tarde|atraso|dopo|più tardi|in ritardo|later|na|te laat|achter|później|po|spóźni\w+|позже|после|опозда\w+|отста[её]т|sonra)\b|之后|以后|晚|迟|遅|後|以降|늦|이후|후|بعد",
            r"\b(?:earlier|before|ahead|early|fast|prior to|früher|vor|voraus|zu früh|avant|plus tôt|en avance|d['’]avance|antes|adelant\w+|más temprano|mais cedo|adiant\w+|prima|in anticipo|eerder|voor|te vroeg|wcześniej|przed|раньше|перед|спеш\w+|önce)\b|之前|以前|提前|早|前|이전|일찍|قبل",
        ),
    )
}  # fmt: skip
"""Of each axis the words of both sides; the first one stands first: *no more than* is no *more*."""
DEGREES["change"] = tuple(
    late_pattern(rf"\b(?:{words})\b|{shape.pattern}", re.I)
    for words, shape in zip(
        (
            r"up|sube\w*|subid\w+|monte\w*|steig\w+|sale|sobe\w*|rośn\w+|wzr\w+|stijg\w+|раст[её]т",
            r"down|baja\w*|sink\w*|fällt|tombe\w*|scende\w*|cai|caiu|cae|spad\w+|daal\w*|пада\w+",
        ),
        SIDES["direction"],
        strict=True,
    )
)
