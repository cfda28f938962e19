"""Patterns mean the same on every supported release of Python, and none can be made to try for ever."""

import importlib
import pkgutil
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hermes_sessions

POSSESSIVE_GROUP = re.compile(r"(?<![\\(])\)(?:[*+?]|\{\d*,?\d*\})\+")
WITHOUT_BACKTRACKING = {"agents/json_lines/lines.py": 1}
"""Files with such groups inside which nothing is ever tried twice; those are read alike everywhere."""


def possessive_groups(folder: Path) -> dict[str, int]:
    found = {
        path.relative_to(folder).as_posix(): len(POSSESSIVE_GROUP.findall(path.read_text(encoding="utf-8")))
        for path in folder.rglob("*.py")
    }
    return {name: count for name, count in found.items() if count}


def test_no_group_is_possessive():
    """Python 3.11.0 to 3.11.4 goes wrong where something inside such a group is tried again (gh-106052)."""
    assert possessive_groups(Path(hermes_sessions.__file__).parent) == WITHOUT_BACKTRACKING


def test_a_possessive_group_is_seen(tmp_path):
    (tmp_path / "one.py").write_text(r'A = "(?:a|ab)*+b"; B = "(?:a){1,3}+"; C = "a*+[b]++\)*+"')
    assert possessive_groups(tmp_path) == {"one.py": 2}


SIGNS = (
    *("a", "aA", "a1", "a-", "a_", "a.", "a/", "a b", "ab ", "a, ", "a: ", "1", "1.", "1,", "1:", "1 ", "1-"),
    *(
        "-",
        "_",
        ".",
        "/",
        " ",
        "\t",
        "\n",
        "*",
        "`",
        "'",
        '"',
        "(",
        "[",
        "|",
        "#",
        "=",
        "é",
        "中",
        "あ",
        "한",
        "я",
    ),
)
"""What is repeated: a pattern that reads such a text in two ways tries twice as many with each one more."""
CHARS = 400
SECONDS = 2


def modules() -> Iterator[Any]:
    for found in pkgutil.walk_packages(hermes_sessions.__path__, "hermes_sessions."):
        if not found.name.endswith("__main__") and ".migrations" not in found.name:
            yield importlib.import_module(found.name)


def patterns_in(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from patterns_in(one)
    elif isinstance(value, tuple | list | frozenset):
        for one in value:
            yield from patterns_in(one)
    elif type(value).__module__.startswith("hermes_sessions") and hasattr(value, "pattern"):
        yield from patterns_in(value.pattern)


def endless(patterns: dict[re.Pattern[str], str], seconds: float) -> dict[str, str]:
    """Those of *patterns* that are not done with a text of a few hundred characters, and that text."""

    def stop(number: int, frame: object) -> None:
        raise TimeoutError

    found = {}
    before = signal.signal(signal.SIGVTALRM, stop)
    try:
        for pattern, name in patterns.items():
            for sign in SIGNS:
                for end in ("\x00", "("):
                    text = (sign * CHARS)[:CHARS] + end
                    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
                    try:
                        pattern.search(text)
                        pattern.fullmatch(text)
                    except TimeoutError:
                        found[name] = text[:12]
                    finally:
                        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    finally:
        signal.signal(signal.SIGVTALRM, before)
    return found


@pytest.mark.slow
def test_no_pattern_tries_for_ever():
    patterns = {
        pattern: f"{module.__name__}.{name}"
        for module in modules()
        for name, value in vars(module).items()
        for pattern in patterns_in(value)
    }
    assert len(patterns) > 1_000
    assert endless(patterns, SECONDS) == {}


def test_a_pattern_that_tries_for_ever_is_seen():
    assert endless({re.compile(r"[a-z]\w*(?:[-_]\w+)+(?!\w|\()"): "one", re.compile("a+b"): "two"}, 0.2) == {
        "one": "a_a_a_a_a_a_"
    }
