"""Keep with a message where its facts stand, so that they are looked for once.

The table begins empty: the next audits fill it. Downgrading drops it, and loses nothing
that an audit does not find again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
Text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "message_facts",
        sa.Column("message_id", Big, nullable=False, autoincrement=False),
        sa.Column("digest", Big, nullable=False),
        sa.Column("places", Text, nullable=False),
        sa.ForeignKeyConstraint(
            ["message_id"], ["messages.id"], name="fk_message_facts_message_id_messages", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("message_id", name="pk_message_facts"),
    )


def downgrade() -> None:
    op.drop_table("message_facts")
