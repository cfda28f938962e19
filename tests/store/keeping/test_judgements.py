"""How a handoff was judged is kept with its compaction, and goes with it or with the words that it quotes."""

import subprocess
import sys
from collections.abc import Callable

import pytest
from sqlalchemy import select, text, update
from sqlalchemy.exc import InvalidRequestError
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.operations.auditing.audit_conversations import run_audit
from hermes_sessions.operations.move import move_store
from hermes_sessions.operations.organising.erase import erase_conversations
from hermes_sessions.operations.organising.redact_store import redact_store
from hermes_sessions.store.keeping.audit_marks import forget_audits
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.keeping.judgements import (
    JUDGED_BY,
    drop_judgements,
    judging_version,
    keep_judgements,
    load_judgements,
)
from hermes_sessions.store.keeping.repair import repair_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.stored_audits import FindingListing
from hermes_sessions.store.schema.models import Compaction, Conversation, Session, SystemPrompt
from tests.builders import NOON, a_compaction, a_conversation, a_session
from tests.web.auditing.audit_story import store_findings
from tests.web.auditing.bakery import bakery


@pytest.fixture
def store(db: OrmSession, database: Database) -> Database:
    bakery(db)
    store_findings(database)
    return database


def kept(database: Database) -> dict[int, str | None]:
    with database.read() as db:
        found = db.execute(select(Compaction.id, Compaction.judgement).order_by(Compaction.id))
        return {row.id: row.judgement for row in found}


def conversation(database: Database) -> int:
    with database.read() as db:
        return db.scalars(select(Conversation.id).where(Conversation.public_id == "bakery")).one()


def test_an_audit_keeps_how_it_judged(store: Database) -> None:
    assert ["8:15" in (one or "") for one in kept(store).values()] == [True, False]
    assert None not in kept(store).values()
    with store.read() as db:
        assert check_store(db) == []


def test_whoever_rewrites_text_takes_away_what_quotes_it(store: Database) -> None:
    with store.write() as db:
        forget_audits(db, [conversation(store)])
    assert set(kept(store).values()) == {None}


def test_other_conversations_keep_theirs(db: OrmSession, store: Database) -> None:
    other = a_compaction(db, a_session(db, a_conversation(db, id="other")), judgement="[]")
    db.commit()
    with store.write() as writing:
        forget_audits(writing, [conversation(store)])
    assert kept(store)[other.id] == "[]"


def test_masked_words_take_it_along(store: Database) -> None:
    redact_store(store, secret="opens at 6:40")
    assert "6:40" not in repr(kept(store))
    assert set(kept(store).values()) == {None}


def test_words_that_no_audit_quotes_take_it_along_too(store: Database) -> None:
    redact_store(store, secret="Understood.")
    assert set(kept(store).values()) == {None}


def test_masked_instructions_take_it_along(db: OrmSession, store: Database) -> None:
    db.add(SystemPrompt(hash="terse", text="Say sparrow-2207 first."))
    db.flush()
    db.execute(update(Session).values(system_prompt_hash="terse"))
    db.commit()
    redact_store(store, secret="sparrow-2207")
    assert set(kept(store).values()) == {None}


def test_a_masked_summary_takes_it_along(db: OrmSession, store: Database) -> None:
    """Where its handoff has no row of its own, nothing else is masked."""
    db.execute(update(Compaction).values(summary="The safe opens with heron-4471."))
    db.commit()
    redact_store(store, secret="heron-4471")
    assert set(kept(store).values()) == {None}


def test_an_erased_parent_takes_along_what_quotes_it(db: OrmSession, database: Database) -> None:
    """A continuation that was kept apart still quotes what went."""
    away = a_conversation(db, id="away")
    row = a_compaction(db, a_session(db, a_conversation(db, id="left")), judgement='["0",[]]')
    row.parent_id = away.root_id
    db.commit()
    with database.write() as writing:
        erase_conversations(writing, [away.id])
    assert kept(database) == {row.id: None}


CHANGES: dict[str, Callable[[str], object]] = {
    "a digit": lambda written: written.replace("8:15", "9:15"),
    "no checksum": lambda written: written.partition(" ")[2],
    "bytes": lambda written: written.encode(),
    "no text": lambda written: b"\xff" + written.encode(),
    "cut off": lambda written: written[:-1],
    "nothing": lambda written: "",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_what_is_not_as_it_was_written_is_not_read(
    db: OrmSession, store: Database, change: Callable[[str], object]
) -> None:
    first, second = kept(store)
    before = kept(store)
    written = change(before[first] or "")
    if isinstance(written, bytes) and db.get_bind().dialect.name != "sqlite":
        pytest.skip("a column of text holds text alone there")
    db.execute(text("UPDATE compactions SET judgement = :one WHERE id = :id"), {"one": written, "id": first})
    db.execute(update(Conversation).values(audit_mark=None))
    db.commit()
    with store.read() as reading:
        assert load_judgements(reading, conversation(store)).keys() == {second}
        assert [(one.table, one.id) for one in check_store(reading)] == [("compactions", first)]
    assert run_audit(store, FindingListing(), clock=lambda: NOON).audited == 1
    assert kept(store) == before


@pytest.mark.parametrize("judgement", ["x", "", "{}", '["a"]', '["a",7]', '["a",[7]]', "7", "[" * 100_000])
def test_what_is_damaged_is_found_and_dropped(store: Database, judgement: str) -> None:
    first = min(kept(store))
    with store.write() as db:
        keep_judgements(db, {first: judgement})
    with store.read() as db:
        assert [(one.table, one.id, one.column) for one in check_store(db)] == [
            ("compactions", first, "judgement")
        ]
    assert repair_store(store).left == []
    assert [one is None for one in kept(store).values()] == [True, False]


def test_it_moves_with_the_store(store: Database, tmp_path, store_url: str) -> None:
    target = str(tmp_path / "moved.db")
    move_store(store_url, target)
    with Database.open(target, create=False) as moved:
        assert kept(moved) == kept(store)


def test_it_is_loaded_for_one_compaction_or_for_all(store: Database) -> None:
    first, second = kept(store)
    key = conversation(store)
    with store.write() as db:
        assert load_judgements(db, key) == {
            one: (written or "").partition(" ")[2] for one, written in kept(store).items()
        }
        assert load_judgements(db, key, second).keys() == {second}
        drop_judgements(db, [first])
    with store.read() as db:
        assert load_judgements(db, key).keys() == {second}


def test_whoever_loads_a_compaction_does_not_load_it(store: Database) -> None:
    with store.read() as db:
        row = db.scalars(select(Compaction)).first()
        assert row is not None
        with pytest.raises(InvalidRequestError):
            _ = row.judgement


def test_the_version_is_that_of_all_code_that_judges() -> None:
    script = "import sys, hermes_sessions.audit.measure, hermes_sessions.redact\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    names = {one.split(".")[1] for one in done.stdout.split() if one.startswith("hermes_sessions.")}
    # Tokens are counted for sizes alone.
    assert names - {"tokens", "_vocab"} == {one.removesuffix(".py") for one in JUDGED_BY}
    assert len(judging_version()) == 24


def test_an_audit_of_nothing_new_writes_nothing(store: Database) -> None:
    before = kept(store)
    assert run_audit(store, FindingListing(), clock=lambda: NOON).audited == 0
    assert kept(store) == before
