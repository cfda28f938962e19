"""Where a compaction cuts: head, middle and tail, and what is carried across.

One function decides for preview, dry run and the real thing alike. It looks at roles,
pairs and token counts, never at the meaning of a text.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hermes_sessions.compaction.pairs import Pairing, pair_tools
from hermes_sessions.compaction.policy import CompactionPolicy
from hermes_sessions.compaction.transcript import LEFT_OUT, Entry, read_transcript
from hermes_sessions.messages import Role
from hermes_sessions.tokens import token_counter


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionPlan:
    """Which messages stay; falsy, with a reason, when there is nothing to compact.

    Attributes:
        head_end: the head is [0, head_end).
        tail_start: the tail is [tail_start, length).
        carried: indices between the two that are re-emitted verbatim after the handoff.
        length: of the transcript that was planned.
        handoffs: indices between head and tail that carry an earlier handoff.
        reason: why there is nothing to compact; '' when there is.
    """

    head_end: int
    tail_start: int
    carried: tuple[int, ...] = ()
    length: int
    handoffs: tuple[int, ...] = ()
    reason: str = ""

    def __bool__(self) -> bool:
        return not self.reason

    @property
    def span(self) -> tuple[int, ...]:
        """Indices that the handoff replaces, earlier handoffs among them."""
        carried = frozenset(self.carried)
        return tuple(index for index in range(self.head_end, self.tail_start) if index not in carried)

    @property
    def kept(self) -> tuple[int, ...]:
        """Indices behind the handoff, in order: what is carried, then the tail."""
        return (*self.carried, *range(self.tail_start, self.length))


@dataclass(frozen=True, slots=True)
class _Ground:
    """What a cut is decided on; the tail begins at `floor` or behind it."""

    entries: Sequence[Entry]
    pairing: Pairing
    policy: CompactionPolicy
    head_end: int
    floor: int
    tokens: Sequence[int]
    """What each message costs once it is kept."""


def plan_compaction(messages: Sequence[Mapping[str, Any]], policy: CompactionPolicy) -> CompactionPlan:
    """Choose what of *messages* a handoff shall replace.

    The head is the system prompt, and the first messages behind it if this transcript
    was never compacted. The tail is cut by tokens and parts no tool call from its
    results. The last user message and the last visible reply stay live: in the tail
    where it can reach them, else carried.

    Args:
        messages: OpenAI-style dicts, oldest first; never modified.
        policy: sizes in tokens.

    Returns:
        Indices into *messages*. Falsy, with a reason, when nothing would be summarised.

    Raises:
        TranscriptError: something in the list is not a message.

    Source: Hermes agent/context_compressor.py `_find_tail_cut_by_tokens` and its ensure
    and align steps; here the anchors are carried instead of stretching the tail.
    """
    entries = read_transcript(messages, token_counter(policy.encoding))
    return plan_transcript(entries, pair_tools(entries), policy)


def plan_transcript(entries: Sequence[Entry], pairing: Pairing, policy: CompactionPolicy) -> CompactionPlan:
    """Choose as `plan_compaction` does, for a transcript that is already read and paired."""
    head_end = _head_end(entries, pairing, policy)
    floor = _tail_floor(entries, pairing, head_end)
    ground = _Ground(entries, pairing, policy, head_end, floor, _kept_tokens(entries, pairing, policy))
    anchors = [index for index in find_anchors(entries) if head_end <= index]
    tail_start = _reach(ground, anchors, _cut_by_tokens(ground))
    carried = _carried(ground, anchors, tail_start)
    plan = CompactionPlan(
        head_end=head_end,
        tail_start=tail_start,
        carried=carried,
        length=len(entries),
        handoffs=tuple(index for index in range(head_end, len(entries)) if entries[index].handoffs),
    )
    if any(not entries[index].is_handoff for index in plan.span):
        return plan
    return CompactionPlan(
        head_end=head_end, tail_start=head_end, length=len(entries), reason=_why_nothing(entries, plan)
    )


def _kept_tokens(entries: Sequence[Entry], pairing: Pairing, policy: CompactionPolicy) -> list[int]:
    """Return what each message costs once it is kept: where calls are left out a note stands."""
    note = token_counter(policy.encoding).count(LEFT_OUT) if pairing.unanswered else 0
    return [entry.tokens + note * (index in pairing.unanswered) for index, entry in enumerate(entries)]


def find_anchors(entries: Sequence[Entry]) -> tuple[int, ...]:
    """Return the messages that must stay live, in order: last request, last visible reply.

    A blank message behind the last request is an anchor too: it is the last the user
    sent. Without a reply that shows something, the last assistant message is the one.
    """
    backwards = range(len(entries) - 1, -1, -1)
    own = [index for index in backwards if not entries[index].is_handoff]
    requests = (index for index in own if entries[index].is_request)
    sent = (index for index in own if entries[index].role == Role.USER and not _only_answers(entries[index]))
    spoken = [index for index in own if entries[index].role == Role.ASSISTANT and not entries[index].is_note]
    replies = (index for index in spoken if entries[index].is_reply)
    reply = next(replies, spoken[0] if spoken else None)
    found = {next(requests, None), next(sent, None), reply} - {None}
    return tuple(sorted(index for index in found if index is not None))


def _only_answers(entry: Entry) -> bool:
    """Return whether *entry* is in the user's name but not from the user: a note, or tool results."""
    return entry.is_note or (bool(entry.message.result_ids) and not entry.is_visible)


def _head_end(entries: Sequence[Entry], pairing: Pairing, policy: CompactionPolicy) -> int:
    """Count the system prompt, and the first messages if there is one and no handoff."""
    system = 0
    while system < len(entries) and entries[system].role == Role.SYSTEM:
        system += 1
    if system == 0 or any(entry.handoffs for entry in entries):
        return system
    said = (index for index in range(system, len(entries)) if index not in pairing.orphans)
    first = next(said, None)
    if first is not None and entries[first].role == Role.ASSISTANT:
        # Kept in front of everything it would stand where strict providers want the user.
        return system
    end = min(system + policy.head_messages, len(entries))
    while not pairing.cuts[end]:
        end -= 1
    return max(system, end)


def _tail_floor(entries: Sequence[Entry], pairing: Pairing, head_end: int) -> int:
    """Return the first boundary at which a tail may begin: behind the newest handoff.

    A handoff inside the tail would be summarised by none and stand beside the new one.
    """
    floor = head_end
    for index in range(len(entries) - 1, head_end - 1, -1):
        if entries[index].handoffs:
            floor = index + entries[index].is_handoff
            break
    while not pairing.cuts[floor]:
        floor += 1
    return floor


def _cut_by_tokens(ground: _Ground) -> int:
    """Walk back from the end, pair by pair, until the tail is full; the last pair is always in it."""
    entries, policy, tokens = ground.entries, ground.policy, ground.tokens
    cut = len(entries)
    total = 0
    group = 0
    least = policy.least_tokens - sum(tokens[: ground.head_end])
    for index in range(len(entries) - 1, ground.floor - 1, -1):
        group += tokens[index]
        if not ground.pairing.cuts[index]:
            continue
        fits = total < policy.tail_budget and total + group <= policy.ceiling_tokens
        few = len(entries) - cut < policy.min_tail_messages and total + group <= least
        if not (fits or few or total == 0):
            break
        cut, total, group = index, total + group, 0
    return cut


def _reach(ground: _Ground, anchors: Sequence[int], tail_start: int) -> int:
    """Move the tail back over the anchors as long as it stays within the ceiling."""
    tokens = sum(ground.tokens[tail_start:])
    for anchor in reversed(anchors):
        start = anchor
        while start > 0 and not ground.pairing.cuts[start]:
            start -= 1
        if start >= tail_start:
            continue
        tokens += sum(ground.tokens[start:tail_start])
        if start < ground.floor or tokens > ground.policy.ceiling_tokens:
            break
        tail_start = start
    return tail_start


def _carried(ground: _Ground, anchors: Sequence[int], tail_start: int) -> tuple[int, ...]:
    """Return the anchors before the tail with their pairs, and what keeps the roles in turn."""
    entries, pairing = ground.entries, ground.pairing
    carried: set[int] = set()
    for anchor in anchors:
        if anchor < tail_start:
            carried |= pairing.whole(anchor)
    ordered = sorted(carried)
    following = [*ordered[1:], tail_start] if tail_start < len(entries) else ordered[1:]
    for left, right in zip(ordered, following, strict=False):
        if left + 1 < right and _clash(entries[left], entries[right]):
            carried |= _bridge(entries, pairing, left, right)
    return tuple(sorted(index for index in carried if ground.head_end <= index < tail_start))


def _clash(left: Entry, right: Entry) -> bool:
    return left.role == right.role and left.role in (Role.USER, Role.ASSISTANT)


def _bridge(entries: Sequence[Entry], pairing: Pairing, left: int, right: int) -> set[int]:
    """Return the message between *left* and *right* that a strict provider needs to see there.

    The first user message behind a reply is what the next work was about; between two
    user messages the last visible reply is the natural one.
    """
    wanted = Role.USER if entries[left].role == Role.ASSISTANT else Role.ASSISTANT
    between = [index for index in range(left + 1, right) if entries[index].role == wanted]
    between = [index for index in between if not entries[index].is_handoff]
    if wanted == Role.ASSISTANT:
        between.reverse()
    between.sort(key=lambda index: (not entries[index].is_visible, bool(entries[index].message.tool_calls)))
    return pairing.whole(between[0]) if between else set()


def _why_nothing(entries: Sequence[Entry], plan: CompactionPlan) -> str:
    if not entries:
        return "the transcript is empty"
    if plan.tail_start <= plan.head_end:
        return "head and tail meet: the transcript fits into what is kept"
    if not plan.span:
        return "all between head and tail is the last request and the last reply"
    return "nothing has happened since the last handoff"
