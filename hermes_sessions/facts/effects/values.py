"""What an action is: one effect of one call."""

from enum import StrEnum
from typing import Final, NamedTuple


class Effect(StrEnum):
    """What an action does to the world.

    `reads` looks; `checks` is done time and again (tests, builds); `writes`, `sends`, `deletes`
    and `publishes` change something; `runs` is a program of which nothing is known.
    """

    READS = "reads"
    CHECKS = "checks"
    WRITES = "writes"
    SENDS = "sends"
    DELETES = "deletes"
    PUBLISHES = "publishes"
    RUNS = "runs"


LASTING: Final = frozenset({Effect.WRITES, Effect.SENDS, Effect.DELETES, Effect.PUBLISHES})
"""Effects that doing twice doubles."""

OUTWARD: Final = frozenset({Effect.SENDS, Effect.DELETES, Effect.PUBLISHES})
"""Effects that cannot be taken back."""


class CallAction(NamedTuple):
    """One effect of a call: a step of a command line, or the call itself.

    Attributes:
        effect: what it does.
        key: two actions with one key do the same thing.
        words: program and arguments, or the tool's name.
        folder: where it runs, '' where that is not said.
        opened: files whose text it shows.
        changed: files that it writes or deletes.
    """

    effect: Effect
    key: tuple[str, ...]
    words: tuple[str, ...]
    folder: str = ""
    opened: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def is_same_file(one: str, other: str) -> bool:
    """Return whether two paths name one file: the same, or one of them from a folder further in."""
    if one == other:
        return True
    shorter, longer = (one, other) if len(one) <= len(other) else (other, one)
    if not longer.endswith(shorter):
        return False
    return "/" in shorter and not shorter.startswith(("/", "~")) and longer.endswith(f"/{shorter}")
