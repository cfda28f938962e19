"""Patterns mean the same on every supported release of Python, and none can be made to try for ever."""

import ast
import importlib
import pkgutil
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hermes_sessions
from hermes_sessions.late_patterns import LatePattern, late_pattern

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


def test_a_pattern_is_compiled_when_it_is_first_tried():
    late: Any = late_pattern(r"(a)|(?P<b>b+)", re.I)
    assert isinstance(late, LatePattern)
    assert "search" not in vars(late)
    assert late.flags == re.compile(r"(a)|(?P<b>b+)", re.I).flags
    assert "search" not in vars(late)
    found = late.search("xBB")
    assert found is not None
    assert found["b"] == "BB"
    assert "search" in vars(late)
    assert (late.groups, dict(late.groupindex), late.pattern) == (2, {"b": 2}, r"(a)|(?P<b>b+)")
    assert late.sub("-", "aXb") == "-X-"
    with pytest.raises(AttributeError):
        late.nothing  # noqa: B018


@pytest.mark.parametrize(
    ("pattern", "flags"), [("a", 0), ("a", re.A), ("(?i)a", 0), ("(?:a)", re.S), ("(?i:a)b", 0)]
)
def test_the_flags_are_those_of_the_compiled_pattern(pattern, flags):
    assert late_pattern(pattern, flags).flags == re.compile(pattern, flags).flags


def test_every_pattern_can_be_compiled():
    found = [one for module in modules() for value in vars(module).values() for one in patterns_in(value)]
    assert len(found) > 1_000
    for one in found:
        one.search("")


def compiled_early(tree: ast.AST) -> Iterator[int]:
    """Lines where an import compiles a pattern of text."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile":
            first = node.args[0]
            if not (isinstance(first, ast.Constant) and isinstance(first.value, bytes)):
                yield node.lineno
        yield from compiled_early(node)


def test_no_import_compiles_patterns():
    """There are two thousand of them, which took most commands longer than their work."""
    folder = Path(hermes_sessions.__file__).parent
    found = {
        path.relative_to(folder).as_posix(): lines
        for path in folder.rglob("*.py")
        if (lines := list(compiled_early(ast.parse(path.read_text(encoding="utf-8")))))
    }
    assert found == {"late_patterns.py": [found["late_patterns.py"][0]]}


def test_a_pattern_of_an_import_is_seen():
    text = "A = [re.compile(x) for x in 'ab']\nB = re.compile(b'c')\ndef f(): return re.compile('d')"
    assert list(compiled_early(ast.parse(text))) == [1]


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


def patterns_in(value: Any) -> Iterator[Any]:
    if isinstance(value, re.Pattern | LatePattern):
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
