"""The files of one home and the threads in them, by their names, first lines and sizes.

A file that is as it was is not opened: what was found in it comes from the cursor. Not here: what the
threads say (`source`).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, Final

from hermes_sessions.agents.codex.records import META, RolloutLine, line_of, rollout_lines
from hermes_sessions.agents.json_lines.compressed import compressed_state
from hermes_sessions.agents.json_lines.file_state import FileChange, WrittenState, known_state, look_at
from hermes_sessions.agents.json_lines.known_files import only_files
from hermes_sessions.agents.json_lines.lines import count_lines, read_lines
from hermes_sessions.agents.json_lines.opened import DAMAGED, SUFFIX
from hermes_sessions.agents.json_lines.places import files_below, name_below
from hermes_sessions.agents.json_lines.restarts import kept_as, newest_restarts
from hermes_sessions.agents.parsed_values import dict_of, text_of
from hermes_sessions.late_patterns import late_pattern

HEAD: Final = 16
"""How many lines are looked at for what a file is."""
_TAIL: Final = 65_536
_NAME: Final = late_pattern(
    r"rollout-(?:\d{4}-\d\d-\d\d(?:T\d\d-\d\d-\d\d)?-)?(?P<id>.+?)(?:\.jsonl|\.jsonl\.zst|\.json)", re.DOTALL
)
_ARCHIVE: Final = "archived_sessions"
PLACES: Final = ("sessions", _ARCHIVE)
_BY_ITSELF: Final = ("guardian", "memory_consolidation")
"""What an agent inside does that is nobody's conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutFacts:
    """What is known of a file before it is read; JSON as it is.

    Attributes:
        thread: the thread that it is a stream of.
        segment: its own id, where the thread has several files.
        forked_from: the thread that it says it was forked from.
        spawned_by: the thread for which an agent inside worked; `agent` is what it is called, "" for others.
        base: the segment or thread that it continues, up to the ordinal `base_end`.
        ordinal: the number of its first line.
        newest: the time of one of its last lines.
        told: what else its first line says of an agent inside.
        spoiled: why it cannot be read to its end.
    """

    thread: str
    segment: str = ""
    forked_from: str | None = None
    spawned_by: str | None = None
    agent: str = ""
    base: str | None = None
    base_end: int | None = None
    ordinal: int = 0
    cwd: str | None = None
    started: float | None = None
    newest: float | None = None
    lines: int = 0
    told: Mapping[str, Any] = field(default_factory=dict)
    spoiled: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutFile:
    """A file of the home.

    Attributes:
        name: its path below the home.
        restart: where its thread may be read on from (`restart`), as the cursor has it; None: from its start.
    """

    path: Path
    name: str
    state: WrittenState
    facts: RolloutFacts
    restart: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadPart:
    """A file as a part of a thread: lines from the ordinal `end` on were left by who continued it."""

    file: RolloutFile
    end: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadInfo:
    """One session.

    Attributes:
        inherited: streams of another thread that it continues without copying them.
        parent: the thread that it was forked from, or for which it worked; may be gone.
    """

    id: str
    parent: str | None
    inherited: Sequence[ThreadPart]
    streams: Sequence[ThreadPart]
    mark: str
    started: float | None
    cwd: str | None
    delegate: bool
    archived: bool
    extra: Mapping[str, Any]

    @property
    def first(self) -> RolloutFacts:
        """What its first file says."""
        return self.streams[0].file.facts


def rollouts(path: Path) -> list[Path]:
    """Return the rollouts below a folder, or the one that is named; nothing is opened.

    Of a file that is there compressed and plain, the plain one; of one in the archive and not, the other.

    Raises:
        SourceError: the folder cannot be read.
    """
    return files_below(path, _listed)


def is_rollout_name(path: Path) -> bool:
    """Return whether a file is called as a rollout is."""
    return _NAME.fullmatch(path.name) is not None


def _listed(folder: Path) -> Iterable[Path]:
    roots = [folder / name for name in PLACES if (folder / name).is_dir()] or [folder]
    found: dict[str, Path] = {}
    for root in roots:
        for one in sorted(root.rglob("rollout-*")):
            if is_rollout_name(one) and one.is_file():
                found.setdefault(one.name.removesuffix(SUFFIX), one)
    return found.values()


def survey_files(home: Path, told: Mapping[str, Any]) -> Iterator[RolloutFile | str]:
    """Yield every rollout of a home, one without a whole line too, and a line of damage for the unreadable.

    Args:
        told: the cursor of the run before.
    """
    for path in rollouts(home):
        name = name_below(path, home)
        state, facts = _known(told.get(name))
        try:
            now, change, spoiled = _look(path, state)
            known = facts is not None and change is not FileChange.REWRITTEN
            restart = told[name].get("restart") if known else None
            if change is FileChange.GROWN and facts is not None and state is not None:
                facts = _grown(path, facts, state, now)
            elif change is not FileChange.SAME or facts is None:
                facts = _facts(path, now, spoiled)
            if facts.spoiled and not facts.lines:
                yield f"{name}: {facts.spoiled}"
            elif facts.lines or now.torn > 0:
                yield RolloutFile(path=path, name=name, state=now, facts=facts, restart=restart)
        except (OSError, *DAMAGED) as error:
            yield f"{name}: {str(getattr(error, 'strerror', None) or error).lower() or 'cut off'}"


def cursor_of(files: Sequence[RolloutFile], restarts: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the next run needs to know of the files.

    Args:
        restarts: file -> where its thread may be read on from, of those that were read.
    """
    found: dict[str, Any] = {}
    for one in files:
        found[one.name] = {"state": list(one.state), "facts": asdict(one.facts)}
    points = ((one.facts.newest or 0.0, one.name, restarts.get(one.name, one.restart)) for one in files)
    for name, point in newest_restarts(points).items():
        found[name]["restart"] = point
    return found


def files_before(told: Mapping[str, Any]) -> dict[str, str | None]:
    """Return thread -> the one file that it was in when the cursor was made; None where in several."""
    known = ((name, _known(one)[1]) for name, one in told.items())
    return only_files((facts.thread, name) for name, facts in known if facts is not None)


def threads_of(files: Sequence[RolloutFile], titles: Mapping[str, str]) -> dict[str, ThreadInfo]:
    """Return the threads in the files by id, in the order in which they began."""
    grouped: dict[str, list[RolloutFile]] = {}
    for file in files:
        grouped.setdefault(file.facts.thread, []).append(file)
    named = _by_segment(files)
    found = [_thread(one, sorted(parts, key=_order), named, titles) for one, parts in grouped.items()]
    found.sort(key=lambda one: (one.started if one.started is not None else 0.0, one.id))
    return {one.id: one for one in found}


# -- one file --------------------------------------------------------------------------------------


def _look(path: Path, known: WrittenState | None) -> tuple[WrittenState, FileChange, str]:
    if path.suffix != SUFFIX:
        state, change = look_at(path, known)
        if path.suffix == ".json":
            state = state._replace(whole=state.size)
        return state, change, ""
    stat = path.stat()
    if known is not None and (known.size, known.modified) == (stat.st_size, stat.st_mtime_ns):
        return known, FileChange.SAME, ""
    state, spoiled = compressed_state(path, stat)
    return state, FileChange.REWRITTEN, spoiled


def _facts(path: Path, state: WrittenState, spoiled: str) -> RolloutFacts:
    head = [one for one in islice(_lines(path, 0, state.whole), HEAD) if isinstance(one, RolloutLine)]
    meta = next((one for one in head if one.kind == META and text_of(one.value.get("id"))), None)
    value = {} if meta is None else meta.value
    matched = _NAME.fullmatch(path.name)
    named = matched.group("id") if matched is not None else path.name.partition(".")[0]
    thread = text_of(value.get("id")) or named
    segment = named.removeprefix(f"{thread}_") if named.startswith(f"{thread}_") else ""
    base = dict_of(value.get("history_base"))
    end = base.get("end_ordinal_exclusive")
    agent, spawned_by, told = _agent(value, thread)
    times = [one.time for one in head if one.time is not None]
    newest = _newest(path, state)
    plain = path.suffix != ".json"
    lines = count_lines(path, 0, state.whole) if plain else sum(1 for _ in _lines(path, 0, state.whole))
    return RolloutFacts(
        thread=thread,
        segment=segment,
        forked_from=text_of(value.get("forked_from_id")),
        spawned_by=spawned_by,
        agent=agent,
        base=text_of(base.get("thread_id")),
        base_end=end if type(end) is int else None,
        ordinal=next((one.ordinal for one in head if one.ordinal is not None), 0),
        cwd=text_of(value.get("cwd")),
        started=times[0] if times else None,
        newest=newest if newest is not None else state.modified / 1e9,
        lines=lines,
        told=told,
        spoiled=spoiled,
    )


def _agent(meta: Mapping[str, Any], thread: str) -> tuple[str, str | None, dict[str, Any]]:
    """Return what an agent inside is called, for whom it worked, and what is told of it."""
    source = dict_of(meta.get("source")).get("subagent")
    if source is None:
        return "", None, {}
    spawn = dict_of(dict_of(source).get("thread_spawn"))
    other = dict_of(source).get("other")
    name = source if isinstance(source, str) else other if isinstance(other, str) else "thread_spawn"
    root = text_of(meta.get("session_id"))
    parent = text_of(spawn.get("parent_thread_id")) or text_of(meta.get("parent_thread_id"))
    parent = parent or (root if root != thread else None) or text_of(meta.get("forked_from_id"))
    kept = {**meta, **spawn}
    told = {
        one: kept[one] for one in ("agent_nickname", "agent_role", "agent_path") if text_of(kept.get(one))
    }
    return name, parent, told


def _lines(path: Path, start: int, end: int) -> Iterator[RolloutLine | str]:
    return (line_of(one) for one in rollout_lines(path, start, end))


def _grown(path: Path, facts: RolloutFacts, before: WrittenState, now: WrittenState) -> RolloutFacts:
    if facts.started is None or facts.lines < HEAD:
        return _facts(path, now, "")
    newest = _newest(path, now)
    lines = facts.lines + count_lines(path, before.whole, now.whole)
    return replace(facts, lines=lines, newest=max(facts.newest or 0.0, newest or 0.0) or None)


def _newest(path: Path, state: WrittenState) -> float | None:
    """Return the latest time among the last lines; None where none is told."""
    if path.suffix == ".json":
        return None
    begin = max(0, state.whole - _TAIL)
    start = begin and next((one.end for one in read_lines(path, begin, state.whole)), state.whole)
    times = [one.time for one in _lines(path, start, state.whole) if isinstance(one, RolloutLine)]
    return max((one for one in times if one is not None), default=None)


def _known(told: Any) -> tuple[WrittenState | None, RolloutFacts | None]:
    if not isinstance(told, Mapping) or not isinstance(told.get("facts"), Mapping):
        return None, None
    return known_state(told.get("state")), kept_as(told["facts"], RolloutFacts)


# -- files together --------------------------------------------------------------------------------


def _order(file: RolloutFile) -> tuple[int, float, str]:
    return file.facts.ordinal, file.facts.started or 0.0, file.path.name


def _by_segment(files: Sequence[RolloutFile]) -> dict[str, RolloutFile]:
    """Return the files by what others call them as a base: their segment's id, the first by its thread's."""
    found: dict[str, RolloutFile] = {}
    for file in sorted(files, key=_order):
        found.setdefault(file.facts.segment or file.facts.thread, file)
    return found


def _chain(
    file: RolloutFile, end: int | None, named: Mapping[str, RolloutFile], seen: set[str]
) -> list[ThreadPart]:
    """Return the streams up to an ordinal of *file*: what it continues first."""
    found: list[ThreadPart] = []
    one: RolloutFile | None = file
    while one is not None and one.name not in seen:
        seen.add(one.name)
        found.append(ThreadPart(file=one, end=end))
        facts = one.facts
        one, end = named.get(facts.base or ""), facts.base_end
    return found[::-1]


def _thread(
    one: str, parts: Sequence[RolloutFile], named: Mapping[str, RolloutFile], titles: Mapping[str, str]
) -> ThreadInfo:
    first = parts[0].facts
    ends = {
        found.name: part.facts.base_end
        for part in parts
        if (found := named.get(part.facts.base or "")) is not None
    }
    base = named.get(first.base or "")
    continued = base is not None and base.facts.thread != one
    inherited = _chain(base, first.base_end, named, {parts[0].name}) if base is not None and continued else []
    parent = first.spawned_by or first.forked_from or (base.facts.thread if base and continued else None)
    streams = [ThreadPart(file=part, end=ends.get(part.name)) for part in parts]
    told = [
        parent,
        titles.get(one),
        [(part.file.state.mark, part.file.name, part.end) for part in (*inherited, *streams)],
    ]
    return ThreadInfo(
        id=one,
        parent=parent if parent != one else None,
        inherited=inherited,
        streams=streams,
        mark=blake2b(repr(told).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest(),
        started=first.started,
        cwd=first.cwd,
        delegate=bool(first.agent),
        archived=_ARCHIVE in Path(parts[-1].name).parts or first.agent in _BY_ITSELF,
        extra=dict(first.told),
    )
