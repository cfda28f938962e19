"""Imports point inwards, and pure layers stay pure (docs/architecture.md)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import hermes_sessions

PACKAGE = Path(hermes_sessions.__file__).parent
BENCH = PACKAGE.parent / "bench"
ALWAYS = {"errors", "late_patterns"}
IMPURE_MODULES = {"flask", "httpx", "logging", "os", "socket", "sqlalchemy", "sqlite3", "subprocess", "time"}
VALUES = {
    "messages", "call_names", "json_text", "storable_text", "facts", "tokens", "redact", "handoff", "lineage",
    "titles", "typed_values",
}  # fmt: skip
PURE = VALUES | {"errors", "compaction", "audit"}
INNER = VALUES | {"output", "compaction", "audit", "store", "agents", "exporters", "summarizers"}
EDGE = INNER | {"demo", "operations", "settings", "paths", "version"}
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "late_patterns": set(),
    "messages": {"json_text"},
    "call_names": {"messages", "storable_text"},
    "json_text": set(),
    "storable_text": set(),
    "facts": {"messages"},
    "tokens": {"messages", "_vocab"},
    "redact": {"messages", "tokens"},
    "handoff": {"messages"},
    "lineage": {"messages"},
    "titles": set(),
    "typed_values": set(),
    "paths": set(),
    "output": set(),
    "settings": set(),
    "_vocab": set(),
    "compaction": VALUES,
    "audit": VALUES,
    "store": VALUES | {"paths", "output"},
    "agents": VALUES,
    "exporters": VALUES | {"output"},
    "summarizers": VALUES,
    "demo": VALUES | {"agents"},
    "operations": INNER,
    "web": EDGE,
    "integrations": EDGE,
    "cli": EDGE | {"web", "integrations"},
    "__main__": {"cli"},
    "__init__": INNER | {"operations"},
}
FLOORS: dict[str, tuple[str, ...]] = {
    "agents": (
        "values",
        "contract",
        "told_messages",
        "unknown_kinds",
        "concluding",
        "json_lines",
        "session_files",
        "sqlite_source",
        "session_shelves",
    ),
    "store": ("progress", "schema", "language", "engines", "queries", "searching", "opening", "keeping"),
    "operations": (
        "documents",
        "transcript",
        "search",
        "writing",
        "organising",
        "agent",
        "auditing",
        "imports",
        "exports",
    ),
    "web": ("serving", "text", "site", "searching", "conversation", "overviews", "auditing"),
}
"""The rooms of a layer from the ground up: none imports from a later one. What is not named is on top."""
AGENT_ROOMS = (
    "agents/hermes/", "handoff/grammars/", "integrations/hermes/", "cli/hosts/", "demo/", "__init__.py",
)  # fmt: skip
"""Where the name of the agent may be; all else is for any agent. `__init__` offers its `classify_child`."""
STILL_NAMING: set[str] = set()
"""Files that name it yet; what no longer does is taken off the list."""
OWN_NAMES = re.compile(r"hermes[_-](?:sessions|jsonl)|HermesSessions", re.IGNORECASE)
"""This program, and what its exports were called once."""
ENVIRON_READERS = {"settings"}
FILE_READERS = {"paths"}
"""`_vocab` has its files beside it and finds them by importlib.resources."""
EAGER = {
    "cli/__init__.py",
    "cli/terminal/output.py",
    "cli/terminal/options.py",
    "settings.py",
    "errors.py",
    "__main__.py",
}
HEAVY = {"alembic", "flask", "mcp", "msgspec", "rich", "sqlalchemy", "tiktoken"}


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
    """Return the layer of one of our own modules: `hermes_sessions.store.opening.database` -> `store`."""
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


def floor(room: str, rooms: tuple[str, ...]) -> int:
    return rooms.index(room) if room in rooms else len(rooms)


def room_of_import(name: str, own: str) -> str | None:
    """Return the room of a module of the same layer: `hermes_sessions.store.schema.models` -> `schema`."""
    parts = name.split(".")
    return parts[2] if parts[:2] == ["hermes_sessions", own] and len(parts) > 2 else None


@pytest.mark.parametrize("path", [path for path in sources() if layer(path) in FLOORS], ids=ids)
def test_rooms_of_a_layer_import_downwards(path: Path) -> None:
    own = layer(path)
    rooms = FLOORS[own]
    room = path.relative_to(PACKAGE / own).parts[0].removesuffix(".py")
    reached = {one for name in imported(ast.parse(path.read_text())) if (one := room_of_import(name, own))}
    above = {one for one in reached if floor(one, rooms) > floor(room, rooms)}
    assert not above


def agent_folders() -> list[Path]:
    shared = {
        "concluding",
        "json_lines",
        "session_files",
        "session_shelves",
        "sqlite_source",
        "__pycache__",
    }
    return [one for one in (PACKAGE / "agents").iterdir() if one.is_dir() and one.name not in shared]


@pytest.mark.parametrize("folder", agent_folders(), ids=ids)
def test_no_agent_imports_another(folder: Path) -> None:
    others = {one.name for one in agent_folders()} - {folder.name}
    trees = [ast.parse(path.read_text()) for path in folder.rglob("*.py")]
    reached = {room_of_import(name, "agents") for tree in trees for name in imported(tree)}
    assert not reached & others


def test_no_module_names_an_agents_importer() -> None:
    """The registry finds them: removing a folder removes its agent."""
    reached = {
        name: ids(path)
        for path in sources()
        for name in imported(ast.parse(path.read_text()))
        if name.startswith("hermes_sessions.agents.") and "importer" in name.split(".")[3:-1]
    }
    assert not reached


def test_nobody_imports_from_one_agents_folder() -> None:
    """But the demo, which writes that agent's files, and the package, which offers a function of it.

    The registry imports by name, tests as they like.
    """
    agents = {one.name for one in agent_folders()}
    reached = {
        layer(path)
        for path in sources()
        for name in imported(ast.parse(path.read_text()))
        if room_of_import(name, "agents") in agents
    }
    assert reached - {"agents"} <= {"demo", "__init__"}


def test_the_demo_takes_of_its_agent_the_tables_alone() -> None:
    reached = {
        ".".join(name.split(".")[:4])
        for path in sources()
        if layer(path) == "demo"
        for name in imported(ast.parse(path.read_text()))
        if layer_of_import(name) == "agents"
    }
    assert reached == {"hermes_sessions.agents.hermes.schema"}


def texts() -> Iterator[tuple[str, str]]:
    """Every file that is shipped as text, by its path in the package or in the checkout."""
    for folder in (PACKAGE, PACKAGE.parent / "templates", PACKAGE.parent / "static"):
        root = PACKAGE if folder == PACKAGE else PACKAGE.parent
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix in (".py", ".html", ".js", ".css", ".json", ".svg"):
                yield str(path.relative_to(root)), path.read_text("utf-8")


def test_one_agent_is_named_in_its_own_rooms_alone() -> None:
    naming = {
        name
        for name, text in texts()
        if "hermes" in OWN_NAMES.sub("", f"{name}\n{text}").lower() and not name.startswith(AGENT_ROOMS)
    }
    assert naming <= STILL_NAMING, "say it in docs/, or in the agent's folder"
    assert naming >= STILL_NAMING, "take these off the list"


def test_another_agent_is_named_in_its_own_rooms_alone() -> None:
    rooms = ("agents/claude_code/", "handoff/grammars/")
    naming = re.compile(r"claude[_-]code|Claude Code")
    assert not {
        name for name, text in texts() if naming.search(f"{name}\n{text}") and not name.startswith(rooms)
    }


@pytest.mark.parametrize("folder", sorted({path.parent for path in sources()}), ids=ids)
def test_a_room_has_at_most_sixteen_files(folder: Path) -> None:
    assert len([path for path in folder.glob("*.py") if path.name != "__init__.py"]) <= 16


def test_class_names_are_unique() -> None:
    places: dict[str, list[str]] = {}
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(ids(path))
    assert not {name for name, where in places.items() if len(where) > 1}


@pytest.mark.parametrize(
    "path", [BENCH / "recall.py", *sorted((BENCH / "exam").glob("*.py"))], ids=lambda path: path.stem
)
def test_the_exam_knows_no_facts_and_no_audit(path: Path) -> None:
    """Nobody measures their own work with the tool that made it."""
    names = {
        name
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        for name in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [one.name for one in node.names]
            if isinstance(node, ast.Import)
            else []
        )
    }
    assert not [name for name in names if name.startswith(("hermes_sessions.facts", "hermes_sessions.audit"))]
