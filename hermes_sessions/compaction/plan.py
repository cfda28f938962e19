"""Where a compaction cuts: head, middle and tail, and what is carried across.

One function decides for preview, dry run and the real thing alike. It looks at roles,
pairs and token counts, never at the meaning of a text.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hermes_sessions.compaction.keeping.cut_results import shortened_results
from hermes_sessions.compaction.pairs import Pairing, is_answer, pair_tools
from hermes_sessions.compaction.policy import LEAST_HANDOFF_TOKENS, CompactionPolicy
from hermes_sessions.compaction.transcript import TranscriptEntry, read_transcript
from hermes_sessions.handoff import LEFT_OUT, OWN_NOTE
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
        quoted: indices of the span that hold instructions the handoff quotes.
        shortened: (index, tokens) of kept results that are cut to so many tokens, because
            what is kept would not fit into the window.
        reason: why there is nothing to compact; '' when there is.
    """

    head_end: int
    tail_start: int
    carried: tuple[int, ...] = ()
    length: int
    handoffs: tuple[int, ...] = ()
    quoted: tuple[int, ...] = ()
    shortened: tuple[tuple[int, int], ...] = ()
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

    entries: Sequence[TranscriptEntry]
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
    """
    entries = read_transcript(messages, token_counter(policy.encoding))
    return plan_transcript(entries, pair_tools(entries), policy)


def plan_transcript(
    entries: Sequence[TranscriptEntry], pairing: Pairing, policy: CompactionPolicy
) -> CompactionPlan:
    """Choose as `plan_compaction` does, for a transcript that is already read and paired."""
    tokens = _kept_tokens(entries, pairing, policy)
    system = _system_end(entries)
    head_end = _head_end(entries, pairing, policy, system)
    plan = _planned(entries, pairing, policy, head_end, tokens)
    if head_end > system and (plan.shortened or not plan) and not _fits(plan, tokens, policy):
        # The first messages are history where the window is too small for them.
        plan = _planned(entries, pairing, policy, system, tokens)
    if plan.shortened or any(not entries[index].is_handoff for index in plan.span):
        return plan
    return CompactionPlan(
        head_end=plan.head_end,
        tail_start=plan.head_end,
        length=len(entries),
        reason=_why_nothing(entries, plan, tokens, policy),
    )


def _planned(
    entries: Sequence[TranscriptEntry],
    pairing: Pairing,
    policy: CompactionPolicy,
    head_end: int,
    tokens: Sequence[int],
) -> CompactionPlan:
    """Return the plan behind a head, whether or not there is anything in its span."""
    floor = _tail_floor(entries, pairing, head_end)
    # A note that was put into a tail must not push out of it what was there: it takes no room.
    room = [cost * (not entry.text.startswith(OWN_NOTE)) for cost, entry in zip(tokens, entries, strict=True)]
    ground = _Ground(entries, pairing, policy, head_end, floor, room)
    anchors = [index for index in find_anchors(entries) if head_end <= index]
    tail_start = _reach(ground, anchors, _cut_by_tokens(ground))
    carried = _carried(ground, anchors, tail_start)
    instructions, quoted = _instructions(ground, carried, tail_start)
    plan = CompactionPlan(
        head_end=head_end,
        tail_start=tail_start,
        carried=tuple(sorted((*carried, *instructions))),
        length=len(entries),
        handoffs=tuple(index for index in range(head_end, len(entries)) if entries[index].handoffs),
        quoted=quoted,
    )
    return replace(plan, shortened=shortened_results(entries, (*range(head_end), *plan.kept), tokens, policy))


def _fits(plan: CompactionPlan, tokens: Sequence[int], policy: CompactionPolicy) -> bool:
    kept: int = sum(tokens[index] for index in (*range(plan.head_end), *plan.kept))
    return kept + LEAST_HANDOFF_TOKENS <= policy.fitting_tokens


def _kept_tokens(entries: Sequence[TranscriptEntry], pairing: Pairing, policy: CompactionPolicy) -> list[int]:
    """Return what each message costs once it is kept: where calls are left out a note stands."""
    note = token_counter(policy.encoding).count(LEFT_OUT) if pairing.unanswered else 0
    return [entry.tokens + note * (index in pairing.unanswered) for index, entry in enumerate(entries)]


def find_anchors(entries: Sequence[TranscriptEntry]) -> tuple[int, ...]:
    """Return the messages that must stay live, in order: last request, last visible reply.

    The reply is text without tool calls; what is said beside a call is narration, and
    counts only where nothing else was said. Without a reply that shows something, the
    last assistant message is the one. A blank message behind the last request is an
    anchor too: it is the last the user sent.
    """
    backwards = range(len(entries) - 1, -1, -1)
    own = [index for index in backwards if not entries[index].is_handoff]
    requests = (index for index in own if entries[index].is_request)
    sent = (
        index
        for index in own
        if entries[index].role == Role.USER and not _is_in_the_users_name(entries[index])
    )
    spoken = [index for index in own if entries[index].role == Role.ASSISTANT and not entries[index].is_note]
    replies = [index for index in spoken if entries[index].is_reply]
    answers = (index for index in replies if not entries[index].message.tool_calls)
    reply = next(answers, next(iter((*replies, *spoken)), None))
    found = {next(requests, None), next(sent, None), reply} - {None}
    return tuple(sorted(index for index in found if index is not None))


def _is_in_the_users_name(entry: TranscriptEntry) -> bool:
    """Return whether *entry* is sent as the user's but not from the user: a note, or tool results."""
    return entry.is_note or is_answer(entry)


def _system_end(entries: Sequence[TranscriptEntry]) -> int:
    """Count the system messages at the start."""
    system = 0
    while system < len(entries) and entries[system].role == Role.SYSTEM:
        system += 1
    return system


def _head_end(
    entries: Sequence[TranscriptEntry], pairing: Pairing, policy: CompactionPolicy, system: int
) -> int:
    """Count the system prompt, and the first messages if there is one and no handoff."""
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


def _tail_floor(entries: Sequence[TranscriptEntry], pairing: Pairing, head_end: int) -> int:
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
    # System messages part nobody.
    tail = (index for index in range(tail_start, len(entries)) if entries[index].role != Role.SYSTEM)
    for left, right in itertools.pairwise((*ordered, *itertools.islice(tail, 1))):
        if left + 1 < right and _clash(entries[left], entries[right]):
            carried |= _bridge(entries, pairing, left, right)
    return tuple(sorted(index for index in carried if ground.head_end <= index < tail_start))


def _instructions(
    ground: _Ground, carried: Sequence[int], tail_start: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the system messages between head and tail that are carried, and those that are quoted.

    Each text once, the newest first until `instruction_tokens` are full.
    """
    entries = ground.entries
    outside = (*entries[: ground.head_end], *entries[tail_start:])
    known = {entry.text for entry in outside if entry.role == Role.SYSTEM}
    left = ground.policy.instruction_tokens
    kept: list[int] = []
    quoted: list[int] = []
    for index in range(tail_start - 1, ground.head_end - 1, -1):
        entry = entries[index]
        if entry.role != Role.SYSTEM or entry.is_note or not entry.is_visible or entry.text in known:
            continue
        known.add(entry.text)
        left -= ground.tokens[index]
        (kept if left >= 0 else quoted).append(index)
    return tuple(kept), tuple(sorted(quoted))


def _clash(left: TranscriptEntry, right: TranscriptEntry) -> bool:
    return left.role == right.role and left.role in (Role.USER, Role.ASSISTANT)


def _bridge(entries: Sequence[TranscriptEntry], pairing: Pairing, left: int, right: int) -> set[int]:
    """Return the message between *left* and *right* that a strict provider needs to see there.

    The first user message behind a reply is what the next work was about; between two
    user messages it is the last reply. None that would bring a tool pair along, or that
    nobody wrote: a note serves as well, and does not meet its neighbours anew.
    """
    wanted = Role.USER if entries[left].role == Role.ASSISTANT else Role.ASSISTANT
    between = range(left + 1, right) if wanted == Role.USER else range(right - 1, left, -1)
    said = (index for index in between if entries[index].role == wanted and not entries[index].is_note)
    alone = (index for index in said if entries[index].is_visible and pairing.whole(index) == {index})
    return set(itertools.islice(alone, 1))


def _why_nothing(
    entries: Sequence[TranscriptEntry], plan: CompactionPlan, tokens: Sequence[int], policy: CompactionPolicy
) -> str:
    if not entries:
        return "the transcript is empty"
    if sum(tokens) > policy.fitting_tokens:
        return (
            f"the transcript of {sum(tokens)} tokens does not fit into the {policy.fitting_tokens}"
            " that are left for it, and all of it must stay"
        )
    if plan.tail_start <= plan.head_end:
        return "head and tail meet: the transcript fits into what is kept"
    if not plan.span:
        return "all between head and tail is the last request and the last reply"
    return "nothing has happened since the last handoff"
