"""Keys that so many things have that they are the columns of a listing. Pure."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from hermes_sessions.compaction.economy.fact_lines import FactLine
from hermes_sessions.messages import Role

_MANY: Final = 12


def last_key(line: FactLine) -> str:
    """Return the last part of the whole key that a tool's line gives a value; '' where it has none."""
    key, equals, _ = line.text.partition(" = ")
    return key.rpartition(".")[2] if equals and "." in key and line.speaker == Role.TOOL else ""


def columns_among(lines: Iterable[FactLine]) -> frozenset[str]:
    """Return the last parts of keys that so many things have that they are the columns of a listing."""
    often = Counter(map(last_key, lines))
    return frozenset(leaf for leaf, count in often.items() if leaf and count >= _MANY)
