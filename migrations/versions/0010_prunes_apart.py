"""Count prunes apart from compactions: a number of its own for either, and `conversations.prune_count`.

`compactions.number` is the number among the conversation's compactions, or among its prunes; `ordinal`
stays the place among all of them. `conversations.compaction_count` counts prunes no more. Downgrading
counts them again, and loses the numbers.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

PRUNES = (
    "(SELECT count(*) FROM compactions c WHERE c.conversation_id = conversations.id"
    " AND c.method = 'prune' AND c.status IN ('committed', 'interrupted'))"
)
NUMBERS = (
    "(SELECT id, row_number() OVER (PARTITION BY conversation_id,"
    " CASE WHEN method = 'prune' THEN 1 ELSE 0 END ORDER BY ordinal, id) AS place FROM compactions)"
)


def upgrade() -> None:
    op.add_column("compactions", sa.Column("number", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("conversations", sa.Column("prune_count", sa.Integer(), nullable=False, server_default="0"))
    where = sa.text("method = 'prune'")
    op.create_index(
        "ix_compactions_prunes", "compactions", ["id"], sqlite_where=where, postgresql_where=where
    )
    op.execute(f"UPDATE compactions SET number = n.place FROM {NUMBERS} AS n WHERE n.id = compactions.id")
    op.execute(
        f"UPDATE conversations SET prune_count = {PRUNES}, compaction_count = compaction_count - {PRUNES}"
        " WHERE id IN (SELECT conversation_id FROM compactions WHERE method = 'prune')"
    )


def downgrade() -> None:
    op.execute("UPDATE conversations SET compaction_count = compaction_count + prune_count")
    op.drop_index("ix_compactions_prunes", "compactions")
    op.drop_column("conversations", "prune_count")
    op.drop_column("compactions", "number")
