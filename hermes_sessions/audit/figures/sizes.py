"""Numbers in order of size, to be asked for one that is near another. Pure."""

from bisect import bisect_left
from collections.abc import Iterable
from math import inf

from hermes_sessions.audit.figures.written_numbers import WrittenNumber


class Sizes:
    """Numbers in order of size, to be asked for one that is near another."""

    def __init__(self, numbers: Iterable[WrittenNumber]) -> None:
        """Take *numbers*, the finest reading of each size."""
        steps: dict[float, float] = {}
        units: dict[float, set[str]] = {}
        for one in numbers:
            size = abs(one.size)
            steps[size] = min(steps.get(size, inf), one.step)
            units.setdefault(size, set()).add(one.unit)
        self.sizes = sorted(steps)
        self._steps = steps
        self._units = units

    def has(self, size: float, room: float) -> bool:
        """Return whether a number is no more than *room* away from *size*."""
        return self._near(size, room) is not None

    def has_of_unit(self, size: float, room: float, other: float) -> bool:
        """Return whether such a number may have the unit of the number *other*."""
        near = self._near(size, room)
        if near is None:
            return False
        units = self._units[near]
        return "" in units or "" in self._units[other] or not units.isdisjoint(self._units[other])

    def _near(self, size: float, room: float) -> float | None:
        at = bisect_left(self.sizes, size - room - abs(size) * 1e-9)
        is_near = at < len(self.sizes) and self.sizes[at] <= size + room + abs(size) * 1e-9
        return self.sizes[at] if is_near else None

    def has_finer(self, size: float, step: float) -> bool:
        """Return whether a number written finer than *step* is less than that away from *size*: rounded, or cut off."""
        at = bisect_left(self.sizes, size - step)
        while at < len(self.sizes) and self.sizes[at] < size + step:
            if self._steps[self.sizes[at]] < step:
                return True
            at += 1
        return False
