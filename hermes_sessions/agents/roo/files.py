"""Where tasks are and what is known of each before it is read."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from hermes_sessions.agents.json_lines.file_state import WrittenState
from hermes_sessions.agents.json_lines.lines import parse_line
from hermes_sessions.agents.json_lines.places import files_below
from hermes_sessions.agents.parsed_values import text_of
from hermes_sessions.agents.roo.beside import read_item
from hermes_sessions.agents.session_files.json_document import read_document
from hermes_sessions.agents.session_files.survey import FiledFacts
from hermes_sessions.agents.session_files.told import epoch_of_ms

TASKS: Final = "tasks"
HISTORY: Final = "api_conversation_history.json"
_EXTENSIONS: Final = ("rooveterinaryinc.roo-cline", "rooveterinaryinc.roo-code-nightly")
_EDITORS: Final = (
    "Code", "Code - Insiders", "Code - OSS", "VSCodium", "VSCodium - Insiders", "Cursor", "Windsurf", "Trae",
    "Positron", "Antigravity", "Kiro",
)  # fmt: skip
_SERVERS: Final = (
    ".vscode-server/data", ".vscode-server-insiders/data", ".vscodium-server/data", ".cursor-server/data",
    ".windsurf-server/data", ".local/share/code-server",
)  # fmt: skip
_WATCHED: Final = 40
"""Folders of tasks that were written last, which are watched; others are looked at from time to time."""


def storages(home: Path, env: Mapping[str, str]) -> list[Path]:
    """Return where each editor would keep what an extension stores, whether or not it is there."""
    roots = [Path(env[one]) for one in ("XDG_CONFIG_HOME", "APPDATA") if env.get(one)]
    roots = [*roots, home / ".config", home / "Library" / "Application Support"]
    users = [root / editor for root in roots for editor in _EDITORS]
    users += [home / server for server in _SERVERS]
    if env.get("VSCODE_PORTABLE"):
        users.append(Path(env["VSCODE_PORTABLE"]) / "user-data")
    return list(dict.fromkeys(one / "User" / "globalStorage" for one in users))


def places(home: Path, env: Mapping[str, str]) -> list[Path]:
    """Return the folders of the extension in editors that are there."""
    there = [one for one in storages(home, env) if one.is_dir()]
    return [one / extension for one in there for extension in _EXTENSIONS]


def newest_tasks(place: Path) -> list[Path]:
    """Return the folders of the tasks that were written last."""
    try:
        found = [(one.stat().st_mtime_ns, one) for one in (place / TASKS).iterdir() if one.is_dir()]
    except OSError:
        return []
    return [one for _, one in sorted(found)[-_WATCHED:]]


def histories(place: Path) -> Sequence[Path]:
    """Return the histories of tasks below a folder, or the one that is named; nothing is opened.

    Raises:
        SourceError: the folder cannot be read.
    """

    def listed(folder: Path) -> Iterator[Path]:
        if (folder / HISTORY).is_file():
            return iter([folder / HISTORY])
        root = folder / TASKS if (folder / TASKS).is_dir() else folder
        return (one / HISTORY for one in root.iterdir() if (one / HISTORY).is_file())

    return files_below(place, listed)


def look_at_file(path: Path, state: WrittenState) -> FiledFacts:
    """Return what is known of a task.

    Raises:
        OSError: its history cannot be read.
        SourceError: it is no list.
    """
    items = read_document(path).items
    times = [
        at
        for line in (*items[:8], *items[-8:])
        if (at := epoch_of_ms((parse_line(line).value or {}).get("ts"))) is not None
    ]
    item = read_item(path)
    kept = {name: found for name in ("mode",) if (found := text_of(item.get(name))) is not None}
    parent = text_of(item.get("parentTaskId"))
    return FiledFacts(
        session=path.parent.name,
        parent=parent,
        delegate=parent is not None,
        started=times[0] if times else None,
        newest=max(times, default=state.modified / 1e9),
        rows=len(items),
        told={"cwd": text_of(item.get("workspace")), "extra": kept},
    )
