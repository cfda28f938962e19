"""Findings: what the audit found, as it is stored and listed."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import structs

from hermes_sessions.messages import Severity
from hermes_sessions.operations.documents.document import Document, says
from hermes_sessions.store.queries.findings import FindingLine, FindingPage
from hermes_sessions.store.queries.stored_audits import StoredFinding

Evidence = Annotated[dict[str, Any], says("What the rule saw; its keys are the rule's.")]
Messages = Annotated[list[int], says("Ids of the messages that it is about.")]
Rule = Annotated[str, says("Its code.")]
Level = Annotated[str, says("How bad it is.", one_of=Severity)]


class FindingJson(Document, frozen=True, kw_only=True):
    """An audit result."""

    rule: Rule
    severity: Level
    conversation: str
    session: str | None
    compaction: int | None
    messages: Messages
    evidence: Evidence


class StoredFindingJson(Document, frozen=True, kw_only=True):
    """An audit result as it is stored."""

    id: int
    rule: Rule
    severity: Level
    conversation: str
    session: str | None
    compaction: int | None
    messages: Messages
    evidence: Evidence


class FindingCountJson(Document, frozen=True, kw_only=True):
    """How many findings a rule has."""

    rule: Rule
    severity: Level
    count: int


class FindingPageJson(Document, frozen=True, kw_only=True):
    """A page of the stored findings, newest first, 100 at a time."""

    counts: Annotated[list[FindingCountJson], says("Of all stored findings, by rule.")]
    findings: list[StoredFindingJson]
    next: Annotated[int | None, says("`before` of the following page.")]


def finding_page_document(found: FindingPage, counts: Mapping[tuple[str, str], int]) -> FindingPageJson:
    """Return a page of stored findings; *counts* by rule and severity."""
    return FindingPageJson(
        counts=[
            FindingCountJson(rule=rule, severity=severity, count=count)
            for (rule, severity), count in sorted(counts.items())
        ],
        findings=[
            StoredFindingJson(id=line.id, **structs.asdict(finding_value(line))) for line in found.items
        ],
        next=found.next,
    )


def finding_value(row: StoredFinding | FindingLine) -> FindingJson:
    """Return a stored audit result as documents show it."""
    return FindingJson(
        rule=row.rule,
        severity=row.severity,
        conversation=row.conversation,
        session=row.session,
        compaction=row.compaction,
        messages=row.messages or [],
        evidence=row.evidence or {},
    )
