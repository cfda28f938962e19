"""Files of lines, plain or compressed with zstd: opened the same way. Offsets are those of the plain file."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Final, cast

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SUFFIX: Final = ".zst"
DAMAGED: Final = (EOFError, zstd.ZstdError)
"""What reading raises where compressed data are cut off, or are none."""


@contextmanager
def open_plain(path: Path) -> Iterator[BufferedReader]:
    """Open a file to read what it was before it was compressed."""
    if path.suffix != SUFFIX:
        with path.open("rb") as file:
            yield file
        return
    with zstd.open(path, "rb") as opened:
        yield cast(BufferedReader, opened)
