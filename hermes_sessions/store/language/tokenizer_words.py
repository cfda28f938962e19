"""The words of a segmented text, exactly as SQLite's tokenizer finds them; for the other engine.

What that tokenizer makes of a character (part of a word, its folded form, nothing, a
gap) is asked of SQLite itself, once for each character that occurs. So both engines
find the same words, whatever version of Unicode their libraries have.
"""

import atexit
import sqlite3
import threading
from typing import Final

TOKENIZER: Final = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
MAX_WORD_BYTES: Final = 500
"""Longer words are compared by their beginnings; PostgreSQL takes up to 2,046."""


def words(text: str) -> list[str]:
    """Return the words of *text* in order, folded; empty when it has none."""
    found = text.translate(_FOLDED).split()
    if max(map(len, found), default=0) * 4 > MAX_WORD_BYTES:
        return [_cut(word) for word in found]
    return found


def fold_letters(text: str) -> str:
    """Return *text* with its letters folded; what parts words stays as it is."""
    return text.translate(_LETTERS)


def _cut(word: str) -> str:
    return word.encode()[:MAX_WORD_BYTES].decode(errors="ignore")


class _FoldedWords(dict[int, str]):
    """Code point -> what it is in a word: a folded character, nothing, or a space for a gap."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._tokenizer = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        # Python 3.13 complains of a connection that nobody closed.
        atexit.register(self._tokenizer.close)
        self._tokenizer.execute(f'CREATE VIRTUAL TABLE one USING fts5(text, tokenize = "{TOKENIZER}")')
        self._tokenizer.execute("CREATE VIRTUAL TABLE found USING fts5vocab(one, instance)")
        self.update(self._ask("".join(map(chr, range(128)))))

    def __missing__(self, code: int) -> str:
        with self._lock:
            self.update(self._ask(chr(code)))
        return self[code]

    def _ask(self, characters: str) -> dict[int, str]:
        """Put each character between two letters: one word or two, and what is left of it."""
        # A lone surrogate is no text; `segment` has taken them out before.
        asked = [one for one in characters if not "\ud800" <= one <= "\udfff"]
        self._tokenizer.executemany(
            "INSERT INTO one (rowid, text) VALUES (?, ?)", ((ord(one) + 1, f"a{one}b") for one in asked)
        )
        answer = dict.fromkeys(map(ord, characters), " ")
        for word, row in self._tokenizer.execute("SELECT term, doc FROM found").fetchall():
            if word[:1] == "a" and word[-1:] == "b":
                answer[row - 1] = word[1:-1]
        self._tokenizer.execute("DELETE FROM one")
        return answer


_FOLDED: Final = _FoldedWords()


class _Letters(dict[int, str]):
    """Code point -> what it is in a word, or itself where it stands in none."""

    def __missing__(self, code: int) -> str:
        folded = _FOLDED[code]
        self[code] = chr(code) if folded == " " else folded
        return self[code]


_LETTERS: Final = _Letters()
