"""Asking all stores of a fleet: those of one server together, the others beside each other."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, TypeVar

from sqlalchemy import Connection
from sqlalchemy import orm as sa_orm

from hermes_sessions.errors import StoreUnavailableError
from hermes_sessions.store.fleet.faults import fault_of_store
from hermes_sessions.store.fleet.members import Fleet, SharedServer
from hermes_sessions.store.fleet.together import First, PlansForgottenError, StoreQuestion, ask_together

T = TypeVar("T")
Rows = list[tuple[str, tuple[Any, ...]]]
_AT_ONCE: Final = 8
"""How many servers and files are asked at the same time."""


def ask(fleet: Fleet, asked: Mapping[str, StoreQuestion], first: First | None = None) -> Rows:
    """Return (store, row) of what every store in *asked* answers.

    A store that cannot be read is left out, and the fleet notes why.

    Args:
        first: of all stores together these are enough; there may be more.

    Raises:
        QueryTimeoutError, StoreBusyError: the store is well, but it did not answer this question.
    """
    together = [
        (server, names)
        for server, every in fleet.servers()
        if not server.apart and len(names := [name for name in every if name in asked]) > 1
    ]
    shared = {name for _, names in together for name in names}
    jobs: list[Callable[[], Rows]] = [
        partial(_of_server, fleet, server, {one: asked[one] for one in names}, first)
        for server, names in together
    ]
    jobs += [partial(_of_one, fleet, name, asked[name]) for name in asked if name not in shared]
    return [row for rows in _at_once(jobs) for row in rows]


def in_each(fleet: Fleet, names: Sequence[str], work: Callable[[sa_orm.Session, str], T]) -> dict[str, T]:
    """Do *work* in a reader's transaction of each store; those that cannot be read are left out."""

    def do(name: str) -> list[tuple[str, T]]:
        try:
            with fleet.database(name).read() as db:
                return [(name, work(db, name))]
        except Exception as error:
            fleet.leave_out([name], error)
            return []

    # The stores of one server in turn: they share their connections.
    parts = [[name for name in every if name in names] for _, every in fleet.servers()]
    shared = {name for part in parts for name in part}
    parts += [[name] for name in names if name not in shared]
    jobs = [lambda part=part: [pair for name in part for pair in do(name)] for part in parts if part]
    return dict(pair for pairs in _at_once(jobs) for pair in pairs)


def on_server(server: SharedServer, work: Callable[[Connection], T]) -> T:
    """Return what *work* asks stores of a server together, in a transaction.

    Raises:
        StoreUnavailableError: the server is away.
    """
    try:
        return _transaction(server, work)
    except PlansForgottenError:
        return _transaction(server, work)


def _transaction(server: SharedServer, work: Callable[[Connection], T]) -> T:
    # Committed at the end: after a rollback the driver forgets what is planned.
    with server.place.errors(), server.opened().begin() as connection:
        return work(connection)


def _at_once(jobs: Sequence[Callable[[], T]]) -> list[T]:
    if len(jobs) < 2:
        return [job() for job in jobs]
    with ThreadPoolExecutor(min(_AT_ONCE, len(jobs)), "ask the stores") as threads:
        return list(threads.map(lambda job: job(), jobs))


def _of_one(fleet: Fleet, name: str, asked: StoreQuestion) -> Rows:
    try:
        with fleet.database(name).read() as db:
            return [(name, tuple(row)) for row in db.execute(asked.statement, asked.values)]
    except Exception as error:
        fleet.leave_out([name], error)
        return []


def _of_server(
    fleet: Fleet, server: SharedServer, asked: Mapping[str, StoreQuestion], first: First | None
) -> Rows:
    schemas = {server.schema_of(name): name for name in asked}
    by_schema = {schema: asked[name] for schema, name in schemas.items()}
    try:
        answers = on_server(server, lambda connection: ask_together(connection, by_schema, first))
        return [(schemas[one], row) for one, row in answers]
    except StoreUnavailableError as error:
        fleet.leave_out(asked, error)
        return []
    except Exception as error:
        if fault_of_store(error, server.place.name) is None:
            raise
        # One of them may have gone or changed since it was looked at; then the others are asked alone.
        rows = [_of_one(fleet, name, one) for name, one in asked.items()]
        return [row for some in rows for row in some]
