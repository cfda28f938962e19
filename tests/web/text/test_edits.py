"""Calls that edit files are read as changes, whatever their agent calls things."""

from typing import Any

import pytest

from hermes_sessions.web.text.edits import read_edits
from hermes_sessions.web.text.tools import show_arguments

PATCH = """*** Begin Patch
*** Update File: a.py
@@ def one():
-    return 1
+    return 2
*** Add File: b.py
+new = True
*** End Patch"""
SMALL = {"old_string": "1", "new_string": "2"}
PATCHED = [("a.py", "@@@ def one():|-    return 1|+    return 2"), ("b.py", "+new = True")]
UNIFIED = """diff --git a/x.txt b/x.txt
index 1..2
--- a/x.txt
+++ b/x.txt
@@ -1,2 +1,2 @@
 same
-old
+new"""


def shown(name: str, arguments: Any) -> list[tuple[str, str]]:
    """Each file with its lines, a mark before each."""
    marks = {"added": "+", "removed": "-", "same": " ", "hunk": "@", "fold": "~"}
    return [
        (edit.path, "|".join(marks[line.kind] + line.text for line in edit.diff.lines))
        for edit in read_edits(name, arguments)
    ]


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("Edit", {"file_path": "a", "old_string": "x\ny", "new_string": "x\nz"}, [("a", " x|-y|+z")]),
        ("patch", {"mode": "replace", "path": "a", "old_string": "x", "new_string": ""}, [("a", "-x")]),
        ("editor", {"command": "str_replace", "path": "a", "old_str": "x", "new_str": "y"}, [("a", "-x|+y")]),
        ("editor", {"command": "create", "path": "a", "file_text": "x\n\ny"}, [("a", "+x|+|+y")]),
        ("editor", {"command": "insert", "path": "a", "insert_line": 3, "new_str": "y"}, [("a", "+y")]),
        ("MultiEdit", {"file_path": "a", "edits": [SMALL, {"search": "3", "replace": "4"}]},
         [("a", "-1|+2"), ("a", "-3|+4")]),
        ("write_file", {"path": "a", "content": "x\ny"}, [("a", "+x|+y")]),
        ("apply_patch", {"input": PATCH}, PATCHED),
        ("apply_patch", PATCH, PATCHED),
        ("patch", {"path": "z", "diff": UNIFIED}, [("x.txt", "@@@ -1,2 +1,2 @@| same|-old|+new")]),
        ("patch", {"path": "z", "diff": "-old\n+new"}, [("z", "-old|+new")]),
        ("patch", {"path": "z", "diff": "- a list\nnot a patch"}, []),
        ("read_file", {"path": "a", "content": "x"}, []),
        ("send", {"path": "a", "content": "x"}, []),
        ("Edit", {"file_path": "a", "old_string": 1, "new_string": None}, []),
        ("Edit", {"edits": ["x", None, 3]}, []),
        ("patch", "just some words", []),
        ("patch", [1, 2], []),
    ],
)  # fmt: skip
def test_changes(name: str, arguments: Any, expected: list[tuple[str, str]]) -> None:
    assert shown(name, arguments) == expected


def test_long_changes_are_cut_and_say_so() -> None:
    given = show_arguments('{"path": "a", "content": "' + "line\\n" * 5_000 + '"}', "write_file")
    assert given.cut
    assert sum(len(line.text) for edit in given.edits for line in edit.diff.lines) <= 4_000


@pytest.mark.parametrize(
    ("name", "arguments", "command"),
    [
        ("terminal", '{"command": "ls -l", "timeout": 5}', "ls -l"),
        ("shell", '{"command": ["bash", "-lc", "ls -l"]}', "bash -lc 'ls -l'"),
        ("exec_command", '{"cmd": "pwd"}', "pwd"),
        ("search", '{"command": "ls"}', None),
        ("terminal", '{"session": 3}', None),
        ("terminal", '{"command": "x", "env": {"A": "1"}}', "x"),
        ("terminal", '{"command": "x", "env": {"A": ["1"]}}', None),
        ("terminal", "not json", None),
    ],
)
def test_commands(name: str, arguments: str, command: str | None) -> None:
    assert show_arguments(arguments, name).command == command
