"""Read a lossless export of ours: checked line by line, messages as a stream.

Whatever the file holds, either every line is what the format says or one error names
the first that is not. What a store does with it is `operations.imports.import_jsonl`.
"""

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from hermes_sessions.agents.contract import Line
from hermes_sessions.errors import SourceError
from hermes_sessions.lineage import Relation
from hermes_sessions.messages import CompactionStatus, MessageKind, MessageState, Realisation
from hermes_sessions.storable_text import is_storable

FORMAT: Final = "hermes_sessions.conversation"
VERSION: Final = 1
_LARGEST: Final = 2**63 - 1

_TEXT, _NUMBER, _REAL = "text", "a whole number", "a number"
_FLAG, _OBJECT, _LINK = "true or false", "an object", "a link"

ORIGIN: Final = {
    "kind": _TEXT, "label": _TEXT, "fingerprint": _TEXT, "schema_version": _TEXT, "created_at": _REAL,
}  # fmt: skip
SESSION: Final = {
    "foreign_id": _TEXT, "public_id": _TEXT, "parent_session_id": _TEXT, "relation": _TEXT, "fork": _FLAG,
    "inherited_count": _NUMBER, "source": _TEXT, "model": _TEXT, "title": _TEXT, "cwd": _TEXT,
    "system_prompt_hash": _TEXT, "started_at": _REAL, "ended_at": _REAL, "end_reason": _TEXT,
    "tool_call_count": _NUMBER, "input_tokens": _NUMBER, "output_tokens": _NUMBER,
    "cache_read_tokens": _NUMBER, "cache_write_tokens": _NUMBER, "reasoning_tokens": _NUMBER,
    "estimated_cost_usd": _REAL, "actual_cost_usd": _REAL, "origin_archived": _FLAG,
    "gone_at": _REAL, "origin_mark": _TEXT, "extra": _OBJECT,
}  # fmt: skip
MESSAGE: Final = {
    "position": _NUMBER, "role": _TEXT, "kind": _TEXT, "handoff_grammar": _TEXT, "state": _TEXT,
    "shown": _FLAG, "created_at": _REAL, "origin_key": _TEXT, "origin_row_id": _NUMBER, "digest": _NUMBER,
    "token_count": _NUMBER, "tool_call_id": _TEXT, "tool_name": _TEXT, "finish_reason": _TEXT,
    "reply_start": _NUMBER, "reply_end": _NUMBER, "text": _TEXT, "blocks": _TEXT, "tool_calls": _TEXT,
    "reasoning": _TEXT, "extra": _OBJECT,
}  # fmt: skip
COMPACTION: Final = {
    "origin_key": _TEXT, "realisation": _TEXT, "status": _TEXT, "fork": _FLAG, "parent_session_id": _TEXT,
    "span_messages": _NUMBER, "span_stored": _FLAG, "head_messages": _NUMBER, "tail_messages": _NUMBER,
    "summary": _TEXT, "method": _TEXT, "summarizer_model": _TEXT, "trigger": _TEXT, "focus": _TEXT,
    "policy": _OBJECT, "tokens_before": _NUMBER, "tokens_after": _NUMBER, "tokens_method": _TEXT,
    "started_at": _REAL, "finished_at": _REAL, "error": _TEXT, "claim": _OBJECT,
}  # fmt: skip
_REQUIRED: Final[dict[str, set[str]]] = {
    "origin": {"number", "kind", "label", "created_at"},
    "system_prompt": {"hash", "text"},
    "session": {
        "number", "origin", "foreign_id", "public_id", "relation", "fork", "inherited_count",
        "tool_call_count", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens",
        "reasoning_tokens", "origin_archived",
    },
    "message": {"number", "session", "position", "role", "kind", "state", "shown"},
    "compaction": {
        "number", "session", "realisation", "status", "fork", "method", "span_stored", "head_messages",
        "tail_messages",
    },
    "end": {"origins", "sessions", "messages", "compactions"},
}  # fmt: skip
_LINKS: Final = {
    "origin": ("number",),
    "session": ("number", "origin", "parent"),
    "message": ("number", "session", "copy_of", "archived_by"),
    "compaction": ("number", "session", "parent", "child", "span_first", "span_last", "handoff"),
}
_FIELDS: Final[dict[str, dict[str, str]]] = {
    "origin": ORIGIN,
    "system_prompt": {"hash": _TEXT, "text": _TEXT},
    "session": SESSION,
    "message": MESSAGE,
    "compaction": COMPACTION,
    "end": dict.fromkeys(("origins", "sessions", "messages", "compactions"), _NUMBER),
}
_CLOSED: Final = {
    ("session", "relation"): Relation,
    ("message", "kind"): MessageKind,
    ("message", "state"): MessageState,
    ("compaction", "realisation"): Realisation,
    ("compaction", "status"): CompactionStatus,
}
_ORDER: Final = ("origin", "system_prompt", "session", "message", "compaction", "end")
_TARGETS: Final = {
    "origin": "origin", "session": "session", "parent": "session", "child": "session", "copy_of": "message",
    "archived_by": "compaction", "span_first": "message", "span_last": "message", "handoff": "message",
}  # fmt: skip


def is_export(path: Path) -> bool:
    """Return whether the file at *path* begins like an export of ours."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            return (
                file.read(len(FORMAT) + 40).replace(b" ", b"").startswith(f'{{"format":"{FORMAT}"'.encode())
            )
    except OSError:
        return False


def export_token(path: Path) -> str:
    """Return a text that changes when the file does.

    Raises:
        SourceError: it is gone.
    """
    try:
        stat = path.stat()
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from error
    return f"{stat.st_size}.{stat.st_mtime_ns}"


@dataclass(slots=True)
class ExportFile:
    """An open export.

    Attributes:
        origins: by number, from 1, as are `sessions`; `prompts` by hash.
        compactions: complete when `messages` was read to its end.
    """

    path: Path
    conversation: str
    origins: list[Line] = field(default_factory=list)
    prompts: dict[str, str] = field(default_factory=dict)
    sessions: list[Line] = field(default_factory=list)
    compactions: list[Line] = field(default_factory=list)
    _lines: Iterator[tuple[int, Line]] = field(default_factory=lambda: iter(()))
    _following: tuple[int, Line] | None = None

    def messages(self) -> Iterator[Line]:
        """Yield the messages in order, then read what follows them; to be called once.

        Raises:
            SourceError: a line is not what the format says, or the file is cut off.
        """
        count = 0
        lowest: dict[int, int] = {}
        far = {"message": 0, "compaction": 0}
        following = self._following
        while following is not None and following[1]["line"] == "message":
            at, line = following
            count += 1
            _expect(self, at, line["number"] == count, "messages are numbered from 1, one by one")
            _expect(self, at, line["session"] <= len(self.sessions), "its session is not in the file")
            _expect(
                self, at, line["position"] >= lowest.get(line["session"], 0), "positions grow in a session"
            )
            lowest[line["session"]] = line["position"] + 1
            far["message"] = max(far["message"], line["copy_of"] or 0)
            far["compaction"] = max(far["compaction"], line["archived_by"] or 0)
            yield line
            following = next(self._lines, None)
        self._finish(following, count, far)

    def _finish(self, following: tuple[int, Line] | None, count: int, far: dict[str, int]) -> None:
        while following is not None and following[1]["line"] == "compaction":
            at, line = following
            self.compactions.append(line)
            _expect(self, at, line["number"] == len(self.compactions), "compactions are numbered from 1")
            for name in ("session", "parent", "child"):
                _expect(self, at, (line[name] or 1) <= len(self.sessions), f"its {name} is not in the file")
            for name in ("span_first", "span_last", "handoff"):
                far["message"] = max(far["message"], line[name] or 0)
            following = next(self._lines, None)
        if following is None or following[1]["line"] != "end":
            raise SourceError(f"{self.path}: is cut off: its last line is not an end line")
        at, end = following
        counted = {
            "origins": len(self.origins), "sessions": len(self.sessions), "messages": count,
            "compactions": len(self.compactions),
        }  # fmt: skip
        _expect(self, at, all(end[name] == told for name, told in counted.items()), "it counts other lines")
        inside = far["message"] <= count and far["compaction"] <= len(self.compactions)
        _expect(self, at, inside, "a line points at one that is not in the file")
        _expect(self, at, next(self._lines, None) is None, "more lines follow the end")


@contextmanager
def open_export(path: Path) -> Iterator[ExportFile]:
    """Open an export and read it up to its first message.

    Raises:
        SourceError: it cannot be read, or is not what the format says.
    """
    try:
        with path.open("rb") as file:
            yield _read_head(path, file)
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror}") from error


def _read_head(path: Path, file: IO[bytes]) -> ExportFile:
    header = _line(path, 1, file.readline())
    if header.get("format") != FORMAT:
        raise SourceError(f"{path}: is not an export of a conversation")
    if header.get("version") != VERSION:
        raise SourceError(
            f"{path}: is an export of version {header.get('version')}; this program reads {VERSION}"
        )
    if header.get("masked"):
        raise SourceError(f"{path}: its secrets were masked, so it is no longer what was said")
    found = ExportFile(path, str(header.get("conversation")))
    found._lines = _checked(path, file)
    for at, line in found._lines:
        if line["line"] not in ("origin", "system_prompt", "session"):
            found._following = (at, line)
            break
        _take(found, at, line)
    if not found.sessions:
        raise SourceError(f"{path}: holds no session")
    for session in found.sessions:
        inside = (session["parent"] or 1) <= len(found.sessions) and session["origin"] <= len(found.origins)
        known = session["system_prompt_hash"] is None or session["system_prompt_hash"] in found.prompts
        _expect(found, session["at"], inside and known, "a line points at one that is not in the file")
    return found


def _take(found: ExportFile, at: int, line: Line) -> None:
    if line["line"] == "system_prompt":
        found.prompts[line["hash"]] = line["text"]
        return
    into = found.origins if line["line"] == "origin" else found.sessions
    into.append({**line, "at": at})
    _expect(found, at, line["number"] == len(into), f"{line['line']}s are numbered from 1, one by one")


# -- lines -----------------------------------------------------------------------------------------


def _checked(path: Path, file: IO[bytes]) -> Iterator[tuple[int, Line]]:
    reached = 0
    for at, written in enumerate(file, start=2):
        line = _line(path, at, written)
        kind = line.get("line")
        if kind not in _FIELDS:
            raise SourceError(f"{path}: line {at}: is of an unknown kind")
        if _ORDER.index(kind) < reached:
            raise SourceError(f"{path}: line {at}: a {kind} line comes after lines of later kinds")
        reached = _ORDER.index(kind)
        yield at, _complete(path, at, kind, line)


def _line(path: Path, at: int, written: bytes) -> Line:
    try:
        value = json.loads(written)
    except (ValueError, RecursionError):
        raise SourceError(f"{path}: line {at}: is not JSON") from None
    if not isinstance(value, dict):
        raise SourceError(f"{path}: line {at}: is not a JSON object")
    return value


def _complete(path: Path, at: int, kind: str, line: Line) -> Line:
    """Return a line with every field of its kind, checked; unknown fields are left out."""
    fields = _FIELDS[kind]
    result: Line = {"line": kind}
    for name in (*fields, *_LINKS.get(kind, ())):
        value = line.get(name)
        expected = fields.get(name, _LINK)
        if value is None and name not in _REQUIRED[kind]:
            result[name] = None
        elif value is None or not _fits(value, expected):
            raise SourceError(f"{path}: line {at}: {kind}.{name} is not {expected}")
        elif (kind, name) in _CLOSED and value not in set(_CLOSED[kind, name]):
            raise SourceError(f"{path}: line {at}: {kind}.{name} has the unknown value {str(value)[:40]!r}")
        else:
            result[name] = float(value) if expected == _REAL else value
    return result


def _fits(value: Any, expected: str) -> bool:
    if expected == _TEXT:
        return isinstance(value, str) and is_storable(value)
    if expected == _FLAG:
        return isinstance(value, bool)
    if expected == _OBJECT:
        return isinstance(value, dict) and _all_storable(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    if expected == _REAL:
        return abs(value) < 1e300
    whole = isinstance(value, int) and -_LARGEST - 1 <= value <= _LARGEST
    return whole and (expected != "link" or value >= 1)


def _all_storable(value: Any) -> bool:
    if isinstance(value, str):
        return is_storable(value)
    if isinstance(value, dict):
        return all(is_storable(name) and _all_storable(inner) for name, inner in value.items())
    if isinstance(value, list):
        return all(_all_storable(inner) for inner in value)
    return not isinstance(value, float) or abs(value) < math.inf


def _expect(found: ExportFile, at: int, holds: bool, rule: str) -> None:
    if not holds:
        raise SourceError(f"{found.path}: line {at}: {rule}")
