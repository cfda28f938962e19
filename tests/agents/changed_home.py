"""A home that is imported again and again, and what the store then has of it."""

from sqlalchemy import select

from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Compaction, Message, Session

NOW = 1_790_000_000.0


def bring(database, path):
    """Import; afterwards the store agrees with itself."""
    report = import_path(database, path, ImportOptions(lambda: NOW))
    with database.read() as db:
        found = check_store(db)
        assert found == []
    return report


def as_stored(database):
    """Return everything that is still at the origin, without keys of the store."""
    with database.read() as db:
        sessions = {row.id: row.foreign_id for row in db.scalars(select(Session)) if row.gone_at is None}
        rows = [
            (sessions[row.session_id], row.origin_key, row.role, row.kind, row.state, row.text, row.shown)
            for row in db.scalars(select(Message).order_by(Message.session_id, Message.position))
            if row.session_id in sessions and row.origin_key is not None
        ]
        keys = {row.id: row.origin_key for row in db.scalars(select(Message))}
        events = [
            (
                one.origin_key,
                one.status,
                one.span_messages,
                one.summary,
                keys.get(one.span_first_id),
                one.tail_messages,
            )
            for one in db.scalars(select(Compaction).order_by(Compaction.origin_key))
            if one.session_id in sessions
        ]
    return sorted(rows), events


def titles(database):
    """Return what the sessions that are still at the origin are called."""
    with database.read() as db:
        found = db.execute(select(Session.foreign_id, Session.title).where(Session.gone_at.is_(None)))
        return {row.foreign_id: row.title for row in found}


def assert_as_afresh(database, home, tmp_path, steps, *, each_changes=False):
    """Import a home before the first step and after each: the store ends as if it were imported once.

    *each_changes*: the mark of a session changes with every step.
    """
    bring(database, home.path)
    for step in steps:
        step(home)
        report = bring(database, home.path)
        assert not (each_changes and report.unchanged)
    with Database.open(str(tmp_path / "fresh.db")) as fresh:
        bring(fresh, home.path)
        assert as_stored(database) == as_stored(fresh)
        assert titles(database) == titles(fresh)
    assert bring(database, home.path).unchanged
