"""Names as other languages bend them, or write them in other letters: `Jensa` is Jens, `Gusev` is Гусев. Pure."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_CAPITAL: Final = late_pattern(r"(?<![\w./@-])[^\W\d_a-zß-öø-ÿа-яё][^\W\d_A-ZА-Я]{2,20}")
_BENDS: Final = late_pattern(
    r"[ąęłśżźćńěřůőűığş]|\b(?:jest|nie|oraz|przez|się|jsou|není|ve|ale|bude|ile|için|bir|ve)\b|[а-яёіїєґ]",
    re.I,
)
"""Signs and words of languages that bend names."""
_CYRILLIC: Final = late_pattern(r"[а-яё]", re.I)
_LATIN: Final = str.maketrans(
    {
        **dict(zip("абвгдезийклмнопрстуфыэё", "abvgdeziyklmnoprstufyee", strict=True)),
        **{
            "ж": "zh",
            "х": "kh",
            "ц": "ts",
            "ч": "ch",
            "ш": "sh",
            "щ": "shch",
            "ъ": "",
            "ь": "",
            "ю": "yu",
            "я": "ya",
        },
    }
)
_ALIKE: Final = (
    ("sch", "sh"), ("tsch", "ch"), ("kh", "h"), ("ss", "s"), ("j", "y"), ("w", "v"), ("ck", "k"), ("ts", "c"), ("z", "s"),
    ("ie", "e"), ("ye", "e"), ("iy", "y"), ("ii", "y"), ("i", "y"),
)  # fmt: skip
"""Letters that one writes for the other."""
_LEAST: Final = 3
_ENDING: Final = 3
_BENT: Final = 2


class BentNames:
    """The words of a source that have a capital, for names of a handoff that are forms of them."""

    def __init__(self, text: str) -> None:
        """Take everything that the source says."""
        self._text = text

    def knows(self, name: str, line: str) -> bool:
        """Return whether *name*, in a *line* of a handoff, may be a form of a name of the source."""
        low = name.casefold()
        if _CYRILLIC.search(self._text) and low.isascii():
            plain = _plain(low)
            return any(_is_form(plain, one, _ENDING) for one in self._in_latin.get(plain[:_BENT], ()))
        if _BENDS.search(line) is None:
            return False
        plain = _plain(low)
        return any(_is_form(plain, one, _BENT) for one in self._names.get(plain[:_BENT], ()))

    @cached_property
    def _names(self) -> Mapping[str, Sequence[str]]:
        return _by_head({_plain(one.casefold()) for one in _CAPITAL.findall(self._text)})

    @cached_property
    def _in_latin(self) -> Mapping[str, Sequence[str]]:
        return _by_head({_plain(one.casefold().translate(_LATIN)) for one in _CAPITAL.findall(self._text)})


def _by_head(words: set[str]) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for one in words:
        found[one[:_BENT]].append(one)
    return dict(found)


def _plain(word: str) -> str:
    for other, one in _ALIKE:
        word = word.replace(other, one)
    return word


def _is_form(name: str, known: str, most: int) -> bool:
    """Return whether two words are one but for their ends."""
    pairs = zip(name, known, strict=False)
    stem = next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(name), len(known)))
    return stem >= _LEAST and max(len(name), len(known)) - stem <= most
