"""The files of a place and what is known of each by its name, its first lines and its last."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

from hermes_sessions.agents.gemini.records import SET, SUFFIX, GeminiRecord, read_records, record_of, time_of
from hermes_sessions.agents.json_lines.file_state import WrittenState
from hermes_sessions.agents.json_lines.lines import count_lines, read_lines
from hermes_sessions.agents.json_lines.places import files_below
from hermes_sessions.agents.json_lines.reading import unheard
from hermes_sessions.agents.parsed_values import epoch_of, text_of
from hermes_sessions.agents.session_files.json_document import read_document
from hermes_sessions.agents.session_files.survey import FiledFacts, Growth

PLACE: Final = "tmp"
CHATS: Final = "chats"
_HEAD: Final = 16
_TAIL: Final = 65_536
_ROOT: Final = ".project_root"
_LONGEST_PATH: Final = 4_096


def chat_files(place: Path) -> list[Path]:
    """Return the files of sessions below a folder, or the one that is named; nothing is opened.

    Of a session that is there in the old form and in the new, the file in the new one.

    Raises:
        SourceError: the folder cannot be read.
    """
    return files_below(place, _listed)


def _listed(folder: Path) -> Iterable[Path]:
    root = folder / PLACE if (folder / PLACE).is_dir() else folder
    found: dict[Path, Path] = {}
    for one in sorted(root.rglob("*.json*"), reverse=True):
        if one.suffix in (SUFFIX, ".jsonl") and CHATS in one.parts[:-1] and one.is_file():
            found.setdefault(one.with_suffix(""), one)
    return found.values()


def look_at_file(path: Path, state: WrittenState, growth: Growth | None) -> FiledFacts | None:
    """Return what is known of a file; None where no line of it is whole.

    Raises:
        SourceError: it is one object, and cannot be read.
    """
    if path.suffix == SUFFIX:
        return _object_facts(path, state)
    if not state.whole:
        return None
    newest = max(_times(_last(path, state)), default=state.modified / 1e9)
    if growth is not None and growth.facts.started is not None:
        rows = growth.facts.rows + count_lines(path, growth.state.whole, state.whole)
        return replace(growth.facts, newest=max(growth.facts.newest, newest), rows=rows)
    head = list(islice(read_records(path, state.whole, unheard), _HEAD))
    header = next((one.value for one in head if one.kind == "header"), {})
    return _facts(path, header, _times(head), newest, count_lines(path, 0, state.whole))


def _object_facts(path: Path, state: WrittenState) -> FiledFacts:
    found = read_document(path, "messages")
    records = [record_of(one) for one in (*found.items[:_HEAD], *found.items[-1:])]
    times = list(_times([one for one in records if isinstance(one, GeminiRecord)]))
    newest = times[-1] if times else state.modified / 1e9
    return _facts(path, found.head, iter(times), newest, len(found.items))


def _facts(
    path: Path, header: Mapping[str, Any], times: Iterator[float], newest: float, rows: int
) -> FiledFacts:
    inner = path.parent.name != CHATS and path.parent.parent.name == CHATS
    began = epoch_of(header.get("startTime"))
    return FiledFacts(
        session=text_of(header.get("sessionId")) or path.stem,
        parent=path.parent.name if inner else None,
        delegate=inner or header.get("kind") == "subagent",
        started=began if began is not None else next(times, None),
        newest=newest,
        rows=rows,
        told={"cwd": _folder(path, header)},
    )


def _folder(path: Path, header: Mapping[str, Any]) -> str | None:
    """Return the folder that a session worked in: what a file beside it says, else its first folder."""
    told = ""
    try:
        root = root_file(path)
        if root.is_file():  # a pipe would be waited for
            with root.open("rb") as file:
                told = file.read(_LONGEST_PATH).decode("utf-8", "replace").strip()
    except OSError:
        told = ""
    folders = header.get("directories")
    return told or (text_of(folders[0]) if isinstance(folders, list) and folders else None)


def root_file(path: Path) -> Path:
    """Return the file that says which folder a session's project is."""
    chats = path.parent if path.parent.name == CHATS else path.parent.parent
    return chats.parent / _ROOT


def _last(path: Path, state: WrittenState) -> list[GeminiRecord]:
    begin = max(0, state.whole - _TAIL)
    start = begin and next((one.end for one in read_lines(path, begin, state.whole)), state.whole)
    found = map(record_of, read_lines(path, start, state.whole))
    return [one for one in found if isinstance(one, GeminiRecord)]


def _times(records: Sequence[GeminiRecord]) -> Iterator[float]:
    for one in records:
        told = one.changes.get("lastUpdated") if one.kind == SET else None
        at = epoch_of(told) if told is not None else time_of(one.value)
        if at is not None:
            yield at


def projects(place: Path) -> Sequence[Path]:
    """Return the folders of chats in a place."""
    try:
        return sorted(one / CHATS for one in (place / PLACE).iterdir() if (one / CHATS).is_dir())
    except OSError:
        return []
