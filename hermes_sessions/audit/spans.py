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
from hermes_sessions.messages import MessageKind, MessageState

MAX_REQUESTS: Final = 2_000
"""How many of the user's newest requests are held against what a handoff says the user said."""


@dataclass(frozen=True, slots=True)
class Generation:
    """A run of rows that stood in one context: half-open indices, and the compaction that began it.

    Attributes:
        begun_by: None where the session itself began it.
        kept: indices of rows before it that stood in it as well: what was taken lies between them.
        handoff_first: these are sent after the handoff, with which the run begins, not before it.
    """

    start: int
    end: int
    begun_by: int | None
    kept: tuple[int, ...] = ()
    handoff_first: bool = False

    @property
    def places(self) -> Iterator[int]:
        """The indices of its rows in the order in which they were sent."""
        run = self.start + 1 if self.handoff_first else self.start
        yield from range(self.start, min(run, self.end))
        yield from self.kept
        yield from range(run, self.end)

    def rows(self, rows: Sequence[AuditMessage]) -> list[AuditMessage]:
        """Return its rows as they were sent, of those of its session."""
        return [rows[at] for at in self.places]


@dataclass(frozen=True, slots=True)
class _Generations:
    """The generations of one session, and which of them each compaction began.

    Attributes:
        ordinals: of its compactions that are told by no handoff, by key.
    """

    found: Sequence[Generation]
    begun: Mapping[int | None, int]
    ordinals: Mapping[int, int]

    @classmethod
    def of(cls, rows: Sequence[AuditMessage], in_place: Sequence[CompactionFacts]) -> Self:
        """Cut a session; of two generations with one beginning the first counts."""
        found = list(cut_generations(rows, in_place))
        begun = {one.begun_by: at for at, one in reversed(list(enumerate(found)))}
        return cls(found, begun, {one.id: one.ordinal for one in in_place if one.handoff is None})

    def took(self, row: AuditMessage, facts: CompactionFacts) -> bool:
        """Whether a compaction before this one, which began no generation, had taken a row away."""
        return self.ordinals.get(row.archived_by or 0, facts.ordinal) < facts.ordinal


def cut_conversation(
    sessions: Sequence[AuditedSession], compactions: Sequence[CompactionFacts]
) -> ConversationCase:
    """Return the conversation with a case for each of its compactions, in their order."""
    by_key = {session.key: session for session in sessions}
    in_place: dict[int, list[CompactionFacts]] = defaultdict(list)
    for facts in compactions:
        if not facts.is_rotation:
            in_place[facts.session].append(facts)
    generations = {session.key: _Generations.of(session.rows, in_place[session.key]) for session in sessions}
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
    begun = [Generation(0, len(rows), None)]
    kept: tuple[int, ...] = ()
    passed = 0
    for facts in in_place:
        if facts.handoff not in index or not facts.is_committed:
            continue
        handoff = index[facts.handoff]
        if facts.is_native:
            taken = {one.id for one in in_place if one.ordinal <= facts.ordinal}
            stood = (*kept, *range(passed, handoff))
            kept, passed = tuple(at for at in stood if _goes_on(rows[at], taken)), handoff
        else:
            kept = ()
        start = handoff if facts.is_native else max(0, handoff - facts.head)
        begun.append(Generation(start, len(rows), facts.id, kept, facts.is_native and facts.tail > 0))
    begun.sort(key=lambda found: found.start)
    ends = (*(one.start for one in begun[1:]), len(rows))
    yield from (replace(one, end=end) for one, end in zip(begun, ends, strict=True))


def _goes_on(row: AuditMessage, taken: Collection[int]) -> bool:
    """Whether a row goes on where it is after a native compaction.

    Args:
        taken: this compaction, and those before it: what they archived was not kept.
    """
    if row.archived_by is None:  # of a fork: taken where it was copied from; or written again later
        return row.state not in (MessageState.COMPACTED, MessageState.SUPERSEDED, MessageState.REWOUND)
    return row.archived_by not in taken


def block_end(rows: Sequence[AuditMessage], handoff: int | None, kept: Collection[int] = ()) -> int:
    """Return where the head, handoff and tail that *rows* begin with end, and new turns begin.

    Args:
        kept: keys of rows that stood there before the compaction and go on.
    """
    at = 0
    known = {row.id for row in rows}
    passed = handoff not in known
    while at < len(rows):
        row = rows[at]
        belongs = row.is_copy or row.kind == MessageKind.HANDOFF or row.id == handoff or row.id in kept
        if passed and not belongs and not (at and is_synthetic(row.text)):
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
    session, found = sessions[holder], generations[holder]
    if facts.is_rotation:
        chosen = found.found[-1]
    else:
        place = found.begun.get(facts.id, 0)
        if place == 0:
            return ()
        chosen = found.found[place - 1]
    places = ((at, session.rows[at]) for at in chosen.places if not session.is_left_behind(at))
    return tuple(row for _, row in places if row.is_in_context and not found.took(row, facts))


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
    stored = sessions[holder].rows
    rows = [row for row in chosen.rows(stored) if row.is_in_context]
    cut = block_end(rows, facts.handoff, {stored[at].id for at in chosen.kept})
    return tuple(rows[:cut]), tuple(rows[cut:])


def _span(
    facts: CompactionFacts, before: Sequence[AuditMessage], after: Sequence[AuditMessage]
) -> tuple[AuditMessage, ...]:
    """Return the rows that were summarised away: marked as such, or, of a fork, those not kept."""
    if not facts.fork:
        return tuple(row for row in before if row.archived_by == facts.id)
    kept = {row.original for row in after}
    return tuple(row for row in before if row.original not in kept and row.kind != MessageKind.HANDOFF)
