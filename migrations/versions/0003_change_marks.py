"""Number the changes of conversations, so that open pages can be told what changed.

Conversations that are there have the number 0: nobody waits for them. Downgrading loses
the numbers.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("conversations", sa.Column("changed", Big, nullable=False, server_default="0"))
    op.create_index("ix_conversations_changed", "conversations", ["changed"])


def downgrade() -> None:
    op.drop_index("ix_conversations_changed", table_name="conversations")
    op.drop_column("conversations", "changed")
