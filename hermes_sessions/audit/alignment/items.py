"""What a clause names, so that it can be found again in other words: numbers, poles, names, words."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from hermes_sessions.audit.words.concepts import DEEDS, cut_words, is_of_signs, read_terms, read_word
from hermes_sessions.audit.words.poles import has_poles, read_poles
from hermes_sessions.audit.words.small_words import SMALL_WORDS
from hermes_sessions.late_patterns import late_pattern

_NUMBER = late_pattern(
    r"(?=[.\d])(?:(?<![\w./:@#-])|(?<=[\u2e80-\ud7ff]))(?!(?=\d*[a-f])[0-9a-f]{7,40}\b)(?:\d{1,2}:\d\d(?!\d)|\d+(?:[.,]\d+)*|[.]\d+)(?!\d|[\w]*[@/:_-]\w|[.,]\d)"
)
"""Like the next one it is tried at digits alone: what stands before them is looked at only then."""
_GLUED = late_pattern(
    r"(\d(?<![\w.-].)\d*(?:[.,]\d+)?)(?=(?:ms|s|kg|g|km|m|min|h|MB|GB|TB|G|l|A|V|W|kW|d|t)\b)"
)
_DIGIT = late_pattern(r"\d")
_GROUPED = late_pattern(r"[1-9]\d{0,2}(?:[.,]\d{3})+")
_SPACED = late_pattern(r"(?<![\w.,:/-])[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3}){1,4}(?![\w:/-]|[.,]\d{3})")
_MIXED = late_pattern(
    r"(?:(?P<comma>[1-9]\d{0,2}(?:,\d{3})+)\.|(?P<point>[1-9]\d{0,2}(?:\.\d{3})+),)(?P<part>\d{1,2})"
)
"""A number with both signs: what is grouped, and what is behind the point."""
_UNIT = late_pattern(
    r"\s?(?P<share>%|percent|prozent|pour cent|por ciento|por cento|per cento|процент\w*)"
    r"|\s?(?P<money>€|\$|£|¥|₽|euros?\b|eur\b|usd\b|dollars?\b|元|円|руб\w*)"
    r"|\s?(?P<degree>°\s?[CF]?|grad\b|degrees?\b|degrés?\b|grados?\b|graus?\b|gradi\b|градус\w*|度)"
    r"|\s?(?P<ms>ms\b|millise\w+|мс\b|毫秒|ミリ秒)"
    r"|\s?(?P<time>seconds?\b|sekunden?\b|secondes?\b|segundos?\b|secondi\b|s\b|секунд\w*|秒|초|minutes?\b|minuten\b|minutos?\b|minuti\b|min\b|минут\w*|分钟|分|분|hours?\b|stunden?\b|heures?\b|horas?\b|ore\b|h\b|час\w*|小时|時間|시간|days?\b|tagen?\b|tage\b|jours?\b|d[ií]as?\b|dias\b|giorni\b|дн(?:ей|я|и|\.)|день\b|天|日|일|j\b)"
    r"|\s?(?P<weight>kg\b|mg(?:/l)?\b|g\b|tonnen?\b|кг\b)|\s?(?P<size>[KMGT]i?B\b|[KMGT]\b|ГБ|МБ)|\s?(?P<rate>[MG]bit/s)|\s?(?P<volume>litres?\b|liters?\b|liter\b|litros?\b|litri\b|l\b)|\s?(?P<current>A\b|V\b|W\b|kW\b)",
    re.I,
)
_MARKS = late_pattern("[\u0300-\u0304\u0327\u0328]")
_KATAKANA = late_pattern(r"[\u30a1-\u30fc]{2,}")
LETTER = late_pattern(r"(?<=[\w)] )([A-Z])(?![\w'’-]|\.(?!$))")

_ORDINAL_ENDS = frozenset({"st", "nd", "rd", "th"})
"""What is left of `8th` without its number."""
_SMALL = _ORDINAL_ENDS.union(one for word in SMALL_WORDS for one in (word, *read_terms(word).words))
"""As they are written, and without their endings."""


class ClauseItems(NamedTuple):
    """What a clause names.

    Attributes:
        numbers: each number as it is written shortest, with the family of its unit or `''`.
        poles: of axes, `hand:left`.
        letters: single capitals behind a word: *motor A*.
        anchors: names with signs or digits in them: `core-1`, `F21`.
        words: all else, by concept or without ending.
        deeds: those of the words that name a deed.
        all: everything, numbers as `#4.8`.
    """

    numbers: dict[str, str]
    poles: frozenset[str]
    letters: frozenset[str]
    anchors: frozenset[str]
    words: frozenset[str]
    deeds: frozenset[str]

    all: frozenset[str]

    @property
    def named(self) -> frozenset[str]:
        """Everything but the numbers."""
        return self.poles | self.letters | self.anchors | self.words


@lru_cache(maxsize=20_000)
def read_items(text: str) -> ClauseItems:
    """Return what the clause *text* names."""
    numbers: dict[str, str] = {}

    def take(match: re.Match[str]) -> str:
        unit = _UNIT.match(text, match.end())
        numbers.setdefault(plain_number(match.group()), (unit and unit.lastgroup) or "")
        return " "

    rest = _NUMBER.sub(take, _unglued(text)) if _DIGIT.search(text) else text
    letters = frozenset(f"letter {one}" for one in LETTER.findall(rest))
    poles, rest = read_poles(rest)
    spelled = (
        [] if rest.isascii() else [one for one in _KATAKANA.findall(rest) if not read_terms(one).concepts]
    )
    for one in spelled:
        rest = rest.replace(one, " ")
    terms = read_terms(rest)
    words = frozenset(
        one for one in (terms.words | terms.concepts | {*spelled}) - _SMALL if len(one) > 1 or one > "\u2e7f"
    )
    words = _plain_letters(words)
    everything = poles | letters | terms.anchors | words | {f"#{one}" for one in numbers}
    return ClauseItems(numbers, poles, letters, terms.anchors, words, terms.deeds & DEEDS, everything)


def names_in(text: str) -> frozenset[str]:
    """Return everything that the clause *text* names, as `read_items` has it: of most no more is asked."""
    if is_of_signs(text):
        return read_items(text).all
    found: list[str] = []
    rest = text
    if _DIGIT.search(text):
        rest = _unglued(text)
        found += (f"#{plain_number(one)}" for one in _NUMBER.findall(rest))
        rest = _NUMBER.sub(" ", rest)
    found += (f"letter {one}" for one in LETTER.findall(rest))
    if has_poles(rest):
        poles, rest = read_poles(rest)
        found += poles
    return frozenset(found).union(*map(items_of_word, cut_words(rest)))


_ROW = late_pattern(
    rf"(?! )(?:(?P<number>{_NUMBER.pattern})"
    r"|(?P<sign>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])|(?P<cut>[\n,;:.!?()/|、，；。（）：！？+–—]|\d)"
    r"|(?P<word>[^\W_\u2e80-\ud7ff][\w.@/:+-]*[^\W_\u2e80-\ud7ff]|[^\W_\u2e80-\ud7ff]))"
)


@lru_cache(maxsize=8_192)
def read_row(text: str) -> tuple[tuple[int, frozenset[str]], ...]:
    """Return what *text* names in its order, each with its place; a comma puts it further away."""
    found: list[tuple[int, frozenset[str]]] = []
    at = 0
    text = _unglued(text)
    for match in _ROW.finditer(text):
        at += 1
        if match.lastgroup == "cut":
            at += _CUTS.get(match.group(), 0)
        elif match.lastgroup == "number":
            found.append((at, frozenset((f"#{plain_number(match.group())}",))))
        elif match.lastgroup == "sign":
            pair = text[match.start() : match.start() + 2]
            found.append((at, frozenset((pair,))))
        elif items := items_of_word(match.group()):
            found.append((at, items))
        elif match.group().casefold() in _JOINING:
            at += 1
    return tuple(found)


_CUTS = {
    **dict.fromkeys(",、，", 3),
    **dict.fromkeys(";；|", 7),
    **dict.fromkeys(".!?。！？\n", 11),
    **dict.fromkeys("()（）", 2),
}
_JOINING = frozenset(["and", "und", "et", "y", "e", "и", "а", "en", "ve", "i", "while", "whereas", "während"])


@lru_cache(maxsize=65_536)
def items_of_word(word: str) -> frozenset[str]:
    """Return what a word of `cut_words` names."""
    term, is_anchor = read_word(word)
    if is_anchor:
        return frozenset((term,))
    if term in _SMALL or len(term) < 2:
        return _NOTHING
    return _plain_letters(frozenset((term,)))


_NOTHING = frozenset[str]()


def _unglued(text: str) -> str:
    return _GLUED.sub(lambda match: f"{match[1]} ", text) if _GLUED.search(text) else text


def _plain_letters(words: frozenset[str]) -> frozenset[str]:
    """`satisfação` is `satisfacao`: tools write without accents what people write with them."""
    if all(map(str.isascii, words)):
        return words
    return frozenset(
        one if one.isascii() else _MARKS.sub("", normalize("NFD", one)).translate(_JOINED) for one in words
    )


_JOINED = str.maketrans({"œ": "oe", "æ": "ae"})


@lru_cache(maxsize=20_000)
def spaced_figures(text: str) -> Mapping[str, str]:
    """Return numbers of *text* that are only pieces of one with blanks (`376`, `300`), each with that one."""
    return {plain_number(piece): one for one in _SPACED.findall(text) for piece in one.split()}


def plain_number(text: str) -> str:
    """`1.240`, `1,240` and `1240` are one number, `1.240,5` is `1240.5`, `0,80` `0.8`, `07:30` `7:30`."""
    if ":" in text:
        return text.lstrip("0") or "0"
    if _GROUPED.fullmatch(text):
        return re.sub(r"\D", "", text)
    if (mixed := _MIXED.fullmatch(text)) is not None:
        whole = mixed["comma"] or mixed["point"]
        text = f"{whole.replace(',', '').replace('.', '')}.{mixed['part']}"
    whole, point, part = text.replace(",", ".").partition(".")
    part = part.rstrip("0")
    return f"{whole.lstrip('0') or '0'}{point if part else ''}{part}"
