"""Full stops that end no sentence: of ordinal numbers, abbreviations and initials, in any language.

`am 8. Oktober`, `kl. 9`, `25 кв. м`, `z. Hd. Frau Voss`, `Dr. Amann`. Whoever cuts a text into sentences asks here.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from hermes_sessions.facts.wording.units import MONTHS
from hermes_sessions.late_patterns import late_pattern

_HIDDEN: Final = "\ue02e"
"""Stands for a full stop that ends nothing while a text is cut; no text has it."""
_GOES_ON = late_pattern(r"\.[ \t\u00a0\u202f]")
"""A stop that anything follows in its line."""
_STOP = late_pattern(r"(?<![\w.\ue02e])([^\W\d_]{1,10}|\d{1,4})\.(?=[ \t\u00a0\u202f]+(\S)([\w’'-]*)(.?))")
_TWO_PARTS = late_pattern(
    r"(?<![\w.])([a-zäöüа-яё]\.)(?:[ \u00a0\u202f]?[^\W\d_]\.){0,2}[ \u00a0\u202f]?[^\W\d_]{1,2}\.(?=[ \t\u00a0\u202f]+(\S)([\w’'-]*))"
)
"""`z. B.`, `т. е.`, `i. d. R.`, `p.m.`"""
_CLOSING: Final = frozenset("тд тп др pm am usw td tp".split())
"""What a sentence ends with, or goes on behind in lower case."""

_BEFORE_NAMES: Final = frozenset(
    # titles
    "dr dra dres mr mrs ms mx prof hr hrn fr sr sra srta sres ing dipl mag mgr sig dott avv arch geom rag capt sgt pfr mme mlle phdr judr mudr bpk"
    # streets and places
    " ul ул просп пер пл наб бул корп оф кв обл им os pl al av avda avd ctra pza plza jl mah cad sok st"
    # numbers, references and comparisons: something follows
    " nr nrn núm abs ziff abb az fa vs cf bzw inkl exkl zzgl abzgl ggf evtl bspw vgl bzgl lt sog ca approx incl excl esp resp cca např tzv tzn odst"
    " čl blz bijv evt tlf kl pág págs aprox réf напр рис табл гл ок ust pkt np tzw ok sn örn bkz mio mrd tsd тыс млн млрд mln mld tys".split()
)
"""Behind these the sentence goes on, but for what a sentence usually begins with."""
_NUMBERED: Final = frozenset(
    "no art tab kap fig cap chap vol tel fax tél тел bd rev g p pp s n c ch § pos lit apt rm st bl nos arts doc ref godz str jan feb mar mär apr jun jul aug sept sep okt oct nov dec dez janv févr juil déc ene ago dic abr".split()
)
"""Behind these it does before a number: they are words, too."""
_MAY_END: Final = frozenset(
    "etc usw std min sek mio mrd tsd h stk st руб коп тыс млн млрд чел шт мин сек час г гг м см кг кв л стр т д п р"
    " inc ltd co corp jr dept max temp ext est avg hrs mins sec secs wk mo yr kg pc pcs osv enz ecc stb atd apod itp itd"
    " tys mln zł gr godz szt kpl jan feb mar mär apr jun jul aug sep sept okt oct nov dec dez janv févr déc ene ago dic"
    " mon tue wed thu fri sat sun mo di mi do sa so pm am m s ss ff vj nj jh jhd u dgl ä o a b z e x i p pp n c"
    " ex max min tel str ш в ч par incl num réf mdr mds env hab dpt aprox sáb dom lun mié vie".split()
)
"""Behind these it goes on where the next sign is no capital letter."""
_ENGLISH: Final = frozenset(
    "is are was the it we i you he she they that this these then there please can could do does did what why how now also but and so no yes ok if when".split()
)
"""Begins a sentence of a language without ordinal stops, in lower case."""
_HUNGARIAN: Final = frozenset(
    "január február március április május június július augusztus szeptember október november december".split()
)
"""Behind a year with a stop."""
_PLACES: Final = frozenset("г д п с")
"""A town, a house, a point, a page; behind a number a year, or a unit."""
_GERMAN_ORDINALS: Final = late_pattern(
    r"(?:quartal|halbjahr|stock|etage|obergeschoss|og|klasse|platz|mal|kapitel|woche|tag|monat|jahr|jahrhundert|lebensjahr|semester|runde"
    r"|versuch|schritt|punkt|reihe|auflage|teil|geburtstag|person|instanz|senat|hälfte|advent|weltkrieg|grad|ordnung|mahnung|rate|lauf|anlauf|wahl"
    r"|stufe|spieltag|liga|staffel|folge|ausgabe|fassung|version|entwurf|nachtrag|abschlag|termin|gang|generation|stunde|seite|zeile|spalte)\w{0,3}$",
    re.I,
)
_BEGINS: Final = frozenset(
    "the this that these those there then it its we our you your they he she please never always do don’t don't after before until"
    " from if when while and but so nobody nothing everything all no i in on at as for not to"
    " der die das dem den ein eine es er sie wir ihr ich danach dann bis ab bitte nie niemals immer wenn und aber alle kein keine"
    " vorher nachher nicht noch auch am im"
    " el la los las un una se nunca después antes le les il elle on nous vous ne après avant ensuite puis je ce"
    " он она оно они мы вы я это но и не на в с если после".split()
)
_NO_INITIAL: Final = late_pattern(
    r"(?:option|plan|variante?|vitamin\w*|type?|typ|reihe|row|gate|zone|block|team|groupe?|gruppe|klasse|class|phase|dock|case|version|choice"
    r"|hall|halle|bay|room|raum|saal|section|abschnitt|part|teil|vari[aá]nt\w*|opci[oó]n|opção|вариант\w*|план\w*|тип\w*|ряд\w*|корпус\w*|класс\w*)\s$",
    re.I,
)
"""Behind these a capital letter is a name of its own: *we take option B. Mara knows*."""
_CONTEXT: Final = 16
_DAY: Final = 2
"""Digits of a day, and letters of the shortest names of months, which are no words of another language then."""


@lru_cache(maxsize=32_768)  # many cut the same texts
def inner_stops(text: str) -> frozenset[int]:
    """Return the ends of the full stops of *text* that are followed by a blank and end no sentence."""
    return frozenset(_inner_stops(text)) if _GOES_ON.search(text) else frozenset()


def _inner_stops(text: str) -> Iterator[int]:
    for parts in _TWO_PARTS.finditer(text):
        yield parts.end(1)
        yield from (place + 1 for place in range(parts.end(1), parts.end() - 1) if text[place] == ".")
        closes = parts.group().replace(".", "").replace(" ", "") in _CLOSING
        begins = parts[2].isupper() and (closes or (parts[2] + parts[3]).lower() in _BEGINS)
        if not begins:
            yield parts.end()
    yield from (found.end() for found in _STOP.finditer(text) if _is_inner(found, text))


def _is_inner(found: re.Match[str], text: str) -> bool:
    word, first, following = found[1], found[2], (found[2] + found[3]).lower()
    if word[0].isdigit():
        return _is_ordinal(found, text)
    before = text[max(0, found.start() - _CONTEXT) : found.start()]
    begins = first.isupper() and following in _BEGINS
    if len(word) == 1 and word.isupper():
        return first.isupper() and not begins and _NO_INITIAL.search(before) is None
    low = word.lower()
    counts = before.rstrip()[-1:].isdigit()
    if low in _BEFORE_NAMES or (low in _NUMBERED and first.isdigit()):
        return not begins
    if low in _PLACES:
        return not counts
    return low in _MAY_END and not first.isupper() and (counts or not first.isdigit())


def _is_ordinal(found: re.Match[str], text: str) -> bool:
    """Return whether a number with a stop counts a day, a floor, a quarter: the first word of a line is none."""
    first, following = found[2], (found[2] + found[3])
    if not text[max(0, found.start() - _CONTEXT) : found.start()].rpartition("\n")[2].strip(" \t-*•>#("):
        return following.lower() in MONTHS or following.lower() in _HUNGARIAN
    if first.islower():
        low = following.lower()
        return low in MONTHS or low in _HUNGARIAN or (len(found[1]) <= _DAY and low not in _ENGLISH)
    if len(found[1]) > _DAY:
        return False
    if first.isdigit():  # `am 8. 10. 2026`
        return found[4] == "." or (
            len(following) > _DAY and text[found.start() - 2 : found.start() - 1] == "."
        )
    return first.isalpha() and (
        (len(following) > _DAY and following.lower() in MONTHS)
        or _GERMAN_ORDINALS.match(following) is not None
    )


class SentenceCut:
    """A pattern that cuts a text at the ends of its sentences, and nowhere behind a stop that ends none."""

    def __init__(self, pattern: str, flags: int = 0, *, plain: str = "") -> None:
        """Take what to cut at; a full stop of *pattern* is one that ends a sentence.

        Args:
            plain: cuts texts of ASCII at the same places, and begins with a sign that is looked for fast.
        """
        self._pattern = late_pattern(pattern, flags)
        self._plain = late_pattern(plain, flags) if plain else self._pattern

    def split(self, text: str) -> list[str]:
        """Return the pieces of *text*, in its own words."""
        hidden = _hide(text)
        pattern = self._plain if text.isascii() else self._pattern
        pieces: list[str] = pattern.split(hidden)
        return [one.replace(_HIDDEN, ".") if one else one for one in pieces] if _HIDDEN in hidden else pieces

    def finditer(self, text: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
        """Yield the places of *text* that it is cut at."""
        return self._pattern.finditer(_hide(text), start, len(text) if end is None else end)

    def around(self, text: str, start: int, end: int) -> tuple[int, int]:
        """Return where the piece of *text* that holds a place begins and ends."""
        first = max((cut.end() for cut in self.finditer(text, 0, start)), default=0)
        return first, next((cut.start() for cut in self.finditer(text, end)), len(text))


_EMPHASIS: Final = late_pattern(r"(?<=[.!?;。！？；])\*{1,3}(?=\s)")
"""Marks of Markdown between a stop and what follows: `**Why?** Because`."""


def _hide(text: str) -> str:
    """Return *text* with another sign for the stops that end nothing, and none between a stop and a blank."""
    if "*" in text:
        text = _EMPHASIS.sub(lambda marks: " " * len(marks.group()), text)
    ends = inner_stops(text) if "." in text else None
    if not ends:
        return text
    signs = list(text)
    for end in ends:
        signs[end - 1] = _HIDDEN
    return "".join(signs)
