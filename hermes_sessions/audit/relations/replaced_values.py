"""Values of a handoff that somebody replaced, or said not to be right, before: `room 4, not room 6`, `raised from 30 to 45`."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.relations.statements import Statement, ToldSentences, contradiction
from hermes_sessions.audit.sources.loose_values import number_forms
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.small_words import SMALL_WORDS
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_A: Final = r"(?:[$€£¥] ?)?(?P<{0}>\d[\d.,:]*\d|\d)"
_GAP: Final = r"[^\d.;!?。；\n]{0,25}?"
_NOT: Final = r"(?:not|nicht|pas|no|não|non|не|nie|niet|değil)"
_WAS: Final = r"(?:was|were|had been|formerly|previously|war(?:en)?|st[aeo]nd(?:en)?|lag(?:en)?|vorher|bisher|zuvor|était|étaient|avant|auparavant|era[mn]?|antes|estava|estaba|prima|stond(?:en)?|lag|eerst|było|był[aoy]?|wcześniej|было|был[аи]?|раньше|ранее)"
_NEAR: Final = r"(?: ?[%°€$£¥]?[^\W\d_]{0,12}\.?){0,2}"


def _shape(words: str) -> re.Pattern[str]:
    return late_pattern(words.replace("{new}", _A.format("new")).replace("{old}", _A.format("old")), re.I)


_REPLACED: Final = (
    _shape(
        rf"{{new}}{_NEAR},? (?:instead of|rather than|in place of|statt|anstatt|anstelle von|au lieu de|plutôt que|en vez de|en lugar de|em vez de|invece di|anziché|вместо|zamiast|in plaats van)\b{_GAP}{{old}}"
    ),
    _shape(rf"\b(?:instead of|statt|anstatt|au lieu de|en vez de|em vez de|invece di|вместо)\b{_GAP}{{old}}{_NEAR},? {_GAP}{{new}}"),
    _shape(rf"{{new}}{_NEAR}(?:,| [–—]| \(| and| und| et| y| e| а) ?(?:and )?{_NOT} (?:the |at |on |um |am |à |le |la |el |o )?{{old}}"),
    _shape(rf"\b{_NOT} (?:the |at |on |um |am |à |le |la |el |o )?{{old}}{_NEAR},? (?:but|sondern|mais|sino|mas|ma|а|maar|lecz){_GAP}{{new}}"),
    _shape(rf"(?:不是|ではなく)?{{old}}[^\d，。、\n]{{0,4}}(?:而是|ではなく|じゃなくて|가 아니라|이 아니라){_GAP}{{new}}"),
    _shape(rf"(?:不是){{old}}[^\d。\n]{{0,6}}是{_GAP}{{new}}"),
    _shape(rf"{{new}}{_NEAR}[,;(]{{1,2}} ?(?:it |he |er |sie |es |die |das |der |dat |hij |c['’]|он[ао]? )?{_WAS} (?:auf |op |at |on |o |um |à |na |w |на )?{{old}}(?![\d:])"),
)  # fmt: skip
_MOVED: Final = (
    _shape(rf"\b(?:from|von|vom|de|du|da|dal|desde|с|со|z|van) (?:the |den? |la |le |el )?{{old}}{_NEAR} (?:to|on|auf|zu|à|au|a|al|para|до|на|do|naar) (?:the |den? |la |le |el )?{{new}}"),
    _shape(rf"\b(?:from|von|vom|de|du|da|dal|desde|с|со|z|van) (?:the |den? |la |le |el )?(?P<thing>[^\W\d_]{{2,14}}) {{old}}{_NEAR} (?:to|on|auf|zu|à|au|a|al|para|до|на|do|naar) (?:the |den? |la |le |el )?(?:(?P=thing) )?{{new}}"),
    _shape(r"{old}[^\d\n]{0,8}(?:->|→|⇒|=>)[^\d\n]{0,4}{new}"),
    _shape(rf"[从由]{_GAP}{{old}}[^\d，。\n]{{0,6}}(?:改|调|提高|降|增|减|延|缩|换|移)[^\d，。\n]{{0,4}}{{new}}"),
    _shape(r"{old}[^\d、。\n]{0,4}から[^\d、。\n]{0,4}{new}"),
)  # fmt: skip
_CHANGES: Final = frozenset({"change", "cut", "upgrade", "rename", "migrate", "fix"})
_CHANGED: Final = late_pattern(
    r"\b(?:mov(?:e|ed)|switch\w*|bump\w*|extend\w*|shorten\w*|adjust\w*|correct\w*|rais\w+|lower\w+|increased|decreased|reduced|reset|set|verschob\w*|verschieb\w*|verläng\w*|verkürz\w*|korrig\w*|erhöht\w*|senk\w*|gesenkt|déplac\w*|prolong\w*|relev\w+|abaiss\w+|augment\w+|rédui\w+|mueve|movid\w+|ampli\w+|sub(?:e|ido|imos)|baj(?:a|ado|amos)|aument\w+|redu[cz]\w+|muda\w*|spost\w+|перен[её]с\w*|продл\w+|повыс\w+|увелич\w+|сниз\w+|уменьш\w+|przesun\w+)\b|改|调|変更|上げ|下げ|바꾸|변경",
    re.I,
)
FORMER_NUMBER: Final = late_pattern(
    r"\b(?:from|instead|rather|was|were|before|former\w*|previous\w*|initial\w*|original\w*|at first|earlier|until|old|not|no longer|war|vorher|zuvor|ursprünglich|früher|zunächst|statt|nicht|von|vom|avant|ancien\w*|au lieu|initialement|pas|era|antes|anterior\w*|inicial\w*|en vez|em vez|prima|invece|было|был[аи]?|раньше|сначала|вместо|прежн\w+|не|wcześniej|zamiast|nie)\b|原|之前|不是|而是|从|から|ではなく|以前|원래|->|→|⇒|=>",
    re.I,
)
"""How a clause tells what was before."""
_LEAST: Final = 2
_TELLING: Final = 3
_CUT: Final = SentenceCut(r"[;；。，、|]|[,.]\s|\s[–—]\s|\n")


class Replacement(NamedTuple):
    """A number that somebody put in the place of another one, and the sentence that says so."""

    old: str
    new: str
    said: Statement
    thing: frozenset[str] = frozenset()
    """What has the number, where two sentences tell it."""


def replaced_values(
    claims: Sequence[Statement], told: ToldSentences, rows: Sequence[AuditMessage] = ()
) -> Iterator[Deviation]:
    """Yield clauses of a handoff with a number that was replaced, in words of the sentence that says so.

    So does a line of a tool's result with an arrow between two values: `cap 39 -> 38 t`.

    Nobody names the number after that, and the handoff has the new one nowhere.
    """
    written = frozenset(number for claim in claims for number in _numbers(claim.text))
    known = [
        one for said in told if not written.isdisjoint(_numbers(said.text)) for one in _replacements(said)
    ]
    known += _newer(written, told)
    known += _edited(written, rows)
    if not known:
        return
    last = {number: said.message for said in told for number in _numbers(said.text)}
    fresh = [one for one in known if one.new not in written and last.get(one.old, 0) <= one.said.message]
    for claim in claims if fresh else ():
        for clause in _CUT.split(claim.text):
            if found := _replaced(clause, fresh):
                yield contradiction(claim, found.said, "replaced", "number")
                break


def _replaced(clause: str, known: Sequence[Replacement]) -> Replacement | None:
    numbers = _numbers(clause)
    hit = [one for one in known if one.old in numbers]
    if not hit or FORMER_NUMBER.search(clause):
        return None
    about = read_terms(clause).all - numbers
    alike = [
        one
        for one in hit
        if one.thing & about
        or len(about & (read_terms(one.said.text).all - _numbers(one.said.text))) >= _LEAST
    ]
    return alike[-1] if alike else None


def _edited(written: frozenset[str], rows: Sequence[AuditMessage]) -> Iterator[Replacement]:
    """Yield what results of tools show as changed."""
    for row in rows:
        if row.role != Role.TOOL or not _has_arrow(row.text):
            continue
        for line in filter(_has_arrow, row.text.replace("\\n", "\n").splitlines()):
            for match in _ARROW.finditer(line):
                old, new = _plain(match["old"]), _plain(match["new"])
                if old != new and old in written:
                    yield Replacement(old, new, Statement(line.strip()[:_LONGEST], row.id, Role.TOOL))


def _has_arrow(text: str) -> bool:
    """Whether an arrow leads to a number somewhere."""
    return any(part[:2].lstrip(" ")[:1].isdecimal() for arrow in _ARROWS for part in text.split(arrow)[1:])


def _newer(written: frozenset[str], told: ToldSentences) -> Iterator[Replacement]:
    """Yield numbers of a thing that has another one now: `the sum is 730`, later `the sum rises to 760`."""
    later = [
        (said, match)
        for said in told
        if _DIGIT.search(said.text)
        for match in _NOW.finditer(said.text)
        if not said.is_question
    ]
    for said, match in later:
        new = _plain(match["new"])
        thing = _things(f"{_last_clause(said.text, match.start())} {_NUMBER.sub(' ', match.group())}")
        unit = _unit_behind(said.text, match.end("new"))
        if new in written or not thing:
            continue
        for former in told.sharing(thing):
            if former.message >= said.message or former.is_question:
                continue
            for old in _NUMBER.finditer(former.text):
                clause = read_terms(_last_clause(former.text, old.start())).all
                is_alike = unit and _unit_behind(former.text, old.end()) == unit and thing & clause
                if is_alike and _plain(old.group()) in written and _plain(old.group()) != new:
                    yield Replacement(_plain(old.group()), new, said, thing & clause)


def _things(text: str) -> frozenset[str]:
    """Return what a clause names that may have a number: no small word."""
    return frozenset(one for one in read_terms(text).all if len(one) >= _TELLING) - SMALL_WORDS


def _last_clause(text: str, end: int) -> str:
    """Return what stands before *end*, from the cut before it on."""
    return _CUT.split(text[:end])[-1]


def _unit_behind(text: str, end: int) -> str:
    match = _UNIT.match(text, end)
    return match[1].casefold() if match else ""


_NOW: Final = sieve(
    r"(?:\b(?:rises?|rose|drops?|dropped|falls?|fell|goes (?:up|down)|went (?:up|down)|comes|grows|steigt|sinkt|fällt|erhöht sich|passe|monte|descend|tombe|sube|baja|pasa|sobe|desce|passa|sale|scende|stijgt|daalt)\b[^\d.;]{0,30}\b(?:to|auf|à|a|para|naar)|\b(?:вырос\w*|снизил\w*|упал\w*|поднял\w*) до"
    r"|\b(?:is|are|ist|sind|est|son|es|é|è) (?:now|jetzt|nun|maintenant|ahora|agora|ora|adesso)|\b(?:now|jetzt|maintenant|ahora|agora|теперь)\b[^\d.;,]{0,25}\b(?:is|ist|est|es|é|è|beträgt|—|-)) (?P<new>\d[\d.,]*\d|\d)(?![\w:])",
    re.I,
)
"""A thing has another number from here on."""
_UNIT: Final = late_pattern(r"\s?(%|€|\$|£|EUR\b|USD\b|euros?\b|[^\W\d_]{1,12})", re.I)


def _plain(number: str) -> str:
    """Return a number without separators: `1,250` as `1250`."""
    return max(number_forms(number))


@lru_cache(maxsize=20_000)
def _numbers(text: str) -> frozenset[str]:
    return frozenset(_plain(one) for one in _NUMBER.findall(text)) if _DIGIT.search(text) else _NOTHING


@lru_cache(maxsize=8_192)
def _replacements(said: Statement) -> tuple[Replacement, ...]:
    if (
        len(_numbers(said.text)) < _LEAST
        or said.is_question
        or said.speaker not in (Role.USER, Role.ASSISTANT)
    ):
        return ()
    sets = _sets(said.text)
    is_sure = sets or said.speaker == Role.USER  # an agent tells what it measured as well as what it set
    shapes = (*_REPLACED, *(_MOVED if sets else ())) if is_sure else ()
    found = {
        (_plain(match["old"]), _plain(match["new"]))
        for shape in shapes
        for match in shape.finditer(said.text)
    }
    return tuple(Replacement(old, new, said) for old, new in sorted(found) if old != new)


def _sets(text: str) -> bool:
    """Return whether *text* says that somebody changes something: what falls or grows by itself is measured."""
    return _CHANGED.search(text) is not None or not _CHANGES.isdisjoint(read_terms(text).deeds)


_ARROW: Final = late_pattern(
    r"(?<![\d.])(?P<old>\d[\d.,:]*\d|\d)(?: ?[%°]?[A-Za-z]{0,4})? ?(?:->|→|=>) ?(?P<new>\d[\d.,:]*\d|\d)(?![.:]?\d)"
)
_ARROWS: Final = ("->", "→", "=>")
_LONGEST: Final = 300
_DIGIT: Final = late_pattern(r"\d")
_NUMBER: Final = late_pattern(r"(?<![\w.,-])\d[\d.,:]*\d(?!\w)|(?<![\w.,-])\d(?![\w.,]\d)")
_NOTHING: Final = frozenset[str]()
