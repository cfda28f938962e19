"""The report of one compaction as a value: everything in it is plain text, secrets masked, sizes bounded.

`report_markdown` and `report_html` write it down.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from hermes_sessions.audit.claims import Claim, ClaimSource
from hermes_sessions.audit.fates import Fate
from hermes_sessions.audit.ledger.values import SIGHT_WORDS, RulesLedger, find_sight, state_words
from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.needed_later import NeededLater
from hermes_sessions.audit.retention import Share
from hermes_sessions.audit.rules import RULES
from hermes_sessions.audit.values import AuditMessage, FindingValue
from hermes_sessions.audit.verdict.build import judge_compaction
from hermes_sessions.audit.verdict.differences import evidence_line, read_places
from hermes_sessions.audit.verdict.nouns import noun
from hermes_sessions.audit.verdict.quoting import mask_secrets
from hermes_sessions.audit.verdict.values import CompactionVerdict, VerdictLine
from hermes_sessions.facts import shorten_line
from hermes_sessions.messages import CompactionMethod, MessageKind
from hermes_sessions.redact import redact

MAX_FACTS: Final = 300
MAX_MESSAGES: Final = 500
_MAX_LINE: Final = 240
_FEW_PLACES: Final = 3
_METHODS: Final[Mapping[str, str]] = {
    CompactionMethod.MARKER: "no summary, only a note that messages were removed",
    CompactionMethod.NONE: "no summary stored",
}

FINDING_COLUMNS: Final = ("severity", "rule", "what was found", "what it means", "what to do", "messages")
PLACE_COLUMNS: Final = ("rule", "what", "handoff", "source", "message")
RULE_COLUMNS: Final = ("rule", "set by", "message", "after this compaction", "now")
HONESTY: Final = (
    "Facts were compared, not meaning: what the summary states in quite other words counts as lost."
    " Lost means out of the model's sight; every message listed here is still stored. Sources of claims are"
    " likely ones, not proofs."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSubject:
    """What a report is about, in words a reader knows; `compactions` counts those of its kind."""

    conversation: str
    title: str | None
    compactions: int


@dataclass(frozen=True, slots=True)
class ReportFinding:
    """A finding with its meaning and advice; `found` is what it found, in short."""

    severity: str
    rule: str
    found: str
    about: str
    advice: str
    messages: str


@dataclass(frozen=True, slots=True)
class ReportClaim:
    """A claim of the handoff and its likely sources in words."""

    section: str
    text: str
    sources: str


@dataclass(frozen=True, slots=True)
class ReportMessage:
    """A message before the compaction and its fate."""

    id: int
    role: str
    fate: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One compaction, told from its numbers to its messages.

    Attributes:
        verdict: what happened, for the person whose agent forgot.
        numbers: (name, value) pairs.
        places: of findings: (rule, what, the handoff's sentence, the source's, its message).
        retention: (kind, counts), all kinds first.
        lost: (kind, value, message numbers) of facts out of sight.
        invented: (kind, value).
        rules: (rule, who set it, message, where it is after this compaction, what became of it).
        omitted: what was left out because there is too much of it, '' when nothing was.
        masked: how many secrets were masked.
    """

    heading: str
    verdict: CompactionVerdict
    numbers: tuple[tuple[str, str], ...]
    findings: tuple[ReportFinding, ...]
    places: tuple[tuple[str, str, str, str, str], ...]
    retention: tuple[tuple[str, Share], ...]
    lost: tuple[tuple[str, str, str], ...]
    invented: tuple[tuple[str, str], ...]
    rules: tuple[tuple[str, str, str, str, str], ...]
    handoff: str
    claims: tuple[ReportClaim, ...]
    messages: tuple[ReportMessage, ...]
    omitted: str
    masked: int


def build_report(
    subject: ReportSubject,
    measured: MeasuredCompaction,
    claims: Sequence[Claim],
    findings: Sequence[FindingValue],
    *,
    ledger: RulesLedger = (),
    mask: bool = True,
) -> Report:
    """Return the report of one compaction; with *mask* every text in it is masked first.

    Args:
        ledger: the rules of the whole conversation; those set after the compaction are left out.
    """
    masker = _Masker(mask)
    facts = measured.case.facts
    lost = [fact for fact in measured.retention.facts if fact.is_lost]
    before = measured.case.before
    handoffs = frozenset(row.id for row in before if row.kind == MessageKind.HANDOFF)
    worst_first = sorted(findings, key=lambda one: -one.severity.rank)
    title = masker(subject.title or subject.conversation)
    name = "Prune" if facts.is_prune else "Compaction"
    return Report(
        verdict=judge_compaction(measured, findings, mask_secrets if mask else str),
        heading=f"{name} {facts.ordinal} of {max(subject.compactions, facts.ordinal)}: {shorten_line(title)}",
        numbers=(("Conversation", subject.conversation), *_numbers(measured)),
        findings=tuple(_finding(one, masker) for one in worst_first),
        places=tuple(row for one in worst_first for row in _places(one, masker)),
        retention=(
            ("facts that matter", measured.retention.matter),
            ("all kinds", measured.retention.total),
            *measured.retention.shares.items(),
        ),
        lost=tuple((one.kind, masker(one.value), _list(one.messages)) for one in lost[:MAX_FACTS]),
        invented=tuple((one.kind, masker(one.value)) for one in measured.inventions),
        rules=tuple(_rules(ledger, facts.id, masker)),
        handoff=masker(measured.case.body),
        claims=tuple(_claim(one, handoffs, masker) for one in claims if one.sources or not one.is_heading),
        messages=tuple(_messages(before[:MAX_MESSAGES], measured, masker)),
        omitted=_omitted(len(lost), len(before)),
        masked=masker.count,
    )


def verdict_tables(
    verdict: CompactionVerdict,
) -> Iterator[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
    """Yield the lists of a verdict that hold something: title, columns, rows."""
    seen = [(one.kind, one.state, one.text, _place(one)) for one in verdict.standing if one.state]
    asked = {one.message for one in verdict.standing if one.kind == "request" and one.state == "gone"}
    lost = [
        (noun(one.kind), one.text, _place(one))
        for one in verdict.lost
        if not (one.kind == "request" and one.message in asked)
    ]
    if verdict.left_out:
        lost.append(("", f"and {verdict.left_out} more", ""))
    doubtful = [(noun(one.kind), one.text, _place(one)) for one in verdict.maybe_lost]
    otherwise = [(noun(one.kind), one.text, _place(one)) for one in verdict.contradicted]
    followed = [(one.text, one.source, one.advice, _place(one)) for one in verdict.consequences]
    safe = [(f"{one.text}; see Lost from sight",) for one in verdict.standing if not one.state]
    for title, columns, rows in (
        ("Last request and last answer", ("which", "where", "words", "message"), seen),
        ("Gone", ("kind", "words", "message"), lost),
        ("Perhaps in other words", ("kind", "words", "message"), doubtful),
        ("Said otherwise", ("kind", "what", "message"), otherwise),
        ("What followed", ("what", "what was lost", "what to do", "message"), followed),
        ("Safe to ignore", ("what",), safe),
    ):
        if rows:
            yield title, columns, list(rows)


def _place(line: VerdictLine) -> str:
    return "" if line.message is None else str(line.message)


class _Masker:
    """Masks texts and counts what it masked."""

    def __init__(self, mask: bool) -> None:
        self.count = 0
        self._mask = mask

    def __call__(self, text: str) -> str:
        if not self._mask:
            return text
        found = redact(text)
        self.count += sum(found.counts.values())
        return found.text


def _numbers(measured: MeasuredCompaction) -> Iterator[tuple[str, str]]:
    facts, sizes = measured.case.facts, measured.sizes
    yield "Compaction", str(facts.id)
    method = _METHODS.get(facts.method) or f"summary by {facts.method}"
    yield "How", f"{facts.realisation.replace('_', ' ')}, {facts.status}, {method}"
    if facts.finished_at is not None:
        yield "When", _time(facts.finished_at)
    for name, fate in (
        ("Kept verbatim", Fate.KEPT),
        ("Carried again", Fate.CARRIED),
        ("Pruned", Fate.PRUNED),
    ):
        yield name, _count(measured.fates.count(fate))
    taken = "Left out without a summary" if measured.case.has_no_summary else "Summarised"
    yield taken, f"{_count(len(measured.case.span))}, still stored"
    if replaced := len(measured.replaced_handoffs):
        yield "Handoffs before, out of sight", f"{replaced:,}"
    gone = measured.fates.gone
    yield "Deleted by the agent", "an unknown number of messages" if gone is None else _count(gone)
    yield "Context", f"about {sizes.before:,} tokens before, {sizes.after:,} after ({sizes.method})"
    yield "Summary", f"about {sizes.summary:,} tokens for a span of {sizes.span:,}"
    if measured.needed.calls:
        yield "Needed later", needed_words(measured.needed)
    if facts.tokens_before is not None:
        after = "unknown" if facts.tokens_after is None else f"{facts.tokens_after:,}"
        yield "Recorded by the agent", f"{facts.tokens_before:,} tokens before, {after} after"


def needed_words(needed: NeededLater) -> str:
    """Return what of the lost tool results was needed, in words."""
    lost = f"{needed.results:,} lost tool result{'' if needed.results == 1 else 's'}"
    calls = "next call" if needed.calls == 1 else f"next {needed.calls:,} calls"
    results = f"{needed.used:,} of {lost} used in the {calls}"
    sight = f", {needed.used_in_sight:,} of them still in sight" if needed.used else ""
    again = f"{needed.read_again:,} read again, {needed.asked_again:,} asked again"
    return f"{results}{sight}; {again} (about {needed.tokens:,} tokens)"


def _time(at: float) -> str:
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (ValueError, OverflowError, OSError):
        return "unknown"


def _finding(finding: FindingValue, masker: Callable[[str], str]) -> ReportFinding:
    rule = RULES[finding.rule]
    return ReportFinding(
        severity=finding.severity,
        rule=rule.code,
        found=masker(evidence_line(rule.code, finding.evidence, _FEW_PLACES)),
        about=rule.about,
        advice=rule.advice,
        messages=_list(finding.messages),
    )


def _places(finding: FindingValue, masker: Callable[[str], str]) -> Iterator[tuple[str, str, str, str, str]]:
    found = read_places(finding.rule, finding.evidence)
    for one in found.places:
        message = "" if one.message is None else str(one.message)
        yield finding.rule, masker(one.head), masker(one.line), masker(one.source_line), message
    if found.more:
        yield finding.rule, f"and {found.more} more", "", "", ""


def _rules(
    ledger: RulesLedger, compaction: int, masker: Callable[[str], str]
) -> Iterator[tuple[str, str, str, str, str]]:
    for rule in ledger[:MAX_FACTS]:
        sight = find_sight(rule, compaction)
        if sight is not None:
            text = shorten_line(masker(rule.text), _MAX_LINE)
            yield text, str(rule.speaker), str(rule.message), SIGHT_WORDS[sight], state_words(rule)


def _claim(claim: Claim, handoffs: Collection[int], masker: Callable[[str], str]) -> ReportClaim:
    sources = "; ".join(_source(one, one.message in handoffs) for one in claim.sources)
    return ReportClaim(masker(claim.section), masker(claim.text), sources or "no likely source")


def _source(one: ClaimSource, is_handoff: bool) -> str:
    name = "the handoff before, message" if is_handoff else "message"
    return f"{name} {one.message} ({_shared(one)}{one.overlap:.0%} of the words)"


def _shared(source: ClaimSource) -> str:
    count = len(source.facts)
    return "" if not count else f"{count} {'fact' if count == 1 else 'facts'}, "


def _messages(
    rows: Sequence[AuditMessage], measured: MeasuredCompaction, masker: Callable[[str], str]
) -> Iterator[ReportMessage]:
    fates: Mapping[int, str] = {one.message: one.fate for one in measured.fates.messages}
    replaced = measured.replaced_handoffs
    for row in rows:
        calls = " ".join(f"[{call.name} {call.arguments}]" for call in row.calls)
        text = row.text if not row.handoff else f"(older handoff) {row.text or row.handoff}"
        # Masked before it is cut: a piece of a secret is not recognised any more.
        shown = shorten_line(masker(f"{text} {calls}"), _MAX_LINE)
        told = "handoff before" if row.id in replaced else _fate(fates[row.id], measured)
        yield ReportMessage(row.id, row.role, told, shown)


def _fate(fate: str, measured: MeasuredCompaction) -> str:
    return "left out" if fate == Fate.SUMMARISED and measured.case.has_no_summary else fate


def _omitted(lost: int, before: int) -> str:
    told = []
    if lost > MAX_FACTS:
        told.append(f"{lost - MAX_FACTS} more lost facts")
    if before > MAX_MESSAGES:
        told.append(f"{before - MAX_MESSAGES} more messages")
    return f"Left out here: {' and '.join(told)}." if told else ""


def _count(messages: int) -> str:
    return f"{messages:,} message{'' if messages == 1 else 's'}"


def _list(messages: Sequence[int]) -> str:
    more = ", ..." if len(messages) > 8 else ""
    return ", ".join(str(one) for one in messages[:8]) + more
