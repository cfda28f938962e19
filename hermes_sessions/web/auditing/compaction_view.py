"""One compaction's audit to what its page shows: columns, claims, findings, numbers. Pure."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby

from hermes_sessions.audit.claims import Claim, ClaimSource, claims_by_message
from hermes_sessions.audit.fates import Fate
from hermes_sessions.audit.ledger.values import SIGHT_WORDS, RulesLedger, find_sight, state_words
from hermes_sessions.audit.measure import MeasuredSpan
from hermes_sessions.audit.needed_later import NeededLater
from hermes_sessions.audit.rules import RULES
from hermes_sessions.audit.values import AuditMessage, CompactionCase, FindingValue
from hermes_sessions.audit.verdict.differences import other_evidence, read_places
from hermes_sessions.handoff import as_shown
from hermes_sessions.handoff.grammars.registry import grammar_named
from hermes_sessions.messages import MessageKind, Role
from hermes_sessions.store.queries.transcript_rows import voice_of
from hermes_sessions.web.auditing.audit_values import (
    ClaimLine,
    ClaimSection,
    Column,
    FindingView,
    Line,
    RuleLine,
    SourceLink,
)
from hermes_sessions.web.auditing.audit_words import FATES, evidence_words
from hermes_sessions.web.conversation.items import SPEAKERS
from hermes_sessions.web.text.filters import gist, number, one_line, plural, share_words, short_number
from hermes_sessions.web.text.tools import subject_of

MAX_LINES = 240
"""A longer column shows its first and last lines, half each."""

MAX_FOLLOWING = 12
MAX_CLAIMS = 300
MAX_EVIDENCE = 12
MAX_CHARS = 260
MAX_RULES = 200
HANDOFF = "Context handoff"
REPLACED = ("handoff", "the handoff before")
"""The mark of a handoff that another one replaced: it is no message of the span."""


def before_column(measured: MeasuredSpan, claims: Sequence[Claim], after: Column, asked_by: str) -> Column:
    """Return what stood before, each message with its fate and the claims it may be behind.

    Args:
        after: the column that kept messages lead to.
        asked_by: who wrote what has the role of the user; see `who_asks`.
    """
    fates = {one.message: one for one in measured.fates.messages}
    told = claims_by_message(claims[:MAX_CLAIMS])
    reachable = frozenset(shown_ids(after))
    replaced = measured.replaced_handoffs

    def lines(row: AuditMessage) -> Iterator[Line]:
        if row.kind == MessageKind.MERGED:
            yield _handoff_line(row, "earlier handoff", side="b")
        yield _line(
            row,
            asked_by,
            mark=REPLACED if row.id in replaced else _mark(fates[row.id].fate, measured),
            now=now if (now := fates[row.id].now) in reachable else None,
            claims=tuple(place + 1 for place in told.get(row.id, ())),
        )

    return _column(measured.case.before, lines)


def _mark(fate: Fate, measured: MeasuredSpan) -> tuple[str, str]:
    """Return the class of a row's mark and its words."""
    if fate is Fate.SUMMARISED and measured.case.has_no_summary:
        return fate.value, "left out, no summary"
    return fate.value, FATES[fate]


def rule_lines(ledger: RulesLedger, compaction: int, asked_by: str) -> tuple[RuleLine, ...]:
    """Return the rules that were set before a compaction."""
    found = ((rule, find_sight(rule, compaction)) for rule in ledger)
    return tuple(
        RuleLine(
            text=rule.text,
            speaker=_name(rule.speaker, asked_by),
            message=rule.message,
            sight=sight.value,
            words=SIGHT_WORDS[sight],
            state=state_words(rule),
        )
        for rule, sight in list(found)[:MAX_RULES]
        if sight is not None
    )


def after_column(case: CompactionCase, asked_by: str) -> Column:
    """Return the new transcript: head, handoff, tail. A row that holds both has a line for each."""
    head, carried = ({row.id for row in rows} for rows in (case.head, case.carried))

    def lines(row: AuditMessage) -> Iterator[Line]:
        own = row.id == case.facts.handoff
        if own or row.kind == MessageKind.MERGED:
            yield _handoff_line(row, "handoff" if own else "earlier handoff", side="a")
        if not own or row.kind == MessageKind.MERGED:
            yield _line(row, asked_by, mark=_place(row.id in carried, row.id in head), side="a")

    return _column(case.after, lines)


def following_column(case: CompactionCase, asked_by: str) -> Column:
    """Return the first messages that were added afterwards."""
    rows = case.following[:MAX_FOLLOWING]
    lines = tuple(_line(row, asked_by, mark=("new", "said next"), side="f") for row in rows)
    left_out = len(case.following) - len(rows)
    return Column(lines=lines, total=len(case.following), left_out=left_out, first=len(rows))


def claim_sections(
    claims: Sequence[Claim], case: CompactionCase, shown: Iterable[int], asked_by: str
) -> tuple[ClaimSection, ...]:
    """Return the handoff's claims by section, each with its likeliest sources."""
    rows, anchors = {row.id: row for row in case.before}, set(shown)
    numbered = list(enumerate(claims[:MAX_CLAIMS], 1))
    return tuple(
        ClaimSection(
            title=title,
            claims=tuple(
                ClaimLine(
                    number=place,
                    text=claim.text[:2_000],
                    sources=tuple(
                        _source(one, rows[one.message], anchors, asked_by) for one in claim.sources
                    ),
                    unsourced=bool(rows) and not claim.sources and not claim.is_heading,
                )
                for place, claim in group
            ),
        )
        for title, group in groupby(numbered, key=lambda one: one[1].section)
    )


def finding_views(findings: Iterable[FindingValue]) -> tuple[FindingView, ...]:
    """Return findings in words."""
    return tuple(
        FindingView(
            rule=one.rule,
            severity=one.severity.value,
            about=RULES[one.rule].about if one.rule in RULES else "A rule of an earlier release.",
            advice=RULES[one.rule].advice if one.rule in RULES else "",
            evidence=evidence_words(other_evidence(one.evidence)),
            places=read_places(one.rule, one.evidence),
            messages=one.messages[:MAX_EVIDENCE],
            more=max(0, len(one.messages) - MAX_EVIDENCE),
        )
        for one in findings
    )


def numbers(measured: MeasuredSpan, *, contradicted: int, invented: int) -> tuple[tuple[str, str, str], ...]:
    """Return the measurements as (name, value, remark)."""
    case, sizes, matter = measured.case, measured.sizes, measured.retention.matter
    facts = case.facts
    without_facts = "none is missed" if case.is_stale else "the span held none"
    found = [
        ("Messages before", number(len(case.before)), _taken(measured)),
        (
            "Messages after",
            number(len(case.after)),
            f"{number(len(case.carried))} kept from before",
        ),
        ("Context", f"{short_number(sizes.before)} → {short_number(sizes.after)}", "tokens, estimated"),
        ("Summary", short_number(sizes.summary), f"tokens for {short_number(sizes.span)}, estimated"),
        ("Facts that matter", share_words(matter.kept), matter.in_words or without_facts),
        ("Contradicted", number(contradicted), "said otherwise than before"),
        ("Invented", number(invented), "quotations and work"),
    ]
    needed = measured.needed
    if needed.calls:
        used = f"{number(needed.used)} of {number(needed.results)}"
        noun = "lost tool result" if needed.results == 1 else "lost tool results"
        found.append(("Needed later", used, f"{noun}; {_needed_remark(needed)}"))
    if facts.tokens_before is not None and facts.tokens_after is not None:
        told = f"{short_number(facts.tokens_before)} → {short_number(facts.tokens_after)}"
        found.insert(3, ("The agent’s own count", told, "tokens, as it recorded them"))
    return tuple(found)


def _taken(measured: MeasuredSpan) -> str:
    """Return how many messages left, and that older handoffs are among those that stood there."""
    done = "left out without a summary" if measured.case.has_no_summary else "summarised away"
    replaced = len(measured.replaced_handoffs)
    told = f", {plural(replaced, 'handoff')} before" if replaced else ""
    return f"{number(len(measured.case.span))} {done}{told}"


def _needed_remark(needed: NeededLater) -> str:
    again = f"{number(needed.read_again)} read again, {number(needed.asked_again)} asked again"
    return f"{again}, {short_number(needed.tokens)} tokens in the next {plural(needed.calls, 'call')}"


# -- inside ----------------------------------------------------------------------------------------


def _column(rows: Sequence[AuditMessage], lines: Callable[[AuditMessage], Iterable[Line]]) -> Column:
    shown, first, left_out = _ends(rows)
    made = tuple(tuple(lines(row)) for row in shown)
    gap = sum(map(len, made[:first]))
    return Column(lines=tuple(chain.from_iterable(made)), total=len(rows), left_out=left_out, first=gap)


def _ends(rows: Sequence[AuditMessage]) -> tuple[Sequence[AuditMessage], int, int]:
    """Return the rows to show, how many of them stand before the gap, and how many are left out."""
    if len(rows) <= MAX_LINES:
        return rows, len(rows), 0
    half = MAX_LINES // 2
    return (*rows[:half], *rows[-half:]), half, len(rows) - 2 * half


def _line(
    row: AuditMessage,
    asked_by: str,
    *,
    mark: tuple[str, str],
    side: str = "b",
    now: int | None = None,
    claims: tuple[int, ...] = (),
) -> Line:
    return Line(
        id=row.id,
        speaker=_speaker(row, asked_by),
        text=_gist(row),
        fate=mark[0],
        label=mark[1],
        anchor=f"{side}-{row.id}",
        at=row.created_at,
        now=now,
        claims=claims[:20],
    )


def _handoff_line(row: AuditMessage, label: str, *, side: str) -> Line:
    """Return the line of the handoff in a row; where a message shares the row, the anchor is not its own."""
    alone = row.kind != MessageKind.MERGED
    parts = (part.text for part in grammar_named(row.grammar).split(row.handoff) if part.kind == "handoff")
    return Line(
        id=row.id,
        speaker=HANDOFF,
        text=gist("\n".join(parts) or row.handoff, MAX_CHARS) or "empty",
        fate="handoff",
        label=label,
        anchor=f"{side}-{row.id}" if alone else f"{side}-{row.id}-handoff",
        at=row.created_at,
    )


def _speaker(row: AuditMessage, asked_by: str) -> str:
    if row.kind == MessageKind.HANDOFF:
        return HANDOFF
    return _name(voice_of(row.role, row.text), asked_by)


def _name(voice: str, asked_by: str) -> str:
    return asked_by if voice == Role.USER else SPEAKERS.get(voice, voice) or "unknown"


def _gist(row: AuditMessage) -> str:
    """Return the beginning of what a row says, or the calls it makes."""
    said = gist(as_shown(row.text) if row.role == Role.USER else row.text, MAX_CHARS)
    if row.kind == MessageKind.HANDOFF:
        said = _handoff_line(row, "", side="").text
    calls = ", ".join(one_line(f"{call.name} {subject_of(call.arguments)}", 90) for call in row.calls[:3])
    more = f" and {plural(len(row.calls) - 3, 'other call')}" if len(row.calls) > 3 else ""
    return " · ".join(piece for piece in (said, f"{calls}{more}") if piece) or "empty"


def _place(is_carried: bool, is_head: bool) -> tuple[str, str]:
    """Return where a row of the new transcript stands, as class and words."""
    where = "head" if is_head else "tail"
    return ("kept", f"kept, {where}") if is_carried else ("new", f"new, {where}")


def _source(source: ClaimSource, row: AuditMessage, anchors: set[int], asked_by: str) -> SourceLink:
    facts = f"{plural(len(source.facts), 'exact fact')}, " if source.facts else ""
    return SourceLink(
        id=row.id,
        speaker=_speaker(row, asked_by),
        words=f"{facts}{share_words(source.overlap)} of its words",
        anchor=f"b-{row.id}" if row.id in anchors else None,
    )


def shown_ids(column: Column) -> Iterator[int]:
    """Yield the keys of the messages that have a line on the page."""
    yield from (line.id for line in column.lines)
