"""Open a Hermes `state.db` of any version: path -> families, newest first.

A file with damage is first rescued into a private copy, row by row, so that reading has
one way only. Not here: the sessions of the file (`index`), what their rows say (`family`).
"""

import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from hermes_sessions.agents.contract import Cursor, Entry, Opening, OpenOptions
from hermes_sessions.agents.hermes.family import read_family
from hermes_sessions.agents.hermes.index import HermesIndex, index_sessions, raw_rows, unheard
from hermes_sessions.agents.hermes.journal import read_journal
from hermes_sessions.agents.hermes.log_claims import group_attempts
from hermes_sessions.agents.hermes.rows import MessageDecoder
from hermes_sessions.agents.hermes.schema import EXPECTED
from hermes_sessions.agents.hermes.telemetry import read_telemetry
from hermes_sessions.agents.json_lines.families import family_tops
from hermes_sessions.agents.sqlite_source.foreign_database import open_foreign
from hermes_sessions.agents.sqlite_source.opened_again import OpenForeign, opened_again
from hermes_sessions.agents.sqlite_source.readable import disorder, naming_damage
from hermes_sessions.agents.sqlite_source.rescue import rescue
from hermes_sessions.agents.values import Family, Rejected, Warned

_CARRIED: Final = (
    "session_columns", "message_columns", "schema_version", "sessions", "locks", "bound", "kept_rows",
    "attempts", "journal",
)  # fmt: skip
_RESCUED: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    "schema_version": (),
    "sessions": (),
    "messages": [("session_id", "id")],
    "system_prompts": (),
    "compression_locks": (),
}


class HermesSource:
    """An open `state.db`; a `Source` of the contract."""

    def __init__(self, index: HermesIndex) -> None:
        self._index = index

    @property
    def location(self) -> Path:
        """The file itself, links followed."""
        return self._index.foreign.path

    @property
    def schema_version(self) -> str:
        """The highest version that the file records, or "unknown"."""
        return self._index.schema_version

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """Every session by id, in the order in which the agent made them."""
        return {one: session.entry for one, session in self._index.sessions.items()}

    @property
    def damage(self) -> Sequence[str]:
        """What could not be read."""
        return [str(one) for one in self._index.damage]

    @property
    def rejected(self) -> Sequence[Rejected]:
        """Rows that are not stored; grows while families are read."""
        return self._index.rejected

    @property
    def warnings(self) -> Sequence[Warned]:
        """Values kept raw; grows while families are read."""
        return self._index.warnings

    @property
    def complete(self) -> bool:
        """Whether a session that is missing is really gone."""
        return not self._index.damage

    def openings(self, also: Collection[str] = (), most: int = 20) -> Iterator[tuple[str, Opening]]:
        """Yield how the file's first sessions begin, and those of *also*."""
        index = self._index
        decoder = MessageDecoder.for_columns(index.message_columns)
        stored = [session for session in index.sessions.values() if session.entry.stored]
        for session in (*stored[:most], *(one for one in stored[most:] if one.entry.id in also)):
            with naming_damage(index.foreign.path):
                raw = next(iter(raw_rows(index, session)), None)
            row = None if raw is None else decoder.decode(raw, unheard)[0]
            role, text = (None, None) if row is None else (row.role, row.text)
            yield session.entry.id, Opening(session.started_at, role, text)

    def families(self) -> list[tuple[str, ...]]:
        """Return the ids of each family, the family with the newest activity first."""
        top = family_tops({one: entry.parent for one, entry in self.entries.items()})
        grouped: dict[str, list[str]] = defaultdict(list)
        for one in self.entries:
            grouped[top[one]].append(one)
        newest = {one: max(self.entries[member].newest for member in ids) for one, ids in grouped.items()}
        return [tuple(grouped[one]) for one in sorted(grouped, key=lambda one: (-newest[one], one))]

    def read(self, ids: Sequence[str]) -> Family:
        """Read and reconstruct one of `families`; see `family.read_family`."""
        return read_family(self._index, ids)

    def cursor(self) -> Cursor:
        """Return nothing: marks of the sessions say all that the next run needs."""
        return {}

    def portable(self) -> "PortableIndex | None":
        """Return what another process needs to read families; None for what was rescued of a damaged file."""
        index = self._index
        if index.connection is not index.foreign.connection or index.damage:
            return None
        carried = {name: getattr(index, name) for name in _CARRIED}
        return PortableIndex(foreign=OpenForeign.of(index.foreign), carried=carried)


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableIndex:
    """A `PortableSource`: everything of a `HermesIndex` but its connection and its notes."""

    foreign: OpenForeign
    carried: Mapping[str, Any]

    @contextmanager
    def opened(self) -> Iterator[HermesSource]:
        """Open the database again; it is not indexed a second time."""
        with opened_again(self.foreign) as foreign:
            yield HermesSource(HermesIndex(foreign, foreign.connection, **self.carried))


@contextmanager
def open_hermes(path: Path, options: OpenOptions) -> Iterator[HermesSource]:
    """Open the `state.db` at *path* and index its sessions.

    Args:
        path: a file, or a folder that holds a `state.db`.

    Raises:
        SourceError: it cannot be read at all, or is not a Hermes database.
    """
    with ExitStack() as stack:
        foreign = stack.enter_context(open_foreign(path, EXPECTED, scratch=options.scratch))
        try:
            notes = [
                *foreign.notes,
                *disorder(foreign, EXPECTED.needs),
                *([options.damage] if options.damage else []),
            ]
            sound = not notes and not foreign.padded
            index = index_sessions(foreign, foreign.connection, options.now) if sound else None
        except sqlite3.DatabaseError:
            notes, index = list(foreign.notes), None
        if index is None:
            scratch = tempfile.TemporaryDirectory(prefix="hs-", dir=options.scratch)
            copy, damage = rescue(foreign, Path(stack.enter_context(scratch)) / "rescued.db", _RESCUED)
            stack.callback(copy.close)
            index = index_sessions(foreign, copy, options.now)
            index.damage.extend([*notes, *damage])
        index.kept_rows = options.kept_rows
        index.take_journal(read_journal(foreign.path))
        index.attempts = group_attempts([*read_telemetry(foreign.path), *index.journal.accounts])
        yield HermesSource(index)
