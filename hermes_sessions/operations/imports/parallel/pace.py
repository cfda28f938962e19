"""How fast families are read and stored, to tell which of the two will be done last."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Final

_KNOWN_ROWS: Final = 2_000
"""So many rows must have been stored before it is known how long that takes: they are stored together."""


class Pace:
    """Seconds a row, as seen by the one who stores: reading here, and what is done between two families.

    What is read or waited for between two families is no part of storing the first of them.
    """

    def __init__(self, rows: int, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self._rows_left = rows
        self._read_rows, self._read_seconds = 0, 0.0
        self._stored_rows, self._stored_seconds = 0, 0.0
        self._given = 0
        self._aside = 0.0
        self._ended: float | None = None

    def begins(self) -> None:
        """Note that a family is asked for: all those before it are stored, or soon will be."""
        if self._ended is not None:
            self._stored_seconds += self._clock() - self._ended - self._aside
            self._stored_rows += self._given

    def ends(self, rows: int) -> None:
        """Note that a family of so many rows is given away."""
        self._given, self._ended, self._aside = rows, self._clock(), 0.0
        self._rows_left -= rows

    @contextmanager
    def reading(self) -> Iterator[list[int]]:
        """Note how long it takes to read a family here; its number of rows is put into what is given.

        Where nothing is put there, its rows are read later, and nothing is learnt of the time that takes.
        """
        rows: list[int] = []
        began = self._clock()
        yield rows
        seconds = self._clock() - began
        self._aside += seconds
        if rows:
            self._read_seconds += seconds
            self._read_rows += sum(rows)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Note how long a process is waited for."""
        began = self._clock()
        yield
        self._aside += self._clock() - began

    def is_reading_behind(self, held: int, processes: int, rows: int = 0) -> bool:
        """Return whether processes read longer than the one who stores is busy, if it reads *rows* more.

        Args:
            held: rows that were read here beforehand.
            processes: how many there are.
            rows: of the family that would be read here now.
        """
        if self._stored_rows < _KNOWN_ROWS or not self._read_rows:
            return True
        a_row = self._read_seconds / self._read_rows
        reading = (self._rows_left - held - rows) / max(1, processes) * a_row
        storing = self._rows_left * self._stored_seconds / self._stored_rows
        return reading > storing + rows * a_row
