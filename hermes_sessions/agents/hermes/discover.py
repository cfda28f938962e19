"""Where the databases of a Hermes installation are, by their usual places.

Only looks at names: nothing is opened, and what the environment says comes in as an
argument. Not here: whether a file found is a database.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hermes_sessions.agents.contract import Found

DEFAULT_LABEL: Final = "hermes"


def discover_databases(user_home: Path, hermes_home: Path | None = None) -> tuple[Found, ...]:
    """Return every `state.db` of a Hermes installation, the chosen home first.

    Args:
        user_home: the user's home folder; `.hermes` in it is the usual place.
        hermes_home: the folder that `$HERMES_HOME` names, if it is set.

    Returns:
        Each file, links followed, once, however many names lead to it; empty when there is none.
    """
    usual = user_home / ".hermes"
    homes = [usual] if hermes_home is None else [hermes_home, usual]
    found: dict[Path, Found] = {}
    for folder, label in _candidates(homes, usual):
        path = _state_db(folder)
        if path is not None and path not in found:
            found[path] = Found(path, _unused(label, {one.label for one in found.values()}))
    return tuple(found.values())


def discovery_folders(user_home: Path, hermes_home: Path | None = None) -> tuple[Path, ...]:
    """Return the folders in which further databases would appear: homes, their profiles, and those."""
    usual = user_home / ".hermes"
    homes = {usual, hermes_home or usual}
    candidates = {folder for folder, _ in _candidates(list(homes), usual)}
    return tuple(sorted(candidates | {home / "profiles" for home in homes}))


def _candidates(homes: list[Path], usual: Path) -> Iterator[tuple[Path, str]]:
    for home in homes:
        yield home, _home_label(home, usual)
        profiles: list[Path] = []
        with contextlib.suppress(OSError):
            profiles = sorted((home / "profiles").iterdir())
        for profile in profiles:
            yield profile, profile.name


def _home_label(home: Path, usual: Path) -> str:
    """A home that is a profile itself is called like it, any other own place by its folder."""
    if home == usual or home.name in ("", ".hermes"):
        return DEFAULT_LABEL
    return home.name


def _state_db(folder: Path) -> Path | None:
    try:
        path = (folder / "state.db").resolve()
        return path if path.is_file() else None
    except (OSError, RuntimeError):
        return None


def _unused(label: str, taken: set[str]) -> str:
    if label not in taken:
        return label
    number = 2
    while f"{label}-{number}" in taken:
        number += 1
    return f"{label}-{number}"
