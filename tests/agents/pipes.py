"""A pipe that nobody writes to: who opens it as a file waits for ever."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_SECONDS = 10


@contextmanager
def never_written(path: Path) -> Iterator[None]:
    """Have a pipe at *path* meanwhile; who waits for it fails after some seconds."""
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no pipes in folders")

    def waited(*_: object) -> None:
        raise AssertionError(f"{path} was waited for")

    os.mkfifo(path)
    before = signal.signal(signal.SIGALRM, waited)
    signal.alarm(_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        path.unlink()
