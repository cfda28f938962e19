"""Read a thread on from its last compaction: the lines after it alone, concluded with what is known there."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

from hermes_sessions.agents.codex.conclude import conclude_thread, reaches_back
from hermes_sessions.agents.codex.outline import ThreadOutline, note, note_meta
from hermes_sessions.agents.codex.pieces import read_pieces
from hermes_sessions.agents.codex.records import META, read_rollout
from hermes_sessions.agents.codex.restart import RestartNotes, RestartPoint
from hermes_sessions.agents.codex.rows import message_row, session_row
from hermes_sessions.agents.codex.said import SaidInThread, Sayings
from hermes_sessions.agents.codex.survey import HEAD, RolloutFile, ThreadInfo
from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.json_lines.families import in_batches
from hermes_sessions.agents.json_lines.reading import KEPT_BYTES, unheard
from hermes_sessions.agents.values import Family, MessageRow, Rejected
from hermes_sessions.call_names import CallNames
from hermes_sessions.errors import SourceChangedError
from hermes_sessions.lineage import Placement, Relation
from hermes_sessions.messages import ToolCall

Grown = tuple[Family, Sequence[Rejected], RestartPoint | None, ThreadOutline]
"""A family, the lines that are none, where the next reading begins if that is another place now, and what is
remembered of the thread."""


def read_on(thread: ThreadInfo, before: RestartPoint, title: str | None) -> Grown | None:
    """Return what a thread of one file says after *before*; None where that cannot be told from there.

    Args:
        title: what the agent's index calls it.

    Raises:
        SourceChangedError: its file is gone.
    """
    file = thread.streams[0].file
    if file.state.whole - before.offset > KEPT_BYTES:
        return None
    outline, sayings, spoken = before.outline, Sayings(before.names), set(before.spoken)
    notes, names = RestartNotes(before), CallNames()
    names.learn(ToolCall(ids=(one,), name=name, arguments="") for one, name in before.calls.items())
    refused: list[Rejected] = []
    rows: list[MessageRow] = []
    lines = read_rollout(file.path, before.offset, file.state.whole, refused.append)
    try:
        if before.prompted and not _prompt_again(file, before):
            return None
        for item in sayings.read(read_pieces(lines, spoken)):
            heard = note(outline, item, before.heard)
            if outline.misjudged:
                return None
            notes.note(item, outline, sayings, spoken)
            if heard is not None and isinstance(item, SaidInThread):
                rows.append(message_row(item, heard.ref, 0, names))
                if item.answers is not None and names.find(item.answers) is None:
                    return None  # the call may be before the compaction
    except OSError as error:
        raise SourceChangedError(f"{file.path}: {error.strerror}") from error
    if reaches_back(outline):
        return None
    work = FamilyConclusions()
    live = conclude_thread(work, outline, 0, orphan=True, live=before.live)
    family = Family(
        sessions=[session_row(thread, outline, 0, title)],
        placements={thread.id: Placement(Relation.ROOT, None)},
        verdicts=work.verdicts,
        compactions=work.compactions,
        inherited={},
        row_count=len(rows),
        batches=partial(_batches, thread.id, rows),
        grown=True,
        since=before.offset,
        earlier={one.ref: one.key for one in before.live},
    )
    return family, refused, notes.point(outline, sayings, live), outline


def _prompt_again(file: RolloutFile, before: RestartPoint) -> bool:
    """Read the system prompt from the first lines into the outline; return whether it is there."""
    for line in islice(read_rollout(file.path, 0, before.offset, unheard), HEAD):
        if line.kind == META:
            note_meta(before.outline, line)
    return "prompt" in before.outline.facts


def _batches(session: str, rows: Sequence[MessageRow]) -> Iterator[tuple[str, Sequence[MessageRow]]]:
    return ((session, batch) for batch in in_batches(rows))
