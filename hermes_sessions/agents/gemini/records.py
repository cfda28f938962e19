"""One line of a session file, and the messages that are in one. Not here: what lines say together."""

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

from hermes_sessions.agents.json_lines.lines import FileLine, parse_line, read_lines
from hermes_sessions.agents.json_lines.reading import records_of
from hermes_sessions.agents.parsed_values import dict_of, epoch_of, text_of
from hermes_sessions.agents.session_files.json_document import read_document
from hermes_sessions.agents.told_messages import Refuse

SET: Final = "$set"
REWIND: Final = "$rewindTo"
SUFFIX: Final = ".json"
"""Of files that are one object, as older releases wrote them."""
TYPES: Final = frozenset({"user", "gemini", "info", "error", "warning"})


class GeminiRecord(NamedTuple):
    """A line that is an object.

    Attributes:
        line: it, to be read once more.
        kind: "header", "message", `SET`, `REWIND`, or what nobody here knows.
        digest: a hash of its bytes.
        exact: its bytes in base 64, where they are not UTF-8.
    """

    line: FileLine
    kind: str
    value: dict[str, Any]
    digest: bytes
    exact: str | None

    @property
    def id(self) -> str | None:
        """The id of the message that it is."""
        return text_of(self.value.get("id"))

    @property
    def changes(self) -> dict[str, Any]:
        """What it sets."""
        return dict_of(self.value.get(SET))

    @property
    def listed(self) -> list[dict[str, Any]] | None:
        """The messages that it puts in the place of all; None where it puts none."""
        found = self.changes.get("messages")
        return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else None


def read_records(path: Path, end: int, refuse: Refuse) -> Iterator[GeminiRecord]:
    """Yield the lines up to an offset, or the parts of a file that is one object.

    *refuse* is told of each line that is none and not empty.

    Raises:
        OSError: the file cannot be read.
        SourceError: it is not the object that it should be.
    """
    return records_of(file_lines(path, end), record_of, path.stem, refuse)


def file_lines(path: Path, end: int) -> Iterator[FileLine]:
    """Yield the lines of a file; of one that is an object, its messages."""
    if path.suffix == SUFFIX:
        yield from read_document(path, "messages").items
    else:
        yield from read_lines(path, 0, end)


def record_of(line: FileLine) -> GeminiRecord | str:
    """Return the record of a line, or why it is none."""
    parsed = parse_line(line)
    value = parsed.value
    if value is None or line.raw is None:
        return parsed.reason
    digest = blake2b(line.raw, digest_size=8).digest()
    return GeminiRecord(line, _kind(value), value, digest, parsed.exact)


def time_of(message: Mapping[str, Any]) -> float | None:
    """Return when a message was written, in epoch seconds."""
    return epoch_of(message.get("timestamp"))


def _kind(value: Mapping[str, Any]) -> str:
    if SET in value:
        return SET
    if REWIND in value:
        return REWIND
    if isinstance(value.get("type"), str):
        return "message"
    if text_of(value.get("sessionId")) is not None:
        return "header"
    return f"with {next(iter(value), 'nothing')!s}"
