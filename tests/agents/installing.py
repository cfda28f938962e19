"""Install a package that brings an agent, as `pip` would."""

import importlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hermes_sessions.agents.registry import look_again

Install = Callable[..., None]
JOTTER = "tests.agents.jotter.importer:IMPORTER"
"""The agent that exists for the tests."""


@pytest.fixture
def site_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which Python looks for packages."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    return folder


@pytest.fixture
def site(site_folder: Path) -> dict[str, str]:
    """The environment of a process that finds the same packages."""
    paths = (str(site_folder), str(Path(__file__).parent.parent.parent))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


@pytest.fixture
def registered(site_folder: Path) -> Iterator[Install]:
    """Call it with a name and an entry point, as an installed package has it; gone afterwards."""

    def register(name: str, target: str) -> None:
        about = site_folder / f"{name}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[hermes_sessions.agents]\n{name} = {target}\n")
        importlib.invalidate_caches()
        look_again()

    yield register
    look_again()


@pytest.fixture
def installed(site_folder: Path, registered: Install, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Call it with a module's name and text."""

    def install(module: str, text: str, kind: str = "notes") -> None:
        (site_folder / f"{module}.py").write_text(text.replace("{kind}", kind))
        monkeypatch.delitem(sys.modules, module, raising=False)
        registered(module, f"{module}:importer")

    return install
