"""Everything the rules and the reports need to know about one compaction, measured once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from hermes_sessions.audit.check import check_handoff
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.handoff_index import HandoffIndex
from hermes_sessions.audit.fact_notes import FactNotes
from hermes_sessions.audit.fates import Fate, Fates, trace_fates
from hermes_sessions.audit.handed_on.bound_values import without_bound
from hermes_sessions.audit.handed_on.turned_facts import without_turned
from hermes_sessions.audit.judgements.kept_judgements import KeptJudgements
from hermes_sessions.audit.ledger.ledger import read_rules
from hermes_sessions.audit.needed_later import NeededLater, measure_needed
from hermes_sessions.audit.retention import Retention, index_handoff, measure_retention, read_message
from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.facts.collector import without_collector
from hermes_sessions.facts.extract import extract_text_facts
from hermes_sessions.facts.values import Fact
from hermes_sessions.messages import MessageKind
from hermes_sessions.tokens import CALL_TOKENS, ESTIMATE, MESSAGE_TOKENS, estimate_tokens


@dataclass(frozen=True, slots=True)
class MeasuredSizes:
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
class TokenChange:
    """Tokens of the context before and after, and who counted them: `recorded`, or our estimate's name."""

    before: int
    after: int
    counted: str

    @property
    def saved(self) -> int:
        """Tokens less than before; negative where the context grew."""
        return self.before - self.after


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredSpan:
    """A compaction with what became of its messages and their facts; of its handoff nothing is judged."""

    case: CompactionCase
    fates: Fates
    retention: Retention
    sizes: MeasuredSizes
    needed: NeededLater = field(default_factory=NeededLater)

    @property
    def replaced_handoffs(self) -> frozenset[int]:
        """The rows before that hold an older handoff alone, and are out of sight: no messages of the span."""
        gone = {one.message for one in self.fates.messages if one.fate is Fate.SUMMARISED}
        rows = self.case.before
        return frozenset(row.id for row in rows if row.kind == MessageKind.HANDOFF and row.id in gone)

    @property
    def change(self) -> TokenChange | None:
        """How the context changed: by the agent's own counts where it left both, else estimated.

        None where nothing is counted and the transcript before, or after, is not stored.
        """
        facts = self.case.facts
        if facts.tokens_before and facts.tokens_after is not None:
            return TokenChange(facts.tokens_before, facts.tokens_after, "recorded")
        if self.sizes.before and self.case.after:
            return TokenChange(self.sizes.before, self.sizes.after, self.sizes.method)
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredCompaction(MeasuredSpan):
    """A compaction with everything measured on it."""

    deviations: tuple[Deviation, ...]

    def departs(self, grade: Grade) -> tuple[Deviation, ...]:
        """Return where the handoff departs from its source in this way."""
        return tuple(one for one in self.deviations if one.grade is grade)

    @property
    def inventions(self) -> tuple[Deviation, ...]:
        """What the handoff says and nobody said or did."""
        return self.departs(Grade.INVENTED)


class Reader:
    """Reads messages and handoffs of one conversation; what many compactions meet is read once.

    Attributes:
        notes: of messages that were read before, by whomever; and of those that were not.
        judgements: of handoffs that were judged before; and of those that were not.
    """

    def __init__(self, notes: FactNotes | None = None, judgements: KeptJudgements | None = None) -> None:
        self.notes = notes or FactNotes()
        self.judgements = judgements or KeptJudgements()
        self._read: dict[int, tuple[Sequence[Fact], Sequence[Fact]]] = {}
        self._told: dict[str, Sequence[Fact]] = {}
        self._handoffs: dict[int, HandoffIndex] = {}
        self._tokens: dict[int, int] = {}

    def facts(self, message: AuditMessage) -> Sequence[Fact]:
        """Return the exact facts of *message*."""
        found = self._read.get(message.id)
        if found is None:
            found = self._read[message.id] = read_message(message, self.notes)
        return found[0]

    def rules(self, message: AuditMessage) -> Sequence[Fact]:
        """Return the rules that *message* sets; where its facts were not asked for, these alone are read."""
        found = self._read.get(message.id)
        return read_rules(message) if found is None else found[1]

    def told(self, text: str) -> Sequence[Fact]:
        """Return the facts of a text that is no message of its own: a summary, an earlier request."""
        found = self._told.get(text)
        if found is None:
            found = self._told[text] = extract_text_facts(text)
        return found

    def handoff(self, case: CompactionCase) -> HandoffIndex:
        """Return the handoffs that *case* left in the context, ready to be asked."""
        found = self._handoffs.get(case.facts.id)
        if found is None:
            found = self._handoffs[case.facts.id] = index_handoff(case, self.told)
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


@without_collector
def measure_compaction(case: CompactionCase, reader: Reader | None = None) -> MeasuredCompaction:
    """Measure one compaction; pass the same *reader* for all of a conversation."""
    reader = reader or Reader()
    span = measure_span(case, reader)
    deviations = () if case.is_stale else _judge(case, reader)
    turned = without_turned(span.retention.facts, deviations, case.body)
    retention = Retention(without_bound(turned, case.before))
    return MeasuredCompaction(
        case=case,
        fates=span.fates,
        retention=retention,
        sizes=span.sizes,
        needed=span.needed if retention == span.retention else _needed(case, reader, retention),
        deviations=deviations,
    )


def _judge(case: CompactionCase, reader: Reader) -> tuple[Deviation, ...]:
    handoff = reader.handoff(case)
    return reader.judgements.judge(
        case, handoff, lambda: check_handoff(case, reader.facts, handoff, reader.told)
    )


def _needed(case: CompactionCase, reader: Reader, retention: Retention) -> NeededLater:
    return measure_needed(case, reader.tokens, [one for one in retention.facts if one.is_lost])


@without_collector
def measure_span(case: CompactionCase, reader: Reader) -> MeasuredSpan:
    """Measure what became of the messages and the facts of one compaction, and judge no handoff.

    Of a continuation in which nobody said anything no fact is missed.
    """
    retention = Retention(())
    if not case.is_stale:
        retention = measure_retention(case, reader.facts, reader.handoff(case))
    return MeasuredSpan(
        case=case,
        fates=trace_fates(case),
        retention=retention,
        sizes=MeasuredSizes(
            before=reader.tokens(case.before),
            span=reader.said_tokens(case.span),
            summary=estimate_tokens(case.body),
            after=reader.tokens(case.after),
            end=reader.tokens((*case.after, *case.following)),
        ),
        needed=_needed(case, reader, retention),
    )


def _estimate(message: AuditMessage) -> int:
    texts = [message.text, message.handoff]
    for call in message.calls:
        texts += [call.name, call.arguments]
    fixed = MESSAGE_TOKENS + CALL_TOKENS * (len(message.calls) + len(message.result_ids))
    return fixed + estimate_tokens("\n".join(text for text in texts if text))
