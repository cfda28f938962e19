"""Compactions and prunes of which no row of a transcript tells, and where to say that they happened."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from sqlalchemy.orm import Session as DbSession

from hermes_sessions.exporters.readable_entries import CompactionLine
from hermes_sessions.operations.documents.messages import MessageJson
from hermes_sessions.operations.exports.export_entries import compaction_line
from hermes_sessions.store.queries.compactions import load_compactions
from hermes_sessions.store.queries.conversations import get_conversation


def rowless_compactions(
    db: DbSession, public_id: str, messages: Sequence[MessageJson]
) -> Mapping[int, Sequence[CompactionLine]]:
    """Return, by a message's place in *messages*, the lines that belong after it.

    A line belongs after the last message of its session that is not behind its span, and after the
    last message of all where there is none.
    """
    conversation = get_conversation(db, public_id)
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for at, message in enumerate(messages):
        places[message.session].append((message.position, at))
    found: dict[int, list[CompactionLine]] = defaultdict(list)
    for row in load_compactions(db, conversation.id):
        if row.handoff_shown:
            continue
        end = row.span_last_position
        before = [at for position, at in places[row.session] if end is not None and position <= end]
        found[max(before, default=len(messages) - 1)].append(compaction_line(row, conversation))
    return found
