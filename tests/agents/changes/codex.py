"""Homes of Codex that change at random."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from backports import zstd

from tests.agents.changes.player import FilePlayer
from tests.agents.codex.rollout_builder import BEGAN, OPENING, Rollout, encrypted, user_item

SUFFIX = ".zst"


class CodexPlayer(FilePlayer):
    """A `Player`; files are compressed and archived, threads forked and continued in segments."""

    def begin(self, name: str, **fields: Any) -> Rollout:
        path = self.home / "sessions/2026/05/28" / f"rollout-2026-05-28T20-26-40-{name}.jsonl"
        began = BEGAN + 1000 * self.number
        return Rollout(path, name, began=began).begin(**fields)

    def say(self, talk: Any) -> None:
        self.number += 1
        talk.turn(1000 * self.number)
        talk.ask(self.text())
        if self.chance.random() < 0.5:
            talk.think("hm")
        talk.reply(self.text())
        for _ in range(self.chance.randrange(3)):
            call = f"c{self.fresh()}"
            talk.call(call, path="x")
            image = [{"type": "input_text", "text": "seen"}, {"type": "input_image", "image_url": "data:x"}]
            talk.result(call, self.chance.choice(["ok", image]))
        talk.count(1000 + self.number, cached=10)
        if self.chance.random() < 0.7:
            talk.done()

    def rare(self) -> list[Callable[[Any], None]]:
        return [self.compact, self.compact, self.roll_back, self.answer_late]

    def compact(self, talk: Any) -> None:
        asked = [one["content"][0]["text"] for one in talk.items if one["role"] == "user"]
        kept = [user_item(one) for one in self.chance.sample(asked, min(3, len(asked)))]
        form = self.chance.randrange(5)
        if form == 0:
            talk.compact(replacement_history=[*kept, encrypted("x")])
        elif form == 1:
            talk.compact(message=f"{OPENING}What was done: {len(talk.lines)}")
        elif form == 2:
            talk.compact(replacement_history=kept, message="A summary that comes again.")
        elif form == 3:
            talk.add("event_msg", "context_compacted")
        else:
            talk.compact()

    def roll_back(self, talk: Any) -> None:
        talk.add("event_msg", "thread_rolled_back", num_turns=self.chance.randrange(1, 4))

    def answer_late(self, talk: Any) -> None:
        calls = [one["payload"]["call_id"] for one in talk.lines if "arguments" in one["payload"]]
        if calls:
            talk.result(self.chance.choice(calls), "late")

    def write(self, talk: Any) -> None:
        packed = talk.path.with_name(talk.path.name + SUFFIX)
        talk.write()
        packed.unlink(missing_ok=True)

    def tear(self, name: str) -> None:
        self.write(self.talks[name])
        super().tear(name)

    def odd_line(self, name: str) -> None:
        self.write(self.talks[name])
        super().odd_line(name)

    def happenings(self) -> list[Callable[[Any], None]]:
        return [*super().happenings(), self.compress, self.compress_beside, self.title, self.spawn]

    def compress(self, name: str) -> None:
        self.compress_beside(name)
        self.talks[name].path.unlink()

    def compress_beside(self, name: str) -> None:
        """Compress a file that stays, as when the agent was stopped just then."""
        talk = self.talks[name]
        self.write(talk)
        packed = zstd.compress(talk.path.read_bytes())
        talk.path.with_name(talk.path.name + SUFFIX).write_bytes(packed)

    def title(self, name: str) -> None:
        with (self.home / "session_index.jsonl").open("a") as file:
            file.write(f'{{"id": "{name}", "thread_name": "Title {self.chance.random()}"}}\n')

    def rewrite(self, name: str) -> None:
        talk = self.talks[name]
        asked = [one for one in talk.lines if one["payload"].get("type") == "message"]
        if asked:
            self.chance.choice(asked)["payload"]["content"][0]["text"] = self.text()
        self.write(talk)

    def delete(self, name: str) -> None:
        self._unlink(self.talks.pop(name))

    def _unlink(self, talk: Any) -> None:
        for path in (talk.path, talk.path.with_name(talk.path.name + SUFFIX)):
            path.unlink(missing_ok=True)

    def move(self, name: str) -> None:
        """Archive a thread, or take it back from there."""
        talk = self.talks[name]
        self._unlink(talk)
        archive = self.home / "archived_sessions"
        usual = self.home / "sessions/2026/05/28"
        talk.path = (usual if talk.path.parent == archive else archive) / talk.path.name
        self.write(talk)
        if self.chance.random() < 0.4:
            self.compress(name)

    def rename(self, name: str) -> None:
        talk = self.talks[name]
        self._unlink(talk)
        talk.path = talk.path.with_name(
            talk.path.name.replace("T20-26", f"T21-{self.chance.randrange(10, 60)}")
        )
        self.write(talk)

    def fork(self, name: str) -> None:
        """Copy the lines of a thread, with other times, behind a first line of its own."""
        talk = self.talks[name]
        other = f"f{self.fresh()}"
        self.talks[other] = made = self.begin(other, forked_from_id=name)
        part = talk.lines[: self.chance.randrange(1, len(talk.lines) + 1)]
        made.lines += [{**one, "timestamp": made.lines[0]["timestamp"]} for one in part]
        self.grow(made)
        self.write(made)

    def spawn(self, name: str) -> None:
        """Let an agent inside work, and compact."""
        other = f"s{self.fresh()}"
        source = {"subagent": {"thread_spawn": {"parent_thread_id": name, "depth": 1}}}
        self.talks[other] = made = self.begin(other, source=source, session_id=name)
        made.lines.append(dict(self.talks[name].lines[0]))
        self.grow(made)
        self.write(made)


class SegmentsPlayer(CodexPlayer):
    """A `Player` of threads in numbered segments; a fork continues another thread without copying it."""

    def begin(self, name: str, **fields: Any) -> Rollout:
        return self._segment(name, "", 0, **fields)

    def _segment(self, thread: str, segment: str, ordinal: int, **fields: Any) -> Rollout:
        named = f"{thread}_{segment}" if segment else thread
        path = self.home / "sessions/2026/05/28" / f"rollout-2026-05-28T20-26-40-{named}.jsonl"
        talk = Rollout(path, thread, ordinal=ordinal, began=BEGAN + 1000 * self.number)
        return talk.begin(history_mode="paginated", **fields)

    def happenings(self) -> list[Callable[[Any], None]]:
        kept = [
            self.tear,
            self.cut,
            self.rewrite,
            self.move,
            self.compress,
            self.compress_beside,
            self.delete,
        ]
        return [*kept, self.go_on, self.go_on, self.fork, self.title]

    def after_cut(self, talk: Any) -> None:
        talk.ordinal = talk.lines[-1]["ordinal"] + 1

    def go_on(self, name: str) -> None:
        """Continue a thread in another file."""
        self._continue(name, self.talks[name].thread)

    def fork(self, name: str) -> None:
        self._continue(name, f"f{self.fresh()}", forked_from_id=self.talks[name].thread)

    def _continue(self, name: str, thread: str, **fields: Any) -> None:
        before = self.talks[name]
        named = Path(before.path).name.removesuffix(".jsonl").removeprefix("rollout-2026-05-28T20-26-40-")
        base = named.removeprefix(f"{before.thread}_")
        end = before.ordinal if self.chance.random() < 0.7 else max(2, before.ordinal - 6)
        segment = f"g{self.fresh()}" if thread == before.thread else ""
        told = {"history_base": {"thread_id": base, "end_ordinal_exclusive": end}, **fields}
        self.talks[f"{thread}_{segment}" if segment else thread] = made = self._segment(
            thread, segment, end, **told
        )
        self.grow(made)
        self.write(made)
