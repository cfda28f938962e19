"""Numbers, names, codes, days and quotations of a handoff that stand nowhere in its source."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.bindings import Bindings
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.days import days_of
from hermes_sessions.audit.alignment.items import plain_number, spaced_figures
from hermes_sessions.audit.checking.asked_values import ITEM_NUMBER, JudgedValue
from hermes_sessions.audit.checking.contexts import has_capitals_often
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.inventions import fold, language_of
from hermes_sessions.audit.checking.passages import Mode, Passage
from hermes_sessions.audit.relations.name_shapes import read_doers
from hermes_sessions.audit.sources.source_index import SourceIndex
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.facts.compare import Likeness
from hermes_sessions.facts.equivalence import spelled
from hermes_sessions.facts.quantities.amounts import NUMBER_WORDS, read_days
from hermes_sessions.facts.wording.units import MONTHS, WEEKDAYS
from hermes_sessions.late_patterns import late_pattern

_CAP: Final = r"[A-ZÀ-ÖØ-ÞА-ЯЁĞİŞŁŚŻČŠŽ][a-zà-öø-ÿа-яёğışçöüłśżčšžąćęńź]{1,20}"
_NAME: Final = late_pattern(rf"(?:(?<=[\w,;:)'’]\s)|(?<=\w\s\())(?<![.!?]\s)({_CAP})(?![\w/@]|\.\w)")
_TITLED: Final = late_pattern(
    rf"(?<!\w)(?:Herrn?|Frau|Mr|Mrs|Ms|Dr|Prof|Mme|Mlle|M|Monsieur|Madame|Sra?|Señora?|Senhora?|Dona?|Doña|Sig|Signora?|г-н\w*|г-ж\w*|pan(?:i|ią|ia|a|em|u|owi|ie)?|bay|bayan|meneer|mevrouw)\.?\s+({_CAP})"
)
_HONOURED: Final = late_pattern(
    r"([\u4e00-\u9fff\u30a0-\u30ff]{1,5})(?=さん|様|氏|くん|部長|課長)|([가-힣]{2,3})(?= ?(?:씨|님|과장|팀장|부장|대리))"
)
_QUOTED: Final = late_pattern(
    r"[\"“„«「『]([^\"“”„«»「」『』\n]{3,300})[\"”“»」』]|(?<!\w)[‘']([^'‘’\n]{8,300}?)[’'](?!\w)"
)
_LETTERS: Final = late_pattern(r"[^\W\d_]{2,}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_DIGITS: Final = late_pattern(r"\d+(?:[.,:]\d+)*")
_NO_NAMES: Final = (
    WEEKDAYS
    | MONTHS.keys()
    | frozenset(f"{one}s" for one in WEEKDAYS)
    | frozenset(
        [
            "dr",
            "dra",
            "mr",
            "mrs",
            "ms",
            "mx",
            "mme",
            "mlle",
            "sr",
            "sra",
            "srta",
            "herr",
            "herrn",
            "frau",
            "prof",
            "fa",
            "nr",
            "sig",
        ]
    )
)
"""Days, months and titles."""
_WORDS: Final = late_pattern(r"[^\W\d_]{2,}")
_MOST_READ: Final = 4_000
_SMALL: Final = 2
"""Words for such numbers are articles in some languages."""
_TITLE_WORDS: Final = 0.6
_LONG_LABEL: Final = 6


def _is_title(text: str) -> bool:
    """Whether most words of a line have capitals, as in a heading."""
    words: list[str] = _WORDS.findall(text)
    return sum(one[0].isupper() for one in words) > len(words) * _TITLE_WORDS


class _KnownValues(NamedTuple):
    """What is known of a handoff: numbers the source has in other words, those it has not, and the language."""

    said: frozenset[str]
    worked_out: frozenset[str]
    language: str


def _read_judged(
    passages: Sequence[Passage], judged: Sequence[JudgedValue], source: SourceIndex
) -> _KnownValues:
    told: dict[bool, set[str]] = {True: set(), False: set()}
    for one in judged:
        if numbers := set(map(plain_number, _DIGITS.findall(one.fact.value))):
            told[source.says_strictly(one.fact.kind, one.fact.value)] |= numbers
    text = "\n".join(one.text for one in passages)[:_MOST_READ]
    return _KnownValues(frozenset(told[True]), frozenset(told[False] - told[True]), language_of(text))


def unknown_words(
    passages: Sequence[Passage],
    claims: Sequence[Clause],
    judged: Sequence[JudgedValue],
    bindings: Bindings,
    source: SourceIndex,
) -> Iterator[Deviation]:
    """Yield what stands nowhere in the source, each once; of *judged* values the source says some in other words."""
    known = _read_judged(passages, judged, source)
    seen: set[str] = set()
    for claim in claims:
        for kind, value in _unknown(claim, bindings, source, known):
            if value not in seen:
                seen.add(value)
                line = claim.said.text[:400]
                yield Deviation(Grade.NOT_VERBATIM, kind, value, line, "not-said")
    folded = ""
    for passage in passages:
        for match in _QUOTED.finditer(passage.text) if passage.mode is not Mode.OWN else ():
            quote = match[1] or match[2]
            folded = folded or fold(source.raw)
            if len(_LETTERS.findall(quote)) > 2 and fold(quote).strip(" .,!?…") not in folded:
                yield Deviation(
                    Grade.NOT_VERBATIM, "quotation", quote, passage.text.strip()[:400], "not-said"
                )


def _is_code(name: str) -> bool:
    """Whether *name* is more than a word with a hyphen, an abbreviation, a fraction or a date."""
    if not any(map(str.isalpha, name)):
        return False
    is_odd = any(map(str.isdecimal, name)) or "_" in name or "@" in name
    return is_odd or _FILE.search(name) is not None


def _is_in_parts(name: str, source: SourceIndex) -> bool:
    """`db.internal:6543` where host and port stand for themselves; of a name that was cut off, the end."""
    host, colon, port = name.rpartition(":")
    return bool(colon) and port.isdecimal() and source.holds_number(port) and source.holds_text(host)


def _is_measure(name: str, text: str, source: SourceIndex) -> bool:
    """`the 20-minute watch` for 20 minutes; `119 €/mois`."""
    if (found := _COUNTED.fullmatch(name)) and source.holds_number(found[1]):
        return True
    return (
        name.startswith("/") and name[1:].isalpha() and _PER.search(text, 0, text.find(name) + 1) is not None
    )


def _is_long_number(name: str) -> bool:
    """`143/815/08151`: a number in parts, and no date."""
    return _IN_PARTS.fullmatch(name) is not None and _DAY.fullmatch(name) is None


def _is_other_path(name: str, source: SourceIndex) -> bool:
    """`core/seeds` where the source knows something else in `core/`."""
    folder, slash, last = name.rpartition("/")
    return bool(slash) and len(folder) > _SMALL and len(last) > _SMALL and source.holds_text(f"{folder}/")


_DAY_OR_TIME: Final = late_pattern(r"([0-3]?\d)\.([0-5]?\d)")
_HOURS: Final = 24
_ELSEWHERE: Final = {"once": "es", "sept": "fr"}
"""Numbers of one language that are other words in English."""
_COUNTED: Final = late_pattern(r"(\d{1,6}(?:[.,]\d{1,3})?)-[^\W\d_]{3,}")
_PER: Final = late_pattern(r"[\w€$£¥₽%²³)]/$")
_IN_PARTS: Final = late_pattern(r"\d{1,8}(?:[/-]\d{1,8}){2,5}")
_DAY: Final = late_pattern(r"\d{1,4}[/-]\d{1,2}[/-]\d{1,4}")
_FILE: Final = late_pattern(r"\w/\w+\.\w|\w{2,}\.[a-z]{2,5}$|^[/~]")


def _unknown(
    claim: Clause, bindings: Bindings, source: SourceIndex, judged: _KnownValues
) -> Iterator[tuple[str, str]]:
    if claim.said.mode is not Mode.PLANNED:
        yield from _numbers(claim, bindings, source, judged)
        yield from _codes(claim, bindings, source)
    for name in _names(claim, are_capitals_plain=judged.language == "de"):
        terms = read_terms(name)
        is_word = terms.concepts or terms.all & bindings.index.known or name.casefold() in _NO_NAMES
        if not is_word and not source.knows_word(name) and not source.bent_names.knows(name, claim.said.text):
            yield "name", name
    for day in days_of(claim.text):
        if not bindings.names_day(day):
            yield "date", claim.text


def _numbers(
    claim: Clause, bindings: Bindings, source: SourceIndex, judged: _KnownValues
) -> Iterator[tuple[str, str]]:
    for number in claim.items.numbers if claim.items.all - claim.items.anchors else ():
        if whole := spaced_figures(claim.text).get(number):
            digits = re.sub(r"\D", "", whole)
            if not source.holds_number(digits) and not source.loose.scales_to(float(digits)):
                yield "number", whole
            continue
        is_known = bindings.index.knows(f"#{number}") and number not in judged.worked_out
        if is_known or number in judged.said or source.holds_number(number):
            continue
        if _is_day_or_time_said(number, source) or _is_of_item(number, claim):
            continue
        if not (_is_clock_said(number, source) if ":" in number else _is_scaled(number, source)):
            yield "number", number
    yield from _number_words(claim, source, judged.language)


def _is_of_item(number: str, claim: Clause) -> bool:
    """Return whether *number* only numbers the items of a list: `11. Done with step 4`."""
    item = ITEM_NUMBER.match(claim.said.text)
    return item is not None and item[1] == number and _DIGITS.findall(claim.text).count(number) <= 1


def _number_words(claim: Clause, source: SourceIndex, language: str) -> Iterator[tuple[str, str]]:
    for word in _LETTERS.findall(claim.text):
        size = NUMBER_WORDS.get(word.casefold(), 0)
        if _ELSEWHERE.get(word.casefold(), language) != language:
            continue
        if size > _SMALL and not source.knows_word(word) and not source.holds_number(str(size)):
            forms = (one.strip() for one in spelled(f"{size} "))
            if not any(map(source.holds_whole, forms)):
                yield "number", word


def _is_day_or_time_said(number: str, source: SourceIndex) -> bool:
    """`25.07` where the source has *25 July*, `11.15` where it has 11:15."""
    if not (found := _DAY_OR_TIME.fullmatch(number)):
        return False
    day = (int(found[2]), int(found[1]))
    if any(said[1:] == day for told in source.by_kind.get("date", ()) for said in read_days(told.fact.value)):
        return True
    return int(found[1]) < _HOURS and _is_clock_said(f"{found[1]}:{found[2]:0>2}", source)


def _is_scaled(number: str, source: SourceIndex) -> bool:
    """`420 000` where the source has it in thousands: all its texts are looked through, which is done last."""
    return number.isdecimal() and source.loose.scales_to(float(number))


def _is_clock_said(clock: str, source: SourceIndex) -> bool:
    """`8:00` where the source has it in another form: `à 8 h`."""
    hour, _, minutes = clock.partition(":")
    if not minutes.strip("0") and not source.full_hours.isdisjoint((hour, f"0{hour}")):
        return True
    return source.says("time", clock).likeness is not Likeness.ABSENT


def _codes(claim: Clause, bindings: Bindings, source: SourceIndex) -> Iterator[tuple[str, str]]:
    for name in sorted(claim.items.anchors):
        bare = re.sub(r"^v(?=\d)", "", name.lstrip("./"))
        if bindings.index.knows(name) or source.holds_text(bare) or _is_in_parts(bare, source):
            continue
        if _is_measure(name, claim.text, source):
            continue
        if _is_code(name) or _is_long_number(name) or _is_other_path(name, source):
            yield "id", name


def _without_label(text: str) -> str:
    """`Key Technical Concepts: ...`: three words or more with capitals are a heading of the form."""
    label, colon, rest = text.partition(":")
    words: list[str] = _WORDS.findall(label)
    return rest if colon and len(words) > _SMALL and len(words) <= _LONG_LABEL and _is_title(label) else text


def _names(claim: Clause, *, are_capitals_plain: bool) -> Iterator[str]:
    text, whole = claim.text, _without_label(claim.said.text)
    yield from (match[1] for match in _TITLED.finditer(whole))
    yield from (match[1] or match[2] for match in _HONOURED.finditer(text))
    yield from read_doers(whole)
    if not (are_capitals_plain or has_capitals_often(whole) or _is_title(whole)):
        found = _NAME.finditer(whole)
        yield from (match[1] for match in found if not whole.startswith((":", "："), match.end()))
