"""Read a session on from its last compaction: the lines after it alone, with what is known there."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from hermes_sessions.agents.claude_code.conclude import Conclusions, conclude_session
from hermes_sessions.agents.claude_code.outline import Outline, note, once
from hermes_sessions.agents.claude_code.queued import PromptQueue
from hermes_sessions.agents.claude_code.records import TalkRecord, read_records
from hermes_sessions.agents.claude_code.restart import RestartPlace, RestartWatch, is_settled
from hermes_sessions.agents.claude_code.rows import message_row, session_row
from hermes_sessions.agents.claude_code.said import Said, read_items
from hermes_sessions.agents.claude_code.spilled import spilled_files
from hermes_sessions.agents.claude_code.survey import StreamInfo
from hermes_sessions.agents.json_lines.families import in_batches
from hermes_sessions.agents.json_lines.reading import KEPT_BYTES
from hermes_sessions.agents.values import Family, MessageRow, Rejected
from hermes_sessions.call_names import CallNames
from hermes_sessions.errors import SourceChangedError
from hermes_sessions.lineage import Placement, Relation


class GrownSession(NamedTuple):
    """What was added to a session.

    Attributes:
        refused: the lines that are none.
        restart: where the next reading begins, if that is another place now.
        outline: what is remembered of it.
    """

    family: Family
    refused: Sequence[Rejected]
    restart: dict[str, Any] | None
    outline: Outline


class _Unsettled(Exception):
    """What comes later changes what was before."""


def read_on(stream: StreamInfo, before: RestartPlace, *, titled: bool) -> GrownSession | None:
    """Return what a session of one file says after *before*; None where that cannot be told from there.

    Args:
        titled: other files say what sessions are called, by records that are not read again.

    Raises:
        SourceChangedError: its file is gone.
    """
    file = stream.file
    if file.state.whole - before.offset > KEPT_BYTES:
        return None
    outline, watch, refused = before.outline(), RestartWatch(before.heard), list[Rejected]()
    try:
        records = read_records(file.path, before.offset, file.state.whole, refused.append)
        rows = list(_rows(stream, _settled(records, before, outline), before, outline, watch))
    except _Unsettled:
        return None
    except OSError as error:
        raise SourceChangedError(f"{file.path}: {error.strerror}") from error
    if titled and not (outline.titles.get("custom") or outline.titles.get("ai")):
        return None
    placed = Placement(Relation.ROOT, None)
    work = Conclusions()
    live = conclude_session(work, stream.id, outline, placed)
    family = Family(
        sessions=[session_row(stream, outline, None)],
        placements={stream.id: placed},
        verdicts=work.verdicts,
        compactions=work.compactions,
        inherited={},
        row_count=len(rows),
        batches=partial(_batches, stream.id, rows),
        grown=True,
        since=before.offset,
        earlier={one.ref: one.key for one in before.live},
    )
    return GrownSession(family, refused, watch.as_json(live), outline)


def _rows(
    stream: StreamInfo,
    records: Iterable[TalkRecord],
    before: RestartPlace,
    outline: Outline,
    watch: RestartWatch,
) -> Iterator[MessageRow]:
    names, spilled, queue = CallNames(), spilled_files(stream.file.path), PromptQueue()
    for item in read_items(once(records, outline), queue):
        if queue.missing:
            raise _Unsettled  # it was typed before the compaction
        heard = note(outline, item, before.heard, counted=True)
        watch.note(item, outline)
        if heard is None or not isinstance(item, Said):
            if not isinstance(item, Said) and item.is_prune:
                _check_clearing(item, outline)
            continue
        yield message_row(item, heard.ref, names, spilled)
        if item.answers is not None and names.find(item.answers) is None:
            raise _Unsettled  # the call may be before the compaction


def _settled(records: Iterable[TalkRecord], before: RestartPlace, outline: Outline) -> Iterator[TalkRecord]:
    """Yield the records as long as they change nothing before them."""
    known = set(outline.links)
    for record in records:
        again = record.uuid is not None and record.uuid in (before.boundary, before.summary)
        if again or record.is_side or not is_settled(record, before, known):
            raise _Unsettled
        if record.uuid is not None:
            known.add(hash(record.uuid))
        yield record


def _check_clearing(record: TalkRecord, outline: Outline) -> None:
    """Look at what was cleared: results that are not known here are before the compaction."""
    told = record.value.get("microcompactMetadata")
    named = told.get("compactedToolIds") if isinstance(told, dict) else None
    answered = {one.answers for one in outline.heard}
    if isinstance(named, list) and not answered.issuperset(one for one in named if isinstance(one, str)):
        raise _Unsettled


def _batches(session: str, rows: Sequence[MessageRow]) -> Iterator[tuple[str, Sequence[MessageRow]]]:
    return ((session, batch) for batch in in_batches(rows))
