"""A source of plain values, read from files by their names: as it is, it serves another process too."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from hermes_sessions.agents.contract import Source


@dataclass(frozen=True, slots=True)
class PlainSource:
    """A `PortableSource`: the source itself, which holds no file open and has noted nothing yet."""

    source: Source

    @contextmanager
    def opened(self) -> Iterator[Source]:
        """Give the source; the files are opened when families are read."""
        yield self.source
