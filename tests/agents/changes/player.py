"""What all agents' homes have in common when something happens to them, step by step, at random."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

FILLER = "so it was said, at some length, for a file that is known again by its first four thousand bytes. "


class Player:
    """A home that is changed at random: what grows, grows as its agent writes; the rest happens to files.

    Attributes:
        path: what is imported.
        talks: its sessions by name; each is written by `write`.
        unread: sessions whose files are half written and cannot be read.
        compress: stands for what happens between two syncs of one step; set by who plays.
    """

    def __init__(self, home: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.home = home
        self.path = home
        self.number = 0
        self.talks: dict[str, Any] = {}
        self.told: list[str] = []
        self.unread: set[str] = set()
        for name in ("a", "b"):
            self.talks[name] = self.begin(name)
            for _ in range(3):
                self.grow(self.talks[name])
            self.write(self.talks[name])

    # -- what an agent's player brings

    def begin(self, name: str, **fields: Any) -> Any:
        """Begin a session."""
        raise NotImplementedError

    def say(self, talk: Any) -> None:
        """Append a turn."""
        raise NotImplementedError

    def rare(self) -> list[Callable[[Any], None]]:
        """Return what else a session may append."""
        raise NotImplementedError

    def write(self, talk: Any) -> None:
        """Write a session to its file."""
        talk.write()

    def happenings(self) -> list[Callable[[Any], None]]:
        """Return what may happen to the file of a session."""
        raise NotImplementedError

    # -- what is alike

    def text(self) -> str:
        """Return words; now and then the same as before."""
        return self.chance.choice(
            ["go on", "again", f"do {self.chance.random()}", FILLER * self.chance.randrange(1, 9)]
        )

    def fresh(self) -> str:
        """Return a name that was never used."""
        self.number += 1
        return f"{self.number:x}"

    def grow(self, talk: Any) -> None:
        """Append as the agent does."""
        for _ in range(self.chance.randrange(1, 4)):
            if self.chance.random() < 0.65:
                self.say(talk)
            else:
                self.chance.choice(self.rare())(talk)

    def step(self) -> None:
        """Change the home in one way; mostly something grows."""
        if not self.talks:
            self.talks["a"] = talk = self.begin("a")
            self.say(talk)
            self.write(talk)
        name = self.chance.choice(sorted(self.talks))
        if self.chance.random() < 0.5:
            self.told.append(f"{name}: grow")
            self.grow(self.talks[name])
            self.write(self.talks[name])
            return
        happening = self.chance.choice(self.happenings())
        if happening.__name__ == "delete" and len(self.talks) == 1:
            return
        self.told.append(f"{name}: {happening.__name__}")
        happening(name)

    def torn(self, path: Path, whole: bytes) -> None:
        """Write a file as far as somewhere after what was there before."""
        before = path.read_bytes() if path.exists() else b""
        at = len(before) if whole.startswith(before) else 0
        path.write_bytes(whole[: self.chance.randrange(at, len(whole) + 1)])


class FilePlayer(Player):
    """A `Player` of an agent whose sessions are a file of lines each."""

    lines = "lines"

    def happenings(self) -> list[Callable[[Any], None]]:
        return [
            self.tear,
            self.cut,
            self.rewrite,
            self.delete,
            self.move,
            self.rename,
            self.fork,
            self.odd_line,
            self.lose_line,
        ]

    def tear(self, name: str) -> None:
        """Write only a part of what a session grew by; the next time it is written it is whole."""
        talk = self.talks[name]
        before = talk.path.read_bytes()
        self.grow(talk)
        self.write(talk)
        whole = talk.path.read_bytes()
        talk.path.write_bytes(before)
        self.torn(talk.path, whole)

    def cut(self, name: str) -> None:
        """Take the last lines away."""
        talk = self.talks[name]
        lines = getattr(talk, self.lines)
        del lines[max(1, len(lines) - self.chance.randrange(1, 14)) :]
        self.after_cut(talk)
        self.write(talk)

    def lose_line(self, name: str) -> None:
        """Take a line out of the middle, maybe one that was copied, or that a compaction kept."""
        talk = self.talks[name]
        lines = getattr(talk, self.lines)
        if len(lines) > 2:
            del lines[self.chance.randrange(1, len(lines) - 1)]
            self.write(talk)

    def after_cut(self, talk: Any) -> None:
        """Follow the last line from now on."""

    def rewrite(self, name: str) -> None:
        """Give a message another text."""
        raise NotImplementedError

    def delete(self, name: str) -> None:
        self.talks.pop(name).path.unlink()

    def move(self, name: str) -> None:
        """Put a file into another folder, where its agent keeps such files, too."""
        raise NotImplementedError

    def rename(self, name: str) -> None:
        """Give a file another name."""
        raise NotImplementedError

    def fork(self, name: str) -> None:
        """Begin a session with what another one said."""
        raise NotImplementedError

    def odd_line(self, name: str) -> None:
        """Put something that is no record between the lines; it goes the next time the file is written."""
        path = self.talks[name].path
        lines = path.read_bytes().split(b"\n")
        odd = self.chance.choice([b"{broken", b"\0\0\0", b"[1]", b"", b"\xff\xfe", b'{"type":"never"}'])
        lines.insert(self.chance.randrange(1, len(lines)), odd)
        path.write_bytes(b"\n".join(lines))
