"""Statements over many rows: ids in portions that both engines take, updates by key."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from sqlalchemy import bindparam, update
from sqlalchemy.orm import Session as DbSession

Key = TypeVar("Key", int, str)
_CHUNK: Final = 5_000
"""Ids per statement: far below what both engines take."""


def update_rows(db: DbSession, table: type[Any], rows: Sequence[Mapping[str, Any]]) -> None:
    """Update rows of *table* by primary key `key`; all of *rows* name the same columns."""
    if not rows:
        return
    target = table.__table__
    names = [name for name in rows[0] if name != "key"]
    statement = (
        update(target)
        .where(target.c.id == bindparam("key"))
        .values({name: bindparam(name) for name in names})
    )
    db.connection().execute(statement, list(rows))


def chunks(ids: Iterable[Key]) -> Iterable[list[Key]]:
    """Return *ids* sorted, in lists that one statement takes."""
    pending = sorted(set(ids))
    return (pending[at : at + _CHUNK] for at in range(0, len(pending), _CHUNK))
