"""Read one family of a Hermes `state.db`: rows in id order, decoded, then reconstructed.

A family that fits is held in memory; a larger one is read twice, in batches.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from hermes_sessions.call_names import CallNames
from hermes_sessions.importers.align import RowFacts
from hermes_sessions.importers.claims import with_claims
from hermes_sessions.importers.hanging import SessionInput
from hermes_sessions.importers.hermes import (
    HermesSource,
    SessionEntry,
    bind_id,
    naming_damage,
    raw_rows,
    unheard,
)
from hermes_sessions.importers.hermes_rows import MessageDecoder, decode_session
from hermes_sessions.importers.reconstruct import reconstruct
from hermes_sessions.importers.salvage import quote_name
from hermes_sessions.importers.values import Family, MessageRow, Rejected, SessionRow
from hermes_sessions.lineage import SessionFacts

KEPT_CHARS: Final = 24_000_000
"""A family with more text is not held in memory; nor is one with more than `kept_rows` rows."""
BATCH_ROWS: Final = 2_000
BATCH_CHARS: Final = 16_000_000


@dataclass(slots=True)
class _Rows:
    """Rows of a family as far as they fit in memory, and facts of all of them."""

    kept_rows: int
    facts: dict[str, list[RowFacts]] = field(default_factory=dict)
    kept: dict[str, list[MessageRow]] | None = field(default_factory=dict)
    rows: int = 0
    chars: int = 0

    def add(self, session: str, row: MessageRow, facts: RowFacts) -> None:
        self.facts[session].append(facts)
        self.rows += 1
        self.chars += facts.length + len(row.tool_calls or "") + len(row.blocks or "")
        if self.rows > self.kept_rows or self.chars > KEPT_CHARS:
            self.kept = None
        if self.kept is not None:
            self.kept[session].append(row)


def read_family(source: HermesSource, ids: Sequence[str]) -> Family:
    """Read and reconstruct one family of `source.families()`, within one read transaction.

    Raises:
        SourceDamagedError: damage was met that had not shown before.
        SourceError: the file became unreadable meanwhile.
    """
    with naming_damage(source):
        return _read_family(source, ids)


def _read_family(source: HermesSource, ids: Sequence[str]) -> Family:
    entries = [source.entries[one] for one in ids]
    source.connection.execute("BEGIN")
    try:
        sessions = {entry.id: _read_session(source, entry) for entry in entries}
        rows = _Rows(source.kept_rows)
        for entry in entries:
            _read_rows(source, entry, rows)
    finally:
        source.connection.execute("COMMIT")
    source.foreign.verify()
    concluded = reconstruct(
        {entry.id: _input(source, entry, sessions[entry.id], rows.facts[entry.id]) for entry in entries}
    )
    for cycle in concluded.cycles:
        source.warn("sessions", cycle.members[0], "parent_session_id", str(cycle))
    order = _parents_first(concluded.placements)
    kept = rows.kept

    def batches() -> Iterator[tuple[str, Sequence[MessageRow]]]:
        for one in order:
            if kept is not None:
                yield from (
                    (one, kept[one][at : at + BATCH_ROWS]) for at in range(0, len(kept[one]), BATCH_ROWS)
                )
            else:
                yield from ((one, batch) for batch in _reread(source, source.entries[one]))

    return Family(
        sessions=[sessions[one] for one in order],
        placements=concluded.placements,
        verdicts=concluded.verdicts,
        compactions=with_claims(concluded.compactions, source.attempts),
        inherited=concluded.inherited,
        row_count=rows.rows,
        batches=batches,
    )


def _parents_first(placements: Mapping[str, Any]) -> list[str]:
    depth: dict[str, int] = {}
    for start in placements:
        path = []
        at: str | None = start
        while at is not None and at not in depth:
            path.append(at)
            at = placements[at].parent
        base = depth[at] if at is not None else -1
        for step, one in enumerate(reversed(path), start=1):
            depth[one] = base + step
    return sorted(placements, key=lambda one: depth[one])


def _read_session(source: HermesSource, entry: SessionEntry) -> SessionRow:
    if not entry.stored:
        return SessionRow(foreign_id=entry.id, placeholder=True, mark=entry.mark)
    names = ", ".join(quote_name(name) for name in source.session_columns)
    asked = f"SELECT {names} FROM sessions WHERE id IS {bind_id(entry.raw_id)}"
    row = source.connection.execute(asked, (entry.raw_id,)).fetchone()
    if row is None:  # deleted since the file was indexed
        return SessionRow(foreign_id=entry.id, parent_session_id=entry.parent, placeholder=True, mark="")
    prompt = None
    if "system_prompt_hash" in source.session_columns:
        prompt = _prompt(source.connection, row[source.session_columns.index("system_prompt_hash")])

    def warn(row_id: str, column: str, reason: str) -> None:
        source.warn("sessions", row_id, column, reason)

    return replace(
        decode_session(source.session_columns, row, prompt, warn), foreign_id=entry.id, mark=entry.mark
    )


def _prompt(connection: sqlite3.Connection, key: Any) -> str | None:
    if key is None:
        return None
    try:
        found = connection.execute("SELECT prompt FROM system_prompts WHERE hash = ?", (key,)).fetchone()
    except sqlite3.OperationalError:
        return None
    return found[0] if found and isinstance(found[0], str) else None


def _read_rows(source: HermesSource, entry: SessionEntry, rows: _Rows) -> None:
    rows.facts[entry.id] = []
    if rows.kept is not None:
        rows.kept[entry.id] = []
    decoder = MessageDecoder.for_columns(source.message_columns)
    names = CallNames()

    def warn(row_id: str, column: str, reason: str) -> None:
        source.warn("messages", row_id, column, reason)

    for raw in _usable_rows(source, entry, source.rejected.append):
        rows.add(entry.id, *decoder.decode(raw, warn, names))


def _usable_rows(
    source: HermesSource, entry: SessionEntry, refuse: Callable[[Rejected], object]
) -> Iterator[Sequence[Any]]:
    """Yield the rows of a session that can be taken, in id order; *refuse* is told of the others."""
    id_at = source.message_columns.index("id")
    before: int | None = None
    for raw in raw_rows(source, entry):
        row_id = raw[id_at]
        if type(row_id) is not int:
            refuse(Rejected("messages", str(row_id), "its id is not a whole number"))
        elif row_id == before:
            refuse(Rejected("messages", str(row_id), "another row of its session has the same id"))
        else:
            before = row_id
            yield raw


def _reread(source: HermesSource, entry: SessionEntry) -> Iterator[list[MessageRow]]:
    """Stream the rows of a session that did not fit, in batches bounded by rows and characters."""
    decoder = MessageDecoder.for_columns(source.message_columns)
    names = CallNames()
    batch: list[MessageRow] = []
    chars = 0
    for raw in _usable_rows(source, entry, lambda told_before: None):
        row, facts = decoder.decode(raw, unheard, names)
        batch.append(row)
        chars += facts.length + len(row.blocks or "")
        if len(batch) >= BATCH_ROWS or chars >= BATCH_CHARS:
            yield batch
            batch, chars = [], 0
    if batch:
        yield batch


def _input(
    source: HermesSource, entry: SessionEntry, session: SessionRow, rows: Sequence[RowFacts]
) -> SessionInput:
    facts = SessionFacts(
        id=entry.id,
        source=session.source,
        started_at=session.started_at,
        ended_at=session.ended_at,
        end_reason=session.end_reason,
        title=session.title,
        session_key=session.session_key,
        model_config=session.model_config,
    )
    return SessionInput(
        facts=facts,
        parent=entry.parent,
        rows=rows,
        gap_before=bool(rows) and _gap_before(source, rows),
        one_flag="active" in source.message_columns and "compacted" not in source.message_columns,
        lock=source.locks.get(entry.id),
    )


def _gap_before(source: HermesSource, rows: Sequence[RowFacts]) -> bool:
    """Return whether the row id before the first is missing; asked only where a handoff makes it matter."""
    first = rows[0].id
    if first <= 1 or not any(row.carrier is not None for row in rows[:6]):
        return False
    found = source.connection.execute("SELECT 1 FROM messages WHERE id = ?", (first - 1,)).fetchone()
    return found is None
