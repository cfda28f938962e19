"""Audits, pages and reports judge a handoff once, and say the same as if they judged it every time."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.audit import measure
from hermes_sessions.audit.check import check_handoff
from hermes_sessions.audit.rules import RULES_VERSION
from hermes_sessions.operations.auditing import load_reader
from hermes_sessions.operations.auditing.audit_conversations import run_audit
from hermes_sessions.operations.auditing.compaction_report import load_report
from hermes_sessions.operations.auditing.one_compaction import audit_compaction
from hermes_sessions.operations.auditing.shown_compaction import show_compaction
from hermes_sessions.operations.auditing.unsaved_audit import audit_unsaved
from hermes_sessions.operations.documents.audit import audit_document
from hermes_sessions.operations.documents.encoding import plain
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.keeping.audit_marks import forget_audits
from hermes_sessions.store.keeping.judgements import forget_judgements
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.compactions import find_compaction
from hermes_sessions.store.queries.stored_audits import FindingListing
from hermes_sessions.store.schema.models import Compaction, Conversation, Message, Session
from tests.builders import NOON, a_compaction, a_message, a_session
from tests.web import stories
from tests.web.auditing.audit_story import audited
from tests.web.auditing.bakery import SAID, THEN, TOLD, bakery

KEY = "sk-proj-" + "a8Kq2ZrT9wLm4XvB7nYc" * 2


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The compactions whose handoffs were judged anew, in this order."""
    found: list[int] = []

    def check(case: Any, *readers: Any) -> Any:
        found.append(case.facts.id)
        return check_handoff(case, *readers)

    monkeypatch.setattr(measure, "check_handoff", check)
    return found


def grow(db: OrmSession, name: str = "bakery-3") -> None:
    """Append a message to the newest session."""
    a_message(db, db.scalars(select(Session).where(Session.foreign_id == name)).one(), "And at Easter?")
    db.commit()


def told(database: Database) -> Any:
    """Everything an audit says."""
    with database.read() as db:
        return plain(audit_document(db, FindingListing()))


def forget(database: Database) -> None:
    """Keep nothing, and have everything audited again."""
    with database.write() as db:
        keys = db.scalars(select(Compaction.conversation_id).distinct()).all()
        forget_audits(db, keys)


def keys_of(database: Database) -> list[int]:
    with database.read() as db:
        return list(db.scalars(select(Compaction.id).order_by(Compaction.id)))


def kept(database: Database) -> dict[int, str | None]:
    with database.read() as db:
        return {row.id: row.judgement for row in db.execute(select(Compaction.id, Compaction.judgement))}


def audit(database: Database) -> Any:
    assert run_audit(database, FindingListing(), clock=lambda: NOON).audited
    return told(database)


def test_what_only_grew_is_judged_no_more(db: OrmSession, database: Database, judged: list[int]) -> None:
    bakery(db)
    audit(database)
    first, second = keys_of(database)
    assert judged == [first, second]
    grow(db)
    found = audit(database)
    assert judged == [first, second]
    forget(database)
    assert audit(database) == found


def test_a_new_compaction_alone_is_judged(db: OrmSession, database: Database, judged: list[int]) -> None:
    bakery(db)
    audit(database)
    third = db.scalars(select(Session).where(Session.foreign_id == "bakery-3")).one()
    fourth = a_session(db, db.get_one(Conversation, third.conversation_id), id="bakery-4", parent=third)
    handoff = a_message(db, fourth, stories.standalone(THEN), kind="handoff")
    a_compaction(db, fourth, handoff=handoff, summary=THEN)
    db.commit()
    del judged[:]
    found = audit(database)
    assert judged == keys_of(database)[2:]
    forget(database)
    assert audit(database) == found


def other_words(db: OrmSession, row: Compaction) -> None:
    db.execute(update(Message).where(Message.text == SAID).values(text=SAID.replace("6:40", "8:15")))
    forget_audits(db, [row.conversation_id])


def other_words_unsaid(db: OrmSession, row: Compaction) -> None:
    """Whoever changed them told nobody: the next audit for another reason sees it."""
    db.execute(update(Message).where(Message.text == SAID).values(text=SAID.replace("6:40", "8:15")))
    a_message(db, db.get_one(Session, row.session_id), "And at Easter?")


def other_summary(db: OrmSession, row: Compaction) -> None:
    db.execute(update(Compaction).where(Compaction.id == row.id).values(summary=TOLD.replace("8:15", "6:40")))


def damaged(db: OrmSession, row: Compaction) -> None:
    """Of the same length, the digest as it was."""
    written = db.scalar(select(Compaction.judgement).where(Compaction.id == row.id)) or ""
    db.execute(update(Compaction).where(Compaction.id == row.id).values(judgement=written[:-3] + "]}]"))
    a_message(db, db.get_one(Session, row.session_id), "And at Easter?")


def another_ones(db: OrmSession, row: Compaction) -> None:
    other = db.scalar(select(Compaction.judgement).where(Compaction.id != row.id))
    db.execute(update(Compaction).where(Compaction.id == row.id).values(judgement=other))
    a_message(db, db.get_one(Session, row.session_id), "And at Easter?")


@pytest.mark.parametrize(
    "change",
    [other_words, other_words_unsaid, other_summary, damaged, another_ones],
    ids=lambda one: one.__name__,
)
def test_what_is_no_longer_the_same_is_judged_again(
    db: OrmSession,
    database: Database,
    judged: list[int],
    change: Callable[[OrmSession, Compaction], None],
) -> None:
    row = bakery(db)
    audit(database)
    del judged[:]
    change(db, row)
    db.commit()
    found = audit(database)
    assert row.id in judged
    forget(database)
    assert audit(database) == found
    is_true_now = change in (other_words, other_words_unsaid, other_summary)
    assert ("contradicts" in (kept(database)[row.id] or "")) is not is_true_now


def test_other_rules_judge_again(
    db: OrmSession, database: Database, judged: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    bakery(db)
    audit(database)
    grow(db)
    before = kept(database)
    monkeypatch.setattr(load_reader, "RULES_VERSION", f"{RULES_VERSION}.1")
    del judged[:]
    audit(database)
    assert judged == keys_of(database)
    assert kept(database).keys() == before.keys()
    assert all(kept(database)[key] != before[key] for key in before)


def test_other_code_judges_again(
    db: OrmSession, database: Database, judged: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    bakery(db)
    audit(database)
    grow(db)
    monkeypatch.setattr(load_reader, "judging_version", lambda: "of a later release")
    del judged[:]
    audit(database)
    assert judged == keys_of(database)


def test_a_secret_is_judged_every_time_and_never_kept(
    db: OrmSession, database: Database, judged: list[int]
) -> None:
    row = bakery(db, told=f"{TOLD} The key is {KEY}x.", extra=f"The key is {KEY}.")
    audit(database)
    grow(db)
    del judged[:]
    audit(database)
    assert judged == [row.id]
    assert kept(database)[row.id] is None
    assert KEY[8:20] not in repr(kept(database))


@pytest.mark.parametrize("name", ["API_KEY", "PAYMENT_PASSWORD"])
def test_a_value_that_only_its_name_makes_a_secret_is_shown_nowhere(
    db: OrmSession, database: Database, name: str
) -> None:
    bakery(
        db,
        told=f"{TOLD} Set: {name}=zxcvbnm1234567890qwertyuiox",
        extra=f"{name}=zxcvbnm1234567890qwertyuiop",
    )
    audit(database)
    said = repr(told(database))
    assert "8:15" in said
    assert "zxcvbnm1234567890" not in said
    assert "zxcvbnm1234567890" not in repr(db.scalars(select(Compaction.audit)).all())


def test_what_is_a_secret_by_now_is_no_longer_kept(db: OrmSession, database: Database) -> None:
    """A summary that changed at its origin, and quotes one since."""
    row = bakery(db, extra=f"The key is {KEY}.")
    audit(database)
    assert kept(database)[row.id]
    db.execute(update(Compaction).where(Compaction.id == row.id).values(summary=f"The key is {KEY}x."))
    db.commit()
    audit(database)
    assert kept(database)[row.id] is None


def page(db: OrmSession, key: int) -> Any:
    row = find_compaction(db, key)
    assert row is not None
    return show_compaction(db, row)


def alone(db: OrmSession, key: int) -> Any:
    row = find_compaction(db, key)
    assert row is not None
    return audit_compaction(db, row)


def unsaved(db: OrmSession, key: int) -> Any:
    return audit_unsaved(db, FindingListing(compaction_id=key))


@pytest.mark.parametrize(
    "ask", [page, alone, load_report, unsaved], ids=["page", "alone", "report", "unsaved"]
)
def test_who_only_reads_judges_no_more_and_keeps_nothing(
    db: OrmSession, database: Database, judged: list[int], ask: Callable[[OrmSession, int], Any]
) -> None:
    row = bakery(db)
    audit(database)
    grow(db)
    before = kept(database)
    del judged[:]
    with database.read() as reading:
        found = ask(reading, row.id)
    assert judged == []
    with database.write() as writing:
        forget_judgements(writing, [row.conversation_id])
    with database.read() as reading:
        assert ask(reading, row.id) == found
    assert judged
    assert set(kept(database).values()) == {None} != set(before.values())


def test_a_forked_continuation_is_judged_by_its_own(
    db: OrmSession, database: Database, judged: list[int]
) -> None:
    row = bakery(db)
    root = db.get_one(Session, row.parent_id)
    fork = a_session(
        db, db.get_one(Conversation, row.conversation_id), id="bakery-fork", parent=root, fork=True
    )
    handoff = a_message(db, fork, stories.standalone(TOLD.replace("8:15", "9:05")), kind="handoff")
    a_compaction(db, fork, handoff=handoff, summary=TOLD.replace("8:15", "9:05"), fork=True)
    a_message(db, fork, "Go on here.")
    db.commit()
    audit(database)
    assert sorted(judged) == keys_of(database)
    assert sum("9:05" in (one or "") for one in kept(database).values()) == 1
    del judged[:]
    grow(db, "bakery-fork")
    found = audit(database)
    assert judged == []
    forget(database)
    assert audit(database) == found


def test_the_stories_say_the_same_from_what_was_kept(db: OrmSession, database: Database) -> None:
    audited(db)
    stories.swallowed_reply(db)
    stories.family(db)
    bakery(db)
    audit(database)
    with database.write() as writing:
        writing.execute(update(Session).values(message_count=Session.message_count + 1))
    found = audit(database)
    forget(database)
    with database.write() as writing:
        writing.execute(update(Session).values(message_count=Session.message_count + 1))
    again = audit(database)
    assert again == found


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["v30.db"])
def test_corpus_databases_say_the_same_from_what_was_kept(
    corpus: Any, database: Database, judged: list[int], name: str
) -> None:
    import_path(database, corpus / name, ImportOptions(clock=lambda: NOON))
    found = audit(database)
    with database.write() as db:
        db.execute(update(Conversation).values(audit_mark=None))
    del judged[:]
    assert audit(database) == found
    with database.read() as reading:
        asked = [alone(reading, key).measured.case.facts for key in keys_of(database)]
    assert len(asked) > 2
    secret = {key for key, one in kept(database).items() if one is None}
    forks = {one.id for one in asked if one.fork}
    assert set(judged) <= secret | forks
