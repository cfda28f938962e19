"""One record of a transcript, and which of its files it comes from. Not here: what records say together."""

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

from hermes_sessions.agents.json_lines.lines import FileLine, parse_line, read_lines
from hermes_sessions.agents.json_lines.reading import records_of
from hermes_sessions.agents.parsed_values import epoch_of, text_of
from hermes_sessions.agents.told_messages import Refuse

MAIN: Final = "main"
SIDE: Final = "side"
"""The two streams of a file: what the user sees, and what an agent inside said (older releases)."""

KNOWN_KINDS: Final = frozenset({
    "user", "assistant", "system", "attachment", "progress", "summary", "ai-title", "custom-title",
    "last-prompt", "permission-mode", "mode", "agent-name", "agent-color", "agent-setting", "pr-link",
    "queue-operation", "file-history-snapshot", "content-replacement", "worktree-state", "task-summary",
    "tag",
})  # fmt: skip
_KNOWN_EVENTS: Final = frozenset({
    "turn_duration", "local_command", "api_error", "stop_hook_summary", "away_summary", "compact_boundary",
    "microcompact_boundary", "informational",
})  # fmt: skip
"""What records of the kind `system` are about."""
_KNOWN_AS: Final = ("marble-origami-",)
_OPENING: Final = "This session is being continued from a previous conversation that ran out of context."


class TalkRecord(NamedTuple):
    """A line that is an object.

    Attributes:
        at: the offset of its line.
        end: the offset of the next one.
        digest: a hash of its bytes.
        exact: its bytes in base 64, where they are not UTF-8.
    """

    at: int
    end: int
    kind: str
    uuid: str | None
    value: dict[str, Any]
    digest: bytes
    exact: str | None

    @property
    def key(self) -> str:
        """What it is found again by: its id, else its bytes."""
        return self.uuid or f"line:{self.digest.hex()}"

    @property
    def parent(self) -> str | None:
        """The id of the record it follows."""
        return text_of(self.value.get("parentUuid"))

    @property
    def time(self) -> float | None:
        """When it was written, in epoch seconds."""
        return epoch_of(self.value.get("timestamp"))

    @property
    def message(self) -> dict[str, Any]:
        """What it says; empty where it says nothing."""
        found = self.value.get("message")
        return found if isinstance(found, dict) else {}

    @property
    def unknown(self) -> str | None:
        """What it is, where nobody here knows that; None for all others."""
        if self.kind == "system":
            about = text_of(self.value.get("subtype"))
            return f"system: {about}" if about is not None and about not in _KNOWN_EVENTS else None
        return None if self.kind in KNOWN_KINDS or self.kind.startswith(_KNOWN_AS) else self.kind

    @property
    def session(self) -> str | None:
        """The session that it names."""
        return text_of(self.value.get("sessionId"))

    @property
    def forked_from(self) -> str | None:
        """The session that it says it was copied from."""
        found = self.value.get("forkedFrom")
        return text_of(found.get("sessionId")) if isinstance(found, dict) else None

    @property
    def is_side(self) -> bool:
        """Whether an agent inside the session wrote it."""
        return self.value.get("isSidechain") is True

    @property
    def is_boundary(self) -> bool:
        """Whether a compaction ends here."""
        return self.kind == "system" and self.value.get("subtype") == "compact_boundary"

    @property
    def is_prune(self) -> bool:
        """Whether results of tools were cleared here."""
        return self.kind == "system" and self.value.get("subtype") == "microcompact_boundary"

    @property
    def is_summary(self) -> bool:
        """Whether it is a compaction's summary: by its flag; older ones begin a tree with the sentence."""
        if self.kind != "user":
            return False
        if self.value.get("isCompactSummary") is True:
            return True
        content = self.message.get("content")
        return self.parent is None and isinstance(content, str) and content.startswith(_OPENING)


def read_records(path: Path, start: int, end: int, refuse: Refuse) -> Iterator[TalkRecord]:
    """Yield the records between two offsets; *refuse* is told of each line that is none and not empty."""
    return records_of(read_lines(path, start, end), record_of, path.stem, refuse)


def record_of(line: FileLine) -> TalkRecord | str:
    """Return the record of a line, or why it is none."""
    parsed = parse_line(line)
    if parsed.value is None or line.raw is None:
        return parsed.reason
    kind = parsed.value.get("type")
    if not isinstance(kind, str):
        return "it has no type"
    digest = blake2b(line.raw, digest_size=8).digest()
    uuid = text_of(parsed.value.get("uuid"))
    return TalkRecord(line.offset, line.end, kind, uuid, parsed.value, digest, parsed.exact)
