"""Processes that read families: started, asked, listened to, ended. None outlives the one who started it.

A process is this interpreter with this program's path and nothing else: the script that asked for the
import is not run a second time, as `multiprocessing` would do where it starts processes anew.
"""

import contextlib
import json
import subprocess
import sys
import threading
from collections import deque
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Final

from hermes_sessions.agents.contract import PortableSource
from hermes_sessions.operations.imports.parallel.family_frames import (
    FamilyTask,
    ReadingOrder,
    packed,
    read_frame,
    unpacked,
)

_START: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]);"
    " from hermes_sessions.operations.imports.parallel.reading_process import main; main()"
)
_WAITING_BYTES: Final = 20_000_000
"""So much of what a process says is taken in before it is asked for; then the process waits."""
_END_SECONDS: Final = 5.0


class ReadingProcess:
    """One process, that is told first what to read from. It answers in the order in which it is asked."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _START, json.dumps([one for one in sys.path if one])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._said = _Frames()
        self._asked: SimpleQueue[bytes | None] = SimpleQueue()
        self._threads = [
            threading.Thread(target=one, name=f"reading process {self._process.pid}", daemon=True)
            for one in (self._write, self._read)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    def begin(self, order: bytes) -> None:
        """Say what it reads from: the frame of a `ReadingOrder`."""
        self._asked.put(order)

    def ask(self, task: FamilyTask) -> None:
        """Ask for a family."""
        self._asked.put(packed(task))

    @property
    def has_said(self) -> bool:
        """Whether there is something to take, or it has ended: `answer` would not wait."""
        return self._said.is_ready()

    def answer(self) -> Any:
        """Wait for the next value that it says; None where it has ended."""
        frame = self._said.take()
        return None if frame is None else unpacked(frame)

    def end(self) -> None:
        """End it, whatever it does; nothing of it is left."""
        self._process.kill()
        self._said.close()
        self._asked.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        for thread in self._threads:
            thread.join(_END_SECONDS)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _write(self) -> None:
        stream = self._process.stdin
        with contextlib.suppress(OSError, ValueError):  # it has ended: whoever listens is told so
            while stream is not None and (frame := self._asked.get()) is not None:
                stream.write(frame)
                stream.flush()

    def _read(self) -> None:
        stream = self._process.stdout
        with contextlib.suppress(OSError, ValueError):
            while stream is not None and (frame := read_frame(stream)) is not None:  # type: ignore[arg-type]
                self._said.put(frame)
        self._said.close()


class EarlyProcesses:
    """Processes that get ready while a source is still being opened; a context manager that ends the rest."""

    def __init__(self, count: int) -> None:
        self._processes: list[ReadingProcess] = []
        with contextlib.suppress(OSError):  # no further process can be started: those that are there do it
            self._processes.extend(ReadingProcess() for _ in range(count))

    def take(self) -> list[ReadingProcess]:
        """Return them; whoever has them ends them."""
        taken, self._processes = self._processes, []
        return taken

    def __enter__(self) -> "EarlyProcesses":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for one in self.take():
            one.end()


class ReadingPool:
    """Some processes that read one source; a context manager that ends them."""

    def __init__(
        self, source: PortableSource, grammar: str, count: int, early: EarlyProcesses | None = None
    ) -> None:
        order = packed(ReadingOrder(source, grammar))
        self.processes = early.take() if early is not None else []
        with contextlib.suppress(OSError):  # as above
            self.processes.extend(ReadingProcess() for _ in range(count - len(self.processes)))
        for one in self.processes:
            one.begin(order)

    def __enter__(self) -> "ReadingPool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for one in self.processes:
            one.end()


class _Frames:
    """Frames that wait to be taken; whoever puts more than fit waits as well."""

    def __init__(self) -> None:
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._closed = False
        self._moved = threading.Condition()

    def put(self, frame: bytes) -> None:
        with self._moved:
            while self._bytes > _WAITING_BYTES and not self._closed:
                self._moved.wait()
            self._frames.append(frame)
            self._bytes += len(frame)
            self._moved.notify_all()

    def take(self) -> bytes | None:
        with self._moved:
            while not self._frames and not self._closed:
                self._moved.wait()
            if not self._frames:
                return None
            frame = self._frames.popleft()
            self._bytes -= len(frame)
            self._moved.notify_all()
            return frame

    def is_ready(self) -> bool:
        with self._moved:
            return self._closed or bool(self._frames)

    def close(self) -> None:
        with self._moved:
            self._closed = True
            self._moved.notify_all()
