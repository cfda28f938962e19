"""Compact one transcript: plan, ask for a summary, assemble, check. No I/O but the summariser's."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hermes_sessions.compaction.answer import clean_answer, unfounded_claims
from hermes_sessions.compaction.assemble import Assembly, Finish, assemble, check_again
from hermes_sessions.compaction.economy.span_facts import facts_in, span_lines
from hermes_sessions.compaction.fallback import fallback_summary
from hermes_sessions.compaction.handoff_body import (
    HandoffMaterial,
    WrittenHandoff,
    gather,
    write_handoff,
)
from hermes_sessions.compaction.pairs import Pairing, pair_tools
from hermes_sessions.compaction.plan import CompactionPlan, plan_transcript
from hermes_sessions.compaction.policy import CompactionPolicy
from hermes_sessions.compaction.request import Writing, build_request
from hermes_sessions.compaction.result import CompactionContext, CompactionResult
from hermes_sessions.compaction.sections import pointer
from hermes_sessions.compaction.sizes import PartSizes, sizes_for
from hermes_sessions.compaction.transcript import TranscriptEntry, read_transcript
from hermes_sessions.errors import SummaryFailedError, TranscriptError
from hermes_sessions.facts.collector import without_collector
from hermes_sessions.handoff import ENGINE_NOTES, SHORT_PREFIX, render_handoff
from hermes_sessions.messages import CompactionMethod, CompactionOutcome, Summarize, SummaryRequest
from hermes_sessions.redact import redact
from hermes_sessions.tokens import TokenCounter, token_counter

_ABORTING = ("auth", "connection")
_RECEIPT_CHARS = 240


@without_collector
def compact_transcript(
    messages: Sequence[Mapping[str, Any]],
    *,
    policy: CompactionPolicy,
    summarize: Summarize,
    context: CompactionContext | None = None,
) -> CompactionResult:
    """Replace the middle of *messages* by a handoff.

    Compacts whenever there is something to; `should_compact` says when to ask. Kept
    messages are equal to the caller's, unknown keys included; nothing given is modified.
    No turn leaves without a summary or a deterministic handoff: a failed summariser
    ends in one of these or in no change at all.

    Args:
        messages: OpenAI-style dicts, oldest first.
        policy: sizes, and what a failure leads to.
        summarize: see `SummaryRequest`; may raise `SummaryFailedError`.
        context: focus, and where the originals are kept.

    Raises:
        TranscriptError: something in the list is not a message, or there are more or
            fewer positions than messages.
        InvariantError: the engine's own check failed; nothing was applied.
    """
    run = _CompactionRun(messages, policy, context or CompactionContext())
    if not run.plan:
        return run.unchanged(CompactionOutcome.NOTHING, run.plan.reason)
    if run.only_cuts:
        return run.cut_only()
    request = run.request()
    try:
        summary, dropped = _summary(request, summarize, run)
    except SummaryFailedError as failure:
        if failure.kind in _ABORTING or policy.abort_on_summary_failure:
            return run.unchanged(CompactionOutcome.ABORTED, redact(str(failure)).text, failure.kind)
        return run.fall_back(request, failure)
    return run.commit(summary, method_of(summarize), dropped)


def method_of(summarize: Summarize) -> CompactionMethod:
    """Return how *summarize* works: what its `method` attribute says, else by a model."""
    return CompactionMethod(getattr(summarize, "method", CompactionMethod.MODEL))


def _summary(
    request: SummaryRequest, summarize: Summarize, run: "_CompactionRun"
) -> tuple[str, tuple[str, ...]]:
    """Ask for the summary and check it; every failure comes out as `SummaryFailedError`."""
    try:
        answer = summarize(request)
    except SummaryFailedError:
        raise
    # Whatever a summariser raises must not cost the transcript; it is kept as the cause.
    except Exception as error:
        raise SummaryFailedError(f"the summariser failed: {type(error).__name__}: {error}") from error
    summary, dropped = unfounded_claims(clean_answer(answer), run.material.said)
    summary = clean_answer(summary)
    if run.counter.count(summary) >= run.span_tokens:
        raise SummaryFailedError("the summary is larger than what it replaces", kind="malformed")
    return summary, dropped


def _told(reason: str, written: WrittenHandoff) -> str:
    count = written.rules_left_out
    rules = f"{count} rules in force are named by pointer only: they exceed a quarter of the window"
    return "; ".join(text for text in (reason, rules if count else "") if text)


class _CompactionRun:
    """One compaction at work: the transcript read once, and the ways it can end."""

    def __init__(
        self, messages: Sequence[Mapping[str, Any]], policy: CompactionPolicy, context: CompactionContext
    ) -> None:
        self.policy = policy
        self.counter: TokenCounter = token_counter(policy.encoding)
        self.entries: tuple[TranscriptEntry, ...] = read_transcript(
            messages, self.counter, context.handoffs, context.grammars
        )
        self._pairing: Pairing = pair_tools(self.entries)
        self.plan: CompactionPlan = plan_transcript(self.entries, self._pairing, policy)
        self.span_tokens = sum(self.entries[index].whole_tokens for index in self.plan.span)
        if context.positions is not None and len(context.positions) != len(messages):
            raise TranscriptError(f"{len(context.positions)} positions for {len(messages)} messages")
        self._context = context
        kept = (*range(self.plan.head_end), *self.plan.kept)
        shortened = dict(self.plan.shortened)
        self._kept_tokens = sum(shortened.get(index, self.entries[index].tokens) for index in kept)
        self._tokens_before = sum(entry.whole_tokens for entry in self.entries)
        found = span_lines(self.entries, self._pairing, self.plan, self._place)
        self.material: HandoffMaterial = gather(
            self.entries, self.plan, found, self._pointer(), context.notes
        )

    def request(self) -> SummaryRequest:
        """Return what the summariser is given."""
        ranked = self.material.ranked
        lines = (*ranked.rules, *(line for line, _ in ranked.scored))
        newest_last = sorted((line for line in lines if line.at >= 0), key=lambda line: line.at)
        writing = Writing(
            policy=self.policy,
            focus=self._context.focus,
            previous=self.material.earlier,
            facts=tuple(fact for line in newest_last for fact in facts_in(line)),
        )
        return build_request(self.entries, self._pairing, self.plan, writing)

    def unchanged(self, status: CompactionOutcome, reason: str, failure: str = "") -> CompactionResult:
        """End without a change."""
        return CompactionResult(
            status=status,
            messages=[dict(entry.message.source) for entry in self.entries],
            plan=self.plan,
            tokens_before=self._tokens_before,
            tokens_after=self._tokens_before,
            tokens_method=self.counter.method,
            reason=reason,
            failure=failure,
        )

    @property
    def only_cuts(self) -> bool:
        """Whether nothing but results that are too large leaves the context."""
        return all(self.entries[index].is_handoff for index in self.plan.span)

    def cut_only(self) -> CompactionResult:
        """End with kept results cut and nothing summarised: all that can be done where nothing may go."""
        reason = "nothing had to be summarised; results too large for the window are cut"
        if self.material.earlier:
            found = self.commit(self.material.earlier, CompactionMethod.FALLBACK, ())
            return found if found.reason else replace(found, reason=reason)
        found = self.fall_back(self.request(), SummaryFailedError(reason))
        return replace(found, failure="")

    def fall_back(self, request: SummaryRequest, failure: SummaryFailedError) -> CompactionResult:
        """End with a handoff made by rule."""
        reason = redact(str(failure)).text

        def written(sizes: PartSizes) -> WrittenHandoff:
            room = max(_RECEIPT_CHARS, min(sizes.summary, self.span_tokens * 2))
            notes = fallback_summary(request, reason, self._replaced(), room)
            return self._written(notes, replace(sizes, summary=max(sizes.summary, room)))

        return self._fitted(written, CompactionMethod.FALLBACK, reason=reason, failure=failure.kind)

    def commit(self, summary: str, method: CompactionMethod, dropped: tuple[str, ...]) -> CompactionResult:
        """End with the summary."""
        return self._fitted(
            lambda sizes: self._written(summary, sizes),
            method,
            dropped_claims=dropped,
        )

    def _fitted(
        self,
        write: Callable[[PartSizes], WrittenHandoff],
        method: CompactionMethod,
        reason: str = "",
        **more: Any,
    ) -> CompactionResult:
        """End with the roomiest handoff that leaves room to work in, else with the smallest."""
        room = self.policy.handoff_room(self._kept_tokens)
        smallest: CompactionResult | None = None
        rules_room = self.policy.rules_room(self._kept_tokens)
        for sizes in sizes_for(self.policy, self.span_tokens, room, rules_room):
            written = write(sizes)
            found = self._result(written.text, method, reason=_told(reason, written), **more)
            if found and (smallest is None or found.tokens_after < smallest.tokens_after):
                smallest = found
            long = method is CompactionMethod.FALLBACK and len(written.text) > (sizes.whole or sys.maxsize)
            most = rules_room if sizes.rules_alone else room
            if found and found.tokens_after <= self._kept_tokens + most and not long:
                smallest = found
                break
        if smallest is None:
            reasons = (reason, self._not_shorter())
            why = "; ".join(text for text in reasons if text)
            return self.unchanged(CompactionOutcome.ABORTED, why, more.get("failure", ""))
        check_again(Assembly(smallest.placed, smallest.omissions), self.plan, self.policy)
        return self._warned(smallest)

    def _warned(self, result: CompactionResult) -> CompactionResult:
        """Say so where it does not fit, or the next compaction is due at once all the same."""
        least = self._price(render_handoff("", self._context.prefix or SHORT_PREFIX))
        if self.policy.handoff_tokens is not None and least > self.policy.handoff_tokens:
            frame = (
                f"the frame of a handoff alone takes {least} tokens, {self.policy.handoff_tokens} are given"
            )
            result = replace(result, reason="; ".join(text for text in (result.reason, frame) if text))
        if result.tokens_after < self.policy.room_tokens:
            return result
        kept = f"what is kept verbatim takes {self._kept_tokens} of them"
        room, fitting = self.policy.room_tokens, self.policy.fitting_tokens
        too_large = f" and does not fit into the {fitting} that are left for it"
        warning = (
            f"the result of {result.tokens_after} tokens still reaches the threshold of {room}"
            f"{too_large if result.tokens_after > fitting else ''}; {kept}"
        )
        return replace(result, reason="; ".join(text for text in (result.reason, warning) if text))

    def _result(self, handoff: str, method: CompactionMethod, **more: Any) -> CompactionResult | None:
        """Return the committed result, or None where it would not save enough."""
        finish = Finish(self.policy.merge, self.counter, self._where)
        assembly: Assembly = assemble(self.entries, self._pairing, self.plan, handoff, finish)
        after = sum(entry.whole_tokens for entry in read_transcript(assembly.messages, self.counter))
        if (
            after >= self._tokens_before
            or self._tokens_before - after < self._tokens_before * self.policy.min_saving
        ):
            return None
        return CompactionResult(
            status=CompactionOutcome.COMMITTED,
            messages=assembly.messages,
            plan=self.plan,
            placed=assembly.placed,
            handoff=handoff,
            method=method,
            tokens_before=self._tokens_before,
            tokens_after=after,
            tokens_method=self.counter.method,
            omissions=assembly.omissions,
            **more,
        )

    def _written(self, summary: str, sizes: PartSizes) -> WrittenHandoff:
        return write_handoff(summary, self.material, sizes, self._price, self._context.prefix)

    def _price(self, text: str) -> int:
        return self.counter.count(text) if text else 0

    def _place(self, index: int) -> str:
        """Where the original of a message is stored, as its reader can look it up; '' where it is not."""
        if not self._context.session_id:
            return ""
        found = self._context.range_of((index,))
        return str(found[0]) if found else ""

    def _replaced(self) -> int:
        """Count the messages that the handoff stands for; notes of ours are none."""
        entries = (self.entries[index] for index in self.plan.span)
        return sum(not (entry.is_handoff or entry.text in ENGINE_NOTES) for entry in entries)

    def _pointer(self) -> str:
        return self._pointer_to(self.plan.span or (0,), self._replaced())

    def _pointer_to(self, indices: Sequence[int], count: int) -> str:
        found = self._context.range_of(indices)
        first, last = found or (indices[0], indices[-1])
        session_id = self._context.session_id if found else ""
        return pointer(session_id, first, last, count, self._context.pointer)

    def _where(self, index: int) -> str:
        """Say where the original of a message can be read."""
        return f"the whole: {self._pointer_to((index,), 1)}"

    def _not_shorter(self) -> str:
        return (
            f"the result would not be shorter by {self.policy.min_saving:.0%}"
            if self.policy.min_saving
            else ("the result would not be shorter")
        )
