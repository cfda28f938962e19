"""What the audit measured: retention, claims, fates, sizes, the context that a model saw."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Final

from msgspec import UNSET, UnsetType, ValidationError, field, structs
from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.audit.checking.deviation import Grade
from hermes_sessions.audit.fates import Fate
from hermes_sessions.audit.ledger.values import LedgerRule, RuleSight, RulesLedger, Sight, find_sight
from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.rules.truth import masked
from hermes_sessions.audit.verdict.values import CompactionVerdict
from hermes_sessions.operations.documents.compactions import CompactionJson
from hermes_sessions.operations.documents.document import Document, Time, says, shaped
from hermes_sessions.operations.documents.findings import (
    Evidence,
    FindingJson,
    Level,
    Messages,
    Rule,
    finding_value,
)
from hermes_sessions.redact import redact
from hermes_sessions.store.queries.findings import ContextPoint
from hermes_sessions.store.queries.stored_audits import FindingListing, list_audits, list_findings
from hermes_sessions.store.schema.models import Compaction


class FreshFindingJson(Document, frozen=True, kw_only=True):
    """An audit result about the compaction that was asked for."""

    rule: Rule
    severity: Level
    messages: Messages
    evidence: Evidence


class ShareJson(Document, frozen=True, kw_only=True):
    """Where facts are after a compaction."""

    total: int
    tail: Annotated[int, says("In messages that were kept.")]
    handoff: Annotated[int, says("In the handoff.")]
    both: Annotated[int, says("In both; counted in `tail` and in `handoff` as well.")]
    lost: Annotated[int, says("In neither: out of the model's sight.")]
    maybe: Annotated[
        int, says("In neither so far as words can be compared; the handoff may say it in others.")
    ] = 0
    weight: Annotated[float, says("What all of them weigh: how much their loss would hurt.")] = 0.0


class InventionJson(Document, frozen=True, kw_only=True):
    """Something that the handoff says and nobody said or did before."""

    kind: str
    value: Annotated[str, says("Masked where it looks like a secret.")]


class ContradictionJson(Document, frozen=True, kw_only=True):
    """Something that the handoff says otherwise than its source."""

    kind: str
    value: Annotated[str, says("What the handoff says. Masked where it looks like a secret.")]
    source: Annotated[str, says("What its source says. Masked where it looks like a secret.")]
    message: Annotated[int | None, says("The message that says so.")]


class SizesJson(Document, frozen=True, kw_only=True):
    """Sizes around a compaction, in estimated tokens."""

    before: int
    span: Annotated[int, says("What was summarised.")]
    summary: int
    after: int
    end: Annotated[int, says("With all that was said up to the next compaction, or to now.")]
    method: Annotated[str, says("How they were counted.")]


class RuleSightJson(Document, frozen=True, kw_only=True):
    """Where a rule is after a compaction."""

    compaction: int
    ordinal: int
    sight: Annotated[str, says("", one_of=Sight)]


class LedgerRuleJson(Document, frozen=True, kw_only=True):
    """A rule of a conversation, and what became of it."""

    conversation: Annotated[str | UnsetType, says("In the answer of `audit` only.")] = UNSET
    rule: Annotated[str, says("As it was said first; masked where it looks like a secret.")]
    speaker: Annotated[str, says("Who set it; the highest of those who said it.")]
    message: Annotated[int, says("The row that said it first.")]
    said: Annotated[int, says("How often it was said.")]
    state: Annotated[str, says("As things are now.", one_of=("in sight", "lost", "lifted"))]
    lost_by: Annotated[int | None, says("The first compaction that lost it.")]
    lifted_by: Annotated[int | None, says("The row that took it back, or replaced it.")]
    replaced: Annotated[bool, says("Another rule replaced it.")]
    broken_by: Annotated[list[int], says("The rows that broke it while it was out of sight.")]
    sights: Annotated[list[RuleSightJson], says("One for each compaction after it was said.")]


class NeededLaterJson(Document, frozen=True, kw_only=True):
    """What was needed of what a compaction took, in the calls after it."""

    calls: Annotated[int, says("How many calls were looked at.")]
    results: Annotated[int, says("Tool results that were summarised away.")]
    used: Annotated[int, says("Of these, those of which a later call used a string.")]
    used_in_sight: Annotated[int, says("Of these, those whose strings the handoff or a kept message has.")]
    read_again: Annotated[int, says("Calls that fetched a lost result again.")]
    asked_again: Annotated[int, says("Questions whose answer was lost.")]
    tokens: Annotated[int, says("What was read and asked again, estimated.")]


class VerdictLineJson(Document, frozen=True, kw_only=True):
    """One line of a verdict."""

    kind: Annotated[str, says("Of the fact; of what followed, the rule.")]
    text: Annotated[
        str, says("Quoted from the source where it has words. Masked where it looks like a secret.")
    ]
    message: Annotated[int | None, says("Where the original is.")]
    state: Annotated[
        str,
        says(
            "Of the last request and answer: in sight, in the summary, perhaps in the summary, answered,"
            " perhaps answered (what was said to it may be an answer), gone, or perhaps gone (what the agent"
            " kept is not stored); else empty."
        ),
    ] = ""
    handoff: Annotated[str, says("What the handoff says, where it says otherwise; else empty.")] = ""
    source: Annotated[str, says("The value itself; of what followed, the lost fact it is about.")] = ""
    advice: Annotated[str, says("What to do; often empty.")] = ""


class VerdictJson(Document, frozen=True, kw_only=True):
    """What a compaction did, for the person whose agent forgot."""

    sentence: Annotated[str, says("Never empty.")]
    standing: Annotated[
        list[VerdictLineJson], says("The last request, the last answer, and what is safe to ignore.")
    ] = field(default_factory=list)
    lost: Annotated[list[VerdictLineJson], says("Facts that matter and are gone, the worst first.")] = field(
        default_factory=list
    )
    maybe_lost: Annotated[
        list[VerdictLineJson], says("Facts that matter and that the handoff may say in other words.")
    ] = field(default_factory=list)
    contradicted: Annotated[list[VerdictLineJson], says("What the handoff says otherwise, or made up.")] = (
        field(default_factory=list)
    )
    consequences: Annotated[list[VerdictLineJson], says("What the agent did since because of it.")] = field(
        default_factory=list
    )
    tell: Annotated[str, says("A block to copy for the agent; empty where there is nothing to say.")] = ""
    left_out: Annotated[int, says("Lost facts that are not listed.")] = 0


NOT_JUDGED: Final = "An earlier version measured this; the next audit judges it."


class MeasuredJson(Document, frozen=True, kw_only=True):
    """What the audit measured on a compaction, as it is stored and answered."""

    id: Annotated[int | UnsetType, says("The compaction's; in the answer of `audit` only.")] = UNSET
    conversation: Annotated[str | UnsetType, says("In the answer of `audit` only.")] = UNSET
    ordinal: Annotated[int | UnsetType, says("In the answer of `audit` only.")] = UNSET
    retention: Annotated[dict[str, ShareJson], says("By kind of fact.")]
    total: Annotated[ShareJson, says("The same over all kinds.")]
    matter: Annotated[
        ShareJson, says("The same over the facts that matter: of `total` of them `total - lost` survive.")
    ] = ShareJson(total=0, tail=0, handoff=0, both=0, lost=0)
    invented: list[InventionJson]
    contradicted: list[ContradictionJson] = field(default_factory=list)
    verdict: VerdictJson = VerdictJson(sentence=NOT_JUDGED)
    fates: Annotated[dict[str, int], says("How many messages of the span met each fate.")]
    sizes: SizesJson
    survival: Annotated[
        list[float],
        says("Shares of its facts in sight after it and each later one; empty where it is measured alone."),
    ]
    needed_later: Annotated[NeededLaterJson | UnsetType, says("")] = UNSET
    rules: Annotated[
        dict[str, int] | UnsetType, says("How many rules were set before it, and where they are after it.")
    ] = UNSET
    ledger: Annotated[
        list[LedgerRuleJson] | UnsetType,
        says("Stored with the last compaction of a conversation; not answered."),
    ] = UNSET


class AuditJson(Document, frozen=True, kw_only=True):
    """Findings, the worst first, and measurements of what was audited."""

    findings: list[FindingJson]
    compactions: list[MeasuredJson]
    rules: Annotated[list[LedgerRuleJson], says("In the order in which they were set.")]


class FateJson(Document, frozen=True, kw_only=True):
    """What became of a message of the span."""

    message: int
    fate: Annotated[str, says("", one_of=Fate)]
    now: Annotated[int | None, says("The row it lives on in.")]


class ClaimSourceJson(Document, frozen=True, kw_only=True):
    """A message that a claim may come from."""

    message: int
    overlap: Annotated[float, says("Share of the claim's words that are in it.")]


class ClaimJson(Document, frozen=True, kw_only=True):
    """Something that the handoff says."""

    section: str | None
    text: str
    sources: Annotated[list[ClaimSourceJson], says("The likeliest first.")]


class CompactionAuditJson(Document, frozen=True, kw_only=True):
    """What one compaction kept, lost and invented, measured when asked for."""

    compaction: CompactionJson
    audit: MeasuredJson
    fates: list[FateJson]
    claims: Annotated[list[ClaimJson], says("In the order of the handoff.")]
    findings: Annotated[list[FreshFindingJson], says("The worst first.")]
    rules: Annotated[list[LedgerRuleJson], says("Of the conversation, as its last audit found them.")]


class ContextPointJson(Document, frozen=True, kw_only=True):
    """A committed compaction as the charts draw it."""

    id: int
    ordinal: int
    finished_at: Time
    tokens_before: Annotated[int | None, says("The agent's count.")]
    tokens_after: Annotated[int | None, says("The agent's count.")]
    sizes: Annotated[SizesJson | None, says("Null where it was not audited.")]
    retained: Annotated[float | None, says("Share of the facts that matter in sight after it.")]
    survival: Annotated[
        list[float], says("Share of all its facts after it and each later one; empty without an audit.")
    ]


class ContextJson(Document, frozen=True, kw_only=True):
    """What a conversation's charts draw: its newest 300 committed compactions, in order."""

    conversation: str
    compactions: list[ContextPointJson]


def measured_value(
    measured: MeasuredCompaction, verdict: CompactionVerdict, survival: Sequence[float] = ()
) -> MeasuredJson:
    """Return the measurements of a compaction with the verdict on it; secrets are masked."""
    return MeasuredJson(
        retention={kind: shaped(share, ShareJson) for kind, share in measured.retention.shares.items()},
        total=shaped(measured.retention.total, ShareJson),
        verdict=shaped(verdict, VerdictJson),
        matter=shaped(measured.retention.matter, ShareJson),
        contradicted=[
            ContradictionJson(
                kind=one.kind,
                value=masked(one.value, one.line),
                source=masked(one.source, one.source_line),
                message=one.message,
            )
            for one in measured.departs(Grade.CONTRADICTS)
        ],
        invented=[
            InventionJson(kind=one.kind, value=masked(one.value, one.line)) for one in measured.inventions
        ],
        fates={fate.value: measured.fates.count(fate) for fate in Fate},
        sizes=shaped(measured.sizes, SizesJson),
        needed_later=shaped(measured.needed, NeededLaterJson),
        survival=[round(share, 4) for share in survival],
    )


def audited_value(measured: MeasuredJson, key: int, conversation: str, ordinal: int) -> MeasuredJson:
    """Return measurements with what they are about."""
    return structs.replace(measured, id=key, conversation=conversation, ordinal=ordinal, ledger=UNSET)


def count_sights(ledger: RulesLedger, compaction: int) -> dict[str, int]:
    """Return how many rules were set before a compaction, and where they are after it."""
    sights = [found for rule in ledger if (found := find_sight(rule, compaction)) is not None]
    return {"set": len(sights), **{sight.value: sights.count(sight) for sight in Sight}}


def ledger_value(ledger: RulesLedger, conversation: str | UnsetType = UNSET) -> list[LedgerRuleJson]:
    """Return every rule of a ledger; secrets are masked."""
    return [
        LedgerRuleJson(
            conversation=conversation,
            rule=redact(one.text).text,
            speaker=str(one.speaker),
            message=one.message,
            said=one.said,
            state=one.state,
            lost_by=one.lost_by.compaction if one.lost_by else None,
            lifted_by=one.lifted_by,
            replaced=one.replaced,
            broken_by=list(one.broken_by),
            sights=[shaped(at, RuleSightJson) for at in one.sights],
        )
        for one in ledger
    ]


def read_ledger(rows: Sequence[LedgerRuleJson]) -> RulesLedger:
    """Return the ledger that `ledger_value` wrote down."""
    return tuple(
        LedgerRule(
            text=row.rule, speaker=row.speaker, message=row.message, said=row.said, lifted_by=row.lifted_by,
            replaced=row.replaced, broken_by=tuple(row.broken_by),
            sights=tuple(RuleSight(at.compaction, at.ordinal, Sight(at.sight)) for at in row.sights),
        )
        for row in rows
    )  # fmt: skip


def load_ledger(db: DbSession, conversation_id: int) -> list[LedgerRuleJson]:
    """Return the rules of a conversation as its last audit found them, nothing where there was none."""
    stored = db.scalars(
        select(Compaction.audit["ledger"])
        .where(
            Compaction.conversation_id == conversation_id, Compaction.audit["ledger"].as_string().is_not(None)
        )
        .order_by(Compaction.ordinal.desc(), Compaction.id.desc())
        .limit(1)
    ).first()
    return shaped(stored or [], list[LedgerRuleJson])


def audit_document(db: DbSession, listing: FindingListing) -> AuditJson:
    """Return what is stored for a listing."""
    audits = [(row, shaped(row.audit, MeasuredJson)) for row in list_audits(db, listing)]
    return AuditJson(
        findings=[finding_value(row) for row in list_findings(db, listing)],
        compactions=[
            audited_value(measured, row.id, row.conversation, row.ordinal) for row, measured in audits
        ],
        rules=[
            structs.replace(rule, conversation=row.conversation)
            for row, measured in audits
            for rule in _ledger_of(db, listing, measured)
        ],
    )


def _ledger_of(db: DbSession, listing: FindingListing, measured: MeasuredJson) -> Sequence[LedgerRuleJson]:
    """Return the rules kept with a compaction; of a single one, those of its conversation."""
    if listing.compaction_id is None:
        return measured.ledger or ()
    return load_ledger(db, db.get_one(Compaction, listing.compaction_id).conversation_id)


def context_document(public_id: str, points: Iterable[ContextPoint]) -> ContextJson:
    """Return what the charts of a conversation draw."""
    return ContextJson(conversation=public_id, compactions=[_point_value(point) for point in points])


def _point_value(point: ContextPoint) -> ContextPointJson:
    audit = point.audit or {}
    try:
        sizes = shaped(audit["sizes"], SizesJson) if audit.get("sizes") else None
    except ValidationError:  # stored by another version, and not audited since
        sizes = None
    return ContextPointJson(
        id=point.id,
        ordinal=point.ordinal,
        finished_at=point.finished_at,
        tokens_before=point.tokens_before,
        tokens_after=point.tokens_after,
        sizes=sizes,
        retained=point.retained,
        survival=list(audit.get("survival") or ()),
    )
