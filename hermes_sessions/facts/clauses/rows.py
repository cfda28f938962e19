"""Read a sentence as a row of word classes."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.facts.clauses.classes import COMMA, LETTERS, NUMBER, OTHER, PAST
from hermes_sessions.facts.clauses.germanic import DUTCH, ENGLISH, GERMAN
from hermes_sessions.facts.clauses.romance import FRENCH, ITALIAN, PORTUGUESE, SPANISH
from hermes_sessions.facts.clauses.slavic import POLISH, RUSSIAN
from hermes_sessions.facts.clauses.unspaced import CHINESE, JAPANESE
from hermes_sessions.late_patterns import late_pattern

_TABLES: Final = (ENGLISH, GERMAN, DUTCH, FRENCH, SPANISH, PORTUGUESE, ITALIAN, POLISH, RUSSIAN)
_PAST_ENDS: Final = (
    late_pattern(r"[a-z]{3,}ed"),
    None,
    None,
    None,
    late_pattern(r"\w{3,}(?:ó|aron|ieron|aba|aban)"),
    late_pattern(r"\w{3,}(?:ou|aram|eram|iram|ava|avam)"),
    late_pattern(r"\w{3,}(?:ava|avano|eva|evano)"),
    late_pattern(r"\w{2,}(?:ł|ła|ło|ły|łem|łam|łeś|łaś|ali|eli|ili|yli)"),
    late_pattern(
        r"[а-яё]{3,}(?:ал|ил|ел|ял|ула?|ала|ила|ела|яла|ало|ило|ело|али|или|(?<!т)ели|яли)(?:ся|сь)?"
    ),
)
"""How a word ends that tells of the past, where an ending can tell."""

_TOKEN: Final = late_pattern(r"[^\W_]+|[,;:—–]")
_KANA: Final = late_pattern(r"[\u3040-\u30ff]")
_HAN: Final = late_pattern(r"[\u4e00-\u9fff]")
_KNOWN_VOTES: Final = 3
_MAX_TOKENS: Final = 80


class _Tongue(NamedTuple):
    """The words of one language.

    Attributes:
        words: the letter of a word.
        phrases: by its first word, what else a phrase has, and its letter; the longest first.
        past: what a word of the past looks like.
    """

    words: Mapping[str, str]
    phrases: Mapping[str, Sequence[tuple[list[str], str]]]
    past: re.Pattern[str] | None


def _tongue(table: Mapping[str, str], past: re.Pattern[str] | None) -> _Tongue:
    words: dict[str, str] = {}
    phrases: dict[str, list[tuple[list[str], str]]] = {}
    for name, listed in table.items():
        if name == "known":
            continue
        for entry in listed.split():
            first, *others = entry.split("_")
            if others:
                phrases.setdefault(first, []).append((others, LETTERS[name]))
            else:
                words.setdefault(first, LETTERS[name])
    for found in phrases.values():
        found.sort(key=lambda one: -len(one[0]))
    return _Tongue(words, phrases, past)


_TONGUES: Final = tuple(_tongue(table, past) for table, past in zip(_TABLES, _PAST_ENDS, strict=True))


def _count_votes() -> Mapping[str, Sequence[tuple[int, int]]]:
    """Return what a word says about the language: much where it is one of the commonest, a little where it has a class."""
    votes: dict[str, dict[int, int]] = {}
    for at, (table, tongue) in enumerate(zip(_TABLES, _TONGUES, strict=True)):
        for word in tongue.words:
            votes.setdefault(word, {})[at] = 1
        for word in table["known"].split():
            votes.setdefault(word, {})[at] = _KNOWN_VOTES
    return {word: tuple(found.items()) for word, found in votes.items()}


_VOTES: Final = _count_votes()


def _scanner(table: Mapping[str, str]) -> tuple[re.Pattern[str], Mapping[str, str]]:
    letters: dict[str, str] = {}
    for name, listed in table.items():
        for word in listed.split():
            letters.setdefault(word, LETTERS[name])
    longest = sorted(letters, key=len, reverse=True)
    return late_pattern("|".join(map(re.escape, longest)) + r"|[，、,；：:]|\d+"), letters


_JAPANESE, _JAPANESE_LETTERS = _scanner(JAPANESE)
_CHINESE, _CHINESE_LETTERS = _scanner(CHINESE)
_SIGNS: Final = frozenset("，、,；：:")


def is_unspaced(text: str) -> bool:
    """Return whether *text* is in a script that writes no blanks between words."""
    return not text.isascii() and (_KANA.search(text) is not None or _HAN.search(text) is not None)


@lru_cache(maxsize=4_096)
def rows_of(text: str) -> tuple[str, ...]:
    """Return the rows that *text*, a sentence, can be read as: one for each language it may be in."""
    if not text.isascii():
        if _KANA.search(text):
            return (_unspaced_row(text, _JAPANESE, _JAPANESE_LETTERS),)
        if _HAN.search(text):
            return (_unspaced_row(text, _CHINESE, _CHINESE_LETTERS),)
    tokens = _TOKEN.findall(text.lower())[:_MAX_TOKENS]
    counts = [0] * len(_TONGUES)
    for token in tokens:
        for at, weight in _VOTES.get(token, ()):
            counts[at] += weight
    best = max(counts)
    return (
        tuple(_row(tokens, _TONGUES[at]) for at, count in enumerate(counts) if count == best) if best else ()
    )


def _row(tokens: Sequence[str], tongue: _Tongue) -> str:
    row: list[str] = []
    phrases, words = tongue.phrases, tongue.words
    at, end = 0, len(tokens)
    while at < end:
        token = tokens[at]
        for others, letter in phrases.get(token, ()):
            if tokens[at + 1 : at + 1 + len(others)] == others:
                row.append(letter)
                at += 1 + len(others)
                break
        else:
            known = words.get(token)
            row.append(_letter(token, tongue.past) if known is None else known)
            at += 1
    return "".join(row)


def _letter(token: str, past: re.Pattern[str] | None) -> str:
    if not token[0].isalnum():
        return COMMA
    if token[0].isdigit():
        return NUMBER
    return PAST if past is not None and past.fullmatch(token) else OTHER


def _unspaced_row(text: str, words: re.Pattern[str], letters: Mapping[str, str]) -> str:
    row: list[str] = []
    place = 0
    for found in words.finditer(text):
        if found.start() > place:
            row.append(OTHER)
        place = found.end()
        word = found[0]
        row.append(COMMA if word in _SIGNS else letters.get(word, NUMBER))
    if place < len(text.rstrip("。.!！")):
        row.append(OTHER)
    return "".join(row)
