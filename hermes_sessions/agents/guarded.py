"""An importer of another package, kept from breaking what the other agents need.

Whatever it raises while looking for files is a warning and counts as nothing found; while it reads an
origin, it is an error of that origin.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeVar

from hermes_sessions.agents.contract import Cursor, Entry, Found, Importer, Opening, OpenOptions, Source
from hermes_sessions.agents.values import Family, MessageBatches, MessageRow, Rejected, Warned
from hermes_sessions.errors import HermesSessionsError, SourceError
from hermes_sessions.handoff.grammars.grammar import HandoffGrammar

logger = logging.getLogger(__name__)

T = TypeVar("T")


class GuardedImporter:
    """An `Importer` around somebody else's."""

    def __init__(self, importer: Importer) -> None:
        self._importer = importer
        self.kind: str = importer.kind
        self.grammar: HandoffGrammar = importer.grammar

    def discover(self, home: Path, env: Mapping[str, str]) -> Iterator[Found]:
        """Yield what it finds, up to its first failure."""
        found: list[Found] = []
        self._looked(lambda: found.extend(self._importer.discover(home, env)), None)
        yield from found

    def folders(self, home: Path, env: Mapping[str, str]) -> Sequence[Path]:
        """Return the folders it names; none where it fails."""
        return self._looked(lambda: tuple(self._importer.folders(home, env)), ())

    def locate(self, path: Path) -> Path | None:
        """Return what *path* means to it; nothing where it fails."""
        return self._looked(lambda: self._importer.locate(path), None)

    def token(self, path: Path) -> str:
        """Return its token.

        Raises:
            SourceError: it fails.
        """
        with blaming(self.kind, path):
            return self._importer.token(path)

    @contextmanager
    def open(self, path: Path, cursor: Cursor | None, options: OpenOptions) -> Iterator[Source]:
        """Open a located path; what it raises names the path and the agent.

        Raises:
            SourceError: it fails.
        """
        blamed = partial(blaming, self.kind, path)
        with ExitStack() as stack:
            with blamed():
                source = stack.enter_context(self._importer.open(path, cursor, options))
            try:
                yield GuardedSource(source, blamed)
            finally:
                with blamed():
                    stack.close()

    def resume_command(self, session: str) -> str | None:
        """Return its command; none where it fails."""
        return self._looked(lambda: self._importer.resume_command(session), None)

    def _looked(self, ask: Callable[[], T], otherwise: T) -> T:
        try:
            return ask()
        except Exception as error:  # somebody else's code: whatever it raises, the other agents are read
            _warn(f"the agent {self.kind} is passed over ({type(error).__name__}): {_one_line(error)}")
            return otherwise


class GuardedSource:
    """A `Source` around somebody else's."""

    def __init__(self, source: Source, blaming: Callable[[], AbstractContextManager[None]]) -> None:
        self._source = source
        self._blaming = blaming

    @property
    def location(self) -> Path:
        """As it says."""
        return self._asked(lambda: self._source.location)

    @property
    def schema_version(self) -> str:
        """As it says."""
        return self._asked(lambda: self._source.schema_version)

    @property
    def entries(self) -> Mapping[str, Entry]:
        """As it says."""
        return self._asked(lambda: self._source.entries)

    @property
    def damage(self) -> Sequence[str]:
        """As it says."""
        return self._asked(lambda: self._source.damage)

    @property
    def rejected(self) -> Sequence[Rejected]:
        """As it says."""
        return self._asked(lambda: self._source.rejected)

    @property
    def warnings(self) -> Sequence[Warned]:
        """As it says."""
        return self._asked(lambda: self._source.warnings)

    @property
    def complete(self) -> bool:
        """As it says."""
        return self._asked(lambda: self._source.complete)

    def openings(self, also: Collection[str] = ()) -> Iterable[tuple[str, Opening]]:
        """Return how sessions begin."""
        return self._asked(lambda: list(self._source.openings(also)))

    def families(self) -> Sequence[tuple[str, ...]]:
        """Return the ids of each family."""
        return self._asked(lambda: [tuple(ids) for ids in self._source.families()])

    def read(self, ids: Sequence[str]) -> Family:
        """Read one family; its messages are guarded while they are streamed."""
        with self._blaming():
            family = self._source.read(ids)
            return replace(family, batches=partial(self._batches, family.batches))

    def cursor(self) -> Cursor:
        """Return where the next run begins."""
        return self._asked(lambda: self._source.cursor())

    def _batches(self, batches: MessageBatches) -> Iterator[tuple[str, Sequence[MessageRow]]]:
        with self._blaming():
            following = batches()
        while (batch := self._asked(lambda: next(following, None))) is not None:
            yield batch

    def _asked(self, ask: Callable[[], T]) -> T:
        with self._blaming():
            return ask()


@contextmanager
def blaming(kind: str, path: Path) -> Iterator[None]:
    """Make whatever an agent's importer raises, or what it gave makes others raise, an error of *path*.

    Raises:
        SourceError: it did; the line names the path and the agent.
    """
    try:
        yield
    except (HermesSessionsError, OSError):
        raise
    except Exception as error:  # somebody else's code: a bug in it is no bug of the store
        logger.debug("the importer of %s failed at %s", kind, path, exc_info=True)
        raise SourceError(
            f"{path}: the importer of {kind} failed ({type(error).__name__}): {_one_line(error)}"
        ) from error


@lru_cache(maxsize=256)
def _warn(line: str) -> None:
    """Say it once: followers look again and again."""
    logger.warning("%s", line)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
