"""Whoever reads while an import goes on sees each family whole."""

from contextlib import contextmanager

import pytest
from sqlalchemy import func, select

from hermes_sessions.operations.imports import row_transactions
from hermes_sessions.store.schema.models import Compaction, Message
from tests.agents.hermes.hermes_builder import row, session
from tests.operations.imports.scene import handoff, talk
from tests.operations.imports.test_in_place import ARCHIVED, marked

ASKED = talk("s", "ask 1", "reply 1", "ask 2", "reply 2")


@pytest.fixture
def seen(scene, monkeypatch):
    """(messages, compactions without a link to a handoff) after every transaction of a write."""
    found = []
    write = scene.database.write

    @contextmanager
    def watched(**how):
        with write(**how) as db:
            yield db
        with scene.database.read() as db:
            unlinked = select(func.count()).select_from(Compaction).where(Compaction.handoff_id.is_(None))
            found.append((db.scalar(select(func.count()).select_from(Message)), db.scalar(unlinked)))

    monkeypatch.setattr(scene.database, "write", watched)
    return found


def compacted():
    return [*marked(ASKED, **ARCHIVED), handoff("s"), row("s", "user", "ask 3")]


def test_a_compaction_comes_with_its_handoff(scene, seen):
    scene.play([session("s")], ASKED)
    del seen[:]
    scene.bring(scene.write([session("s")], compacted()))
    assert (6, 0) in seen
    assert all(unlinked == 0 for _, unlinked in seen)


def test_more_rows_than_one_transaction_should_hold_come_in_several(scene, seen, monkeypatch):
    scene.play([session("s")], ASKED)
    monkeypatch.setattr(row_transactions, "TRANSACTION_ROWS", 1)
    long = [*compacted(), *talk("s", *(f"said {number}" for number in range(2_500)), first="assistant")]
    del seen[:]
    scene.bring(scene.write([session("s")], long))
    assert len({count for count, _ in seen}) > 2
    assert seen[-1] == (2_506, 0)
