"""What a clause says of its matter: no or yes, open or done, one side or the other; and what its denials are about."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Final

from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.alignment.turning import DENIES_TOO, NOTHING, SHAPES, main_part, read_turns
from hermes_sessions.audit.checking.denied import is_denied
from hermes_sessions.audit.relations.opposite_states import IF
from hermes_sessions.audit.words.sides import SIDES
from hermes_sessions.audit.words.stances import Stance, read_stance
from hermes_sessions.audit.words.wording import FAILS, FORBIDS, RESTRICTS
from hermes_sessions.facts.polarity import NEGATION, is_negated
from hermes_sessions.facts.wording.sieves import Sieve, sieve
from hermes_sessions.late_patterns import late_pattern

Signs = frozenset[bool]
"""Of an axis the sides that a text may be on: True for no, open, the second one."""
NO: Final = frozenset((True,))
YES: Final = frozenset((False,))
_EITHER: Final = frozenset((True, False))
_NEITHER: Final = frozenset[bool]()
_WORDS_BEHIND: Final = 3
_SIGNS_BESIDE: Final = 6
"""Where words have no blanks between them, so many signs beside a denial are what it is about."""

DENIES_MORE: Final = sieve(
    r"\b(?:inte|aldrig|değil|yok|asla|hayır)\b|\b\w{2,}(?:m[ıiuü]yor|m[ae]z|m[ae]d[ıi]|m[ae]m[ıi]ş|m[ae]sın)\w*|नहीं|मत |बिना"
    r"|\w-free\b|\w{3,}frei(?:e[nmrs]?)?\b|\b(?:unable|yet|still) to\b|^\W*(?:no|nope|nein|non|não|nee|нет|不|いいえ|아니요?|لا)\W*$",
    re.I,
)
OPEN_MORE: Final = sieve(
    r"\b(?:still to (?:come|be|do|follow)|yet to|on hold|to be (?:done|sent|\w+ed)|requested|applied for|asked for|henüz|nog niet|nog te|zu klären|beantragt|angefragt|offen|jeszcze nie|solicitad[oa]s?|demandée?s?|richiest[oaie]|chiest[oaie]|pedid[oa]s?|запрошен\w*|w toku|submitted|eingereicht)\b"
    r"|बाकी|申请中|审核中|申請中|確認中|(?<!\w)(?:لم|ليس|بانتظار)(?!\w)",
    re.I,
)
DONE_MORE: Final = sieve(
    r"\b(?:\w{3,}(?:ıldı|ildi|uldu|üldü|ındı|indi|undu|ündü|landı|lendi)|został[aoy]?|gotow[aey]|zrobion\w+|is (?:\w+ ){0,2}ge\w{3,}[dt]|klaar|verstuurd|works?(?: again| now)?|worked|gelungen)\b|चुक[ाीे]|(?:गया|गई|दिया|दी) है|(?<!\w)(?:تم|تمت|بالفعل|انتهى|اكتمل)(?!\w)",
    re.I,
)
TO_COME: Final = sieve(
    r"\b(?:will|shall|going to|to be|needs? to|has to|have to|must|should|scheduled|planned|tomorrow|tonight|later|wants? to|wird|werden|soll\w*|muss|müssen|morgen|später|frühestens|geplant|doit|doivent|sera|seront|demain|prévu\w*|debe\w*|será|serán|mañana|previst\w*|hay que|deve\w*|amanhã|sarà|saranno|verrà|verranno|domani|moet\w*|zal|должн?\w*|будет|завтра|нужно|надо|musi|będzie|jutro)\b|[’']ll\b|将|要|会|明天|予定|つもり|明日|예정|내일|해야|سوف|غد|कल|होगा",
    re.I,
)
_ENDS: Final = late_pattern(
    r"nicht|pas|нельзя|ない|ません|なし|禁|않|지 ?말|verboten|interdit\w*|prohibid\w+|forbidden", re.I
)
"""Denials before which what they deny may stand."""
ENDED, _SWITCH, _ANSWER = 3, 4, 7
"""Places of axes among `SHAPES`."""
_WITHOUT: Final = sieve(r"\b(?:without|ohne|sans|sin|sem|senza|без|zonder|bez)\b|なしに", re.I)
_STOP: Final = late_pattern(r"[:;,.!?](?:\s|$)")
_WORD: Final = late_pattern(r"[\w@.-]*\w")
_NONE_FAILED: Final = sieve(
    r"(?<![\d.,])(?:\b(?:0|no|zero|keine?|sin|aucune?|nessun\w*|sem|без|geen|bez)\s+|0 ?个?|没有|无)(?:fail\w*|errors?|fehler\w*|fallos?|fallid\w+|échecs?|erreurs?|errori|errores|erros|falhas?|ошиб\w*|失败|错误|失敗|エラー)"
    r"|(?:失败|失敗|错误|エラー|오류|실패)数?[はが为是:：]? ?(?:0|零|ゼロ|无|なし)|\bnulls?\b(?! ?fehler)"
    r"|\b(?:to|auf|à|a|al|su|naar|op|do|na|до|на) (?:zero|0|null|cero|zéro|nul|zera|ноля|ноль)\b(?![.,]\d)",
    re.I,
)
"""That nothing failed denies nothing, nor does a count of none that something is set to."""
_CONCEDES: Final = sieve(
    r"\b(?:even (?:if|though)|although|regardless|obwohl|obgleich|auch wenn|solange|même si|bien que|tant que|aunque|aun si|mesmo que|embora|anche se|benché|sebbene|хотя|даже если|hoewel|mimo że|chociaż)\b",
    re.I,
)
"""What follows says nothing of the matter itself."""
_NAME: Final = late_pattern(r"(?<!\S)\S*\w[._/@]\w\S*")
_UNSPACED: Final = late_pattern(r"[\u2e80-\ud7ff]")


@lru_cache(maxsize=20_000)
def denial(text: str) -> Signs:
    """Return whether *text* denies, bars or leaves open; either where a word only limits it."""
    rest = _plain(text)
    if is_negated(rest) or any(shape.search(rest) for shape in (DENIES_TOO, DENIES_MORE, NOTHING)):
        is_twice = FAILS.search(rest) or SHAPES[ENDED][1].search(rest) or _is_twice(rest)
        return _EITHER if is_twice else NO
    if read_turns(rest).is_open:  # what is still to be done
        return NO
    if read_stance(rest) is Stance.OFF:
        return NO
    limits: tuple[Sieve | re.Pattern[str], ...] = (FORBIDS, RESTRICTS, FAILS, IF, *_BARS)
    return (
        _EITHER if is_negated(text) or is_denied(rest) or any(shape.search(rest) for shape in limits) else YES
    )


_BARS: Final = tuple(no for _, no in SHAPES[:3])
"""Forbidden, left out, missing."""


@lru_cache(maxsize=20_000)
def limits_of(text: str) -> frozenset[str]:
    """Return the words of *text* that limit it, and deny nothing."""
    found = (match.group().casefold() for match in RESTRICTS.finditer(text))
    return frozenset(one for one in found if not NEGATION.fullmatch(one))


@lru_cache(maxsize=20_000)
def bare_denial(text: str) -> tuple[Signs, frozenset[str]]:
    """Return whether *text* denies but for the words that only limit it, and those words."""
    found = denial(text)
    if found != _EITHER:
        return found, frozenset()
    limits = limits_of(text)
    return denial(RESTRICTS.sub(" ", text)) if limits else found, limits


def _is_twice(text: str) -> bool:
    """Return whether *text* says what nothing goes without."""
    without = _WITHOUT.search(text)
    return without is not None and is_negated(_WITHOUT.sub(" ", text))


@lru_cache(maxsize=20_000)  # asked of each axis
def _plain(text: str) -> str:
    """Return the main part of *text* without names with signs in them: `cancel.py` calls nothing off."""
    rest = _NONE_FAILED.sub(" passed ", main_part(text.replace("未満", "以下")))
    conceded = _CONCEDES.search(rest)
    return _NAME.sub(" x ", rest[: conceded.start()] if conceded and conceded.start() else rest)


@lru_cache(maxsize=20_000)
def state(text: str) -> Signs:
    """Return whether *text* says that its matter is open, or that it is done."""
    rest = _plain(text)
    stance = read_stance(rest)
    if stance in (Stance.OPEN, Stance.OFF) or denial(text) == NO or OPEN_MORE.search(rest):
        return NO
    if TO_COME.search(rest):
        return _NEITHER
    if FAILS.search(rest) or FORBIDS.search(rest) or denial(text) != YES:
        return _NEITHER
    return YES if stance is Stance.DONE or DONE_MORE.search(rest) else _NEITHER


def went_well(text: str) -> bool:
    """Return whether *text* says that its matter is done, or went well."""
    return state(text) == YES or (SHAPES[ENDED][0].search(text) is not None and denial(text) == YES)


def is_left(text: str) -> bool:
    """Return whether *text* says that its matter is still open."""
    rest = _plain(text)
    if read_turns(rest).is_open:
        return True
    return (read_stance(rest) is Stance.OPEN and not FAILS.search(rest)) or OPEN_MORE.search(rest) is not None


def _sides() -> Iterator[tuple[Sieve | re.Pattern[str], Sieve | re.Pattern[str]]]:
    yield from (SHAPES[at] for at in (ENDED, _SWITCH, _ANSWER))
    for axis in ("bound", "copy", "outcome", "switch", "direction"):
        yield Sieve(SIDES[axis][0]), Sieve(SIDES[axis][1])
    yield from SIDED


SIDED: Final = tuple(
    (sieve(one, re.I), sieve(other, re.I))
    for one, other in (
        (
            r"\b(?:below|under|unter|sous|bajo|abaixo|sotto|ниже|poniżej|onder)\b|低于|以下|未満|이하|미만",
            r"\b(?:above|over|über|au-dessus|encima|acima|sopra|выше|powyżej|boven)\b|高于|超过|以上|초과|이상",
        ),
        (
            r"\b(?:first|erste\w*|premi[eè]re?|primer[oa]?|primeir[oa]|prim[oa]|перв\w+|pierwsz\w+)\b|最初|第一|先",
            r"\b(?:last|latest|letzte\w*|derni[eè]re?|últim[oa]|ultim[oa]|последн\w+|ostatni\w*)\b|最后|最後|后",
        ),
        (
            r"\b(?:accept\w*|agree\w*|approv\w+|akzeptier\w+|angenommen|accept\w+|acept\w+|aceit\w+|accett\w+|соглас\w+|приня\w+|kabul)\b|同意|接受|承認",
            r"\b(?:refus\w+|reject\w*|declin\w+|denied|deny|abgelehnt|lehn\w+|rechaz\w+|recus\w+|rifiut\w+|отказ\w*|отклон\w+|reddet\w*)\b|拒绝|拒否",
        ),
        (
            r"\b(?:positive|pos[iy]t[iy]v\w*|pozytywn\w*|favou?rabl\w+|favorevol\w*|favoráve\w+|положительн\w*|позитивн\w*)\b|正|[阳陽]性",
            r"\b(?:negative|negativ\w*|negatywn\w*|unfavou?rabl\w+|contrari\w+|contrári\w+|défavorable\w*|отрицательн\w*|негативн\w*)\b|负|負|[阴陰]性",
        ),
        (
            r"\b(?:include[ds]?|including|inkl\w*|einschließlich|compris\w*|incluid\w+|incluíd\w+|inclus\w+|включая|含)\b",
            r"\b(?:plus|exclud\w+|excluding|zzgl\w*|ohne|hors|sin|más|mais|exclus\w+|esclus\w+|без)\b|\+",
        ),
    )
)
"""Words of two sides that nobody is accused of by themselves."""
_SIDES: Final = tuple(_sides())


@lru_cache(maxsize=40_000)
def _side(at: int, text: str) -> Signs:
    """Return the sides of an axis of which *text* has words, turned round where it denies."""
    rest = _plain(text)
    found = frozenset(side == 1 for side, shape in enumerate(_SIDES[at]) if shape.search(rest))
    if len(found) == 1 and is_denied(_SIDES[at][found == NO].sub(" ", rest)):
        return frozenset(not one for one in found)
    return found


AXES: Final[Mapping[str, Callable[[str], Signs]]] = {
    "negation": denial,
    "done": state,
    **{f"side {at}": partial(_side, at) for at in range(len(_SIDES))},
}


CHANGING_AXES: Final = frozenset({"side 0", "side 5"})
"""Of results: what a user complains of is mended later."""


def is_bare_no(text: str) -> bool:
    """Return whether *text* is an answer that only says no."""
    return _BARE_NO.match(text) is not None


_BARE_NO: Final = late_pattern(
    r"\W*(?:no|nope|nein|non|não|nee|nie|нет|不|不用|不要|いいえ|아니요?|لا)\b(?: (?:thanks|danke|merci|gracias|obrigad[oa]|grazie|спасибо))?\W*$",
    re.I,
)


@lru_cache(maxsize=20_000)
def denied_items(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return what stands nearest to the denials of *text*, and all that stands near them."""
    nearest: set[str] = set()
    near: set[str] = set()
    for shape in (NEGATION, DENIES_TOO.pattern, DENIES_MORE.pattern):
        for match in shape.finditer(text):
            for items in _beside(text, match):
                nearest |= items[0]
                near |= frozenset[str]().union(*items)
    return frozenset(nearest), frozenset(near)


def _beside(text: str, match: re.Match[str]) -> Iterator[list[frozenset[str]]]:
    """Yield what the words behind a denial name, and those before it where they may be what it denies."""
    if _UNSPACED.search(match.group()):
        before = text[max(0, match.start() - _SIGNS_BESIDE) : match.start()]
        yield [read_items(text[match.end() : match.end() + _SIGNS_BESIDE]).all | read_items(before).all]
        return
    rest = _STOP.split(text[match.end() :], maxsplit=1)[0]
    behind = [items for one in _WORD.findall(rest)[:8] if (items := read_items(f"x {one}").all)]
    if behind:
        yield behind[:_WORDS_BEHIND]
    if _ENDS.fullmatch(match.group()):
        before_it = reversed(_WORD.findall(text[: match.start()]))
        found = [items for one in before_it if (items := read_items(f"x {one}").all)]
        if found:
            yield found[:_WORDS_BEHIND]
