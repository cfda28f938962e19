"""A compaction audited alone says what the audit of its whole conversation says."""

from sqlalchemy import select
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.audit.measure import measure_compaction
from hermes_sessions.audit.rules import check_compaction
from hermes_sessions.operations.auditing.conversation_case import load_case
from hermes_sessions.operations.auditing.one_compaction import audit_compaction, load_compaction_case
from hermes_sessions.operations.documents.audit import load_ledger
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.compactions import find_compaction
from hermes_sessions.store.schema.models import Compaction, Session, SystemPrompt
from tests.builders import a_compaction, a_conversation, a_message, a_session
from tests.web import stories
from tests.web.auditing.audit_story import audited, store_findings


def in_place(db: OrmSession) -> None:
    """One session, compacted twice in place, then once more into a child."""
    conversation = a_conversation(db, id="in-place")
    root = db.get_one(Session, conversation.root_id)
    for number in (1, 2):
        asked = a_message(db, root, f"Task {number}: edit src/step_{number}.py", state="compacted")
        handoff = a_message(db, root, stories.standalone(f"Edited step {number}."), kind="handoff")
        row = a_compaction(
            db, root, realisation="in_place", handoff=handoff, summary=f"Edited step {number}."
        )
        asked.archived_by = row.id
    a_message(db, root, "Task 3.")
    child = a_session(db, conversation)
    handoff = a_message(db, child, stories.standalone("The user asked: 'Task 1'."), kind="handoff")
    a_compaction(db, child, handoff=handoff, summary="The user asked: 'Task 1'.")


def with_instructions(db: OrmSession) -> int:
    """Three sessions under one system prompt: what the user asked for in the first is known to the last."""
    db.add(SystemPrompt(hash="terse", text="Answer in one line. Never touch the vault."))
    conversation = a_conversation(db, id="instructed", system_prompt_hash="terse")
    session = db.get_one(Session, conversation.root_id)
    for number in (1, 2):
        a_message(db, session, f"Count the crates of row {number}.")
        a_message(db, session, f"And those of row {number + 4}.")
        session = a_session(db, conversation, system_prompt_hash="terse")
        handoff = a_message(db, session, stories.standalone("Counted the crates."), kind="handoff")
        a_compaction(db, session, handoff=handoff, summary="Counted the crates.")
    return conversation.id


def test_one_compaction_is_cut_as_in_its_conversation(db: OrmSession) -> None:
    audited(db)
    stories.swallowed_reply(db)
    stories.family(db)
    in_place(db)
    db.commit()
    seen = 0
    for conversation in db.scalars(select(Compaction.conversation_id).distinct()).all():
        for case in load_case(db, conversation).compactions:
            alone = load_compaction_case(db, case.facts.id)
            assert (alone.before, alone.span) == (case.before, case.span)
            assert (alone.after, alone.following) == (case.after, case.following)
            expected = [*check_compaction(measure_compaction(case))]
            assert [*check_compaction(measure_compaction(alone))] == expected
            seen += bool(case.before)
    assert seen >= 6


def test_one_compaction_knows_the_instructions_and_what_was_asked_before(db: OrmSession) -> None:
    key = with_instructions(db)
    db.commit()
    [*_, case] = load_case(db, key).compactions
    alone = load_compaction_case(db, case.facts.id)
    assert alone.prompt == case.prompt != ""
    assert alone.known_requests == case.known_requests
    assert len(case.known_requests) == 4


def test_one_compaction_knows_what_was_asked_in_the_row_of_a_handoff(db: OrmSession) -> None:
    conversation = a_conversation(db, id="beside")
    root = db.get_one(Session, conversation.root_id)
    a_message(db, root, "Count the crates.")
    second = a_session(db, conversation)
    handoff = a_message(db, second, stories.merged("And the sacks, please."), kind="merged")
    a_compaction(db, second, handoff=handoff, summary=stories.SUMMARY)
    a_message(db, second, "And the tins.")
    third = a_session(db, conversation)
    handoff = a_message(db, third, stories.standalone("Counted."), kind="handoff")
    a_compaction(db, third, handoff=handoff, summary="Counted.")
    fourth = a_session(db, conversation)
    handoff = a_message(db, fourth, stories.standalone("Counted."), kind="handoff")
    last = a_compaction(db, fourth, handoff=handoff, summary="Counted.")
    db.commit()
    [*_, case] = load_case(db, conversation.id).compactions
    assert case.known_requests == ("Count the crates.", "And the sacks, please.", "And the tins.")
    assert load_compaction_case(db, last.id).known_requests == case.known_requests


def test_findings_that_rest_on_the_whole_conversation_come_from_the_last_run(
    db: OrmSession, database: Database
) -> None:
    conversation = a_conversation(db, end_reason="compression")
    row = a_compaction(
        db, db.get_one(Session, conversation.root_id), realisation="in_place", status="interrupted"
    )
    db.commit()
    assert rules_of(database, row.id) == set()
    store_findings(database)
    found = rules_of(database, row.id)
    assert found
    assert found <= {"interrupted", "closed-without-child"}


def rules_of(database: Database, compaction_id: int) -> set[str]:
    with database.read() as db:
        row = find_compaction(db, compaction_id)
        assert row is not None
        return {finding.rule for finding in audit_compaction(db, row).findings}


def test_rules_are_read_from_the_newest_compaction_that_keeps_them(db: OrmSession) -> None:
    conversation = a_conversation(db)
    rule = {
        "rule": "Never push.", "speaker": "user", "message": 1, "said": 1, "state": "in sight",
        "lost_by": None, "lifted_by": None, "replaced": False, "broken_by": [], "sights": [],
    }  # fmt: skip
    kept: tuple[dict[str, object] | None, ...] = (
        {"ledger": [rule | {"rule": "Old."}]},
        {"ledger": [rule]},
        {"matter": {}},
        None,
    )
    for audit in kept:
        a_compaction(db, db.get_one(Session, conversation.root_id), audit=audit)
    assert [one.rule for one in load_ledger(db, conversation.id)] == ["Never push."]
    assert load_ledger(db, a_conversation(db).id) == []
