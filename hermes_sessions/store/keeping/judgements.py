"""What the audit judged of handoffs: kept with the compaction, and gone with it or with the words it quotes.

A judgement counts only for the digest that it was kept under, so that a stale one is never read;
what changes words in place takes it away all the same: it quotes them. Before each is written a
checksum of it: what is not as it was written is not read.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final

from sqlalchemy import select, update
from sqlalchemy.orm import Session as DbSession

from hermes_sessions import paths
from hermes_sessions.store.engines.statements import chunks, update_rows
from hermes_sessions.store.schema.models import Compaction

_CHECKSUM_BYTES: Final = 8
JUDGED_BY = (
    "audit", "facts", "handoff", "redact", "errors.py", "json_text.py", "late_patterns.py", "messages.py",
)  # fmt: skip
"""The modules and rooms by which a handoff is judged, and by which its judgement is kept or not."""


@cache
def judging_version() -> str:
    """Return what changes with the code that judges handoffs."""
    return paths.source_digest(*JUDGED_BY)


def load_judgements(db: DbSession, conversation_id: int, compaction_id: int | None = None) -> dict[int, str]:
    """Return what is kept, undamaged, of a conversation's handoffs, or of one of them, by compaction."""
    stmt = select(Compaction.id, Compaction.judgement).where(
        Compaction.conversation_id == conversation_id, Compaction.judgement.is_not(None)
    )
    if compaction_id is not None:
        stmt = stmt.where(Compaction.id == compaction_id)
    found = ((row.id, _without_checksum(row.judgement)) for row in db.execute(stmt))
    return {key: one for key, one in found if one is not None}


def keep_judgements(db: DbSession, judgements: Mapping[int, str | None]) -> None:
    """Keep judgements by compaction, in place of those that were there; None keeps none."""
    rows = ((key, None if one is None else _with_checksum(one)) for key, one in sorted(judgements.items()))
    update_rows(db, Compaction, [{"key": key, "judgement": one} for key, one in rows])


def drop_judgements(db: DbSession, compaction_ids: Iterable[int]) -> None:
    """Take away what is kept of these compactions."""
    _empty(db, Compaction.id, compaction_ids)


def forget_judgements(db: DbSession, conversation_ids: Iterable[int]) -> None:
    """Take away what is kept of the compactions of these conversations."""
    _empty(db, Compaction.conversation_id, conversation_ids)


def find_damaged_judgements(db: DbSession) -> Iterator[int]:
    """Yield the compactions of which something is kept that is no judgement."""
    stmt = select(Compaction.id, Compaction.judgement).where(Compaction.judgement.is_not(None))
    for key, written in db.execute(stmt.order_by(Compaction.id).execution_options(yield_per=100)):
        if not _is_judgement(written):
            yield key


def _empty(db: DbSession, column: Any, keys: Iterable[int]) -> None:
    for chunk in chunks(keys):
        statement = update(Compaction).where(column.in_(chunk), Compaction.judgement.is_not(None))
        db.execute(statement.values(judgement=None).execution_options(synchronize_session=False))


def _with_checksum(judgement: str) -> str:
    checksum = hashlib.blake2b(judgement.encode(), digest_size=_CHECKSUM_BYTES).hexdigest()
    return f"{checksum} {judgement}"


def _without_checksum(written: Any) -> str | None:
    """Return a judgement as it was given to be kept; None for anything else, of whatever type."""
    judgement = written.partition(" ")[2] if isinstance(written, str) else ""
    return judgement if judgement and _with_checksum(judgement) == written else None


def _is_judgement(written: Any) -> bool:
    try:
        found: Any = json.loads(_without_checksum(written) or "")
    except (ValueError, RecursionError):
        return False
    return (
        isinstance(found, list)
        and [type(one) for one in found] == [str, list]
        and all(isinstance(one, list) for one in found[1])
    )
