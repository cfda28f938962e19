"""How a clause says a thing stands: still open, called off, or done; in the languages that are read. Values only."""

import re
from enum import StrEnum
from functools import lru_cache
from typing import Final

from hermes_sessions.audit.words.wording import is_open
from hermes_sessions.facts.wording.sieves import sieve


class Stance(StrEnum):
    """How a thing stands; plain where a clause does not say."""

    OPEN = "open"
    OFF = "off"
    DONE = "done"
    PLAIN = "plain"


_OPEN: Final = sieve(
    r"\b(?:pending|outstanding|unconfirmed|await\w*|wait(?:s|ing) (?:for|on)|missing|lacks?|no (?:word|answer|reply|confirmation|response|news|sign)\b|not (?:heard|been|yet|begun|started|finished|arrived|answered|replied|confirmed)|(?:has|have|is|are|was|were)(?: not|n['’]t)\b|unfinished|in progress|ongoing|still (?:to|being|needs?|lacks?|has to|have to)|has yet to|to be (?:done|sent)|(?:nothing|nobody) (?:is|was|has been) (?:sent|committed|pushed|deployed|published|paid|ordered)"
    r"|steht (?:noch )?aus|stehen (?:noch )?aus|ausstehend\w*|fehl(?:t|en)|noch (?:nicht|kein\w*|nirgends|offen)|keine (?:antwort|rückmeldung|zusage|bestätigung|nachricht)|(?:wart\w+|warten) (?:noch )?auf|nicht (?:aufgehängt|geantwortet|zugestimmt|verschickt|gesendet|bestätigt|gemacht|erledigt)"
    r"|en attente|attend\w*|manqu\w+|pas encore|reste(?:nt)? à|aucune (?:réponse|nouvelle|confirmation)|sans (?:réponse|nouvelle|confirmation)|n['’](?:a|ai|est|ont|était) pas|n['’](?:a|est) rien"
    r"|pendientes?|falta\w*|sin (?:respuesta|confirmar|confirmación|noticias)|aún no|todavía (?:no|sin)|no (?:he|ha|han|hay|tengo)|esperando|por hacer"
    r"|pendentes?|sem (?:resposta|confirmação|notícias)|ainda (?:não|sem)|aguard\w+|não (?:foi|foram|respondeu|chegou|enviei|recebi)"
    r"|in (?:sospeso|attesa)|manca\w*|non (?:è|ha|ho|sono|hanno|ancora|inviat\w|eseguit\w|arrivat\w|fatt\w)|da (?:fare|inviare|firmare)|ancora (?:da|non|mancant\w)"
    r"|(?:ещё|еще|пока) (?:не|нет)|нет (?:ответа|новостей|подтверждения)|жд[её]\w+|не (?:готов\w*|\w+л[аои]?(?:сь|ся)?|\w+[ае]н[аоы]?))\b|还没|尚未|还未|未(?!来)|没有|没(?!问题)|等(?!于|等|级)|待|缺|まだ|未(?!来)|待ち|(?:て|あり|おり)ません|ておりません|아직|않았|못 했|대기",
    re.I,
)
_OFF: Final = sieve(
    r"\b(?:cancel\w*|call(?:ed)? off|forget (?:it|that|this|about)|skip (?:it|that|this)|never ?mind|scrap(?:ped)?|(?<!be )dropped|drop (?:it|that|the idea)|no longer (?:need\w*|wanted)|not needed|struck|took back|taken back|we won['’]t|order(?:ed)? nothing"
    r"|storniert?\w*|abbestell\w*|abgesagt|absagen|gestrichen|streichen|streich|entfällt|vergiss|lass (?:es|das|den|die)|brauchen (?:wir )?(?:\w+ )?nicht mehr|doch nicht|hinfällig"
    r"|annul\w+|laissez? tomber|finalement (?:non|pas)|abandonn\w*|n['’]en veut plus|plus besoin|oublie\w*|supprimée?s?|retirée?s?"
    r"|anul\w+|déjal[oa]s?|olvíd\w+|no hace falta|no (?:lo|la) (?:pidas|hagas|reserves|compres)|descartad\w+|mejor no|ya no"
    r"|esquece\w*|esqueç\w+|não é preciso|não precisa|retirei|retirad\w+|deixa (?:isso|estar)|lascia(?:mo)? (?:stare|perdere)|non serve(?: più)?|togli\w*|tolt[oaie]|rinunciat\w+"
    r"|отмен\w+|не надо|передумал\w*|забудь\w*|не нужн\w+)\b|取消|不用了|算了|不办|不做了|キャンセル|取り消|取りやめ|中止|やめ(?:ま|て|る)|취소|필요 없",
    re.I,
)
_DONE: Final = sieve(
    r"\b(?:(?!need|feed|speed|indeed|exceed|red|bed|based|required|supposed|planned|expected|limited|allowed|seed|weed|led)[a-z]{3,}ed|sent|done|built|made|written|running|live|paid|bought|begun|come in|came in|in place|ready|complete|takes place|is (?:in|up|on))\b"
    r"|\b(?:ge[a-zäöüß]{3,}(?:t|en)|\w{3,}iert|liegt vor|liegen vor|da ist|erledigt|bestellt|bestätigt|erhalten|abgeschlossen|fertig|findet statt|finden statt|läuft|verschickt|versendet|zugestimmt|unterschrieben|auf\w*ge\w+t|eingetroffen|behalten|bleibt|inzwischen|bereits)\b"
    r"|\b(?!(?:clé|café|congé|côté|santé|qualité|quantité|société|marché|été|degré|thé|unité|priorité|durée|entrée|journée|soirée|année|idée|donnée)s?\b)(?:\w{2,}(?:é|ée|és|ées)|faite?s?|reçue?s?|part(?:ie?s?)?|a lieu|déjà|en place|débuté\w*|fini\w*)\b|\b(?!s[áa]bado|estado|cuidado|sentido|partido|pedido)(?:\w{3,}(?:ado|ada|ados|adas|ido|ida|idos|idas)|ya (?!no)\w+|pidió|envió|hizo|reservó|recibió|llegó|confirmó|hech[oa]s?|limpi[oa])\b"
    r"|\b(?:já|\w{3,}(?:ou|eu|iu)|feit[oa]s?|pront[oa]s?|recebid\w+|continua\w*)\b|\b(?:già|\w{3,}(?:at[oai]|ut[oai]|it[oai])|fatt[oaie]|arrivat\w|resta(?:no)?)\b"
    r"|\b(?:уже|\w{3,}(?:ен|ена|ено|ены|ён|ана|аны|ано)|\w{3,}(?:ил|ила|или|ал|ала|али|ел|ела|ели)|готов\w*|подключ\w+)\b|已|了(?=[。，,；]|$)|好了|[修签做办弄]好|完成|完毕|照办|済み|済んだ|ました|完了|到着|届いた|완료|했습|했다|됨|되었|됐|끝났",
    re.I,
)


@lru_cache(maxsize=20_000)
def read_stance(text: str) -> Stance:
    """Return how *text* says that a thing stands: what calls off outweighs what is open, that what is done."""
    if _OFF.search(text):
        return Stance.OFF
    if is_open(text) or _OPEN.search(text):
        return Stance.OPEN
    return Stance.DONE if _DONE.search(text) else Stance.PLAIN
