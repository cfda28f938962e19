"""A loopback HTTP server that answers as a test says, and remembers what it was asked."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    """One answer: status, body, headers; `drip_seconds` sends it byte by byte that slowly."""

    body: bytes | str | dict[str, Any] = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    drip_seconds: float = 0.0
    hang_up: bool = False

    @property
    def raw(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


@dataclass
class Model:
    """The running server: its URL and the requests it got."""

    url: str
    asked: list[dict[str, Any]]
    headers: list[dict[str, str]]
    paths: list[str]


def completion(text: Any, **more: Any) -> dict[str, Any]:
    """A chat completion with this content."""
    return {"choices": [{"index": 0, "message": {"role": "assistant", "content": text}, **more}]}


@contextmanager
def model(*answers: Answer) -> Iterator[Model]:
    """Serve *answers* one after the other, the last one for ever."""
    waiting = list(answers)
    found = Model("", [], [], [])

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", 0))
            found.asked.append(json.loads(self.rfile.read(length)))
            found.headers.append({name.lower(): value for name, value in self.headers.items()})
            found.paths.append(self.path)
            self._answer(waiting.pop(0) if len(waiting) > 1 else waiting[0])

        def _answer(self, answer: Answer) -> None:
            if answer.hang_up:
                self.connection.close()
                return
            self.send_response(answer.status)
            for name, value in {"content-length": str(len(answer.raw)), **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                if not answer.drip_seconds:
                    self.wfile.write(answer.raw)
                    return
                for byte in answer.raw:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    time.sleep(answer.drip_seconds)
            except OSError:
                return  # the client has had enough, which is what such a test is about

        def log_message(self, *_: Any) -> None:
            """Keep the test output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    found.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
