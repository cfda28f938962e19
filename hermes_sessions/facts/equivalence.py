"""When two values say the same in different ways: named rules, one function each."""

import re
import shlex
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from hermes_sessions.facts.quantities.amounts import (
    NUMBER_WORDS,
    read_amount,
    read_clock,
    same_amount,
    same_day,
)
from hermes_sessions.late_patterns import late_pattern

Rule = Callable[[str, str], bool]

_QUANTITIES: Final = frozenset({"number", "money", "percentage", "duration", "test_result", "config", "port"})
_PATHS: Final = frozenset({"path", "file_changed", "file_read"})
_HEX = late_pattern(r"(?:sha\d{1,3}:)?[0-9a-fA-F]{7,128}")
_FAMILIES: Final[tuple[frozenset[str], ...]] = (
    _QUANTITIES,
    _PATHS,
    frozenset({"id", "hash"}),
    frozenset({"host", "url", "ip", "config"}),
    frozenset({"version", "config"}),
    frozenset({"decision", "constraint", "todo", "next_step", "request", "question", "error"}),
)


@lru_cache(maxsize=2_048)
def same_family(one: str, other: str) -> bool:
    """Return whether facts of these two kinds can be about the same value."""
    return one == other or any(one in family and other in family for family in _FAMILIES)


def same_number(one: str, other: str) -> bool:
    """Separators, rounding, units, numbers in words: 1,048,576 is 1.048.576; 90 s is 1.5 min."""
    return any(same_amount(first, second) for first in read_amount(one) for second in read_amount(other))


def same_prefix(one: str, other: str) -> bool:
    """A hash and its first seven characters or more."""
    if not (_HEX.fullmatch(one) and _HEX.fullmatch(other)):
        return False
    first, second = (text.rpartition(":")[2].lower() for text in (one, other))
    return first.startswith(second) or second.startswith(first)


def same_path(one: str, other: str) -> bool:
    """A path and its end of two parts or more, with or without `./`, `a/` and a line."""
    first, second = (_bare_path(text) for text in (one, other))
    if first == second:
        return True
    long, short = (first, second) if len(first) > len(second) else (second, first)
    return "/" in short and not short.startswith("/") and long.endswith(f"/{short}")


@lru_cache(maxsize=8_192)
def _bare_path(path: str) -> str:
    path = path.replace("\\", "/").removeprefix("./").rstrip("/")
    return re.sub(r"(?::\d{1,7}){1,2}$", "", path)


def under(path: str, cwd: str) -> str:
    """Return *path* as it is written from *cwd*."""
    return path.removeprefix(cwd.rstrip("/") + "/") if cwd else path


def same_command(one: str, other: str) -> bool:
    """The same program, subcommand and operands, options in another order."""
    first, second = _command_words(one), _command_words(other)
    return bool(first) and first[:1] == second[:1] and sorted(first) == sorted(second)


@lru_cache(maxsize=2_048)
def _command_words(command: str) -> tuple[str, ...]:
    try:
        words = shlex.split(command, comments=False)
    except ValueError:
        words = command.split()
    return tuple(part for word in words for part in (word.split("=", 1) if word.startswith("--") else [word]))


def same_fold(one: str, other: str) -> bool:
    """A case that a protocol ignores: hosts, addresses, header names."""
    return one.casefold() == other.casefold()


def same_url(one: str, other: str) -> bool:
    """A URL with and without its scheme, `www.` or last slash."""
    return _bare_url(one) == _bare_url(other)


@lru_cache(maxsize=8_192)
def _bare_url(url: str) -> str:
    rest = url.partition("://")[2] or url
    host, slash, path = rest.removeprefix("www.").rstrip("/").partition("/")
    return f"{host.casefold()}{slash}{path}"


def same_version(one: str, other: str) -> bool:
    """`v1.2.3` is `1.2.3`; `Postgres 16` is `PostgreSQL 16`."""
    first, second = (_bare_version(text) for text in (one, other))
    return first == second and first[1] != ""


def _bare_version(value: str) -> tuple[str, str]:
    match = re.search(r"\d[\w.+-]*$", value)
    name = value[: match.start()].strip().casefold() if match else ""
    name = {"postgres": "postgresql", "v": "", "golang": "go", "node": "node.js", "nodejs": "node.js"}.get(
        name, name
    )
    return (name.rstrip("v").strip(), match.group()) if match else (name, "")


def same_time(one: str, other: str) -> bool:
    """`3 pm` is 15:00."""
    first = read_clock(one)
    return first is not None and first == read_clock(other)


OUTCOMES: Final = (
    (
        "failed",
        "fail broken red fehlgeschlagen échou échec fallan fallaron fallo fallid falh fallit fallisc fallim упал падают провал 失败 失敗 실패 فشل".split(),
    ),
    (
        "passed",
        "pass green bestanden bestehen grün réuss pasan pasaron aprobad superad superat aprovad прош проход пройден успеш 通过 成功 パス 통과 성공 نجح succe".split(),
    ),
    ("skipped", "skip ignored übersprungen ignoré пропущ 跳过 スキップ".split()),
)


def outcome(value: str) -> str:
    """Return what became of the tests that *value* counts, '' where it does not say."""
    lowered = value.lower()
    return next((name for name, stems in OUTCOMES if any(stem in lowered for stem in stems)), "")


def same_outcome(one: str, other: str) -> bool:
    """`12 tests passed` is `12 passed` is `12 tests are green`."""
    if outcome(one) != outcome(other) or not outcome(one):
        return False
    first, second = re.findall(r"\d+", one), re.findall(r"\d+", other)
    return first[:1] == second[:1] and bool(first)


def spelled(value: str) -> tuple[str, ...]:
    """Return a small number with its noun as words: `3 retries` as `three retries`, `drei retries`."""
    digits, blank, noun = value.partition(" ")
    if not (digits.isdecimal() and blank and int(digits) <= 12):
        return ()
    return tuple(f"{word} {noun}" for word, number in NUMBER_WORDS.items() if number == int(digits))


RULES: Final[dict[str, tuple[tuple[str, Rule], ...]]] = {
    **dict.fromkeys(_QUANTITIES, (("same-number", same_number),)),
    **dict.fromkeys(_PATHS, (("same-path", same_path),)),
    "test_result": (("same-outcome", same_outcome), ("same-number", same_number)),
    "hash": (("hash-prefix", same_prefix), ("case", same_fold)),
    "id": (("case", same_fold), ("hash-prefix", same_prefix)),
    "host": (("case", same_fold), ("same-url", same_url)),
    "email": (("case", same_fold),),
    "url": (("same-url", same_url),),
    "date": (("same-day", same_day),),
    "time": (("same-time", same_time),),
    "version": (("same-version", same_version),),
    "command": (("reordered-options", same_command),),
    "identifier": (("call", lambda one, other: one.removesuffix("()") == other.removesuffix("()")),),
    "name": (("case", same_fold),),
}
"""The rules of each kind, by name."""


def equal_by(kind: str, one: str, other: str) -> str:
    """Return the name of the rule by which two values of *kind* are equal, '' where none says so."""
    if one == other:
        return "same"
    return next((name for name, rule in RULES.get(kind, ()) if rule(one, other)), "")


_BRACES = late_pattern(r"([\w./-]{0,120})\{([\w.,/-]{1,200})\}([\w./-]{0,60})")


def expand_braces(text: str) -> str:
    """Return the paths that `src/{a,b}.ts` stands for, one a line; '' where there is none."""
    return (
        "\n".join(
            match[1] + part + match[3]
            for match in _BRACES.finditer(text)
            if "," in match[2]
            for part in match[2].split(",")
        )
        if "{" in text
        else ""
    )


@lru_cache(maxsize=2_048)
def derived(value: str, parts: tuple[str, ...]) -> bool:
    """Return whether *value* is the sum of two or three of *parts*, or a share of two of them."""
    whole = next(iter(read_amount(value)), None)
    numbers = [one.number for part in parts[:12] for one in read_amount(part)[:1]]
    if whole is None or len(numbers) < 2:
        return False
    if whole.unit == "%":
        totals = {*numbers, sum(numbers)}
        return any(
            total and abs(100 * one / total - whole.number) <= max(whole.step, 1.0) / 2
            for one in numbers
            for total in totals
            if one < total
        )
    pairs = [numbers[i] + numbers[j] for i in range(len(numbers)) for j in range(i)]
    return whole.number in pairs or (len(numbers) > 2 and whole.number == sum(numbers))
