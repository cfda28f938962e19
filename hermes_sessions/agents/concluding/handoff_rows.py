"""What a carrier row holds: the handoff, and the real reply that may share its row. Pure."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from hermes_sessions.agents.concluding.given_ids import GivenIds
from hermes_sessions.agents.concluding.row_facts import RowFacts
from hermes_sessions.agents.values import CompactionRow, Verdict
from hermes_sessions.handoff import Part
from hermes_sessions.messages import CompactionMethod, MessageKind, content_text

_MOST_AT_A_TIME: Final = 60


def carrier_verdict(
    row: RowFacts, old: Sequence[RowFacts], tail_start: int | None, taken: Collection[int] = ()
) -> tuple[Verdict, int | None]:
    """Say what a carrier row holds, and which old row its reply repeats, if it can one not *taken*."""
    assert row.carrier is not None
    content = row.carrier.content
    given = GivenIds(old)
    found_at = sorted(_reply_places(row, old, tail_start), key=lambda at: at in taken)
    places = [(at, _said_then(old[at], row)) for at in found_at]
    if isinstance(content, str):
        for at, said in places:
            found = _known_reply(content, row, said, given)
            if found is not None:
                return Verdict(MessageKind.MERGED, reply=found or None), at
    reply = reply_of(row)
    if reply is None:
        blank = next((at for at in found_at if _is_blank_then(old[at], row)), None)
        return Verdict(MessageKind.HANDOFF if blank is None else MessageKind.MERGED), blank
    for at, said in places:
        if given.same(said, reply):
            return Verdict(MessageKind.MERGED), at
    return Verdict(MessageKind.MERGED), None


def _is_blank_then(old: RowFacts, row: RowFacts) -> bool:
    """Return whether *old* says nothing, at the time of *row*, whose handoff has a blank line after it."""
    timed = old.created_at is not None and old.created_at == row.created_at
    parted = row.carrier is not None and row.carrier.text.endswith("\n\n")
    return timed and parted and old.role == row.role and not (old.length or old.structured or old.calls_key)


def _said_then(old: RowFacts, row: RowFacts) -> RowFacts:
    """Return what was said in *old*: its reply, where a handoff shares it and it has the time of *row*."""
    timed = old.created_at is not None and old.created_at == row.created_at
    return (reply_of(old) if timed else None) or old


def reply_of(row: RowFacts) -> RowFacts | None:
    """Return the reply that shares a carrier's row as a row of its own; None where it is a handoff alone."""
    if row.carrier is None:
        return None
    parts = row.carrier.split()
    return _reply_facts(row, parts) if any(part.kind == "handoff" for part in parts) else None


def with_summary(compaction: CompactionRow, row: RowFacts, verdict: Verdict) -> CompactionRow:
    """Return *compaction* with the summary that its carrier *row* holds, and how it was made."""
    assert row.carrier is not None
    content, grammar = row.carrier
    if verdict.reply is not None and isinstance(content, str):
        parts = grammar.split_around(content, verdict.reply)
    else:
        parts = grammar.split(content)
    # A row that the agent itself marked need not begin like any handoff that is known.
    handoff = [part for part in parts if part.kind == "handoff" or len(parts) == 1][-1]
    facts = grammar.facts(content_text(handoff.raw))
    method = CompactionMethod.MODEL
    if facts.marker:
        method = CompactionMethod.MARKER
    elif facts.fallback:
        method = CompactionMethod.FALLBACK
    return replace(compaction, handoff=row.id, summary=handoff.text, method=method)


def is_likely_handoff(row: RowFacts) -> bool:
    """Return whether the agent's own mark, or more than a bracket, says that *row* is a handoff."""
    return row.carrier is not None and (row.flagged or row.carrier.grammar.is_likely(row.carrier.text))


def is_well_formed(row: RowFacts) -> bool:
    """Return whether *row* is a handoff whose frame some release wrote, to the letter."""
    return row.carrier is not None and row.carrier.grammar.is_known(row.carrier.text)


def _reply_places(row: RowFacts, old: Sequence[RowFacts], tail_start: int | None) -> Iterator[int]:
    """Yield old rows: those with the time of *row*, then from the one before the tail backwards.

    The reply is the tail's first row, or one that was carried there from anywhere.
    """
    if row.created_at is not None:
        timed = (at for at in range(len(old) - 1, -1, -1) if old[at].created_at == row.created_at)
        yield from islice(timed, _MOST_AT_A_TIME)
    before_tail = len(old) if tail_start is None else tail_start
    yield from range(before_tail - 1, max(-1, before_tail - 60), -1)


def _known_reply(
    content: str, row: RowFacts, old: RowFacts, given: GivenIds
) -> tuple[int, int] | tuple[()] | None:
    """Return where *old* stands in a merged text; () where its grammar finds the same place."""
    if row.carrier is None or old.role != row.role or not old.length or old.carrier is not None:
        return None
    if row.calls_key != old.calls_key and (row.call_ids != old.call_ids or not given.are_proof(old, row)):
        return None
    grammar = row.carrier.grammar
    found = grammar.find_reply(content, old.length, lambda text: hash(text) == old.text_key)
    if found is None:
        return None
    plain = [part.text for part in grammar.split(content)]
    return () if plain == [part.text for part in grammar.split_around(content, found)] else found


def _reply_facts(row: RowFacts, parts: Sequence[Part]) -> RowFacts | None:
    """Return the facts of the reply that shares a handoff's row; None for a handoff alone.

    A reply without text shows by its calls, or by the bracket that was put ahead of it.
    """
    text = next((part.text for part in parts if part.kind == "message"), None)
    ahead = row.carrier is not None and row.carrier.grammar.shares_row(row.carrier.text)
    if text is None and not row.calls_key and not ahead:
        return None
    text = text or ""
    return row._replace(text_key=hash(text), length=len(text), carrier=None)
