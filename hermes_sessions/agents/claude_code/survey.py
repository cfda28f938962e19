"""The files of one home and the sessions in them, by their names and first lines; nothing is read twice.

A file that is as it was is not opened: what was found in it comes from the cursor. Not here: what the
sessions say (`source`).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from hermes_sessions.agents.claude_code.file_facts import FileFacts, FileInfo
from hermes_sessions.agents.claude_code.owners import find_owners, names_record
from hermes_sessions.agents.claude_code.records import MAIN, SIDE, TalkRecord, record_of
from hermes_sessions.agents.json_lines.file_state import FileChange, WrittenState, known_state, look_at
from hermes_sessions.agents.json_lines.known_files import only_files
from hermes_sessions.agents.json_lines.lines import LONGEST, read_lines
from hermes_sessions.agents.json_lines.places import files_below, name_below
from hermes_sessions.agents.json_lines.restarts import kept_as, newest_restarts
from hermes_sessions.agents.parsed_values import text_of

_HEAD: Final = 64
"""How many records are looked at for what a file is."""
_TAIL: Final = 65_536
_PIECE: Final = 1 << 20
_INSIDE: Final = (b'"isSidechain":true', b'"isSidechain": true')
_SUMMARISER: Final = "acompact"
"""How the names of agents begin that write a compaction's summary: nobody's conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamInfo:
    """One session: a file, or what an agent inside wrote in it.

    Attributes:
        parent: whose records it begins with, or for whom it worked; may be gone.
        hidden: it is no conversation of the user's.
    """

    id: str
    parent: str | None
    file: FileInfo
    stream: str
    mark: str
    started: float | None
    delegate: bool = False
    hidden: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)


def transcripts(path: Path) -> list[Path]:
    """Return the transcripts below a folder, or the one that is named; nothing is opened.

    Raises:
        SourceError: the folder cannot be read.
    """

    def listed(folder: Path) -> Iterator[Path]:
        projects = folder / "projects"
        root = projects if projects.is_dir() else folder
        return (one for one in root.rglob("*.jsonl") if one.is_file() and is_transcript_name(one, root))

    return files_below(path, listed)


def is_transcript_name(path: Path, root: Path) -> bool:
    """Return whether a file is where transcripts are: in a project's folder, or among its agents."""
    inner = path.parts[len(root.parts) : -1]
    return len(inner) <= 1 or (path.name.startswith("agent-") and "subagents" in inner)


def survey_files(home: Path, told: Mapping[str, Any]) -> Iterator[FileInfo | str]:
    """Yield every transcript of a home, and a line of damage for each that cannot be read.

    Args:
        told: the cursor of the run before.
    """
    for path in transcripts(home):
        name = name_below(path, home)
        known = told.get(name)
        state, facts = _known(known)
        try:
            now, change = look_at(path, state)
            same = facts is not None and change is not FileChange.REWRITTEN
            restart = told[name].get("restart") if same else None
            if change is FileChange.GROWN and facts is not None and state is not None:
                facts = _grown(path, facts, state, now)
            elif change is not FileChange.SAME or facts is None:
                facts = _facts(path, now)
            yield FileInfo(path=path, name=name, state=now, change=change, facts=facts, restart=restart)
        except OSError as error:
            yield f"{name}: {str(error.strerror or error).lower()}"


def cursor_of(files: Sequence[FileInfo], restarts: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the next run needs to know of the files.

    Args:
        restarts: file -> where its session may be read on from, of those that were read.
    """
    found: dict[str, Any] = {
        one.name: {"state": list(one.state), "facts": _as_json(one.facts)} for one in files
    }
    points = ((one.facts.newest or 0.0, one.name, restarts.get(one.name, one.restart)) for one in files)
    for name, point in newest_restarts(points).items():
        found[name]["restart"] = point
    return found


def files_before(home: Path, told: Mapping[str, Any]) -> dict[str, str | None]:
    """Return session -> the one file that it was in when the cursor was made; None where in several."""
    known = ((home / name, name, *_known(one)) for name, one in told.items())
    files = (
        FileInfo(path=path, name=name, state=state, change=FileChange.SAME, facts=facts)
        for path, name, state, facts in known
        if state is not None and facts is not None
    )
    return only_files((_id_of(one), one.name) for one in files)


def sessions_of(files: Sequence[FileInfo]) -> dict[str, StreamInfo]:
    """Return the sessions in the files by id, in the order in which they began."""
    named = _names(files)
    owners = find_owners({one: file for one, file in named.items() if not file.facts.agent})
    titles = titles_told(files)
    found = [stream for one, file in named.items() for stream in _streams(one, file, owners, titles)]
    found.sort(key=lambda one: (one.started if one.started is not None else 0.0, one.id))
    return {one.id: one for one in found}


def titles_told(files: Sequence[FileInfo]) -> dict[str, str]:
    """Return what files call other sessions: the id of a record of theirs -> title."""
    found: dict[str, str] = {}
    for file in files:
        found.update(file.facts.titles)
    return found


def with_late_titles(files: Sequence[FileInfo], told: Mapping[str, Any]) -> list[FileInfo]:
    """Return the files, those with the titles that others gave them, or took back, since they were read.

    Args:
        told: the cursor of the run before.
    """
    before: dict[str, str] = {}
    for one in told.values():
        facts = _known(one)[1]
        before.update(facts.titles if facts is not None else {})
    now = titles_told(files)
    changed = {one: now.get(one) for one in before.keys() | now.keys() if before.get(one) != now.get(one)}
    return [_with_titles(file, changed) if file.name in told else file for file in files]


def _with_titles(file: FileInfo, changed: Mapping[str, str | None]) -> FileInfo:
    if file.change is FileChange.REWRITTEN:
        return file
    found = {one: title for one, title in sorted(changed.items()) if names_record(file, one)}
    return replace(file, facts=replace(file.facts, titled={**file.facts.titled, **found})) if found else file


# -- one file --------------------------------------------------------------------------------------


def _facts(path: Path, state: WrittenState) -> FileFacts:
    head = list(_head(path, state.whole))
    first = next((one for one in head if one.uuid is not None), None)
    agent = next((found for one in head if (found := text_of(one.value.get("agentId"))) is not None), None)
    if path.name.startswith("agent-"):
        agent = agent or path.stem.removeprefix("agent-")
    elif first is None or not first.is_side:
        agent = None
    told = next((one.session for one in head if one.uuid is not None and one.session is not None), None)
    forked = next((found for one in head if (found := one.forked_from) is not None), None)
    own = forked is None and told in (None, path.stem)
    lines, inside = _count(path, 0, state.whole)
    newest, leaf = _newest(path, state)
    return FileFacts(
        first=first.uuid if first is not None else None,
        told=told,
        forked_from=forked,
        agent=agent or "",
        own=own or bool(agent),
        started=_started(path, state, head, own=own or bool(agent)),
        newest=newest,
        lines=lines,
        inside=inside and not agent,
        titles=_other_titles(head),
        leaf=leaf,
    )


def _grown(path: Path, facts: FileFacts, before: WrittenState, now: WrittenState) -> FileFacts:
    if facts.first is None or facts.started is None or facts.lines < _HEAD:
        return _facts(path, now)
    lines, inside = _count(path, before.whole, now.whole)
    newest, leaf = _newest(path, now)
    return replace(
        facts,
        lines=facts.lines + lines,
        inside=facts.inside or (inside and not facts.agent),
        newest=max(facts.newest or 0.0, newest or 0.0) or None,
        leaf=leaf or facts.leaf,
        holds={one: True for one, is_in in facts.holds.items() if is_in},
    )


def _head(path: Path, end: int) -> Iterator[TalkRecord]:
    for number, line in enumerate(read_lines(path, 0, end)):
        if number >= _HEAD:
            return
        found = record_of(line)
        if isinstance(found, TalkRecord):
            yield found


def _started(path: Path, state: WrittenState, head: Sequence[TalkRecord], *, own: bool) -> float | None:
    """Return when a session's own records begin: after those that it copied."""
    if not own:
        for line in read_lines(path, 0, state.whole):
            copied = line.raw is None or b'"forkedFrom"' in line.raw
            if copied or f'"{path.stem}"'.encode() not in (line.raw or b""):
                continue
            found = record_of(line)
            if isinstance(found, TalkRecord) and found.uuid is not None and found.session == path.stem:
                return found.time
    return next((at for one in head if one.uuid is not None and (at := one.time) is not None), None)


def _newest(path: Path, state: WrittenState) -> tuple[float | None, str | None]:
    """Return the latest time among the last records, and the id of the last one that has one."""
    begin = max(0, state.whole - _TAIL)
    with path.open("rb") as file:
        file.seek(begin)
        piece = file.read(state.whole - begin)
    start = begin + (piece.find(b"\n") + 1 if begin else 0)
    newest: float | None = None
    leaf: str | None = None
    for line in read_lines(path, start, state.whole):
        found = record_of(line)
        if isinstance(found, TalkRecord):
            leaf = found.uuid or leaf
            at = found.time
            newest = at if newest is None or (at is not None and at > newest) else newest
    return newest if newest is not None else state.modified / 1e9, leaf


def _count(path: Path, start: int, end: int) -> tuple[int, bool]:
    """Return the number of lines between two offsets, and whether an agent inside wrote one."""
    lines, inside, carry = 0, False, b""
    last = b""
    with path.open("rb") as file:
        file.seek(start)
        left = end - start
        while left > 0 and (piece := file.read(min(_PIECE, left))):
            left -= len(piece)
            lines += piece.count(b"\n")
            last = piece[-1:]
            seen = carry + piece
            inside = inside or any(one in seen for one in _INSIDE)
            carry = piece[-len(_INSIDE[1]) :]
    return lines + (last not in (b"", b"\n")), inside


def _other_titles(head: Sequence[TalkRecord]) -> dict[str, str]:
    """Return what the records at the head call other sessions."""
    found: dict[str, str] = {}
    for one in head:
        leaf, title = text_of(one.value.get("leafUuid")), text_of(one.value.get("summary"))
        if one.kind == "summary" and leaf is not None and title is not None:
            found[leaf] = title
    return found


def _known(told: Any) -> tuple[WrittenState | None, FileFacts | None]:
    if not isinstance(told, Mapping) or not isinstance(told.get("facts"), Mapping):
        return None, None
    return known_state(told.get("state")), kept_as(told["facts"], FileFacts)


def _as_json(facts: FileFacts) -> dict[str, Any]:
    found: dict[str, Any] = {name: getattr(facts, name) for name in FileFacts.__slots__}
    return {**found, **{name: dict(getattr(facts, name)) for name in ("titles", "titled", "holds")}}


# -- files together --------------------------------------------------------------------------------


def _names(files: Sequence[FileInfo]) -> dict[str, FileInfo]:
    """Return the files by the id of their session; where two have one, the later written keeps it."""
    found: dict[str, FileInfo] = {}
    for file in sorted(files, key=lambda one: (-one.state.modified, one.name)):
        one = _id_of(file)
        found[one if one not in found else f"{Path(file.name).parent.as_posix()}/{one}"] = file
    return found


def _id_of(file: FileInfo) -> str:
    if not file.facts.agent:
        return file.path.stem
    return f"{_user_session(file)}/agent-{file.facts.agent}"


def _user_session(file: FileInfo) -> str:
    """Return the session that an agent worked for: by its folder, in older releases by its records."""
    parts = file.path.parts
    if "subagents" in parts[:-1]:
        return parts[len(parts) - 1 - parts[::-1].index("subagents") - 1]
    return file.facts.told or ""


def _streams(
    one: str, file: FileInfo, owners: Mapping[str, str], titles: Mapping[str, str]
) -> Iterator[StreamInfo]:
    facts = file.facts
    if facts.agent:
        beside = _meta(file.path)
        yield StreamInfo(
            id=one,
            parent=_user_session(file) or None,
            file=file,
            stream=MAIN,
            mark=_mark(file, [facts.told, beside]),
            started=facts.started,
            delegate=True,
            hidden=facts.agent.startswith(_SUMMARISER),
            extra=beside,
        )
        return
    parent = owners.get(one) or facts.forked_from
    mark = _mark(file, [parent, titles.get(facts.leaf or ""), *sorted(facts.titled.items())])
    main = StreamInfo(id=one, parent=parent, file=file, stream=MAIN, mark=mark, started=facts.started)
    yield main
    if facts.inside:
        yield replace(main, id=f"{one}#side", parent=one, stream=SIDE, delegate=True)


def _mark(file: FileInfo, beside: Any) -> str:
    told = f"{file.state.mark} {beside!r}"
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _meta(path: Path) -> dict[str, Any]:
    """Return what the file beside an agent's transcript says of it; nothing where there is none."""
    beside = path.with_name(f"{path.stem}.meta.json")
    try:
        with beside.open("rb") as file:
            found = json.loads(file.read(LONGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    kept = ("agentType", "description", "toolUseId")
    return {name: found[name] for name in kept if name in found} if isinstance(found, dict) else {}
