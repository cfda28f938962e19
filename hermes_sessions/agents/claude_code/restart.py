"""Where a session that grows is read on from: right after its last compaction, with what is known there.

What comes later may change something before only in ways that show: a record that is not later than all
before, or that follows one of them. Then all of the file is read. Not here: whether the file is the one that
was read (`json_lines.file_state`).
"""

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeAlias

import msgspec

from hermes_sessions.agents.claude_code.outline import HeardMessage, Outline
from hermes_sessions.agents.claude_code.records import TalkRecord
from hermes_sessions.agents.claude_code.said import Item, Said
from hermes_sessions.agents.json_lines.restarts import kept_as

_VERSION: Final = 2
_Number: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]


class RestartPlace(msgspec.Struct, frozen=True, kw_only=True):
    """What was known of a session right after a compaction; JSON as it is.

    Attributes:
        offset: where the next line begins.
        heard: how many messages were before.
        newest: the latest time of a record up to the compaction's boundary.
        boundary: its id; `summary` is that of the record after it.
        live: what the model saw: kept messages, and the summary.
    """

    version: int
    offset: _Number
    heard: _Number
    newest: float
    boundary: str
    summary: str
    live: list[HeardMessage]
    kinds: dict[str, int]
    titles: dict[str, str]
    totals: dict[str, int]
    facts: dict[str, str]

    def outline(self) -> Outline:
        """Return an outline of everything before: nothing is heard in it, its sums are those of what was."""
        return Outline(
            kinds=Counter(self.kinds),
            titles=dict(self.titles),
            totals=Counter(self.totals),
            facts=dict(self.facts),
            newest=self.newest,
            links={hash(self.boundary): hash(None), hash(self.summary): hash(self.boundary)},
            live=list(self.live),
        )


def restart_place(told: Any) -> RestartPlace | None:
    """Return what a cursor kept; None for anything else."""
    found = kept_as(told, RestartPlace)
    return found if found is not None and found.version == _VERSION else None


@dataclass(slots=True)
class RestartWatch:
    """Notes, while a session is read, of the place right after its last compaction.

    Attributes:
        heard: how many messages were before this reading.
        place: what was known there, `live` apart; None where no compaction came, or none to read on from.
    """

    heard: int = 0
    place: RestartPlace | None = None
    _boundary: TalkRecord | None = None
    _newest: float | None = None

    def note(self, item: Item, outline: Outline) -> None:
        """Come to an item that the outline has taken in."""
        boundary, self._boundary = self._boundary, None
        if not isinstance(item, Said):
            if item.is_boundary:
                self._boundary, self._newest = item, outline.newest
            return
        if self.place is not None and item.first.end == self.place.offset:
            self.place = None  # its record says more than the summary
        last = outline.heard[-1]
        if boundary is None or not last.is_summary or len(last.uuids) != 1 or boundary.uuid is None:
            return
        if item.waits:
            return  # it is said later, and what it says stands before
        outline.settled = len(outline.heard)
        self.place = RestartPlace(
            version=_VERSION,
            offset=item.records[-1].end,
            heard=self.heard + len(outline.heard),
            newest=self._newest or 0.0,
            boundary=boundary.uuid,
            summary=last.uuids[0],
            live=[],
            kinds=dict(outline.kinds),
            titles=dict(outline.titles),
            totals=dict(outline.totals),
            facts=dict(outline.facts),
        )

    def as_json(self, live: Sequence[HeardMessage]) -> dict[str, Any] | None:
        """Return the place as JSON that a cursor can keep; None where there is none.

        Args:
            live: what the model saw there; nothing where the compaction was taken back.
        """
        if self.place is None or not live:
            return None
        found: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(self.place, live=list(live)))
        return found


def is_settled(record: TalkRecord, place: RestartPlace, known: Container[int]) -> bool:
    """Return whether a record after *place* changes nothing before it.

    Args:
        known: hashes of the ids of records that it may follow.
    """
    at, parent = record.time, record.parent
    later = at is not None and at > place.newest
    if record.uuid is None:
        return record.kind not in ("user", "assistant") and (later or record.kind != "queue-operation")
    return later and (parent is None or hash(parent) in known)
