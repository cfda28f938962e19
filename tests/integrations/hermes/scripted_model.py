"""A model on loopback that plays a long conversation, call after call, and that summarises.

What it says holds facts to ask for later: values in the user's requests, decisions in
the replies, errors in results of the tool.
"""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "scripted-model"
TOOL = "look_up"
MEDIOCRE = "## Goal\nThe user works on a set of services.\n\n## State\nSeveral records were looked up."
"""The same summary whatever is asked: it keeps nothing of what matters."""

ERRORS = (
    "PermissionError: [Errno 13] Permission denied: '/srv/service-{turn}/state.lock'",
    "ConnectionRefusedError: [Errno 111] Connection refused by 10.4.{turn}.7",
    "psycopg.OperationalError: server closed the connection of worker-{turn} unexpectedly",
    "KeyError: 'QUEUE_DRIVER_{turn}'",
    "error: failed to push some refs to 'origin/release-{turn}'",
    "TypeError: migrate_{turn}() missing 1 required argument: 'lock'",
    "OSError: [Errno 28] No space left on device: '/var/spool/{turn}'",
    "ModuleNotFoundError: No module named 'driver_{turn}'",
)


@dataclass
class Conversation:
    """What is played: how many calls each turn makes, and how large their results are."""

    calls: tuple[int, ...] = (15, 15, 15, 15, 15, 15, 14, 14)
    result_chars: int = 5_200

    def request(self, turn: int) -> str:
        return (
            f"Request {turn}: migrate service-{turn}; it listens on port {8130 + turn * 7} and its"
            f" database is store{turn}.example.net."
        )

    def user_facts(self, turn: int) -> list[str]:
        return [str(8130 + turn * 7), f"store{turn}.example.net"]

    def reply(self, turn: int) -> str:
        return (
            f"Done with service-{turn}. Decision {turn}: we keep the queue driver at version 4.{turn}.2"
            f" because of the lock in worker-{turn}."
        )

    def decision(self, turn: int) -> str:
        return f"4.{turn}.2"

    def error(self, turn: int) -> str:
        return ERRORS[turn % len(ERRORS)].format(turn=turn)

    def error_fact(self, turn: int) -> str:
        return self.error(turn).split(": ", 1)[1]


@dataclass
class Played:
    """The running model: where it is, what it was asked, how it answers a summariser.

    Attributes:
        requests: bodies of the requests of the conversation, in order.
        turns: the turn of each of these.
        summaries: bodies of the requests for a summary.
        summary: `mediocre`, `error`, `nothing`, `unauthorized` or `hang`.
    """

    conversation: Conversation
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    summaries: list[dict[str, Any]] = field(default_factory=list)
    summary: str = "mediocre"
    turn: int = 0
    called: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next_message(self, body: dict[str, Any]) -> dict[str, Any]:
        with self.lock:
            self.requests.append(body)
            self.turns.append(self.turn)
            if self.called < self.conversation.calls[self.turn]:
                self.called += 1
                name = f"call_{self.turn}_{self.called}"
                path = f"/srv/service-{self.turn}/record-{self.called}.txt"
                arguments = json.dumps({"path": path, "turn": self.turn, "number": self.called})
                call = {"id": name, "type": "function", "function": {"name": TOOL, "arguments": arguments}}
                return {
                    "role": "assistant",
                    "content": f"Looking up record {self.called}.",
                    "tool_calls": [call],
                }
            reply = self.conversation.reply(self.turn)
            self.turn, self.called = min(self.turn + 1, len(self.conversation.calls) - 1), 0
            return {"role": "assistant", "content": reply}


@contextmanager
def scripted_model(  # noqa: C901 - a server is a class in a function
    conversation: Conversation, summary: str = "mediocre"
) -> Iterator[Played]:
    """Serve the conversation on loopback."""
    played = Played(conversation, summary=summary)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            listed = {"object": "list", "data": [{"id": MODEL, "object": "model", "context_length": 90_000}]}
            self._send(200, json.dumps(listed).encode())

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length", 0)))
            body = json.loads(raw or b"{}")
            if "chat/completions" not in self.path:
                self._send(404, b"{}")
            elif body.get("tools"):
                self._complete(body, played.next_message(body))
            else:
                played.summaries.append(body)
                self._summarise(body)

        def _summarise(self, body: dict[str, Any]) -> None:
            if played.summary == "error":
                self._send(500, b'{"error": {"message": "the server has a problem"}}')
            elif played.summary == "unauthorized":
                self._send(401, b'{"error": {"message": "invalid api key"}}')
            elif played.summary == "hang":
                time.sleep(8)
            else:
                text = "" if played.summary == "nothing" else MEDIOCRE
                self._complete(body, {"role": "assistant", "content": text})

        def _complete(self, body: dict[str, Any], message: dict[str, Any]) -> None:
            prompt = len(json.dumps(body, ensure_ascii=False)) // 4
            usage = {"prompt_tokens": prompt, "completion_tokens": 20, "total_tokens": prompt + 20}
            reason = "tool_calls" if message.get("tool_calls") else "stop"
            head = {"id": "c", "created": 1, "model": MODEL}
            if not body.get("stream"):
                choice = {"index": 0, "message": message, "finish_reason": reason}
                whole = {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
                self._send(200, json.dumps(whole).encode())
                return
            calls = [{"index": at, **call} for at, call in enumerate(message.get("tool_calls") or [])]
            delta = {**message, **({"tool_calls": calls} if calls else {})}
            head["object"] = "chat.completion.chunk"
            chunks = [
                {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
                {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
                {**head, "choices": [], "usage": usage},
            ]
            lines = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
            self._send(200, lines.encode(), "text/event-stream")

        def _send(self, status: int, raw: bytes, kind: str = "application/json") -> None:
            try:
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)
            except OSError:
                return  # the client gave up, which is what such a test is about

        def log_message(self, *_: Any) -> None:
            """Keep the test output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    played.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield played
    finally:
        server.shutdown()
        server.server_close()
