"""The people of a transcript and of a handoff, by all their names, and the clauses that speak of one of them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.relations.holders import NO_NAME
from hermes_sessions.audit.relations.name_shapes import is_german, read_doers
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.small_words import SMALL_WORDS
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.late_patterns import late_pattern

_CAP: Final = r"[A-ZÀ-ÖØ-ÞА-ЯЁĞİŞŁŚŻČŠŽ][a-zà-öø-ÿа-яёğışçöüłśżčšžńęąć]{1,20}"
_TITLE: Final = r"(?:Herrn?|Frau|Mr|Mrs|Ms|Dr|D|Prof|Mme|Mlle|M|Monsieur|Madame|Sra?|Señora?|Senhora?|Dona|Don|Doña|Sig|Signora?|Dott|Pani?|г-н\w*|г-ж\w*)\.?"
_TITLED: Final = late_pattern(rf"(?<!\w)(?:{_TITLE}\s+)+({_CAP})")
_FULL: Final = late_pattern(rf"(?<![\w./@#-])(?=({_CAP}) ({_CAP})(?![\w/@-]|\.\w))")
_ASKED: Final = late_pattern(
    r"\b(?i:ask|tell|remind|frag|frage|demande[rz]? à|dis à|pregunt[ae]r? a|pergunt[ae]r? (?:ao?|à)|chied[ie](?:re)? a|vraag|zapytaj|fråga|спроси\w*(?: у)?) "
    rf"({_CAP})"
)
_CHATTED: Final = late_pattern(rf"(?<=[\w,] )({_CAP})(?![\w/@-]|\.\w)")
"""Who has a capital in a sentence that begins without one."""
_MAY: Final = late_pattern(
    rf"(?<![\w./@#-])({_CAP})(?:['’]s| (?:should|must|has|have|had|can|cannot|could|may|might|needs?|is|was|won['’]t|didn['’]t|doesn['’]t|doit|peut|va|est|a|debe|puede|tiene|está|es|deve|pode|tem|può|ha|è|moet|kan|zal|ska|måste|skal|долж\w+|мож\w+|musi|może|powin\w+|[a-z]{{2,12}}ed))(?!\w)"
)
_ACTS: Final = late_pattern(
    rf"(?:^|[.,;:!?] |\b(?:and|but|und|aber|et|mais|y|pero|e|mas|ma|и|а) )({_CAP}) (?:[a-z]{{2,14}}s (?:the|an?|all|his|her|their|each|both|every|on|at|in|out|up|after|for|with)"
    r"|[a-zäöüß]{2,14}t (?:d(?:ie|as|e[rnm])|eine?[nmr]?|alle|beim?|am|im|zum|zur|sich|noch|nur|auf|an|um|mit|für)"
    r"|[a-zàâçéèêëîïôû]{2,14}[et] (?:l[ea]s?\b|l['’]|une?|des|du|au|chaque|tou[ts])"
    r"|[a-záéíóúñãõç]{2,14}[aeo] (?:el|l[aeo]s?|[ao]s?|il|gli|i|un[ao]?|uma?|todos?|todas?|al?|del?)"
    r"|[а-яё]{2,14}(?:[еиёаюя]т|ла?)(?:ся|сь)? )",
    re.M,
)
"""Who does something to something, in a clause of which it is the first word."""
_SIGNED: Final = late_pattern(
    r"([\u4e00-\u9fff]{1,3}|[\u30a0-\u30ff]{2,8})(?=先生|老师|经理|主任|院长|女士|总监|医生|さん|様|氏|くん|ちゃん|部長|課長)"
    r"|(?<=[由让请等给找问叫])([小老][\u4e00-\u9fff])|([小老][\u4e00-\u9fff])(?=[说要让的负定跟回处])"
)
"""Whom signs name: with a form of address, or as *little* and *old*."""
_ADDRESSED: Final = late_pattern(
    r"先生|老师|经理|主任|院长|女士|总监|医生|さん|くん|ちゃん|部長|課長|씨|님|과장|팀장|부장"
)
_ADDRESSES: Final = frozenset(
    "herr herrn frau d mr mrs ms dr prof mme mlle m monsieur madame sr sra don doña dona sig signora dott pan pani".split()
)
_CLAUSE: Final = SentenceCut(
    r"[,;.!?]\s|[，；。、！？（）()]|\s[–—]\s|\s\|\s"
    r"|\s(?:and|but|while|whereas|because|since|as|und|aber|während|weil|denn|et|mais|car|tandis que|parce qu[e’']|y|pero|mientras|porque"
    r"|e|mas|enquanto|ma|mentre|perché|и|а|но|потому что|так как|en|maar|omdat|i|ale|bo|och|men|ve|ama|çünkü)\s"
)
_WORD: Final = late_pattern(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_DETERMINED: Final = late_pattern(
    rf"\b(?:d(?:er|ie|as|en|em|es)|(?:[dms]?ein|kein|ihr|unser)(?:e[mnrs]?)?|im|am|zum|zur|vom|beim) ({_CAP})"
)
_SMALL: Final = late_pattern(r"(?<![\w./@-])[^\W\dA-ZÀ-ÞА-ЯЁ_]\w+(?![\w.-]*@)")
_APPROVES: Final = late_pattern(
    r"(?i)\b(?:approv\w+|sign(?:s|ed|ing)?(?: off)?|agree\w*|confirm\w*|ok(?:ay)?|freig\w+|freizugeben|unterschr\w+|zustimm\w*|zugestimmt|genehmig\w*|signe\w*|valid\w+|accord\w*|firm[aeo]\w*|aprueb\w+|aprob\w+|visto bueno|assin\w+|aprov\w+|approva\w*|подпи\w+|underskr\w+|undertecknar|одобр\w+|соглас\w+|подтверд\w+)\b|确认|批准|同意|签字|审核|承認|許可"
)
_OF_TASKS: Final = frozenset({
    *("appro", "respo", "handl", "charg", "tac", "task", "tasc", "zustä", "übern", "überne", "cümme", "occup", "encar", "cuid", "sai", "say", "sag"),
    *("担当", "负责", "担当者"),
})  # fmt: skip
"""To have a task, whatever it is, and to be asked or to agree, which `approv` tells more exactly."""
_NO_NAMES: Final = (
    NO_NAME
    | _ADDRESSES
    | SMALL_WORDS
    | set(
        "he she they jemand niemand elle ella ela lei lui egli hij zij ona oni han hon она они кто-то".split()
    )
)
_SIGNS: Final = "\u2e7f"
_PREFIX: Final = 5
_SHORT: Final = 3


class Person(NamedTuple):
    """Somebody, by all the words that are names of theirs, in small letters.

    Attributes:
        is_sure: somebody is spoken of as a person under one of these names.
    """

    names: frozenset[str]
    is_sure: bool


class OwnClause(NamedTuple):
    """A clause, whom it names, who was spoken of last before it in its sentence or alone in it, and what else it speaks of."""

    said: Statement
    text: str
    people: frozenset[Person]
    before: frozenset[Person]
    about: frozenset[str]


class People:
    """The people of a transcript, each found by any of their names."""

    def __init__(self, names: Iterable[str], texts: Sequence[str], claims: Sequence[str] = ()) -> None:
        """Take *names* that people may have, in small letters, what was said, and what is claimed."""
        sure: set[str] = set()
        titled: set[str] = set()
        pairs: set[tuple[str, str]] = set()
        for text in texts:
            if not text.islower():
                doing = [*_ASKED.findall(text), *(() if is_german(text) else _MAY.findall(text))]
                doing += _CHATTED.findall(text) if text[0].islower() else ()
                sure |= set(filter(_may_be_name, map(str.casefold, doing)))
                sure |= {one.casefold() for one in (*read_doers(text), *_ACTS.findall(text))}
                titled |= {one.casefold() for one in _TITLED.findall(text)}
                pairs |= {(first.casefold(), last.casefold()) for first, last in _FULL.findall(text)}
            if not text.isascii():
                sure |= {name for found in _SIGNED.findall(text) for name in found if name}
        small = {one for text in texts for one in _SMALL.findall(text)}
        german = [text for text in (*texts, *claims) if is_german(text)]
        small |= {one.casefold() for text in german for one in _DETERMINED.findall(text)}
        none = {one for one in (small - titled) | _NO_NAMES if one < _SIGNS}
        known = sure.union(titled, names) - none
        pairs = {pair for pair in pairs if none.isdisjoint(pair) and _may_be_name(pair[0])}
        self._of: dict[str, Person] = {}
        for group in _groups(known, pairs):
            person = Person(frozenset(group), not (sure | titled).isdisjoint(group))
            self._of.update(dict.fromkeys(group, person))
        self._of_signs = sorted((one for one in self._of if one > _SIGNS), key=len, reverse=True)

    @property
    def people(self) -> frozenset[Person]:
        """Everybody."""
        return frozenset(self._of.values())

    def named_in(self, text: str) -> frozenset[Person]:
        """Return whom *text* names."""
        found = {person for one in _WORD.findall(text) if (person := self._person(one)) is not None}
        if self._of_signs and not text.isascii():
            found |= {self._of[one] for one in self._of_signs if one in text}
        return frozenset(found)

    def without_names(self, text: str) -> str:
        """Return *text* without the names and titles in it."""
        bare = _WORD.sub(
            lambda match: (
                " "
                if self._person(match.group()) or match.group().casefold() in _ADDRESSES
                else match.group()
            ),
            text,
        )
        for one in self._of_signs:
            bare = bare.replace(one, " ")
        return bare if bare.isascii() else _ADDRESSED.sub(" ", bare)

    def as_written(self, person: Person, text: str) -> str:
        """Return the first word of *text* that names a person, `''` where none does."""
        for match in _WORD.finditer(text):
            if self._person(match.group()) == person:
                return match.group()
        return next((one for one in person.names if one in text), "")

    def _person(self, word: str) -> Person | None:
        if word[0].islower():
            return None
        folded = word.casefold()
        for suffix in ("'s", "’s"):
            folded = folded.removesuffix(suffix)
        if (known := self._of.get(folded)) is not None:
            return known
        if folded[0] > "\u03ff" and len(folded) > _SHORT:
            for name, person in self._of.items():
                if (
                    len(name) > _SHORT
                    and name[:-1] == folded[: len(name) - 1]
                    and len(folded) - len(name) < 2
                ):
                    return person
        return None


@lru_cache(maxsize=8_192)
def _may_be_name(word: str) -> bool:
    return word not in SMALL_WORDS and not read_terms(word).concepts and bool(read_terms(word).all)


def _groups(known: set[str], pairs: Iterable[tuple[str, str]]) -> Iterator[set[str]]:
    """Yield the names of each person: a first and a last name that are written together are of one, where that is clear."""
    named = [(first, last) for first, last in pairs if first in known or last in known]
    groups: dict[str, set[str]] = {one: {one} for one in known}
    for first, last in named:
        lasts = {each for one, each in named if one == first}
        firsts = {one for one, each in named if each == last}
        if len(lasts) > 1 or len(firsts) > 1:
            continue
        merged = groups.get(first, {first}) | groups.get(last, {last})
        for one in merged:
            groups[one] = merged
    seen: set[int] = set()
    for group in groups.values():
        if id(group) not in seen:
            seen.add(id(group))
            yield group


def read_clauses(said: Statement, people: People) -> Sequence[OwnClause]:
    """Return the clauses of a sentence, with whom each names and what else it speaks of."""
    found: list[OwnClause] = []
    everybody = people.named_in(said.text)
    before = everybody if len(everybody) == 1 else frozenset[Person]()
    for text in _parts(said.text, people):
        if text.strip():
            named = people.named_in(text)
            found.append(OwnClause(said, text, named, before, spoken_in(people.without_names(text))))
            before = named or before
    return found


def _parts(sentence: str, people: People) -> Iterator[str]:
    """Yield the clauses of a sentence; what is before a colon is one where what is behind it names somebody and more."""
    for text in _CLAUSE.split(sentence):
        head, colon, rest = text.partition(": ")
        behind = people.named_in(rest) if colon else frozenset()
        if behind and not people.named_in(head) and spoken_in(people.without_names(rest)):
            yield from (head, rest)
        else:
            yield text


@lru_cache(maxsize=20_000)
def spoken_in(text: str) -> frozenset[str]:
    """Return what a text without names speaks of, so that it can be held against other languages."""
    items = {_plain(one) for one in read_items(text).all if one not in SMALL_WORDS} - _OF_TASKS
    if _APPROVES.search(text):
        items.add("approv")
    return frozenset(items)


_ENDING: Final = late_pattern(r"(?<=\w{3})(?:ing|ed|e[nrs]?|[aost])$")
_ALIKE: Final[Mapping[int, str]] = str.maketrans({"k": "c", "y": "i", "z": "s"})


@lru_cache(maxsize=20_000)
def _plain(item: str) -> str:
    """Return how an item is held against those of other languages: `musik` and `music` are one."""
    if not item.isalpha() or item > _SIGNS:
        return item
    bare = _ENDING.sub("", item.replace("ph", "f").replace("ks", "x"))
    return bare.translate(_ALIKE)[:_PREFIX]
