"""Write sessions as Gemini CLI does: a header, then messages, changes of the list, turns taken back."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

BEGAN = 1_780_000_000.0
THANKS = "Got it. Thanks for the additional context!"


class GeminiChat:
    """One file; `lines` are its lines as values. A file that ends in `.json` is one object."""

    def __init__(
        self, path: Path, *, began: float = BEGAN, session: str | None = None, **header: Any
    ) -> None:
        self.path = path
        self.session = session or path.stem.removeprefix("session-2026-05-28T20-26-")
        told = {"projectHash": "h", "startTime": at(began), "lastUpdated": at(began), "kind": "main"}
        self.lines: list[dict[str, Any]] = [{"sessionId": self.session, **told, **header}]
        self.began = began

    @classmethod
    def of(cls, path: Path) -> "GeminiChat":
        """Read a file that was written before, without what is half written at its end."""
        talk = cls(path)
        whole, _, _ = path.read_text().rpartition("\n")
        talk.lines = [json.loads(line) for line in whole.split("\n") if line]
        talk.began = datetime.fromisoformat(talk.lines[0]["startTime"]).timestamp()
        talk.session = talk.lines[0]["sessionId"]
        return talk

    @property
    def said(self) -> list[dict[str, Any]]:
        """Its messages."""
        return [one for one in self.lines if "type" in one]

    def write(self) -> Path:
        """Write the file anew."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self.path.suffix == ".json":
            self.path.write_text(json.dumps({**self.lines[0], "messages": self.lines[1:]}, indent=2))
        else:
            self.path.write_text("".join(json.dumps(one) + "\n" for one in self.lines))
        return self.path

    def message(self, kind: str, content: Any, **fields: Any) -> dict[str, Any]:
        """Return a message of any type with an id of its own."""
        number = len(self.lines)
        name = f"{self.session}-{number}"
        return {
            "id": name,
            "timestamp": at(self.began + 10 * number),
            "type": kind,
            "content": content,
            **fields,
        }

    def say(self, kind: str, content: Any, **fields: Any) -> str:
        """Append a message of any type; return its id."""
        self.lines.append(self.message(kind, content, **fields))
        return str(self.lines[-1]["id"])

    def ask(self, text: str) -> str:
        """Append what the user said."""
        return self.say("user", [{"text": text}])

    def reply(self, text: str, **fields: Any) -> str:
        """Append a reply."""
        tokens = {"input": 100, "output": 10, "cached": 60, "thoughts": 3, "tool": 0, "total": 113}
        return self.say("gemini", text, model="model-1", tokens=tokens, **fields)

    def call(self, name: str, output: str | None, status: str = "success", **given: Any) -> str:
        """Append a reply that calls a tool, and what that gave back."""
        return self.reply("", toolCalls=[self.called(name, output, status, **given)])

    def called(self, name: str, output: str | None, status: str = "success", **given: Any) -> dict[str, Any]:
        """Return a call."""
        response = {"functionResponse": {"id": name, "name": "read", "response": {"output": output}}}
        result = None if output is None else [response]
        return {"id": name, "name": "read", "args": given, "status": status, "result": result}

    def again(self, name: str, **fields: Any) -> None:
        """Append a message once more, with other fields."""
        last = next(one for one in reversed(self.said) if one["id"] == name)
        self.lines.append({**last, **fields})

    def set(self, **changes: Any) -> None:
        """Append a change."""
        self.lines.append({"$set": changes})

    def shorten(self, summary: str | None, *kept: str) -> str:
        """Put a summary and the messages *kept* into the place of all; return the summary's id."""
        head = self.message("user", [{"text": f"<state_snapshot>\n{summary}\n</state_snapshot>"}])
        thanks = {**self.message("gemini", [{"text": THANKS}]), "id": f"{head['id']}-thanks"}
        last = {one["id"]: one for one in self.said}
        beside = [] if summary is None else [head, thanks]
        self.set(messages=[*beside, *(last[one] for one in kept)])
        return str(head["id"])

    def rewind(self, name: str) -> None:
        """Take a message and all after it back."""
        self.lines.append({"$rewindTo": name})


def at(seconds: float) -> str:
    """Return a time as records write it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
