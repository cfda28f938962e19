"""Values read as the types that say how they are made.

msgspec reads the annotations of a type when it first meets it, and runs Python code meanwhile. Another
thread that meets the same type then takes it half read: the process ends with a segmentation fault (msgspec
0.22). So one thread at a time reads a type that is new. Pure.
"""

from threading import Lock
from typing import Any, Final, TypeVar

from msgspec import convert

T = TypeVar("T")

_READING: Final = Lock()
_KNOWN: Final[set[Any]] = set()
"""The types of which all is read, with those that they hold."""


def read_as(value: object, kind: type[T], *, strict: bool = True, from_attributes: bool = False) -> T:
    """Return *value* as a value of *kind*; any number of threads may ask.

    Args:
        strict: a text is no number, and the like.
        from_attributes: of an object its attributes are taken, as a mapping's values are.

    Raises:
        msgspec.ValidationError: it is none; the text says where and why.
    """
    if kind in _KNOWN:
        return convert(value, kind, strict=strict, from_attributes=from_attributes)
    with _READING:
        made = convert(value, kind, strict=strict, from_attributes=from_attributes)
        _KNOWN.add(kind)
    return made
