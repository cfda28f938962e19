"""Whom the work waits for: another person than the one that everybody names."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.relations.holders import NO_NAME, names_of_people
from hermes_sessions.audit.relations.statements import Statement, contradiction
from hermes_sessions.late_patterns import late_pattern

_CAP: Final = r"[A-ZÀ-ÖØ-ÞА-ЯЁĞİŞ][a-zà-öø-ÿа-яёğışçöü]{1,20}"
_TITLE: Final = r"(?:(?:Herrn?|Frau|Mr|Mrs|Ms|Dr|Prof|Mme|Mlle|M|Monsieur|Madame|Sra?|Señora?|Senhora?|Dona|Don|Doña|Sig|Signora?|г-н\w*|г-ж\w*)\.? )*"
_HOLD: Final = late_pattern(
    r"(?:(?i:\b(?:until|unless|before|once|as soon as|when|wait(?:s|ing)? (?:for|until|till)|only after|pending|approv\w+ (?:by|of|from)|bis|sobald|bevor|erst wenn|wenn|warten? auf(?: die Freigabe)?(?: (?:durch|von))?|(?:Freigabe|Zustimmung|Genehmigung) (?:durch|von)|jusqu[’']à ce qu[e’']|tant qu[e’']|attend\w* (?:que|qu[’'])|avant qu[e’']|accord de|hasta que|antes de que|cuando|visto bueno de|até que|até|antes que|quando|aval de|finché|prima che|ok di|пока(?: не)?|когда|после того,? как|согласия)\s(?:the |die |der |l[ea] |el |o |a )?)"
    rf"(?P<title>{_TITLE})(?P<name>{_CAP})(?![\w/@-]))|(?:等待|等|待|直到|需要|需)(?P<zh>[\u4e00-\u9fff]{{2,3}}?)(?=确认|批准|同意|签字|审核|审批|看过|回复)|(?P<ja>[\u4e00-\u9fff]{{1,3}}|[\u30a1-\u30fa]{{2,8}})(?=(?:さん|様|氏|部長|課長)?(?:の(?:承認|確認|許可)|が(?:承認|確認|許可)))"
)
_ACTS: Final = {
    "approve": r"approv|sign|agree|confirm|clear|review|ok\b|freigeb|freigab|freigegeb|freigibt|unterschr|unterzeich|zustimm|genehmig|bestätig|prüf|signe|approuv|valid|accord|confirm|relit|firm|aprueb|aprob|confirma|visto bueno|revis|assin|aprov|aval|подпи|одобр|соглас|подтверд|провер|утверд|确认|批准|同意|签字|审核|审批|看过|承認|確認|許可",
    "answer": r"answer|repl|respon|writ|call|send|antwort|schreib|meldet|schick|répon|écri|envoi|contest|escrib|enví|escrev|manda|отвеч|ответ|напиш|пришл|回复|返信",
    "compare": r"compar|verg(?:leich|lich)|сравн|比较|比較",
    "decide": r"decid|decis|entscheid|entschied|entschlie|décid|реш(?:ит|ил|ает)|决定|決め|決定",
    "return": r"(?:is|are|comes?|gets?) back|return|zurück|rentr|reven|revien|vuelv|regres|volta|torn|верн|回来|戻",
    "pay": r"\bpa(?:y|id|ys)\b|zahl|paie|paye|pag(?:a|ue|ó|ou|hi)|оплат|付款|支払",
}
_ACT_SHAPES: Final = {
    name: late_pattern(rf"(?:\b|(?<=[\u3040-\u9fff]))(?:{words})", re.I) for name, words in _ACTS.items()
}
_POINTS: Final = late_pattern(r"[他她它你我您这那其]|用户|对方|客户")
_NOUNS: Final = late_pattern(
    r"\b(?:der|die|das|dem|den|des|und|ist|nicht|muss|eine?[mnrs]?|für|wird|vom|zum|durch|bis)\b"
)
_REPORTS: Final = late_pattern(
    r"\s(?:says?|said|tells?|told|reports?|lets|sagt|mitteilt|berichtet|dit|dise|annonce|prévient|dice|diga|avisa|avise|diz|disser|dica|avvisa|zegt|meldt|powie|mówi|скажет|говорит|сообщит)\b",
    re.I,
)
"""What somebody says of another one's deed: *once Dana says it is signed*."""
_REACH: Final = 45
_BACK: Final = 25


class _HeldWork(NamedTuple):
    name: str
    acts: frozenset[str]
    said: Statement
    is_titled: bool


def exchanged_holds(claims: Sequence[Statement], told: Sequence[Statement]) -> Iterator[Deviation]:
    """Yield what waits for one person in a handoff, where everybody has it wait for another one."""
    asked = [one for claim in claims if not claim.is_question for one in _holds(claim)]
    known = [one for said in told if not said.is_question for one in _holds(said)] if asked else []
    if not known:
        return
    people = names_of_people(told)
    seen: set[str] = set()
    for one in asked:
        alike = [other for other in known if other.acts & one.acts]
        names = {other.name for other in alike}
        if (
            len(names) != 1
            or not _is_other(one.name, *names)
            or _is_known(one, told)
            or one.said.text in seen
        ):
            continue
        if _is_person(one, people) and _is_person(alike[-1], people):
            seen.add(one.said.text)
            yield contradiction(one.said, alike[-1].said, "other-hold", "who")


def _is_other(one: str, other: str) -> bool:
    """Whether two names of one script are of two people; `Sato` may be 佐藤."""
    scripts = {
        ("latin" if name < "\u0370" else "cyrillic" if name < "\u0530" else "han") for name in (one, other)
    }
    return len(scripts) == 1 and one[:-2] != other[:-2] and one not in other and other not in one


def _is_person(one: _HeldWork, people: frozenset[str]) -> bool:
    """Whether the name is a person's; where all nouns have capitals it must be known as one."""
    if one.name > "\u2e7f":
        return _POINTS.match(one.name) is None
    if one.name.casefold() in NO_NAME:
        return False
    return one.is_titled or one.name.casefold() in people or _NOUNS.search(one.said.text) is None


def _is_known(one: _HeldWork, told: Sequence[Statement]) -> bool:
    """Whether somebody says that person does such a thing at all."""
    stem = one.name[: max(3, len(one.name) - 2)]
    return any(stem in said.text and one.acts & _acts(said.text) for said in told)


@lru_cache(maxsize=20_000)
def _acts(text: str) -> frozenset[str]:
    return frozenset(name for name, shape in _ACT_SHAPES.items() if shape.search(text))


@lru_cache(maxsize=20_000)
def _holds(said: Statement) -> Sequence[_HeldWork]:
    found = []
    for match in _HOLD.finditer(said.text):
        if _REPORTS.match(said.text, match.end()):
            continue
        name = match["name"] or match["zh"] or match["ja"]
        around = said.text[
            max(0, match.start() - _BACK) if match["name"] is None else match.start() : match.end() + _REACH
        ]
        if acts := _acts(around):
            found.append(_HeldWork(name, acts, said, bool(match["title"])))
    return found
