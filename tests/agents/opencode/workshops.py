"""What the contract's tests need to know of OpenCode: a data folder with a database, or with files."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.agents.opencode.session_builder import BEGAN, Kept, KeptInDatabase, KeptInFiles, Talk


class OpenCodeWorkshop:
    """A `Workshop`: a data folder with a database. `c` is a delegate of `a`."""

    kind = "opencode"

    def __init__(self, told: Mapping[str, Sequence[str]]) -> None:
        self.told = told

    def kept(self, path: Path) -> Kept:
        """Return where the sessions of a data folder are written."""
        return KeptInDatabase(path / "opencode.db")

    def make(self, home: Path) -> Path:
        folder = home / ".local" / "share" / "opencode"
        folder.mkdir(parents=True)
        kept = self.kept(folder)
        for at, one in enumerate(self.told):
            fields: dict[str, Any] = {"parentID": "a"} if one == "c" else {}
            Talk(kept, one, created=BEGAN + 1000 * at, **fields)
            self._say(kept, one, *self.told[one])
        return folder

    def env(self, path: Path) -> Mapping[str, str]:
        return {"XDG_DATA_HOME": str(path.parent)}

    def append(self, path: Path, session: str, *texts: str) -> None:
        self._say(self.kept(path), session, *texts)

    def rewrite(self, path: Path, session: str, at: int, text: str) -> None:
        kept = self.kept(path)
        one, _, parts = kept.read()[session][at]
        part, value = next((name, value) for name, value in parts if value["type"] == "text")
        kept.put_part(session, one, part, {**value, "text": text})

    def truncate(self, path: Path, session: str) -> None:
        kept = self.kept(path)
        kept.delete(session, kept.messages(session)[-1])

    def delete(self, path: Path, session: str) -> None:
        self.kept(path).delete(session)

    def move(self, path: Path, folder: Path) -> Path:
        return Path(shutil.move(path, folder))

    def spoil(self, path: Path) -> int:
        kept = self.kept(path)
        kept.put_message("a", "msg_ffffffffffff1", '{"role": "user", "time"')
        kept.put_message("a", "msg_ffffffffffff2", {"role": "nobody"})
        kept.put_message("a", "msg_ffffffffffff3", {"role": "assistant"})
        kept.put_part("a", "msg_ffffffffffff3", "prt_ffffffffffff3", "[1, 2]")
        return 3

    def texts(self, path: Path) -> dict[str, list[str]]:
        return {
            one: [part["text"] for _, _, parts in said for _, part in parts if part["type"] == "text"]
            for one, said in self.kept(path).read().items()
        }

    @contextmanager
    def holding(self, path: Path) -> Iterator[None]:
        kept = KeptInDatabase(path / "opencode.db")
        with kept.holding():
            self._say(kept, "b", "late")
            yield

    def _say(self, kept: Kept, session: str, *texts: str) -> None:
        talk = Talk(kept, session)
        for text in texts:
            talk.ask(text) if len(kept.messages(session)) % 2 == 0 else talk.reply(text)


class OpenCodeFilesWorkshop(OpenCodeWorkshop):
    """A `Workshop`: a data folder with the files of older releases."""

    def kept(self, path: Path) -> Kept:
        return KeptInFiles(path / "storage")

    @contextmanager
    def holding(self, path: Path) -> Iterator[None]:
        self.append(path, "b", "late")
        half = path / "storage" / "message" / "b" / "msg_ffffffffffff.json"
        half.write_text('{"role": "assist')
        yield
