"""How many rows of a family are stored in one transaction."""

from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.agents.values import Family, MessageRow

TRANSACTION_ROWS: Final = 2_000
TRANSACTION_CHARS: Final = 16_000_000
"""Together with the batch by which they exceed this."""


Batches = list[tuple[str, Sequence[MessageRow]]]


def transactions(family: Family) -> Iterator[tuple[Batches, bool]]:
    """Yield batches of rows, as many together as one transaction should hold, and whether they are the last.

    Each looks at all sessions of the family once more: where these are many, so are the rows.
    At least one comes, maybe without a row.
    """
    most = max(TRANSACTION_ROWS, len(family.sessions) // 2)
    together: Batches = []
    rows = chars = 0
    for session, batch in family.batches():
        together.append((session, batch))
        rows += len(batch)
        chars += sum(row.chars for row in batch)
        del batch
        if rows >= most or chars >= TRANSACTION_CHARS:
            yield together, False
            together, rows, chars = [], 0, 0
    yield together, True
