"""Ways to fill a handoff without any idea: what an engine has to beat at equal tokens."""

import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from bench.exam.transcripts import iter_texts

_MOST_CHARS: Final = 12
"""No text of these transcripts has so many characters to a token."""

Count = Callable[[str], int]
Baseline = Callable[[Sequence[Mapping[str, Any]], int, Count, random.Random], str]


def newest(span: Sequence[Mapping[str, Any]], tokens: int, count: Count, chance: random.Random) -> str:
    """The last words of the span, whoever said them."""
    return _last("\n".join(iter_texts(span)), tokens, count)


def newest_spoken(span: Sequence[Mapping[str, Any]], tokens: int, count: Count, chance: random.Random) -> str:
    """The last words of user and assistant."""
    spoken = [message for message in span if message["role"] in ("user", "assistant")]
    return _last("\n".join(str(message.get("content") or "") for message in spoken), tokens, count)


def random_lines(span: Sequence[Mapping[str, Any]], tokens: int, count: Count, chance: random.Random) -> str:
    """Lines drawn at random."""
    lines = _lines(span)
    chance.shuffle(lines)
    return _until(lines, tokens, count)


def rare_lines(span: Sequence[Mapping[str, Any]], tokens: int, count: Count, chance: random.Random) -> str:
    """The lines whose words are the rarest in the span, by the mean."""
    lines = _lines(span)
    seen = Counter(word for line in lines for word in set(_words(line)))
    rarity = {line: _mean(1 / seen[word] for word in _words(line)) for line in lines}
    return _until(sorted(dict.fromkeys(lines), key=lambda line: -rarity[line]), tokens, count)


def head_and_tail(span: Sequence[Mapping[str, Any]], tokens: int, count: Count, chance: random.Random) -> str:
    """The first words of the span and the last, half of the tokens each."""
    text = "\n".join(iter_texts(span))
    return f"{_first(text, tokens // 2, count)}\n{_last(text, tokens - tokens // 2 - 1, count)}"


def central_lines(span: Sequence[Mapping[str, Any]], tokens: int, count: Count, chance: random.Random) -> str:
    """The lines whose words have the greatest mean tf-idf, messages taken as documents."""
    documents = [_words(text) for text in iter_texts(span)]
    within = Counter(word for words in documents for word in words)
    seen = Counter(word for words in documents for word in set(words))
    worth = {word: math.log1p(within[word]) * math.log(len(documents) / seen[word]) for word in seen}
    lines = dict.fromkeys(_lines(span))
    return _until(sorted(lines, key=lambda line: -_mean(worth[word] for word in _words(line))), tokens, count)


def nothing(span: Sequence[Mapping[str, Any]], tokens: int, count: Count, chance: random.Random) -> str:
    """An empty handoff."""
    return ""


def everything(span: Sequence[Mapping[str, Any]], tokens: int, count: Count, chance: random.Random) -> str:
    """The span itself: what the exam's own matching finds at most."""
    return "\n".join(iter_texts(span))


BASELINES: Final[Mapping[str, Baseline]] = {
    "last tokens": newest,
    "head and tail": head_and_tail,
    "newest spoken": newest_spoken,
    "random lines": random_lines,
    "rare lines": rare_lines,
    "tf-idf lines": central_lines,
    "nothing": nothing,
    "everything": everything,
}


def _lines(span: Sequence[Mapping[str, Any]]) -> list[str]:
    return [line for text in iter_texts(span) for line in text.splitlines() if line.strip()]


def _words(line: str) -> list[str]:
    return re.findall(r"\w+", line)


def _mean(values: Iterable[float]) -> float:
    kept = list(values)
    return sum(kept) / len(kept) if kept else 0.0


def _until(lines: Sequence[str], tokens: int, count: Count) -> str:
    kept: list[str] = []
    for line in lines:
        tokens -= count(line) + 1
        if tokens < 0:
            break
        kept.append(line)
    return "\n".join(kept)


def _last(text: str, tokens: int, count: Count) -> str:
    """Return the end of *text* that has *tokens* tokens, by halving."""
    low, high = max(0, len(text) - tokens * _MOST_CHARS), len(text)
    while low < high:
        middle = (low + high) // 2
        if count(text[middle:]) <= tokens:
            high = middle
        else:
            low = middle + 1
    return text[low:]


def _first(text: str, tokens: int, count: Count) -> str:
    """Return the beginning of *text* that has *tokens* tokens, by halving."""
    low, high = 0, min(len(text), tokens * _MOST_CHARS)
    while low < high:
        middle = (low + high + 1) // 2
        if count(text[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    return text[:low]
