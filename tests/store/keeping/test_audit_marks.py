"""What is kept of an audit follows from its findings and measurements, until the rows change."""

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.operations.auditing.audit_conversations import run_audit
from hermes_sessions.store.keeping.audit_marks import forget_audits
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.keeping.repair import repair_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.stored_audits import FindingListing
from hermes_sessions.store.schema.models import Conversation, Message
from tests.builders import NOON
from tests.web.auditing.audit_story import audited, store_findings


@pytest.fixture
def store(db: OrmSession, database: Database) -> Database:
    audited(db)
    store_findings(database)
    return database


def disagreements(database: Database) -> set[str]:
    with database.read() as db:
        return {f"{one.table}.{one.column}" for one in check_store(db)}


SPOILT = {
    "conversations.worst_finding": "UPDATE conversations SET worst_finding = NULL",
    "compactions.worst_rank": "UPDATE compactions SET worst_rank = 0 WHERE worst_rank > 0",
    "compactions.retained": "UPDATE compactions SET retained = 0.123",
    "compactions.saved_tokens": "UPDATE compactions SET saved_tokens = NULL",
}


def test_what_an_audit_stores_agrees(store: Database) -> None:
    assert disagreements(store) == set()


@pytest.mark.parametrize(("column", "statement"), SPOILT.items(), ids=list(SPOILT))
def test_what_was_spoilt_is_found_and_mended(store: Database, column: str, statement: str) -> None:
    with store.write() as db:
        db.connection().exec_driver_sql(statement)
    assert disagreements(store) == {column}
    assert repair_store(store).left == []
    assert disagreements(store) == set()


def test_what_changed_since_its_audit_is_left_to_the_next_one(store: Database) -> None:
    with store.write() as db:
        db.connection().exec_driver_sql("UPDATE compactions SET retained = 0.123, tokens_after = 1")
    assert disagreements(store) == set()


def test_text_that_was_rewritten_is_audited_again_once_that_is_said(store: Database) -> None:
    with store.write() as db:
        key = db.scalars(select(Conversation.id).where(Conversation.public_id == "audited")).one()
        row = db.scalars(select(Message).where(Message.text == "version = 3.4.1")).one()
        row.text = "version = [masked]"
        db.flush()
    listing = FindingListing(conversation_id=key)
    assert run_audit(store, listing, clock=lambda: NOON).audited == 0
    with store.write() as db:
        forget_audits(db, [key])
    assert run_audit(store, listing, clock=lambda: NOON).audited == 1
    assert disagreements(store) == set()
