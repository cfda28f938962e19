"""Homes of Pi, Gemini CLI and Roo Code that change at random."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.agents.changes.player import FilePlayer
from tests.agents.gemini.chat_builder import GeminiChat
from tests.agents.pi.session_builder import BEGAN, PiSession
from tests.agents.roo.task_builder import RooTask


class PiPlayer(FilePlayer):
    """A `Player`; entries have ids that no other one has."""

    def begin(self, name: str, **fields: Any) -> PiSession:
        path = self.home / "sessions" / "--home-u-app--" / f"2026-05-28T20-26-40-000Z_{name}.jsonl"
        return PiSession(path, began=BEGAN + 1000 * self.number, **fields)

    def say(self, talk: Any) -> None:
        self._add(talk, talk.ask, self.text())
        self._add(talk, talk.reply, self.text())
        if self.chance.random() < 0.5:
            call = f"c{self.fresh()}"
            self._add(talk, talk.call, call)
            self._add(talk, talk.result, call, "out")

    def _add(self, talk: Any, adding: Callable[..., str], *given: Any, **fields: Any) -> str:
        """Append an entry under an id of its own."""
        adding(*given, **fields)
        talk.lines[-1]["id"] = talk.leaf = f"e{self.fresh()}"
        return str(talk.leaf)

    def rare(self) -> list[Callable[[Any], None]]:
        return [self.compact, self.compact, self.go_back, self.name, self.change_model]

    def compact(self, talk: Any) -> None:
        said = [one["id"] for one in talk.said]
        kept = self.chance.choice([None, *said[-4:], "unknown"])
        self._add(talk, talk.compact, self.text(), kept)

    def go_back(self, talk: Any) -> None:
        said = talk.said
        if said:
            talk.leaf = self.chance.choice(said)["id"]
            if self.chance.random() < 0.5:
                self._add(talk, talk.add, "branch_summary", fromId=talk.leaf, summary="What was tried.")
            self._add(talk, talk.ask, f"rather {self.chance.random()}")

    def name(self, talk: Any) -> None:
        self._add(talk, talk.add, "session_info", name=f"Title {self.chance.random()}")

    def change_model(self, talk: Any) -> None:
        self._add(talk, talk.add, "model_change", provider="p", modelId=f"model-{self.number}")

    def after_cut(self, talk: Any) -> None:
        talk.leaf = talk.lines[-1].get("id") if len(talk.lines) > 1 else None

    def rewrite(self, name: str) -> None:
        said = [one for one in self.talks[name].said if one["message"]["content"]]
        if said:
            self.chance.choice(said)["message"]["content"] = [{"type": "text", "text": self.text()}]
            self.write(self.talks[name])

    def move(self, name: str) -> None:
        talk = self.talks[name]
        folder = self.home / "sessions" / self.chance.choice(["--home-u-other--", "--home-u-app--"])
        folder.mkdir(exist_ok=True)
        talk.path = Path(shutil.move(talk.path, folder / talk.path.name))

    def rename(self, name: str) -> None:
        talk = self.talks[name]
        other = talk.path.with_name(talk.path.name.replace("T20-", f"T{self.chance.randrange(10, 24)}-"))
        talk.path = talk.path.rename(other)

    def fork(self, name: str) -> None:
        talk = self.talks[name]
        other = f"f{self.fresh()}"
        self.talks[other] = made = self.begin(other, parentSession=str(talk.path))
        made.lines += talk.lines[1 : self.chance.randrange(1, len(talk.lines) + 1)]
        self.after_cut(made)
        self.grow(made)
        self.write(made)


class GeminiPlayer(FilePlayer):
    """A `Player`; messages are written again, lists replaced, turns taken back."""

    def begin(self, name: str, **fields: Any) -> GeminiChat:
        path = self.home / "tmp" / "app" / "chats" / f"session-2026-05-28T20-26-{name}.jsonl"
        return GeminiChat(path, session=name, began=BEGAN + 1000 * self.number, **fields)

    def say(self, talk: Any) -> None:
        talk.ask(self.text())
        reply = talk.reply(self.text())
        if self.chance.random() < 0.4:
            talk.again(reply, tokens={"input": 5, "output": 7, "total": 12})
        if self.chance.random() < 0.5:
            call = talk.call(f"c{self.fresh()}", None, "executing")
            if self.chance.random() < 0.8:
                talk.again(call, toolCalls=[talk.called(f"c{self.number:x}", "out")])

    def rare(self) -> list[Callable[[Any], None]]:
        return [self.compact, self.compact, self.rewind, self.name, self.mask]

    def _present(self, talk: Any) -> list[str]:
        return list(dict.fromkeys(one["id"] for one in talk.said))

    def compact(self, talk: Any) -> None:
        ids = self._present(talk)
        kept = ids[-self.chance.randrange(1, 4) :] if ids and self.chance.random() < 0.7 else []
        talk.shorten(self.text(), *kept)

    def mask(self, talk: Any) -> None:
        """Write the list anew without a summary."""
        ids = self._present(talk)
        talk.shorten(None, *ids[self.chance.randrange(2) :])

    def rewind(self, talk: Any) -> None:
        ids = self._present(talk)
        if ids:
            talk.rewind(self.chance.choice([*ids[-4:], "unknown"]))

    def name(self, talk: Any) -> None:
        talk.set(summary=f"Title {self.chance.random()}")

    def rewrite(self, name: str) -> None:
        self.chance.choice(self.talks[name].said or [{}])["content"] = self.text()
        self.write(self.talks[name])

    def move(self, name: str) -> None:
        talk = self.talks[name]
        folder = self.home / "tmp" / self.chance.choice(["other", "app"]) / "chats"
        folder.mkdir(exist_ok=True, parents=True)
        talk.path = Path(shutil.move(talk.path, folder / talk.path.name))

    def rename(self, name: str) -> None:
        talk = self.talks[name]
        if talk.path.suffix == ".jsonl":
            other = talk.path.name.replace("T20-", f"T{self.chance.randrange(10, 24)}-")
            talk.path = talk.path.rename(talk.path.with_name(other))

    def fork(self, name: str) -> None:
        """Let an agent inside work."""
        talk = self.talks[name]
        other = f"s{self.fresh()}"
        self.talks[other] = made = self.begin(other, kind="subagent")
        made.path = talk.path.parent / name / f"{other}.jsonl"
        self.grow(made)
        self.write(made)


class OldGeminiPlayer(GeminiPlayer):
    """A `Player` of files that are one object, rewritten whole."""

    def begin(self, name: str, **fields: Any) -> GeminiChat:
        talk = super().begin(name, **fields)
        talk.path = talk.path.with_suffix(".json")
        return talk

    def say(self, talk: Any) -> None:
        talk.ask(self.text())
        talk.reply(self.text())

    def rare(self) -> list[Callable[[Any], None]]:
        return [self.compact]

    def compact(self, talk: Any) -> None:
        kept = talk.said[-self.chance.randrange(1, 4) :]
        talk.shorten(self.text())
        beside = talk.lines[-1]["$set"]["messages"]
        talk.lines = [talk.lines[0], *beside, *kept]

    def happenings(self) -> list[Callable[[Any], None]]:
        return [self.cut, self.rewrite, self.delete, self.move]


class RooPlayer(FilePlayer):
    """A `Player`; a task is a folder of lists that are rewritten whole."""

    lines = "items"

    def __init__(self, home: Path, seed: int) -> None:
        super().__init__(home / "globalStorage" / "rooveterinaryinc.roo-cline", seed)

    def begin(self, name: str, **fields: Any) -> RooTask:
        task = RooTask(self.home / "tasks" / name, began=round(1000 * (BEGAN + 1000 * self.number)))
        task.listed = {"id": name, **fields}
        return task

    def say(self, talk: Any) -> None:
        talk.ask(self.text())
        talk.reply(self.text())
        if self.chance.random() < 0.5:
            call = f"c{self.fresh()}"
            talk.call(call, path="x")
            talk.result(call, self.chance.choice(["out", [{"type": "text", "text": "out"}]]))

    def write(self, talk: Any) -> None:
        super().write(talk)
        self.unread -= {name for name, one in self.talks.items() if one is talk}

    def rare(self) -> list[Callable[[Any], None]]:
        return [self.condense, self.condense, self.slide, self.screen]

    def condense(self, talk: Any) -> None:
        talk.condense(self.text(), f"k{self.fresh()}", told=self.chance.random() < 0.5)

    def slide(self, talk: Any) -> None:
        talk.truncate(self.chance.randrange(len(talk.items) + 1), f"t{self.fresh()}")

    def screen(self, talk: Any) -> None:
        talk.tell("text", text="shown")

    def happenings(self) -> list[Callable[[Any], None]]:
        return [self.cut, self.rewrite, self.delete, self.rename, self.fork, self.torn_list]

    def cut(self, name: str) -> None:
        talk = self.talks[name]
        del talk.items[max(1, len(talk.items) - self.chance.randrange(1, 8)) :]
        self.write(talk)

    def rewrite(self, name: str) -> None:
        if self.talks[name].items:
            self.chance.choice(self.talks[name].items)["content"] = [{"type": "text", "text": self.text()}]
        self.write(self.talks[name])

    def delete(self, name: str) -> None:
        shutil.rmtree(self.talks.pop(name).folder)
        self.unread.discard(name)

    def rename(self, name: str) -> None:
        talk = self.talks.pop(name)
        other = f"r{self.fresh()}"
        talk.folder = talk.folder.rename(talk.folder.with_name(other))
        self.talks[other] = talk
        if name in self.unread:
            self.unread.add(other)  # and nobody can tell that it is no longer the other

    def fork(self, name: str) -> None:
        other = f"s{self.fresh()}"
        self.talks[other] = made = self.begin(other, parentTaskId=name)
        self.grow(made)
        self.write(made)

    def torn_list(self, name: str) -> None:
        """Stop in the middle of writing; the next time it is whole."""
        talk = self.talks[name]
        self.grow(talk)
        self.write(talk)
        whole = talk.history.read_bytes()
        talk.history.write_bytes(whole[: self.chance.randrange(len(whole))])
        self.unread.add(name)
