"""Things that a handoff gives one of two fates, and all that was said of them the other one: counted in, left out."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode, is_heading
from hermes_sessions.audit.relations.opposite_states import IF
from hermes_sessions.audit.words.modality import Modality, read_modality
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.facts.wording.sieves import Sieve, sieve
from hermes_sessions.late_patterns import late_pattern

_RARE: Final = 10
"""What more clauses name is no thing of which two of them tell."""
_FEW: Final = 1
_BEFORE: Final = 30
_BEHIND: Final = 10
"""So many signs beside a word may deny it."""


class _Fates(NamedTuple):
    """Words of two fates of a thing, and whether it may pass from one to the other."""

    one: Sieve
    other: Sieve
    passes: bool


_FATES: Final = tuple(
    _Fates(sieve(one, re.I), sieve(other, re.I), passes)
    for one, other, passes in (
        (
            r"\b(?:counts?|counted(?: in)?|included?|(?:is|are) in(?=[\W]*$)|zähl(?:t|en)|mitgezählt|mitgerechnet|eingerechnet|inbegriffen|compt(?:e|ent|ée?s?)|incluse?s?|comprise?s?|cuentan?|contad[oa]s?|incluid[oa]s?|incluíd[oa]s?|conta[mn]?o?|inclus[oaie]|compres[oaie]|meegeteld|meegerekend|telt mee|wlicz\w+|liczą się|liczy się|учт[её]н\w*|включ[её]н\w*|вход[ия]т)\b|计入|包含|算入|含まれ|含め",
            r"\b(?:left out|leaves? out|excluded?|omitted|not counted|ausgelassen|weggelassen|ausgenommen|herausgerechnet|exclue?s?|omise?s?|excluid[oa]s?|excluíd[oa]s?|exclus[oaie]|esclus[oaie]|fuera|weggelaten|uitgesloten|pominięt\w+|wyłączon\w+|исключ[её]н\w*|не учт[её]н\w*)\b|不计|除外|除い|含まれない",
            False,
        ),
        (
            r"\b(?:keeps?|kept|stays?|remains?|retain(?:s|ed)?|bleib(?:t|en)|behält|behalten|gard(?:e|ent|ée?s?)|conserv\w+|reste(?:nt)?|mant(?:iene|ienen|enid[oa]s?)|queda[n]?|permanec\w+|mantém|mantid[oa]s?|fica[m]?|man(?:tiene|tenut[oaie])|resta(?:no)?|riman(?:e|gono)|blijf\w*|behoud\w*|zachow\w+|zostaj\w+|pozosta\w+|оста[её]тся|остаются|сохран\w+)\b|保留|のまま|残[しすり]|유지",
            r"\b(?:withdrawn|revoked|removed|taken away|scrapped|abolished|entzogen|gestrichen|weggenommen|abgeschafft|retirée?s?|révoquée?s?|enlevée?s?|supprimée?s?|quitad[oa]s?|retirad[oa]s?|suprimid[oa]s?|revocad[oa]s?|removid[oa]s?|revogad[oa]s?|tolt[oaie]|revocat[oaie]|rimoss[oaie]|ingetrokken|afgenomen|geschrapt|odebran\w+|cofnięt\w+|usunięt\w+|отозван\w*|снят\w*|убран\w*|упраздн\w+)\b|撤销|撤回|取り消|廃止|회수",
            False,
        ),
        (
            r"\b(?:works?|working|worked|runs|OK|passe[sd]|succeed\w*|fixed|succ[eè]\w+|läuft|funktionier\w+|klappt|bestanden|fonctionn\w+|march(?:e|ent)|réussi\w*|funcionan?|funcionó|sale bien|salió bien|superad[oa]s?|correct[oa]s?|funciona[m]?|funzion\w+|riuscit[oaie]|werkt|gelukt|działa\w*|powiodł\w*|poprawn\w+|работа[её]т|успешн\w*|прош[её]л\w*)\b|成功|正常|通过|動い|合格",
            r"\b(?:dead|broken|down|fail(?:s|ed|ing)?|ERROR|collid\w+|collision|kaputt|defekt|tot|fehlgeschlagen|scheiter\w*|kollidier\w*|Kollision|cassée?s?|en panne|échou\w*|échec|mort[es]?|erreur|rot[oa]s?|muert[oa]s?|averiad[oa]s?|fall(?:a|an|ó|aron|ido|ida)|quebrad[oa]s?|falh\w+|guast[oaie]|rott[oaie]|fallit[oaie]|morto|stuk|mislukt|kapot|zepsut\w+|martw\w+|nie powiodł\w*|błąd|BŁĄD|сломан\w*|м[её]ртв\w*|ошибк\w*|не удал\w+)\b|失败|失敗|故障|坏了|壊れ|エラー",
            True,
        ),
    )
)  # fmt: skip
_STILL: Final = late_pattern(
    r"\b(?:still|again|remains?|goes on|keeps|also|too|as well|immer noch|weiterhin|auch|wieder|nach wie vor|toujours|encore|aussi|reste|sigue[n]?|todavía|aún|también|continua[m]?|ainda|também|ancora|anche|nog (?:steeds|altijd)|ook|nadal|wciąż|też|również|всё ещё|все еще|по-прежнему|снова|тоже)\b|仍|还是|まだ|依然|也|も|여전히",
    re.I,
)


def other_sides(claims: Sequence[Clause], index: ClauseIndex) -> Iterator[Deviation]:
    """Yield clauses whose thing has the other one of two fates in all that was said of it; in the last, where it passes."""
    before = frozenset[str]()
    last, own = None, frozenset[str]()
    for claim in claims:
        if last is not claim.said:
            before, own, last = own, frozenset(), claim.said
        lead, own = own, own | claim.named
        if is_heading(claim.said.text) or claim.said.mode is Mode.PLANNED or _is_bound(claim.text):
            continue
        for fates in _FATES:
            side = _side(claim.text, fates)
            if side is None or (fates.passes and side and not _STILL.search(claim.text)):
                continue
            things = _things(claim, fates, index) or (
                _rare(lead | before, index) if len(read_items(claim.text).all) <= _FEW else frozenset()
            )
            place = _opposite(things, side, fates, index)
            if place is not None:
                said = index.said(place)
                yield Deviation(
                    Grade.NOT_VERBATIM, "opposite", claim.text, claim.said.text, "other-side",
                    index.text(place), said.text, said.message or None,
                )  # fmt: skip
                break


def _is_bound(text: str) -> bool:
    """Return whether *text* names a condition or a limit: `kept for a week at most`."""
    return IF.search(text) is not None or bool(read_modality(text) & Modality.LIMIT)


def _side(text: str, fates: _Fates) -> bool | None:
    """Return on which side *text* is, True for the other one; None where it has words of neither, or of both."""
    found = [
        (match, at == 1) for at, shape in enumerate((fates.one, fates.other)) if (match := shape.search(text))
    ]
    if len(found) != 1:
        return None
    match, side = found[0]
    return side != is_negated(text[max(0, match.start() - _BEFORE) : match.end() + _BEHIND])


def _things(claim: Clause, fates: _Fates, index: ClauseIndex) -> frozenset[str]:
    """Return the rare things that a clause names besides the words of its fate."""
    rest = fates.other.sub(" ", fates.one.sub(" ", claim.whole))
    return _rare(read_items(rest).all, index)


def _rare(items: frozenset[str], index: ClauseIndex) -> frozenset[str]:
    return frozenset(one for one in items if 0 < index.count(one) <= _RARE and ":" not in one)


def _opposite(things: frozenset[str], side: bool, fates: _Fates, index: ClauseIndex) -> int | None:
    """Return the last place where some of *things* are on the other side, where nothing is said of them on this one."""
    places = sorted(set(chain.from_iterable(map(index.places, things))))
    told = [
        (place, there)
        for place in places
        if not index.said(place).is_question and (there := _side(index.text(place), fates)) is not None
    ]
    if not told or told[-1][1] == side:
        return None
    if not fates.passes and any(there == side for _, there in told):
        return None
    return told[-1][0]
