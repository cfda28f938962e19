"""Whose records a transcript begins with: older releases copied a session when it was resumed or forked."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from hermes_sessions.agents.claude_code.file_facts import FileInfo

_PIECE: Final = 1 << 20


def find_owners(mains: Mapping[str, FileInfo]) -> dict[str, str]:
    """Return for each session that begins with another's records the session that it goes on from.

    That is the one that has them first; of several that go on one after the other, the last whose end it has.
    Which was first is told by what they hold: times and names of files say it only where that is alike.
    """
    groups: dict[str, list[str]] = {}
    for one, file in mains.items():
        if file.facts.first is not None:
            groups.setdefault(file.facts.first, []).append(one)
    found: dict[str, str] = {}
    for members in groups.values():
        held = _held(mains, members)
        first, *others = sorted(members, key=lambda one: (held[one], *_rank(mains[one], one)))
        for at, one in enumerate(others):
            before = (it for it in reversed(others[:at]) if _holds(mains[one], mains[it].facts.leaf))
            found[one] = next(before, first)
    for one, file in mains.items():
        told = None if file.facts.own or _begin_alike(mains, one, file.facts.told) else file.facts.told
        named = [file.facts.forked_from, told]
        parent = next((name for name in named if name is not None and name != one and name in mains), None)
        if parent is not None and found.get(parent) != one:
            found[one] = parent
    return found


def _held(mains: Mapping[str, FileInfo], members: Sequence[str]) -> dict[str, int]:
    """Return for each of some sessions that begin alike the ends of how many others it has."""
    if len(members) == 1:
        return {members[0]: 0}
    return {
        one: sum(_holds(mains[one], mains[other].facts.leaf) for other in members if other != one)
        for one in members
    }


def _begin_alike(mains: Mapping[str, FileInfo], one: str, other: str | None) -> bool:
    """Whether two files have the same first record: which goes on from which is known by what they hold."""
    known = mains.get(other or "")
    return known is not None and known.facts.first is not None and known.facts.first == mains[one].facts.first


def _rank(file: FileInfo, name: str) -> tuple[bool, bool, int, str]:
    facts = file.facts
    return facts.forked_from is not None, facts.told != file.path.stem, file.state.modified, name


def _holds(file: FileInfo, leaf: str | None) -> bool:
    """Whether a record is in a file: looked for once in each state of the file."""
    if leaf is None:
        return False
    known = file.facts.holds
    if leaf not in known:
        known[leaf] = names_record(file, leaf)
    return known[leaf]


def names_record(file: FileInfo, uuid: str) -> bool:
    """Whether the id of a record is written in a file."""
    text = f'"{uuid}"'.encode("utf-8", "surrogatepass")
    left, carry = file.state.whole, b""
    with suppress(OSError), file.path.open("rb") as lines:  # a file that is gone is noticed when it is read
        while left > 0 and (piece := lines.read(min(_PIECE, left))):
            left -= len(piece)
            seen = carry + piece
            if text in seen:
                return True
            carry = seen[-len(text) :]
    return False
