"""Whether a clause says yes or no of what it is about: its negations, and words that are a *no* themselves.

Each of them turns a clause round: *was not deleted* is *was kept*, *did not fail* is *passed*.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.checking.denied import is_denied, without_reminders
from hermes_sessions.audit.relations.opposite_states import CHANGING
from hermes_sessions.audit.words.stances import Stance, read_stance
from hermes_sessions.audit.words.wording import is_open
from hermes_sessions.facts.wording.sieves import Sieve, sieve
from hermes_sessions.late_patterns import late_pattern

_LEAVE: Final = (
    r"\b(?:allow\w*|permit\w*|may|can|erlaub\w*|gestattet|darf|dürfen|autoris\w+|permis\w*|peut|peuvent|puede[ns]?|pode[m]?|può|possono|permess\w*|mag|mogen|toegestaan|można|wolno|дозвол\w+|разреш\w+|можно)\b|可以|允许|可能|可(?!能)|許可|よい",
    r"\b(?:forbid\w*|forbad\w*|prohibit\w*|bann?ed|off[- ]limits|verboten|untersagt|tabu|interdi\w+|défendu\w*|prohibid\w*|proibid\w*|vietat\w*|verboden|zabronion\w*|zakaz\w*|запре[щт]\w*|нельзя)\b|禁止|不可|不得|厳禁",
)
_PART_OF: Final = (
    r"\b(?:includ\w+|takes? part|inbegriffen|eingeschlossen|enthalten|dabei|inclus\w*|compris\w*|incluid\w+|incluíd\w+|compres\w+|inbegrepen|wliczon\w*|включ[её]н\w*)\b|包括|包含|含む",
    r"\b(?:exclud\w+|left out|leave\w* out|stays? out|keep\w* out|skip\w*|omit\w*|ausgeschlossen|ausgenommen|ausgelassen|exclu\w*|excluid\w+|excluíd\w+|exclus\w+|esclus\w*|uitgesloten|pominięt\w*|wyłączon\w*|исключ\w+)\b|排除|除外|不含",
)
_THERE: Final = (
    r"\b(?:present|available|arrived|there|vorhanden|verfügbar|eingetroffen|disponible\w*|présent\w*|arrivé\w*|presente\w*|llegad\w*|disponív\w+|disponibil\w*|aanwezig|dostępn\w*|налич\w+|доступ\w+)\b|到了|有货|届い",
    r"\b(?:missing|absent|lacking|unavailable|fehl(?:t|en|te)|abwesend|manqu\w+|absente?s?|indisponible\w*|falta\w*|ausente\w*|manca\w*|assente|ontbre\w+|brak\w*|отсутств\w+|недоступ\w+)\b|缺(?!省)|不在|欠けて",
)
_TOO: Final = {
    "ended": (
        r"\b(?:bestanden|geklappt|gelingt|réuss\w+|abouti\w*|correu bem|funcion\w+|salió bien|riusc\w+|gelukt|powiodł\w*|działa\w*|работает|сработал\w*|отвечает|answers?|responds?|antwortet|répond|respond\w+|antwoordt|odpowiada)\b|正常|動い|成功",
        r"\b(?:échou\w+|échec|falh\w+|fallo\w*|fall[óo]|fallit\w*|mislukt\w*|nie powiodł\w*|BŁĄD|сбой|сломал\w*|kaputt|defekt|FAIL)\b|异常|故障|壊れ",
    ),
    "switch": (
        r"\b(?:an|läuft|eingeschaltet|ingeschakeld|aan|włączon\w*|acces\w+|enabled)\b|オン|打开",
        r"\b(?:abgeschaltet|ausgeschaltet|uitgeschakeld|uit|wyłączon\w*|apagad\w+|spent[oaie]|off)\b|オフ|停用|無効",
    ),
    "door": (r"\b(?:open|otwart\w*|apert[oaie])\b|営業中|开着", r"\b(?:gesloten|dicht|zamknięt\w*|chius[oaie]|gesperrt|closed)\b|閉鎖|封闭"),
    "keeping": (
        r"\b(?:behouden|zachowan\w*|unberührt|untouched|intact\w*|left as|unchanged|unverändert|inchangé\w*|sin cambios|inalterad\w*|invariat\w*|ongewijzigd|bez zmian|без изменений)\b|不变|そのまま|のまま|据え置",
        r"\b(?:verwijderd\w*|usunięt\w*|skasowan\w*|lösch\w*|gelöscht|effacé\w*|changed|geändert|modifi\w+|cambiad\w+|alterad\w+|gewijzigd|zmienion\w*|измен[её]н\w*|toccat\w*|touché\w*|angefasst|touch\w*)\b|已删|消去|更改|変更",
    ),
    "answer": (
        r"\b(?:agre\w+|accept\w*|approv\w+|einverstanden|zugestimmt|stimm\w+ zu|genehmigt|d['’]accord|accepté\w*|approuvé\w*|de acuerdo|acept\w+|aprob\w+|concord\w+|aceit\w+|aprov\w+|d['’]accordo|accett\w+|approv\w+|akkoord|zgodzi\w+|zgod\w+|zatwierdzi\w+|соглас\w+|одобр\w+|утверди\w+|утвержд\w+)\b|同意|赞成|赞同|承認|批准",
        r"\b(?:refus\w+|reject\w*|declin\w+|oppos\w+|abgelehnt|lehn\w+ ab|dagegen|refusé\w*|rechaz\w+|recus\w+|rifiut\w+|weiger\w*|geweigerd|odmówi\w*|odrzuci\w*|отказ\w+|отклон\w+|против)\b|反对|拒绝|拒否|却下|反対",
    ),
}  # fmt: skip


def _joined(axis: str) -> tuple[Sieve, Sieve]:
    known = [shape.pattern for shape in CHANGING.get(axis, ())] or ["(?!)", "(?!)"]
    yes, no = (sieve(f"{one}|{two}", re.I) for one, two in zip(_TOO[axis], known, strict=True))
    return yes, no


SHAPES: Final = (
    *((sieve(yes, re.I), sieve(no, re.I)) for yes, no in (_LEAVE, _PART_OF, _THERE)),
    *map(_joined, _TOO),
)
"""Words of both sides of each axis, the *no* second."""
DENIES_TOO: Final = sieve(
    r"\b(?:false|nie|nigdy|nic|nikt|żad\w+|bez|niet|niets|geen|nooit|zonder|noch (?:nicht|kein\w*)|jeszcze nie|nog niet|nichts|niemand\w*|nothing|nobody|rien|personne|nadie|nada|ningun\w*|ningún|ninguém|nenhum\w*|nessun\w*|niente|nulla|ничего|никто|никаких)\b|(?<!\w)не(?!\w)|不(?!同(?!意)|[过断久得])|未|没|無し|なし|ない|ません|ず(?=[、。に]|$)",
    re.I,
)
NOTHING: Final = sieve(
    r"\b(?:nothing|none|nobody|nichts|niemand|keine?[rs]?|rien|aucune?|personne|nada|ninguno|ninguna|nadie|nenhum\w?|ninguém|niente|nulla|nessun\w?|niets|niks|geen|nic|nikt|żad\w+|ничего|никто|никаких)\b|何も|誰も|什么都|都没|都不",
    re.I,
)
"""Words that deny all of a sort: *nothing is signed yet*."""


class Turns(NamedTuple):
    """What turns a clause round.

    Attributes:
        negations: whether it has one.
        is_open: whether it says no only in that something is not done yet.
        sides: of each axis that it has words of, whether they say no.
    """

    negations: bool
    is_open: bool
    sides: dict[int, bool]

    @property
    def times(self) -> int:
        """How often it is turned round."""
        return self.negations + sum(self.sides.values())


@lru_cache(maxsize=20_000)
def read_turns(text: str) -> Turns:
    """Return what turns a clause round; what stands in brackets, and a reason, do not."""
    rest = main_part(text)
    sides: dict[int, bool] = {}
    for at, (yes, no) in enumerate(SHAPES):
        is_no, is_yes = no.search(rest) is not None, yes.search(rest) is not None
        if is_no != is_yes:
            sides[at] = is_no
        if is_no:
            rest = no.sub(" ", rest)
    denies = is_denied(rest) or DENIES_TOO.search(rest) is not None
    is_left = read_stance(rest) is Stance.OPEN or is_open(rest) or _TO_DO.search(rest) is not None
    return Turns(denies or is_left, is_left, sides)


@lru_cache(maxsize=20_000)
def main_part(text: str) -> str:
    """Return a clause without what stands in brackets, its reason, and words that only look like a denial."""
    return without_reminders(_LOOKS.sub(" ", _REASON.split(_BRACKETS.sub(" ", text), maxsplit=1)[0]))


@lru_cache(maxsize=20_000)
def without_turns(text: str) -> str:
    """Return *text* without the words that turn it round, or say that it is as wanted."""
    rest = _EMPTY.sub(" ", main_part(text))
    for shape in (*(one for shapes in SHAPES for one in shapes), DENIES_TOO, NOTHING):
        rest = shape.sub(" ", rest)
    return rest


_BRACKETS: Final = late_pattern(r"\([^()\n]{0,200}\)|（[^（）\n]{0,100}）")
_REASON: Final = late_pattern(
    r"\s(?:because|since|weil|da|denn|parce que|car|puisque|porque|pois|perché|poiché|omdat|want|bo|ponieważ|потому|так как|поскольку)\s|因为|ので|から[、,]",
    re.I,
)
_EMPTY: Final = late_pattern(
    r"\b(?:(?:has|have|had|is|are|was|were|do|does|did|ca|wo|must|should)n(?:['’]t)?|ain['’]t|yet|so far|for now|nog|wel|al|reeds|met|jest|są|został[aoy]?|zostały|być|jeszcze|już|foram|foi|com|bisher|bislang|derzeit|pour l['’]instant|por ahora|por enquanto|per ora|пока|ещё|еще|уже|теперь)\b",
    re.I,
)
"""Words that tell when, and forms of *to be* and *to have*."""
_TO_DO: Final = late_pattern(
    r"\b(?:yet to|to be (?:done|sent|\w+ed)|por \w+[aei]r|à \w+er|(?:da|a) \w+(?:are|ere|ire)|te \w+en|(?:zu|noch) \w+en|do \w+[ae]nia)(?=$|[\s.,;:)])",
    re.I,
)
"""A deed that is still to be done: *por enviar*, *à signer*, *do wysłania*."""
_LOOKS: Final = late_pattern(r"\b(?:stop(?:s|ped|ping)?|avoid\w*|no longer than|non-\w+)\b", re.I)
