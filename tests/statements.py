"""The statements that a piece of work asks the store, and how it answers them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from hermes_sessions.store.opening.database import Database

Statements = list[tuple[str, Any]]


@contextmanager
def recorded(database: Database) -> Iterator[Statements]:
    """Collect the questions (not the pragmas, and what stands for them) that are asked inside."""
    found: Statements = []

    def note(connection: Any, cursor: Any, statement: str, parameters: Any, *rest: Any) -> None:
        asks = statement.lstrip().upper().startswith(("SELECT", "WITH"))
        if asks and not any(one in statement for one in ("pg_current_snapshot", "FROM change_base")):
            found.append((statement, parameters))

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(database.engine, "before_cursor_execute", note)


def plan_of(database: Database, statements: Statements) -> list[str]:
    """Return the lines of SQLite's plans for these statements."""
    lines = []
    with database.engine.connect() as connection:
        for statement, parameters in statements:
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters):
                lines.append(row[3])
    return lines
