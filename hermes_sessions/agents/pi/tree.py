"""The tree of a session's entries: which of them lead to the newest one. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hermes_sessions.agents.session_files.told import SessionOutline


class CompactionTold(NamedTuple):
    """What a compaction's entry says.

    Attributes:
        first_kept: the id of the entry from which on all was kept.
        first_kept_number: the same in files without ids: its number among all lines.
    """

    key: str
    time: float | None
    summary: str | None
    first_kept: str | None
    first_kept_number: int | None
    tokens: int | None
    claim: dict[str, Any]


class PiNode(NamedTuple):
    """An entry in the tree.

    Attributes:
        parent: the place of the entry that it follows; None for one that begins a tree.
        number: as the entry's own.
        message: the place of its message among the session's; None where it says none.
    """

    id: str
    parent: int | None
    number: int
    message: int | None
    compaction: CompactionTold | None


@dataclass(slots=True)
class PiOutline(SessionOutline):
    """A session's outline, with its tree.

    Attributes:
        places: id of an entry -> its place among `nodes`.
        said: how many messages were read.
        strays: how many entries follow one that is not there.
    """

    nodes: list[PiNode] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)
    said: int = 0
    strays: int = 0
    replayed: int = 0

    def add(
        self, entry_id: str, parent: str | None, number: int, *, says: bool, told: CompactionTold | None
    ) -> None:
        """Take an entry into the tree; one without an id, or whose parent is not there, follows the last."""
        before = len(self.nodes) - 1 if self.nodes else None
        place = self.places.get(parent) if parent is not None else None
        if not entry_id:
            place = before
        elif parent is not None and place is None:
            self.strays += 1
            place = before
        if entry_id:
            self.places[entry_id] = len(self.nodes)
        self.nodes.append(PiNode(entry_id, place, number, self.said if says else None, told))
        self.said += says


def leading(nodes: Sequence[PiNode]) -> list[int]:
    """Return the places of the entries that lead to the newest one, in their order."""
    return list(upwards(nodes, len(nodes) - 1))[::-1] if nodes else []


def upwards(nodes: Sequence[PiNode], place: int) -> Iterator[int]:
    """Yield an entry's place and those of all that it follows; each follows an earlier one, so it ends."""
    at: int | None = place
    while at is not None:
        yield at
        at = nodes[at].parent
