"""Where facts stand is kept with their message, and goes with it or with its words."""

import pytest
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.operations.auditing.audit_conversations import run_audit
from hermes_sessions.operations.move import move_store
from hermes_sessions.operations.organising.redact_store import redact_store
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.keeping.fact_notes import drop_notes, facts_version, keep_notes, load_notes
from hermes_sessions.store.keeping.repair import repair_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.stored_audits import FindingListing
from hermes_sessions.store.schema.models import Conversation, Finding, Message, MessageFacts
from tests.builders import NOON, a_conversation, a_message, a_session
from tests.web.auditing.audit_story import audited, store_findings


@pytest.fixture
def store(db: OrmSession, database: Database) -> Database:
    audited(db)
    store_findings(database)
    return database


def notes(database: Database) -> dict[int, tuple[int, str]]:
    with database.read() as db:
        return {row.message_id: (row.digest, row.places) for row in db.scalars(select(MessageFacts))}


def audit_again(database: Database) -> list[tuple[str, object]]:
    with database.write() as db:
        db.execute(update(Conversation).values(audit_mark=None))
    run_audit(database, FindingListing(), clock=lambda: NOON)
    with database.read() as db:
        found = db.execute(select(Finding.rule, Finding.evidence).order_by(Finding.id))
        return [(row.rule, row.evidence) for row in found]


def test_an_audit_keeps_what_it_found(store: Database) -> None:
    assert len(notes(store)) > 3
    with store.read() as db:
        assert check_store(db) == []


def test_the_next_audit_finds_the_same_and_notes_nothing(store: Database) -> None:
    first = audit_again(store)
    before = notes(store)
    assert audit_again(store) == first
    assert notes(store) == before


def test_a_note_is_read_by_the_next_audit(store: Database) -> None:
    """Or else nothing would become quicker by it."""
    empty = {key: (digest, "") for key, (digest, _) in notes(store).items()}
    with store.write() as db:
        keep_notes(db, empty)
    audit_again(store)
    assert notes(store) == empty


def test_a_note_of_other_words_is_not_read(store: Database) -> None:
    first = audit_again(store)
    before = notes(store)
    with store.write() as db:
        keep_notes(db, {key: (digest ^ 1, "") for key, (digest, _) in before.items()})
    assert audit_again(store) == first
    assert notes(store) == before


def test_a_deleted_message_takes_its_note_along(db: OrmSession, database: Database) -> None:
    made = a_message(db, a_session(db, a_conversation(db)), "Use port 8123.")
    db.commit()
    with database.write() as writing:
        keep_notes(writing, {made.id: (1, "")})
    assert notes(database) == {made.id: (1, "")}
    with database.write() as writing:
        writing.execute(delete(Message).where(Message.id == made.id))
    assert notes(database) == {}


def test_masked_words_take_their_notes_along(store: Database) -> None:
    before = notes(store)
    with store.read() as db:
        holding = set(db.scalars(select(Message.id).where(Message.text.contains("3.4.1"))))
    redact_store(store, secret="version = 3.4.1")
    assert holding & before.keys()
    assert notes(store) == {key: note for key, note in before.items() if key not in holding}


@pytest.mark.parametrize("places", ["x", "{}", "[[1,2]]", "7"])
def test_a_damaged_note_is_found_and_dropped(store: Database, places: str) -> None:
    key = min(notes(store))
    with store.write() as db:
        db.execute(update(MessageFacts).where(MessageFacts.message_id == key).values(places=places))
    with store.read() as db:
        assert [(one.table, one.id) for one in check_store(db)] == [("message_facts", key)]
    assert repair_store(store).left == []
    assert key not in notes(store)


def test_notes_move_with_the_store(store: Database, tmp_path, store_url: str) -> None:
    target = str(tmp_path / "moved.db")
    move_store(store_url, target)
    with Database.open(target, create=False) as moved:
        assert notes(moved) == notes(store)


def test_notes_can_be_dropped_by_message(store: Database) -> None:
    first, *others = sorted(notes(store))
    with store.write() as db:
        drop_notes(db, [first])
        key = db.scalars(select(Conversation.id).where(Conversation.public_id == "audited")).one()
        left = load_notes(db, key)
    assert sorted(notes(store)) == others
    assert len(left) == len({digest for digest, _ in notes(store).values()})


def test_the_version_is_that_of_the_code() -> None:
    assert facts_version() == facts_version()
    assert len(facts_version()) == 24
