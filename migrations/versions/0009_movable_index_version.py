"""Give the version of the full-text index a key on PostgreSQL: what has none cannot be replicated logically.

So a cluster moves a store to another node while it is written to. SQLite keeps that version elsewhere.
"""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

NAME = "pk_messages_fts_version"


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.create_primary_key(NAME, "messages_fts_version", ["version"])


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.drop_constraint(NAME, "messages_fts_version")
