"""What a file was when it was read, and what became of it since: the same, longer, or another."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

from hermes_sessions.agents.json_lines.lines import whole_end

LOOKED_AT: Final = 4096
"""Bytes at the beginning and at the end by which a file is known again."""


class FileChange(StrEnum):
    """What became of a file."""

    SAME = "same"
    GROWN = "grown"
    REWRITTEN = "rewritten"


class WrittenState(NamedTuple):
    """A file at the moment of reading; JSON as it is.

    Attributes:
        size: in bytes.
        modified: in nanoseconds.
        whole: the offset after its last whole line: it is read up to there.
        first: a hash of its first 4 KiB.
        last: a hash of the 4 KiB that end at `whole`.
    """

    size: int
    modified: int
    whole: int
    first: str
    last: str

    @property
    def torn(self) -> int:
        """Bytes at the end that are not yet a line."""
        return self.size - self.whole

    @property
    def mark(self) -> str:
        """A text that changes when what can be read does."""
        return f"{self.whole}.{self.first}.{self.last}.{self.modified}"


def known_state(told: Any) -> WrittenState | None:
    """Return a state that was kept as JSON; None where it is none."""
    if not isinstance(told, Sequence) or len(told) != len(WrittenState._fields):
        return None
    numbers, texts = told[:3], told[3:]
    fit = all(type(one) is int and one >= 0 for one in numbers) and all(type(one) is str for one in texts)
    return WrittenState(*told) if fit else None


def look_at(path: Path, known: WrittenState | None) -> tuple[WrittenState, FileChange]:
    """Return what the file at *path* is now, and what became of it since it was *known*.

    A file whose size and time are as they were is not opened.
    """
    stat = path.stat()
    if known is not None and (known.size, known.modified) == (stat.st_size, stat.st_mtime_ns):
        return known, FileChange.SAME
    whole = whole_end(path, stat.st_size)
    first, last = _hashes(path, min(stat.st_size, LOOKED_AT), whole)
    found = WrittenState(stat.st_size, stat.st_mtime_ns, whole, first, last)
    if known is None or whole <= known.whole or known.whole < LOOKED_AT:
        return found, FileChange.REWRITTEN
    same = _hashes(path, LOOKED_AT, known.whole) == (known.first, known.last) and _ends(path, known.whole)
    return found, FileChange.GROWN if same else FileChange.REWRITTEN


def begins_with(path: Path, known: WrittenState) -> bool:
    """Return whether the file at *path* begins with all that another one was when it was *known*.

    It is looked at as a file that may have grown: its first 4 KiB, and the 4 KiB before the other's end.
    """
    if known.whole == 0 and known.size > LOOKED_AT:
        return False
    try:
        found = _hashes(path, min(known.size, LOOKED_AT), known.whole)
    except OSError:
        return False
    return found == (known.first, known.last)


def stat_text(files: Iterable[Path]) -> str:
    """Return names, sizes and times of files; nothing for those that are not there."""
    return "".join(_stat_line(one, one.name) for one in files)


def token_of(files: Iterable[Path]) -> str:
    """Return a digest of names, sizes and times."""
    told = blake2b(digest_size=12)
    for one in files:
        told.update(_stat_line(one, str(one)).encode("utf-8", "surrogateescape"))
    return told.hexdigest()


def _stat_line(file: Path, name: str) -> str:
    try:
        stat = file.stat()
    except OSError:
        return ""
    return f"{name}\0{stat.st_size}\0{stat.st_mtime_ns}\n"


def _hashes(path: Path, head: int, whole: int) -> tuple[str, str]:
    with path.open("rb") as file:
        first = file.read(head)
        begin = max(0, whole - LOOKED_AT)
        file.seek(begin)
        return _hash(first), _hash(file.read(whole - begin))


def _ends(path: Path, at: int) -> bool:
    """Return whether a line ends at an offset: what was whole may have been the half of a longer line."""
    with path.open("rb") as file:
        file.seek(at - 1)
        return b"\n" in file.read(2)


def _hash(read: bytes) -> str:
    return blake2b(read, digest_size=8).hexdigest()
