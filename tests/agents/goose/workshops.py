"""What the contract's tests need to know of Goose: a folder of sessions with a database, or with files."""

import json
import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from tests.agents.goose.session_builder import GooseInDatabase, GooseInFiles, GooseTalk, KeptSessions


class GooseWorkshop:
    """A `Workshop`: a folder of sessions with a database.

    Attributes:
        tells_parents: its sessions say what they hang on.
    """

    kind = "goose"
    tells_parents = False

    def __init__(self, told: Mapping[str, Sequence[str]]) -> None:
        self.told = told

    def kept(self, path: Path) -> KeptSessions:
        """Return where the sessions of a folder are written."""
        return GooseInDatabase(path / "sessions.db")

    def make(self, home: Path) -> Path:
        folder = home / ".local" / "share" / "goose" / "sessions"
        folder.mkdir(parents=True)
        for one, texts in self.told.items():
            self.append(folder, one, *texts)
        return folder

    def env(self, path: Path) -> Mapping[str, str]:
        return {"XDG_DATA_HOME": str(path.parent.parent)}

    def append(self, path: Path, session: str, *texts: str) -> None:
        talk = GooseTalk(self.kept(path), session)
        for text in texts:
            talk.ask(text) if len(talk.messages) % 2 == 0 else talk.reply(text)

    def rewrite(self, path: Path, session: str, at: int, text: str) -> None:
        talk = GooseTalk(self.kept(path), session)
        talk.messages[at]["content"] = [{"type": "text", "text": text}]
        talk.write()

    def truncate(self, path: Path, session: str) -> None:
        talk = GooseTalk(self.kept(path), session)
        del talk.messages[-1]
        talk.write()

    def delete(self, path: Path, session: str) -> None:
        self.kept(path).delete(session)

    def move(self, path: Path, folder: Path) -> Path:
        return Path(shutil.move(path, folder))

    def spoil(self, path: Path) -> int:
        kept = GooseInDatabase(path / "sessions.db")
        insert = "INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES "
        kept.run(insert + "('a', 'user', '[{\"type\"', 1)")
        kept.run(insert + "('a', 'nobody', '[]', 1)")
        kept.run(insert + "('a', 'user', '{}', 1)")
        kept.run(insert + "('gone', 'user', '[]', 1)")
        return 4

    def texts(self, path: Path) -> dict[str, list[str]]:
        sessions = self.kept(path).read().items()
        return {one: [message["content"][0]["text"] for message in said] for one, said in sessions}

    @contextmanager
    def holding(self, path: Path) -> Iterator[None]:
        with closing(sqlite3.connect(path / "sessions.db", isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA wal_autocheckpoint = 0")
            self.append(path, "b", "late")
            yield


class GooseFilesWorkshop(GooseWorkshop):
    """A `Workshop`: a folder of the files of older releases."""

    def kept(self, path: Path) -> KeptSessions:
        return GooseInFiles(path)

    def spoil(self, path: Path) -> int:
        with (path / "a.jsonl").open("a") as file:
            file.write('{"role": "user", "content"\n[1, 2]\n\0\0\n')
            file.write(json.dumps({"role": "nobody", "content": []}) + "\n")
        return 4

    @contextmanager
    def holding(self, path: Path) -> Iterator[None]:
        self.append(path, "b", "late")
        with (path / "b.jsonl").open("a") as file:
            file.write('{"role": "assistant", "cont')
            file.flush()
            yield
