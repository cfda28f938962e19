"""Audit conversations and keep the results: only what changed since, or what newer rules must see again."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.audit.fates import Fate
from hermes_sessions.audit.measure import MeasuredCompaction, Reader, measure_compaction
from hermes_sessions.audit.retention import Share, measure_survival
from hermes_sessions.audit.rules import RULES_VERSION, check_compaction, check_conversation, get_rule
from hermes_sessions.audit.values import CompactionCase, ConversationCase, FindingValue, Severity
from hermes_sessions.errors import NotFoundError
from hermes_sessions.operations.audit_case import load_case
from hermes_sessions.operations.origins import get_origin
from hermes_sessions.redact import redact
from hermes_sessions.store.db import Database
from hermes_sessions.store.models import Compaction, Conversation, Finding
from hermes_sessions.store.progress import Progress, silent
from hermes_sessions.store.queries.audits import (
    FindingListing,
    digest_conversations,
    iter_conversations,
    list_audits,
    list_findings,
)
from hermes_sessions.store.queries.finding import find_session
from hermes_sessions.store.statements import update_rows

Document = dict[str, Any]

_BATCH: Final = 32
"""Conversations whose results are written in one transaction."""


@dataclass(frozen=True, slots=True)
class AuditRun:
    """How many conversations were looked at, and how many of them had to be audited."""

    conversations: int
    audited: int


@dataclass(frozen=True, slots=True)
class ConversationAudit:
    """The results for one conversation.

    Attributes:
        findings: in the order of the rules, compaction by compaction.
        compactions: measured, in their order; those that were not committed are left out.
        survival: compaction key -> shares of its facts in sight after it and later ones of the chain.
        unmeasured: keys of compactions that were not committed, or are not any more.
    """

    findings: tuple[FindingValue, ...]
    compactions: tuple[MeasuredCompaction, ...]
    survival: Mapping[int, tuple[float, ...]]
    unmeasured: tuple[int, ...]

    @property
    def worst(self) -> Severity | None:
        """The worst severity among the findings."""
        return max((one.severity for one in self.findings), key=lambda one: one.rank, default=None)

    def worst_rank(self, compaction: int) -> int | None:
        """Return the rank of the worst finding about one compaction, None where there is none."""
        own = (one.severity.rank for one in self.findings if one.compaction == compaction)
        return max(own, default=None)


@dataclass(slots=True)
class _Results:
    """What is still to be written: conversation key -> the digest it was read at, and the results."""

    digests: dict[int, str] = field(default_factory=dict)
    audits: dict[int, ConversationAudit] = field(default_factory=dict)


def audit_case(case: ConversationCase) -> ConversationAudit:
    """Audit one conversation; nothing is read or written."""
    reader = Reader()
    measured = [measure_compaction(one, reader) for one in case.compactions if one.facts.is_committed]
    findings = [finding for one in measured for finding in check_compaction(one)]
    findings += check_conversation(case)
    return ConversationAudit(
        findings=tuple(findings),
        compactions=tuple(measured),
        survival=_survival([one.case for one in measured], reader),
        unmeasured=tuple(one.facts.id for one in case.compactions if not one.facts.is_committed),
    )


def _survival(cases: Sequence[CompactionCase], reader: Reader) -> dict[int, tuple[float, ...]]:
    """Return a curve for each compaction of the chain; a fork has nothing after it."""
    curves: dict[int, tuple[float, ...]] = {}
    chain = [case for case in cases if not case.facts.fork]
    for run in (chain, *([case] for case in cases if case.facts.fork)):
        found = measure_survival(run, reader.facts)
        curves.update((case.facts.id, curve) for case, curve in zip(run, found, strict=True))
    return curves


def run_audit(
    database: Database,
    listing: FindingListing,
    *,
    clock: Callable[[], float],
    progress: Progress = silent,
) -> AuditRun:
    """Bring the stored results of a listing's conversations up to date.

    A conversation that changes while it is audited is left for the next run; writers
    wait only while results are written.
    """
    with database.read() as db:
        known = list(iter_conversations(db, listing))
    audited = 0
    for start in range(0, len(known), _BATCH):
        progress("audit", start, len(known))
        batch = dict(known[start : start + _BATCH])
        with database.read() as db:
            results = _audit_outdated(db, batch)
        if results.audits:
            with database.write() as db:
                audited += _store(db, results, clock())
    progress("audit", len(known), len(known))
    return AuditRun(len(known), audited)


def find_listing(
    db: DbSession,
    public_id: str | None = None,
    *,
    origin: str | None = None,
    since: float | None = None,
    rule: str | None = None,
) -> FindingListing:
    """Return the listing that a user's words ask for.

    Args:
        public_id: of a conversation, of any of its sessions, or the number of a compaction.

    Raises:
        NotFoundError: nothing has this id, or no origin this label.
        InvalidQueryError: there is no such rule.
    """
    if rule is not None:
        get_rule(rule)
    if origin is not None:
        get_origin(db, origin)
    conversation, compaction = None, None
    if public_id is not None:
        conversation, compaction = _find_subject(db, public_id)
    return FindingListing(
        conversation_id=conversation, compaction_id=compaction, origin=origin, since=since, rule=rule
    )


def audit_document(db: DbSession, listing: FindingListing) -> Document:
    """Return `{findings, compactions}` of what is stored for a listing."""
    return {
        "findings": [_finding_document(row) for row in list_findings(db, listing)],
        "compactions": [
            {"id": row.id, "conversation": row.conversation, "ordinal": row.ordinal, **row.audit}
            for row in list_audits(db, listing)
        ],
    }


def _find_subject(db: DbSession, public_id: str) -> tuple[int | None, int | None]:
    """Return the key of a conversation, or of a compaction.

    A whole id of a session comes first, a compaction's number before the beginning of an id.
    """
    exact = find_session(db, public_id, whole=True)
    if exact is not None:
        return exact[1], None
    number = public_id.removeprefix("compaction:")
    if number.isascii() and number.isdigit() and len(number) < 19:
        compaction = db.scalar(select(Compaction.id).where(Compaction.id == int(number)))
        if compaction is not None:
            return None, compaction
    found = find_session(db, public_id)
    if found is None:
        raise NotFoundError(f"no conversation, session or compaction has the id {public_id!r}")
    return found[1], None


# -- inside ----------------------------------------------------------------------------------------


def _audit_outdated(db: DbSession, batch: Mapping[int, str | None]) -> _Results:
    results = _Results()
    for key, digest in digest_conversations(db, list(batch)).items():
        if batch[key] != _mark(digest):
            results.digests[key] = digest
            results.audits[key] = audit_case(load_case(db, key))
    return results


def _mark(digest: str) -> str:
    return f"{RULES_VERSION}:{digest}"


def _store(db: DbSession, results: _Results, now: float) -> int:
    """Replace the stored results of conversations that are still what they were when read."""
    current = digest_conversations(db, list(results.digests))
    keys = [key for key, digest in results.digests.items() if current[key] == digest]
    db.execute(delete(Finding).where(Finding.conversation_id.in_(keys)))
    rows = [_finding_row(key, finding, now) for key in keys for finding in results.audits[key].findings]
    if rows:
        db.execute(insert(Finding), rows)
    update_rows(
        db,
        Conversation,
        [
            {
                "key": key,
                "worst_finding": results.audits[key].worst,
                "audit_mark": _mark(results.digests[key]),
            }
            for key in keys
        ],
    )
    update_rows(db, Compaction, [row for key in keys for row in _measured_rows(results.audits[key])])
    return len(keys)


def _finding_row(conversation: int, finding: FindingValue, now: float) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "rules_version": RULES_VERSION,
        "conversation_id": conversation,
        "session_id": finding.session,
        "compaction_id": finding.compaction,
        "messages": list(finding.messages),
        "evidence": dict(finding.evidence),
        "created_at": now,
    }


def _measured_rows(audit: ConversationAudit) -> Iterator[dict[str, Any]]:
    for measured in audit.compactions:
        key = measured.case.facts.id
        yield {
            "key": key,
            "retained": measured.retention.total.kept,
            "saved_tokens": measured.change.saved if measured.change else None,
            "worst_rank": audit.worst_rank(key),
            "audit": measured_document(measured, audit.survival[key]),
        }
    for key in audit.unmeasured:
        yield {
            "key": key,
            "retained": None,
            "saved_tokens": None,
            "worst_rank": audit.worst_rank(key),
            "audit": None,
        }


def measured_document(measured: MeasuredCompaction, survival: Sequence[float] = ()) -> Document:
    """Return the measurements of a compaction as plain values; secrets are masked."""
    return {
        "retention": {kind: _share(share) for kind, share in measured.retention.shares.items()},
        "total": _share(measured.retention.total),
        "invented": [{"kind": one.kind, "value": redact(one.value).text} for one in measured.inventions],
        "fates": {fate.value: measured.fates.count(fate) for fate in Fate},
        "sizes": asdict(measured.sizes),
        "survival": [round(share, 4) for share in survival],
    }


def _share(share: Share) -> dict[str, int]:
    return asdict(share)


def _finding_document(row: Any) -> Document:
    return {
        "rule": row.rule,
        "severity": row.severity,
        "conversation": row.conversation,
        "session": row.session,
        "compaction": row.compaction,
        "messages": row.messages or [],
        "evidence": row.evidence or {},
    }
