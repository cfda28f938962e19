"""A recall server as a process, talked to line by line."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

COMMAND = [sys.executable, "-m", "hermes_sessions", "mcp"]
WAIT_SECONDS = 120
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


class Running:
    """The process, and every line that it wrote to standard output."""

    def __init__(self, process: "subprocess.Popen[bytes]", errors: Path) -> None:
        self.process = process
        self.errors = errors
        self.lines: list[bytes] = []
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        self.ask("initialize", HELLO, number=0)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    @property
    def stdin(self) -> IO[bytes]:
        assert self.process.stdin is not None
        return self.process.stdin

    def send(self, message: Mapping[str, Any] | bytes) -> None:
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.stdin.write(line + b"\n")
        self.stdin.flush()

    def ask(self, method: str, params: Mapping[str, Any], number: int) -> dict[str, Any]:
        """Send a request and wait for its response."""
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return self.wait_for(number)

    def call(self, tool: str, number: int, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return what the protocol says of it."""
        return self.ask("tools/call", {"name": tool, "arguments": arguments}, number)

    def wait_for(self, number: int) -> dict[str, Any]:
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            for line in self.lines:
                message: dict[str, Any] = json.loads(line)
                if message.get("id") == number and "method" not in message:
                    return message
            time.sleep(0.02)
        raise AssertionError(f"no answer to {number}: {self.errors.read_text()[-2000:]}")

    def end(self) -> int:
        """Close standard input and return the exit code."""
        self.stdin.close()
        code = self.process.wait(WAIT_SECONDS)
        self._thread.join(5)
        return code

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)


@contextmanager
def running(folder: Path, *options: str) -> Iterator[Running]:
    """Start a server with *options*; what it says on standard error is in `folder/errors.txt`."""
    errors = folder / "errors.txt"
    with errors.open("wb") as log:
        process = subprocess.Popen(
            [*COMMAND, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
        )
        try:
            yield Running(process, errors)
        finally:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                assert pipe is not None
                pipe.close()
