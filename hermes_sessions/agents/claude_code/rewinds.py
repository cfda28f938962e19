"""Which messages were taken back: asked again from the same place, the older side is left."""

from collections import defaultdict
from collections.abc import Mapping

from hermes_sessions.agents.claude_code.outline import Outline


def rewound(outline: Outline) -> set[int]:
    """Return the numbers of the messages that the session left.

    Only where the place that both sides began from is in the file: an unwritten one tells nothing. What
    nobody answered may have waited in a queue, and stays.
    """
    sides: dict[int, list[int]] = defaultdict(list)
    for one in outline.heard:
        if one.is_typed and one.uuids:
            name = hash(one.uuids[0])
            sides[outline.links.get(name, hash(None))].append(name)
    forked = {at: names for at, names in sides.items() if len(names) > 1 and at in outline.links}
    if not forked:
        return set()
    latest = _latest(outline.links)
    answered = set(outline.links.values())
    left: set[int] = set()
    for names in forked.values():
        kept = max(names, key=lambda name: latest.get(name, 0))
        left.update(name for name in names if name != kept and name in answered)
    for name, parent in outline.links.items():
        if parent in left:
            left.add(name)
    return {one.ref for one in outline.heard if any(hash(uuid) in left for uuid in one.uuids)}


def _latest(links: Mapping[int, int]) -> dict[int, int]:
    """Return for each record the place of the last one that descends from it."""
    found: dict[int, int] = {}
    for place, name in reversed(list(enumerate(links))):
        at = name
        while at in links and at not in found:
            found[at] = place
            at = links[at]
    return found
