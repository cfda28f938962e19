"""The modules of this package that the plugin needs, found by their imports, under a name of their own.

Not here: where they are written.
"""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from hermes_sessions import __version__
from hermes_sessions.late_patterns import late_pattern

OWN: Final = "hermes_sessions"
ENTRY: Final = "integrations.hermes.plugin.entry"
_FOUND_BY_NAME: Final = ("handoff.grammars",)
"""Packages whose modules are looked for while the plugin runs: no import names them."""
_NAME: Final = late_pattern(rf"\b{OWN}\b")
_ROOT: Final = '"""What the engine needs of hermes_sessions, copied."""\n\n__version__ = "{version}"\n'


@cache
def copied_modules() -> Mapping[str, str]:
    """Return the source of each module by its path in the copied package, as it is here."""
    sources: dict[str, str] = {}
    waiting = [ENTRY]
    while waiting:
        name = waiting.pop()
        found = _source(name) if name not in sources else None
        if found is not None:
            sources[name] = found
            waiting += [*_parents(name), *_imported(found)]
            if name in _FOUND_BY_NAME:
                waiting += [f"{name}.{module}" for module in _modules_in(name)]
    files = {_path(name): source for name, source in sources.items()}
    return {**files, "__init__.py": _ROOT.format(version=__version__)}


def package_name(sources: Mapping[str, str]) -> str:
    """Return the name that the copy has: another one for each state of the sources."""
    digest = sha256()
    for path in sorted(sources):
        digest.update(f"{path}\0{sources[path]}\0".encode())
    return f"_{OWN}_{digest.hexdigest()[:12]}"


def renamed(sources: Mapping[str, str], package: str) -> Mapping[str, str]:
    """Return *sources* with the name of this package replaced."""
    return {path: _NAME.sub(package, source) for path, source in sources.items()}


def third_party(sources: Mapping[str, str]) -> set[str]:
    """Return the top-level names that *sources* import besides this package."""
    trees = [ast.parse(source) for source in sources.values()]
    names = {name.partition(".")[0] for tree in trees for name in _names(tree)}
    return names - {OWN}


def _source(name: str) -> str | None:
    """Return the source of a module or package of ours; None where *name* is something in a module."""
    parts = name.split(".")
    place: Traversable = resources.files(OWN)
    for part in parts[:-1]:
        place = place / part
    for file in (place / f"{parts[-1]}.py", place / parts[-1] / "__init__.py"):
        if file.is_file():
            return file.read_text("utf-8")
    return None


def _path(name: str) -> str:
    path = name.replace(".", "/")
    return f"{path}/__init__.py" if resources.files(OWN).joinpath(path).is_dir() else f"{path}.py"


def _parents(name: str) -> Iterator[str]:
    while "." in name:
        name = name.rpartition(".")[0]
        yield name


def _modules_in(name: str) -> list[str]:
    folder = resources.files(OWN).joinpath(name.replace(".", "/"))
    names = (one.name for one in folder.iterdir())
    return sorted(one.removesuffix(".py") for one in names if one.endswith(".py") and one != "__init__.py")


def _imported(source: str) -> Iterator[str]:
    for name in _names(ast.parse(source)):
        if name.startswith(f"{OWN}."):
            yield name.removeprefix(f"{OWN}.")


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
