"""Rows whose texts are long: few of them are held at a time, whatever their number."""

import pytest
from sqlalchemy import func, select

from hermes_sessions.agents.values import Family, MessageRow
from hermes_sessions.messages import MessageState
from hermes_sessions.operations.imports import import_run, row_transactions
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.operations.imports.row_transactions import transactions
from hermes_sessions.operations.writing.insert_families import insert_families
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.schema.models import Message
from tests.agents.hermes.hermes_builder import row, session, state_db

MOST = 1_000


def long_row(ref: int, text: str) -> MessageRow:
    """Return a row of any session."""
    known = {"ref": ref, "origin_key": str(ref), "origin_row_id": ref, "digest": ref, "text": text}
    state = {"role": "user", "state": MessageState.LIVE}
    return MessageRow._make({**known, **state}.get(name) for name in MessageRow._fields)


def family_of(*texts: str) -> Family:
    """Return a family whose rows come one by one."""
    rows = [long_row(ref, text) for ref, text in enumerate(texts)]
    return Family(
        sessions=[],
        placements={},
        verdicts={},
        compactions=[],
        inherited={},
        row_count=len(rows),
        batches=lambda: (("s", [one]) for one in rows),
    )


def test_a_transaction_ends_with_the_batch_that_is_too_much(monkeypatch):
    monkeypatch.setattr(row_transactions, "TRANSACTION_CHARS", MOST)
    family = family_of("x" * 600, "x" * 600, "x" * 3_000, "x", "x")
    assert [(len(together), last) for together, last in transactions(family)] == [
        (2, False),
        (1, False),
        (2, True),
    ]


@pytest.fixture
def held(monkeypatch):
    """How many characters the families had that were stored at once, each time."""
    monkeypatch.setattr(import_run, "BATCH_CHARS", MOST)
    found = []

    def noted(db, origin, families):
        found.append(sum(one.chars for family in families for _, rows in family.batches() for one in rows))
        insert_families(db, origin, families)

    monkeypatch.setattr(import_run, "insert_families", noted)
    return found


def test_families_with_long_texts_are_stored_a_few_at_a_time(database, tmp_path, held):
    names = [f"s{number}" for number in range(6)]
    texts = {one: ["x" * 300] * 2 for one in names} | {"long": ["x" * 700] * 4}
    path = state_db(
        tmp_path / "state.db",
        sessions=[session(one) for one in texts],
        messages=[row(one, "user", text) for one, said in texts.items() for text in said],
    )
    import_path(database, path, ImportOptions(lambda: 1.79e9))
    with database.read() as db:
        assert check_store(db) == []
        assert db.scalar(select(func.count(Message.id))) == 16
    assert held == [1_200, 1_200, 1_200]
