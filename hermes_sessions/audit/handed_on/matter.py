"""What a sentence is about, in words that can be compared whatever mood and person its verbs have. Pure."""

import re
import unicodedata
from functools import lru_cache
from itertools import chain
from typing import Final

from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.telling import WORD, telling_parts
from hermes_sessions.late_patterns import late_pattern

_ARTICLE = late_pattern(r"^(?:[وفبلك]?ال|لل|[وف](?=\w{4}))")
_VERBAL = late_pattern(r"^[تينأ](?=\w{3,}$)")
_ARABIC = late_pattern(r"[\u0600-\u06ff]")
_MARKS = late_pattern(r"[\u0300-\u036f\u064b-\u0652]")
_STEM: Final = 5
_HEAD: Final = 3
"""So many letters no ending takes away."""
_LEAD: Final = ".:-"
_ROOT: Final = 4
_ANY_DEED: Final = frozenset(
    {"write", "draft", "send", "use", "run", "find", "change", "read", "verify", "fix", "delete", "test"}
)
_APART: Final = str.maketrans(dict.fromkeys("'’`–/_=", " "))
_JOINING: Final = ".@:-"
"""Signs inside of a word, and at its beginning."""
_ASCII_WORDS: Final = str.maketrans(
    {sign: " " for sign in map(chr, range(128)) if not (sign.isalnum() or sign in _JOINING)}
)
"""Makes blanks of all that stands in no word: what is left is cut faster than by a pattern."""
_WEAK: Final = frozenset(
    "user nutz utili usuar utent gebru kulla want wants will wuns veut quie vuol next then now maint jetzt ahora adess ora nun also auch only nur solo seule alone pleas bitte"
    " task work step aufga tache tarea attiv tarefa taak gorev for fuer about with mit avec con com ile icin all alle tous todas tutti every each any some short kurz court brev breve corto kort kisa"
    " hier heute today morgen tomor plus rest done have has been already still noch encor todav ancor first zuerst zunac befor avant antes prima again wieder nie nicht niet nada jamai aucun aucu nessu"
    " que qui who how when where what quand wann wenn como come cuand quan ona ana ono jego jej ich ihm ihr ihn lui leur suo sua lei loro zijn haar hun bir icin daha cok her ve ama fakat da de te ki mi"
    " put set get got let make made take took nous vous they them".split()
)


@lru_cache(maxsize=8_192)
def matter_of(text: str) -> frozenset[str]:
    """Return the words of *text* that name its things: stems without accents, pairs of signs, numbers, codes."""
    words = text.translate(_ASCII_WORDS).split() if text.isascii() else WORD.findall(text.translate(_APART))
    return frozenset(chain.from_iterable(map(_matter_of_word, set(words))))


class AskedMatter:
    """Which of the words asked for a text is about; most of its words begin like none of them."""

    def __init__(self, asked: frozenset[str]) -> None:
        """Take the words as `matter_of` has them."""
        self._asked = asked
        self._heads = frozenset(one[:_HEAD] for one in asked)

    def in_text(self, text: str) -> frozenset[str]:
        """Return those of the words asked for that *text* is about."""
        if not text.isascii():
            return matter_of(text) & self._asked
        heads = self._heads
        words = [
            one
            for one in text.translate(_ASCII_WORDS).split()
            if one.rstrip(_JOINING).lstrip(_LEAD)[:_HEAD].lower() in heads
        ]
        return self._asked.intersection(chain.from_iterable(map(_matter_of_word, words)))


@lru_cache(maxsize=65_536)
def _matter_of_word(word: str) -> tuple[str, ...]:
    parts = telling_parts(word.rstrip(_JOINING))
    return tuple(one for part in parts if (one := _plain(part)) and one not in _WEAK)


@lru_cache(maxsize=8_192)
def objects_of(text: str) -> frozenset[str]:
    """Return what is acted on in *text*: its matter without deeds that are done to anything, all where it has no more."""
    words = re.findall(r"[^\W_][\w.@/:-]*", text)
    deeds = {one for word in words if read_terms(word).deeds & _ANY_DEED for one in matter_of(word)}
    return (matter_of(text) - deeds) or matter_of(text)


def _plain(word: str) -> str:
    if _ARABIC.search(word):
        bare = _ARTICLE.sub("", _MARKS.sub("", word))
        bare = _VERBAL.sub("", bare)
        return bare.rstrip("ةاًيهن")[:_ROOT] or bare
    if word.isascii():
        return word[:_STEM] if word.isalpha() else word
    folded = _MARKS.sub("", unicodedata.normalize("NFKD", word)).replace("ı", "i").replace("ł", "l")
    if folded.isascii() and folded.isalpha():
        return folded[:_STEM]
    return (
        folded if not folded.isalpha() or len(folded) <= _STEM else unicodedata.normalize("NFC", word)[:_STEM]
    )


def shared_with(objects: frozenset[str], line: str) -> frozenset[str]:
    """Return which of *objects* a line has, maybe in a compound: `vragenlijst` has `vragen`."""
    lowered = line.casefold()
    return frozenset(
        one
        for one in objects
        if one in matter_of(line) or (len(one) >= _STEM and one.isalpha() and one in lowered)
    )


def shared_part(words: frozenset[str], others: frozenset[str]) -> float:
    """Return which part of *words* is among *others*."""
    return len(words & others) / len(words) if words else 0.0
