"""Read one family of a Hermes `state.db`: rows in id order, decoded, then reconstructed.

A family that fits is held in memory; a larger one is read twice, in batches.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from hermes_sessions.agents.concluding.parent_alignment import SessionInput
from hermes_sessions.agents.concluding.reconstruction import reconstruct
from hermes_sessions.agents.concluding.row_facts import RowFacts
from hermes_sessions.agents.contract import Entry
from hermes_sessions.agents.hermes.index import (
    HermesIndex,
    IndexedSession,
    bind_id,
    raw_rows,
    unheard,
)
from hermes_sessions.agents.hermes.journal import failure_rows, prune_rows, with_journal
from hermes_sessions.agents.hermes.log_claims import with_claims
from hermes_sessions.agents.hermes.markers import SessionFacts, evidence_of
from hermes_sessions.agents.hermes.rows import MessageDecoder, decode_session
from hermes_sessions.agents.sqlite_source.readable import naming_damage
from hermes_sessions.agents.sqlite_source.salvage import quote_name
from hermes_sessions.agents.values import Family, MessageRow, Rejected, SessionRow
from hermes_sessions.call_names import CallNames

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


def read_family(index: HermesIndex, ids: Sequence[str]) -> Family:
    """Read and reconstruct one of the families of a source, within one read transaction.

    Raises:
        SourceDamagedError: damage was met that had not shown before.
        SourceError: the file became unreadable meanwhile.
    """
    with naming_damage(index.foreign.path):
        return _read_family(index, ids)


def _read_family(index: HermesIndex, ids: Sequence[str]) -> Family:
    chosen = [index.sessions[one] for one in ids]
    index.connection.execute("BEGIN")
    try:
        sessions = {one.entry.id: _read_session(index, one) for one in chosen}
        rows = _Rows(index.kept_rows)
        for one in chosen:
            _read_rows(index, one, rows)
    finally:
        index.connection.execute("COMMIT")
    index.foreign.verify()
    concluded = reconstruct(
        {
            one.entry.id: _input(index, one.entry, sessions[one.entry.id], rows.facts[one.entry.id])
            for one in chosen
        }
    )
    for cycle in concluded.cycles:
        index.warn("sessions", cycle.members[0], "parent_session_id", str(cycle))
    order = _parents_first(concluded.placements)
    kept = rows.kept

    def batches() -> Iterator[tuple[str, Sequence[MessageRow]]]:
        for one in order:
            if kept is not None:
                yield from (
                    (one, kept[one][at : at + BATCH_ROWS]) for at in range(0, len(kept[one]), BATCH_ROWS)
                )
            else:
                yield from _reread(index, index.sessions[one])

    return Family(
        sessions=[sessions[one] for one in order],
        placements=concluded.placements,
        verdicts=concluded.verdicts,
        compactions=[
            *with_journal(with_claims(concluded.compactions, index.attempts), index.journal),
            *prune_rows(order, index.journal),
            *failure_rows(order, index.journal),
        ],
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


def _read_session(index: HermesIndex, indexed: IndexedSession) -> SessionRow:
    entry = indexed.entry
    if not entry.stored:
        return SessionRow(foreign_id=entry.id, placeholder=True, mark=entry.mark)
    names = ", ".join(quote_name(name) for name in index.session_columns)
    asked = f"SELECT {names} FROM sessions WHERE id IS {bind_id(indexed.raw_id)}"
    row = index.connection.execute(asked, (indexed.raw_id,)).fetchone()
    if row is None:  # deleted since the file was indexed
        return SessionRow(foreign_id=entry.id, parent_session_id=entry.parent, placeholder=True, mark="")
    prompt = None
    if "system_prompt_hash" in index.session_columns:
        prompt = _prompt(index.connection, row[index.session_columns.index("system_prompt_hash")])

    def warn(row_id: str, column: str, reason: str) -> None:
        index.warn("sessions", row_id, column, reason)

    return replace(
        decode_session(index.session_columns, row, prompt, warn), foreign_id=entry.id, mark=entry.mark
    )


def _prompt(connection: sqlite3.Connection, key: Any) -> str | None:
    if key is None:
        return None
    try:
        found = connection.execute("SELECT prompt FROM system_prompts WHERE hash = ?", (key,)).fetchone()
    except sqlite3.OperationalError:
        return None
    return found[0] if found and isinstance(found[0], str) else None


def _read_rows(index: HermesIndex, indexed: IndexedSession, rows: _Rows) -> None:
    rows.facts[indexed.entry.id] = []
    if rows.kept is not None:
        rows.kept[indexed.entry.id] = []
    decoder = MessageDecoder.for_columns(index.message_columns)
    names = CallNames()

    def warn(row_id: str, column: str, reason: str) -> None:
        index.warn("messages", row_id, column, reason)

    for raw in _usable_rows(index, indexed, index.rejected.append):
        rows.add(indexed.entry.id, *decoder.decode(raw, warn, names))
        del raw  # it may be large, and the next one is read now


def _usable_rows(
    index: HermesIndex, indexed: IndexedSession, refuse: Callable[[Rejected], object]
) -> Iterator[Sequence[Any]]:
    """Yield the rows of a session that can be taken, in id order; *refuse* is told of the others."""
    id_at = index.message_columns.index("id")
    before: int | None = None
    for raw in raw_rows(index, indexed):
        row_id = raw[id_at]
        if type(row_id) is not int:
            refuse(Rejected("messages", str(row_id), "its id is not a whole number"))
        elif row_id == before:
            refuse(Rejected("messages", str(row_id), "another row of its session has the same id"))
        else:
            before = row_id
            yield raw
        del raw


def _reread(index: HermesIndex, indexed: IndexedSession) -> Iterator[tuple[str, list[MessageRow]]]:
    """Stream the rows of a session that did not fit, in batches bounded by rows and characters."""
    decoder = MessageDecoder.for_columns(index.message_columns)
    names = CallNames()
    batch: list[MessageRow] = []
    chars = 0
    for raw in _usable_rows(index, indexed, lambda told_before: None):
        row, facts = decoder.decode(raw, unheard, names)
        batch.append(row)
        chars += facts.length + len(row.tool_calls or "") + len(row.blocks or "")
        del raw, row
        if len(batch) >= BATCH_ROWS or chars >= BATCH_CHARS:
            yield indexed.entry.id, batch
            batch, chars = [], 0
    if batch:
        yield indexed.entry.id, batch


def _input(index: HermesIndex, entry: Entry, session: SessionRow, rows: Sequence[RowFacts]) -> SessionInput:
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
        evidence=evidence_of(facts),
        parent=entry.parent,
        rows=rows,
        gap_before=bool(rows) and _gap_before(index, rows),
        one_flag="active" in index.message_columns and "compacted" not in index.message_columns,
        lock=index.locks.get(entry.id),
    )


def _gap_before(index: HermesIndex, rows: Sequence[RowFacts]) -> bool:
    """Return whether the row id before the first is missing; asked only where a handoff makes it matter."""
    first = rows[0].id
    if first <= 1 or not any(row.carrier is not None for row in rows[:6]):
        return False
    found = index.connection.execute("SELECT 1 FROM messages WHERE id = ?", (first - 1,)).fetchone()
    return found is None
