"""A window of a transcript in reading order: rows, compactions, folds and offshoots. Pure.

Everything that is not a row gets a key (session ordinal, position) between the keys
of the rows around it, and belongs to the window whose range of keys holds its own.
"""

import json
import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from hermes_sessions.lineage import Relation
from hermes_sessions.messages import CompactionStatus, MessageState, Realisation, Role
from hermes_sessions.store.queries.compactions import ListedCompaction
from hermes_sessions.store.queries.lineage import FamilySession, HiddenRow
from hermes_sessions.store.queries.paging import ScrollPlace
from hermes_sessions.store.queries.transcript_rows import TranscriptRow
from hermes_sessions.store.queries.windows import View
from hermes_sessions.web.conversation.item_values import (
    Bubble,
    Day,
    Fold,
    HandoffItem,
    Inherited,
    Item,
    Offshoot,
    Separator,
)
from hermes_sessions.web.conversation.items import ItemOptions, row_items, who_asks
from hermes_sessions.web.conversation.window_material import BEHIND_ROW, END, Key, WindowMaterial
from hermes_sessions.web.text.sentences import count_of_kind, day_of, separator_line

SURE_CHARS, MATCHED_CHARS = 12, 60
"""A task this short proves nothing; this much of a longer one is compared."""
OFFSHOOT_LABELS = {"delegate": "Delegate", "branch": "Branch", "reset": "Reset", "compaction": "Fork"}
_FOLD_LABELS = {
    "copy": ("copy of an earlier message, folded", "copies of earlier messages, folded"),
    "undone": ("message undone by the user", "messages undone by the user"),
    "older": ("older version of a message", "older versions of messages"),
}


def arrange(material: WindowMaterial, *, max_image_bytes: int) -> tuple[Item, ...]:
    """Return the items of a window in the order they are read."""
    reading = ItemOptions(
        every_part=not material.query.view.one_scroll,
        asked_by=who_asks(material.conversation.kind),
        inherited={row.id: row.inherited_count for row in material.sessions.values() if row.inherited_count},
        merged_copies=material.merged_copies,
        max_image_bytes=max_image_bytes,
    )
    by_handoff = {row.handoff_id: row for row in material.compactions if row.handoff_id is not None}
    events = sorted(_events(material), key=lambda event: event[0])
    items: list[Item] = []
    upcoming = iter([*events, (END, None)])
    key, event = next(upcoming)
    day = ""
    for row, own in row_items(material.window.rows, reading):
        while event is not None and key <= (row.ordinal, row.position):
            items.append(event)
            key, event = next(upcoming)
        if own and (today := day_of(row.created_at)) and today != day:
            items.append(Day(at=row.created_at))
            day = today
        items += _with_separators(own, by_handoff, material)
    items += [late for late in (event, *(rest for _, rest in upcoming)) if late is not None]
    return tuple(_said(items)) if material.query.view is View.TALK else tuple(items)


def _said(items: Iterable[Item]) -> Iterator[Item]:
    """Leave what was said, the days, and of compactions the bare line."""
    for item in items:
        if isinstance(item, Separator):
            yield replace(item, summary=None)
        elif isinstance(item, Bubble) and (item.text.strip() or item.attachments):
            row = replace(item.row, reasoning=None)
            yield replace(item, row=row, calls=(), broken_calls=None, merged_into=None)
        elif isinstance(item, Day):
            yield item


def _with_separators(
    own: Iterable[Item], by_handoff: dict[int, ListedCompaction], material: WindowMaterial
) -> Iterator[Item]:
    """Put a compaction's separator right before its handoff, also inside a merged row."""
    for item in own:
        if isinstance(item, HandoffItem) and item.row.id in by_handoff:
            yield _separator(by_handoff[item.row.id], material, carried=True)
        yield item


# -- events ----------------------------------------------------------------------------------------


def _events(material: WindowMaterial) -> Iterator[tuple[Key, Item]]:
    """Yield everything that is not a row and belongs to this window, with its key."""
    found = [*_separators(material), *_inherited(material), *_offshoots(material), *_folds(material)]
    for key, item in found:
        if material.low < key <= material.high:
            yield key, item


def _separators(material: WindowMaterial) -> Iterator[tuple[Key, Item]]:
    """Yield the separators of compactions whose handoff is no row of the scroll."""
    for row in material.compactions:
        if not (row.handoff_id is not None and row.handoff_shown) and row.session_id in material.sessions:
            yield _place_of(row), _separator(row, material, carried=False)


def _place_of(row: ListedCompaction) -> Key:
    """Return where a compaction without a visible handoff happened."""
    if row.status in (CompactionStatus.INTERRUPTED, CompactionStatus.ABORTED):
        return (row.session_ordinal, math.inf)
    if row.realisation == Realisation.ROTATION:
        return (row.session_ordinal, -1.0)
    if row.handoff_position is not None and row.handoff_session_id == row.session_id:
        return (row.session_ordinal, float(row.handoff_position))
    if row.span_last_position is not None and row.span_last_session_id == row.session_id:
        return (row.session_ordinal, row.span_last_position + 0.5)
    return (row.session_ordinal, math.inf)


def place_in_session(row: ListedCompaction) -> int:
    """Return the row of its session at which a compaction's separator stands, or one close to it."""
    if row.handoff_shown and row.handoff_position is not None:
        return row.handoff_position
    position = _place_of(row)[1]
    return int(position) if math.isfinite(position) else 999_999_999


def _separator(row: ListedCompaction, material: WindowMaterial, *, carried: bool) -> Separator:
    return Separator(
        compaction=row,
        line=separator_line(row, count_of_kind(row, material.conversation)),
        summary=None if carried else row.summary,
    )


def _inherited(material: WindowMaterial) -> Iterator[tuple[Key, Item]]:
    for row in material.sessions.values():
        if row.inherited_count:
            parent = material.parents.get(row.parent_id or 0)
            yield (row.ordinal, -0.5), Inherited(session=row, parent=parent, opening=True)
            closing = Inherited(session=row, parent=parent, opening=False)
            yield (row.ordinal, row.inherited_count - 0.5), closing


def _offshoots(material: WindowMaterial) -> Iterator[tuple[Key, Item]]:
    """Yield what left the conversation: forks at the end of their parent, others by time."""
    for row in material.offshoots:
        parent = material.sessions[row.parent_id or 0]
        label = "Fork" if row.fork else OFFSHOOT_LABELS.get(row.relation, "Related session")
        item = Offshoot(session=row, label=label)
        started_by = None if row.fork else _starter(material, row)
        if started_by is not None:
            yield (parent.ordinal, started_by.position + BEHIND_ROW), item
        elif row.fork or row.started_at is None:
            yield (parent.ordinal, math.inf), item
        elif (position := _position_at(material, parent, row.started_at)) is not None:
            yield (parent.ordinal, position), item


def _starter(material: WindowMaterial, child: FamilySession) -> TranscriptRow | None:
    """Return the row in the window that names a delegate, or gives it the task it began with."""
    if child.relation != Relation.DELEGATE:
        return None
    names = [child.foreign_id]
    if child.conversation_preview and len(child.conversation_preview) >= SURE_CHARS:
        task = child.conversation_preview[:MATCHED_CHARS]
        names += [json.dumps(task)[1:-1], json.dumps(task, ensure_ascii=False)[1:-1]]
    for row in material.window.rows:
        if row.session_id == child.parent_id and any(name in (row.tool_calls or "") for name in names):
            return row
    tools = (
        row for row in material.window.rows if row.role == Role.TOOL and row.session_id == child.parent_id
    )
    return next((row for row in tools if child.foreign_id in (row.text or "")), None)


def _position_at(material: WindowMaterial, parent: FamilySession, at: float) -> float | None:
    """Return where in the window a session stood at a time; None where that is in another window."""
    rows = [row for row in material.window.rows if row.session_id == parent.id]
    earlier = [row.position for row in rows if row.created_at is not None and row.created_at <= at]
    if not earlier:
        start = BEHIND_ROW - 1
        return start if material.low < (parent.ordinal, start) else None
    after = material.window.following
    last = earlier[-1] == rows[-1].position
    if last and after and after.place.ordinal == parent.ordinal and (after.created_at or math.inf) <= at:
        return None
    return earlier[-1] + BEHIND_ROW


def _folds(material: WindowMaterial) -> Iterator[tuple[Key, Item]]:
    """Yield one line for each run of hidden rows of one kind between two shown ones."""
    shown: dict[int, list[int]] = {}
    for row in material.window.rows:
        shown.setdefault(row.session_id, []).append(row.position)

    def run(row: HiddenRow) -> tuple[int, int, str]:
        return row.session_id, bisect_left(shown.get(row.session_id, []), row.position), _why(row)

    for (session_id, _, why), group in groupby(material.hidden, run):
        session = material.sessions[session_id]
        yield from _fold(session, why, list(group))


def _fold(session: FamilySession, why: str, rows: Sequence[HiddenRow]) -> Iterator[tuple[Key, Item]]:
    first, last = rows[0].position, rows[-1].position
    one, many = _FOLD_LABELS[why]
    fold = Fold(
        session=session.public_id,
        first=ScrollPlace(session.ordinal, first),
        last=ScrollPlace(session.ordinal, last),
        count=len(rows),
        label=one if len(rows) == 1 else many,
    )
    yield (session.ordinal, float(first)), fold


def _why(row: HiddenRow) -> str:
    if row.state == MessageState.REWOUND:
        return "undone"
    return "older" if row.state == MessageState.SUPERSEDED else "copy"
