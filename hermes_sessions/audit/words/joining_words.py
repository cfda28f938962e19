"""The words that join others, by language, and in which languages a text may be."""

from collections import Counter
from functools import lru_cache
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_JOINING: Final = {
    "en": "the of and to is with for are not be that this was it must only never always before without",
    "de": "der die das und ist nicht ein eine wird mit den auf nur bitte für vor ohne immer",
    "fr": "le la les de des est et une pas du que sur dans au sans avec il ne pour",
    "es": "el la los las de del una que con por para se no es y sin nunca siempre",
    "pt": "o os as da do de dos das não uma que com para é em na sem nunca sempre ao",
    "it": "il la lo gli della di che non una con è nel senza per mai sempre deve",
    "nl": "de het een van niet en op naar zijn voor zonder nooit altijd met",
    "pl": "nie w na się że do jest z i bez tylko nigdy zawsze oraz przed",
    "tr": "bir ve için bu ile değil her önce sonra asla",
    "sv": "och att det som ett på är av för inte till",
    "da": "og det som på af ikke til blev",
    "nb": "og å det som på av ikke til slik ble",
    "hu": "az és nem hogy egy csak már",
    "cs": "že není až jen nebo aby jako byl při",
    "uk": "і й та що це як але від для",
    "ru": "и в не на что с по для это как из но только никогда без",
}
_LANGUAGES: Final[dict[str, tuple[str, ...]]] = {
    word: tuple(name for name, words in _JOINING.items() if word in words.split())
    for words in _JOINING.values()
    for word in words.split()
}
_WORD: Final = late_pattern(r"[^\W\d_]+")
_SCRIPTS: Final = (
    ("ja", late_pattern(r"[\u3040-\u30ff]")),
    ("ko", late_pattern(r"[\uac00-\ud7af]")),
    ("zh", late_pattern(r"[\u3400-\u9fff]")),
    ("ar", late_pattern(r"[\u0600-\u06ff]")),
    ("hi", late_pattern(r"[\u0900-\u097f]")),
)


@lru_cache(maxsize=4_096)
def languages_of(text: str) -> frozenset[str]:
    """Return the languages with the most joining words in *text*, or that of its script; none where it has no such word."""
    for name, shape in _SCRIPTS if not text.isascii() else ():
        if shape.search(text):
            return frozenset((name,))
    counts = Counter(name for word in _WORD.findall(text.casefold()) for name in _LANGUAGES.get(word, ()))
    most = max(counts.values(), default=0)
    return frozenset(name for name, count in counts.items() if count == most)
