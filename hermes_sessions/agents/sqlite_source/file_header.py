"""What the first bytes of a foreign file say, without SQLite.

Pure functions over bytes: the fields of a database header that we use, and one
sentence for whatever is not a database. Not here: opening anything.

Source: SQLite's file format description, sections "The Database Header" and
"The WAL File Format".
"""

import struct
from dataclasses import dataclass
from typing import Final

HEADER_BYTES: Final = 100
PAGE_COUNT_AT: Final = 28
WAL_HEADER_BYTES: Final = 32
MAGIC: Final = b"SQLite format 3\0"
_LOG_MAGICS: Final = (0x377F0682, 0x377F0683)
_LOG_VERSION: Final = 3_007_000
_NOT_DATABASES: Final = (
    (b"version https://git-lfs.github.com/spec/", "a Git LFS pointer, not a database; run `git lfs pull`"),
    (b"\x1f\x8b", "gzip data, not a database; unpack it first"),
    (b"PK\x03\x04", "a zip archive, not a database; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "zstd data, not a database; unpack it first"),
    (b"\xfd7zXZ\0", "xz data, not a database; unpack it first"),
)


@dataclass(frozen=True, slots=True)
class Header:
    """The fields of a database header that tell whether the file is whole.

    Attributes:
        page_size: bytes of a page, a power of two from 512 to 65536.
        page_count: pages the file should have; 0 where the header does not know.
        change_counter: grows with every change outside of a write-ahead log.
    """

    page_size: int
    page_count: int
    change_counter: int


def parse_header(first: bytes) -> Header | None:
    """Return the header in the first 100 bytes of a file, or None when it is none."""
    if len(first) < HEADER_BYTES or not first.startswith(MAGIC):
        return None
    (stored_size,) = struct.unpack(">H", first[16:18])
    page_size = 65536 if stored_size == 1 else stored_size
    if page_size < 512 or page_size & (page_size - 1):
        return None
    change_counter, page_count = struct.unpack(">II", first[24:32])
    (counted_at,) = struct.unpack(">I", first[92:96])
    # Releases before 3.7 did not keep the count; they left the two counters different.
    return Header(page_size, page_count if counted_at == change_counter else 0, change_counter)


def is_log_header(first: bytes) -> bool:
    """Return whether the first 32 bytes of a write-ahead log are a header SQLite accepts.

    It reads a log with any other header as an empty one, and says nothing.
    """
    if len(first) < WAL_HEADER_BYTES:
        return False
    magic, version, page_size = struct.unpack(">III", first[:12])
    if magic not in _LOG_MAGICS or version != _LOG_VERSION:
        return False
    if not 512 <= page_size <= 65536 or page_size & (page_size - 1):
        return False
    # The last bit of the magic number is the byte order of the sums, not of the header.
    words = struct.unpack(">6I" if magic & 1 else "<6I", first[:24])
    one = two = 0
    for even, odd in zip(words[::2], words[1::2], strict=True):
        one = (one + even + two) % 2**32
        two = (two + odd + one) % 2**32
    return (one, two) == struct.unpack(">II", first[24:32])


def describe_non_database(first: bytes) -> str:
    """Return what a file that begins with *first*, and is no database, seems to be."""
    if not first:
        return "an empty file, not a database"
    for magic, what in _NOT_DATABASES:
        if first.startswith(magic):
            return what
    if first.startswith(MAGIC[:15]):
        return "a SQLite database cut off or damaged inside its header"
    if not first.strip(b"\0"):
        return "not a SQLite database: it begins with zero bytes"
    if _looks_like_text(first):
        return "a text file, not a SQLite database"
    return "not a SQLite database (or an encrypted one)"


def _looks_like_text(first: bytes) -> bool:
    try:
        text = first.decode()
    except UnicodeDecodeError as error:
        # The cut after the first bytes may fall inside a character.
        if error.start < len(first) - 3:
            return False
        text = first[: error.start].decode()
    return all(char.isprintable() or char in "\t\r\n\f" for char in text)
