"""What a compressed file of lines is: read to its end once, without keeping it in memory."""

import os
from hashlib import blake2b
from pathlib import Path
from typing import Final

from hermes_sessions.agents.json_lines.file_state import LOOKED_AT, WrittenState
from hermes_sessions.agents.json_lines.lines import LONGEST, is_whole
from hermes_sessions.agents.json_lines.opened import DAMAGED, open_plain

MOST: Final = 4 << 30
"""Bytes of the plain file that are read."""
_PIECE: Final = 1 << 20


def compressed_state(path: Path, stat: os.stat_result) -> tuple[WrittenState, str]:
    """Return what a compressed file is, and why it is not read to its end ("" if it is).

    Raises:
        OSError: it cannot be opened.
    """
    at = whole = 0
    first = last = tail = rest = b""
    long = False
    spoiled = ""
    try:
        with open_plain(path) as file:
            while piece := file.read1(_PIECE):
                first += piece[: max(0, LOOKED_AT - len(first))]
                feed = piece.rfind(b"\n")
                if feed >= 0:
                    whole = at + feed + 1
                    last = (tail + piece[: feed + 1])[-LOOKED_AT:]
                    rest, long = b"", False
                rest, long = _held(rest, piece[feed + 1 :], long=long)
                tail = (tail + piece)[-LOOKED_AT:]
                at += len(piece)
                if at >= MOST:
                    spoiled = f"more than {MOST:,} bytes when it is plain; the rest is left out"
                    break
    except DAMAGED as error:
        spoiled = f"compressed data are damaged: {str(error).lower() or 'cut off'}"
    if not spoiled and not long and is_whole(rest):
        whole, last = at, tail
    hashes = (blake2b(one, digest_size=8).hexdigest() for one in (first, last))
    return WrittenState(stat.st_size, stat.st_mtime_ns, whole, *hashes), spoiled


def _held(rest: bytes, more: bytes, *, long: bool) -> tuple[bytes, bool]:
    """Return what follows the last line feed so far, and whether that is too long to be held."""
    if long or len(rest) + len(more) > LONGEST:
        return b"", True
    return rest + more, False
