"""How sessions descend from each other: classify children, cut cycles, find roots, chains and tips.

Pure, over ids and evidence. An importer turns its agent's words into evidence; none of
them is known here. Loops instead of recursion: chains of thousands occur. Nothing here
compares a child's start with its parent's end: agents write both, in either order.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from hermes_sessions.errors import CycleError

CONTINUED: Final = "compression"
"""`end_reason` of a session that a compaction ended, to go on in another one."""


class Relation(StrEnum):
    """What a session is to its parent."""

    ROOT = "root"
    COMPACTION = "compaction"
    BRANCH = "branch"
    RESET = "reset"
    DELEGATE = "delegate"
    UNKNOWN = "unknown"


class Ending(StrEnum):
    """Why a session ended, where that says something about its children."""

    COMPACTED = "compacted"
    BRANCHED = "branched"
    RESET = "reset"


@dataclass(frozen=True, slots=True)
class SessionEvidence:
    """What classification looks at, in nobody's words.

    Attributes:
        ending: why it ended; None where that is not known or says nothing.
        named: the parent that a label of its own names, by what the label says it is to that parent.
        spawned: its origin says that an agent started it.
        place: where its user talks; a reset continues in the same place.
        title: without what the agent appends to the title of a continuation.
        number: what the agent appended; None: nothing.
        has_carrier: a handoff is where a compaction would have put it.
        copied_rows: how many first rows repeat the parent's.
        first_role: role of the first row that is neither copied nor a handoff.
        message_count: stored rows.
    """

    id: str
    started_at: float | None = None
    ended_at: float | None = None
    ending: Ending | None = None
    named: Mapping[Relation, str] = field(default_factory=dict)
    spawned: bool = False
    place: str | None = None
    title: str | None = None
    number: str | None = None
    has_carrier: bool = False
    copied_rows: int = 0
    first_role: str | None = None
    message_count: int = 0


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a session stands: its relation, the parent it hangs on (None: a root), and
    whether it lies beside the chain because another continuation was followed.
    """

    relation: Relation
    parent: str | None
    fork: bool = False


# -- one child -------------------------------------------------------------------------------------


def classify(child: SessionEvidence, parent: SessionEvidence | None, *, rivals: bool = False) -> Relation:
    """Say what *child* is to *parent*; evidence from the rows beats labels.

    A label counts only when it names this parent: continuations inherit labels, and
    some releases wrote wrong ones.

    Args:
        child: a session with a parent link.
        parent: the session it points to; None when that one is not there.
        rivals: another child of the same parent is its continuation on better evidence.

    Returns:
        Never ROOT. UNKNOWN where nothing tells.
    """
    if parent is None:
        return Relation.COMPACTION if child.has_carrier else Relation.UNKNOWN
    named = child.named
    branched = parent.ending is Ending.BRANCHED and child.copied_rows > 0
    if named.get(Relation.BRANCH) == parent.id or branched:
        return Relation.BRANCH
    if named.get(Relation.RESET) == parent.id:
        return Relation.RESET
    if child.has_carrier or child.copied_rows:
        return Relation.COMPACTION
    if named.get(Relation.DELEGATE) == parent.id or child.spawned:
        return Relation.DELEGATE
    if parent.ending is Ending.RESET and child.place is not None and child.place == parent.place:
        return Relation.RESET
    if parent.ending is Ending.COMPACTED and (_labelled(child, parent) or not rivals):
        return Relation.COMPACTION
    return Relation.UNKNOWN


def continues_title(child: SessionEvidence, parent: SessionEvidence) -> bool:
    """Return whether *child* has *parent*'s title with another number."""
    if child.number is None or child.number == parent.number:
        return False
    return child.title == parent.title


def _labelled(child: SessionEvidence, parent: SessionEvidence) -> bool:
    """A continuation by its labels alone: the numbered title, or still empty."""
    return continues_title(child, parent) or child.message_count == 0


# -- a family --------------------------------------------------------------------------------------


def find_cycles(parents: Mapping[str, str | None]) -> list[CycleError]:
    """Return every circle of parent links, as an error value with its members."""
    done: set[str] = set()
    cycles = []
    for start in parents:
        path: dict[str, None] = {}
        at: str | None = start
        while at is not None and at in parents and at not in done and at not in path:
            path[at] = None
            at = parents[at]
        if at is not None and at in path:
            members = list(path)
            cycles.append(CycleError(members[members.index(at) :]))
        done.update(path)
    return cycles


def cut_cycles(
    parents: Mapping[str, str | None], started_at: Mapping[str, float | None]
) -> tuple[dict[str, str | None], list[CycleError]]:
    """Return the parent links with each circle cut at its earliest-started member (ties by id)."""
    cut = dict(parents)
    cycles = find_cycles(parents)
    for cycle in cycles:
        first = min(cycle.members, key=lambda member: (_time(started_at.get(member)), member))
        cut[first] = None
    return cut, cycles


def place_family(
    sessions: Mapping[str, SessionEvidence], parents: Mapping[str, str | None]
) -> dict[str, Placement]:
    """Classify every session of a family and choose which continuation is followed.

    Of several continuations of one parent the one that itself goes on is followed,
    then the one with more new rows; the others are forks, and so is what continues
    a fork. A session that is no continuation of a parent which was compacted and went
    on elsewhere was spawned while that parent lived: a delegate.

    Args:
        sessions: the family by id.
        parents: id -> parent id, without cycles; a parent that is not in *sessions*
            is a missing one; None makes a root.
    """
    children: dict[str, list[str]] = defaultdict(list)
    for child, parent in parents.items():
        if parent is not None and parent in sessions:
            children[parent].append(child)
    relations = {session: _own_relation(sessions[session], parents.get(session)) for session in sessions}
    for parent, family in children.items():
        relations.update(_classify_siblings(sessions[parent], [sessions[child] for child in family]))
    forks = _forks(sessions, children, relations)
    return {
        session: Placement(
            relations[session],
            parent if (parent := parents.get(session)) in sessions else None,
            session in forks,
        )
        for session in sessions
    }


def _own_relation(session: SessionEvidence, parent: str | None) -> Relation:
    """The relation of a session whose parent is not there (children of others are overwritten)."""
    if parent is None and not session.has_carrier:
        return Relation.ROOT
    return classify(session, None)


def _classify_siblings(parent: SessionEvidence, family: Sequence[SessionEvidence]) -> dict[str, Relation]:
    sure = {child.id: classify(child, parent, rivals=True) for child in family}
    if parent.ending is not Ending.COMPACTED:
        return sure
    if Relation.COMPACTION not in sure.values():
        unsure = [child for child in family if sure[child.id] is Relation.UNKNOWN]
        if unsure:
            heir = max(unsure, key=lambda child: (child.message_count, child.id))
            sure[heir.id] = classify(heir, parent)
    spawned = {
        child.id: Relation.DELEGATE
        for child in family
        if sure[child.id] is Relation.UNKNOWN and child.first_role == "user"
    }
    return sure | spawned


def _forks(
    sessions: Mapping[str, SessionEvidence],
    children: Mapping[str, Sequence[str]],
    relations: Mapping[str, Relation],
) -> set[str]:
    """Continuations that are not followed, with everything that continues them."""

    def heirs(parent: str) -> list[str]:
        return [child for child in children.get(parent, ()) if relations[child] is Relation.COMPACTION]

    forks: set[str] = set()
    for parent in sessions:
        rivals = heirs(parent)
        if len(rivals) > 1:
            followed = max(rivals, key=lambda child: (bool(heirs(child)), _new_rows(sessions[child]), child))
            forks.update(set(rivals) - {followed})
    pending = list(forks)
    while pending:
        beyond = [child for child in heirs(pending.pop()) if child not in forks]
        forks.update(beyond)
        pending.extend(beyond)
    return forks


def _new_rows(session: SessionEvidence) -> int:
    return session.message_count - session.copied_rows


def _time(value: float | None) -> float:
    return float("inf") if value is None else value


# -- walks -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lineage:
    """The tree of placed sessions, for walking.

    A conversation is a root (or a branch, reset, delegate or unknown child) with the
    compaction continuations below it.
    """

    placements: Mapping[str, Placement]
    order: Mapping[str, Any] = field(default_factory=dict)
    """Sort key of siblings; ids break ties."""
    _children: Mapping[str, list[str]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        children: dict[str, list[str]] = defaultdict(list)
        for session, placed in self.placements.items():
            if placed.parent is not None:
                children[placed.parent].append(session)
        for family in children.values():
            family.sort(key=lambda child: (self.order.get(child, 0), child))
        object.__setattr__(self, "_children", dict(children))

    def children(self, session: str) -> Sequence[str]:
        """Return the direct children of *session*, siblings in order."""
        return self._children.get(session, [])

    def root(self, session: str) -> str:
        """Return the root of the conversation *session* belongs to."""
        placed = self.placements[session]
        while placed.relation is Relation.COMPACTION and placed.parent is not None:
            session = placed.parent
            placed = self.placements[session]
        return session

    def ancestor(self, session: str) -> str:
        """Return the top of the whole family, across branches, resets and delegates."""
        while (parent := self.placements[session].parent) is not None:
            session = parent
        return session

    def chain(self, root: str) -> tuple[str, ...]:
        """Return the sessions from *root* to its tip, forks left out."""
        chain = [root]
        while (heir := self._followed(chain[-1])) is not None:
            chain.append(heir)
        return tuple(chain)

    def tip(self, root: str) -> str:
        """Return the newest continuation of *root*."""
        return self.chain(root)[-1]

    def members(self, root: str) -> Iterator[tuple[str, int]]:
        """Yield (session, ordinal) of the conversation of *root*, forks included, parents first."""
        pending = [(root, 0)]
        while pending:
            session, ordinal = pending.pop()
            yield session, ordinal
            pending.extend(
                (child, ordinal + 1)
                for child in reversed(self.children(session))
                if self.placements[child].relation is Relation.COMPACTION
            )

    def family(self, session: str) -> Iterator[tuple[str, int]]:
        """Yield (session, depth) of the whole family of *session*, parents before children."""
        pending = [(self.ancestor(session), 0)]
        while pending:
            at, depth = pending.pop()
            yield at, depth
            pending.extend((child, depth + 1) for child in reversed(self.children(at)))

    def roots(self) -> Iterable[str]:
        """Return the root of every conversation."""
        return (
            session
            for session, placed in self.placements.items()
            if placed.relation is not Relation.COMPACTION or placed.parent is None
        )

    def _followed(self, session: str) -> str | None:
        for child in self.children(session):
            placed = self.placements[child]
            if placed.relation is Relation.COMPACTION and placed.fork == self.placements[session].fork:
                return child
        return None
