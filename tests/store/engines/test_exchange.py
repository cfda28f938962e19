"""Statements that go to the engine together: at once, or with the commit."""

from typing import Any, Final

import pytest
from sqlalchemy import bindparam, select, update
from sqlalchemy.exc import IntegrityError

from hermes_sessions import Store
from hermes_sessions.errors import StoreConflictError
from hermes_sessions.store.engines.exchange import Direct, Planned, Step, exchange
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Session
from tests.servers import Databases

NAMED: Final = update(Session).where(Session.id == bindparam("key")).values(title=bindparam("name"))
KEYED: Final = update(Session).where(Session.id == bindparam("key")).values(public_id=bindparam("name"))

ASKED: Final[Any] = select(Session.title).where(Session.id == bindparam("key"))


def titles(database: Database) -> list[str | None]:
    with database.read() as db:
        return list(db.scalars(select(Session.title).order_by(Session.id)))


def public_id(database: Database) -> str:
    with database.read() as db:
        return db.scalars(select(Session.public_id)).one()


def named(name: str, statement: Any = NAMED) -> Planned[str]:
    """What changes the session 1 and returns the name."""
    return Planned([Step(statement, {"key": 1, "name": name})], name, lambda: Step(ASKED, {"key": 1}))


def test_what_is_planned_is_stored_and_its_value_returned(database: Database) -> None:
    Store(database).create_session(title="before")
    found: list[Any] = []

    def plan(line: Direct) -> Planned[str]:
        found.extend(line.ask([Step(ASKED, {"key": 1}), Step(ASKED, {"key": 2})]))
        return named("after")

    assert database.run_directly(plan) == "after"
    assert found == [[("before",)], []]
    assert titles(database) == ["after"]


def test_no_plan_and_an_error_leave_everything_as_it_was(database: Database) -> None:
    Store(database).create_session(title="before")

    def give_up(line: Direct) -> None:
        line.ask([])
        exchange(line, [Step(NAMED, {"key": 1, "name": "never"})])

    def fail(line: Direct) -> None:
        give_up(line)
        raise KeyError

    assert database.run_directly(give_up) is None
    with pytest.raises(KeyError):
        database.run_directly(fail)
    assert titles(database) == ["before"]
    Store(database).append(public_id(database), {"role": "user", "content": "goes on"})


@pytest.mark.postgresql
def test_what_is_wrong_at_the_end_undoes_everything(servers: Databases) -> None:
    with Store.open(servers.fresh()) as store:
        for name in ("one", "two"):
            store.create_session(session_id=name, title=name)

        def take(line: Direct) -> Planned[str]:
            line.ask([])
            exchange(line, [Step(NAMED, {"key": 1, "name": "changed"})])
            return named("two", KEYED)

        with pytest.raises(StoreConflictError) as told:
            store.database.run_directly(take)
        assert isinstance(told.value.__cause__, IntegrityError)
        assert titles(store.database) == ["one", "two"]
        # The connection is as good as before.
        store.append("one", {"role": "user", "content": "still here"})
        assert [message["content"] for message in store.load("one")] == ["still here"]


def test_answers_come_in_the_order_of_the_questions(database: Database) -> None:
    Store(database).create_session(title="a")
    with database.write(beside=True) as db:
        steps = [Step(ASKED, {"key": 1}), Step(NAMED, {"key": 1, "name": "b"}), Step(ASKED, {"key": 1})]
        assert exchange(db.connection(), steps) == [[("a",)], [], [("b",)]]
