"""What a source names only to rule it out: forbidden, denied, or replaced by another value. Pure."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from hermes_sessions.audit.checking.denied import denied_list, is_denied, without_reminders
from hermes_sessions.audit.relations.bans import PROHIBITS
from hermes_sessions.audit.relations.replacing import replaces
from hermes_sessions.audit.relations.statements import Statement, split_sentences
from hermes_sessions.audit.relations.untouchables import LEFT_ALONE
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.modality import Modality, read_modality
from hermes_sessions.audit.words.wording import FORBIDS
from hermes_sessions.facts.constraints import extract_rules
from hermes_sessions.facts.polarity import answers_no
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_CLAUSES: Final = SentenceCut(
    r"[,;:()](?!\d)\s?|[，、；：—（）。]|\s[-–]\s"
    r"|\s(?=(?:and|but|or|nor|und|aber|oder|sondern|et|mais|ou|y|pero|sino|o|e|mas|ma|bensì|и|а|но|или|i|ale|lecz|en|maar|of)\s)"
)
_CONTRAST: Final = late_pattern(
    r"\W*(?:but|use|sondern|aber|mais|sino|pero|mas|ma|bensì|а|но|lecz|ale|maar|而是|应该|改用)", re.I
)
"""How a clause begins that says what holds instead."""
_KIND: Final = r"(?:the|an?|our|my|old|any|to|at|on|by|with|for|in|into|it|use|using|take|port|version|release|host|server|branch|file|path|folder|date|day|de[rnms]|die|das|dem|eine?[nmrs]?|auf|zum|zur|am|nach|in|mit|datei|zweig|le|la|les|el|los|las|lo|il|di|dei|del|della|dal|un[ae]?|du|au|à|al|a|en|em|no|na|dans|puerto|porta|versión|versão|versione|rama|archivo|fichier|branche|на|в|по|к|с|до|порт|порту|порта|верси[яюи]|ветк[ауи]|файл|het|een|op|naar|w|z|do|wersj[aęi])"
_LEAD: Final = late_pattern(
    rf"(?:(?<![\w'’])(?:not?|never|nicht|nie(?:mals)?|kein\w{{0,2}}|pas|jamais|non|nunca|jamás|não|не|niet|geen|değil)(?:\s{_KIND}(?!\w)){{0,3}}"
    r"|(?<!\w)(?:hands off|stay (?:off|away from|out of)|keep (?:off|away from|out of)|steer clear of|avoid|finger weg von|lass die finger von|meide|évite[rz]?|evita[rte]?|evite|избегай\w*|instead of|rather than|in place of|in lieu of|no longer|statt|anstatt|anstelle(?: von)?|nicht mehr|nicht länger|au lieu d[eu]|plutôt que|à la place d[eu]|en vez d[el]+|en lugar d[el]+|ya no|em vez d[eoa]|no lugar d[eoa]|já não|invece d\w+|anziché|non più|вместо|больше не|zamiast|już nie|in plaats van|niet meer)(?:\s[^\W\d_]+){0,3}"
    r"|(?:et|y|e) (?:plus|ya no)(?: \w{2,3})?|避免|避开|不是|而非|不再是?|别用|不用|而不是)\s?(?:[\w.-]{2,40}\s?[=:]\s?)?[\"'`*«“(]{0,2}$",
    re.I,
)
"""What is right before a value that does not hold."""
_LIMIT_LEAD: Final = late_pattern(
    r"(?<!\w)(?:only|just|yet|more|less|later|earlier|before|after|until|nur|vor|bis|nach|mehr|weniger|seulement|avant|après|solo|sólo|antes|apenas|prima|только|до|раньше)\s?\S{0,3}$",
    re.I,
)
_BEHIND: Final = sieve(
    r"^[^,.;:!?。，、；\n]{0,24}?(?:\b(?:not allowed|forbidden|prohibited|banned|off[- ]limits|not to be used|out of the question|off the table|not an option|frozen|withdrawn|too (?:late|early|much|many|old)|no longer|not any ?more|was wrong|is wrong|retired|decommissioned|deprecated|obsolete|out of date|out of use"
    r"|verboten|untersagt|tabu|gesperrt|nicht (?:mehr|erlaubt|zulässig|gestattet)|veraltet|abgeschaltet|falsch|eingefroren|zurückgezogen|kommt nicht (?:infrage|in Frage)|interdit\w*|n['’]est plus|pas autorisé\w*|obsolète|faux|fausse|gelé\w*|retirée?s?|exclue?s?|prohibid\w+|no está permitid\w+|ya no|obsolet\w+|congelad\w+|retirad\w+|proibid\w+|não (?:é|está) (?:mais|permitid\w+)|já não|vietat\w+|non è (?:più|consentit\w+|permess\w+)|congelat\w+|ritirat\w+|запрещ\w+|нельзя|больше не|устарел\w*|заморожен\w*|отозван\w*|verouderd|niet (?:meer|toegestaan)|zabronion\w+|niedozwolon\w+)"
    r"|不行|不能用|不可用|已(?:废弃|停用|过时)|被?禁止|ではなく|じゃなく|ではない|は(?:禁止|使えない|使わない|だめ|ダメ|違)|(?:이|가) 아니|금지|değil\b|ممنوع)",
    re.I,
)
"""What is right behind a value that does not hold."""
_NOW: Final = late_pattern(
    r"\b(?:now|jetzt|nun|maintenant|désormais|ahora|agora|ora|adesso|теперь|nu|teraz|artık)\b|现在|今は|이제",
    re.I,
)
_WAS: Final = late_pattern(
    r"\b(?:was|were|used to be|war|waren|stand|lag|était|étaient|era|eran|eram|erano|был[аои]?|było|był[ay]?)(?:\s[^\W\d_]{1,4})?\s?$",
    re.I,
)
_FROM: Final = late_pattern(
    rf"(?:\b(?:from|von|vom|de|du|da|dal|desde|с|со|z|van)(?:\s{_KIND}(?!\w)){{0,2}}\s|[从由])[\"'`*«“]?$",
    re.I,
)
_TO: Final = late_pattern(
    r"[\"'`*»”]?[^\n,.;]{0,20}?(?:\b(?:to|auf|zu|nach|à|au|a|al|para|до|на|do|na|naar)\s|到|改|换|を|から|->|→|=>)\s?(?=[^\n]{0,30}\d|[^\n]{0,30}[./@-])",
    re.I,
)
_ARROW: Final = late_pattern(r"[\"'`*]?\s?(?:->|→|=>)\s?\S")
_SCRIPT_BAN: Final = late_pattern(
    r"不要|不得|禁止|不能|严禁|不许|不可|别|勿|ないで|ないこと|ないよう|てはいけ|てはなら|지 ?마|지 ?말|금지"
)
_LIMITS: Final = late_pattern(
    r"\b(?:fewer|lower|higher|later|earlier|at least|other than|anything but|weniger|mindestens|moins|menos|meno|меньше|больше(?! не)|minder|mniej)\b",
    re.I,
)
_IMPERATIVE: Final = late_pattern(
    r"^\W*(?:bitte |also |dann |und |alsjeblieft |en )?[^\W\d_]{3,20}(?: Sie| bitte| mir| uns| es)?(?: \w{1,5})? (?:nicht|kein\w{0,2}|niet|geen)\b(?! (?:nach|vor|bis|na|voor) \d)(?!.{0,40}\b(?:ist|sind|war|hat|haben|wurde|is|was)\b)"
    r"|^(?!.*\b(?:ist|sind|war|hat|haben|wurde|kann|konnte|lässt|geht)\b).*\bnicht (?:mehr )?(?:[^\W\d_]+ )?[^\W\d_]{3,}en\W*$",
    re.I,
)
"""`Schreib nicht nach X`, `X nicht verwenden`: orders of languages that have no word of their own for bans."""
_STOPS: Final = late_pattern(
    r"\b(?:stop\w*|kill\w*|shut\w*|clos\w+|disabl\w+|block\w*|turn off|take down|remov\w+|stopp\w*|anhalt\w*|beend\w*|abschalt\w*|schließ\w*|arrêt\w*|coup\w*|ferm\w*|déten\w*|deten\w*|par[ae]r?\b|apag\w*|cierr\w*|desliga\w*|fech\w+|spegn\w*|chiud\w*|останав\w*|останови\w*|отключ\w*|закры\w*)\b|停止|停掉|关闭|止め|閉じ|중지|중단",
    re.I,
)
"""Deeds that a thing must be there for: whoever may not stop what is on port 8080 has it on 8080."""
_REACH: Final = 60
_BARE: Final = 3
_KEEPS: Final = frozenset(
    ["change", "fix", "delete", "cut", "refactor", "rename", "migrate", "upgrade", "restart", "merge", "stop"]
)
"""Deeds whose ban leaves a thing what it is: nobody may change port 8080, and 8080 it is."""
_HARMLESS: Final = frozenset(
    ["read", "find", "review", "verify", "test", "document", "plan", "profile", "use"]
)
_SET: Final = frozenset(
    {"host", "ip", "email", "url", "branch", "path", "file_changed", "file_read", "name", "identifier"}
)
"""Kinds of things, which deeds are done to; the others are what a thing has."""
_PEOPLE: Final = frozenset({Role.USER, Role.SYSTEM})


def is_ruled_out(value: str, kind: str, line: str, said: Sequence[Statement]) -> bool:
    """Return whether a value is named only to rule it out, by the user's last word on it, else by everybody's.

    Args:
        line: what the handoff says with another value; a ban in it is about what was banned.
        said: the sentences that name the value, oldest first.
    """
    told = [one for one in said if one.speaker in _PEOPLE]
    if told:
        known = [ruling for one in told if (ruling := _ruling(value, kind, line, one)) is not None]
        return bool(known) and known[-1]
    return bool(said) and all(_ruling(value, kind, line, one) for one in said)


def rules_out(value: str, text: str, speaker: str) -> bool:
    """Return whether *text* names *value* only to say that it does not hold or may not be used."""
    said = [
        Statement(one, 0, speaker)
        for one in split_sentences(text)
        if next(_places(value, one), None) is not None
    ]
    return bool(said) and all(_ruling(value, "", "", one) for one in said)


def clause_of(value: str, line: str) -> str:
    """Return the clause of a line that holds *value*, the whole of it where none does."""
    return next((part for part, _, _ in _clauses(line) if value in part), line)


def is_denied_by(answers: Sequence[Statement], question: Statement) -> bool:
    """Return whether what *question* asks is answered with *no* right after it."""
    after = next((one for one in answers if one.message > question.message), None)
    return after is not None and answers_no(after.text)


def denies_itself(value: str, line: str) -> bool:
    """Return whether what a line says of *value* is that it is not, or must not be."""
    return (
        is_denied(without_reminders(clause_of(value, line)))
        or FORBIDS.search(line) is not None
        or _names_aside(value, line)
    )


def _ruling(value: str, kind: str, line: str, said: Statement) -> bool | None:
    """Return whether a sentence rules *value* out; None where it only asks."""
    if said.is_question:
        return None
    places = list(_places(value, said.text))
    return bool(places) and all(
        _is_aside(said.text, at, at + len(value)) or _is_banned(at, kind, line, said) for at in places
    )


def _denies(clause: str) -> bool:
    if is_denied(without_reminders(clause)) or FORBIDS.search(clause) or LEFT_ALONE.search(clause):
        return True
    return _IMPERATIVE.match(clause) is not None


def _places(value: str, text: str) -> Iterator[int]:
    at = text.find(value)
    while at >= 0:
        is_inside = (text[at - 1 : at].isalnum() and value[0].isascii() and text[at - 1 : at].isascii()) or (
            text[at + len(value) : at + len(value) + 1].isdecimal()
        )
        if not is_inside:
            yield at
        at = text.find(value, at + 1)


def _names_aside(value: str, text: str) -> bool:
    return any(_is_aside(text, at, at + len(value)) for at in _places(value, text))


def _is_aside(text: str, start: int, end: int) -> bool:
    before, behind = text[max(0, start - _REACH) : start], text[end : end + _REACH]
    if (_LEAD.search(before) and not _LIMIT_LEAD.search(before)) or _BEHIND.search(behind):
        return True
    if _ARROW.match(behind) or (_WAS.search(before) and _NOW.search(text)):
        return True
    return _FROM.search(before) is not None and _TO.match(behind) is not None and replaces(text)


def _is_banned(at: int, kind: str, line: str, said: Statement) -> bool:
    """Return whether a place is in a clause of a rule that forbids, and sets no limit."""
    part, denied = next(
        ((part, denied) for part, denied, end in _clauses(said.text) if at < end), (said.text, False)
    )
    if not denied or not (_sets_rule(said.speaker, said.text) or _tells_not_to(part, said)):
        return False
    is_limit = (
        read_modality(part) & Modality.LIMIT or _LIMITS.search(part) or "exceed" in read_terms(part).deeds
    )
    return not is_limit and not _keeps(part, kind, line)


def _tells_not_to(clause: str, said: Statement) -> bool:
    """Return whether a clause of the user's orders not to do something, with the verb before its negation."""
    return said.speaker in _PEOPLE and _IMPERATIVE.match(clause) is not None


def _keeps(clause: str, kind: str, line: str) -> bool:
    """Return whether a ban leaves its thing as it is, and *line* does not say that anything is done to it."""
    deeds = _deeds(clause)
    if not kind or not deeds & _KEEPS:
        return False
    own = _deeds(line)
    if kind in _SET:
        return kind != "file_changed" and own <= _HARMLESS
    return not (own & deeds) - {"change"}


def _deeds(clause: str) -> frozenset[str]:
    """Return what a clause does, or says that is not to be done."""
    found = set(read_terms(clause).deeds)
    if _STOPS.search(clause):
        found.add("stop")
    if LEFT_ALONE.search(clause):
        found.add("change")
    return frozenset(found)


@lru_cache(maxsize=2_048)
def _sets_rule(speaker: str, text: str) -> bool:
    if any(shape.search(text) for shape in (PROHIBITS, FORBIDS, LEFT_ALONE, _SCRIPT_BAN)):
        return True
    return bool(extract_rules({"role": speaker, "content": text}))


@lru_cache(maxsize=4_096)
def _clauses(text: str) -> tuple[tuple[str, bool, int], ...]:
    """Return the clauses of a sentence, each with whether it is denied, and where it ends.

    A bare one goes with what is before it: `never 81, 82`.
    """
    listed = denied_list(text)
    found: list[tuple[str, bool, int]] = []
    denied, end = False, 0
    for part in filter(None, _CLAUSES.split(text)):
        end = text.find(part, end) + len(part)
        bare = not read_terms(part).deeds and len(part.split()) <= _BARE
        if _CONTRAST.match(part):
            denied = _denies(part)
        elif not (bare and denied):
            denied = _denies(part) or part.strip() in listed
        found.append((part, denied, end))
    return tuple(found)
