"""What was taken back, messages and compactions: asked again from one place, the older side is left."""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from hermes_sessions.agents.claude_code.outline import EventMark, Outline
from hermes_sessions.agents.parsed_values import text_of


class LeftBehind(NamedTuple):
    """What a session left.

    Attributes:
        messages: their numbers.
        boundaries: ids of the records of compactions.
    """

    messages: set[int]
    boundaries: set[str]


def rewound(outline: Outline) -> LeftBehind:
    """Return the messages and the compactions that the session left.

    Only where the place that both sides began from is in the file: an unwritten one tells nothing. What
    nobody answered may have waited in a queue, and stays. A compaction is left with what it summarised, or
    where the user asked again, and was answered, from the place right before it.
    """
    bounds = {hash(mark.record.uuid): mark for mark in outline.marks if mark.record.is_boundary}
    links = _joined(outline, bounds)
    sides: dict[int, list[int]] = defaultdict(list)
    for one in outline.heard:
        if one.is_typed and one.uuids:
            name = hash(one.uuids[0])
            sides[links.get(name, hash(None))].append(name)
    for name, mark in bounds.items():
        if links[name] in sides and not _keeps(mark):
            sides[links[name]].append(name)
    forked = {at: names for at, names in sides.items() if len(names) > 1 and at in links}
    if not forked:
        return LeftBehind(set(), set())
    latest = _latest(links)
    places = {name: place for place, name in enumerate(links)}
    answered = set(links.values())
    left: set[int] = set()
    for names in forked.values():
        typed = [name for name in names if name not in bounds]
        kept = max(typed, key=lambda name: latest.get(name, 0))
        left.update(name for name in typed if name != kept and name in answered)
        # A boundary is no side that others are left for: what it follows may be told inexactly.
        last = max(names, key=lambda name: latest.get(name, 0))
        if last == kept and kept in answered:
            left.update(name for name in names if name in bounds and places[name] < places[kept])
    left = _with_descendants(left, links)
    return LeftBehind(
        {one.ref for one in outline.heard if any(hash(uuid) in left for uuid in one.uuids)},
        {mark.record.uuid for name, mark in bounds.items() if name in left and mark.record.uuid is not None},
    )


def _with_descendants(names: set[int], links: Mapping[int, int]) -> set[int]:
    """Return *names* and all that descends from them; a reply's lines stand together, before its results."""
    following: dict[int, list[int]] = defaultdict(list)
    for name, parent in links.items():
        following[parent].append(name)
    found, waiting = set(names), list(names)
    while waiting:
        for name in following[waiting.pop()]:
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found


def _joined(outline: Outline, bounds: Mapping[int, EventMark]) -> dict[int, int]:
    """Return the links of a session's records; a boundary's is what it says it follows, else the one before.

    A boundary begins a tree of its own; without this nothing would tell on which side it is.
    """
    links: dict[int, int] = {}
    before: int | None = None
    for name, parent in outline.links.items():
        if name in bounds and parent not in links:
            told = text_of(bounds[name].record.value.get("logicalParentUuid"))
            known = told is not None and hash(told) in links
            links[name] = hash(told) if known or before is None else before
        else:
            links[name] = parent
        before = name
    return links


def _keeps(mark: EventMark) -> bool:
    """Whether messages go on behind a compaction where they are: what comes next follows one of them."""
    told = mark.record.value.get("compactMetadata")
    return isinstance(told, dict) and bool(told.get("preservedMessages") or told.get("preservedSegment"))


def _latest(links: Mapping[int, int]) -> dict[int, int]:
    """Return for each record the place of the last one that descends from it."""
    found: dict[int, int] = {}
    for place, name in reversed(list(enumerate(links))):
        at = name
        while at in links and at not in found:
            found[at] = place
            at = links[at]
    return found
