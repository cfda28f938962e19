"""How fast families are read and stored, to tell which of the two will be done last."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Final

_KNOWN_ROWS: Final = 2_000
"""So many rows must have been stored before it is known how long that takes: they are stored together."""


class Pace:
    """Seconds a row, as seen by the one who stores: reading here, and what is done between two families."""

    def __init__(self, rows: int, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self._rows_left = rows
        self._read_rows, self._read_seconds = 0, 0.0
        self._stored_rows, self._stored_seconds = 0, 0.0
        self._given = 0
        self._ended: float | None = None

    def begins(self) -> None:
        """Note that a family is asked for: all those before it are stored, or soon will be."""
        if self._ended is not None:
            self._stored_seconds += self._clock() - self._ended
            self._stored_rows += self._given

    def ends(self, rows: int) -> None:
        """Note that a family of so many rows is given away."""
        self._given, self._ended = rows, self._clock()
        self._rows_left -= rows

    @contextmanager
    def reading(self) -> Iterator[list[int]]:
        """Note how long it takes to read a family here; its number of rows is put into what is given."""
        rows: list[int] = []
        began = self._clock()
        yield rows
        self._read_seconds += self._clock() - began
        self._read_rows += sum(rows)

    def is_reading_behind(self, held: int, processes: int) -> bool:
        """Return whether processes will read longer than the one who stores has to store.

        Args:
            held: rows that were read here beforehand.
            processes: how many there are.
        """
        if self._stored_rows < _KNOWN_ROWS or not self._read_rows:
            return True
        reading = (self._rows_left - held) / max(1, processes) * self._read_seconds / self._read_rows
        return reading > self._rows_left * self._stored_seconds / self._stored_rows
