"""The plugin's folder in the agent's home: made, looked at, removed.

It is made beside its place and moved there whole. A folder that we did not make is left alone.
"""

import json
import os
import secrets
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any, Final

from hermes_sessions import __version__
from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.integrations.hermes.copied_modules import (
    ENTRY,
    copied_modules,
    package_name,
    renamed,
)
from hermes_sessions.integrations.hermes.plugin.host import NAME

ABOUT: Final = "Context engine: hands facts, rules and decisions over word for word at every compaction."
_RECORD: Final = "installed.json"
_TEMPLATES: Final = "hermes_sessions.integrations.hermes.folder"
_ASIDE: Final = ".hermes-sessions-plugin-"
_MOST_BYTES: Final = 4_000_000
_LEFT_SECONDS: Final = 3_600


class PluginFolderError(HermesSessionsError):
    """The plugin's folder cannot be made or removed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderState:
    """What is in the plugin's place.

    Attributes:
        path: the place.
        there: something is.
        ours: we made it.
        version: the release that made it; '' where that is not known.
        current: it is what this release would make.
        complete: every file is as it was made.
    """

    path: Path
    there: bool = False
    ours: bool = False
    version: str = ""
    current: bool = False
    complete: bool = False


def plugin_path(home: Path) -> Path:
    """Return the plugin's place in the agent's home."""
    return home / "plugins" / NAME


@cache
def plugin_files() -> Mapping[str, str]:
    """Return all files of the plugin by their path, the record of them included."""
    sources = copied_modules()
    package = package_name(sources)
    values = {"name": NAME, "about": ABOUT, "version": __version__, "package": package, "entry": ENTRY}
    files = {f"{package}/{path}": text for path, text in renamed(sources, package).items()}
    files["__init__.py"] = _template("init.txt").substitute(values)
    files["plugin.yaml"] = _template("plugin.txt").substitute(values)
    files["README.md"] = _template("readme.txt").substitute(values)
    sums = {path: _digest(text.encode()) for path, text in sorted(files.items())}
    record = {"made_by": "hermes-sessions", "version": __version__, "package": package, "files": sums}
    files[_RECORD] = json.dumps(record, indent=1) + "\n"
    return files


def look_at(home: Path) -> FolderState:
    """Return what is in the plugin's place; nothing is run."""
    path = plugin_path(home)
    if not os.path.lexists(path):
        return FolderState(path=path)
    record = _record(path)
    if record is None or path.is_symlink():
        return FolderState(path=path, there=True)
    wanted = json.loads(plugin_files()[_RECORD])
    sums = record.get("files")
    found = isinstance(sums, dict) and all(_has(path, name, digest) for name, digest in sums.items())
    version = record.get("version")
    return FolderState(
        path=path,
        there=True,
        ours=True,
        version=version if isinstance(version, str) else "",
        current=record == wanted,
        complete=bool(found),
    )


def install(home: Path) -> FolderState:
    """Make the plugin's folder, in place of an older one of ours.

    Raises:
        PluginFolderError: there is no such home, or something else is in the place.
        OSError: the folder cannot be written.
    """
    if not home.is_dir():
        raise PluginFolderError(f"{home}: is not a folder; --home names the agent's")
    state = look_at(home)
    if state.there and not state.ours:
        raise PluginFolderError(f"{state.path}: was not made by hermes-sessions; move it away first")
    state.path.parent.mkdir(exist_ok=True)
    _sweep(home)
    with _aside(state.path) as aside:
        made, old = aside / "made", aside / "old"
        _write(made, plugin_files())
        try:
            if state.there:
                state.path.rename(old)
            made.rename(state.path)
        # An interrupt too: without its folder the agent has no plugin.
        except BaseException:
            if old.exists() and not os.path.lexists(state.path):
                old.rename(state.path)
            raise
    return look_at(home)


def uninstall(home: Path) -> bool:
    """Remove the plugin's folder; the journal stays. Return whether there was one.

    Raises:
        PluginFolderError: something else is in the place.
        OSError: it cannot be removed.
    """
    state = look_at(home)
    if not state.there:
        return False
    if not state.ours:
        raise PluginFolderError(f"{state.path}: was not made by hermes-sessions; it is left as it is")
    _sweep(home)
    with _aside(state.path) as aside:
        state.path.rename(aside / "old")
    return True


def _write(folder: Path, files: Mapping[str, str]) -> None:
    folder.mkdir(mode=0o755)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


@contextmanager
def _aside(place: Path) -> Iterator[Path]:
    """Make a folder on the file system of *place*, removed at the end.

    It lies deeper than the agent looks for plugins.
    """
    folder = place.parent / f"{_ASIDE}{secrets.token_hex(8)}"
    inner = folder / "parts" / "of"
    try:
        inner.mkdir(parents=True)
        yield inner
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sweep(home: Path) -> None:
    """Remove what an interrupted install left behind; a young folder may be of one that is at work."""
    for path in [*home.glob(f"{_ASIDE}*"), *(home / "plugins").glob(f"{_ASIDE}*")]:
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - _LEFT_SECONDS:
                shutil.rmtree(path, ignore_errors=True)


def _record(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(_bytes(path, _RECORD))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and found.get("made_by") == "hermes-sessions" else None


def _has(folder: Path, name: str, digest: object) -> bool:
    try:
        return _digest(_bytes(folder, name)) == digest
    except (OSError, ValueError, RuntimeError):
        return False


def _bytes(folder: Path, name: str) -> bytes:
    """Return what a file in *folder* holds; *name* is only what a record says.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no file in the folder, or larger than any of ours.
    """
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()) or not path.is_file():
        raise ValueError(f"{name}: is no file of the folder")
    if path.stat().st_size > _MOST_BYTES:
        raise ValueError(f"{name}: is too large")
    return path.read_bytes()


def _template(name: str) -> Template:
    return Template(resources.files(_TEMPLATES).joinpath(name).read_text("utf-8"))


def _digest(raw: bytes) -> str:
    return sha256(raw).hexdigest()
