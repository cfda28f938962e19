"""Patterns mean the same on every release of Python that is supported."""

import re
from pathlib import Path

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
