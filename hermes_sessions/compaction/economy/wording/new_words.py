"""How much of a sentence nobody says anywhere else: talk repeats itself, what matters is said once. Pure.

Names of code and files are left out: each sentence about another file has another one.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from hermes_sessions.compaction.economy.certain_rules import speaks_of_somebody
from hermes_sessions.compaction.economy.fact_lines import LINE_CHARS, STATEMENT, WHOLE_KINDS, FactLine
from hermes_sessions.compaction.economy.wording.asking import asks
from hermes_sessions.compaction.economy.wording.binding_words import FOUND, OWNED, RETOLD, sound_of
from hermes_sessions.compaction.economy.wording.chosen_words import WISH
from hermes_sessions.compaction.economy.wording.named_things import names_a_thing
from hermes_sessions.facts.values import FactKind
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_CODE: Final = late_pattern(r"[\w`][/_.]\w|`")
_WORD: Final = late_pattern(
    r"[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{3,}|[\u3040-\u30ff\u3400-\u9fff]{2}|[\uac00-\ud7af]{2,}"
)
_MEASURED: Final = late_pattern(
    r"(?<![\w.:-])\d[\d.,]*\d(?![\w.:-])|(?<![\w.:-])\d+ ?(?:[kmgtn]i?b|[mnµ]?s|%|min|hours?|days?)\b", re.I
)
_READ_CHARS: Final = 50_000
"""Of a message; what is longer was pasted."""

_MOST: Final = 4
_MESSAGES_A_USE: Final = 400
"""In so many messages a word may be said once more and still be rare."""

_GAIN: Final = 0.5
_TALK: Final = frozenset(
    {
        STATEMENT,
        FactKind.IDENTIFIER,
        FactKind.NAME,
        FactKind.NUMBER,
        FactKind.CONFIG,
        FactKind.VERSION,
        FactKind.BRANCH,
    }
)
_OWN_SHARE: Final = 0.25
_EXPLAINED_LOSS: Final = 2.0
_NONE_LOSS: Final = 2.0
"""Of a sentence made of words that are said elsewhere, every one of them."""


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text, without names of code and files, in lower case."""
    return _words_of_line(text) if len(text) <= LINE_CHARS else _read_words(text)


def _read_words(text: str) -> frozenset[str]:
    spoken = (word for word in text[:_READ_CHARS].lower().split() if _CODE.search(word) is None)
    return frozenset(_WORD.findall(" ".join(spoken)))


_words_of_line = lru_cache(maxsize=16_384)(_read_words)  # a line is looked at twice in every round


def usual_words(texts: Iterable[tuple[int, str]]) -> Mapping[str, int]:
    """Return in how many messages each word stands."""
    said: dict[int, set[str]] = {}
    for at, text in texts:
        said.setdefault(at, set()).update(words_of(text))
    return Counter(word for words in said.values() for word in words)


def news_among(
    messages: Sequence[Sequence[FactLine]], heard: Sequence[tuple[int, str, str]]
) -> Callable[[FactLine], float]:
    """Return what tells how much of a sentence is said nowhere else."""
    texts = [(line.at, line.text) for lines in messages for line in lines if line.speaker == Role.TOOL]
    said = [(index, text) for index, _, text in heard]
    usual = usual_words((*texts, *said))
    count = len({at for at, _ in (*texts, *said)})

    def worth(line: FactLine) -> float:
        if " " not in line.text or line.is_path or (line.kind in WHOLE_KINDS and line.kind != STATEMENT):
            return 0.0
        worth = worth_of_news(line, usual, count)
        wished = line.speaker == Role.USER and (asks(line.text) or WISH.search(line.text) is not None)
        return min(worth, 0.0) if wished else worth

    return worth


def worth_of_news(line: FactLine, usual: Mapping[str, int], messages: int) -> float:
    """Return what it adds to a sentence to say what none other says, or takes to say nothing of its own.

    One that names a thing of the work loses nothing: what is said of many things is said in like words.
    """
    words = words_of(line.text)
    rare = 1 + messages // _MESSAGES_A_USE
    new = sum(usual.get(word, 0) <= rare for word in words)
    if names_a_thing(line.text):
        return max(0.0, _gain(new))
    if line.kind in _TALK and line.speaker != Role.USER and _explains(line.text):
        return -_EXPLAINED_LOSS
    return _gain(new) if new > len(words) * _OWN_SHARE else -_NONE_LOSS


def _gain(new: int) -> float:
    return _GAIN * min(new, _MOST) - _GAIN


def _explains(text: str) -> bool:
    """Whether a sentence names no thing, speaks of nobody and tells of no event, as manuals do."""
    if not text.isascii() or speaks_of_somebody(text) or sound_of(text) & (RETOLD | FOUND | OWNED):
        return False
    return _MEASURED.search(text) is None
