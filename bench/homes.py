"""Compare a home folder of an agent that was imported with what was planted in its files.

`FOLDER/AGENT` is a home, `FOLDER/truth/AGENT.json` says what must come out of it: sessions,
conversations with every message, which records repeat others, compactions, summaries, cleared results.
"""

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from bench.truth import Score
from hermes_sessions.agents.registry import discover
from hermes_sessions.json_text import parsed_json
from hermes_sessions.messages import CompactionMethod, MessageState, Role
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Compaction, Conversation, Message, Session

Truth = Mapping[str, Any]
JUDGED: Final = (
    "sessions", "conversations", "transcripts", "tool calls", "copies", "compactions", "summaries", "prunes",
)  # fmt: skip
_RELATIONS: Final = {
    "root": "root", "branch": "branch", "delegate": "delegate", "continuation": "compaction",
}  # fmt: skip
_NEEDED: Final = ("agent", "sessions", "conversations", "records", "compactions", "prunes")
_KINDS: Final = {"chat": "chat", "delegate": "delegate"}


@dataclass(slots=True)
class HomeComparison:
    """What an import concluded, beside what was planted; `wrong` says each difference in a line."""

    scores: dict[str, Score] = field(default_factory=lambda: {name: Score() for name in JUDGED})
    wrong: list[str] = field(default_factory=list)

    def judge(self, name: str, good: bool, what: str) -> None:
        """Count one thing, and keep *what* where it is not as planted."""
        self.scores[name].total += 1
        self.scores[name].good += good
        if not good:
            self.wrong.append(f"{name}: {what}")


@dataclass(slots=True)
class _Case:
    truth: Truth
    sessions: dict[str, Any]
    rows: dict[int, list[Any]]
    compactions: list[Any]
    kinds: dict[int, str]
    kept: set[int] = field(default_factory=set)
    """Rows that are gone at the origin and shown, for what was written again."""
    places: dict[int | None, int] = field(default_factory=dict)
    """Where in its conversation's transcript a message is."""
    found: HomeComparison = field(default_factory=HomeComparison)

    def said(self, session: Any) -> list[Any]:
        """Return the messages of a session itself: what the scroll shows, and what was taken back."""
        return [
            row
            for row in self.rows.get(session.id, [])
            if (row.shown or _is_taken_back(row) or row.copy_of in self.kept)
            and row.kind == "message"
            and row.position >= session.inherited_count
        ]

    def chain(self, planted: Mapping[str, Any]) -> list[str]:
        """Return the sessions of a conversation: of one that lies in several files, each once."""
        parts = {one["id"] for one in self.truth["sessions"] if one["role"] == "segment"}
        return [one for one in planted["chain"] if one not in parts]

    def in_file(self, file: str) -> str:
        """Return the id of the session in a file."""
        named = (one["id"] for one in self.truth["sessions"] if one.get("file") == file)
        return next(named, Path(file).stem)

    def tells(self, name: str) -> bool:
        """Whether the truth says anything of what compactions have under a name."""
        return any(one[name] is not None for one in self.truth["compactions"])


class UnusableTruthError(Exception):
    """A truth file says too little to compare with."""


def truth_files(folder: Path) -> list[Path]:
    """Return what is said of databases and homes in a corpus."""
    return sorted(folder.rglob("truth/*.json"))


def find_homes(folder: Path) -> list[tuple[Path, Path, Truth]]:
    """Return each home of an agent, what is imported of it, and what was planted there.

    Raises:
        UnusableTruthError: a truth lacks what is compared; the file and the keys are named.
    """
    found = []
    for file in truth_files(folder):
        home = file.parent.parent / file.stem
        if home.is_dir():
            truth = json.loads(file.read_text())
            lacking = [name for name in _NEEDED if name not in truth]
            if lacking:
                raise UnusableTruthError(f"{file}: lacks {', '.join(map(repr, lacking))}")
            found += [(home, one.path, truth) for one in discover(home, {})]
    return found


def compare_home(database: Database, truth: Truth) -> HomeComparison:
    """Compare the only origin in *database* with *truth*."""
    with database.read() as db:
        case = _load(db, truth)
    for planted in truth["sessions"]:
        _compare_session(case, planted)
    for planted in truth["conversations"]:
        _compare_conversation(case, planted)
    for record in truth["records"]:
        _compare_copy(case, record)
    _compare_compactions(case)
    for planted in truth["prunes"]:
        _compare_prune(case, planted)
    return case.found


def _load(db: DbSession, truth: Truth) -> _Case:
    columns = (
        Message.id, Message.session_id, Message.origin_key, Message.role, Message.kind, Message.state,
        Message.copy_of, Message.shown, Message.position, Message.text, Message.tool_calls, Message.extra,
        Message.archived_by,
    )  # fmt: skip
    rows: dict[int, list[Any]] = {}
    asked = select(*columns, Message.origin_key.is_(None).label("kept"))
    every = list(db.execute(asked.order_by(Message.session_id, Message.position)))
    # What was deleted at the origin is kept and marked; what was written again says the same in its place.
    kept = {row.id for row in every if row.kept and row.shown}
    for row in every:
        if row.kept:
            continue
        rows.setdefault(row.session_id, []).append(row)
    there = select(*Session.__table__.columns).where(Session.gone_at.is_(None))
    sessions = {row.foreign_id: row for row in db.execute(there)}
    ids = {row.id for row in sessions.values()}
    events = db.execute(select(*Compaction.__table__.columns))
    compactions = [row for row in events if row.session_id in ids]
    kinds = {row.id: row.kind for row in db.execute(select(Conversation.id, Conversation.kind))}
    case = _Case(truth, sessions, rows, compactions, kinds, kept)
    for planted in truth["conversations"]:
        chain = [sessions[one] for one in case.chain(planted) if one in sessions]
        for place, row in enumerate(row for one in chain for row in case.said(one)):
            case.places[row.id] = place
    return case


def _is_taken_back(row: Any) -> bool:
    return bool(row.state == MessageState.REWOUND and row.role != Role.SESSION_META)


def _compare_session(case: _Case, planted: Mapping[str, Any]) -> None:
    row = case.sessions.get(planted["id"])
    if planted["role"] == "segment":
        case.found.judge("sessions", row is None, f"{planted['id']} is a part of another")
        return
    if row is None:
        case.found.judge("sessions", False, f"{planted['id']} is missing")
        return
    got = {"relation": row.relation, "parent": row.parent_session_id}
    wanted = {"relation": _RELATIONS[planted["role"]], "parent": planted["parent"]}
    if "cwd" in planted:
        got["cwd"], wanted["cwd"] = row.cwd or planted["cwd"], planted["cwd"]
    above = case.sessions.get(planted["parent"] or "")
    made = above is not None and re.fullmatch(
        rf"{re.escape(above.title or '')} \(fork #\d+\)", row.title or ""
    )
    # A title that the agent made of the first session's for a branch is planted under another name.
    if "title" in planted and not made:
        got["title"], wanted["title"] = row.title, planted["title"]
    case.found.judge("sessions", got == wanted, f"{planted['id']}: {got} instead of {wanted}")


def _compare_conversation(case: _Case, planted: Mapping[str, Any]) -> None:
    found, chain = case.found, case.chain(planted)
    root = case.sessions.get(chain[0])
    members = [] if root is None else _members(case, root.conversation_id or 0)
    good = [row.foreign_id for row in members] == chain
    good = bool(members) and good and case.kinds[members[0].conversation_id] == _KINDS[planted["kind"]]
    found.judge("conversations", good, f"{planted['name']}: {[row.foreign_id for row in members]}")
    got = [row for one in members for row in case.said(one)]
    wanted = planted["transcript"]
    for at in range(max(len(got), len(wanted))):
        row = got[at] if at < len(got) else None
        message = wanted[at] if at < len(wanted) else None
        same = False
        if row is not None and message is not None:
            same = (row.role, _sha(_exact(row))) == (message["role"], message["sha"])
        found.judge(
            "transcripts", same, f"{planted['name']}: message {at} of {len(got)}, {len(wanted)} planted"
        )
    if "inherits" in planted and root is not None:
        rows = (row for row in case.rows.get(root.id, []) if row.position < root.inherited_count)
        copied = [row for row in rows if row.kind == "message"]
        number = planted["inherits"]["messages"]
        found.judge(
            "copies", len(copied) == number, f"{planted['name']}: {len(copied)} of {number} inherited"
        )
    calls = [(_calls(row), message["tool_calls"]) for row, message in zip(got, wanted, strict=False)]
    for at, (ours, theirs) in enumerate(calls):
        if theirs or ours:
            found.judge(
                "tool calls", ours == theirs, f"{planted['name']}: {ours} of {theirs} in message {at}"
            )


def _members(case: _Case, conversation: int) -> list[Any]:
    members = (row for row in case.sessions.values() if row.conversation_id == conversation and not row.fork)
    return sorted(members, key=lambda row: row.ordinal)


def _compare_copy(case: _Case, record: Mapping[str, Any]) -> None:
    """A record that repeats another one is neither shown again nor a compaction of its own."""
    if not record["label"].endswith("copy") or record["id"] is None:
        return
    session = case.sessions.get(case.in_file(record["file"]))
    rows = [row for row in case.rows.get(session.id, []) if row.origin_key == record["id"]] if session else []
    twice = {"original", "summary", "boundary"} & set(_labels(case, record))
    again = [row for row in rows if row.shown and session and row.position >= session.inherited_count]
    events = [one for one in case.compactions if one.origin_key == record["id"]]
    own = sum(session is not None and one.session_id == session.id for one in events)
    good = len(again) <= bool(twice) and own <= bool(twice)
    case.found.judge("copies", good, f"{record['file']}:{record['line']} counts as new")


def _labels(case: _Case, record: Mapping[str, Any]) -> Iterator[str]:
    for one in case.truth["records"]:
        if (one["file"], one["id"]) == (record["file"], record["id"]):
            yield one["label"]


def _compare_compactions(case: _Case) -> None:
    stored = [one for one in case.compactions if one.method != CompactionMethod.PRUNE]
    wanted = case.truth["compactions"]
    case.found.judge("compactions", len(stored) == len(wanted), f"{len(stored)} of {len(wanted)}")
    for planted in wanted:
        one = _event_of(case, planted, stored)
        if one is None:
            case.found.judge("compactions", False, f"{planted['conv']}: {planted['span']} is missing")
            continue
        got, expected = _event(case, one), _planted_event(case, planted)
        case.found.judge("compactions", got == expected, f"{planted['conv']}: {got} instead of {expected}")
        summary = None if one.summary is None else _sha(one.summary)
        case.found.judge(
            "summaries", summary == planted["summary_sha"], f"{planted['conv']}: another summary"
        )


def _event_of(case: _Case, planted: Mapping[str, Any], stored: Sequence[Any]) -> Any:
    """Return the compaction that was planted: by the ids of its records, else by where its span begins."""
    # Numbers of rows are no ids of records: some agents write a session anew and number it again.
    keys = {key for key in (planted.get("boundary"), planted.get("handoff")) if isinstance(key, str)}
    if keys:
        return next((row for row in stored if row.origin_key in keys), None)
    name = case.chain(next(one for one in case.truth["conversations"] if one["name"] == planted["conv"]))[0]
    for row in stored:
        session = next(one for one in case.sessions.values() if one.id == row.session_id)
        same = case.places.get(row.span_first_id) == planted["span"]["first"]
        if same and _members(case, session.conversation_id)[0].foreign_id == name:
            return row
    return None


def _event(case: _Case, row: Any) -> dict[str, Any]:
    session = next(one for one in case.sessions.values() if one.id == row.session_id)
    return {
        "realisation": row.realisation,
        "status": row.status,
        "trigger": row.trigger if case.tells("trigger") else None,
        "method": row.method,
        "tokens": (row.tokens_before, row.tokens_after) if case.tells("tokens_before") else (None, None),
        "span": (case.places.get(row.span_first_id), case.places.get(row.span_last_id), row.span_messages),
        "archived": sorted(
            place
            for rows in case.rows.values()
            for one in rows
            if one.archived_by == row.id and (place := case.places.get(one.id)) is not None
        ),
        "kept": row.head_messages + row.tail_messages,
        "conversation": _members(case, session.conversation_id)[0].foreign_id,
    }


def _planted_event(case: _Case, planted: Mapping[str, Any]) -> dict[str, Any]:
    span = planted["span"]
    chains = (one["chain"] for one in case.truth["conversations"] if one["name"] == planted["conv"])
    root = next(chains)[0]
    # Of one that failed nothing is planted: it has no span.
    first, last, messages = (span[name] for name in ("first", "last", "messages")) if span else (None,) * 3
    return {
        "realisation": planted["realisation"],
        "status": planted["status"],
        "trigger": planted["trigger"],
        "method": planted["method"],
        "tokens": (planted["tokens_before"], planted["tokens_after"]),
        "span": (first, last, messages),
        "archived": [at for at in range(span["first"], span["last"] + 1) if at not in planted["kept"]]
        if span
        else [],
        "kept": len(planted["kept"]),
        "conversation": root,
    }


def _compare_prune(case: _Case, planted: Mapping[str, Any]) -> None:
    session = case.sessions.get(planted["session"])
    pruned = [one for one in case.compactions if one.method == CompactionMethod.PRUNE]
    mine = [one for one in pruned if session is not None and one.session_id == session.id]
    ids = set(planted["tool_call_ids"])
    good = any(one.span_messages == len(ids) and _cleared(case, one) == ids for one in mine)
    case.found.judge("prunes", good and len(pruned) == len(case.truth["prunes"]), f"{planted['conv']}: {ids}")


def _cleared(case: _Case, row: Any) -> set[str]:
    return set((row.claim or {}).get("compactedToolIds", ()))


def _calls(row: Any) -> int:
    calls = parsed_json(row.tool_calls) if row.tool_calls else []
    return len(calls) if isinstance(calls, list) else 0


def _exact(row: Any) -> str:
    """Return a text with what no engine can hold."""
    kept = (row.extra or {}).get("text")
    if isinstance(kept, dict) and "$text_b64" in kept:
        return base64.b64decode(kept["$text_b64"]).decode("utf-8", "surrogatepass")
    return str(row.text or "")


def _sha(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
