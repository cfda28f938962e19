"""What a summariser is sent: the span as masked, shortened entries within a budget.

Sizes are decided on the raw lengths first, so that the work of masking is bounded by
the budget and not by the span.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hermes_sessions.compaction import shorten_results
from hermes_sessions.compaction.economy.span_facts import masked_facts
from hermes_sessions.compaction.pairs import Pairing, call_of, is_answer
from hermes_sessions.compaction.plan import CompactionPlan
from hermes_sessions.compaction.policy import CompactionPolicy
from hermes_sessions.compaction.prompt import INSTRUCTIONS, render_prompt
from hermes_sessions.compaction.sections import read_body
from hermes_sessions.compaction.transcript import TranscriptEntry
from hermes_sessions.facts.lines import shorten_line
from hermes_sessions.handoff import ENGINE_NOTES
from hermes_sessions.messages import Role, SpanEntry, SpanFact, SummaryRequest, ToolCall

_CHARS_PER_TOKEN: Final = 3
_SHORT_CHARS: Final = 200
_ORDINARY: Final = 1.25
"""Prose and logs cost no more than this times the share of a character."""
_NEWEST_RESULTS: Final = 6
_ENTRY_OVERHEAD: Final = 30
_KINDS: Final[dict[str, str]] = {Role.USER: "user", Role.ASSISTANT: "assistant", Role.TOOL: "result"}


@dataclass(frozen=True, slots=True)
class _Caps:
    """How long each kind of entry may be, in characters."""

    user: int
    assistant: int
    call: int
    newest_result: int
    old_result: int = 320


_GENEROUS: Final = _Caps(user=6_000, assistant=3_000, call=600, newest_result=3_000)
_TIGHT: Final = _Caps(user=1_500, assistant=500, call=160, newest_result=500)


@dataclass(frozen=True, slots=True)
class _Draft:
    """An entry before masking: what it is and how long it will be at most."""

    index: int
    kind: str
    call: ToolCall | None
    cost: int
    notes: str = ""


def build_request(
    entries: Sequence[TranscriptEntry], pairing: Pairing, plan: CompactionPlan, writing: "Writing"
) -> SummaryRequest:
    """Return the request for the span of *plan*."""
    span = _Span(entries, pairing, plan)
    policy = writing.policy
    max_tokens = policy.summary_budget(sum(entries[index].whole_tokens for index in plan.span))
    budget = policy.request_budget * _CHARS_PER_TOKEN
    previous = shorten_results.masked(writing.previous, max(400, budget // 3)) if writing.previous else ""
    sent = tuple(span.within(max(400, budget - len(previous) - len(INSTRUCTIONS))))
    focus = shorten_results.masked(writing.focus, 1_000) if writing.focus else ""
    return SummaryRequest(
        instructions=INSTRUCTIONS,
        prompt=render_prompt(sent, previous, focus, max_tokens),
        entries=sent,
        facts=tuple(masked_facts(writing.facts)),
        previous=previous,
        focus=focus,
        max_tokens=max_tokens,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """What shapes a summary besides the span: policy, focus, earlier notes, exact facts."""

    policy: CompactionPolicy
    focus: str
    previous: str
    facts: tuple[SpanFact, ...]


def _kind(entry: TranscriptEntry) -> str:
    """Return what *entry* is to a summariser: what an agent wrote in the user's name is a note."""
    if entry.is_note:
        return "note"
    return "result" if is_answer(entry) else _KINDS.get(entry.role, "note")


def _weight(entry: TranscriptEntry) -> float:
    """Return how many times its share of tokens a character costs: Han characters, hashes and base64 more.

    Short messages cost what surrounds them; those with images are not judged by their tokens.
    """
    chars = len(entry.text) + sum(len(call.arguments) for call in entry.message.tool_calls)
    if chars < _SHORT_CHARS or not isinstance(entry.content, str | None):
        return 1.0
    weight = entry.tokens * _CHARS_PER_TOKEN / chars
    return weight if weight > _ORDINARY else 1.0


class _Span:
    """The messages of a span and what shortening needs to know about them."""

    def __init__(self, entries: Sequence[TranscriptEntry], pairing: Pairing, plan: CompactionPlan) -> None:
        self._entries = entries
        self._pairing = pairing
        self._indices = indices = plan.span
        self._older = _older_notes(entries, plan)
        results = {
            index: entries[index].output
            for index in indices
            if entries[index].role == Role.TOOL or entries[index].message.result_ids
        }
        self._newest = frozenset(list(results)[-_NEWEST_RESULTS:])
        latest: dict[str, int] = {text: index for index, text in results.items() if len(text) > 80}
        self._repeated = frozenset(
            index for index, text in results.items() if latest.get(text, index) != index
        )

    def within(self, budget: int) -> Iterator[SpanEntry]:
        """Yield the entries, oldest first, with notes where the budget forced some out."""
        caps = _GENEROUS if len(self._indices) * _ENTRY_OVERHEAD < budget else _TIGHT
        drafts = list(self._drafts(caps))
        if caps is _GENEROUS and sum(draft.cost for draft in drafts) > budget:
            caps = _TIGHT
            drafts = list(self._drafts(caps))
        chosen = _choose(drafts, budget)
        left_out = 0
        for place, draft in enumerate(drafts):
            if place not in chosen:
                left_out += 1
                continue
            if left_out:
                yield _gap(draft.index, left_out)
                left_out = 0
            yield self._entry(draft, caps)
        if left_out:
            yield _gap(self._indices[-1], left_out)

    def _drafts(self, caps: _Caps) -> Iterator[_Draft]:
        older = [
            _Draft(index, "summary", None, min(len(notes), caps.assistant) + _ENTRY_OVERHEAD, notes)
            for index, notes in self._older
        ]
        said = [draft for index in self._indices for draft in self._said(index, caps)]
        yield from sorted((*older, *said), key=lambda draft: draft.index)

    def _said(self, index: int, caps: _Caps) -> Iterator[_Draft]:
        entry = self._entries[index]
        if entry.is_handoff or entry.text in ENGINE_NOTES:
            return
        kind = _kind(entry)
        weight = _weight(entry)
        said = entry.output if kind == "result" else entry.text
        length = min(len(said), self._cap(index, kind, caps))
        if kind != "result" and entry.message.result_ids:
            cost = min(len(entry.output), self._cap(index, "result", caps))
            yield _Draft(index, "result", None, cost + _ENTRY_OVERHEAD)
        if entry.is_visible or kind != "assistant":
            yield _Draft(index, kind, None, int(length * weight) + _ENTRY_OVERHEAD)
        for call in entry.message.tool_calls:
            length = min(len(call.arguments), caps.call)
            yield _Draft(index, "call", call, int(length * weight) + _ENTRY_OVERHEAD)

    def _cap(self, index: int, kind: str, caps: _Caps) -> int:
        if kind == "result":
            return caps.newest_result if index in self._newest else caps.old_result
        return caps.user if kind == "user" else caps.assistant

    def _entry(self, draft: _Draft, caps: _Caps) -> SpanEntry:
        entry = self._entries[draft.index]
        if draft.call is not None:
            name = shorten_line(draft.call.name, 60)
            return SpanEntry(
                draft.index, "call", name, shorten_results.shorten_arguments(draft.call.arguments, caps.call)
            )
        if draft.kind == "result":
            return SpanEntry(
                draft.index, "result", self._tool_name(draft.index), self._result(draft.index, caps)
            )
        text = draft.notes or shorten_results.text_of(entry.message, entry.text)
        cap = self._cap(draft.index, draft.kind, caps)
        return SpanEntry(draft.index, draft.kind, "", shorten_results.masked(text, cap))

    def _result(self, index: int, caps: _Caps) -> str:
        entry = self._entries[index]
        text = entry.output
        if entry.role == Role.TOOL:
            text = shorten_results.text_of(entry.message, text)
        if index in self._newest:
            return shorten_results.masked(text, caps.newest_result)
        line = shorten_results.describe_result(
            call_of(self._entries, self._pairing, index), entry.message, text
        )
        return f"{line} (a later call returned the same)" if index in self._repeated else line

    def _tool_name(self, index: int) -> str:
        call = call_of(self._entries, self._pairing, index)
        return shorten_line((call.name if call else "") or self._entries[index].message.tool_name or "", 60)


def _older_notes(entries: Sequence[TranscriptEntry], plan: CompactionPlan) -> tuple[tuple[int, str], ...]:
    """Return the summaries of the earlier handoffs but the newest, which is updated, with their places."""
    bodies = [(index, body) for index in plan.handoffs for body in entries[index].handoffs]
    if len(bodies) < 2:
        return ()
    places = {read_body(body)[0]: index for index, body in bodies}
    newest = read_body(bodies[-1][1])[0]
    return tuple((index, notes) for notes, index in places.items() if notes and notes != newest)


def _choose(drafts: Sequence[_Draft], budget: int) -> frozenset[int]:
    """Pick drafts newest first: older notes and the user's words within half of the budget, then the rest."""
    chosen: set[int] = set()
    newest_first = range(len(drafts) - 1, -1, -1)
    left = budget // 2
    for place in newest_first:
        if drafts[place].kind in ("summary", "user") and drafts[place].cost <= left:
            chosen.add(place)
            left -= drafts[place].cost
    left = budget - sum(drafts[place].cost for place in chosen)
    for place in newest_first:
        if place not in chosen:
            left -= drafts[place].cost
            if left < 0:
                break
            chosen.add(place)
    return frozenset(chosen)


def _gap(index: int, count: int) -> SpanEntry:
    return SpanEntry(index, "note", "", f"{count} earlier entries are left out here for size.")
