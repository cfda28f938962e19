"""Everything the rules and the reports need to know about one compaction, measured once."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from hermes_sessions.audit.fates import Fates, trace_fates
from hermes_sessions.audit.invented import Invention, find_inventions
from hermes_sessions.audit.retention import Retention, measure_retention, read_facts
from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.messages import Fact
from hermes_sessions.tokens import CALL_TOKENS, ESTIMATE, MESSAGE_TOKENS, estimate_tokens


@dataclass(frozen=True, slots=True)
class Sizes:
    """What stood before, what was summarised, the summary and what came out, in estimated tokens.

    What was summarised is what was said and called: an older handoff in a row of the span
    counts for what stood before alone.
    `end` is what came out with all that was said on top of it, up to the next compaction
    or to now. The agent's own counts, where it left any, are in the compaction's record.
    """

    before: int
    span: int
    summary: int
    after: int
    end: int = 0
    method: str = ESTIMATE


@dataclass(frozen=True, slots=True)
class Change:
    """Tokens of the context before and after, and who counted them: `recorded`, or our estimate's name."""

    before: int
    after: int
    counted: str

    @property
    def saved(self) -> int:
        """Tokens less than before; negative where the context grew."""
        return self.before - self.after


@dataclass(frozen=True, slots=True)
class MeasuredCompaction:
    """A compaction with everything measured on it."""

    case: CompactionCase
    fates: Fates
    retention: Retention
    inventions: tuple[Invention, ...]
    sizes: Sizes

    @property
    def change(self) -> Change | None:
        """How the context changed: by the agent's own counts where it left both, else estimated.

        None where nothing is counted and the transcript before, or after, is not stored.
        """
        facts = self.case.facts
        if facts.tokens_before and facts.tokens_after is not None:
            return Change(facts.tokens_before, facts.tokens_after, "recorded")
        if self.sizes.before and self.case.after:
            return Change(self.sizes.before, self.sizes.after, self.sizes.method)
        return None


class Reader:
    """Reads facts and sizes of messages; a message that many compactions meet is read once."""

    def __init__(self) -> None:
        self._facts: dict[int, tuple[Fact, ...]] = {}
        self._tokens: dict[int, int] = {}

    def facts(self, message: AuditMessage) -> Sequence[Fact]:
        """Return the exact facts of *message*."""
        found = self._facts.get(message.id)
        if found is None:
            found = self._facts[message.id] = read_facts(message)
        return found

    def tokens(self, messages: Iterable[AuditMessage]) -> int:
        """Return about how many tokens *messages* cost together, their handoffs included."""
        return sum(self._of(message) for message in messages)

    def said_tokens(self, messages: Iterable[AuditMessage]) -> int:
        """Return about how many tokens *messages* cost together without their handoffs."""
        return sum(
            _estimate(replace(message, handoff="")) if message.handoff else self._of(message)
            for message in messages
        )

    def _of(self, message: AuditMessage) -> int:
        found = self._tokens.get(message.id)
        if found is None:
            found = self._tokens[message.id] = _estimate(message)
        return found


def measure_compaction(case: CompactionCase, reader: Reader | None = None) -> MeasuredCompaction:
    """Measure one compaction; pass the same *reader* for all of a conversation."""
    reader = reader or Reader()
    read: Callable[[AuditMessage], Sequence[Fact]] = reader.facts
    return MeasuredCompaction(
        case=case,
        fates=trace_fates(case),
        retention=measure_retention(case, read),
        inventions=find_inventions(case, read),
        sizes=Sizes(
            before=reader.tokens(case.before),
            span=reader.said_tokens(case.span),
            summary=estimate_tokens(case.body),
            after=reader.tokens(case.after),
            end=reader.tokens((*case.after, *case.following)),
        ),
    )


def _estimate(message: AuditMessage) -> int:
    texts = [message.text, message.handoff]
    for call in message.calls:
        texts += [call.name, call.arguments]
    fixed = MESSAGE_TOKENS + CALL_TOKENS * (len(message.calls) + len(message.result_ids))
    return fixed + estimate_tokens("\n".join(text for text in texts if text))
