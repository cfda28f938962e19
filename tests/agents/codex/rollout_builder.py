"""Write rollouts as Codex does: lines in envelopes, what is said twice, as an item and as an event."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

BEGAN = 1_780_000_000.0
OPENING = (
    "Another language model started to solve this problem and produced a summary of its thinking process. You"
    " also have access to the state of the tools that were used by that language model. Use this to build on"
    " the work that has already been done and avoid duplicating work. Here is the summary produced by the"
    " other language model, use the information in this summary to  assist with your own analysis:\n"
)


class Rollout:
    """One file; `lines` are its lines as values.

    Attributes:
        paginated: lines are numbered, from `ordinal` on.
    """

    def __init__(self, path: Path, thread: str, *, ordinal: int | None = None, began: float = BEGAN) -> None:
        self.path = path
        self.thread = thread
        self.ordinal = ordinal
        self.began = began
        self.lines: list[dict[str, Any]] = []

    @classmethod
    def of(cls, path: Path) -> "Rollout":
        """Read a file that was written before, without what is half written at its end."""
        whole, _, _ = path.read_text().rpartition("\n")
        lines = [json.loads(line) for line in whole.split("\n") if line]
        talk = cls(
            path, lines[0]["payload"]["id"], began=datetime.fromisoformat(lines[0]["timestamp"]).timestamp()
        )
        talk.lines = lines
        return talk

    @property
    def items(self) -> list[dict[str, Any]]:
        """The payloads of its messages."""
        payloads = [one["payload"] for one in self.lines if one["type"] == "response_item"]
        return [one for one in payloads if one["type"] == "message"]

    def write(self) -> Path:
        """Write the file anew."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text("".join(json.dumps(one) + "\n" for one in self.lines))
        return self.path

    def add(self, kind: str, sort: str | None = None, **payload: Any) -> dict[str, Any]:
        """Append a line of any kind; return it."""
        number = len(self.lines)
        line: dict[str, Any] = {"timestamp": at(self.began + 10 * number), "type": kind}
        if self.ordinal is not None:
            line["ordinal"] = self.ordinal
            self.ordinal += 1
        line["payload"] = payload if sort is None else {"type": sort, **payload}
        self.lines.append(line)
        return line

    def begin(self, **payload: Any) -> "Rollout":
        """Append the first line."""
        told = {"id": self.thread, "timestamp": at(self.began), "cwd": "/home/u/app", "source": "cli"}
        self.add(
            "session_meta", **{**told, "originator": "codex_cli_rs", "cli_version": "0.120.0", **payload}
        )
        return self

    def turn(self, number: int | None = None) -> None:
        """Begin a turn; *number* is the time of its id, in milliseconds after the first."""
        told = {} if number is None else {"turn_id": uuid7(number)}
        self.add("event_msg", "task_started", **told)
        self.add("turn_context", cwd="/home/u/app", model="model-1", effort="high", **told)

    def done(self) -> None:
        """End a turn."""
        self.add("event_msg", "task_complete")

    def message(self, role: str, text: str, **payload: Any) -> None:
        """Append an item without its event."""
        kind = "output_text" if role == "assistant" else "input_text"
        self.add("response_item", "message", role=role, content=[{"type": kind, "text": text}], **payload)

    def ask(self, text: str, **payload: Any) -> None:
        """Append what the user said."""
        self.message("user", text, **payload)
        self.add("event_msg", "user_message", message=text, images=[])

    def reply(self, text: str, **payload: Any) -> None:
        """Append a reply."""
        self.add("event_msg", "agent_message", message=text)
        self.message("assistant", text, **payload)

    def think(self, text: str) -> None:
        """Append a thought."""
        summary = [{"type": "summary_text", "text": text}]
        self.add("response_item", "reasoning", summary=summary, content=None, encrypted_content="gAAAA")
        self.add("event_msg", "agent_reasoning", text=text)

    def call(self, name: str, tool: str = "exec_command", **given: Any) -> None:
        """Append a call; its id is *name*."""
        self.add("response_item", "function_call", name=tool, arguments=json.dumps(given), call_id=name)

    def result(self, name: str, output: Any) -> None:
        """Append the result of a call."""
        self.add("response_item", "function_call_output", call_id=name, output=output)

    def count(self, tokens: int, cached: int = 0) -> None:
        """Append the tokens of a call of the model."""
        told = {"input_tokens": tokens - 10, "cached_input_tokens": cached, "output_tokens": 10}
        told |= {"reasoning_output_tokens": 1, "total_tokens": tokens}
        before = sum(one["payload"].get("type") == "token_count" for one in self.lines)
        total = {**told, "total_tokens": tokens + before}
        self.add("event_msg", "token_count", info={"last_token_usage": told, "total_token_usage": total})

    def compact(self, **payload: Any) -> None:
        """Append a compaction and its event."""
        self.add("compacted", **{"message": "", **payload})
        self.add("turn_context", cwd="/home/u/app", model="model-1")
        self.add("event_msg", "context_compacted")


def user_item(text: str) -> dict[str, Any]:
    """Return a request as replacements hold it."""
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}


def encrypted(text: str = "gAAAAsecret") -> dict[str, Any]:
    """Return an encrypted summary as replacements hold it."""
    return {"type": "compaction", "encrypted_content": text}


def uuid7(number: int) -> str:
    """Return an id of version 7 with that time, in milliseconds after the first."""
    digits = f"{int(BEGAN * 1000) + number:012x}"
    return f"{digits[:8]}-{digits[8:]}-7000-8000-000000000000"


def at(seconds: float) -> str:
    """Return a time as lines write it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
