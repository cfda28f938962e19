"""One entry of a session file. Not here: what entries say together."""

from collections.abc import Iterator
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

from hermes_sessions.agents.json_lines.lines import FileLine, parse_line, read_lines
from hermes_sessions.agents.json_lines.reading import records_of
from hermes_sessions.agents.parsed_values import dict_of, epoch_of, text_of
from hermes_sessions.agents.session_files.told import epoch_of_ms
from hermes_sessions.agents.told_messages import Refuse

HEADER: Final = "session"
MESSAGE: Final = "message"
COMPACTION: Final = "compaction"
BRANCH: Final = "branch_summary"
CUSTOM: Final = "custom_message"
KINDS: Final = frozenset({
    HEADER, MESSAGE, COMPACTION, BRANCH, CUSTOM, "model_change", "thinking_level_change", "custom", "label",
    "session_info",
})  # fmt: skip
ROLES: Final = frozenset({
    "user", "assistant", "toolResult", "bashExecution", "custom", "hookMessage", "branchSummary",
    "compactionSummary",
})  # fmt: skip


class PiEntry(NamedTuple):
    """A line that is an object.

    Attributes:
        at: the offset of its line.
        number: its place among the lines that are objects; the header is 0.
        id: empty in files of the first version.
        digest: a hash of its bytes.
        exact: its bytes in base 64, where they are not UTF-8.
    """

    at: int
    number: int
    kind: str
    id: str
    value: dict[str, Any]
    digest: bytes
    exact: str | None

    @property
    def parent(self) -> str | None:
        """The id of the entry that it follows."""
        return text_of(self.value.get("parentId"))

    @property
    def message(self) -> dict[str, Any]:
        """What it says; empty where it says nothing."""
        return dict_of(self.value.get("message"))

    @property
    def time(self) -> float | None:
        """When it was written, in epoch seconds."""
        told = self.value.get("timestamp")
        return epoch_of(told) or epoch_of_ms(told) or epoch_of_ms(self.message.get("timestamp"))


def read_entries(path: Path, start: int, end: int, refuse: Refuse) -> Iterator[PiEntry]:
    """Yield the entries between two offsets; *refuse* is told of each line that is none and not empty."""
    numbers = count()

    def read(line: FileLine) -> PiEntry | str:
        found = entry_of(line)
        return found if isinstance(found, str) else found._replace(number=next(numbers))

    return records_of(read_lines(path, start, end), read, path.stem, refuse)


def entry_of(line: FileLine) -> PiEntry | str:
    """Return the entry of a line, as if it were the first, or why it is none."""
    parsed = parse_line(line)
    if parsed.value is None or line.raw is None:
        return parsed.reason
    kind = parsed.value.get("type")
    if not isinstance(kind, str):
        return "it has no type"
    if kind == MESSAGE and not dict_of(parsed.value.get("message")):
        return "a message that says nothing"
    digest = blake2b(line.raw, digest_size=8).digest()
    name = text_of(parsed.value.get("id")) or ""
    return PiEntry(line.offset, 0, kind, name, parsed.value, digest, parsed.exact)


def is_ours(entry: PiEntry) -> bool:
    """Return whether nobody else writes such an entry."""
    value = entry.value
    if entry.kind == HEADER:
        return bool(entry.id) and "timestamp" in value and isinstance(value.get("cwd"), str)
    return entry.kind == MESSAGE and "parentId" in value and str(entry.message.get("role")) in ROLES


def exact_extra(entry: PiEntry) -> dict[str, Any]:
    """Return what is kept of a line that is not UTF-8."""
    return {} if entry.exact is None else {"lines_b64": [entry.exact]}
