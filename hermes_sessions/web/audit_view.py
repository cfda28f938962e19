"""One compaction's audit to what its page shows: columns, claims, findings, numbers. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from hermes_sessions.audit.claims import Claim, Source, claims_by_message
from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.retention import Share
from hermes_sessions.audit.rules import RULES
from hermes_sessions.audit.values import AuditMessage, CompactionCase, FindingValue
from hermes_sessions.handoff import split_handoff
from hermes_sessions.messages import CompactionStatus, MessageKind
from hermes_sessions.web.audit_pages import (
    ClaimLine,
    ClaimSection,
    Column,
    FindingView,
    Line,
    SourceLink,
)
from hermes_sessions.web.audit_words import FATES, evidence_words
from hermes_sessions.web.filters import gist, number, one_line, plural, share_words, short_number
from hermes_sessions.web.items import SPEAKERS

MAX_LINES = 240
"""A longer column shows its first and last lines, half each."""

MAX_FOLLOWING = 12
MAX_CLAIMS = 300
MAX_EVIDENCE = 12
MAX_CHARS = 260


def before_column(measured: MeasuredCompaction, claims: Sequence[Claim], after: Column) -> Column:
    """Return what stood before, each message with its fate and the claims it may be behind.

    Args:
        after: the column that kept messages lead to.
    """
    fates = {one.message: one for one in measured.fates.messages}
    told = claims_by_message(claims[:MAX_CLAIMS])
    reachable = frozenset(shown_ids(after))
    rows, first, left_out = _ends(measured.case.before)
    lines = tuple(
        _line(
            row,
            mark=(fates[row.id].fate.value, FATES[fates[row.id].fate]),
            now=now if (now := fates[row.id].now) in reachable else None,
            claims=tuple(place + 1 for place in told.get(row.id, ())),
        )
        for row in rows
    )
    return Column(lines=lines, total=len(measured.case.before), left_out=left_out, first=first)


def after_column(case: CompactionCase) -> Column:
    """Return the new transcript: head, handoff, tail."""
    head = {row.id for row in case.head}
    rows, first, left_out = _ends(case.after)
    lines = tuple(_line(row, mark=_place(row, case, head), side="a") for row in rows)
    return Column(lines=lines, total=len(case.after), left_out=left_out, first=first)


def following_column(case: CompactionCase) -> Column:
    """Return the first messages that were added afterwards."""
    rows = case.following[:MAX_FOLLOWING]
    lines = tuple(_line(row, mark=("new", "said next"), side="f") for row in rows)
    left_out = len(case.following) - len(rows)
    return Column(lines=lines, total=len(case.following), left_out=left_out, first=len(rows))


def claim_sections(
    claims: Sequence[Claim], case: CompactionCase, shown: Iterable[int]
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
                    sources=tuple(_source(one, rows[one.message], anchors) for one in claim.sources),
                    unsourced=bool(rows) and not claim.sources,
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
            evidence=evidence_words(one.evidence),
            messages=one.messages[:MAX_EVIDENCE],
            more=max(0, len(one.messages) - MAX_EVIDENCE),
        )
        for one in findings
    )


def numbers(measured: MeasuredCompaction) -> tuple[tuple[str, str, str], ...]:
    """Return the measurements as (name, value, remark)."""
    case, sizes, total = measured.case, measured.sizes, measured.retention.total
    facts = case.facts
    found = [
        ("Messages before", number(len(case.before)), f"{number(len(case.span))} summarised away"),
        (
            "Messages after",
            number(len(case.after)),
            f"{number(sum(row.is_copy for row in case.after))} kept from before",
        ),
        ("Context", f"{short_number(sizes.before)} → {short_number(sizes.after)}", "tokens, estimated"),
        ("Summary", short_number(sizes.summary), f"tokens for {short_number(sizes.span)}, estimated"),
        ("Exact facts in sight", share_words(total.kept), _facts_remark(total)),
        ("Invented", number(len(measured.inventions)), "exact facts or quotations"),
    ]
    if facts.tokens_before is not None or facts.tokens_after is not None:
        told = f"{short_number(facts.tokens_before)} → {short_number(facts.tokens_after)}"
        found.insert(3, ("The agent’s own count", told, "tokens, as it recorded them"))
    return tuple(found)


def why_empty(case: CompactionCase) -> str | None:
    """Return why nothing can be compared, None where it can."""
    if case.before:
        return None
    if case.facts.status != CompactionStatus.COMMITTED:
        return f"This compaction is {case.facts.status}: no new transcript came of it."
    if not case.facts.span_stored:
        return "The agent deleted what it summarised, so there is nothing here to compare the handoff with."
    return "What stood before this compaction is not stored here."


# -- inside ----------------------------------------------------------------------------------------


def _ends(rows: Sequence[AuditMessage]) -> tuple[Sequence[AuditMessage], int, int]:
    """Return the rows to show, how many of them stand before the gap, and how many are left out."""
    if len(rows) <= MAX_LINES:
        return rows, len(rows), 0
    half = MAX_LINES // 2
    return (*rows[:half], *rows[-half:]), half, len(rows) - 2 * half


def _line(
    row: AuditMessage,
    *,
    mark: tuple[str, str],
    side: str = "b",
    now: int | None = None,
    claims: tuple[int, ...] = (),
) -> Line:
    return Line(
        id=row.id,
        speaker=_speaker(row),
        text=_gist(row),
        fate=mark[0],
        label=mark[1],
        anchor=f"{side}-{row.id}",
        at=row.created_at,
        now=now,
        claims=claims[:20],
    )


def _speaker(row: AuditMessage) -> str:
    if row.kind == MessageKind.HANDOFF:
        return "Context handoff"
    return SPEAKERS.get(row.role, row.role) or "unknown"


def _gist(row: AuditMessage) -> str:
    """Return the beginning of what a row says, or the calls it makes."""
    said = one_line(row.text, MAX_CHARS)
    if row.kind == MessageKind.HANDOFF:
        parts = (part.text for part in split_handoff(row.handoff) if part.kind == "handoff")
        said = gist("\n".join(parts) or row.handoff, MAX_CHARS)
    calls = ", ".join(one_line(f"{call.name} {call.arguments[:80]}", 90) for call in row.calls[:3])
    more = f" and {plural(len(row.calls) - 3, 'other call')}" if len(row.calls) > 3 else ""
    return " · ".join(piece for piece in (said, f"{calls}{more}") if piece) or "empty"


def _place(row: AuditMessage, case: CompactionCase, head: set[int]) -> tuple[str, str]:
    """Return where a row of the new transcript stands, as class and words."""
    if row.id == case.facts.handoff:
        merged = row.kind == MessageKind.MERGED
        return "handoff", "handoff, merged with a message" if merged else "handoff"
    where = "head" if row.id in head else "tail"
    return ("kept", f"kept, {where}") if row.is_copy else ("new", f"new, {where}")


def _source(source: Source, row: AuditMessage, anchors: set[int]) -> SourceLink:
    facts = f"{plural(len(source.facts), 'exact fact')}, " if source.facts else ""
    return SourceLink(
        id=row.id,
        speaker=_speaker(row),
        words=f"{facts}{share_words(source.overlap)} of its words",
        anchor=f"b-{row.id}" if row.id in anchors else None,
    )


def _facts_remark(total: Share) -> str:
    if not total.total:
        return "the span held none"
    return f"{number(total.lost)} of {number(total.total)} lost"


def shown_ids(column: Column) -> Iterator[int]:
    """Yield the keys of the messages that have a line on the page."""
    yield from (line.id for line in column.lines)
