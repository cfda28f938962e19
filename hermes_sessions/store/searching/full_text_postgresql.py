"""The full-text index on PostgreSQL: a row of vectors per message, its key growing with time.

The same words, the same segmentation and the same keys as on SQLite, so the same
answers; see `full_text` for the interface. Callers own the transaction.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    MetaData,
    Select,
    Table,
    and_,
    case,
    exists,
    func,
    literal,
    or_,
    select,
    true,
    union_all,
)
from sqlalchemy import cast as sql_cast
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import ARRAY, TSQUERY, TSVECTOR
from sqlalchemy.orm import Session

from hermes_sessions.store.engines.bulk_insert import copy_rows
from hermes_sessions.store.engines.exchange import Step
from hermes_sessions.store.language.postgresql_vectors import Sought, sought, vectors
from hermes_sessions.store.language.query_terms import Term
from hermes_sessions.store.language.tokenizer_words import words

INDEX: Final = Table(
    "messages_fts",
    MetaData(),
    Column("search_key", BigInteger, primary_key=True),
    Column("vector", TSVECTOR, nullable=False),
    Column("more", ARRAY(TSVECTOR)),
)
_COLUMNS: Final = ("search_key", "vector", "more")
PLACE_BITS: Final = 26
"""How many bits of a key tell the rows of one second from each other."""
NEAR_ROWS: Final = 2_000
"""How many of the newest rows are looked through before the GIN index is asked."""
_REMOVE = sql("DELETE FROM messages_fts WHERE search_key = ANY(CAST(:keys AS bigint[]))")
_INSERT = sql(
    "INSERT INTO messages_fts (search_key, vector, more)"
    " VALUES (:key, CAST(:vector AS tsvector), CAST(:more AS tsvector[]))"
)
_SET_VERSION = sql("UPDATE messages_fts_version SET version = :version")


def search_key(second: int, row: int) -> int:
    """Return the place of the message *row* in the index: its second, then its key, so that no writer waits.

    Args:
        second: seconds since 2010; 0 for a row without a usable time, whose place is its key.
    """
    return row if second == 0 else second << PLACE_BITS | row & ((1 << PLACE_BITS) - 1)


def index_rows(db: Session, rows: Iterable[tuple[int, str]]) -> None:
    """Add (key, segmented text) rows."""
    found = []
    for key, text in rows:
        made = vectors(words(text))
        found.append((key, made.vector, list(made.more) or None))
    copy_rows(db.connection(), "messages_fts", _COLUMNS, found)


def index_steps(rows: Iterable[tuple[int, str]]) -> list[Step]:
    """Return what adds a few (key, segmented text) rows."""
    made = [(key, vectors(words(text))) for key, text in rows]
    return [
        Step(_INSERT, {"key": key, "vector": one.vector, "more": list(one.more) or None}) for key, one in made
    ]


def unindex_rows(db: Session, keys: Iterable[int]) -> None:
    """Remove rows by their keys; which words they had need not be known."""
    wanted = list(keys)
    if wanted:
        db.execute(_REMOVE, {"keys": wanted})


def clear_index(db: Session) -> None:
    """Remove all rows; whoever searches meanwhile still finds them."""
    db.execute(sql("DELETE FROM messages_fts"))


def set_version(db: Session, version: int) -> None:
    """Note which version of the segmentation the index was made with."""
    db.execute(_SET_VERSION, {"version": version})


def index_version(db: Session) -> int:
    """Return the version of the segmentation that the index was made with."""
    return int(db.execute(sql("SELECT version FROM messages_fts_version")).scalar_one())


# -- asking ----------------------------------------------------------------------------------------


def select_newest(
    groups: Sequence[Sequence[Term]],
    excluded: Sequence[Term],
    keys: tuple[int, int],
    limit: int,
) -> Select[tuple[int]]:
    """Return a statement for the `key` of the newest *limit* matches, with keys from *keys* alone."""
    return _newest([INDEX.c.search_key.label("key")], matches(groups, excluded), keys, limit)


def select_near(
    condition: ColumnElement[bool], low: int, below: ColumnElement[int], rows: int
) -> Select[Any]:
    """Return a statement for `key` and `fits` of the newest *rows* rows, walked back from the end."""
    key = INDEX.c.search_key
    stmt = select(key.label("key"), condition.label("fits")).where(key >= low, key < below)
    return stmt.order_by(key.desc()).limit(rows)


def select_far(condition: ColumnElement[bool], low: int, below: ColumnElement[int], rows: int) -> Select[Any]:
    """Return a statement for `key` and `fits` of the newest *rows* matches, had from the GIN index alone."""
    key = INDEX.c.search_key
    far = key + 0  # a sum is in no index of keys
    stmt = select(key.label("key"), true().label("fits")).where(condition, far >= low, far < below)
    return stmt.order_by(far.desc()).limit(rows)


def select_scored(
    groups: Sequence[Sequence[Term]], excluded: Sequence[Term], keys: tuple[int, int], limit: int
) -> Select[tuple[int, float]]:
    """Return a statement for `key` and `score` (lower is better) of the newest *limit* matches."""
    words = [one.exact for group in groups for term in group if not term.mark and (one := sought(term))]
    # 1: a text counts less the longer it is, by the logarithm of its length.
    rank = func.ts_rank(INDEX.c.vector, _query(" | ".join(words)), 1) if words else literal(0.0)
    columns = [INDEX.c.search_key.label("key"), (-rank).label("score")]
    return _newest(columns, matches(groups, excluded), keys, limit)


def _newest(
    columns: Sequence[Any],
    condition: ColumnElement[bool],
    keys: tuple[int, int],
    limit: int,
) -> Select[Any]:
    """Walk the newest rows back for a word that is common; ask the GIN index for one that is rare.

    Left to choose, the server walks for a word it has no count of, through all rows.
    """
    key = INDEX.c.search_key
    within = (key >= keys[0], key < keys[1])
    edge = select(key).where(*within).order_by(key.desc()).offset(NEAR_ROWS).limit(1).scalar_subquery()
    edge_key = func.coalesce(edge, keys[0])
    near = select(*columns).where(condition, *within, key >= edge_key).order_by(key.desc()).limit(limit)
    first = near.cte("near").prefix_with("MATERIALIZED", dialect="postgresql")
    few = select(func.count()).select_from(first).scalar_subquery() < limit
    # A sum is in no index of keys: the rows behind the edge are had from the GIN index alone.
    far = key + 0
    behind = select(*columns).where(condition, far >= keys[0], far < keys[1], far < edge_key, few)
    behind = behind.order_by(far.desc())
    rest = behind.limit(limit).cte("rest").prefix_with("MATERIALIZED", dialect="postgresql")
    both = union_all(select(first), select(rest)).subquery("both")
    return select(both).order_by(both.c.key.desc()).limit(limit)


def matches(groups: Sequence[Sequence[Term]], excluded: Sequence[Term]) -> ColumnElement[bool]:
    """Return the condition on `INDEX` that a parsed query stands for.

    The first half is what the GIN index answers; where a phrase is asked for, and a
    text is so long that one vector does not know all places, the second looks closer.
    """
    wanted = [[one for term in group if (one := sought(term))] for group in groups]
    unwanted = [one for term in excluded if (one := sought(term))]
    loose = [_any_of([one.loose for one in group]) for group in wanted if group]
    loose += [f"!{one.loose}" for one in unwanted if len(one.words) == 1]
    in_index = _holds(INDEX.c.vector, " & ".join(loose))
    terms = [one for group in wanted for one in group] + unwanted
    if all(len(one.words) == 1 for one in terms):
        return in_index
    exact = [_any_of([one.exact for one in group]) for group in wanted if group]
    exact += [f"!{one.exact}" for one in unwanted]
    closer = [or_(*map(_anywhere, group)) for group in wanted if group]
    closer += [~_anywhere(one) for one in unwanted]
    whole = _holds(INDEX.c.vector, " & ".join(exact))
    return and_(in_index, case((INDEX.c.more.is_(None), whole), else_=and_(*closer)))


def _any_of(queries: Sequence[str]) -> str:
    return f"({' | '.join(queries)})"


def _anywhere(one: Sought) -> ColumnElement[bool]:
    """Whether any vector of a row has *one*."""
    further = func.unnest(INDEX.c.more).table_valued("part").render_derived()
    there = exists().select_from(further).where(_holds(sql_cast(further.c.part, TSVECTOR), one.exact))
    return or_(_holds(INDEX.c.vector, one.exact), there)


def _holds(vector: ColumnElement[Any], query: str) -> ColumnElement[bool]:
    return vector.bool_op("@@")(_query(query))


def _query(text: str) -> ColumnElement[Any]:
    return sql_cast(literal(text), TSQUERY)
