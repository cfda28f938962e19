"""The tools about compactions: `compactions` and `lost`. What they say is the audit's."""

import time
from typing import Final, NamedTuple

from msgspec import ValidationError

from hermes_sessions.errors import NotFoundError
from hermes_sessions.integrations.recall.answers import (
    CompactionsAnswer,
    JudgedCompaction,
    LostAnswer,
    LostFact,
    WrongFact,
    count_fitting,
    utc,
)
from hermes_sessions.integrations.recall.arguments import CompactionsArguments, LostArguments
from hermes_sessions.integrations.recall.expand import find_compaction
from hermes_sessions.integrations.recall.reading import Reading
from hermes_sessions.messages import CompactionStatus
from hermes_sessions.operations.auditing.one_compaction import audit_compaction, compaction_audit_document
from hermes_sessions.operations.auditing.shown_compaction import load_verdict
from hermes_sessions.operations.documents.audit import MeasuredJson, VerdictLineJson
from hermes_sessions.operations.documents.document import shaped
from hermes_sessions.store.queries.compactions import ListedCompaction, load_compactions
from hermes_sessions.store.queries.conversations import ConversationRow
from hermes_sessions.store.queries.stored_audits import FindingListing, list_audits

PAGE: Final = 10
"""Compactions of one answer: each that no audit has stored yet is measured for it."""
MEASURING_SECONDS: Final = 15.0
"""After so long no further one is measured; the answer ends there and says how to continue."""
_SENTENCE_CHARS: Final = 600


class _Judged(NamedTuple):
    """What an audit says in short: the share that was kept, the worst finding, the sentence."""

    kept: float | None = None
    worst: str | None = None
    sentence: str | None = None


def list_judged(reading: Reading, asked: CompactionsArguments) -> CompactionsAnswer:
    """List the compactions of a conversation, newest first, each with its verdict.

    Raises:
        NotFoundError: no conversation within reach has the id.
    """
    conversation = reading.conversation(asked.conversation)
    newest = [row for row in load_compactions(reading.db, conversation.id) if not row.is_prune][::-1]
    lines: list[JudgedCompaction] = []
    until = time.monotonic() + MEASURING_SECONDS
    for row in newest[asked.offset : asked.offset + PAGE]:
        if lines and time.monotonic() >= until:
            break
        lines.append(_line(reading, row))
    fitting = count_fitting(lines)
    end = asked.offset + fitting
    return CompactionsAnswer(
        conversation=conversation.public_id,
        compactions=lines[:fitting],
        next=end if end < len(newest) else None,
    )


def list_lost(reading: Reading, asked: LostArguments) -> LostAnswer:
    """Say what a compaction lost, each thing with the message that holds it.

    Raises:
        NotFoundError: no such conversation or compaction within reach.
    """
    conversation = reading.conversation(asked.conversation)
    row = _chosen(reading, conversation, asked.compaction)
    verdict = load_verdict(reading.db, row)
    lost = [_lost(reading, line) for line in verdict.lost]
    wrong = [_wrong(reading, line) for line in verdict.contradicted]
    fitting = count_fitting([*lost, *wrong])
    return LostAnswer(
        conversation=conversation.public_id,
        compaction=row.ordinal,
        verdict=reading.line(verdict.sentence, _SENTENCE_CHARS) or "",
        lost=lost[:fitting],
        left_out=verdict.left_out + len(lost[fitting:]),
        wrong_in_summary=wrong[: max(0, fitting - len(lost))],
        notes=[f"`expand` with `around` quotes a message; with `compaction`: {row.ordinal} all that went."],
    )


def _chosen(reading: Reading, conversation: ConversationRow, ordinal: int | None) -> ListedCompaction:
    if ordinal is not None:
        return find_compaction(reading, conversation, ordinal)
    rows = load_compactions(reading.db, conversation.id)
    done = [
        row for row in rows if row.status == CompactionStatus.COMMITTED and not (row.fork or row.is_prune)
    ]
    if not done:
        raise NotFoundError(f"{conversation.public_id} was not compacted: nothing is lost")
    return done[-1]


def _line(reading: Reading, row: ListedCompaction) -> JudgedCompaction:
    judged = _judged(reading, row) if row.status == CompactionStatus.COMMITTED else _Judged()
    return JudgedCompaction(
        compaction=row.ordinal,
        session=row.session,
        parent=row.parent_session_id,
        at=utc(row.at),
        status=row.status,
        realisation=row.realisation,
        method=row.method,
        span_messages=row.span_messages,
        span_stored=row.span_stored,
        tokens_before=row.tokens_before,
        tokens_after=row.tokens_after,
        kept=None if judged.kept is None else round(judged.kept, 2),
        worst_finding=judged.worst,
        verdict=reading.line(judged.sentence, _SENTENCE_CHARS),
    )


def _judged(reading: Reading, row: ListedCompaction) -> _Judged:
    """Return what the last audit stored; where there was none, what one says now."""
    for stored in list_audits(reading.db, FindingListing(compaction_id=row.id)):
        try:
            sentence = shaped(stored.audit, MeasuredJson).verdict.sentence
        except ValidationError:  # another version stored it
            break
        return _Judged(row.retained, row.worst_finding, sentence)
    audit = audit_compaction(reading.db, row)
    worst = audit.findings[0].severity.value if audit.findings else None
    sentence = compaction_audit_document(row, audit).audit.verdict.sentence
    return _Judged(audit.measured.retention.kept, worst, sentence)


def _lost(reading: Reading, line: VerdictLineJson) -> LostFact:
    return LostFact(kind=line.kind, text=reading.masker.text(line.text), message=line.message)


def _wrong(reading: Reading, line: VerdictLineJson) -> WrongFact:
    return WrongFact(
        kind=line.kind,
        handoff=reading.masker.text(line.handoff),
        source=reading.masker.text(line.source) or None,
        message=line.message,
    )
