"""Words that name one of a few things that exclude each other, by axis, in the languages that are read.

A pole is one item in every language: `left`, `links`, `gauche` and `左` are the same. A pole alone
proves nothing; what stands with it in one clause does.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from hermes_sessions.audit.words.sides import SIDES
from hermes_sessions.facts.wording.heads import alternatives
from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.late_patterns import late_pattern

_POLES: Final[Mapping[str, Mapping[str, str]]] = {
    "hand": {
        "left": r"\b(?:left|links|linke[mnrs]?|gauche|izquierd[ao]s?|esquerd[ao]s?|sinistr[aeio]|слева|лев(?:ый|ая|ое|ого|ой|ые|ую))\b|左|왼",
        "right": r"\b(?:right|rechts|rechte[mnrs]?|droite?s?|derech[ao]s?|direit[ao]s?|destr[aeio]|справа|прав(?:ый|ая|ое|ого|ой|ые|ую))\b|右|오른",
    },
    "compass": {
        "north": r"\b(?:north(?:ern)?|nord\w{0,7}|norte|север\w*)\b|北(?!.(?:さん|様|氏))",
        "south": r"\b(?:south(?:ern)?|süd\w{0,7}|sud|sur|sul|южн\w*|юг\w{0,2})\b|南(?!.(?:さん|様|氏))",
        "east": r"\b(?:east(?:ern)?|ost(?:en|s)?|östlich\w*|est|este|leste|восто\w*)\b|(?<!京)东(?!西)|東(?!京|.(?:さん|様|氏))",
        "west": r"\b(?:west(?:ern)?|westen|westlich\w*|ouest|oeste|ovest|запад\w*)\b|西(?!班|.(?:さん|様|氏))",
    },
    "role": {
        "server": r"\b(?:servers?|serveurs?|servidor\w*|сервер\w*)\b|服务器|サーバ|서버",
        "client": r"\b(?:clients?|clientes?|client side|клиент\w*)\b|客户端|クライアント|클라이언트",
    },
    "end": {
        "source": r"\b(?:source|origin|quelle|ursprung|origen|origem|origine|исходн\w+|источник\w*)\b|来源|源(?=域|端|头)|送信元",
        "target": r"\b(?:target|destination|ziel|cible|destino|destinazione|целев\w+)\b|目标|目的地|送信先|宛先",
    },
    "door": {
        "in": r"\b(?:inlet|entrance|entry|incoming|inbound|eingang|einlass|entrée|entrada|ingresso|вход\w*)\b|入口|进口|입구",
        "out": r"\b(?:outlet|exit|outgoing|outbound|ausgang|auslass|sortie|salida|saída|uscita|выход\w*)\b|出口|출구",
    },
    "face": {
        "front": r"\b(?:front(?:end)?|vorn\w*|vorder\w+|avant-?|delanter[ao]s?|diante\w*|frente|frontend|передн\w+)\b|前端|正面|フロント",
        "back": r"\b(?:back(?:end)?|rear|hinten|hinter\w+|arrière|traser[ao]s?|tras\b|posterior\w*|backend|задн\w+)\b|后端|背面|バックエンド",
    },
    "level": {
        "upper": r"\b(?:upper|top|ober\w{1,4}|oben|supérieur\w*|superior\w*|верхн\w+)\b|上部|上层|상단",
        "lower": r"\b(?:bottom|unter(?:e[mnrs]?)|unten|inférieur\w*|inferior\w*|нижн\w+)\b|下部|下层|하단",
    },
    "flow": {
        "down": r"\b(?:download\w*|down|downstream)\b|下载|下行|ダウンロード",
        "up": r"\b(?:upload\w*|up|upstream)\b|上传|上行|アップロード",
    },
    "age": {
        "adult": r"\b(?:adults?|erwachsene\w*|adultes?|adult[oai]s?|взросл\w+)\b|成人|大人|성인",
        "child": r"\b(?:child(?:ren)?(?:'s)?|kids?|kind(?:er)?\w{0,2}|enfants?|niñ[oa]s?|crianças?|bambin[oaie]|дет(?:и|ей|ям|ск\w+)|реб[её]н\w+)\b|儿童|孩子|子供|어린이",
    },
    "era": {
        "old": r"\b(?:old(?:er)?|former|previous|alt(?:e[mns]?)?|alter(?= (?-i:[A-ZÄÖÜ]))|ancien\w*|vieux|antigu[oa]s?|antig[oa]s?|viej[oa]s?|vecchi[oae]?|стар\w+)\b|旧|老(?=客|用)|기존",
        "new": r"\b(?:new(?:er)?|neue?[mnrs]?|nouve\w+|nuev[oa]s?|nov[oa]s?|nuov[oaei]|нов\w+)\b|新|새(?= )",
    },
    "part": {
        "morning": r"\b(?:mornings?|morgens|vormittags?|matin\w*|por la mañana|manhã|mattina|утр\w+)\b|上午|早上|午前|오전",
        "afternoon": r"\b(?:afternoons?|nachmittags?|après-midi|por la tarde|tarde|pomeriggio|дн[её]м)\b|下午|午後|오후",
        "night": r"\b(?:nights?|nachts?|nuit|noche|noite|notte|ноч\w+)\b|夜|밤",
    },
    "rank": {
        "primary": r"\b(?:primary|main|master|leader|haupt\w*|primär\w*|principal\w*|основн\w+|главн\w+)\b|主(?=库|节点|服务)|プライマリ",
        "backup": r"\b(?:backup|secondary|standby|replicas?|reserve|ersatz\w*|réserve|secundari[oa]s?|резервн\w+|запасн\w+)\b|从库|备用|予備|レプリカ",
    },
    "room": {
        "staging": r"\b(?:staging|testumgebung|preprod\w*|тестов\w+)\b|测试环境|预发|ステージング",
        "production": r"\b(?:production|prod|produktion|producción|produção|produzione|прод[аеу]?|продакшен\w*)\b|生产|本番",
    },
}  # fmt: skip
_TWO_SIDED: Final = ("outcome", "keeping", "switch", "direction", "answer")
"""Axes whose words are read elsewhere, too."""
_SHAPES: Final = tuple(
    (f"{axis}:{at}", shape) for axis in _TWO_SIDED for at, shape in enumerate(SIDES[axis])
) + tuple(
    (f"{axis}:{pole}", late_pattern(shape, re.I))
    for axis, poles in _POLES.items()
    for pole, shape in poles.items()
)
_ANY: Final = sieve("|".join(shape.pattern for _, shape in _SHAPES), re.I)


_CHUNK: Final = late_pattern(r"\S+")
_LETTERS: Final = late_pattern(r"\w+")
_BOUND: Final = late_pattern(r"\\b\(\?:(.*)\)\\b")
_FIRST_GROUP: Final = late_pattern(r"\(\?:([^()\[\]]*)\)(?![?*+{])")
_BEGINS: Final = late_pattern(r"[^\W\d_]*(?![?*{])")
_OF_MORE: Final = late_pattern(r"[ \-'’.]|\\[bsW]|\(\?[=!<]")
"""Signs of a shape that looks beyond one word."""
_SIGNED: Final = late_pattern(r"[^\x00-\xff\u0400-\u045f–—‘’“”„…œŒ]")
"""Letters of scripts whose words may stand side by side without a blank, and whatever is rare."""


def _shapes_of_words(given: Iterable[re.Pattern[str]]) -> Sequence[str]:
    """Return the shapes of the words that name poles, but for signs that are in no text of these letters."""
    shapes = [one for shape in given for one in alternatives(shape.pattern)]
    return [
        one
        for shape in shapes
        for word in alternatives(_BOUND.sub(r"\1", shape))
        for one in _opened(word)
        if _SIGNED.match(one.lstrip("(?<!=[")) is None
    ]


def _opened(shape: str) -> Iterable[str]:
    """Yield *shape* once for each alternative of a group that it begins with, and that stands there once."""
    if match := _FIRST_GROUP.match(shape):
        return (one + shape[match.end() :] for one in alternatives(match[1]))
    return (shape,)


def _first_letters(shapes: Sequence[str], *, whole: bool) -> tuple[str, ...]:
    """Return how the words begin of which something behind them makes a pole, or those words: `turned on`."""
    begins = [match for one in shapes if _OF_MORE.search(one) and (match := _BEGINS.match(one))]
    return tuple(sorted({match[0] for match in begins if whole == (match.string[match.end() :][:1] == " ")}))


_WORDS: Final = _shapes_of_words(shape for _, shape in _SHAPES)
_FIRST: Final = _first_letters(_WORDS, whole=False)
_FIRST_WORDS: Final = _first_letters(_WORDS, whole=True)
SPANNING: Final = (*_FIRST, *_FIRST_WORDS)
"""How the words begin of which something behind them makes a pole."""
_WHAT_FOLLOWS: Final = late_pattern(r"\(\?=.*\)$")
_OF_TWO_WORDS: Final = sieve(
    rf"\b(?:{'|'.join(_WHAT_FOLLOWS.sub('', one) for one in _WORDS if ' ' in one)})\b", re.I
)
"""Poles of words with a blank between, in whatever a clause ends with."""
_TWO: Final = 2
BEGINNINGS: Final = frozenset(match[0].casefold() for one in _WORDS if (match := _BEGINS.match(one)))
"""How the words of all poles begin."""
_HEADS: Final = frozenset(one[:_TWO] for one in BEGINNINGS)
"""How the words of poles begin, with two letters."""
_IS_SURE: Final = all(len(one) == _TWO for one in _HEADS)


def beginnings_of_poles(poles: Collection[str]) -> frozenset[str]:
    """Return how the words begin that name one of *poles*; none is one letter long."""
    shapes = [shape for name, shape in _SHAPES if name in poles]
    return frozenset(match[0].casefold() for one in _shapes_of_words(shapes) if (match := _BEGINS.match(one)))


@lru_cache(maxsize=65_536)
def _poles_of(word: str) -> frozenset[str]:
    """Return the poles that a word names: every shape of these letters begins where the word does."""
    if (_IS_SURE and word.isascii() and word[:_TWO].lower() not in _HEADS) or _ANY.match(word) is None:
        return _NO_POLES
    return frozenset(name for name, shape in _SHAPES if shape.match(word))


@lru_cache(maxsize=65_536)
def _may_begin(word: str) -> bool:
    word = word.lower()
    return word in _FIRST_WORDS or word.startswith(_FIRST)


@lru_cache(maxsize=65_536)
def _may_name(word: str) -> bool:
    return _may_begin(word) or bool(_poles_of(word))


def _is_plain(text: str) -> bool:
    """Whether every pole of *text* is one word: each word is then asked for once."""
    return not (has_signs(text) or any(map(_may_begin, _LETTERS.findall(text))))


def has_poles(text: str) -> bool:
    """Return whether *text* may name a pole."""
    return has_signs(text) or any(map(_may_name, _LETTERS.findall(text)))


def may_span_words(text: str) -> bool:
    """Return whether a pole of *text* may take more than one word, or has no words at all."""
    return not _is_plain(text)


def has_signs(text: str) -> bool:
    """Return whether *text* may name poles by signs, which have no blanks around them."""
    return not text.isascii() and _SIGNED.search(text) is not None


def has_pole_of_two_words(text: str) -> bool:
    """Return whether a clause of *text* may name a pole that has a blank inside: `turned on`."""
    return _OF_TWO_WORDS.search(text) is not None


@lru_cache(maxsize=20_000)
def read_poles(text: str) -> tuple[frozenset[str], str]:
    """Return the poles that *text* names, as `axis:pole`, and the text without their words."""
    if _is_plain(text):
        found = _NO_POLES.union(*map(_poles_of, _LETTERS.findall(text)))
        return found, _LETTERS.sub(_without_poles, text) if found else text
    if not (has_signs(text) or has_pole_of_two_words(text)):
        found = _NO_POLES.union(*(_in_chunk(one)[0] for one in text.split()))
        return found, _CHUNK.sub(lambda one: _in_chunk(one.group())[1], text) if found else text
    return _read_whole(text)


@lru_cache(maxsize=65_536)
def _in_chunk(chunk: str) -> tuple[frozenset[str], str]:
    """Return the poles of what stands between two blanks, and the rest of it."""
    return _read_whole(chunk)


def _read_whole(text: str) -> tuple[frozenset[str], str]:
    if _ANY.search(text) is None:
        return _NO_POLES, text
    return frozenset(name for name, shape in _SHAPES if shape.search(text)), _ANY.sub(" ", text)


def _without_poles(match: re.Match[str]) -> str:
    return " " if _poles_of(match.group()) else match.group()


_NO_POLES: Final = frozenset[str]()


def other_poles(pole: str) -> frozenset[str]:
    """Return the poles that exclude *pole*."""
    axis = f"{pole.partition(':')[0]}:"
    return frozenset(name for name, _ in _SHAPES if name.startswith(axis)) - {pole}
