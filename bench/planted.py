"""Which findings the truth of a corpus demands, by rule and session; nothing of the package is asked.

A truth file labels every row (first occurrence, copy, summary, summary merged with a
reply) with its place in what was really said, and names each compaction and the shape of its
handoff. From these follows, for `TOLD` rules, exactly where each must strike and where
it must not. What truth is silent on (`READ` rules) is read from the rows themselves with
plain SQL: keys of the well-known prefix in a summary, calls without a result.
"""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

Row = Mapping[str, Any]
Truth = Mapping[str, Any]
Place = tuple[str, str]
"""A rule and the id of a session."""

TOLD: Final = frozenset(
    {
        *("merged-handoff", "nested-handoff", "stale-directive", "end-marker-missing"),
        *("fallback-used", "no-receipt", "reply-swallowed", "last-request-lost", "head-fossilised"),
        *(
            "fork",
            "missing-parent",
            "clock-backwards",
            "clones",
            "interrupted",
            "closed-without-child",
            "cycle",
        ),
    }
)
READ: Final = frozenset({"secret-in-handoff", "orphan-tool-pair"})
CHECKED: Final = TOLD | READ
"""The rules whose findings are compared one by one; the others measure sizes and behaviour."""

_WORDING: Final = ("stale-directive", "nested-handoff", "end-marker-missing", "fallback-used", "no-receipt")
_RESUMING: Final = ("P1", "P3", "P4")
_COUNTS: Final = ("legacy", "turns", "messages")
_WRITTEN: Final = frozenset({"replay", "replay_modified", "replay_summary", "summary", "merged"})
_CARRIERS: Final = ("summary", "merged")
_CONTINUING: Final = ("continuation", "orphan", "stale_sibling")
_OF_ROLES: Final = {"stale_sibling": "fork", "orphan": "missing-parent"}
_NAMED: Final = {"C_clock": "clock-backwards"}
"""Planted by name: truth says nothing of clocks."""

_KEY = re.compile(r"\b(?:sk-test-|ghp_FAKE)")


@dataclass(frozen=True, slots=True)
class Event:
    """One compaction: the rows that stood before it, and the head, handoff and tail it wrote."""

    session: str
    role: str
    before: Sequence[Row]
    block: Sequence[Row]
    shapes: Mapping[int, Mapping[str, Any]]

    @property
    def carrier(self) -> Row | None:
        """The row with its summary."""
        return next((row for row in self.block if row["label"] in _CARRIERS), None)

    @property
    def shape(self) -> Mapping[str, Any]:
        """What the truth knows of its handoff."""
        return {} if self.carrier is None else self.shapes.get(self.carrier["id"], {})

    @property
    def head(self) -> Sequence[Row]:
        """Rows ahead of the summary; all where there is none."""
        ids = [row["id"] for row in self.block]
        return self.block if self.carrier is None else self.block[: ids.index(self.carrier["id"])]

    @property
    def kept(self) -> set[int]:
        """Places of the messages that are still there, one merged with the summary included."""
        return {row["t"] for row in self.block if row["t"] is not None}


@dataclass(slots=True)
class Planted:
    """What must be found; `open` are places where the file cannot tell, and either answer is right."""

    wanted: Counter[Place] = field(default_factory=Counter)
    open: set[Place] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the findings of one database compare: counts of findings, and each difference."""

    wanted: Counter[Place]
    found: int
    missed: tuple[Place, ...]
    beyond: tuple[Place, ...]
    clean: int
    errors_on_clean: tuple[Place, ...]

    @property
    def planted(self) -> int:
        """How many findings were planted."""
        return self.wanted.total()

    @property
    def is_right(self) -> bool:
        """Whether everything planted was found, and nothing else."""
        return not (self.missed or self.beyond or self.errors_on_clean)


def plant(truth: Truth, path: Path) -> Planted:
    """Return what the audit of the database at *path* must find."""
    planted = Planted()
    for event in list_events(truth):
        for rule in _rules_of(event, truth):
            planted.wanted[rule, event.session] += 1
        planted.open |= {(rule, event.session) for rule in _open(event, truth)}
    for session in truth["sessions"]:
        if told := _OF_ROLES.get(session["role"]) or _NAMED.get(session["conv"]):
            planted.wanted[told, session["id"]] += 1
    planted.wanted.update(_read(truth, path))
    return planted


def judge(findings: Sequence[Mapping[str, Any]], truth: Truth, path: Path) -> Verdict:
    """Compare *findings* with what the truth demands.

    A conversation is clean where no error was planted in any of its sessions. Where nothing was
    compacted every rule is held to the truth.
    """
    planted = plant(truth, path)
    names = {session["id"]: session["conv"] for session in truth["sessions"]}
    compacted = {names[event.session] for event in list_events(truth)}
    found: Counter[Place] = Counter()
    errors: Counter[Place] = Counter()
    for one in findings:
        place = one["rule"], one["session"]
        found[place] += one["rule"] in CHECKED or names.get(one["session"]) not in compacted
        errors[place] += one["severity"] == "error"
    for place in planted.open:
        planted.wanted.pop(place, None)
        found.pop(place, None)
    spoilt = {names.get(place[1]) for place in +errors if planted.wanted[place]}
    clean = set(names.values()) - spoilt
    return Verdict(
        wanted=planted.wanted,
        found=(planted.wanted & found).total(),
        missed=tuple(sorted((planted.wanted - found).elements())),
        beyond=tuple(sorted((found - planted.wanted).elements())),
        clean=len(clean),
        errors_on_clean=tuple(sorted(place for place in +errors if names.get(place[1]) not in spoilt)),
    )


# -- what was planted ------------------------------------------------------------------------------


def list_events(truth: Truth) -> Iterator[Event]:
    """Yield every compaction, in the order of the sessions."""
    rows: dict[str, list[Row]] = {}
    for row in truth["rows"]:
        if not row.get("rewound"):
            rows.setdefault(row["session"], []).append(row)
    shapes = {row["id"]: row.get("shape") or {} for one in truth["compactions"] for row in one["rows"]}
    in_place = {one["session"] for one in truth["compactions"] if one["mode"] == "in_place"}
    for session in truth["sessions"]:
        own = rows.get(session["id"], [])
        blocks = list(_blocks(own))
        if session["role"] in _CONTINUING:
            first = own[: blocks[0][1]] if blocks and blocks[0][0] == 0 else []
            before = _last_generation(rows.get(session["parent"], []), session["parent"] in in_place)
            yield Event(session["id"], session["role"], before, first, shapes)
        if session["id"] in in_place:
            starts = [0, *(start for start, _ in blocks)]
            for previous, (start, end) in zip(starts, blocks, strict=False):
                if start:
                    yield Event(session["id"], session["role"], own[previous:start], own[start:end], shapes)


def _blocks(rows: Sequence[Row]) -> Iterator[tuple[int, int]]:
    """Yield where runs of rows that a compaction wrote begin and end."""
    start: int | None = None
    for at, row in enumerate([*rows, {"label": ""}]):
        if row["label"] in _WRITTEN:
            start = at if start is None else start
        elif start is not None:
            yield start, at
            start = None


def _last_generation(rows: Sequence[Row], in_place: bool) -> Sequence[Row]:
    starts = [start for start, _ in _blocks(rows)] if in_place else []
    return rows[starts[-1] :] if starts else rows


def _rules_of(event: Event, truth: Truth) -> Iterator[str]:
    yield from _wording(event)
    if event.role == "stale_sibling" or not event.before:
        return
    yield from _losses(event, _transcript(event, truth))
    if _is_fossil(event):
        yield "head-fossilised"


def _wording(event: Event) -> Iterator[str]:
    carrier, shape = event.carrier, event.shape
    prefix = shape.get("prefix", "")
    if carrier is not None and carrier["label"] == "merged":
        yield "merged-handoff"
    if prefix in _RESUMING:
        yield "stale-directive"
    if shape.get("nested") and prefix != "UNKNOWN":  # unknown: an error of the labels, see the corpus
        yield "nested-handoff"
    if shape.get("shape") == "standalone_noEND_or_A0":
        yield "end-marker-missing"
    if shape.get("fallback") == "deterministic":
        yield "fallback-used"
    if shape.get("fallback") in _COUNTS:
        yield "no-receipt"


def _losses(event: Event, said: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    before = [row["t"] for row in event.before if row["t"] is not None]
    if event.carrier is None and not event.kept.issuperset(before):
        yield "no-receipt"
    replies = [t for t in before if said[t]["role"] == "assistant" and said[t]["chars"]]
    requests = [t for t in before if said[t]["role"] == "user" and said[t]["chars"]]
    if replies and replies[-1] not in event.kept and event.block:
        yield "reply-swallowed"
    if requests and requests[-1] not in event.kept:
        after = before[before.index(requests[-1]) :]
        if not any(t in replies and not said[t]["tool_calls"] for t in after):
            yield "last-request-lost"


def _is_fossil(event: Event) -> bool:
    """Whether a message of the head had been copied into the context before as well."""
    carried = {row["t"] for row in event.before if row["label"] in ("replay", "replay_modified")}
    return bool({row["t"] for row in event.head} & (carried - {None}))


def _transcript(event: Event, truth: Truth) -> Sequence[Mapping[str, Any]]:
    name = event.before[0]["conv"]
    found: Sequence[Mapping[str, Any]] = next(
        one["transcript"] for one in truth["conversations"] if one["name"] == name
    )
    return found


def _open(event: Event, truth: Truth) -> Iterator[str]:
    if event.carrier is not None and not event.shape:  # a literal whose shape the truth does not name
        yield from _WORDING
    if event.shape.get("nested"):  # the truth does not name the prefix inside
        yield "stale-directive"
    if _is_undecidable(event, truth):
        yield from ("merged-handoff", "reply-swallowed")


def _is_undecidable(event: Event, truth: Truth) -> bool:
    """Whether a reply was merged without any marker and stands nowhere else."""
    unmarked = {one["id"] for one in truth["merged"] if one["shape"] == "A0"}
    if event.carrier is None or event.carrier["id"] not in unmarked:
        return False
    own = [row for row in truth["rows"] if row["conv"] == event.carrier["conv"]]
    return event.carrier["t"] not in {row["t"] for row in own if row["label"] == "original"}


# -- what is read from the rows --------------------------------------------------------------------


def _read(truth: Truth, path: Path) -> Counter[Place]:
    stored = _load_rows(path)
    wanted: Counter[Place] = Counter()
    for event in list_events(truth):
        if event.carrier is not None and _KEY.search(stored[event.carrier["id"]]["content"]):
            wanted["secret-in-handoff", event.session] += 1
        rows = [stored[row["id"]] for row in truth["rows"] if row["session"] == event.session]
        parted = _parted([stored[row["id"]] for row in event.block], rows)
        known = _parted([stored[row["id"]] for row in event.before], rows)
        if event.before and parted - known:
            wanted["orphan-tool-pair", event.session] += 1
    return wanted


def _load_rows(path: Path) -> Mapping[int, Mapping[str, Any]]:
    with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as db:
        db.row_factory = sqlite3.Row
        db.text_factory = lambda raw: raw.decode("utf-8", "replace")
        found = db.execute(
            "SELECT id, CAST(content AS TEXT) AS content, tool_calls, tool_call_id FROM messages"
        )
        rows = {row["id"]: {**row, "content": row["content"] or ""} for row in found}
    db.close()
    return rows


def _parted(block: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return ids of calls without a result, and of results without a call."""
    results = {row["tool_call_id"] for row in (*block, *rows) if row["tool_call_id"]}
    calls = {one for row in block for one in _calls(row)}
    answers = {row["tool_call_id"] for row in block if row["tool_call_id"]}
    return (calls - results) | (answers - calls)


def _calls(row: Mapping[str, Any]) -> list[str]:
    try:
        found = json.loads(row["tool_calls"] or "[]")
    except ValueError:
        return []
    return [one["id"] for one in found if isinstance(one, dict) and one.get("id")]
