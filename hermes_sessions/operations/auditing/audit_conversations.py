"""Audit conversations and keep the results: only what changed since, or what newer rules must see again."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from msgspec import structs
from sqlalchemy import delete, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.audit.fact_notes import FactNotes
from hermes_sessions.audit.ledger.ledger import build_ledger
from hermes_sessions.audit.ledger.values import RulesLedger
from hermes_sessions.audit.measure import MeasuredCompaction, Reader, measure_compaction
from hermes_sessions.audit.retention import measure_survival
from hermes_sessions.audit.rules import RULES_VERSION, check_compaction, check_conversation, get_rule
from hermes_sessions.audit.values import CompactionCase, ConversationCase, FindingValue
from hermes_sessions.audit.verdict.build import judge_compaction
from hermes_sessions.audit.verdict.values import CompactionVerdict
from hermes_sessions.errors import NotFoundError
from hermes_sessions.facts.collector import without_collector
from hermes_sessions.messages import Severity
from hermes_sessions.operations.auditing.conversation_case import load_case, load_fact_notes
from hermes_sessions.operations.documents.audit import (
    MeasuredJson,
    count_sights,
    ledger_value,
    measured_value,
)
from hermes_sessions.operations.documents.encoding import plain
from hermes_sessions.operations.writing.origins import get_origin
from hermes_sessions.store.engines.statements import update_rows
from hermes_sessions.store.keeping.fact_notes import keep_notes
from hermes_sessions.store.keeping.row_locks import lock_conversations
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.progress import Progress, silent
from hermes_sessions.store.queries.find_session import find_session
from hermes_sessions.store.queries.stored_audits import (
    FindingListing,
    digest_conversations,
    iter_conversations,
)
from hermes_sessions.store.schema.models import Compaction, Conversation, Finding
from hermes_sessions.store.writes import add_rows

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
        unfinished: compactions that were not committed, or are not any more: of these there is a verdict and
            no figure.
        ledger: the rules of the conversation; none where nothing was compacted.
    """

    findings: tuple[FindingValue, ...]
    compactions: tuple[MeasuredCompaction, ...]
    survival: Mapping[int, tuple[float, ...]]
    unfinished: tuple[MeasuredCompaction, ...]
    verdicts: Mapping[int, CompactionVerdict]
    ledger: RulesLedger = ()

    @property
    def worst(self) -> Severity | None:
        """The worst severity among the findings."""
        return max((one.severity for one in self.findings), key=lambda one: one.rank, default=None)

    @property
    def worst_ranks(self) -> dict[int, int]:
        """The rank of the worst finding about each compaction that there is one about."""
        worst: dict[int, int] = {}
        for one in self.findings:
            if one.compaction is not None:
                worst[one.compaction] = max(one.severity.rank, worst.get(one.compaction, one.severity.rank))
        return worst


@dataclass(frozen=True, slots=True)
class _Result:
    """What is still to be written of one conversation: rows, and not the messages that they are about.

    Attributes:
        digest: what the conversation was when it was read.
        changed: the number of its last change by then; rewritten words move this alone.
        notes: of messages whose facts had to be found.
    """

    digest: str
    changed: int
    worst: Severity | None
    findings: Sequence[FindingValue]
    measured: Sequence[Mapping[str, Any]]
    notes: Mapping[int, tuple[int, str]]


_Results = dict[int, _Result]


@without_collector
def audit_case(case: ConversationCase, notes: FactNotes | None = None) -> ConversationAudit:
    """Audit one conversation; nothing is read or written. *notes* spare to look for facts again."""
    reader = Reader(notes)
    measured = [measure_compaction(one, reader) for one in case.compactions if one.facts.is_committed]
    unfinished = [measure_compaction(one, reader) for one in case.compactions if not one.facts.is_committed]
    findings = [finding for one in measured for finding in check_compaction(one)]
    deviations = {one.case.facts.id: one.deviations for one in measured}
    ledger = build_ledger(case, reader.rules, deviations) if measured else ()
    findings += check_conversation(replace(case, ledger=ledger))
    return ConversationAudit(
        findings=tuple(findings),
        compactions=tuple(measured),
        survival=_survival([one.case for one in measured], reader),
        unfinished=tuple(unfinished),
        ledger=ledger,
        verdicts={
            one.case.facts.id: judge_compaction(one, _about(findings, one))
            for one in (*measured, *unfinished)
        },
    )


def _about(findings: Sequence[FindingValue], measured: MeasuredCompaction) -> list[FindingValue]:
    return [one for one in findings if one.compaction == measured.case.facts.id]


def _survival(cases: Sequence[CompactionCase], reader: Reader) -> dict[int, tuple[float, ...]]:
    """Return a curve for each compaction of the chain; a fork has nothing after it, a stale one no curve."""
    curves: dict[int, tuple[float, ...]] = {case.facts.id: () for case in cases if case.is_stale}
    chain = [case for case in cases if not case.facts.fork]
    for run in (chain, *([case] for case in cases if case.facts.fork and not case.is_stale)):
        found = measure_survival(run, reader.facts, reader.handoff)
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
        if results:
            audited += database.run(partial(_store, results=results, now=clock()))
    progress("audit", len(known), len(known))
    return AuditRun(len(known), audited)


def is_audited(db: DbSession, conversation_id: int) -> bool:
    """Return whether the stored results of a conversation are of what it is now, by the rules of now."""
    mark = db.scalar(select(Conversation.audit_mark).where(Conversation.id == conversation_id))
    return mark is not None and mark == _mark(digest_conversations(db, [conversation_id])[conversation_id])


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
    results: _Results = {}
    changes = _last_changes(db, batch)
    for key, digest in digest_conversations(db, list(batch)).items():
        if batch[key] != _mark(digest) and key in changes:
            results[key] = _audit(db, key, digest, changes[key])
    return results


def _audit(db: DbSession, key: int, digest: str, changed: int) -> _Result:
    notes = load_fact_notes(db, key)
    audit = audit_case(load_case(db, key), notes)
    measured = tuple(_measured_rows(audit))
    return _Result(digest, changed, audit.worst, audit.findings, measured, notes.fresh)


def _last_changes(db: DbSession, keys: Iterable[int]) -> dict[int, int]:
    stmt = select(Conversation.id, Conversation.changed).where(Conversation.id.in_(list(keys)))
    return {row.id: row.changed for row in db.execute(stmt)}


def _mark(digest: str) -> str:
    return f"{RULES_VERSION}:{digest}"


def _store(db: DbSession, results: _Results, now: float) -> int:
    """Replace the stored results of conversations that are still what they were when read."""
    lock_conversations(db, results)
    current = digest_conversations(db, list(results))
    changes = _last_changes(db, results)
    keys = [
        key for key, one in results.items() if current[key] == one.digest and changes.get(key) == one.changed
    ]
    db.execute(delete(Finding).where(Finding.conversation_id.in_(keys)))
    rows = [_finding_row(key, finding, now) for key in keys for finding in results[key].findings]
    add_rows(db, Finding, rows)
    update_rows(
        db,
        Conversation,
        [
            {
                "key": key,
                "worst_finding": results[key].worst,
                "audit_mark": _mark(results[key].digest),
            }
            for key in keys
        ],
    )
    update_rows(db, Compaction, [row for key in keys for row in results[key].measured])
    for key in keys:
        keep_notes(db, results[key].notes)
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
    ranks = audit.worst_ranks
    documents = compaction_documents(audit)
    for measured in audit.compactions:
        key = measured.case.facts.id
        yield {
            "key": key,
            "retained": measured.retention.kept,
            "saved_tokens": measured.change.saved if measured.change else None,
            "worst_rank": ranks.get(key),
            "audit": plain(documents[key]),
        }
    for unfinished in audit.unfinished:
        key = unfinished.case.facts.id
        yield {
            "key": key,
            "retained": None,
            "saved_tokens": None,
            "worst_rank": ranks.get(key),
            "audit": plain(documents[key]),
        }


def compaction_documents(audit: ConversationAudit) -> dict[int, MeasuredJson]:
    """Return the measurements of each compaction, and the verdict on those that were not committed.

    The last of the chain holds the ledger.
    """
    found = {
        one.case.facts.id: structs.replace(
            measured_value(one, audit.verdicts[one.case.facts.id], audit.survival[one.case.facts.id]),
            rules=count_sights(audit.ledger, one.case.facts.id),
        )
        for one in audit.compactions
    }
    if found:
        last = next(reversed(found))
        found[last] = structs.replace(found[last], ledger=ledger_value(audit.ledger))
    for one in audit.unfinished:
        key = one.case.facts.id
        found[key] = structs.replace(measured_value(one, audit.verdicts[key]), rules=count_sights((), key))
    return found
