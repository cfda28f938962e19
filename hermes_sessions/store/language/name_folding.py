"""Titles and folders, folded character by character as the index folds the words of messages. Pure."""

from functools import lru_cache
from typing import Final

from hermes_sessions.store.language.segment import compose
from hermes_sessions.store.language.tokenizer_words import fold_letters

_KEPT: Final = 100_000
_KEPT_CHARS: Final = 300
"""Longer names are folded anew each time."""


def fold_name(name: str) -> str:
    """Return *name* without case, accents, width and vowel points; everything else stays."""
    if name.isascii():
        return name.lower()
    return _kept(name) if len(name) <= _KEPT_CHARS else _fold(name)


def _fold(name: str) -> str:
    return fold_letters(compose(name))


_kept = lru_cache(_KEPT)(_fold)
