"""Places from which files that grow are read on: what a cursor keeps of them. Pure."""

from collections.abc import Iterable, Mapping
from heapq import nlargest
from typing import Any, Final, TypeVar

import msgspec

from hermes_sessions.typed_values import read_as

MOST: Final = 200
"""How many files, the newest, may be read on; what is known of a place in one is some KB in the cursor."""

T = TypeVar("T")


def kept_as(told: Any, kind: type[T]) -> T | None:
    """Return what a cursor kept as a value of *kind*; None where it is none, as of another release."""
    try:
        return read_as(told, kind)
    except (msgspec.ValidationError, RecursionError):
        return None


def newest_restarts(points: Iterable[tuple[float, str, Any]]) -> Mapping[str, Any]:
    """Return file -> its place, of the newest files.

    Args:
        points: when each file was written last, its name, and its place; None where it has none.
    """
    known = (one for one in points if one[2] is not None)
    return {name: point for _, name, point in nlargest(MOST, known, key=lambda one: one[:2])}
