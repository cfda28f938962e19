"""Write tasks as Roo Code does: a list of items, rewritten whole, and the files beside it."""

import json
from pathlib import Path
from typing import Any

BEGAN = 1_780_000_000_000


class RooTask:
    """One folder; `items` is the history, `screen` what the screen was told, `listed` the list's item."""

    def __init__(self, folder: Path, *, began: int = BEGAN) -> None:
        self.folder = folder
        self.began = began
        self.items: list[dict[str, Any]] = []
        self.screen: list[dict[str, Any]] = []
        self.listed: dict[str, Any] = {}

    @classmethod
    def of(cls, folder: Path) -> "RooTask":
        """Read a task that was written before."""
        task = cls(folder)
        task.items = json.loads((folder / "api_conversation_history.json").read_text())
        task.began = task.items[0]["ts"] if task.items else BEGAN
        for name, kept in (("ui_messages.json", "screen"), ("history_item.json", "listed")):
            if (folder / name).is_file():
                setattr(task, kept, json.loads((folder / name).read_text()))
        return task

    @property
    def history(self) -> Path:
        """The file of its history."""
        return self.folder / "api_conversation_history.json"

    def write(self) -> Path:
        """Write its files anew."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.history.write_text(json.dumps(self.items))
        if self.screen:
            (self.folder / "ui_messages.json").write_text(json.dumps(self.screen))
        if self.listed:
            (self.folder / "history_item.json").write_text(json.dumps(self.listed))
        return self.folder

    def say(self, role: str, *blocks: Any, **fields: Any) -> dict[str, Any]:
        """Append an item."""
        last = self.items[-1]["ts"] if self.items else self.began - 10_000
        item = {"role": role, "content": list(blocks), "ts": last + 10_000, **fields}
        self.items.append(item)
        return item

    def ask(self, text: str, **fields: Any) -> dict[str, Any]:
        """Append what the user said."""
        return self.say("user", {"type": "text", "text": text}, **fields)

    def reply(self, text: str, *blocks: Any) -> dict[str, Any]:
        """Append a reply."""
        return self.say("assistant", *([{"type": "text", "text": text}] if text else []), *blocks)

    def call(self, name: str, tool: str = "read_file", **given: Any) -> dict[str, Any]:
        """Append a reply that calls a tool; the call's id is *name*."""
        return self.reply("", {"type": "tool_use", "id": name, "name": tool, "input": given})

    def result(self, name: str, content: Any, **fields: Any) -> dict[str, Any]:
        """Append the result of a call."""
        return self.say("user", {"type": "tool_result", "tool_use_id": name, "content": content, **fields})

    def condense(self, summary: str, name: str = "c1", *, told: bool = True) -> dict[str, Any]:
        """Append a summary and label everything that is sent before it."""
        for one in self.items:
            one.setdefault("condenseParent", name)
        item = self.ask(summary, isSummary=True, condenseId=name)
        if told:
            tokens = {"prevContextTokens": 90_000, "newContextTokens": 8_000, "condenseId": name}
            self.tell("condense_context", contextCondense={**tokens, "summary": summary})
        return item

    def truncate(self, count: int, name: str = "t1") -> None:
        """Append a marker and label the first *count* items."""
        for one in self.items[:count]:
            one.setdefault("truncationParent", name)
        self.ask("[Sliding window truncation]", isTruncationMarker=True, truncationId=name)

    def tell(self, what: str, **fields: Any) -> None:
        """Tell the screen."""
        self.screen.append(
            {"ts": self.items[-1]["ts"] if self.items else 0, "type": "say", "say": what, **fields}
        )
