"""Keep with a compaction how its handoff was judged: `compactions.judgement`, for the next audit to read.

Rows that are there have none until they are audited again. Downgrading loses the judgements; an audit
makes them again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

Text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("compactions", sa.Column("judgement", Text))


def downgrade() -> None:
    op.drop_column("compactions", "judgement")
