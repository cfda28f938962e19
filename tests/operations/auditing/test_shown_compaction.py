"""The page of a compaction says what the last audit said, and judges anew where none is current."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import update
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.operations.auditing.shown_compaction import (
    ShownCompaction,
    load_verdict,
    show_compaction,
)
from hermes_sessions.store.keeping.audit_marks import forget_audits
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.compactions import find_compaction
from hermes_sessions.store.schema.models import Compaction, Message, Session
from tests.builders import a_compaction, a_conversation, a_message, a_session
from tests.web.auditing.audit_story import store_findings
from tests.web.stories import standalone

SAID = "The bakery opens at 6:40, and the oven is never left alone."
TOLD = "The bakery opens at 8:15. Wrote `menu/rye.md`."
MARKED = "Somebody wrote this into the stored audit."


def bakery(db: OrmSession) -> Compaction:
    """A compaction whose handoff says another time than the user did."""
    conversation = a_conversation(db, id="bakery")
    root = db.get_one(Session, conversation.root_id)
    said = a_message(db, root, SAID)
    a_message(db, root, "Understood.", role="assistant")
    child = a_session(db, conversation)
    handoff = a_message(db, child, standalone(TOLD), kind="handoff")
    row = a_compaction(db, child, handoff=handoff, summary=TOLD, span_messages=2)
    said.archived_by = row.id
    db.commit()
    return row


def shown(database: Database, key: int) -> ShownCompaction:
    with database.read() as db:
        row = find_compaction(db, key)
        assert row is not None
        return show_compaction(db, row)


def verdict_sentence(database: Database, key: int) -> str:
    with database.read() as db:
        row = find_compaction(db, key)
        assert row is not None
        return load_verdict(db, row).sentence


def say_otherwise(db: OrmSession, row: Compaction) -> None:
    """Have the stored audit say what none would."""
    db.refresh(row)
    assert row.audit is not None
    audit: dict[str, Any] = {**row.audit, "verdict": {**row.audit["verdict"], "sentence": MARKED}}
    db.execute(update(Compaction).where(Compaction.id == row.id).values(audit=audit))
    db.commit()


def test_a_current_audit_is_taken_over(db: OrmSession, database: Database) -> None:
    row = bakery(db)
    store_findings(database)
    say_otherwise(db, row)
    assert shown(database, row.id).verdict.sentence == MARKED
    assert verdict_sentence(database, row.id) == MARKED


def one_more_message(db: OrmSession, row: Compaction) -> None:
    a_message(db, db.get_one(Session, row.child_id), "And on Sundays?")


def other_words(db: OrmSession, row: Compaction) -> None:
    db.execute(update(Message).where(Message.text == SAID).values(text="The bakery opens at 8:15."))
    forget_audits(db, [row.conversation_id])


def another_shape(db: OrmSession, row: Compaction) -> None:
    db.execute(update(Compaction).where(Compaction.id == row.id).values(audit={"verdict": MARKED}))


@pytest.mark.parametrize("change", [one_more_message, other_words, another_shape])
def test_what_is_not_current_is_judged_anew(
    db: OrmSession, database: Database, change: Callable[[OrmSession, Compaction], None]
) -> None:
    row = bakery(db)
    store_findings(database)
    say_otherwise(db, row)
    change(db, row)
    db.commit()
    found = shown(database, row.id)
    assert found.verdict.sentence != MARKED
    assert found.contradicted == (0 if change is other_words else 1)
    assert verdict_sentence(database, row.id) == found.verdict.sentence


def test_a_stored_judgement_and_a_fresh_one_are_alike(db: OrmSession, database: Database) -> None:
    row = bakery(db)
    fresh = shown(database, row.id)
    store_findings(database)
    stored = shown(database, row.id)
    assert fresh.contradicted == stored.contradicted == 1
    assert [one.kind for one in fresh.invented] == [one.kind for one in stored.invented]
    assert fresh.claims == stored.claims
    assert fresh.verdict == stored.verdict
    assert [(one.rule, one.messages) for one in fresh.findings] == [
        (one.rule, one.messages) for one in stored.findings if one.rule in {x.rule for x in fresh.findings}
    ]
