"""Compare an imported database with what was planted in it.

Reads the truth files of a corpus of Hermes databases: which conversations there are,
what was said in them, which rows repeat which, and what every merged row holds. What a
truth file itself declares undecidable or changed after the fact is left out, each
exception in a function of its own.
"""

import base64
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.errors import NotFoundError
from hermes_sessions.operations.documents.compactions import compactions_document
from hermes_sessions.operations.documents.encoding import plain
from hermes_sessions.operations.documents.messages import show_document
from hermes_sessions.operations.imports.import_report import ImportReport
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Compaction, Conversation, Message, Session

Truth = Mapping[str, Any]

_RELATIONS: Final = {
    "root": "root",
    "continuation": "compaction",
    "branch": "branch",
    "delegate": "delegate",
    "orphan": "compaction",
    "stale_sibling": "compaction",
}
_KINDS: Final = {"delegate": "delegate", "cron": "scheduled"}
_NEVER_STORED: Final = {"F_fossil": (1,)}
"""Messages that a generator planted in its own list but no version of the agent wrote down."""


@dataclass(slots=True)
class Score:
    """How many of the things looked at are as planted."""

    good: int = 0
    total: int = 0

    def __str__(self) -> str:
        return f"{self.good}/{self.total}"


@dataclass(slots=True)
class Comparison:
    """What an import concluded, beside what was planted; `wrong` says each difference in a line."""

    chains: Score = field(default_factory=Score)
    scroll: Score = field(default_factory=Score)
    copies: Score = field(default_factory=Score)
    merged: Score = field(default_factory=Score)
    sessions: Score = field(default_factory=Score)
    compactions: Score = field(default_factory=Score)
    wrong: list[str] = field(default_factory=list)

    def judge(self, score: Score, good: bool, what: str) -> None:
        """Count one thing, and keep *what* where it is not as planted."""
        score.total += 1
        score.good += good
        if not good:
            self.wrong.append(what)


@dataclass(slots=True)
class _Case:
    """One imported database and its truth, with every stored row at hand."""

    db: DbSession
    truth: Truth
    found: Comparison = field(default_factory=Comparison)
    stored: dict[int, Any] = field(default_factory=dict)
    parts: dict[int, Sequence[Mapping[str, str]]] = field(default_factory=dict)
    sessions: dict[str, Any] = field(default_factory=dict)


_NEEDED: Final = ("counts", "sessions", "conversations", "rows", "merged", "compactions")


def find_truth(path: Path, folder: Path) -> Truth | None:
    """Return the truth of the database at *path* in a corpus *folder*, or None where none is kept.

    A file has its own; one that was derived from another without touching its rows has
    that one's. What says something else than a truth of rows is left alone.
    """
    own = [path.with_suffix(".json"), folder / "truth" / f"{path.stem}.json"]
    quirks = _read_json(folder / "QUIRKS.json") or {}
    base = quirks.get(path.relative_to(folder).as_posix(), {}).get("base") or ""
    if path.parent.name in ("migrated", "quirks") and _keeps_rows(path.name):
        own.append(folder / "truth" / f"{Path(base).stem}.json")
    read = (_read_json(file) for file in own)
    return next((one for one in read if isinstance(one, dict) and one.keys() >= set(_NEEDED)), None)


def compare(database: Database, report: ImportReport, truth: Truth) -> Comparison:
    """Compare the only origin in *database* with *truth*."""
    with database.read() as db:
        case = _Case(db, truth)
        _load(case)
        _compare_counts(case, report)
        _compare_sessions(case)
        _compare_conversations(case)
        _compare_rows(case)
        _compare_merged(case)
        _compare_compactions(case)
    return case.found


def _read_json(path: Path) -> Any:
    return json.loads(path.read_text()) if path.is_file() else None


def _keeps_rows(name: str) -> bool:
    return not name.startswith(("truncated", "zeroed"))


def _load(case: _Case) -> None:
    stored = case.db.execute(
        select(
            Message.id, Message.origin_row_id, Message.role, Message.kind, Message.state, Message.copy_of,
            Message.shown, Message.position, Message.extra, Message.session_id,
        )
    )  # fmt: skip
    case.stored = {row.origin_row_id: row for row in stored}
    case.sessions = {row.foreign_id: row for row in case.db.scalars(select(Session))}
    for public_id in case.db.scalars(select(Conversation.public_id)).all():
        for row in plain(show_document(case.db, public_id, every=True))["messages"]:
            case.parts[row["origin_id"]] = row["parts"]


# -- counts and lineage ----------------------------------------------------------------------------


def _compare_counts(case: _Case, report: ImportReport) -> None:
    counts = case.truth["counts"]
    for name, told in (("sessions", report.sessions), ("rows", report.messages)):
        good = told == counts[name]
        case.found.judge(case.found.sessions, good, f"{name}: {told} instead of {counts[name]}")
    lost = {row["id"] for row in case.truth["rows"]} ^ case.stored.keys()
    case.found.judge(case.found.sessions, not lost, f"rows missing or invented: {sorted(lost)[:10]}")


def _compare_sessions(case: _Case) -> None:
    for planted in case.truth["sessions"]:
        row = case.sessions.get(planted["id"])
        what = f"session {planted['id']} ({planted['conv']}, {planted['role']})"
        if row is None:
            case.found.judge(case.found.sessions, False, f"{what} is missing")
            continue
        got = (row.relation, row.fork, row.parent_session_id)
        wanted = (_RELATIONS[planted["role"]], planted["role"] == "stale_sibling", planted["parent"])
        case.found.judge(case.found.sessions, got == wanted, f"{what}: {got} instead of {wanted}")


def _compare_conversations(case: _Case) -> None:
    for planted in case.truth["conversations"]:
        try:
            document = plain(show_document(case.db, planted["chain"][0]))
        except NotFoundError:
            case.found.judge(case.found.chains, False, f"{planted['name']}: not found")
            continue
        case.found.judge(
            case.found.chains,
            _is_chain(case, document["conversation"], planted),
            f"{planted['name']}: chain, kind or tip differ",
        )
        got = _comparable(case, planted, list(_said(case, document["messages"])))
        wanted = [
            (message["role"], message["sha"])
            for at, message in enumerate(_planted(case, planted))
            if at not in _NEVER_STORED.get(planted["name"], ())
        ]
        at = next((at for at, pair in enumerate(zip(got, wanted, strict=False)) if pair[0] != pair[1]), None)
        difference = f"{len(got)} of {len(wanted)} messages, first difference at {at}"
        case.found.judge(case.found.scroll, got == wanted, f"{planted['name']}: {difference}")


def _is_chain(case: _Case, conversation: Mapping[str, Any], planted: Mapping[str, Any]) -> bool:
    members = sorted(
        (
            row
            for row in case.sessions.values()
            if row.conversation_id == case.sessions[planted["chain"][0]].conversation_id and not row.fork
        ),
        key=lambda row: row.ordinal,
    )
    return bool(
        [row.foreign_id for row in members] == planted["chain"]
        and conversation["id"] == planted["chain"][0]
        and conversation["tip"] == planted["chain"][-1]
        and conversation["kind"] == _KINDS.get(planted["kind"], "chat")
    )


# -- the one scroll --------------------------------------------------------------------------------


def _planted(case: _Case, planted: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield what the scroll must show: all that was said, but what was taken back or cannot be told."""
    hidden = {
        row["t"]
        for row in case.truth["rows"]
        if row["conv"] == planted["name"] and row["t"] is not None and (row.get("rewound"))
    }
    hidden |= _undecidable(case, planted["name"])
    for at, message in enumerate(planted["transcript"]):
        if at not in hidden:
            yield message


def _undecidable(case: _Case, conversation: str) -> set[int]:
    """Replies merged without any marker whose own row exists nowhere: nothing in the file tells them."""
    unmarked = {one["id"] for one in case.truth["merged"] if one["shape"] == "A0"}
    rows = [row for row in case.truth["rows"] if row["conv"] == conversation]
    elsewhere = {row["t"] for row in rows if row["label"] == "original"}
    return {row["t"] for row in rows if row["id"] in unmarked and row["t"] not in elsewhere}


def _said(case: _Case, messages: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str, int]]:
    """Yield (role, hash, row id) of every message the scroll shows, a branch's inherited rows left out."""
    for message in messages:
        if message.get("inherited") or message["kind"] == "handoff":
            continue
        texts = [part["text"] for part in message["parts"] if part["kind"] == "message"]
        if not texts:
            texts = [""]
        for text in texts:
            yield (
                message["role"],
                _hash(_exact(case.stored[message["origin_id"]], text)),
                message["origin_id"],
            )


def _comparable(
    case: _Case, planted: Mapping[str, Any], said: Sequence[tuple[str, str, int]]
) -> list[tuple[str, str]]:
    """Return (role, hash) of what was said; rows changed after they were planted count as planted."""
    changed = {row["id"]: row["t"] for row in case.truth["rows"] if row.get("note") and row["t"] is not None}
    result = []
    for role, text, row_id in said:
        message = planted["transcript"][changed[row_id]] if row_id in changed else None
        result.append((role, text) if message is None else (message["role"], message["sha"]))
    return result


def _exact(row: Any, text: str) -> str:
    """Give back the NUL characters that the store keeps beside the text."""
    kept = (row.extra or {}).get("content")
    if isinstance(kept, dict) and "$text_b64" in kept and row.kind == "message":
        return base64.b64decode(kept["$text_b64"]).decode("utf-8", "surrogatepass")
    return text


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# -- rows ------------------------------------------------------------------------------------------


def _compare_rows(case: _Case) -> None:
    planted = {row["id"]: row for row in case.truth["rows"]}
    by_key = {row.id: row.origin_row_id for row in case.stored.values()}
    for row_id, row in planted.items():
        stored = case.stored.get(row_id)
        if stored is None:
            continue
        target = planted.get(by_key.get(stored.copy_of, -1)) if stored.copy_of is not None else None
        wrong = _wrong_row(case, row, stored, target)
        case.found.judge(
            case.found.copies, not wrong, f"row {row_id} ({row['conv']}, {row['label']}): {wrong}"
        )


def _wrong_row(case: _Case, row: Mapping[str, Any], stored: Any, target: Mapping[str, Any] | None) -> str:
    """Return what is wrong about a row's kind, state or copy, or ''."""
    label = row["label"]
    copied = stored.copy_of is not None
    if bool(row.get("rewound")) != (stored.state == "rewound"):
        return f"state {stored.state}"
    if label in ("replay", "replay_modified", "replay_summary") and not copied:
        return "not known as a copy"
    if label in ("original", "summary", "branch_copy") and copied:
        return f"taken for a copy of {target and target['id']}"
    if target is not None and label != "replay_summary" and target.get("t") != row["t"]:
        return f"taken for a copy of {target['id']}, which is another message"
    wanted = {"original": "message", "summary": "handoff", "merged": "merged"}.get(label)
    if wanted is not None and stored.kind != wanted and not _is_undecided(case, row, stored):
        return f"kind {stored.kind}"
    return ""


def _is_undecided(case: _Case, row: Mapping[str, Any], stored: Any) -> bool:
    return stored.kind == "handoff" and row["t"] in _undecidable(case, row["conv"])


def _compare_merged(case: _Case) -> None:
    flattened = {row["id"] for row in case.truth["rows"] if row.get("note")}
    rows = {row["id"]: row for row in case.truth["rows"]}
    for planted in case.truth["merged"]:
        row = rows[planted["id"]]
        if planted["id"] in flattened or row["t"] in _undecidable(case, row["conv"]):
            continue
        parts = case.parts.get(planted["id"], ())
        got = Counter((part["kind"], _hash(part["text"])) for part in parts)
        wanted = Counter(
            [("handoff", planted["summary_text_sha"]), ("message", planted["reply_sha"])]
            if planted["reply_text"]
            else [("handoff", planted["summary_text_sha"])]
        )
        what = f"merged row {planted['id']} ({row['conv']}, {planted.get('zoo') or planted['shape']})"
        case.found.judge(case.found.merged, got == wanted, f"{what}: parts differ")


def _compare_compactions(case: _Case) -> None:
    wanted: Counter[tuple[str, str]] = Counter()
    for one in case.truth["compactions"]:
        if one["mode"] == "rotation":
            wanted[("rotation", one["child"])] = 1  # two carriers in one child are one event
        else:
            wanted[("in_place", one["session"])] += 1
    stale = [row["id"] for row in case.truth["sessions"] if row["role"] == "stale_sibling"]
    wanted.update({("rotation", one): 1 for one in stale})
    rows = case.db.execute(
        select(Compaction.realisation, Session.foreign_id).join(Session, Session.id == Compaction.session_id)
    )
    got = Counter((row.realisation, row.foreign_id) for row in rows)
    for key in wanted | got:
        good = wanted[key] == got[key]
        case.found.judge(
            case.found.compactions, good, f"compactions {key}: {got[key]} instead of {wanted[key]}"
        )
    _compare_summaries(case)


def _compare_summaries(case: _Case) -> None:
    """The summary of a compaction must be the body of the handoff that was planted for it."""
    planted = {
        row["id"]: row["summary_text_sha"]
        for one in case.truth["compactions"]
        for row in one["rows"]
        if row.get("summary_text_sha")
    }
    planted |= {one["id"]: one["summary_text_sha"] for one in case.truth["merged"]}
    undecided = {row["id"] for row in case.truth["rows"] if row["t"] in _undecidable(case, row["conv"])}
    by_key = {row.id: row.origin_row_id for row in case.stored.values()}
    for public_id in case.db.scalars(select(Conversation.public_id)).all():
        for one in plain(compactions_document(case.db, public_id))["compactions"]:
            row_id = by_key.get(one["handoff"], 0)
            if row_id in planted and row_id not in undecided:
                good = _hash(one["summary"] or "") == planted[row_id]
                case.found.judge(
                    case.found.compactions, good, f"summary of {one['session']} is not as planted"
                )
