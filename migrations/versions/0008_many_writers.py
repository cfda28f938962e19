"""Let many write at once on PostgreSQL: keys and change numbers that need no look at the highest.

Rows keep their keys; new ones come from the tables' sequences, which begin after the highest key.
The place of a message in the full-text index becomes its second and its own key, so that two
writers in one second do not want the same place. The number of a change becomes that of its
transaction, counted from `change_base`. SQLite has one writer at a time; nothing changes there.
Downgrading gives the old places back; the numbers of changes stay.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

KEYED = ("sessions", "messages", "compactions", "conversations", "changes", "change_items", "forgotten")
SECONDS_OF_UNDATED = 1 << 25

NEW_PLACES = f"""
CREATE TEMPORARY TABLE new_places ON COMMIT DROP AS
SELECT id, search_key AS old, CASE WHEN search_key >> 2 < {SECONDS_OF_UNDATED} THEN id
  ELSE ((search_key >> 2) << 26) | (id & 67108863) END AS new
FROM messages WHERE search_key IS NOT NULL
"""
OLD_PLACES = """
CREATE TEMPORARY TABLE new_places ON COMMIT DROP AS
SELECT id, old, (max(low - place) OVER (ORDER BY old) + place)::bigint AS new FROM (
  SELECT id, search_key AS old, row_number() OVER (ORDER BY search_key) AS place,
    CASE WHEN search_key >> 26 < 33554432 THEN 0 ELSE (search_key >> 26) << 2 END AS low
  FROM messages WHERE search_key IS NOT NULL
) AS placed
"""


FIRST_BASE = """
SELECT setval('change_base', greatest(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint,
  CAST(:above AS bigint))
  - pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
"""


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    for table in KEYED:
        _count_on(
            f"{table}_id_seq", op.get_bind().scalar(sa.text(f"SELECT coalesce(max(id), 0) FROM {table}"))
        )
    _place_anew(NEW_PLACES)
    op.execute(sa.schema.CreateSequence(sa.Sequence("change_base", data_type=sa.BigInteger())))
    highest = op.get_bind().scalar(sa.text("SELECT coalesce(max(changed), 0) FROM conversations"))
    op.get_bind().execute(sa.text(FIRST_BASE), {"above": highest + 1})
    # Whoever may read the tables may follow them.
    op.execute("GRANT SELECT ON SEQUENCE change_base TO PUBLIC")


def downgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    op.execute(sa.schema.DropSequence(sa.Sequence("change_base")))
    _place_anew(OLD_PLACES)


def _count_on(sequence: str, highest: int) -> None:
    # Asked before, for a cluster sends a question about rows to another node, where nothing is counted.
    op.execute(f"SELECT setval('{sequence}', {highest + 1}, false)")


def _place_anew(places: str) -> None:
    """Give indexed messages the places that *places* computes; old and new ones may be the same numbers."""
    op.execute(places)
    _check_now()
    op.drop_index("uq_messages_search_key", "messages")
    op.drop_constraint("pk_messages_fts", "messages_fts")
    op.execute("UPDATE messages SET search_key = p.new FROM new_places AS p WHERE p.id = messages.id")
    op.execute("UPDATE messages_fts SET search_key = p.new FROM new_places AS p WHERE p.old = search_key")
    _check_now()
    op.create_primary_key("pk_messages_fts", "messages_fts", ["search_key"])
    op.create_index(
        "uq_messages_search_key",
        "messages",
        ["search_key"],
        unique=True,
        postgresql_where=sa.text("search_key IS NOT NULL"),
    )
    op.execute("DROP TABLE new_places")


def _check_now() -> None:
    """Check rows that were changed twice, maybe by an earlier revision: before that no index is made."""
    op.execute("SET CONSTRAINTS ALL IMMEDIATE")
    op.execute("SET CONSTRAINTS ALL DEFERRED")
