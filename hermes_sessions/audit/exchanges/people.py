"""People that a handoff puts in the place of others: another surname, another title, another name where one stood."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Final

from hermes_sessions.audit.checking.contexts import has_capitals_often
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.sentences import Phrase, Spoken
from hermes_sessions.audit.relations.name_shapes import is_german, read_doers
from hermes_sessions.audit.sources.source_index import SourceIndex
from hermes_sessions.audit.words.telling import telling_words
from hermes_sessions.facts.quantities.amounts import NUMBER_WORDS
from hermes_sessions.late_patterns import late_pattern

_CAP = r"[A-ZÀ-ÖØ-ÞА-ЯЁ][a-zà-öø-ÿа-яё]{1,20}(?:-[A-ZÀ-Þ][a-zà-ÿ]{1,20})?"
_FULL_NAME = late_pattern(rf"(?<![\w./@#-])(?=({_CAP}) ({_CAP})(?![\w/@-]|\.\w))")
_TITLE: Final = r"(?:Herrn?|Frau|Mr\.?|Mrs\.?|Ms\.?|Dr\.?|Prof\.?|Mme|Mlle|Monsieur|Madame|Sra?\.?|Señora?|Senhora?|Dona|Sig\.?(?:ra)?|Signora?|господин\w*|госпож\w+|г-н\w*|г-ж\w*)"
_TITLED = late_pattern(rf"(?<!\w)({_TITLE})\s+(?:{_TITLE}\s+){{0,2}}(?!{_TITLE}\s)({_CAP})(?![\w/@]|\.\w)")
"""`Frau Dr. Amann` has two."""
_HONOURED = late_pattern(
    r"(?P<ja>[\u4e00-\u9fff]{1,3})(?=(?:さん|様|氏|くん|部長|課長|社長|先生))|(?P<ko>[가-힣]{2,3})(?= ?(?:씨|님|과장|팀장|부장|대리|선생))"
    r"|(?P<zh>[小老][\u4e00-\u9fff])(?![\u4e00-\u9fff]{0,1}[时型号化])|(?P<zh2>[\u4e00-\u9fff]{1,3})(?=(?:先生|女士|经理|主任|老师|总监))"
)
_NOT = late_pattern(
    rf"\b({_CAP})\b[^.;\nA-ZÀ-ÞА-Я]{{0,20}}?, (?:not|nicht|pas|no|non|не|não) (?:by |von |par |por |da )?({_CAP})\b"
)
_SLOT_BEFORE = late_pattern(
    r"\b(?P<word>ask|asks|asked|tell|tells|told|inform|informed|notify|notified|contact|email|mail|by|for|for the|with|to|from|cc|owner|until|waiting for|wait for|assigned to|frag|frage|fragt|informier\w*|an|mit|von|durch|bei|für|demander à|avec|pour|par|avisar a|avisar|con|por|para|chiedere a|per|com|спросить|для|с|от)\b[ :]\s*$",
    re.I,
)
_SLOT_BEHIND = late_pattern(
    r"^(?:['’]s\b(?! (?:not|been|a|the|going)\b)|\s+(?:signs?|signed|reviews?|reviewed|approves?|approved|applies|applied|handles?|owns?|said|says|wants?|wanted|asked|wrote|confirm\w*|decides?|decided|joins?|joined|pays?|would|will|has|is|does|tests?|unterschreibt|prüft|sagt\w*|macht|schaltet|übernimmt|signe|relit|dit|firma|dice|revisa|assina|подпис\w+|провер\w+|сказал\w*|тестиру\w+)\b)"
)
_ANY = late_pattern(rf"(?<![\w./@#-])({_CAP})(?![\w/@]|\.\w|-\w)")
_SLOT_CHARS: Final = 80
"""So near to a name stands what makes it a person's."""
_ENOUGH: Final = 0.66
_MOST_NAMES: Final = 2_000
_Known = dict[re.Pattern[str], list[tuple[str, ...]]]
"""First and last names of the source, by the shape that found them."""
_INFLECTED: Final = 3


def exchanged_people(
    lines: Sequence[Phrase],
    phrases: Sequence[Phrase],
    spoken: Sequence[Spoken],
    source: SourceIndex,
    handoff: SourceIndex,
) -> Iterator[Deviation]:
    """Yield the people of a handoff who stand where the source has somebody else."""
    raw = source.raw
    is_plain = raw.isascii() or all(line.text.isascii() for line in lines)
    honoured = () if is_plain else tuple(_read_honoured(raw))
    known: _Known = {}
    for line in lines:
        yield from _other_surname(line, raw, handoff, known)
        yield from _other_title(line, raw, handoff)
        yield from _other_honoured(line, raw, handoff, honoured)
    yield from _swapped_pairs(lines, raw)
    told = _NamedPeople(spoken, source, handoff)
    for phrase in phrases:
        yield from _other_in_place(phrase, told)
        yield from _other_subject(phrase, told)


def _read_honoured(raw: str) -> Iterator[re.Match[str]]:
    """Yield the people with a title of these languages, line by line: most lines have no letter of them."""
    start = 0
    for line in raw.splitlines(keepends=True):
        end = start + len(line)
        if not line.isascii():
            yield from _HONOURED.finditer(raw, start, end)
        start = end


def _found(phrase: Phrase, name: str, other: str, line: str, message: int | None = None) -> Deviation:
    return Deviation(
        Grade.CONTRADICTS, "name", name, phrase.text[:400], "name-changed", other, line[:400], message
    )


def _is_bent(one: str, other: str) -> bool:
    """Whether two names can be one, with another ending."""
    first, second = one.casefold(), other.casefold()
    room = _INFLECTED if "\u0400" <= first[0] <= "\u052f" else 1
    common = next(
        (at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
        min(len(first), len(second)),
    )
    return common >= max(2, min(len(first), len(second)) - room)


def _other_surname(phrase: Phrase, raw: str, handoff: SourceIndex, names: _Known) -> Iterator[Deviation]:
    """`Inés Villegas` where the source knows one Inés, and she is Villalba."""
    for shape in (_FULL_NAME,):
        for match in shape.finditer(phrase.text):
            first, last = match.groups()
            if last in raw or first not in raw or re.search(rf"\b{first.lower()}\b", raw):
                continue  # `Der Nutzer` is no name
            if shape not in names:
                names[shape] = list(dict.fromkeys(one.groups() for one in shape.finditer(raw)))[:_MOST_NAMES]
            written = handoff.raw.casefold()
            known = [one for one in names[shape] if one[0] == first and one[1].casefold() not in written]
            if not known or any(_is_bent(last, one[1]) for one in names[shape]):
                continue
            if len(re.findall(rf"\b{re.escape(first)}\b", handoff.raw)) <= len(known) + 1:
                name, other = f"{first} {last}", " ".join(known[0])
                yield _found(phrase, name, other, other)


def _other_title(phrase: Phrase, raw: str, handoff: SourceIndex) -> Iterator[Deviation]:
    """`Herr Ostermann` where the source has a Frau Ostermann and a Herr Wieczorek."""
    for match in _TITLED.finditer(phrase.text):
        title, name = match.groups()
        if re.search(
            rf"{re.escape(title.rstrip('n.'))}\w{{0,2}}\.? (?:{_TITLE} ){{0,2}}{re.escape(name)}", raw
        ):
            continue
        others = [
            one
            for one in _TITLED.finditer(raw)
            if _plain(one[1]) == _plain(title)
            and not handoff.knows_word(one[2])
            and not _is_bent(name, one[2])
        ]
        titled = [one for one in _TITLED.finditer(raw) if one[2] == name]
        if others and (
            name not in raw or (titled and all(_plain(one[1]) != _plain(title) for one in titled))
        ):
            yield _found(phrase, match.group(), others[0].group(), others[0].group())


def _plain(title: str) -> str:
    return (
        title.casefold().rstrip(".").removesuffix("n")
        if title.casefold().startswith("herr")
        else title.casefold().rstrip(".")
    )


def _other_honoured(
    phrase: Phrase, raw: str, handoff: SourceIndex, honoured: Sequence[re.Match[str]]
) -> Iterator[Deviation]:
    """`鈴木さん` whom nobody named, where 高橋さん was named and is missing."""
    if not honoured or phrase.text.isascii():
        return
    for match in _HONOURED.finditer(phrase.text):
        name = match.group()
        if name in raw or (
            match["zh"] and name in ("小时", "老板", "小组", "小心", "小结", "老旧", "小于", "老师", "小型")
        ):
            continue
        for one in honoured:
            if one.lastgroup == match.lastgroup and one.group() not in handoff.raw:
                yield _found(phrase, name, one.group(), raw[max(0, one.start() - 20) : one.end() + 20])
                break
    for one in honoured:
        known = one["ko"]
        if known and len(known) == 3 and known not in handoff.raw:
            for match in re.finditer(rf"(?<![가-힣]){known[0]}[가-힣]{{2}}(?![가-힣])", phrase.text):
                name = match.group()
                if name not in raw and sum(a == b for a, b in zip(name, known, strict=True)) == 2:
                    yield _found(phrase, name, known, raw[max(0, one.start() - 20) : one.end() + 20])


def _swapped_pairs(lines: Sequence[Phrase], raw: str) -> Iterator[Deviation]:
    """`Carla, not Luigi` where it is Luigi, not Carla."""
    asked = [(line, match) for line in lines for match in _NOT.finditer(line.text)]
    told = {(one[1], one[2]): one.group() for one in _NOT.finditer(raw)} if asked else {}
    for line, match in asked:
        pair = match[1], match[2]
        if pair not in told and pair[::-1] in told:
            yield _found(line, match.group(), told[pair[::-1]], told[pair[::-1]])


def _other_in_place(phrase: Phrase, told: "_NamedPeople") -> Iterator[Deviation]:
    """A person nobody named, where a person that the handoff lacks was spoken of in the same words."""
    tells_nothing = has_capitals_often(phrase.text)
    for match in _ANY.finditer(phrase.text):
        name = match[1]
        slot = _slot(phrase.text, match)
        if not slot or tells_nothing or told.source.knows_word(name) or name.lower() in told.handoff.raw:
            continue
        if not _is_name(match, phrase.text, told.handoff.raw):
            continue
        words = phrase.words - telling_words(name)
        for said, other, place in told.missing:
            shared = len(words & said.words)
            if shared >= (1 if place == slot else 2) and not _is_bent(name, other):
                yield _found(phrase, name, other, said.text, said.message)
                return


_OF_THINGS: Final = late_pattern(r"\s+(?:will|would|looks|found|takes|took|runs)\b")
"""What anything does: `Nothing will change`."""


def _is_name(match: re.Match[str], text: str, handoff: str) -> bool:
    """Return whether a word that nobody said is surely a name: inside a sentence, or before what only people do.

    In German every noun has a capital.
    """
    if is_german(handoff):
        return False
    before = text[: match.start()].rstrip()
    if before and (before[-1].isalnum() or before[-1] in ",)"):
        return True
    return match[1] in read_doers(text) and _OF_THINGS.match(text, match.end()) is None


def _slot(text: str, match: re.Match[str]) -> str | None:
    """Return what makes the name at *match* a person's: a verb behind it, or the word that leads to it."""
    if _SLOT_BEHIND.match(text[match.end() : match.end() + _SLOT_CHARS]):
        return "verb"
    before = _SLOT_BEFORE.search(text, max(0, match.start() - _SLOT_CHARS), match.start())
    return before["word"].casefold() if before else None


class _NamedPeople:
    """What people and the agent said, and who is named in it; what no phrase asks for is not looked for."""

    def __init__(self, spoken: Sequence[Spoken], source: SourceIndex, handoff: SourceIndex) -> None:
        self.spoken = spoken
        self.source = source
        self.handoff = handoff

    @cached_property
    def text(self) -> str:
        return " ".join(said.text for said in self.spoken)

    def has_inside(self, name: str) -> bool:
        """Return whether somebody has a word with its capital inside a sentence, as only a name has it."""
        return re.search(rf"[^\W_],? {re.escape(name)}(?!\w)", self.text) is not None

    @cached_property
    def missing(self) -> Sequence[tuple[Spoken, str, str]]:
        """Who is named where a person is and not in the handoff, with what makes them one there."""
        named = [
            (said, one[1], slot)
            for said in self.spoken
            for one in _ANY.finditer(said.text)
            if (slot := _slot(said.text, one)) is not None
        ]
        lost = {
            name
            for name in {name for _, name, _ in named}
            if not self.handoff.knows_word(name) and name.lower() not in self.source.raw
        }
        return [one for one in named if one[1] in lost]

    @cached_property
    def people(self) -> frozenset[str]:
        return frozenset(name for said in self.spoken for name in _people_of(said.text))


@lru_cache(maxsize=20_000)
def _people_of(text: str) -> frozenset[str]:
    return frozenset(one[1] for one in _ANY.finditer(text) if _is_person(text, one))


def _other_subject(phrase: Phrase, told: _NamedPeople) -> Iterator[Deviation]:
    """Who is known, in a sentence that everybody says of somebody else."""
    found = [
        one
        for one in _ANY.finditer(phrase.text)
        if (one.start() > 0 or (_slot(phrase.text, one) == "verb" and told.has_inside(one[1])))
        and one[1].lower() not in told.text
    ]
    if len({one[1] for one in found}) != 1 or has_capitals_often(phrase.text):
        return
    name = found[0][1]
    words = phrase.words - telling_words(name)
    close: list[tuple[Spoken, str]] = []
    for said in told.spoken if len(words) > 1 else ():
        if len(words & said.words) < max(2, len(words) * _ENOUGH):
            continue
        if name[:4] in said.text:
            return
        if len(others := _people_of(said.text)) == 1:
            close += ((said, other) for other in others)
    if not close or any(other in phrase.text for _, other in close):
        return
    if _slot(phrase.text, found[0]) == "verb" or any(_is_bent(name, one) for one in told.people):
        yield _found(phrase, name, close[-1][1], close[-1][0].text, close[-1][0].message)


def _is_person(text: str, match: re.Match[str]) -> bool:
    if match[1].lower() in NUMBER_WORDS:
        return False
    return _slot(text, match) == "verb" or bool(
        re.search(r"(?:подписывает|занимается|scrive|firma|signe|escribe|тестирует) $", text[: match.start()])
    )
