"""Which row numbers were read so far. Pure; nothing here reads a table."""

from array import array
from bisect import bisect_right


class RowNumbers:
    """A set of whole numbers, small as long as most of them lie side by side.

    Attributes:
        last: the number added last; None while there is none.
    """

    def __init__(self) -> None:
        self.last: int | None = None
        self._firsts = array("q")
        self._lasts = array("q")

    def __contains__(self, number: int) -> bool:
        at = bisect_right(self._firsts, number) - 1
        return at >= 0 and number <= self._lasts[at]

    def add(self, number: int) -> None:
        """Add *number*; one that is in the set already must not be added again."""
        self.last = number
        at = bisect_right(self._firsts, number)
        if at > 0 and self._lasts[at - 1] == number - 1:
            self._lasts[at - 1] = number
        else:
            self._firsts.insert(at, number)
            self._lasts.insert(at, number)

    def below(self, number: int) -> int | None:
        """Return the highest number of the set that is lower than *number*, or None."""
        at = bisect_right(self._firsts, number - 1) - 1
        return None if at < 0 else min(self._lasts[at], number - 1)

    def first_of(self, number: int) -> int:
        """Return the lowest of the numbers that lie side by side with *number*, itself one of the set."""
        return self._firsts[bisect_right(self._firsts, number) - 1]
