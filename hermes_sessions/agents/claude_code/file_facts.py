"""What is known of a transcript before it is read. Values only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hermes_sessions.agents.json_lines.file_state import FileChange, WrittenState


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFacts:
    """What is known of a file before it is read; JSON as it is.

    Attributes:
        first: the ids of its first record and of the first that has one.
        told: the session that its records name first, and the one that they say it was forked from.
        agent: the agent that wrote it, "" for a session of the user's.
        own: whether its first records are its own, not another session's.
        started: when its own records begin.
        newest: the time of its last record.
        lines: how many there are.
        inside: whether an agent inside wrote some of them.
        titles: titles of other sessions: the id of their last record -> title.
        leaf: the id of its last record.
        titled: titles by the ids of its records which other files gave or took back since it was read.
        holds: whether records of some ids are in it or follow there, as far as that was asked; grows.
    """

    first: str | None = None
    told: str | None = None
    forked_from: str | None = None
    agent: str = ""
    own: bool = True
    started: float | None = None
    newest: float | None = None
    lines: int = 0
    inside: bool = False
    titles: Mapping[str, str] = field(default_factory=dict)
    leaf: str | None = None
    titled: Mapping[str, str | None] = field(default_factory=dict)
    holds: dict[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileInfo:
    """A file of the home.

    Attributes:
        name: its path below the home.
        restart: where its session may be read on from (`restart`), as the cursor has it.
    """

    path: Path
    name: str
    state: WrittenState
    change: FileChange
    facts: FileFacts
    restart: Any = None
