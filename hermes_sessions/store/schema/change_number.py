"""The number of a change to a conversation.

Writers of a file come one after the other, so numbers are given out in the order of commits. They
are the milliseconds since 1970 where that is higher than the highest in use, so that a
number is not given out again when the conversation that had it is deleted. PostgreSQL gives
every transaction a number before it writes (`store/engines/change_base.py`); what is written has that one.
"""

from typing import Any

from sqlalchemy import BigInteger, ColumnElement
from sqlalchemy.ext.compiler import compiles

_HIGHEST = "coalesce((SELECT c.changed FROM conversations AS c ORDER BY c.changed DESC LIMIT 1), 0) + 1"


class NextChange(ColumnElement[int]):
    """The next number, as an expression that the engine computes in the statement that writes."""

    inherit_cache = True
    type = BigInteger()


@compiles(NextChange)
def _elsewhere(element: NextChange, compiler: Any, **options: Any) -> str:
    return "CAST(current_setting('hermes_sessions.change') AS bigint)"


@compiles(NextChange, "sqlite")
def _on_sqlite(element: NextChange, compiler: Any, **options: Any) -> str:
    return f"max({_HIGHEST}, CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER))"
