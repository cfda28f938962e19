"""A `Source` whose values the store can hold, whoever gives them: what it cannot is rejected and told.

Every import reads through it. Values are fitted by `fitting`; what contradicts itself (two rows with
one key, a compaction of a session that is not there) is left out by name.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import count, repeat
from pathlib import Path
from typing import Any, Final

from hermes_sessions.agents.contract import (
    KEPT_ROWS,
    Cursor,
    Entry,
    GrowingSource,
    Opening,
    PortableSource,
    RestartingSource,
    SharedSource,
    Source,
)
from hermes_sessions.agents.fitting import Tell, fit_compaction, fit_message, fit_session, fit_time
from hermes_sessions.agents.values import CompactionRow, Family, MessageRow, Rejected, SessionRow, Warned
from hermes_sessions.lineage import Placement
from hermes_sessions.messages import CompactionStatus, MessageState, Realisation
from hermes_sessions.storable_text import is_storable, storable

_KEPT_WARNINGS: Final = 10_000
_KEPT_CHARS: Final = 24_000_000
"""A family with more is streamed twice from where it is, and never held."""
_BIG: Final = 2**63

Batches = Iterator[tuple[str, Sequence[MessageRow]]]


@dataclass(slots=True)
class _Notes:
    """What was odd: a row is named once, however often it is read."""

    rejected: dict[Any, Rejected] = field(default_factory=dict)
    warned: dict[Any, Warned] = field(default_factory=dict)

    def reject(self, table: str, which: Any, name: Any, reason: str) -> None:
        """Note that something is not stored; *which* tells it from its namesakes."""
        self.rejected.setdefault((table, which), Rejected(table, storable(str(name)), reason))

    def tell(self, table: str, name: Any, column: str, reason: str) -> None:
        """Note a value that is kept raw."""
        if len(self.warned) < _KEPT_WARNINGS:
            told = Warned(table, storable(str(name)), column, storable(reason))
            self.warned.setdefault((table, told.id, column), told)

    def teller(self, table: str, name: Any) -> Tell:
        """Return what notes values of one row."""
        return partial(self.tell, table, name)


class CheckedSource:
    """A `Source` around any other."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._notes = _Notes()
        self._stored_as: dict[str, str | None] = {}
        """Ids that are stored in another form, or, where that is taken, not at all."""
        self._given_as: dict[str, str] = {}
        self._read: set[str] = set()
        self._families = 0
        self._taken = (0, 0)

    @property
    def location(self) -> Path:
        """As it says."""
        return self._source.location

    @property
    def schema_version(self) -> str:
        """As it says."""
        return storable(str(self._source.schema_version))

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """The sessions whose ids can be told apart, by the ids that they are stored with."""
        given = self._source.entries
        if all(_is_fit(one, entry) for one, entry in given.items()):
            return given
        fitted: dict[str, Entry] = {}
        for one, entry in given.items():
            name = storable(str(one))
            if name in fitted:
                self._notes.reject("sessions", repr(one), one, "another session is stored under this id")
                self._stored_as[one] = None
                continue
            if name != one:
                self._stored_as[one], self._given_as[name] = name, one
            parent = None if entry.parent is None else storable(str(entry.parent))
            fitted[name] = entry._replace(id=name, parent=parent, mark=storable(str(entry.mark)))
        return fitted

    @property
    def damage(self) -> Sequence[str]:
        """As it says."""
        return [storable(str(one)) for one in self._source.damage]

    @property
    def rejected(self) -> Sequence[Rejected]:
        """As it says, and what is left out here."""
        return [*map(_fit_rejected, self._source.rejected), *self._notes.rejected.values()]

    @property
    def warnings(self) -> Sequence[Warned]:
        """As it says, and what is kept raw here."""
        return [*map(_fit_warned, self._source.warnings), *self._notes.warned.values()]

    @property
    def complete(self) -> bool:
        """As it says."""
        return self._source.complete

    def openings(self, also: Collection[str] = ()) -> Iterable[tuple[str, Opening]]:
        """Yield how sessions begin, in the form in which that is stored."""
        known = self.entries
        for one, opening in self._source.openings([self._given_as.get(name, name) for name in also]):
            name = self._stored(one)
            if name in known:
                yield name, _fit_opening(opening)

    def families(self) -> Sequence[tuple[str, ...]]:
        """Return the ids of each family; a session is in the first that names it."""
        known, seen = self.entries, set[str]()
        found = []
        for ids in self._source.families():
            names = [name for one in ids if (name := self._stored(one)) in known and name not in seen]
            seen.update(names)
            found.append(tuple(dict.fromkeys(names)))
        return found

    def read(self, ids: Sequence[str]) -> Family:
        """Read one family; its messages are looked at while they are streamed."""
        return self._checked(self._source.read([self._given_as.get(one, one) for one in ids]))

    def read_grown(self, ids: Sequence[str]) -> Family | None:
        """Read what was added to a family; None where all of it must be read."""
        if not isinstance(self._source, GrowingSource) or self._stored_as:
            return None
        family = self._source.read_grown(ids)
        if family is None:
            return None
        earlier = {ref: storable(str(key)) for ref, key in family.earlier.items()}
        if len(set(earlier.values())) < len(earlier):
            return None  # which of them is stored under the key is not known here
        return self._checked(replace(family, earlier=earlier))

    def _checked(self, family: Family) -> Family:
        self._families += 1
        sessions = list(self._sessions(family))
        known = {row.foreign_id for row in sessions}
        keys: dict[str, str] = {}
        compactions = list(self._compactions(family, known, keys))
        verdicts = family.verdicts
        if any(given != key for given, key in keys.items()):
            verdicts = {
                ref: one._replace(archived_by=keys.get(one.archived_by or ""))
                for ref, one in verdicts.items()
            }
        renamed = bool(self._stored_as)
        return replace(
            family,
            sessions=sessions,
            placements=self._placements(family) if renamed else family.placements,
            inherited={self._stored(one): count for one, count in family.inherited.items()}
            if renamed
            else family.inherited,
            compactions=compactions,
            verdicts=verdicts,
            batches=_kept(partial(self._batches, family, known, self._families)),
        )

    def cursor(self) -> Cursor:
        """As it says."""
        return self._source.cursor()

    def portable(self) -> PortableSource | None:
        """As it says; None where it says nothing. What is opened from it is to be checked again."""
        return self._source.portable() if isinstance(self._source, SharedSource) else None

    def take_notes(self) -> tuple[list[Rejected], list[Warned]]:
        """Return what is left out and what is kept raw since this was asked last; only that is new."""
        noted, self._notes = self._notes, _Notes()
        rejected, warnings = self._source.rejected, self._source.warnings
        seen, self._taken = self._taken, (len(rejected), len(warnings))
        return (
            [*map(_fit_rejected, rejected[seen[0] :]), *noted.rejected.values()],
            [*map(_fit_warned, warnings[seen[1] :]), *noted.warned.values()],
        )

    def take_restarts(self) -> dict[str, Any]:
        """Return where files may be read on from, as found since this was asked last."""
        if not isinstance(self._source, RestartingSource):
            return {}
        found = dict(self._source.restarts)
        self._source.restarts.clear()
        return found

    def add_restarts(self, found: Mapping[str, Any]) -> None:
        """Note what another process found of where files may be read on from."""
        if isinstance(self._source, RestartingSource):
            self._source.restarts.update(found)

    def claim(self, ids: Collection[str]) -> bool:
        """Note that another process has read these sessions; False, and none noted, if one was before."""
        if not self._read.isdisjoint(ids):
            return False
        self._read.update(ids)
        return True

    # -- one family --------------------------------------------------------------------------------

    def _stored(self, one: str) -> str:
        """Return what an id is stored as; "\\0", which none is, where it is not."""
        name = self._stored_as.get(one, one)
        return "\0" if name is None else name if is_storable(name) else storable(name)

    def _sessions(self, family: Family) -> Iterator[SessionRow]:
        for row in family.sessions:
            name = self._stored(row.foreign_id)
            why = "another session has its id" if name in self._read or name == "\0" else None
            if row.foreign_id not in family.placements:
                why = "nothing says what it is to its parent"
            if why is not None:
                self._notes.reject("sessions", (self._families, id(row)), row.foreign_id, why)
                continue
            self._read.add(name)
            yield fit_session(row, name, self._notes.teller("sessions", name))

    def _placements(self, family: Family) -> Mapping[str, Placement]:
        return {
            self._stored(one): placed
            if placed.parent is None
            else replace(placed, parent=self._stored(placed.parent))
            for one, placed in family.placements.items()
        }

    def _compactions(self, family: Family, known: set[str], keys: dict[str, str]) -> Iterator[CompactionRow]:
        """Yield the compactions that can be stored; note in *keys* what the key of each is stored as."""
        continued: set[str] = set()
        taken: set[str] = set()
        for at, row in enumerate(family.compactions):
            key, session = storable(str(row.key)), self._stored(row.session)
            rotated = row.realisation is Realisation.ROTATION and row.status is CompactionStatus.COMMITTED
            parent = None if not rotated or row.fork else row.parent
            why = None
            if key in taken:
                why = "another compaction has its key"
            elif session not in known:
                why = f"its session is not stored: {storable(str(row.session))[:80]!r}"
            elif parent is not None and parent in continued:
                why = "another compaction continues its parent"
            if why is not None:
                self._notes.reject("compactions", (self._families, at), row.key, why)
                continue
            taken.add(key)
            keys[row.key] = key
            if parent is not None:
                continued.add(parent)
            fitted = fit_compaction(row, key, self._notes.teller("compactions", key))
            yield fitted if session == row.session else replace(fitted, session=session)

    def _batches(self, family: Family, known: set[str], number: int) -> Batches:
        refs: set[int] = set()
        keys: dict[str, set[str]] = {one: set() for one in known}
        numbers = count(1)
        for session, rows in family.batches():
            name = self._stored(session)
            taken = keys.get(name)
            stored = self._storable(rows, refs, taken, zip(repeat(number), numbers))
            del rows  # they may be large, and the next ones are read now
            if taken is not None:
                yield name, stored
            del stored

    def _storable(
        self, rows: Sequence[MessageRow], refs: set[int], taken: set[str] | None, which: Iterator[Any]
    ) -> list[MessageRow]:
        """Return the rows of a batch that can be stored; the others are told by what *which* gives."""
        stored = []
        for row, told in zip(rows, which, strict=False):
            one = self._fitted(row)
            why = _why_not(one, refs, taken)
            if why is None and taken is not None:
                refs.add(one.ref)
                taken.add(one.origin_key)
                stored.append(one)
            else:
                self._notes.reject("messages", told, row.origin_key, why or "")
        return stored

    def _fitted(self, row: MessageRow) -> MessageRow:
        return fit_message(row, lambda column, why: self._notes.tell("messages", row.origin_key, column, why))


# -- inside ----------------------------------------------------------------------------------------


def _is_fit(one: str, entry: Entry) -> bool:
    texts = (one, entry.id, entry.mark, entry.parent or "")
    return all(type(text) is str and is_storable(text) for text in texts)


def _fit_rejected(one: Rejected) -> Rejected:
    return Rejected(storable(one.table), storable(str(one.id)), storable(str(one.reason)))


def _fit_warned(one: Warned) -> Warned:
    return replace(one, id=storable(str(one.id)), reason=storable(str(one.reason)))


def _fit_opening(opening: Opening) -> Opening:
    texts = [None if one is None else storable(str(one)) for one in (opening.role, opening.text)]
    return Opening(fit_time(opening.started_at), *texts)


def _why_not(row: MessageRow, refs: set[int], taken: set[str] | None) -> str | None:
    """Return why a row cannot be stored beside those before it; None: it can."""
    if taken is None:
        return "its session is not stored"
    if row.origin_key in taken:
        return "another row of its session has its key"
    if row.ref in refs:
        return "another row of its family has its number"
    for value in (row.ref, row.origin_row_id, row.digest):
        if not isinstance(value, int) or not -_BIG <= value < _BIG:
            return f"a number of it is none of 64 bits: {storable(str(value))[:40]!r}"
    if type(row.state) is not MessageState:
        return f"its state is none: {storable(str(row.state))[:40]!r}"
    return None


def _kept(batches: Callable[[], Batches]) -> Callable[[], Batches]:
    """Return *batches*, looked at once where they are few: they are streamed twice on their way."""
    few: list[tuple[str, Sequence[MessageRow]]] = []
    whole = False

    def stream() -> Batches:
        nonlocal whole
        if whole:
            yield from few
            return
        few.clear()
        rows = chars = 0
        for batch in batches():
            rows += len(batch[1])
            chars += sum(row.chars for row in batch[1])
            if rows <= KEPT_ROWS and chars <= _KEPT_CHARS:
                few.append(batch)
            else:
                few.clear()
            yield batch
            del batch
        whole = rows <= KEPT_ROWS and chars <= _KEPT_CHARS

    return stream
