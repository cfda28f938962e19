"""The lines of a file, one at a time: a line that cannot be read is named, the others are read.

Lines end at a line feed alone. What follows the last one is read where it is a whole object: many agents
write none at the end. Anything else is being written, and is not read.
"""

import base64
import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

import msgspec

from hermes_sessions.agents.json_lines.opened import DAMAGED, open_plain

LONGEST: Final = 16_000_000
"""Bytes of a line that is still read; a longer one is passed over in pieces, but for `LargerLines`."""
MOST_VALUES: Final = 2_000_000
"""Of a line longer than that: signs that may stand for a value of their own, each larger than its text."""
DEEPEST: Final = 400
"""Levels of a line that is still read: what is read can be written again, whoever asks for it."""
_PIECE: Final = 1 << 20
_BEGINNING: Final = 512
# Possessive, so that a text is gone through once and nothing of it is remembered; one may be unclosed.
_BRACKETS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{]|[\]}]', re.S)
_DECODER: Final = msgspec.json.Decoder()


class FileLine(NamedTuple):
    """One line of a file.

    Attributes:
        offset: where it begins.
        end: where the next one begins.
        raw: its bytes without the line feed; None where it is too long.
        longest: what it may have; 0 is `LONGEST`.
    """

    offset: int
    end: int
    raw: bytes | None
    longest: int = 0


class LargerLines(NamedTuple):
    """Lines that are read though they are longer than `LONGEST`.

    Attributes:
        begins: says by its first bytes whether a line is such a one.
        longest: bytes that it may have.
    """

    begins: Callable[[bytes], bool]
    longest: int


class ParsedLine(NamedTuple):
    """What a line says.

    Attributes:
        value: the object; None where it is none, and `reason` says why.
        exact: its bytes in base 64, where they are not UTF-8 and were replaced in `value`.
    """

    value: dict[str, Any] | None
    reason: str = ""
    exact: str | None = None


def read_lines(path: Path, start: int, end: int, larger: LargerLines | None = None) -> Iterator[FileLine]:
    """Yield the lines of a file from byte *start*, where a line begins, to byte *end*."""
    try:
        with open_plain(path) as file:
            file.seek(start)
            yield from _lines(file, start, end, larger)
    except DAMAGED:
        return  # compressed data that end early: what was read before is whole


def count_lines(path: Path, start: int, end: int) -> int:
    """Return the number of lines between two offsets; the last may have no line feed."""
    lines, left, last = 0, end - start, b""
    with open_plain(path) as file:
        file.seek(start)
        while left > 0 and (piece := file.read(min(_PIECE, left))):
            left -= len(piece)
            lines += piece.count(b"\n")
            last = piece[-1:]
    return lines + (last not in (b"", b"\n"))


def parse_line(line: FileLine) -> ParsedLine:
    """Return the object of a line, or why there is none."""
    if line.raw is None:
        most = line.longest or LONGEST
        return ParsedLine(None, f"{line.end - line.offset:,} bytes long; at most {most:,} are read")
    if line.offset == 0 and line.raw.startswith(BOM_UTF8):  # some editors put it before a file
        return _parsed(line, line.raw[len(BOM_UTF8) :])
    return _parsed(line, line.raw)


def _parsed(line: FileLine, raw: bytes) -> ParsedLine:
    large = len(raw) > LONGEST
    if large and sum(raw.count(sign) for sign in (b",", b"[", b"{")) > MOST_VALUES:
        return ParsedLine(None, f"{line.end - line.offset:,} bytes long, with too many values for that")
    if raw.count(b"[") + raw.count(b"{") > DEEPEST and _depth(raw) > DEEPEST:
        return ParsedLine(None, "nested too deeply")
    try:
        return _object(_DECODER.decode(raw))
    except (ValueError, RecursionError):  # msgspec refuses half characters, which JSON may spell
        if large:  # another form of it would be several times as large
            return ParsedLine(None, f"{line.end - line.offset:,} bytes long, and not JSON in UTF-8")
    text = raw.decode("utf-8", "replace")
    try:
        found = _object(json.loads(text))
    except RecursionError:
        return ParsedLine(None, "nested too deeply")
    except ValueError:
        return ParsedLine(None, "not JSON" if raw.strip(b"\0") else "NUL bytes")
    if found.value is None or text.encode("utf-8", "surrogatepass") == raw:
        return found
    return found._replace(exact=base64.b64encode(raw).decode("ascii"))


def whole_end(path: Path, size: int) -> int:
    """Return where the last whole line among the first *size* bytes ends; 0 where there is none.

    It ends with its line feed, or with the bytes where they are an object.
    """
    fed = _last_feed(path, size)
    if not 0 < size - fed <= LONGEST:
        return fed
    with path.open("rb") as file:
        file.seek(size - 1)
        if file.read(1) != b"}":  # most of what is half written is told by it
            return fed
        file.seek(fed)
        return size if is_whole(file.read(size - fed)) else fed


def is_whole(rest: bytes) -> bool:
    """Return whether what follows a last line feed is a whole line."""
    return rest.endswith(b"}") and parse_line(FileLine(0, len(rest), rest)).value is not None


def _last_feed(path: Path, size: int) -> int:
    with path.open("rb") as file:
        at = size
        while at > 0:
            begin = max(0, at - _PIECE)
            file.seek(begin)
            found = file.read(at - begin).rfind(b"\n")
            if found >= 0:
                return begin + found + 1
            at = begin
    return 0


def _lines(file: IO[bytes], start: int, end: int, larger: LargerLines | None) -> Iterator[FileLine]:
    at = start
    while at < end:
        raw = file.readline(min(LONGEST + 1, end - at))
        if not raw:
            return
        begin, at, longest = at, at + len(raw), 0
        if larger is not None and _is_cut(raw, LONGEST) and larger.begins(raw[:_BEGINNING]):
            longest = larger.longest
            rest = file.readline(min(longest + 1 - len(raw), end - at))
            at += len(rest)
            raw += rest
            del rest
        long = _is_cut(raw, longest or LONGEST)
        while long and at < end:
            piece = file.readline(min(_PIECE, end - at))
            at += len(piece)
            if not piece or piece.endswith(b"\n"):
                break
        if not long and raw.endswith(b"\n"):
            raw = raw[:-1]
        yield FileLine(begin, at, None if long else raw, longest)
        del raw  # it may be large, and the next one is read now


def _is_cut(raw: bytes, longest: int) -> bool:
    return len(raw) > longest and not raw.endswith(b"\n")


def _depth(raw: bytes) -> int:
    """Return how deep brackets are nested, those in texts left out."""
    deepest = depth = 0
    for match in _BRACKETS.finditer(raw):
        sign = match[0]
        if sign in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in b"]}":
            depth -= 1
    return deepest


def _object(value: Any) -> ParsedLine:
    return ParsedLine(value) if isinstance(value, dict) else ParsedLine(None, "not an object")
