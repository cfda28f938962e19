"""Imports point inwards, and pure layers stay pure (docs/architecture.md)."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import hermes_sessions

PACKAGE = Path(hermes_sessions.__file__).parent
ALWAYS = {"errors"}
IMPURE_MODULES = {"flask", "httpx", "logging", "os", "socket", "sqlalchemy", "sqlite3", "subprocess", "time"}
VALUES = {"messages", "call_names", "facts", "tokens", "redact", "handoff", "lineage"}
PURE = VALUES | {"errors", "compaction", "audit"}
INNER = VALUES | {"compaction", "audit", "store", "importers", "exporters", "summarizers"}
EDGE = INNER | {"demo", "operations", "settings", "paths", "version"}
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "messages": set(),
    "call_names": {"messages"},
    "facts": {"messages"},
    "tokens": {"messages", "_vocab"},
    "redact": {"messages", "tokens"},
    "handoff": {"messages"},
    "lineage": {"messages"},
    "paths": set(),
    "settings": set(),
    "_vocab": set(),
    "compaction": VALUES,
    "audit": VALUES,
    "store": VALUES | {"paths"},
    "importers": VALUES,
    "exporters": VALUES,
    "summarizers": VALUES,
    "demo": VALUES,
    "operations": INNER,
    "web": EDGE,
    "cli": EDGE | {"web"},
    "__main__": {"cli"},
    "__init__": INNER | {"operations"},
}
ENVIRON_READERS = {"settings"}
FILE_READERS = {"paths"}
"""`_vocab` has its files beside it and finds them by importlib.resources."""
EAGER = {"cli/__init__.py", "cli/_output.py", "cli/_options.py", "settings.py", "errors.py", "__main__.py"}
HEAVY = {"alembic", "flask", "rich", "sqlalchemy", "tiktoken"}


def sources() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide what they reach"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def layer(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def layer_of_import(name: str) -> str | None:
    """Return the layer of one of our own modules: `hermes_sessions.store.db` -> `store`."""
    parts = name.split(".")
    if parts[0] != "hermes_sessions":
        return None
    inside = parts[1] if len(parts) > 1 else "__init__"
    return "version" if inside == "__version__" else inside


def ids(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


@pytest.mark.parametrize("path", sources(), ids=ids)
def test_imports_point_inwards(path: Path) -> None:
    own = layer(path)
    allowed = MAY_IMPORT[own] | ALWAYS | {own}
    reached = {one for name in imported(ast.parse(path.read_text())) if (one := layer_of_import(name))}
    assert reached <= allowed


@pytest.mark.parametrize("path", [path for path in sources() if layer(path) in PURE], ids=ids)
def test_pure_layers_do_no_io(path: Path) -> None:
    roots = {name.partition(".")[0] for name in imported(ast.parse(path.read_text()))}
    assert not roots & IMPURE_MODULES


@pytest.mark.parametrize("path", sources(), ids=ids)
def test_only_settings_reads_the_environment(path: Path) -> None:
    names = {
        node.attr
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and ast.unparse(node) != "request.environ"  # the server's, of one request
    }
    if layer(path) not in ENVIRON_READERS:
        assert not names & {"environ", "getenv"}


@pytest.mark.parametrize("path", sources(), ids=ids)
def test_only_paths_looks_where_it_is(path: Path) -> None:
    names = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
    if layer(path) not in FILE_READERS:
        assert "__file__" not in names


@pytest.mark.parametrize("name", sorted(EAGER))
def test_help_starts_without_the_heavy_imports(name: str) -> None:
    tree = ast.parse((PACKAGE / name).read_text())
    at_import = ast.Module([node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)], [])
    assert not {one.partition(".")[0] for one in imported(at_import)} & HEAVY


@pytest.mark.parametrize("path", sources(), ids=ids)
def test_only_the_command_line_prints(path: Path) -> None:
    names = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
    assert layer(path) == "cli" or "print" not in names
