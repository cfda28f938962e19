"""Homes of Claude Code that change at random."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.agents.changes.player import FilePlayer
from tests.agents.claude_code.transcript_builder import Transcript, play_queue


class UniqueTranscript(Transcript):
    """A transcript whose records have ids that no other one has."""

    player: "ClaudeCodePlayer"

    def add(self, kind: str, **fields: Any) -> str:
        """Append a record of any kind; return its id."""
        return super().add(kind, **{"uuid": f"u{self.player.fresh()}", **fields})


class ClaudeCodePlayer(FilePlayer):
    """A `Player`; sub-agents beside the main files compact, too."""

    lines = "records"

    def begin(self, name: str, **fields: Any) -> UniqueTranscript:
        return self._talk(self.home / "projects" / "-home-u-app" / f"{name}.jsonl", **fields)

    def _talk(self, path: Path, session: str | None = None, **fields: Any) -> UniqueTranscript:
        talk = UniqueTranscript(path, session, **fields)
        talk.player = self
        return talk

    def say(self, talk: Any) -> None:
        talk.ask(self.text())
        if self.chance.random() < 0.9:
            talk.blocks({"type": "thinking", "thinking": "hm", "signature": "s"}, name=f"m{self.number}")
            talk.blocks({"type": "text", "text": self.text()}, name=f"m{self.number - 1}")
        for _ in range(self.chance.randrange(3)):
            call = f"c{self.fresh()}"
            talk.call(call, path="x")
            talk.result(call, self.chance.choice(["ok", [{"type": "text", "text": "out"}]]))

    def rare(self) -> list[Callable[[Any], None]]:
        return [
            self.compact, self.compact, self.compact_and_keep, self.write_again, self.keep_in_others,
            self.go_back, self.answer_late, self.clear, self.name, self.send, self.type_ahead,
        ]  # fmt: skip

    def compact(self, talk: Any) -> None:
        talk.compact(f"Summary:\n{self.text()}")

    def compact_and_keep(self, talk: Any) -> None:
        kept = [one["uuid"] for one in talk.said[-3:]]
        talk.compact("Summary:\nmost of it", preservedMessages={"uuids": kept})

    def write_again(self, talk: Any) -> None:
        """Append records as they were, as a second compaction in one process does."""
        if talk.records:
            first = self.chance.randrange(len(talk.records))
            talk.records += [dict(one) for one in talk.records[first : first + 5]]
            talk.follow()

    def keep_in_others(self, talk: Any) -> None:
        """Compact, and write the last messages again under ids of their own."""
        kept = talk.said[-2:]
        talk.compact("Summary:\nall but two")
        for one in kept:
            talk.add(one["type"], message=one["message"], timestamp=one["timestamp"])

    def go_back(self, talk: Any) -> None:
        """Ask again from an earlier place."""
        if talk.said:
            talk.parent = self.chance.choice(talk.said)["uuid"]
            talk.ask(f"rather {self.chance.random()}")
            talk.reply("so be it")

    def answer_late(self, talk: Any) -> None:
        calls = [one for one in talk.records if "tool_use" in str(one.get("message"))]
        if calls:
            name = self.chance.choice(calls)["message"]["content"]
            ids = [one["id"] for one in name if isinstance(one, dict) and one.get("type") == "tool_use"]
            if ids:
                talk.result(ids[0], "late")

    def clear(self, talk: Any) -> None:
        told = {"compactedToolIds": [f"c{self.chance.randrange(1, self.number + 2):x}"], "preTokens": 9}
        talk.add("system", subtype="microcompact_boundary", microcompactMetadata=told)

    def type_ahead(self, talk: Any) -> None:
        play_queue(talk, self.chance, f"typed {self.fresh()}")

    def name(self, talk: Any) -> None:
        talk.add("ai-title", aiTitle=f"Title {self.chance.random()}")

    def send(self, talk: Any) -> None:
        """Let a sub-agent work, and compact."""
        if "/subagents/" in str(talk.path):
            return
        name = self.chance.choice(["x", "y"])
        known = f"{talk.path.stem}/{name}"
        if known not in self.talks:
            path = talk.path.with_suffix("") / "subagents" / f"agent-{name}.jsonl"
            self.talks[known] = self._talk(path, talk.session, isSidechain=True, agentId=name)
        agent = self.talks[known]
        self.say(agent)
        if self.chance.random() < 0.4:
            self.compact(agent)
            self.say(agent)
        self.write(agent)

    def after_cut(self, talk: Any) -> None:
        talk.follow()

    def rewrite(self, name: str) -> None:
        said = [one for one in self.talks[name].said if isinstance(one["message"]["content"], str)]
        if said:
            self.chance.choice(said)["message"]["content"] = self.text()
            self.write(self.talks[name])

    def move(self, name: str) -> None:
        talk = self.talks[name]
        if "/subagents/" in str(talk.path):
            return
        folder = self.home / "projects" / self.chance.choice(["-home-u-other", "-home-u-app"])
        folder.mkdir(exist_ok=True)
        talk.path = Path(shutil.move(talk.path, folder / talk.path.name))

    def rename(self, name: str) -> None:
        if "/" in name:
            return
        talk = self.talks.pop(name)
        other = f"r{self.fresh()}"
        talk.path = talk.path.rename(talk.path.with_name(f"{other}.jsonl"))
        self.talks[other] = talk

    def fork(self, name: str) -> None:
        talk = self.talks[name]
        if "/" in name or not talk.records:
            return
        other = f"f{self.fresh()}"
        part = talk.records[: self.chance.randrange(1, len(talk.records) + 1)]
        self.talks[other] = made = self.begin(other)
        marked = {"forkedFrom": {"sessionId": name}} if self.chance.random() < 0.5 else {}
        made.records = [{**one, **({"sessionId": other} if marked else {}), **marked} for one in part]
        made.follow()
        self.grow(made)
        self.write(made)
