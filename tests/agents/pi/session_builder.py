"""Write sessions as Pi does: a header, then entries with ids, each after the one before it."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

BEGAN = 1_780_000_000.0


class PiSession:
    """One file; `lines` are its lines as values.

    Attributes:
        leaf: the entry that the next one follows.
        bare: as the first version wrote: without ids.
    """

    def __init__(self, path: Path, *, began: float = BEGAN, bare: bool = False, **header: Any) -> None:
        self.path = path
        self.session = path.stem.rpartition("_")[2]
        self.bare = bare
        self.leaf: str | None = None
        head = {"type": "session", "id": self.session, "timestamp": at(began), "cwd": "/home/u/app"}
        self.lines: list[dict[str, Any]] = [{**head, **({} if bare else {"version": 3}), **header}]
        self.began = began

    @classmethod
    def of(cls, path: Path) -> "PiSession":
        """Read a file that was written before, without what is half written at its end."""
        talk = cls(path)
        whole, _, _ = path.read_text().rpartition("\n")
        talk.lines = [json.loads(line) for line in whole.split("\n") if line]
        talk.leaf = talk.lines[-1].get("id") if len(talk.lines) > 1 else None
        talk.began = datetime.fromisoformat(talk.lines[0]["timestamp"]).timestamp()
        talk.session = talk.lines[0]["id"]
        return talk

    @property
    def said(self) -> list[dict[str, Any]]:
        """Its messages."""
        return [one for one in self.lines if one["type"] == "message"]

    def write(self) -> Path:
        """Write the file anew."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text("".join(json.dumps(one) + "\n" for one in self.lines))
        return self.path

    def add(self, kind: str, **fields: Any) -> str:
        """Append an entry of any kind; return its id."""
        number = len(self.lines)
        entry: dict[str, Any] = {"type": kind, "timestamp": at(self.began + 10 * number)}
        name = f"{self.session}-{number}"
        if not self.bare:
            entry |= {"id": name, "parentId": self.leaf}
            self.leaf = name
        self.lines.append({**entry, **fields})
        return name

    def say(self, role: str, content: Any, **fields: Any) -> str:
        """Append a message of any role."""
        return self.add("message", message={"role": role, "content": content, **fields})

    def ask(self, text: str) -> str:
        """Append what the user said."""
        return self.say("user", [{"type": "text", "text": text}])

    def reply(self, text: str, *blocks: dict[str, Any], **fields: Any) -> str:
        """Append a reply."""
        usage = {"input": 4, "output": 10, "cacheRead": 100, "cacheWrite": 20, "cost": {"total": 0.25}}
        told = {"model": "model-1", "provider": "p", "usage": usage, "stopReason": "stop", **fields}
        return self.say("assistant", [*([{"type": "text", "text": text}] if text else []), *blocks], **told)

    def call(self, name: str, tool: str = "read", **given: Any) -> str:
        """Append a reply that calls a tool; the call's id is *name*."""
        return self.reply("", {"type": "toolCall", "id": name, "name": tool, "arguments": given})

    def result(self, name: str, text: str, **fields: Any) -> str:
        """Append the result of a call."""
        return self.say(
            "toolResult", [{"type": "text", "text": text}], toolCallId=name, toolName="read", **fields
        )

    def compact(self, summary: str, kept: str | None = None, **fields: Any) -> str:
        """Append a compaction that keeps what is said from the entry *kept* on."""
        told = {"firstKeptEntryId": kept} if kept is not None else {}
        return self.add("compaction", summary=summary, tokensBefore=150_000, **told, **fields)


def at(seconds: float) -> str:
    """Return a time as entries write it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
