"""(entries, plan, handoff) -> new messages; checks its invariants on every real run.

Nothing is moved: head, handoff, carried messages and tail in the order of the input,
each the caller's own dict. Only four things change a kept message: an earlier handoff
in it is taken out, calls without a result and results without a call are left out, a
result that the window cannot hold is cut, and the new handoff may be merged into the
first message behind it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hermes_sessions.compaction.keeping.cut_results import cut_results
from hermes_sessions.compaction.keeping.kept_message import kept_message
from hermes_sessions.compaction.pairs import Pairing, pair_tools
from hermes_sessions.compaction.plan import CompactionPlan, find_anchors, plan_transcript
from hermes_sessions.compaction.policy import CompactionPolicy
from hermes_sessions.compaction.transcript import TranscriptEntry, read_transcript
from hermes_sessions.errors import InvariantError
from hermes_sessions.handoff import WENT_ON, merge_handoff
from hermes_sessions.messages import MessageKind, Role
from hermes_sessions.tokens import TokenCounter, token_counter

_SPEAKERS: Final = (Role.USER, Role.ASSISTANT)


@dataclass(frozen=True, slots=True)
class Omission:
    """Something in the input that the result leaves out: broken, or more than the window holds.

    Its text is one line that names the calls.

    Attributes:
        index: of the message in the input.
        what: `orphan result`, `orphan call` or `cut result`.
        ids: of the calls concerned.
    """

    index: int
    what: str
    ids: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.what} {', '.join(self.ids) or 'without an id'} in message {self.index}"


@dataclass(frozen=True, slots=True)
class Placed:
    """One message of the result.

    Attributes:
        message: an OpenAI-style dict.
        source: index of the input message it repeats; None for a handoff or a note.
        kind: `handoff` and `merged` carry the new handoff.
        changed: it differs from its source (a handoff taken out or put in, something left out).
    """

    message: dict[str, Any]
    source: int | None
    kind: MessageKind = MessageKind.MESSAGE
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Assembly:
    """The new transcript, message by message, and what was left out of it."""

    placed: tuple[Placed, ...]
    omissions: tuple[Omission, ...]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages alone."""
        return [placed.message for placed in self.placed]


@dataclass(frozen=True, slots=True)
class Finish:
    """What an assembly needs besides the plan.

    Attributes:
        merge: whether the handoff may be put into the message behind it.
        counter: counts what a cut result may keep.
        where: says for the index of a message where its original can be read.
    """

    merge: bool
    counter: TokenCounter
    where: Callable[[int], str]


def assemble(
    entries: Sequence[TranscriptEntry],
    pairing: Pairing,
    plan: CompactionPlan,
    handoff: str,
    finish: Finish,
) -> Assembly:
    """Put *handoff* in place of the span of *plan*.

    Args:
        handoff: a whole handoff, from `render_handoff`.

    Raises:
        InvariantError: the result would break what the engine promises.
    """
    kept = _kept(entries, pairing, plan, finish)
    head = [placed for placed in kept if placed.source is not None and placed.source < plan.head_end]
    rest = kept[len(head) :]
    role = _role_for(head, rest)
    if role is None and finish.merge and _may_merge(rest):
        placed = [*head, _merged(handoff, rest[0]), *rest[1:]]
    else:
        carrier = Placed({"role": str(role or Role.USER), "content": handoff}, None, MessageKind.HANDOFF)
        placed = [*head, carrier, *rest]
    placed = _in_turn(entries, placed)
    assembly = Assembly(tuple(placed), _omissions(entries, pairing, plan))
    _check(entries, pairing, plan, assembly)
    return assembly


def check_again(assembly: Assembly, plan: CompactionPlan, policy: CompactionPolicy) -> None:
    """Plan the result once more: at most the former head and the handoff may be found.

    Raises:
        InvariantError: a second compaction would replace something that this one kept.
    """
    entries = read_transcript(assembly.messages, token_counter(policy.encoding))
    again = plan_transcript(entries, pair_tools(entries), policy)
    allowed = {None, *range(plan.head_end)}
    anchors = find_anchors(entries)
    blank = _kept_for_a_blank(assembly, entries, anchors)
    allowed |= {assembly.placed[index].source for index in blank}
    # What was said beside a call that is left out reads like a reply from now on: then
    # what was carried as the last thing said beside a call may go.
    narrated = {omission.index for omission in assembly.omissions if omission.what == "orphan call"}
    allowed |= set(range(max(narrated, default=0)))
    if narrated & {assembly.placed[index].source for index in anchors}:
        allowed |= set(plan.carried)
    real = [index for index in again.span if not (entries[index].is_note or _is_blank(entries[index]))]
    if any(assembly.placed[index].source not in allowed for index in real):
        raise InvariantError("planning the compacted transcript again would replace what was just kept")


def _kept_for_a_blank(
    assembly: Assembly, entries: Sequence[TranscriptEntry], anchors: Sequence[int]
) -> range:
    """Return the places between a blank request that the handoff was merged into and the next anchor.

    Such a request is not told from the handoff any more, and what was kept for its sake may go.
    """
    places = range(len(entries))
    merged = [
        at for at in places if assembly.placed[at].kind is MessageKind.MERGED and _is_blank(entries[at])
    ]
    if not merged:
        return range(0)
    return range(merged[0], min((at for at in anchors if at > merged[0]), default=len(entries)))


def _is_blank(entry: TranscriptEntry) -> bool:
    """Whether nothing but perhaps a handoff is in *entry*: no text, no attachment, no call, no result."""
    empty = not (entry.is_visible or entry.message.tool_calls or entry.message.result_ids)
    return entry.is_handoff or empty


def _kept(
    entries: Sequence[TranscriptEntry], pairing: Pairing, plan: CompactionPlan, finish: Finish
) -> list[Placed]:
    shortened = dict(plan.shortened)
    found: list[Placed] = []
    for index in (*range(plan.head_end), *plan.kept):
        if index in pairing.orphans or entries[index].is_handoff:
            continue
        message = kept_message(entries[index], pairing, index)
        if index in shortened:
            cut_results(message, shortened[index], finish.counter, finish.where(index))
        found.append(Placed(message, index, changed=message != entries[index].message.source))
    return found


def _role_for(head: Sequence[Placed], rest: Sequence[Placed]) -> Role | None:
    """Return the role a handoff of its own can have, or None where neither fits.

    The first message behind the system prompt must be the user's, and no two messages
    in a row may have the same role: strict providers refuse both.
    """
    before = next((_role(placed) for placed in reversed(head) if _role(placed) != Role.SYSTEM), None)
    after = next((_role(placed) for placed in rest if _role(placed) != Role.SYSTEM), None)
    if Role.USER not in (before, after):
        return Role.USER
    if before is not None and Role.ASSISTANT not in (before, after):
        return Role.ASSISTANT
    return None


def _may_merge(rest: Sequence[Placed]) -> bool:
    """Whether the handoff may stand at the very front of what follows it.

    Ahead of a system message there is nobody to merge it into, and behind one it would make
    that one part of the system prompt. Thoughts must be the first blocks of their message.
    """
    if not rest or _role(rest[0]) not in _SPEAKERS:
        return False
    content = rest[0].message.get("content")
    first = content[0] if isinstance(content, list | tuple) and content else None
    return not (isinstance(first, Mapping) and first.get("type") in ("thinking", "redacted_thinking"))


def _merged(handoff: str, following: Placed) -> Placed:
    """Put the handoff ahead of what somebody wrote."""
    content: Any = following.message.get("content")
    if isinstance(content, Mapping):
        content = [content]
    message = {**following.message, "content": merge_handoff(handoff, content)}
    return replace(following, message=message, kind=MessageKind.MERGED, changed=True)


def _in_turn(entries: Sequence[TranscriptEntry], placed: Sequence[Placed]) -> list[Placed]:
    """Put a note where two messages of one role now meet that did not meet in the input.

    System messages part nobody: providers take them out. The note stands ahead of them, so
    that it takes no room in a tail that begins with one.
    """
    found: list[Placed] = []
    before: Placed | None = None
    behind = 0
    for item in placed:
        if before is not None and _newly_meet(entries, before, item):
            other = Role.USER if _role(item) == Role.ASSISTANT else Role.ASSISTANT
            found.insert(behind, Placed({"role": str(other), "content": WENT_ON}, None))
        found.append(item)
        if _role(item) != Role.SYSTEM:
            before, behind = item, len(found)
    return found


def _newly_meet(entries: Sequence[TranscriptEntry], left: Placed, right: Placed) -> bool:
    if _role(left) != _role(right) or _role(left) not in _SPEAKERS:
        return False
    if left.source is None or right.source is None:
        return True
    same = (Role.SYSTEM, _role(left))
    return any(entry.role not in same for entry in entries[left.source + 1 : right.source])


def _role(placed: Placed) -> str:
    role = str(placed.message.get("role"))
    return Role.SYSTEM if role == "developer" else role


def _omissions(
    entries: Sequence[TranscriptEntry], pairing: Pairing, plan: CompactionPlan
) -> tuple[Omission, ...]:
    shortened = dict(plan.shortened)
    found: list[Omission] = []
    for index in (*range(plan.head_end), *plan.kept):
        message = entries[index].message
        if index in pairing.orphans or index in pairing.strays:
            strays = pairing.strays.get(index, frozenset())
            found.append(Omission(index, "orphan result", tuple(sorted(strays))))
        if index in pairing.unanswered:
            calls = [message.tool_calls[place] for place in sorted(pairing.unanswered[index])]
            found.append(
                Omission(index, "orphan call", tuple(name for call in calls for name in call.ids[:1]))
            )
        if index in shortened:
            found.append(Omission(index, "cut result", message.result_ids))
    return tuple(found)


def _check(
    entries: Sequence[TranscriptEntry], pairing: Pairing, plan: CompactionPlan, assembly: Assembly
) -> None:
    """Raise `InvariantError` unless the result is what the plan promises."""
    partition = sorted((*range(plan.head_end), *plan.span, *plan.kept))
    if partition != list(range(len(entries))):
        raise InvariantError("head, span, carried messages and tail are not the input")
    live = [placed.source for placed in assembly.placed if placed.source is not None]
    expected = [index for index in (*range(plan.head_end), *plan.kept) if index not in pairing.orphans]
    if live != [index for index in expected if not entries[index].is_handoff]:
        raise InvariantError("a kept message is missing, doubled or out of order")
    if any(not pairing.whole(index) <= set(live) for index in live if index in pairing.answers):
        raise InvariantError("a tool call and its results were parted")
    if not set(find_anchors(entries)) <= set(live):
        raise InvariantError("the last request or the last visible reply is not live any more")
    carriers = [placed for placed in assembly.placed if placed.kind is not MessageKind.MESSAGE]
    if len(carriers) != 1:
        raise InvariantError(f"the result carries {len(carriers)} handoffs instead of one")
