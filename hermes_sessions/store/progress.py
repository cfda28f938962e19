"""How long work in the store tells how far it is."""

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is (0: unknown)."""


def silent(step: str, done: int, total: int) -> None:
    """Tell nobody."""
