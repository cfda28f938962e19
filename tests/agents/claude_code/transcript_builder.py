"""Write transcripts as Claude Code does: records with ids, each after the one before it."""

import json
import random
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

BEGAN = 1_780_000_000.0
OPENING = (
    "This session is being continued from a previous conversation that ran out of context. "
    "The summary below covers the earlier portion of the conversation.\n\n"
)
CLOSING = "\nContinue the conversation from where it left off without asking the user any further questions."


class Transcript:
    """One file; `records` are its lines as values.

    Attributes:
        parent: the record that the next one follows.
    """

    def __init__(self, path: Path, session: str | None = None, **common: Any) -> None:
        self.path = path
        self.session = session or path.stem
        self.common = common
        self.records: list[dict[str, Any]] = []
        self.parent: str | None = None

    @classmethod
    def of(cls, path: Path) -> "Transcript":
        """Read a file that was written before, without what is half written at its end."""
        talk = cls(path)
        whole, _, _ = path.read_text().rpartition("\n")
        talk.records = [json.loads(line) for line in whole.split("\n") if line]
        talk.follow()
        return talk

    def follow(self) -> None:
        """Follow the last record that has an id."""
        self.parent = next((one["uuid"] for one in reversed(self.records) if "uuid" in one), None)

    @property
    def said(self) -> list[dict[str, Any]]:
        """Its messages."""
        return [one for one in self.records if one["type"] in ("user", "assistant")]

    def write(self) -> Path:
        """Write the file anew."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text("".join(json.dumps(one) + "\n" for one in self.records))
        return self.path

    def add(self, kind: str, **fields: Any) -> str:
        """Append a record of any kind; return its id."""
        number = len(self.records)
        record = {
            "parentUuid": self.parent,
            "isSidechain": False,
            "cwd": "/home/u/app",
            "sessionId": self.session,
            "type": kind,
            "uuid": f"{self.path.stem}-{number}",
            "timestamp": at(BEGAN + 10 * number),
            **self.common,
            **fields,
        }
        self.records.append(record)
        self.parent = record["uuid"]
        return str(record["uuid"])

    def ask(self, text: str, **fields: Any) -> str:
        """Append what the user said."""
        return self.add("user", message={"role": "user", "content": text}, **fields)

    def reply(self, text: str, **fields: Any) -> str:
        """Append a reply of one line."""
        return self.blocks({"type": "text", "text": text}, name=f"msg-{len(self.records)}", **fields)

    def blocks(self, block: dict[str, Any], *, name: str, **fields: Any) -> str:
        """Append a line of the reply called *name*."""
        usage = {"input_tokens": 4, "output_tokens": 10 + len(self.records)}
        message = {"role": "assistant", "id": name, "model": "model-1", "content": [block], "usage": usage}
        return self.add("assistant", message=message, requestId=f"req-{name}", **fields)

    def call(self, name: str, tool: str = "Read", **given: Any) -> str:
        """Append a reply that calls a tool; the call's id is *name*."""
        return self.blocks({"type": "tool_use", "id": name, "name": tool, "input": given}, name=f"msg-{name}")

    def result(self, name: str, text: Any, **fields: Any) -> str:
        """Append the result of a call."""
        block = {"type": "tool_result", "tool_use_id": name, "content": text}
        return self.add("user", message={"role": "user", "content": [block]}, **fields)

    def queue(self, operation: str, text: str | None = None) -> None:
        """Append a record of the queue of prompts, which has no id."""
        told = {"type": "queue-operation", "operation": operation, "sessionId": self.session}
        content = {} if text is None else {"content": text}
        self.records.append({**told, "timestamp": at(BEGAN + 10 * len(self.records)), **content})

    def queued(self, text: Any, mode: str = "prompt", **fields: Any) -> str:
        """Append a prompt that was queued, as newer releases do where it is taken in."""
        return self.add(
            "attachment", attachment={"type": "queued_command", "prompt": text, "commandMode": mode}, **fields
        )

    def compact(self, summary: str, **metadata: Any) -> str:
        """Append a boundary and its summary; return the boundary's id."""
        before, self.parent = self.parent, None
        told = {"trigger": "auto", "preTokens": 150_000, **metadata}
        boundary = self.add(
            "system", subtype="compact_boundary", logicalParentUuid=before, compactMetadata=told
        )
        self.ask(OPENING + summary + CLOSING, isCompactSummary=True)
        return boundary


def play_queue(talk: Transcript, chance: random.Random, text: str) -> None:
    """Append some of what becomes of a prompt that is typed while the agent works, and others around it."""
    steps: list[Callable[[], Any]] = [
        partial(talk.queue, "enqueue", text),
        partial(talk.call, text, path="x"),
        partial(talk.queue, "enqueue", "<task-notification>done</task-notification>"),
        partial(talk.queue, chance.choice(["remove", "remove", "remove", "dequeue"])),
        partial(talk.result, text, "ok"),
        partial(talk.queued, text),
        partial(talk.compact, "Summary:\nall of it"),
        partial(talk.reply, "so it is"),
    ]
    odds = [0.9, 0.7, 0.2, 0.8, 0.7, 0.5, 0.2, 0.7]
    for step, likely in zip(steps, odds, strict=True):
        if chance.random() < likely:
            step()


def at(seconds: float) -> str:
    """Return a time as records write it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def text_in(record: dict[str, Any]) -> str:
    """Return the text of a message of one block."""
    content = record["message"]["content"]
    return str(content if isinstance(content, str) else content[0]["text"])
