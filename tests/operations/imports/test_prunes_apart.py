"""Prunes are stored beside compactions, and counted and numbered apart from them."""

from pathlib import Path

import pytest
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.exporters.compaction_words import compaction_name
from hermes_sessions.operations.documents.compactions import compactions_document
from hermes_sessions.operations.documents.conversations import conversation_document
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.conversations import list_facets
from hermes_sessions.store.queries.findings import load_context_points, load_neighbours
from hermes_sessions.store.schema.models import Compaction, Conversation
from tests.agents.claude_code.transcript_builder import Transcript


def prune(talk: Transcript, name: str) -> None:
    talk.call(name)
    talk.result(name, f"output of {name}")
    told = {"trigger": "auto", "preTokens": 98_000, "tokensSaved": 24_000, "compactedToolIds": [name]}
    talk.add("system", subtype="microcompact_boundary", microcompactMetadata=told)


@pytest.fixture
def stored(database: Database, tmp_path: Path) -> Database:
    """A conversation with two prunes, a compaction, a prune and a compaction."""
    talk = Transcript(tmp_path / ".claude" / "projects" / "-app" / "a.jsonl")
    talk.ask("first")
    prune(talk, "t1")
    prune(talk, "t2")
    talk.reply("one")
    talk.compact("Summary:\nall of it")
    talk.ask("second")
    prune(talk, "t3")
    talk.compact("Summary:\nmore")
    talk.write()
    import_path(database, tmp_path / ".claude", ImportOptions(lambda: 1.0))
    return database


@pytest.fixture
def told(stored: Database):
    with stored.read() as db:
        yield db


NAMES = ["Prune 1 of 3", "Prune 2 of 3", "Compaction 1 of 2", "Prune 3 of 3", "Compaction 2 of 2"]


def test_a_list_counts_them_apart(told: OrmSession) -> None:
    value = conversation_document(told, "a").conversation
    assert (value.compactions, value.prunes) == (2, 3)
    facets = list_facets(told)
    assert (facets.compactions, facets.prunes) == (2, 3)


def test_each_has_a_number_among_its_kind(told: OrmSession) -> None:
    rows = compactions_document(told, "a").compactions
    totals = {"prune": 3, "model": 2}
    assert [compaction_name(row.method, row.ordinal, totals[row.method]) for row in rows] == NAMES


def test_the_chart_is_about_compactions(told: OrmSession) -> None:
    [conversation] = told.query(Conversation).all()
    assert [point.ordinal for point in load_context_points(told, conversation.id)] == [1, 2]


def test_neighbours_are_of_both_kinds(told: OrmSession) -> None:
    third = told.query(Compaction).filter_by(ordinal=3).one()
    before, after = load_neighbours(told, third.conversation_id, third.id)
    assert before is not None
    assert after is not None
    assert [(one.ordinal, one.is_prune) for one in (before, after)] == [(2, True), (3, True)]


def test_the_check_derives_the_same(stored: Database) -> None:
    with stored.read() as db:
        assert check_store(db) == []
    with stored.write() as db:
        db.query(Compaction).filter_by(ordinal=3).update({"number": 3})
        db.query(Conversation).update({"prune_count": 9})
    with stored.read() as db:
        assert {(one.column, one.stored, one.derived) for one in check_store(db)} == {
            ("number", 3, 1),
            ("prune_count", 9, 3),
        }
