"""Take an export of ours back into a store: what is there already is met, the rest is added.

One transaction: a file that turns out to be broken, or a kill, leaves the store as it
was. Sessions that the store has keep their rows as they are here.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.agents.contract import Line, RestoredRows, Restorer
from hermes_sessions.agents.registry import importer_of, kind_today
from hermes_sessions.errors import SourceError
from hermes_sessions.exporters.jsonl import COMPACTION, MESSAGE, SESSION
from hermes_sessions.handoff.grammars.grammar import OWN
from hermes_sessions.lineage import Relation
from hermes_sessions.messages import CompactionMethod, MessageKind
from hermes_sessions.operations.imports.import_report import ImportReport, counted_compactions
from hermes_sessions.operations.writing.origins import free_label
from hermes_sessions.store.engines.row_keys import keep_keys, next_key, next_keys
from hermes_sessions.store.engines.statements import chunks
from hermes_sessions.store.keeping.conversation_upkeep import refresh_conversations, refresh_sessions
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Compaction, Message, Origin, Session
from hermes_sessions.store.writes import (
    UNPLACED,
    add_messages,
    add_prompts,
    add_rows,
    free_public_id,
    taken_public_ids,
)

BATCH_ROWS: Final = 1_000
BATCH_CHARS: Final = 8_000_000


def import_export(database: Database, restorer: Restorer, path: Path) -> ImportReport:
    """Import the export at *path*.

    Raises:
        SourceError: it is not what its format says, or contradicts what the store has;
            nothing was stored.
    """
    try:
        with restorer.restore(path) as file, database.write() as db:
            taking = _Taking(db, file)
            taking.run()
            return taking.report()
    except IntegrityError as error:
        raise SourceError(
            f"{path}: contradicts what the store has of this conversation: {error.orig}"
        ) from error


@dataclass(slots=True)
class _Taking:
    """One export on its way into a store.

    Attributes:
        sessions: keys by the file's numbers, of those that were known and of new ones.
        known: numbers of the sessions that the store had.
        rows: how many messages the file has of each session.
        met: file's number -> key, for messages of known sessions.
        owners: session -> conversation, of new sessions.
    """

    db: DbSession
    file: RestoredRows
    origins: dict[int, Origin] = field(default_factory=dict)
    sessions: dict[int, int] = field(default_factory=dict)
    known: set[int] = field(default_factory=set)
    rows: Counter[int] = field(default_factory=Counter)
    met: dict[int, int] = field(default_factory=dict)
    owners: Mapping[int, int] = field(default_factory=dict)
    copies: int = 0
    first_message: int = 0
    first_compaction: int = 0

    def run(self) -> None:
        """Store what is new, in the order in which rows refer to each other."""
        for line in self.file.origins:
            self.origins[line["number"]] = self._origin(line)
        self._meet_sessions()
        self._add_sessions()
        fresh = [key for number, key in self.sessions.items() if number not in self.known]
        self._adopt(fresh)
        self.owners = refresh_conversations(self.db, fresh)
        self.first_message = next_key(self.db, Message)
        self.first_compaction = next_key(self.db, Compaction)
        for batch in _batches(self.file.messages()):
            self._take_messages(batch)
        self._add_compactions()
        keep_keys(self.db.connection(), Message, Compaction)
        if fresh:
            refresh_sessions(self.db, fresh)
            refresh_conversations(self.db, fresh)

    # -- origins and sessions ----------------------------------------------------------------------

    def _origin(self, line: Line) -> Origin:
        """Find the origin in the store, known by when it was made or by its sessions; else make it."""
        mine = [one for one in self.file.sessions if one["origin"] == line["number"]]
        kind = kind_today(line["kind"])
        candidates = self.db.scalars(
            select(Origin).where(Origin.kind.in_({kind, line["kind"]})).order_by(Origin.id)
        )
        for origin in candidates.all():
            if origin.created_at == line["created_at"] or self._shares(origin, mine):
                return origin
        origin = Origin(
            kind=kind,
            label=free_label(self.db, line["label"]),
            fingerprint=line["fingerprint"],
            schema_version=line["schema_version"],
            created_at=line["created_at"],
            paused=False,
        )
        self.db.add(origin)
        self.db.flush()
        return origin

    def _shares(self, origin: Origin, sessions: Sequence[Line]) -> bool:
        starts = {one["foreign_id"]: one["started_at"] for one in sessions}
        alike = known = 0
        for chunk in chunks_of(starts):
            stmt = select(Session.foreign_id, Session.started_at).where(
                Session.origin_id == origin.id, Session.foreign_id.in_(chunk)
            )
            for foreign_id, started_at in self.db.execute(stmt):
                known += 1
                alike += starts[foreign_id] == started_at
        return known > 0 and 2 * alike > known

    def _meet_sessions(self) -> None:
        for line in self.file.sessions:
            origin = self.origins[line["origin"]]
            stmt = select(Session.id).where(
                Session.origin_id == origin.id, Session.foreign_id == line["foreign_id"]
            )
            found = self.db.scalar(stmt)
            if found is not None:
                self.sessions[line["number"]] = found
                self.known.add(line["number"])

    def _add_sessions(self) -> None:
        lines = [line for line in self.file.sessions if line["number"] not in self.known]
        for key, line in zip(next_keys(self.db, Session, len(lines)), lines, strict=True):
            self.sessions[line["number"]] = key
        used = {line["system_prompt_hash"] for line in lines}
        add_prompts(self.db, [{key: text for key, text in self.file.prompts.items() if key in used}])
        ids = [line[name] for line in lines for name in ("public_id", "foreign_id")]
        taken = taken_public_ids(self.db, ids)
        add_rows(self.db, Session, [self._session(line, taken) for line in lines])

    def _session(self, line: Line, taken: set[str]) -> dict[str, Any]:
        origin = self.origins[line["origin"]]
        values = {name: line[name] for name in SESSION}
        if values["public_id"] in taken:
            values["public_id"] = free_public_id(line["foreign_id"], origin.label, taken)
        taken.add(values["public_id"])
        parent = self.sessions.get(line["parent"] or 0)
        if parent is None and line["parent_session_id"] is not None:
            parent = self.db.scalar(
                select(Session.id).where(
                    Session.origin_id == origin.id, Session.foreign_id == line["parent_session_id"]
                )
            )
        return values | {
            "id": self.sessions[line["number"]],
            "origin_id": origin.id,
            "parent_id": parent,
            **UNPLACED,
            "archived": False,
            "pinned": False,
            "message_count": 0,
            "shown_count": 0,
            "last_active_at": None,
        }

    def _adopt(self, fresh: Sequence[int]) -> None:
        """Hang sessions that waited for a parent on it, now that it is here."""
        adopted: list[int] = []
        for chunk in chunks(fresh):
            parents = self.db.execute(
                select(Session.id, Session.origin_id, Session.foreign_id).where(Session.id.in_(chunk))
            ).all()
            for parent in parents:
                waiting = self.db.scalars(
                    select(Session.id).where(
                        Session.origin_id == parent.origin_id,
                        Session.parent_session_id == parent.foreign_id,
                        Session.parent_id.is_(None),
                        Session.relation != Relation.ROOT,
                    )
                ).all()
                if waiting:
                    self.db.execute(
                        update(Session).where(Session.id.in_(waiting)).values(parent_id=parent.id)
                    )
                    adopted += waiting
        refresh_conversations(self.db, adopted)

    # -- messages and compactions ------------------------------------------------------------------

    def _take_messages(self, lines: Sequence[Line]) -> None:
        """Add messages of new sessions; those of known ones are met by their places."""
        rows = []
        for line in lines:
            self.rows[line["session"]] += 1
            self.copies += line["copy_of"] is not None
            if line["session"] not in self.known:
                rows.append(self._message(line))
        for number in {line["session"] for line in lines} & self.known:
            self._meet_messages(number, [line for line in lines if line["session"] == number])
        add_messages(self.db, rows)

    def _meet_messages(self, session: int, lines: Sequence[Line]) -> None:
        stored = self.db.execute(
            select(Message.position, Message.id).where(
                Message.session_id == self.sessions[session],
                Message.position.between(lines[0]["position"], lines[-1]["position"]),
            )
        )
        keys = {row.position: row.id for row in stored}
        self.met.update(
            {line["number"]: keys[line["position"]] for line in lines if line["position"] in keys}
        )

    def _message(self, line: Line) -> dict[str, Any]:
        return {name: line[name] for name in MESSAGE} | {
            "id": self._message_key(line["number"]),
            "session_id": self.sessions[line["session"]],
            "conversation_id": self.owners[self.sessions[line["session"]]],
            "copy_of": self._message_key(line["copy_of"]),
            "archived_by": self._compaction_key(line["archived_by"]),
            "handoff_grammar": self._grammar(line),
            "origin_key": _origin_key(line),
        }

    def _grammar(self, line: Line) -> str | None:
        """Return what framed a handoff; exports of older versions do not say."""
        if line["kind"] == MessageKind.MESSAGE:
            return None
        if line["handoff_grammar"] is not None:
            return str(line["handoff_grammar"])
        session = self.file.sessions[line["session"] - 1]
        importer = importer_of(self.origins[session["origin"]].kind)
        return OWN if importer is None else importer.grammar.name

    def _message_key(self, number: int | None) -> int | None:
        """Return the key of a message: of the store's own where it was met, else the one it gets."""
        return None if number is None else self.met.get(number, self.first_message + number - 1)

    def _compaction_key(self, number: int | None) -> int | None:
        return None if number is None else self.first_compaction + number - 1

    def _add_compactions(self) -> None:
        lines = [line for line in self.file.compactions if line["session"] not in self.known]
        rows = []
        for line in lines:
            rows.append(
                {name: line[name] for name in COMPACTION}
                | {
                    "id": self._compaction_key(line["number"]),
                    **UNPLACED,
                    "session_id": self.sessions[line["session"]],
                    "parent_id": self.sessions.get(line["parent"] or 0),
                    "child_id": self.sessions.get(line["child"] or 0),
                    "span_first_id": self._message_key(line["span_first"]),
                    "span_last_id": self._message_key(line["span_last"]),
                    "handoff_id": self._message_key(line["handoff"]),
                }
            )
        add_rows(self.db, Compaction, rows)

    # -- what it says ------------------------------------------------------------------------------

    def report(self) -> ImportReport:
        """Return what the store has of the file now."""
        kinds = Counter(
            "interrupted" if line["status"] == "interrupted" else line["realisation"]
            for line in self.file.compactions
            if line["method"] != CompactionMethod.PRUNE
        )
        return ImportReport(
            origin=", ".join(origin.label for origin in self.origins.values()),
            location=str(self.file.path),
            schema_version=f"{self.origins[1].schema_version or 'none'}, exported",
            sessions=len(self.file.sessions),
            messages=sum(self.rows.values()),
            conversations=1,
            compactions=counted_compactions(kinds),
            prunes=len(self.file.compactions) - kinds.total(),
            copies=self.copies,
            warnings=tuple(self._differences()),
            unchanged=len(self.known) == len(self.file.sessions),
        )

    def _differences(self) -> Iterator[Mapping[str, Any]]:
        for line in self.file.sessions:
            if line["number"] in self.known:
                here = self.db.get_one(Session, self.sessions[line["number"]]).message_count
                there = self.rows[line["number"]]
                if here != there:
                    yield {
                        "table": "sessions",
                        "id": line["foreign_id"],
                        "column": None,
                        "reason": f"has {here} rows here and {there} in the file; left as it is here",
                    }


def _origin_key(line: Line) -> str | None:
    """Return what a row is known by at its origin; in exports of older versions that was its number."""
    if line["origin_key"] is None and line["origin_row_id"] is not None:
        return str(line["origin_row_id"])
    key: str | None = line["origin_key"]
    return key


def chunks_of(names: Mapping[str, Any], size: int = 5_000) -> Iterator[list[str]]:
    """Yield the keys of *names*, as many together as a statement takes."""
    following = iter(names)
    while batch := list(islice(following, size)):
        yield batch


def _batches(lines: Iterator[Line]) -> Iterator[list[Line]]:
    batch: list[Line] = []
    chars = 0
    for line in lines:
        batch.append(line)
        chars += len(line["text"] or "") + len(line["blocks"] or "") + len(line["tool_calls"] or "")
        if len(batch) >= BATCH_ROWS or chars >= BATCH_CHARS:
            yield batch
            batch, chars = [], 0
    if batch:
        yield batch
