"""Stored findings are made anew where the rules, or what they look at, have changed."""

import ast
import importlib.util
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.audit.rules import RULES_VERSION

ROOT = "hermes_sessions.audit.rules"
LOOKED_AT = ("hermes_sessions.audit", "hermes_sessions.facts")
TOLD_FROM_THE_CODE = {"about", "advice"}
"""Arguments of a rule that no finding holds."""


def sources() -> dict[str, ast.Module]:
    """The modules that the rules are made of: theirs, and what these import of the audit and its facts."""
    found: dict[str, ast.Module] = {}
    pending = [ROOT]
    while pending:
        spec = importlib.util.find_spec(name) if (name := pending.pop()) not in found else None
        if spec is not None and spec.origin is not None and name.startswith(LOOKED_AT):
            found[name] = ast.parse(Path(spec.origin).read_text("utf-8"))
            pending += [one for one in imported(found[name]) if is_module(one)]
    return found


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_module(name: str) -> bool:
    try:
        return name.startswith(LOOKED_AT) and importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # a name in a module that is no package
        return False


def meaning(node: Any) -> str:
    """What code does, as text: without docstrings, comments, layout and what no finding holds."""
    if isinstance(node, list):
        return "".join(meaning(one) for one in node if not is_docstring(one))
    if isinstance(node, ast.keyword) and node.arg in TOLD_FROM_THE_CODE:
        return ""
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = [(name, value) for name, value in ast.iter_fields(node) if value not in (None, [])]
    return f"({type(node).__name__}{''.join(f' {name}={meaning(value)}' for name, value in fields)})"


def is_docstring(node: object) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def digest(trees: dict[str, ast.Module]) -> str:
    whole = (
        f"{name} {meaning([node for node in tree.body if 'RULES_VERSION' not in names(node)])}"
        for name, tree in sorted(trees.items())
    )
    return sha256("\n".join(whole).encode()).hexdigest()[:16]


def names(node: ast.stmt) -> set[str]:
    return (
        {node.target.id} if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) else set()
    )


def test_the_rules_change_with_their_version_alone() -> None:
    """Findings of the old rules would stay in the store beside those of the new ones."""
    assert (RULES_VERSION, digest(sources())) == ("26", "b8c89a9ad8c2a472"), (
        "raise RULES_VERSION where other findings may come of it; where none can, write the new digest here"
    )


def test_every_family_of_rules_is_looked_at() -> None:
    folder = Path(__file__).parents[2] / "hermes_sessions" / "audit" / "rules"
    families = {f"{ROOT}.{path.stem}" for path in folder.glob("*.py")} - {f"{ROOT}.__init__"}
    assert families | {ROOT, "hermes_sessions.audit.retention", "hermes_sessions.facts"} <= sources().keys()


@pytest.mark.parametrize(
    ("code", "same"),
    [
        ('def f(a):\n    """Other words."""\n    return a > 4  # a remark\n', True),
        ("def f(a):\n    return a >= 4\n", False),
        ("def f(a):\n    return a > 4\n\n\ng = f\n", False),
    ],
)
def test_the_digest_is_one_of_what_the_code_does(code: str, same: bool) -> None:
    written = {"m": ast.parse("def f(a):\n    return a > 4\n")}
    assert (digest({"m": ast.parse(code)}) == digest(written)) is same


def test_the_words_of_a_rule_may_change_but_not_its_severity() -> None:
    before, reworded, graver = (
        {"m": ast.parse(f"Rule(code='x', severity={severity}, about='{about}')")}
        for severity, about in ((1, "one"), (1, "two"), (2, "one"))
    )
    assert digest(before) == digest(reworded) != digest(graver)
