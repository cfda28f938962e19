"""Cut text so that one tokenizer finds words in every script. Pure.

The tokenizer splits at spaces and punctuation and folds case and accents. Scripts
written without spaces would become one word per sentence; here each run of them
becomes overlapping pairs and its last character: 全文検索 -> 全文 文検 検索 索. A query
for two or more characters is then a phrase of pairs, one for a single character a
prefix.
"""

import re
import unicodedata
from itertools import pairwise
from typing import Final

from hermes_sessions.late_patterns import late_pattern

VERSION: Final = 8
"""Changes with what is indexed; a store indexed by another version wants a rebuild."""

SLOT_BITS: Final = 2
"""A key of the index is seconds since 2010, shifted by this: how many rows one second has room for."""

OUTPUT_CHARS: Final = 8_192
"""How much of a tool's output is indexed; the rest is found by reading, not by searching."""

# Han with 々〇, kana, hangul; then Thai, Lao, Myanmar, Khmer. Half-width forms are gone after NFKC.
UNSPACED: Final = (
    "\u3005\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U000323af"
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\ua9e0-\ua9ff\uaa60-\uaa7f"
)
_RUN = late_pattern(f"[{UNSPACED}]+")
PICTURES: Final = "\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
_PICTURE = late_pattern(f"[{PICTURES}]")
# Vowel points, tatweel and variation selectors: written or left out as the writer likes.
OPTIONAL: Final = "\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\ufe00-\ufe0f"
_OPTIONAL = late_pattern(f"[{OPTIONAL}]+")
_WORD = late_pattern(r"[^\W_]")

MARK: Final = "\ue000"
"""Begins the words that mark a message (see `indexed_text`); no text keeps it."""
MARK_JOIN: Final = "\ue001"
"""Stands inside such a word for what is no letter or digit."""
_RESERVED = late_pattern(f"[{MARK}{MARK_JOIN}]")


def segment(text: str) -> str:
    """Return *text* as the index gets it."""
    if text.isascii():
        return text
    # A lone surrogate, as JSON escapes can spell one, is no character of any word.
    return _RUN.sub(_pairs, _prepare(text)).encode("utf-8", "replace").decode()


def segment_phrase(text: str) -> tuple[str, bool]:
    """Return *text* as a phrase to look for, and whether its last word is only a beginning.

    The last character of a run ends a phrase only when something follows it: the
    text that is looked for may go on.
    """
    if text.isascii():
        return text, False
    prepared = _prepare(text).rstrip()
    last = next((run for run in _RUN.finditer(prepared) if run.end() == len(prepared)), None)
    if last is None:
        return _RUN.sub(_pairs, prepared), False
    before = _RUN.sub(_pairs, prepared[: last.start()])
    run = last.group()
    if len(run) == 1:
        return f"{before} {run}", True
    return f"{before} {' '.join(map(''.join, pairwise(run)))}", False


def is_unspaced(character: str) -> bool:
    """Return whether a character is of a script without spaces, or an emoji: no word goes on past it."""
    return _RUN.match(character) is not None or _PICTURE.match(character) is not None


def has_words(text: str) -> bool:
    """Return whether anything in *text* can be looked for."""
    return _WORD.search(segment(text)) is not None


def compose(text: str) -> str:
    """Return *text* in one width, without what writers may leave out."""
    return _OPTIONAL.sub("", unicodedata.normalize("NFKC", text))


def _prepare(text: str) -> str:
    return _PICTURE.sub(_name, _RESERVED.sub(" ", compose(text)))


def _name(match: re.Match[str]) -> str:
    """Return a word for an emoji: the tokenizer takes pictures for punctuation."""
    return f" u{ord(match.group()):x} "


def _pairs(match: re.Match[str]) -> str:
    run = match.group()
    return f" {' '.join([run[i : i + 2] for i in range(len(run))])} "
