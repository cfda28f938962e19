"""A chain of three compactions whose every fact is known: what was kept, lost and invented."""

from dataclasses import dataclass

from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.operations.auditing.audit_conversations import run_audit
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.stored_audits import FindingListing
from hermes_sessions.store.schema.models import Compaction, Message, Session
from tests.builders import NOON, a_compaction, a_conversation, a_message, a_session
from tests.web.stories import call, calls, standalone

FIRST = (
    "## Goal\nMove the invoices in `src/billing/ledger.py` to the new ledger.\n\n"
    "## Done\n- read src/billing/ledger.py\n- wrote src/billing/tax.py\n\n## Open\nNone."
)
SECOND = FIRST.replace("- wrote src/billing/tax.py", "- wrote src/billing/tax.py\n- wrote docs/moving.md")


@dataclass(frozen=True)
class Audited:
    """The rows that tests point at."""

    first: Compaction
    second: Compaction
    asked: Message
    reading: Message
    kept: Message
    kept_copy: Message
    handoff: Message
    answer: Message


def audited(db: OrmSession) -> Audited:
    """A request, a reading, a reply that is kept; then twice a handoff, a copy, and more."""
    conversation = a_conversation(db, id="audited", title="Move the invoices")
    root = db.get_one(Session, conversation.root_id)
    asked = a_message(db, root, "Please move the invoices in src/billing/ledger.py, keep INV-2291.")
    read = calls(call("read_file", {"path": "src/billing/ledger.py"}))
    reading = a_message(db, root, "Reading it.", role="assistant", tool_calls=read)
    result = a_message(db, root, "version = 3.4.1", role="tool", tool_call_id="call_1")
    kept = a_message(db, root, "Shall I go on?", role="assistant")
    child = a_session(db, conversation, id="audited-2")
    handoff = a_message(db, child, standalone(FIRST), kind="handoff")
    copy = a_message(db, child, "Shall I go on?", role="assistant", copy_of=kept.id)
    first = a_compaction(
        db, child, handoff=handoff, summary=FIRST, span_messages=3, tokens_before=90_000, tokens_after=9_000
    )
    for row in (asked, reading, result):
        row.archived_by = first.id
    answer = a_message(db, child, "Yes, and write docs/moving.md.")
    last = a_message(db, child, "All done.", role="assistant")
    third = a_session(db, conversation, id="audited-3", started_at=NOON + 9_000)
    again = a_message(db, third, standalone(SECOND), kind="handoff")
    a_message(db, third, "All done.", role="assistant", copy_of=last.id)
    second = a_compaction(
        db, third, handoff=again, summary=SECOND, span_messages=2, tokens_before=80_000, tokens_after=8_000
    )
    for row in (handoff, answer):
        row.archived_by = second.id
    db.commit()
    return Audited(first, second, asked, reading, kept, copy, handoff, answer)


def store_findings(database: Database) -> None:
    run_audit(database, FindingListing(), clock=lambda: NOON)
