"""The files of one place and what is known of each before it is read. Names no agent.

A file that is as it was is not opened: what was found in it comes from the cursor.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from hermes_sessions.agents.json_lines.file_state import (
    FileChange,
    WrittenState,
    begins_with,
    known_state,
    look_at,
)
from hermes_sessions.agents.json_lines.known_files import only_files
from hermes_sessions.agents.json_lines.places import name_below
from hermes_sessions.agents.json_lines.reading import torn_ends
from hermes_sessions.agents.json_lines.restarts import kept_as
from hermes_sessions.agents.session_files.json_document import UnfinishedError
from hermes_sessions.agents.values import Warned
from hermes_sessions.errors import SourceError


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledFacts:
    """What is known of a file before it is read; JSON as it is.

    Attributes:
        session: the id that it gives itself.
        parent: the id of the session that it hangs on, or the path of that session's file.
        delegate: it worked for its parent.
        newest: the time of its last message; 0 where none is known.
        rows: how many messages there may be.
        told: what the agent's own reading wants to know again.
    """

    session: str
    parent: str | None = None
    delegate: bool = False
    started: float | None = None
    newest: float = 0.0
    rows: int = 0
    told: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFile:
    """A file.

    Attributes:
        name: its path below the place.
        beside: what changes when a file beside it does that says something of the session.
    """

    path: Path
    name: str
    state: WrittenState
    facts: FiledFacts
    beside: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledSession:
    """One session.

    Attributes:
        parent: the session that it hangs on; may be gone.
        mark: changes with anything in it.
    """

    id: str
    parent: str | None
    file: SessionFile
    mark: str


@dataclass(frozen=True, slots=True)
class Growth:
    """What was known of a file that was only appended to since."""

    facts: FiledFacts
    state: WrittenState


Look = Callable[[Path, WrittenState, Growth | None], FiledFacts | None]
"""Look at a file, bounded by its state; None: nothing is in it yet. OSError, SourceError: it is none."""


Beside = Callable[[Path], str]
"""What changes when a file beside the one at a path does."""


def survey_files(
    place: Path, files: Iterable[Path], told: Mapping[str, Any], look: Look, beside: Beside
) -> Iterator[SessionFile | Warned | str]:
    """Yield every file, a line of damage for each that cannot be read, and a note for each half written.

    Args:
        told: the cursor of the run before.
    """
    for path in files:
        name = name_below(path, place)
        known = told.get(name)
        state, facts = _known(known)
        try:
            now, change = look_at(path, state)
            told_beside = beside(path)
            same = isinstance(known, Mapping) and known.get("beside") == told_beside
            if same and change is FileChange.SAME and facts is not None:
                found: FiledFacts | None = facts
            elif same and change is FileChange.GROWN and facts is not None and state is not None:
                found = look(path, now, Growth(facts, state))
            else:
                found = look(path, now, None)
        except OSError as error:
            yield f"{name}: {str(error.strerror or error).lower()}"
            continue
        except UnfinishedError as error:
            yield Warned("sessions", name, None, f"{error}: it is read when it is whole")
            continue
        except SourceError as error:
            yield f"{name}: {error}"
            continue
        if found is None:
            yield from torn_ends([(path, name, now)], told)
        else:
            yield SessionFile(path=path, name=name, state=now, facts=found, beside=told_beside)


def cursor_of(files: Sequence[SessionFile]) -> dict[str, Any]:
    """Return what the next run needs to know of the files."""
    return {
        one.name: {"state": list(one.state), "facts": asdict(one.facts), "beside": one.beside}
        for one in files
    }


def files_before(told: Mapping[str, Any]) -> dict[str, str | None]:
    """Return session -> the one file that it was in when the cursor was made; None where in several."""
    known = ((name, _known(one)[1]) for name, one in told.items())
    return only_files((facts.session, name) for name, facts in known if facts is not None)


def sessions_of(files: Sequence[SessionFile]) -> dict[str, FiledSession]:
    """Return the sessions by id, in the order in which they began."""
    named = _named(files)
    by_path = {_file_name(file.name): one for one, file in named.items()}
    found = [_session(one, file, by_path, named) for one, file in named.items()]
    found.sort(key=lambda one: (one.file.facts.started or 0.0, one.id))
    return {one.id: one for one in found}


# -- inside ----------------------------------------------------------------------------------------


def _session(
    one: str, file: SessionFile, by_path: Mapping[str, str], named: Mapping[str, SessionFile]
) -> FiledSession:
    facts = file.facts
    parent = facts.parent
    if parent is not None and parent not in named:
        parent = by_path.get(_file_name(parent)) or _id_in(parent)
    parent = parent if parent != one else None
    told = f"{file.state.mark} {parent!r} {facts.told!r} {file.beside}"
    mark = blake2b(told.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
    return FiledSession(id=one, parent=parent, file=file, mark=mark)


def _named(files: Sequence[SessionFile]) -> dict[str, SessionFile]:
    """Return the files by the id of their session.

    Of several with one id those that the largest begins with are copies that were left somewhere, and are
    not listed. Where others remain, the first by its name has the id, agents inside last, and the rest are
    called by their names: which it is does not change with what is written.
    """
    grouped: dict[str, list[SessionFile]] = {}
    for file in sorted(files, key=lambda one: (one.facts.delegate, one.name)):
        grouped.setdefault(file.facts.session, []).append(file)
    found: dict[str, SessionFile] = {}
    for same in grouped.values():
        for file in _without_copies(same):
            one = file.facts.session
            found[one if one not in found else file.name] = file
    return found


def _without_copies(files: Sequence[SessionFile]) -> Sequence[SessionFile]:
    if len(files) == 1:
        return files
    largest = max(files, key=lambda one: one.state.size)
    return [one for one in files if one is largest or not begins_with(largest.path, one.state)]


def _file_name(path: str) -> str:
    """Return the last part of a path of any system."""
    return path.replace("\\", "/").rpartition("/")[2]


def _id_in(path: str) -> str:
    """Return the id in the name of a file that is gone: what follows its time."""
    name = _file_name(path)
    return name.partition(".")[0].rpartition("_")[2] or name if name != path or "." in name else path


def _known(told: Any) -> tuple[WrittenState | None, FiledFacts | None]:
    if not isinstance(told, Mapping) or not isinstance(told.get("facts"), Mapping):
        return None, None
    return known_state(told.get("state")), kept_as(told["facts"], FiledFacts)
