"""Read a folder of Jotter's: `talks/ID.talk`, a head line and a line for each message."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from hermes_sessions.agents.contract import Cursor, Entry, Opening, OpenOptions
from hermes_sessions.agents.values import (
    CompactionRow,
    Family,
    MessageRow,
    Rejected,
    SessionRow,
    Verdict,
    Warned,
)
from hermes_sessions.errors import SourceError
from hermes_sessions.lineage import Placement, Relation
from hermes_sessions.messages import (
    CompactionMethod,
    CompactionStatus,
    MessageKind,
    MessageState,
    Realisation,
)
from tests.agents.jotter.grammar import JotterGrammar

BATCH_ROWS: Final = 2_000
_ROLES: Final = ("user", "assistant", "tool")


@dataclass(frozen=True, slots=True)
class TalkLine:
    """A message of a talk that can be stored."""

    number: int
    key: str
    values: Mapping[str, Any]
    digest: int


@dataclass(slots=True)
class TalkFile:
    """One session: its head, and how far its file went when it was opened."""

    path: Path
    head: Mapping[str, Any]
    size: int
    mark: str
    lines: list[TalkLine] = field(default_factory=list)

    @property
    def newest(self) -> float:
        """When something was said last."""
        return max([float(self.head["began"]), *(float(line.values["at"]) for line in self.lines)])

    @property
    def parent(self) -> str:
        """What it was delegated from; "" for nothing."""
        return str(self.head.get("parent") or "")


class JotterSource:
    """A `Source` of the contract."""

    schema_version = "1"
    damage: Sequence[str] = ()
    warnings: Sequence[Warned] = ()

    def __init__(self, location: Path, options: OpenOptions) -> None:
        self.location = location
        self.rejected: list[Rejected] = []
        self.complete = location.is_dir()
        read = (self._read_file(path) for path in talk_files(location))
        self._talks = {talk.head["talk"]: talk for talk in read if talk is not None}
        self.entries: Mapping[str, Entry] = {
            one: Entry(one, talk.head.get("parent"), talk.mark, len(talk.lines), talk.newest, stored=True)
            for one, talk in sorted(self._talks.items(), key=lambda item: (item[1].head["began"], item[0]))
        }

    def openings(self, also: Collection[str] = ()) -> Iterable[tuple[str, Opening]]:
        """Yield how sessions begin."""
        for one in self.entries:
            talk = self._talks[one]
            first = talk.lines[0].values if talk.lines else {}
            yield one, Opening(talk.head["began"], first.get("who"), first.get("text"))

    def families(self) -> Sequence[tuple[str, ...]]:
        """Return sessions with what was delegated from them, newest first."""
        grouped: dict[str, list[str]] = {}
        for one in self.entries:
            grouped.setdefault(self._top(one), []).append(one)
        newest = {top: max(self.entries[one].newest for one in ids) for top, ids in grouped.items()}
        return [tuple(grouped[top]) for top in sorted(grouped, key=lambda top: (-newest[top], top))]

    def read(self, ids: Sequence[str]) -> Family:
        """Read a family: parents before children, as `entries` has them."""
        talks = [self._talks[one] for one in sorted(ids, key=self._depth)]
        verdicts: dict[int, Verdict] = {}
        compactions: list[CompactionRow] = []
        for talk in talks:
            _conclude(talk, verdicts, compactions)

        def batches() -> Iterator[tuple[str, Sequence[MessageRow]]]:
            for talk in talks:
                rows = [_row(talk, line) for line in talk.lines]
                for at in range(0, len(rows), BATCH_ROWS):
                    yield talk.head["talk"], rows[at : at + BATCH_ROWS]

        return Family(
            sessions=[self._session(talk) for talk in talks],
            placements={talk.head["talk"]: self._placement(talk) for talk in talks},
            verdicts=verdicts,
            compactions=compactions,
            inherited={},
            row_count=sum(len(talk.lines) for talk in talks),
            batches=batches,
        )

    def cursor(self) -> Cursor:
        """Return how far each file was read."""
        return {one: [talk.size, talk.mark] for one, talk in self._talks.items()}

    def _read_file(self, path: Path) -> TalkFile | None:
        try:
            written = path.read_bytes()
        except OSError as error:
            raise SourceError(f"{path}: {error.strerror}") from error
        whole = written[: written.rfind(b"\n") + 1]  # the agent may be writing its last line just now
        head, *lines = whole.splitlines() or [b""]
        mark = blake2b(whole, digest_size=12).hexdigest()
        found = parse_head(head)
        if found is None:
            self.rejected.append(Rejected("talks", path.name, "its first line is not a head"))
            return None
        talk = TalkFile(path, found, len(whole), mark)
        keys: set[str] = set()
        for number, line in enumerate(lines, start=1):
            values = _parse(line)
            if values is None or values["key"] in keys:
                why = "not a message" if values is None else "another line has its key"
                self.rejected.append(Rejected("messages", f"{path.name}:{number}", why))
            else:
                keys.add(values["key"])
                digest = int.from_bytes(blake2b(line, digest_size=8).digest(), "big", signed=True)
                talk.lines.append(TalkLine(number, values["key"], values, digest))
        return talk

    def _top(self, one: str) -> str:
        seen: set[str] = set()
        while one not in seen and (parent := self._talks[one].parent) in self._talks:
            seen.add(one)
            one = parent
        return min(seen) if one in seen else one

    def _depth(self, one: str) -> int:
        depth, seen = 0, {one}
        while (parent := self._talks[one].parent) in self._talks and parent not in seen:
            depth, one = depth + 1, parent
            seen.add(one)
        return depth

    def _placement(self, talk: TalkFile) -> Placement:
        parent = talk.head.get("parent")
        if parent is None:
            return Placement(Relation.ROOT, None)
        return Placement(Relation.DELEGATE, parent if parent in self._talks else None)

    def _session(self, talk: TalkFile) -> SessionRow:
        return SessionRow(
            foreign_id=talk.head["talk"],
            parent_session_id=talk.head.get("parent"),
            source="jotter",
            title=talk.head.get("title"),
            started_at=talk.head["began"],
            mark=talk.mark,
        )


def talk_files(path: Path) -> list[Path]:
    """Return the talks of a folder, or the one that is named."""
    return sorted((path / "talks").glob("*.talk")) if path.is_dir() else [path]


def parse_head(line: bytes) -> Mapping[str, Any] | None:
    """Return the head of a talk; None where the line is none."""
    values = _object(line)
    named = isinstance(values.get("talk"), str) and isinstance(values.get("began"), float)
    return values if named else None


def _parse(line: bytes) -> Mapping[str, Any] | None:
    values = _object(line)
    texts = all(isinstance(values.get(name), str) for name in ("key", "text"))
    known = values.get("who") in _ROLES and isinstance(values.get("at"), float)
    return values if texts and known else None


def _object(line: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _ref(talk: TalkFile, line: TalkLine) -> int:
    """Return a number that no other line of any talk has, in the order of the lines."""
    one = int.from_bytes(blake2b(talk.head["talk"].encode(), digest_size=5).digest(), "big")
    return (one << 20) + line.number


def _row(talk: TalkFile, line: TalkLine) -> MessageRow:
    calls = line.values.get("calls")
    return MessageRow(
        ref=_ref(talk, line),
        origin_key=line.key,
        origin_row_id=line.number,
        role=line.values["who"],
        state=MessageState.LIVE,
        created_at=line.values["at"],
        digest=line.digest,
        token_count=None,
        tool_call_id=line.values.get("answers"),
        tool_name=line.values.get("tool"),
        finish_reason=None,
        text=line.values["text"],
        blocks=None,
        tool_calls=None if calls is None else json.dumps(calls),
        reasoning=None,
        extra=None,
    )


def _conclude(talk: TalkFile, verdicts: dict[int, Verdict], compactions: list[CompactionRow]) -> None:
    """Record each summary that Jotter wrote into a talk: it stands for all lines before it."""
    grammar = JotterGrammar()
    begin = 0
    for at, line in enumerate(talk.lines):
        text = line.values["text"]
        if not (line.values.get("jotted") and grammar.is_known(text) and at > begin):
            continue
        key = f"jotted:{line.key}"
        span = talk.lines[begin:at]
        for old in span:
            known = verdicts.get(_ref(talk, old), Verdict())  # an older summary stays one
            verdicts[_ref(talk, old)] = known._replace(archived_by=key, state=MessageState.COMPACTED)
        verdicts[_ref(talk, line)] = Verdict(MessageKind.HANDOFF)
        (found,) = grammar.spans(text)
        compactions.append(
            CompactionRow(
                key=key,
                realisation=Realisation.NATIVE,
                status=CompactionStatus.COMMITTED,
                session=talk.head["talk"],
                span_first=_ref(talk, span[0]),
                span_last=_ref(talk, span[-1]),
                span_messages=len(span),
                handoff=_ref(talk, line),
                summary=text[found.body_start : found.body_end],
                method=CompactionMethod.MODEL,
                finished_at=line.values["at"],
            )
        )
        begin = at
