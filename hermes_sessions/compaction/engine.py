"""Compact one transcript: plan, ask for a summary, assemble, check. No I/O but the summariser's."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hermes_sessions.compaction.answer import clean_answer, unfounded_claims
from hermes_sessions.compaction.assemble import Assembly, assemble, check_again
from hermes_sessions.compaction.fallback import fallback_summary
from hermes_sessions.compaction.handoff_body import (
    Material,
    Sizes,
    fallback_parts,
    gather,
    sizes_for,
    write_handoff,
)
from hermes_sessions.compaction.pairs import Pairing, pair_tools
from hermes_sessions.compaction.plan import CompactionPlan, plan_transcript
from hermes_sessions.compaction.policy import CompactionPolicy
from hermes_sessions.compaction.request import Writing, build_request, span_facts
from hermes_sessions.compaction.result import CompactionContext, CompactionResult
from hermes_sessions.compaction.sections import pointer
from hermes_sessions.compaction.transcript import Entry, read_transcript
from hermes_sessions.errors import SummaryFailedError, TranscriptError
from hermes_sessions.messages import CompactionMethod, CompactionOutcome, Summarize, SummaryRequest
from hermes_sessions.redact import redact
from hermes_sessions.tokens import TokenCounter, token_counter

_ABORTING = ("auth", "connection")


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
    run = _Run(messages, policy, context or CompactionContext())
    if not run.plan:
        return run.unchanged(CompactionOutcome.NOTHING, run.plan.reason)
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


def _summary(request: SummaryRequest, summarize: Summarize, run: "_Run") -> tuple[str, tuple[str, ...]]:
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


class _Run:
    """One compaction at work: the transcript read once, and the ways it can end."""

    def __init__(
        self, messages: Sequence[Mapping[str, Any]], policy: CompactionPolicy, context: CompactionContext
    ) -> None:
        self.policy = policy
        self.counter: TokenCounter = token_counter(policy.encoding)
        self.entries: tuple[Entry, ...] = read_transcript(messages, self.counter, context.handoffs)
        self._pairing: Pairing = pair_tools(self.entries)
        self.plan: CompactionPlan = plan_transcript(self.entries, self._pairing, policy)
        self.span_tokens = sum(self.entries[index].whole_tokens for index in self.plan.span)
        if context.positions is not None and len(context.positions) != len(messages):
            raise TranscriptError(f"{len(context.positions)} positions for {len(messages)} messages")
        self._context = context
        kept = (*range(self.plan.head_end), *self.plan.kept)
        self._kept_tokens = sum(self.entries[index].tokens for index in kept)
        self._tokens_before = sum(entry.whole_tokens for entry in self.entries)
        self._facts = span_facts(self.entries, self.plan)
        self.material: Material = gather(self.entries, self.plan, self._facts, self._pointer())

    def request(self) -> SummaryRequest:
        """Return what the summariser is given."""
        writing = Writing(
            policy=self.policy, focus=self._context.focus, previous=self.material.earlier, facts=self._facts
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

    def fall_back(self, request: SummaryRequest, failure: SummaryFailedError) -> CompactionResult:
        """End with a handoff made by rule."""
        reason = redact(str(failure)).text

        def written(sizes: Sizes) -> str:
            room, material, bounded = fallback_parts(self.material, sizes)
            most = min(room, max(240, self.span_tokens * 2))

            def notes(max_chars: int) -> str:
                return fallback_summary(request, reason, self._replaced(), max_chars)

            handoff = write_handoff(notes(most), material, bounded)
            over = len(handoff) - sizes.fallback
            return write_handoff(notes(max(240, most - over)), material, bounded) if over > 0 else handoff

        return self._fitted(written, CompactionMethod.FALLBACK, reason=reason, failure=failure.kind)

    def commit(self, summary: str, method: CompactionMethod, dropped: tuple[str, ...]) -> CompactionResult:
        """End with the summary."""
        return self._fitted(
            lambda sizes: write_handoff(summary, self.material, sizes), method, dropped_claims=dropped
        )

    def _fitted(
        self, write: Callable[[Sizes], str], method: CompactionMethod, reason: str = "", **more: Any
    ) -> CompactionResult:
        """End with the roomiest handoff that leaves room to work in, else with the smallest."""
        room = self.policy.handoff_tokens(self._kept_tokens)
        smallest: CompactionResult | None = None
        for sizes in sizes_for(self.policy, self.span_tokens, room):
            found = self._result(write(sizes), method, reason=reason, **more)
            if found and (smallest is None or found.tokens_after < smallest.tokens_after):
                smallest = found
            if found and found.tokens_after <= self._kept_tokens + room:
                smallest = found
                break
        if smallest is None:
            reasons = (reason, self._not_shorter())
            why = "; ".join(text for text in reasons if text)
            return self.unchanged(CompactionOutcome.ABORTED, why, more.get("failure", ""))
        check_again(Assembly(smallest.placed, smallest.omissions), self.plan, self.policy)
        return self._warned(smallest)

    def _warned(self, result: CompactionResult) -> CompactionResult:
        """Say so where the next compaction is due at once all the same."""
        threshold = self.policy.threshold_tokens
        if result.tokens_after < threshold:
            return result
        warning = (
            f"the result of {result.tokens_after} tokens still reaches the threshold of {threshold};"
            f" what is kept verbatim takes {self._kept_tokens} of them"
        )
        return replace(result, reason="; ".join(text for text in (result.reason, warning) if text))

    def _result(self, handoff: str, method: CompactionMethod, **more: Any) -> CompactionResult | None:
        """Return the committed result, or None where it would not save enough."""
        assembly: Assembly = assemble(self.entries, self._pairing, self.plan, handoff)
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

    def _replaced(self) -> int:
        return sum(not self.entries[index].is_handoff for index in self.plan.span)

    def _pointer(self) -> str:
        span = self.plan.span or (0,)
        found = self._context.range_of(span)
        first, last = found or (span[0], span[-1])
        return pointer(self._context.session_id if found else "", first, last, self._replaced())

    def _not_shorter(self) -> str:
        return (
            f"the result would not be shorter by {self.policy.min_saving:.0%}"
            if self.policy.min_saving
            else ("the result would not be shorter")
        )
