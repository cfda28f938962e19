"""Let the ledger be sorted: tokens saved and the worst finding of each compaction, with an index per order.

Audited compactions get the rank of their worst stored finding, and what they saved: by
the agent's own counts where it left both, else by the audit's estimates. The others stay
NULL until they are audited. Downgrading drops both columns; the next audit after another
upgrade fills them again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

ORDERS = ("retained", "saved_tokens", "worst_rank")


def upgrade() -> None:
    op.add_column(
        "compactions", sa.Column("saved_tokens", sa.BigInteger().with_variant(sa.Integer(), "sqlite"))
    )
    op.add_column("compactions", sa.Column("worst_rank", sa.Integer()))
    op.execute(
        "UPDATE compactions SET worst_rank = (SELECT max(CASE f.severity WHEN 'error' THEN 2"
        " WHEN 'warning' THEN 1 ELSE 0 END) FROM findings f WHERE f.compaction_id = compactions.id)"
    )
    op.execute(
        "UPDATE compactions SET saved_tokens = tokens_before - tokens_after"
        " WHERE audit IS NOT NULL AND tokens_before > 0 AND tokens_after IS NOT NULL"
    )
    before, after = _size("before"), _size("after")
    op.execute(
        f"UPDATE compactions SET saved_tokens = {before} - {after}"
        f" WHERE audit IS NOT NULL AND saved_tokens IS NULL AND {before} > 0 AND {after} > 0"
    )
    for name in ORDERS:
        op.create_index(f"ix_compactions_{name}", "compactions", [name, "id"])


def downgrade() -> None:
    for name in ORDERS:
        op.drop_index(f"ix_compactions_{name}", "compactions")
    op.drop_column("compactions", "worst_rank")
    op.drop_column("compactions", "saved_tokens")


def _size(name: str) -> str:
    """Return the SQL of one of the sizes that the audit estimated."""
    if op.get_bind().dialect.name == "sqlite":
        return f"json_extract(audit, '$.sizes.{name}')"
    return f"(audit #>> '{{sizes,{name}}}')::bigint"
