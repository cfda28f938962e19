"""Statements that go to the engine together: at once, or with the commit."""

from typing import Any, Final

import pytest
from sqlalchemy import bindparam, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions import Store
from hermes_sessions.errors import StoreConflictError
from hermes_sessions.store.engines.exchange import Step, exchange, exchange_at_end
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Session
from tests.servers import Databases

NAMED: Final = update(Session).where(Session.id == bindparam("key")).values(title=bindparam("name"))
KEYED: Final = update(Session).where(Session.id == bindparam("key")).values(public_id=bindparam("name"))


def titles(database: Database) -> list[str | None]:
    with database.read() as db:
        return list(db.scalars(select(Session.title).order_by(Session.id)))


def test_what_is_left_to_the_end_is_stored_with_the_commit(database: Database) -> None:
    Store(database).create_session(title="before")
    with database.write(beside=True) as db:
        exchange_at_end(db.connection(), [Step(NAMED, {"key": 1, "name": "first"})])
        exchange_at_end(db.connection(), [Step(NAMED, {"key": 1, "name": "second"})])
    assert titles(database) == ["second"]


def test_what_is_left_to_the_end_goes_with_its_transaction(database: Database) -> None:
    Store(database).create_session(title="before")

    def fail(db: OrmSession) -> None:
        exchange_at_end(db.connection(), [Step(NAMED, {"key": 1, "name": "never"})])
        raise KeyError

    with pytest.raises(KeyError):
        database.run(fail)
    with database.write(beside=True):
        pass
    assert titles(database) == ["before"]


@pytest.mark.postgresql
def test_what_is_wrong_at_the_end_undoes_everything(servers: Databases) -> None:
    with Store.open(servers.fresh()) as store:
        for name in ("one", "two"):
            store.create_session(session_id=name, title=name)

        def take(db: OrmSession) -> None:
            exchange(db.connection(), [Step(NAMED, {"key": 1, "name": "changed"})])
            exchange_at_end(db.connection(), [Step(KEYED, {"key": 1, "name": "two"})])

        with pytest.raises(StoreConflictError) as told, store.database.write(beside=True) as db:
            take(db)
        assert isinstance(told.value.__cause__, IntegrityError)
        assert titles(store.database) == ["one", "two"]
        # The connection is as good as before.
        store.append("one", {"role": "user", "content": "still here"})
        assert [message["content"] for message in store.load("one")] == ["still here"]


def test_answers_come_in_the_order_of_the_questions(database: Database) -> None:
    Store(database).create_session(title="a")
    asked: Any = select(Session.title).where(Session.id == bindparam("key"))
    with database.write(beside=True) as db:
        steps = [Step(asked, {"key": 1}), Step(NAMED, {"key": 1, "name": "b"}), Step(asked, {"key": 1})]
        assert exchange(db.connection(), steps) == [[("a",)], [], [("b",)]]
