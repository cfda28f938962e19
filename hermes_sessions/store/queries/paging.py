"""Keyset paging: where a page ends is a value of its last row, never an offset.

A cursor is part of a URL, so it is parsed strictly and its order is total: ids
break ties between equal times.
"""

import math
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.late_patterns import late_pattern

T = TypeVar("T")

_TIME_CURSOR = late_pattern(r"(-|-?\d{1,15}(?:\.\d{1,25})?)_(\d{1,18})")
MAX_LIMIT_IN_URL = 500
ENOUGH = 10**9
"""More rows than any store holds; larger numbers do not fit into a statement."""
_PLACE = late_pattern(r"(\d{1,9})\.(\d{1,9})")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a listing.

    Attributes:
        items: the rows, in the listing's order.
        next: cursor of the page that follows (older rows); None at the end.
        previous: cursor of the page before (newer rows); None at the start.
    """

    items: tuple[T, ...]
    next: "TimeCursor | None" = None
    previous: "TimeCursor | None" = None


@dataclass(frozen=True, slots=True)
class TimeCursor:
    """A row of a listing ordered by a number (mostly a time) and id; `at` is None for rows without one."""

    at: float | None
    id: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a cursor back from a URL.

        Raises:
            InvalidQueryError: *text* is not a cursor that a page gave out.
        """
        found = _TIME_CURSOR.fullmatch(text)
        if found is None:
            raise InvalidQueryError("this page cursor is not one of ours; start from the first page")
        at = None if found[1] == "-" else float(found[1])
        return cls(at, int(found[2]))

    def __str__(self) -> str:
        if self.at is None:
            return f"-_{self.id}"
        # The shortest text that comes back as the same float; small shares without an exponent.
        text = repr(float(self.at))
        text = f"{self.at:.25f}".rstrip("0") if "e" in text else text
        return f"{text.removesuffix('.0').rstrip('.')}_{self.id}"


@dataclass(frozen=True, slots=True, order=True)
class ScrollPlace:
    """Where a message stands in its conversation: session in the chain, row in the session."""

    ordinal: int
    position: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a place back from a URL.

        Raises:
            InvalidQueryError: *text* is not `ordinal.position`.
        """
        found = _PLACE.fullmatch(text)
        if found is None:
            raise InvalidQueryError("a place in a conversation looks like 3.120: session and row")
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.ordinal}.{self.position}"


def read_limit(text: str | None) -> int:
    """Return how many rows a query string asks for, 50 where it does not say.

    Raises:
        InvalidQueryError: it is not a number, or more than a page can hold.
    """
    if not text:
        return 50
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text[:9]) <= MAX_LIMIT_IN_URL:
        raise InvalidQueryError(f"limit is a number from 1 to {MAX_LIMIT_IN_URL}")
    return int(text)


def check_limit(limit: int) -> None:
    """Refuse a page without room for a row.

    Raises:
        InvalidQueryError: *limit* is less than 1, or more than any store holds.
    """
    if not 1 <= limit <= ENOUGH:
        raise InvalidQueryError(f"limit is a number from 1 to {ENOUGH}")


BEGINNING = (-1, -math.inf)
END = (math.inf, math.inf)
"""Sort keys before and behind every place."""
