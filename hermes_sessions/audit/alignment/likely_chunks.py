"""Which chunks of a transcript may name an item that is asked for: all are looked through at once.

What is found here need not name one; what is not found does not.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from hermes_sessions.audit.words.concepts import beginnings_of
from hermes_sessions.audit.words.poles import BEGINNINGS, SPANNING, beginnings_of_poles

_HEAD: Final = 3
_DIGITS: Final = re.compile(r"[\d.,:]+")
_LONE_LETTER: Final = re.compile(r"^.*?(?<![^\W\d_])[A-Z](?![\w.'-]).*$", re.M)

_BEGINS_WORD: Final = r"(?<![^\W\d_])(?<![^\W\d_][_.@/:+-])(?<![^\W\d_][_.@/:+-][_.@/:+-])(?<!\d[@/:_-])"
"""Where a word may begin: what stands behind a letter and a sign that joins is of the same word."""
_IS_PLAIN: Final = r"[a-z+-]*(?![a-z0-9_]|[@/:.]+[^\W_])"
"""A word without a sign that makes it a name: a name is asked for as it stands."""
_BEGINS_NUMBER: Final = r"(?<![^\W_])(?<![^\W_][./:@+_-])"
_OF_PARTS: Final = "(?:ab|an|auf|aus|ein|heraus|hin|los|nach|um|weg|weiter)[a-z]{5}|ge[a-z]{4}"
"""Words of which the second part may say what they are."""

_Trie = dict[str, "_Trie"]


def find_likely(chunks: Sequence[str], asked: frozenset[str]) -> frozenset[str]:
    """Return those of *chunks*, which are ASCII, that may name one of *asked*, or change what others name."""
    text = "\n".join(chunks)
    lowered = text.lower()
    shapes = [_beginning(asked), _number(asked)]
    places = [match.start() for shape in shapes if shape for match in shape.finditer(lowered)]
    if any(one.startswith("letter ") for one in asked):
        places += [match.start() for match in _LONE_LETTER.finditer(text)]
    return frozenset(_lines_at(text, places))


def _lines_at(text: str, starts: Iterable[int]) -> Iterable[str]:
    for start in starts:
        end = text.find("\n", start)
        yield text[start:] if end < 0 else text[start:end]


def _beginning(asked: frozenset[str]) -> re.Pattern[str]:
    """Return the shape of a line with a word that begins like an item of *asked*, or beside a pole."""
    items = [one[:_HEAD] for one in (*asked, *beginnings_of(asked)) if not one.startswith("#")]
    words = _shape_of(one for one in items if one[:1].isalnum() and one.isascii())
    names = _shape_of(one for one in asked if one[:1].isalnum() and one.isascii() and not one.isalpha())
    signs = _shape_of(one for one in items if not one[:1].isalnum() and one.isascii())
    poles = _shape_of(one for one in {*SPANNING, *beginnings_of_poles(asked)} if one.isascii())
    beside = _shape_of(one for one in BEGINNINGS if one.isascii())
    return re.compile(
        rf"^.*?(?:{_BEGINS_WORD}(?:(?:{words}|{_OF_PARTS}){_IS_PLAIN}|{names})|{signs}|(?<![^\W\d])(?:{poles}|{beside}\w*[.@/:+-]))",
        re.M,
    )


def _number(asked: frozenset[str]) -> re.Pattern[str] | None:
    """Return the shape of a line with a number of *asked*, however it is written, or None."""
    found = {
        re.sub(r"\D", "", one).strip("0") or "0" for one in asked if _DIGITS.fullmatch(one.removeprefix("#"))
    }
    if not found:
        return None
    digits = _shape_of(found, "[.,:]?")
    return re.compile(rf"^.*?{_BEGINS_NUMBER}[0.,:]*{digits}[0.,:]*(?!\d|\w*[@/:_-]\w)", re.M)


def _shape_of(words: Iterable[str], between: str = "") -> str:
    """Return a pattern of any of *words*, those that begin alike tried once, *between* each two signs."""
    trie: _Trie = {}
    for word in words:
        here = trie
        for sign in word:
            here = here.setdefault(sign, {})
        here[""] = {}
    return _pattern(trie, between) if trie else "(?!)"


def _pattern(trie: _Trie, between: str) -> str:
    parts = [
        re.escape(sign)
        + (f"{between}{_pattern(rest, between)}" if rest.keys() > {""} or "" not in rest else "")
        for sign, rest in sorted(trie.items())
        if sign
    ]
    return f"(?:{'|'.join(parts)}){'?' if '' in trie else ''}"
