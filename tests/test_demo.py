import contextlib
import re
import sqlite3

import pytest
from sqlalchemy import func, select

from bench.diagrams import DOCS
from hermes_sessions.agents.hermes.discover import discover_databases
from hermes_sessions.agents.hermes.telemetry import read_telemetry
from hermes_sessions.demo import write_demo_home
from hermes_sessions.demo.stories_odd import HOSTILE
from hermes_sessions.messages import ConversationKind
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Compaction, Conversation, Message, Session

NOW = 1_790_000_000.0


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return write_demo_home(tmp_path_factory.mktemp("user") / ".hermes", now=NOW)


@pytest.fixture(scope="module")
def databases(home):
    return [found.path for found in discover_databases(home.parent)]


@pytest.fixture(scope="module")
def imported(tmp_path_factory, databases):
    """The store after the import of the demo, and what the import reported."""
    store = Database.open(str(tmp_path_factory.mktemp("store") / "store.db"))
    reports = [import_path(store, path, ImportOptions(clock=lambda: NOW)) for path in databases]
    yield store, reports
    store.close()


@pytest.fixture
def db(imported):
    with imported[0].read() as session:
        yield session


def rows(path, statement):
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement).fetchall()


def count(db, model, *conditions):
    return db.scalar(select(func.count()).select_from(model).where(*conditions))


def compactions_of(db, title):
    found = db.scalars(
        select(Compaction)
        .join(Conversation, Compaction.conversation_id == Conversation.id)
        .where(Conversation.title == title)
        .order_by(Compaction.ordinal)
    )
    return [(one.realisation, one.status, one.method) for one in found]


def test_the_home_is_found_where_an_agent_keeps_it(databases):
    assert [path.parent.name for path in databases] == [".hermes", "research"]


def test_every_row_is_taken(imported, databases):
    _, reports = imported
    for report, path in zip(reports, databases, strict=True):
        assert (report.rejected, report.damage) == ((), ())
        assert [(report.sessions, report.messages)] == rows(
            path, "SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM messages)"
        )


def test_there_is_something_of_every_kind(db):
    kinds = {kind.value: count(db, Conversation, Conversation.kind == kind) for kind in ConversationKind}
    assert kinds["chat"] >= 38
    assert (kinds["delegate"], kinds["scheduled"]) == (3, 3)


@pytest.mark.parametrize("relation", ["root", "compaction", "branch", "reset", "delegate"])
def test_there_is_a_session_of_every_relation(db, relation):
    assert count(db, Session, Session.relation == relation) >= 1


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        (
            "Invoice totals are off by one cent",
            [("rotation", "committed", "model")] * 2 + [("rotation", "committed", "fallback")],
        ),
        ("The upload test fails on Tuesdays", [("rotation", "committed", "model")] * 6),
        ("Router firmware notes", [("rotation", "interrupted", "none")]),
        ("Tax folder clean-up", [("rotation", "committed", "marker"), ("rotation", "committed", "none")]),
        ("Reading list on soil carbon", [("in_place", "committed", "model")] * 2),
        ("Board game prototype", [("rotation", "committed", "model"), ("in_place", "committed", "model")]),
        ("What is [CONTEXT COMPACTION]?", []),
    ],
)
def test_compactions_are_what_the_stories_tell(db, title, expected):
    assert compactions_of(db, title) == expected


def test_one_continuation_is_a_fork(db):
    assert count(db, Session, Session.fork.is_(True)) == 1


def test_both_merged_shapes_are_there(db):
    texts = db.scalars(select(Message.text).where(Message.kind == "merged")).all()
    assert any(text.startswith("[PRIOR CONTEXT") for text in texts)
    assert any(text.startswith("[CONTEXT COMPACTION") for text in texts)


def test_one_conversation_is_very_long(db):
    assert db.scalar(select(func.max(Conversation.message_count))) > 2000


def test_hostile_text_is_kept_to_the_letter(databases):
    stored = rows(databases[0], "SELECT content FROM messages WHERE role = 'tool'")
    assert {(text,) for text in HOSTILE} <= set(stored)


def test_each_compaction_left_a_line_in_the_log(db, databases):
    attempts = [attempt for path in databases for attempt in read_telemetry(path)]
    assert len(attempts) == count(db, Compaction, Compaction.fork.is_(False))
    assert sum(attempt.event == "started" for attempt in attempts) == 1
    assert all(attempt.logged_at is not None and attempt.logged_at < NOW for attempt in attempts)


def test_nothing_lies_in_the_future(databases):
    for path in databases:
        assert rows(path, "SELECT max(timestamp) FROM messages")[0][0] < NOW
        assert rows(path, "SELECT max(started_at) FROM sessions")[0][0] < NOW


def test_the_same_seed_tells_the_same_home(tmp_path, databases):
    again = write_demo_home(tmp_path / "again", now=NOW)
    for statement in ("SELECT * FROM sessions", "SELECT * FROM messages"):
        assert rows(again / "state.db", statement) == rows(databases[0], statement)


def test_another_seed_tells_other_ids(tmp_path, databases):
    other = write_demo_home(tmp_path / "other", seed=8, now=NOW)
    ids = "SELECT id FROM sessions WHERE source <> 'cron'"
    assert not set(rows(other / "state.db", ids)) & set(rows(databases[0], ids))


def test_a_home_is_never_written_over(home):
    with pytest.raises(FileExistsError, match="is there already"):
        write_demo_home(home)


def test_the_agents_counts_fit_the_texts(db):
    counted = db.execute(
        select(Compaction.tokens_before, func.sum(func.length(Message.text)))
        .join(Message, Message.archived_by == Compaction.id)
        .where(Compaction.tokens_before.is_not(None))
        .group_by(Compaction.id)
    ).all()
    assert len(counted) > 20
    for tokens, chars in counted:
        assert chars / 8 <= tokens <= 1_000 + 2 * chars


def test_the_compaction_that_the_guide_names_is_the_one_that_swallowed_an_answer(db):
    page = (DOCS / "audit.md").read_text("utf-8")
    [number] = set(re.findall(r"hermes-sessions audit (\d+)", page))
    found = db.get_one(Compaction, int(number))
    assert db.get_one(Conversation, found.conversation_id).title == "Move the job queue to streams"
