"""The number by which a compaction is looked up, beside its place among those of its conversation."""

from typing import Final

_ENDINGS: Final = {1: "st", 2: "nd", 3: "rd"}
_TEENS: Final = range(11, 14)


def numbered(number: int, ordinal: int, total: int | None = None) -> str:
    """Return what names one compaction: `22, the 2nd of 4`; without a place where it needs none.

    Args:
        number: what `audit` takes.
        ordinal: which of its conversation it is.
        total: how many its conversation has; None where that is not known.
    """
    if total == 1 or (total is None and number == ordinal):
        return str(number)
    of = "" if total is None else f" of {max(total, ordinal):,}"
    return f"{number}, the {nth(ordinal)}{of}"


def nth(ordinal: int) -> str:
    """Return which one in a row a number is: `2nd`."""
    ending = "th" if ordinal % 100 in _TEENS else _ENDINGS.get(ordinal % 10, "th")
    return f"{ordinal:,}{ending}"
