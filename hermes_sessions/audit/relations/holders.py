"""Who does, has, decides or is to be told something: a person of the source in the place of another one."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.checking.contexts import has_capitals_often
from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.relations.name_shapes import read_doers
from hermes_sessions.audit.relations.statements import Statement, contradiction
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.facts.wording.units import MONTHS, WEEKDAYS
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_CAP: Final = r"[A-ZÀ-ÖØ-ÞА-ЯЁĞİŞ][a-zà-öø-ÿа-яёğışçöü]{1,20}"
_TITLE: Final = r"(?:Herrn?|Frau|Mr|Mrs|Ms|Dr|Prof|Mme|Mlle|M|Monsieur|Madame|Sra?|Señora?|Senhora?|Dona|Don|Doña|Sig|Sig\.ra|Signora?|г-н\w*|г-ж\w*)\.?"
_PERSON = late_pattern(
    rf"(?<![\w./@#-])(?:{_TITLE}\s+(?P<titled>{_CAP})|(?P<initial>{_CAP}) [A-Z]\.(?!\w)|(?P<full>{_CAP}) {_CAP}(?![\w/@-])"
    rf"|(?P<verb>{_CAP})(?=['’]s\b(?! (?:not|been|a|the|going)\b)|\s+(?:signs?|signed|reviews?|reviewed|approves?|approved|handles?|owns?|said|says|wants?|wanted|asked|wrote|confirm\w*|decides?|decided|chose|picked|proposed|suggested|reported|found|rejected|joins?|pays?|would|will|has|is|does|tests?|rebas\w+|runs?|takes?|unterschreibt|prüft|sagt\w*|macht|übernimmt|hat|wird|will|signe|relit|dit|a|veut|firma|dice|revisa|lleva|quiere|ha|assina|disse|quer|vuole|подпис\w+|провер\w+|сказал\w*|реши\w+|тестиру\w+)\b)"
    rf"|\b(?:ask|tell|inform|notify|contact|assign(?:ed)?(?: (?:it|this|them))? to|ticket to|approval (?:of|from|by)|by|with|frag|avisa a|avisar a|bueno de|demande à|chiedi a|спроси\w*|предупред\w*|сообщ\w+) (?P<object>{_CAP})(?![\w/@-]))"
    r"|(?P<ja>[\u4e00-\u9fff]{1,3})(?=さん|様|氏|くん|部長|課長)|(?P<ko>[가-힣]{2,3})(?= ?(?:씨|님|과장|팀장|부장|대리))",
)
_CLAUSE = late_pattern(
    r"[,;:(，；、—]\s?|\s(?:and|but|while|und|aber|während|et|mais|y|pero|e|mas|ma|и|а|но|as|since|because)\s"
)
_INSIDE = late_pattern(rf"(?<=[\w,;:] )({_CAP})(?![\w/@-]|\.\w)")
_WRITTEN_SMALL = late_pattern(r"(?<![\w./@-])[^\W\dA-ZÀ-ÞА-Я_]\w+(?![\w.-]*@)")
_FIRST_PERSON = late_pattern(
    r"\b(?:I|me|my|ich|mir|mich|je|moi|yo|me|mí|eu|io|я|мне|меня)\b|[我僕私]|\b저|\bأنا"
)
NO_NAME: Final = (
    WEEKDAYS
    | MONTHS.keys()
    | {
        "the",
        "this",
        "that",
        "it",
        "user",
        "agent",
        "assistant",
        "what",
        "who",
        "there",
        "nobody",
        "nothing",
        "none",
        "everybody",
        "everyone",
        "anything",
        "somebody",
        "something",
        "someone",
        "everything",
    }
)
_GERMAN = late_pattern(
    r"\b(?:der|das|dem|den|des|und|ist|nicht|muss|eine?[mnrs]?|für|mit|keine?|wird|vor|vom|zum|bitte)\b"
)
"""Words of a language whose nouns all have capitals."""
_SURE: Final = frozenset({"titled", "initial", "ja", "ko"})
"""Shapes that name a person where nouns have capitals, too."""
_MIN_SHARED: Final = 2
_OFTEN: Final = 0.15
_MOST: Final = 2_000
_ENOUGH: Final = 0.5
_STEM: Final = 4
_LONGEST_ENDING: Final = 3
_SHORT: Final = 3
"""A word of so few letters is no bent name."""


class _HeldClause(NamedTuple):
    """A part of a sentence: who is named in it, who was named last before, and what else it speaks of."""

    said: Statement
    people: frozenset[str]
    holders: frozenset[str]
    about: frozenset[str]
    text: str


def exchanged_holders(claims: Sequence[Statement], told: Sequence[Statement]) -> Iterator[Deviation]:
    """Yield clauses that put one person of the source where everybody names another one."""
    told = told[-_MOST:]
    names = _people(tuple(told))
    if len(names) < 2:
        return
    people = _People(names)
    asked = [one for claim in claims if not claim.is_question for one in _asked(claim, people)]
    if not asked:
        return
    often = _often(told)
    known = list(_read_clauses(told, people, often))
    done: set[str] = set()
    for claim, name, about, own in asked:
        if claim.text in done or _does_the_same(name, own, known):
            continue
        origin = _other_holder(name, about - often, known)
        if origin is not None:
            done.add(claim.text)
            yield contradiction(claim, origin, "who")


class _People:
    """The people of a transcript, found in a text by its words; in Cyrillic letters with their endings."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names
        self._of_signs = [one for one in names if one > "\u2e7f"]
        self._bent: dict[str, set[str]] = {}
        for one in names:
            if one[0] > "\u03ff":
                self._bent.setdefault(one, set()).add(one)
                self._bent.setdefault(one[:-1], set()).add(one)

    def named_in(self, text: str) -> frozenset[str]:
        """Return whom a sentence names."""
        words = {_bare(word) for word in _LETTERS.findall(text)}
        found = words & self.names
        found.update(one for one in self._of_signs if one in text)
        if self._bent and not text.isascii():
            for word in words:
                if len(word) > _SHORT and word[0] > "\u03ff":
                    found.update(one for one in self._near(word) if _is_bent(word, one))
        return frozenset(found)

    def _near(self, word: str) -> Iterator[str]:
        for form in (word, word[:-1], word[:-2]):
            yield from self._bent.get(form, ())


def _is_bent(word: str, name: str) -> bool:
    stem = name[:-1]
    return word in (name, stem) or word[:-1] in (name, stem) or word[:-2] == stem


def _does_the_same(name: str, own: frozenset[str], known: Sequence[_HeldClause]) -> bool:
    """Return whether a clause says of *name* all that the clause of a line says beside its label."""
    return bool(own) and any(
        own <= one.about and any(_is_one(name, other) for other in one.people) for one in known
    )


class _AskedClause(NamedTuple):
    """A clause of the handoff that names one person: what it, or its line, speaks of, and what is its own."""

    claim: Statement
    name: str
    about: frozenset[str]
    own: frozenset[str]


def _asked(claim: Statement, people: _People) -> Iterator[_AskedClause]:
    """Yield each clause with one name and what it speaks of; `Sound check: Ana` is one clause."""
    parts = _clauses(claim.text)
    named = [(part, found) for part in parts if len(found := people.named_in(part)) == 1]
    for part, found in named:
        about = own = _about(part, people.names)
        if len(about) < _MIN_SHARED and len(named) == 1 and len(people.named_in(claim.text)) == 1:
            about = _about(claim.text, people.names)
        yield _AskedClause(claim, next(iter(found)), about, own)


def _clauses(text: str) -> Sequence[str]:
    return [one for one in _CLAUSE.split(text) if one.strip()]


def _read_clauses(told: Sequence[Statement], people: _People, often: frozenset[str]) -> Iterator[_HeldClause]:
    """Yield the clauses of a transcript; one that names nobody is said of who was named before it."""
    message, holders = -1, frozenset[str]()
    for said in told:
        if said.message != message:
            message, holders = said.message, frozenset()
        for text in _clauses(said.text):
            found = people.named_in(text)
            holders = found or holders
            yield _HeldClause(said, found, holders, _about(text, people.names) - often, text)


def _other_holder(name: str, about: frozenset[str], known: Sequence[_HeldClause]) -> Statement | None:
    """Return the sentence that says this of somebody else, where nothing like it is said of *name*."""
    least = max(_MIN_SHARED, len(about) * _ENOUGH)
    close = [
        (len(about & one.about), one)
        for one in known
        if len(one.people) == 1
        and not any(_is_one(name, other) for other in one.people)
        and len(about & one.about) >= least
        and not one.said.is_question
    ]
    if not close:
        return _other_decider(name, about, known)
    most, origin = max(close, key=lambda found: (found[0], found[1].said.message))
    is_whole = about <= origin.about
    for one in known:
        is_own = one.said.speaker == Role.USER and _FIRST_PERSON.search(one.text)
        shared = len(about & one.about) * 2 >= most
        if shared and (is_own or any(_is_one(name, other) for other in one.holders)):
            return None
        is_later = one.said.message >= origin.said.message
        if name in one.people and is_later and not is_whole and _POINTS.search(one.text):
            return None
    return origin.said


def _is_one(name: str, other: str) -> bool:
    """Return whether two names may be of one person, with the endings of a case."""
    short = min(len(name), len(other))
    common = next((at for at, (a, b) in enumerate(zip(name, other, strict=False)) if a != b), short)
    return name == other or (
        common >= max(_STEM, short - 1) and max(len(name), len(other)) - common <= _LONGEST_ENDING
    )


def _other_decider(name: str, about: frozenset[str], known: Sequence[_HeldClause]) -> Statement | None:
    """Return who decided what a clause gives to *name*: the one person of whom that is said at all."""
    if "decide" not in about or any(name in one.holders and (about & one.about) for one in known):
        return None
    deciding = [one for one in known if "decide" in one.about]
    if any(_FIRST_PERSON.search(one.text) for one in deciding):
        return None
    people = {person for one in deciding for person in one.people}
    rest = about - {"decide"}
    for one in deciding if len(people) == 1 and rest else ():
        context = frozenset[str]().union(
            *(other.about for other in known if other.said.message == one.said.message)
        )
        if one.people and rest & context:
            return one.said
    return None


_POINTS: Final = late_pattern(
    r"\b(?:it|this|that|them|es|das|dies|ça|cela|le|la|lo|eso|esto|isso|это|его|её)\b|这|那|它|それ|これ|그것",
    re.I,
)


def names_of_people(told: Sequence[Statement]) -> frozenset[str]:
    """Return the names of people in the newest sentences of a transcript, forms of address left out."""
    return _people(tuple(told[-_MOST:])) - _SMALL


_ADDRESSED: Final = late_pattern(
    r"([\u4e00-\u9fff]{1,3}|[\u30a0-\u30ff]{2,8})(?=先生|老师|经理|主任|院长|女士|总监|医生|さん|様|氏|くん|ちゃん)|([小老][\u4e00-\u9fff])(?=[说要让的负定])"
    rf"|({_CAP}) (?:Hanım|Bey|Abla|Abi)\b|\b(?:Herrn?|Frau|[Pp]ani?|[Pp]ana|dott\.(?:ssa)?|M\.) ({_CAP})"
)


def addressed_people(told: Sequence[Statement]) -> frozenset[str]:
    """Return the names of people that are spoken of with a form of address, in small letters."""
    found = (
        match[match.lastindex or 0] for said in told[-_MOST:] for match in _ADDRESSED.finditer(said.text)
    )
    return frozenset(one.casefold() for one in found)


def doers_named(told: Sequence[Statement]) -> frozenset[str]:
    """Return the names of those who do something, in small letters; a word that is also written small is none."""
    found = {one for said in told[-_MOST:] for one in read_doers(said.text)}
    small = {one for said in told[-_MOST:] for one in _WRITTEN_SMALL.findall(said.text)} if found else set()
    return frozenset(one.casefold() for one in found if one.casefold() not in small) - NO_NAME - _SMALL


@lru_cache(maxsize=2)  # several rules ask for those of one transcript
def _people(told: Sequence[Statement]) -> frozenset[str]:
    """Return the names of people in the transcript, in small letters; a word that is also written small is none."""
    found = frozenset[str]().union(*(_people_in(said.text) for said in told)) - NO_NAME
    small = {one for said in told for one in _WRITTEN_SMALL.findall(said.text)} if found else frozenset[str]()
    return found - small


def _people_in(text: str) -> Iterable[str]:
    """Return the names in one sentence, in small letters; one without capitals but its first can name who does something."""
    if text.isascii() and text[1:].islower():
        match = _PERSON.match(text)
        people = [match] if match else []
        inside: Sequence[str] = ()
    else:
        people, inside = list(_PERSON.finditer(text)), _INSIDE.findall(text)
    if not (people or inside):
        return ()
    is_sure = not (has_capitals_often(text) or _GERMAN.search(text))
    named = [
        match[match.lastgroup or 0]
        for match in people
        if not (match.lastgroup == "full" and not match.start())  # `Ask Chloe` is no name
        and (is_sure or match.lastgroup in _SURE)
    ]
    return [one.casefold() for one in (*named, *(inside if is_sure else ()))]


def _about(text: str, people: frozenset[str]) -> frozenset[str]:
    """Return what a clause speaks of, the people in it left out."""
    rest = _LETTERS.sub(lambda match: " " if _bare(match.group()) in people else match.group(), text)
    return frozenset(one for one in read_terms(rest).all if one not in people and one not in _SMALL)


def _bare(word: str) -> str:
    return word.casefold().removesuffix("'s").removesuffix("’s")


_LETTERS = late_pattern(r"[^\W\d_][\w'’]*")
_SMALL: Final = frozenset(
    [
        "herr",
        "herrn",
        "frau",
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "mme",
        "mlle",
        "monsieur",
        "madame",
        "sr",
        "sra",
        "do",
        "does",
        "did",
        "doe",
        "done",
        "doing",
    ]
)


def _often(told: Sequence[Statement]) -> frozenset[str]:
    """Return what so many sentences are about that it tells none from another."""
    counts = Counter(word for said in told for word in said.about)
    least = max(3.0, len(told) * _OFTEN)
    return frozenset(word for word, count in counts.items() if count > least)
