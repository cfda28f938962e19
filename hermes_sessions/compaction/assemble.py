"""(entries, plan, handoff) -> new messages; checks its invariants on every real run.

Nothing is moved: head, handoff, carried messages and tail in the order of the input,
each the caller's own dict. Only three things change a kept message: an earlier handoff
in it is taken out, calls that never got a result are left out, and the new handoff may
be merged into the first message behind it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hermes_sessions.compaction.pairs import Pairing, pair_tools
from hermes_sessions.compaction.plan import CompactionPlan, find_anchors, plan_transcript
from hermes_sessions.compaction.policy import CompactionPolicy
from hermes_sessions.compaction.transcript import LEFT_OUT, Entry, read_transcript
from hermes_sessions.errors import InvariantError
from hermes_sessions.handoff import OWN_NOTE, merge_handoff
from hermes_sessions.messages import MessageKind, Role
from hermes_sessions.tokens import token_counter

_WENT_ON: Final = f"{OWN_NOTE} between these two messages others were replaced by the handoff above.]"
_SPEAKERS: Final = (Role.USER, Role.ASSISTANT)


@dataclass(frozen=True, slots=True)
class Omission:
    """Something broken in the input that the result leaves out.

    Attributes:
        index: of the message in the input.
        what: `orphan result` or `orphan call`.
        ids: of the calls concerned.
    """

    index: int
    what: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """One message of the result.

    Attributes:
        message: an OpenAI-style dict.
        source: index of the input message it repeats; None for a handoff or a note.
        kind: `handoff` and `merged` carry the new handoff.
        changed: it differs from its source (a handoff taken out or put in, calls left out).
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


def assemble(entries: Sequence[Entry], pairing: Pairing, plan: CompactionPlan, handoff: str) -> Assembly:
    """Put *handoff* in place of the span of *plan*.

    Args:
        handoff: a whole handoff, from `render_handoff`.

    Raises:
        InvariantError: the result would break what the engine promises.
    """
    head = _kept(entries, pairing, range(plan.head_end))
    rest = _kept(entries, pairing, plan.kept)
    if not rest or _role_for(head, rest) is not None:
        role = _role_for(head, rest) or Role.USER
        carrier = Placed({"role": str(role), "content": handoff}, None, MessageKind.HANDOFF)
        placed = [*head, carrier, *rest]
    else:
        placed = [*head, *_merged(handoff, rest)]
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
    allowed |= {assembly.placed[index].source for index in _kept_for_a_blank(assembly, entries)}
    # A system message may stand between the head and the message that carries the handoff.
    carrier = next(at for at, placed in enumerate(assembly.placed) if placed.kind is not MessageKind.MESSAGE)
    allowed |= {placed.source for placed in assembly.placed[:carrier]}
    real = [index for index in again.span if not (entries[index].is_note or _is_blank(entries[index]))]
    if any(assembly.placed[index].source not in allowed for index in real):
        raise InvariantError("planning the compacted transcript again would replace what was just kept")


def _kept_for_a_blank(assembly: Assembly, entries: Sequence[Entry]) -> range:
    """Return the places between a blank request that the handoff was merged into and the next anchor.

    Such a request is not told from the handoff any more, and what was kept for its sake may go.
    """
    places = range(len(entries))
    merged = [
        at for at in places if assembly.placed[at].kind is MessageKind.MERGED and _is_blank(entries[at])
    ]
    if not merged:
        return range(0)
    return range(merged[0], min((at for at in find_anchors(entries) if at > merged[0]), default=len(entries)))


def _is_blank(entry: Entry) -> bool:
    """Whether nothing but perhaps a handoff is in *entry*: no text, no attachment, no call, no result."""
    empty = not (entry.is_visible or entry.message.tool_calls or entry.message.result_ids)
    return entry.is_handoff or empty


def _kept(entries: Sequence[Entry], pairing: Pairing, indices: Sequence[int]) -> list[Placed]:
    found: list[Placed] = []
    for index in indices:
        if index in pairing.orphans or entries[index].is_handoff:
            continue
        source = entries[index].message.source
        message = dict(source)
        if entries[index].handoffs:
            message["content"] = entries[index].content
        if index in pairing.unanswered:
            _leave_out_calls(message, entries[index], pairing.unanswered[index])
        found.append(Placed(message, index, changed=message != source))
    return found


def _leave_out_calls(message: dict[str, Any], entry: Entry, places: frozenset[int]) -> None:
    """Take calls without a result out of *message*; a message of nothing else says so."""
    written = message.get("tool_calls")
    listed = json.loads(written) if isinstance(written, str) else written
    listed = [listed] if isinstance(listed, Mapping) else listed
    if not isinstance(listed, list | tuple):
        return
    mappings = [call for call in listed if isinstance(call, Mapping)]
    kept = [call for place, call in enumerate(mappings) if place not in places]
    if kept:
        message["tool_calls"] = json.dumps(kept, ensure_ascii=False) if isinstance(written, str) else kept
        return
    message.pop("tool_calls", None)
    if not entry.is_visible:
        message["content"] = LEFT_OUT


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


def _merged(handoff: str, rest: Sequence[Placed]) -> list[Placed]:
    """Put the handoff ahead of the first message behind it that somebody wrote."""
    at = next(place for place, placed in enumerate(rest) if _role(placed) in _SPEAKERS)
    content: Any = rest[at].message.get("content")
    if isinstance(content, Mapping):
        content = [content]
    message = {**rest[at].message, "content": merge_handoff(handoff, content)}
    carrier = replace(rest[at], message=message, kind=MessageKind.MERGED, changed=True)
    return [*rest[:at], carrier, *rest[at + 1 :]]


def _in_turn(entries: Sequence[Entry], placed: Sequence[Placed]) -> list[Placed]:
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
            found.insert(behind, Placed({"role": str(other), "content": _WENT_ON}, None))
        found.append(item)
        if _role(item) != Role.SYSTEM:
            before, behind = item, len(found)
    return found


def _newly_meet(entries: Sequence[Entry], left: Placed, right: Placed) -> bool:
    if _role(left) != _role(right) or _role(left) not in _SPEAKERS:
        return False
    if left.source is None or right.source is None:
        return True
    return any(entry.role != Role.SYSTEM for entry in entries[left.source + 1 : right.source])


def _role(placed: Placed) -> str:
    role = str(placed.message.get("role"))
    return Role.SYSTEM if role == "developer" else role


def _omissions(entries: Sequence[Entry], pairing: Pairing, plan: CompactionPlan) -> tuple[Omission, ...]:
    kept = (*range(plan.head_end), *plan.kept)
    found: list[Omission] = []
    for index in kept:
        message = entries[index].message
        if index in pairing.orphans:
            found.append(Omission(index, "orphan result", message.result_ids))
        elif index in pairing.unanswered:
            calls = [message.tool_calls[place] for place in sorted(pairing.unanswered[index])]
            found.append(
                Omission(index, "orphan call", tuple(name for call in calls for name in call.ids[:1]))
            )
    return tuple(found)


def _check(entries: Sequence[Entry], pairing: Pairing, plan: CompactionPlan, assembly: Assembly) -> None:
    """Raise `InvariantError` unless the result is what the plan promises."""
    partition = sorted((*range(plan.head_end), *plan.span, *plan.kept))
    if partition != list(range(len(entries))):
        raise InvariantError("head, span, carried messages and tail are not the input")
    left_out = {omission.index for omission in assembly.omissions if omission.what == "orphan result"}
    live = [placed.source for placed in assembly.placed if placed.source is not None]
    expected = [index for index in (*range(plan.head_end), *plan.kept) if index not in left_out]
    if live != [index for index in expected if not entries[index].is_handoff]:
        raise InvariantError("a kept message is missing, doubled or out of order")
    if any(not pairing.whole(index) <= set(live) for index in live if index in pairing.answers):
        raise InvariantError("a tool call and its results were parted")
    if not set(find_anchors(entries)) <= set(live):
        raise InvariantError("the last request or the last visible reply is not live any more")
    carriers = [placed for placed in assembly.placed if placed.kind is not MessageKind.MESSAGE]
    if len(carriers) != 1:
        raise InvariantError(f"the result carries {len(carriers)} handoffs instead of one")
