"""The files of a place and what is known of each by its name, its first and its last lines."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final

from hermes_sessions.agents.json_lines.file_state import WrittenState
from hermes_sessions.agents.json_lines.lines import count_lines, read_lines
from hermes_sessions.agents.json_lines.places import files_below, folders_below
from hermes_sessions.agents.json_lines.reading import unheard
from hermes_sessions.agents.parsed_values import text_of
from hermes_sessions.agents.pi.entries import HEADER, PiEntry, entry_of, read_entries
from hermes_sessions.agents.session_files.survey import FiledFacts, Growth

PLACE: Final = "sessions"
_HEAD: Final = 16
"""How many entries are looked at for whose the file is."""
_TAIL: Final = 65_536


def session_files(place: Path) -> list[Path]:
    """Return the files of sessions below a folder, or the one that is named; nothing is opened.

    Raises:
        SourceError: the folder cannot be read.
    """

    def listed(folder: Path) -> Iterator[Path]:
        inner = folder / PLACE
        root = inner if inner.is_dir() else folder
        return (one for one in root.rglob("*.jsonl") if one.is_file())

    return files_below(place, listed)


def look_at_file(path: Path, state: WrittenState, growth: Growth | None) -> FiledFacts | None:
    """Return what is known of a file; None where no line of it is whole."""
    if not state.whole:
        return None
    newest = _newest(path, state)
    if growth is not None and growth.facts.started is not None:
        lines = count_lines(path, growth.state.whole, state.whole)
        found = growth.facts
        return replace(found, newest=max(found.newest, newest), rows=found.rows + lines)
    head = list(islice(read_entries(path, 0, state.whole, unheard), _HEAD))
    header = next((one for one in head if one.kind == HEADER), None)
    value = header.value if header is not None else {}
    owner = _owner(path)
    told = text_of(value.get("parentSession")) or text_of(value.get("branchedFrom"))
    times = [one.time for one in ([header] if header is not None else head) if one.time is not None]
    return FiledFacts(
        session=text_of(value.get("id")) or path.stem.rpartition("_")[2] or path.stem,
        parent=owner if owner is not None else told,
        delegate=owner is not None,
        started=times[0] if times else None,
        newest=newest,
        rows=count_lines(path, 0, state.whole),
    )


def _owner(path: Path) -> str | None:
    """Return the session's file for which an agent inside worked: such are in a folder of its name."""
    owner = path.parent.with_name(f"{path.parent.name}.jsonl")
    return owner.name if owner.is_file() else None


def _newest(path: Path, state: WrittenState) -> float:
    """Return the latest time among the last lines; when the file was written where none is told."""
    begin = max(0, state.whole - _TAIL)
    start = begin and next((one.end for one in read_lines(path, begin, state.whole)), state.whole)
    found = (entry_of(one) for one in read_lines(path, start, state.whole))
    times = [one.time for one in found if isinstance(one, PiEntry) and one.time is not None]
    return max(times, default=state.modified / 1e9)


def projects(place: Path) -> Sequence[Path]:
    """Return the folders of projects in a place."""
    return folders_below(place / PLACE)
