"""What a carrier row holds: the handoff, and the real reply that may share its row. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hermes_sessions.handoff import (
    PRIOR,
    Part,
    handoff_facts,
    parts_around,
    split_at_length,
    split_handoff,
)
from hermes_sessions.handoff.grammar import skip_unseen
from hermes_sessions.importers.align import RowFacts, same
from hermes_sessions.importers.values import CompactionRow, Verdict
from hermes_sessions.messages import CompactionMethod, MessageKind, content_text


def carrier_verdict(
    row: RowFacts, old: Sequence[RowFacts], tail_start: int | None
) -> tuple[Verdict, int | None]:
    """Say what a carrier row holds, and which old row its reply repeats."""
    content = row.carrier
    if isinstance(content, str):
        for at in _reply_places(old, tail_start):
            found = _known_reply(content, row, old[at])
            if found is not None:
                return Verdict(MessageKind.MERGED, reply=found or None), at
    parts = split_handoff(content)
    reply = _reply_facts(row, parts) if any(part.kind == "handoff" for part in parts) else None
    if reply is None:
        return Verdict(MessageKind.HANDOFF), None
    for at in _reply_places(old, tail_start):
        if same(old[at], reply):
            return Verdict(MessageKind.MERGED), at
    return Verdict(MessageKind.MERGED), None


def with_summary(compaction: CompactionRow, row: RowFacts, verdict: Verdict) -> CompactionRow:
    """Return *compaction* with the summary that its carrier *row* holds, and how it was made."""
    content = row.carrier
    if verdict.reply is not None and isinstance(content, str):
        parts = parts_around(content, verdict.reply)
    else:
        parts = split_handoff(content)
    # A row that the agent itself marked need not begin like any handoff that is known.
    handoff = [part for part in parts if part.kind == "handoff" or len(parts) == 1][-1]
    facts = handoff_facts(content_text(handoff.raw))
    method = CompactionMethod.MODEL
    if facts.marker:
        method = CompactionMethod.MARKER
    elif facts.fallback:
        method = CompactionMethod.FALLBACK
    return replace(compaction, handoff=row.id, summary=handoff.text, method=method)


def is_well_formed(row: RowFacts) -> bool:
    """A handoff whose prefix some release wrote, to the letter."""
    return handoff_facts(content_text(row.carrier)).era not in ("legacy", "unknown")


def _reply_places(old: Sequence[RowFacts], tail_start: int | None) -> Iterator[int]:
    """Yield old rows from the one before the tail backwards: the reply is the tail's first row."""
    before_tail = len(old) if tail_start is None else tail_start
    yield from range(before_tail - 1, max(-1, before_tail - 60), -1)


def _known_reply(content: str, row: RowFacts, old: RowFacts) -> tuple[int, int] | tuple[()] | None:
    """Return where *old* stands in a merged text; () where `split_handoff` finds the same place."""
    if old.role != row.role or not old.length or old.carrier is not None:
        return None
    if row.calls_key != old.calls_key and row.call_ids != old.call_ids:
        return None
    found = split_at_length(content, old.length, lambda text: hash(text) == old.text_key)
    if found is None:
        return None
    plain = [part.text for part in split_handoff(content)]
    return () if plain == [part.text for part in parts_around(content, found)] else found


def _reply_facts(row: RowFacts, parts: Sequence[Part]) -> RowFacts | None:
    """Return the facts of the reply that shares a handoff's row; None for a handoff alone.

    A reply without text shows by its calls, or by the bracket that was put ahead of it.
    """
    text = next((part.text for part in parts if part.kind == "message"), None)
    whole = content_text(row.carrier)
    ahead = whole.startswith(PRIOR, skip_unseen(whole, 0))
    if text is None and not row.calls_key and not ahead:
        return None
    text = text or ""
    return row._replace(text_key=hash(text), length=len(text), carrier=None)
