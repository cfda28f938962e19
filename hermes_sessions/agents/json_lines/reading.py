"""What every reader of whole transcript files does alike: its bounds, its lines. Names no agent."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from hermes_sessions.agents.json_lines.file_state import WrittenState, known_state
from hermes_sessions.agents.json_lines.lines import FileLine
from hermes_sessions.agents.told_messages import Refuse
from hermes_sessions.agents.unknown_kinds import counted
from hermes_sessions.agents.values import Rejected, Warned
from hermes_sessions.errors import SourceChangedError


class Keyed(Protocol):
    """What is found again by a key."""

    @property
    def key(self) -> str: ...  # noqa: D102


T = TypeVar("T")
SaidT = TypeVar("SaidT", bound=Keyed)
HeardT = TypeVar("HeardT", bound=Keyed)

KEPT_BYTES: Final = 24_000_000
"""A family whose files are larger is not held in memory but read twice."""
FIRST_SESSIONS: Final = 20
"""How many sessions a source says the beginnings of, to be known again elsewhere."""
ROOM: Final = 1 << 40
"""Numbers of one session's messages begin at a multiple of it."""


def unheard(told: Rejected) -> None:
    """Pass over what was reported before."""


def torn_ends(files: Iterable[tuple[Path, str, WrittenState]], told: Mapping[str, Any]) -> Iterator[Warned]:
    """Yield what stands at the end of files and is not yet a line, of those that are not as they were.

    Args:
        files: each with its name in the cursor *told*.
    """
    for path, name, state in files:
        known = told.get(name)
        same = isinstance(known, Mapping) and known_state(known.get("state")) == state
        if not same and state.torn > 0 and path.suffix == ".jsonl":
            why = f"its last line is not whole yet ({counted(state.torn, 'byte')}); it is read when it is"
            yield Warned("messages", f"{path.stem}:{state.whole}", None, why)


def records_of(
    lines: Iterable[FileLine], read: Callable[[FileLine], T | str], name: str, refuse: Refuse
) -> Iterator[T]:
    """Yield what lines say; *refuse* is told of each that is none and not empty.

    Args:
        read: returns what a line says, or why it says nothing.
        name: the file, as lines of it are named.
    """
    for line in lines:
        if line.raw is not None and not line.raw.strip():
            continue
        found = read(line)
        if isinstance(found, str):
            refuse(Rejected("messages", f"{name}:{line.offset}", found))
        else:
            yield found


def once_more(path: Path, said: Iterator[SaidT], heard: Sequence[HeardT]) -> Iterator[tuple[SaidT, HeardT]]:
    """Yield the messages of a file that is read again, each with what was heard the first time.

    Raises:
        SourceChangedError: they are others by now.
    """
    for known in heard:
        one = next(said, None)
        if one is None or one.key != known.key:
            raise SourceChangedError(f"{path}: rewritten while it was read")
        yield one, known
