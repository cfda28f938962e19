"""Cut the rows of a conversation into what stood before and after each compaction.

A session is a run of generations: the first begins at its first row, every other one
with the block (head, handoff, tail) that a compaction in place wrote. A rotation
compacts the last generation of its parent, and its block opens the child.
"""

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from hermes_sessions.audit.values import (
    AuditedSession,
    AuditMessage,
    CompactionCase,
    CompactionFacts,
    ConversationCase,
    read_wording,
)
from hermes_sessions.handoff import is_synthetic
from hermes_sessions.messages import MessageKind

MAX_REQUESTS: Final = 2_000
"""How many of the user's newest requests are held against what a handoff says the user said."""


@dataclass(frozen=True, slots=True)
class Generation:
    """A run of rows that stood in one context: half-open indices, and the compaction that began it.

    Attributes:
        begun_by: None where the session itself began it.
        kept: indices of rows before it that stood in it as well: what was taken lies between them.
    """

    start: int
    end: int
    begun_by: int | None
    kept: tuple[int, ...] = ()

    def rows(self, rows: Sequence[AuditMessage]) -> list[AuditMessage]:
        """Return its rows, of those of its session."""
        return [*(rows[at] for at in self.kept), *rows[self.start : self.end]]


@dataclass(frozen=True, slots=True)
class _Generations:
    """The generations of one session, and which of them each compaction began."""

    found: Sequence[Generation]
    begun: Mapping[int | None, int]

    @classmethod
    def of(cls, generations: Iterable[Generation]) -> Self:
        """Number *generations*; of two with one beginning the first counts."""
        found = list(generations)
        return cls(found, {one.begun_by: at for at, one in reversed(list(enumerate(found)))})


def cut_conversation(
    sessions: Sequence[AuditedSession], compactions: Sequence[CompactionFacts]
) -> ConversationCase:
    """Return the conversation with a case for each of its compactions, in their order."""
    by_key = {session.key: session for session in sessions}
    in_place: dict[int, list[CompactionFacts]] = defaultdict(list)
    for facts in compactions:
        if not facts.is_rotation:
            in_place[facts.session].append(facts)
    generations = {
        session.key: _Generations.of(cut_generations(session.rows, in_place[session.key]))
        for session in sessions
    }
    asked: deque[str] = deque(maxlen=MAX_REQUESTS)
    cases = []
    for facts in compactions:
        cases.append(_case(facts, by_key, generations, asked))
        asked += [row.text for row in cases[-1].before if _is_worded(row) and not row.is_copy]
    return ConversationCase(sessions=tuple(sessions), compactions=tuple(cases))


def cut_generations(
    rows: Sequence[AuditMessage], in_place: Sequence[CompactionFacts]
) -> Iterator[Generation]:
    """Yield the generations of one session, oldest first."""
    index = {row.id: at for at, row in enumerate(rows)}
    starts: list[tuple[int, int | None, tuple[int, ...]]] = [(0, None, ())]
    kept: tuple[int, ...] = ()
    for facts in in_place:
        if facts.handoff not in index:
            continue
        handoff = index[facts.handoff]
        taken = {one.id for one in in_place if one.ordinal <= facts.ordinal}
        own = () if facts.head else _kept_before(rows, handoff, facts, taken)
        # What an earlier one kept goes on as well, unless it was taken since.
        kept = (*(at for at in kept if own and at < own[0] and rows[at].archived_by not in taken), *own)
        together = len(kept) if kept == tuple(range(handoff - len(kept), handoff)) else 0
        start = handoff - (facts.head or together)
        starts.append((max(0, start), facts.id, () if together else kept))
    starts.sort(key=lambda found: found[0])
    for place, (start, begun_by, scattered) in enumerate(starts):
        end = starts[place + 1][0] if place + 1 < len(starts) else len(rows)
        yield Generation(start, end, begun_by, scattered)


def _kept_before(
    rows: Sequence[AuditMessage], handoff: int, facts: CompactionFacts, taken: Collection[int]
) -> tuple[int, ...]:
    """Return the places before a handoff of what goes on after it; none where what was kept is not all there.

    Args:
        taken: this compaction, and those before it: what they archived was not kept.
    """
    found: list[int] = []
    kept = 0
    for at in range(handoff - 1, -1, -1) if facts.is_native and facts.tail else ():
        if rows[at].archived_by in taken:
            continue
        found.append(at)
        kept += rows[at].is_in_context
        if kept == facts.tail:
            return tuple(reversed(found))
    return ()


def block_end(rows: Sequence[AuditMessage], start: int, handoff: int | None) -> int:
    """Return where the head, handoff and tail that begin at *start* end, and new turns begin."""
    at = start
    known = {row.id for row in rows[start:]}
    passed = handoff not in known
    while at < len(rows):
        row = rows[at]
        belongs = row.is_copy or row.kind == MessageKind.HANDOFF or row.id == handoff
        if passed and not belongs and not (at > start and is_synthetic(row.text)):
            break
        passed = passed or row.id == handoff
        at += 1
    return at


def _case(
    facts: CompactionFacts,
    sessions: Mapping[int, AuditedSession],
    generations: Mapping[int, _Generations],
    asked: Iterable[str],
) -> CompactionCase:
    before = _before(facts, sessions, generations)
    after, following = _after(facts, sessions, generations)
    handoff = next((row for row in after if row.id == facts.handoff), None)
    said = [row.text for row in before if _is_worded(row)]
    return CompactionCase(
        facts=facts,
        before=before,
        after=after,
        following=following,
        span=_span(facts, before, after),
        known_requests=(*asked, *said)[-MAX_REQUESTS:],
        prompt=_prompt(facts, sessions),
        wording=read_wording(handoff),
    )


def _prompt(facts: CompactionFacts, sessions: Mapping[int, AuditedSession]) -> str:
    before = sessions.get(facts.parent or 0) if facts.is_rotation else sessions.get(facts.session)
    return before.prompt if before is not None else ""


def _is_worded(row: AuditMessage) -> bool:
    """Whether the user asked for something in words, and not with an image alone."""
    return row.is_request and bool(row.text.strip())


def _before(
    facts: CompactionFacts,
    sessions: Mapping[int, AuditedSession],
    generations: Mapping[int, _Generations],
) -> tuple[AuditMessage, ...]:
    """Return what the model had in front of it when the compaction began."""
    holder = facts.parent if facts.is_rotation else facts.session
    if not facts.is_committed or not facts.span_stored or holder is None or holder not in sessions:
        return ()
    rows, found = sessions[holder].rows, generations[holder]
    if facts.is_rotation:
        chosen = found.found[-1]
    else:
        place = found.begun.get(facts.id, 0)
        if place == 0:
            return ()
        chosen = found.found[place - 1]
        if facts.is_native:
            # What it left where it was, right before its handoff, stands in both contexts.
            begun = found.found[place]
            places = (at for at in range(begun.start, begun.end) if rows[at].id == facts.handoff)
            chosen = replace(chosen, end=next(places, begun.start))
    return tuple(row for row in chosen.rows(rows) if row.is_in_context)


def _after(
    facts: CompactionFacts,
    sessions: Mapping[int, AuditedSession],
    generations: Mapping[int, _Generations],
) -> tuple[tuple[AuditMessage, ...], tuple[AuditMessage, ...]]:
    """Return the new transcript and what was added to it before the next compaction."""
    holder = facts.child if facts.is_rotation else facts.session
    if not facts.is_committed or holder is None or holder not in sessions:
        return (), ()
    begun_by = None if facts.is_rotation else facts.id
    place = generations[holder].begun.get(begun_by)
    if place is None:
        return (), ()
    chosen = generations[holder].found[place]
    rows = [row for row in chosen.rows(sessions[holder].rows) if row.is_in_context]
    cut = block_end(rows, 0, facts.handoff)
    return tuple(rows[:cut]), tuple(rows[cut:])


def _span(
    facts: CompactionFacts, before: Sequence[AuditMessage], after: Sequence[AuditMessage]
) -> tuple[AuditMessage, ...]:
    """Return the rows that were summarised away: marked as such, or, of a fork, those not kept."""
    if not facts.fork:
        return tuple(row for row in before if row.archived_by == facts.id)
    kept = {row.original for row in after}
    return tuple(row for row in before if row.original not in kept and row.kind != MessageKind.HANDOFF)
