"""What Jotter's folder gives to the rest of the program."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Final

from hermes_sessions.agents.contract import Cursor, Found, Importer, OpenOptions, Source
from hermes_sessions.errors import SourceError
from tests.agents.jotter.grammar import JotterGrammar
from tests.agents.jotter.source import JotterSource, parse_head, talk_files


class JotterImporter:
    """An `Importer` of the contract."""

    kind = "jotter"
    grammar = JotterGrammar()

    def discover(self, home: Path, env: Mapping[str, str]) -> Iterator[Found]:
        """Yield the folder where Jotter keeps its talks."""
        folder = _folder(home, env)
        if (folder / "talks").is_dir():
            yield Found(folder.resolve(), "jotter")

    def folders(self, home: Path, env: Mapping[str, str]) -> Sequence[Path]:
        """Return that folder, whether or not it is there."""
        folder = _folder(home, env)
        return [folder, folder / "talks"]

    def locate(self, path: Path) -> Path | None:
        """Return the folder of talks that *path* is, or is `talks` of; or a talk itself."""
        try:
            folder = path.parent if path.name == "talks" else path
            files = talk_files(folder) if folder.is_dir() else [path]
            return folder.resolve() if any(_is_talk(one) for one in files) else None
        except OSError:
            return None

    def token(self, path: Path) -> str:
        """Return a digest of names, sizes and times."""
        try:
            stats = [(one.name, one.stat()) for one in talk_files(path)]
        except OSError as error:
            raise SourceError(f"{path}: {error.strerror}") from error
        told = repr([(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats])
        return blake2b(told.encode(), digest_size=12).hexdigest()

    @contextmanager
    def open(self, path: Path, cursor: Cursor | None, options: OpenOptions) -> Iterator[Source]:
        """Open a folder of talks, or one talk."""
        yield JotterSource(path, options)

    def resume_command(self, session: str) -> str:
        """Return the command that continues a talk."""
        return f"jotter continue {shlex.quote(session)}"


def _folder(home: Path, env: Mapping[str, str]) -> Path:
    return Path(env.get("JOTTER_HOME") or home / ".jotter")


def _is_talk(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return parse_head(file.readline(10_000)) is not None


IMPORTER: Final[Importer] = JotterImporter()
