"""Keep what the user decides: notes, tags, the trash, a journal of changes, what is forgotten or masked.

Rows stay as they are, without notes and tags, none of them in the trash. Downgrading
loses all of these; what was in the trash is listed again, and what was forgotten or
masked comes back with the next sync.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
Json = sa.JSON(none_as_null=True)
Text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
Epoch = sa.Float(53)

COLUMNS = (
    ("conversations", "note", Text),
    ("conversations", "tags", Text),
    ("sessions", "note", Text),
    ("sessions", "trashed_at", Epoch),
)
TABLES = ("masks", "forgotten", "settings", "saved_searches", "change_items", "changes", "session_tags")


def upgrade() -> None:
    for table, name, kind in COLUMNS:
        op.add_column(table, sa.Column(name, kind))
    op.create_index(
        "ix_conversations_pinned",
        "conversations",
        ["last_active_at", "id"],
        sqlite_where=sa.text("pinned = 1"),
        postgresql_where=sa.text("pinned"),
    )
    _tags()
    _journal()
    _searches_and_settings()
    _forgotten_and_masked()


def downgrade() -> None:
    trashed = sa.table("conversations", sa.column("kind"))
    op.execute(trashed.update().where(trashed.c.kind == "trash").values(kind="chat"))
    for table in TABLES:
        op.drop_table(table)
    op.drop_index("ix_conversations_pinned", table_name="conversations")
    for table, name, _ in reversed(COLUMNS):
        op.drop_column(table, name)


def _key(table: str, column: str, target: str, ondelete: str) -> sa.ForeignKeyConstraint:
    """Return the foreign key `fk_<table>_<column>_<target>`."""
    return sa.ForeignKeyConstraint(
        [column], [f"{target}.id"], name=f"fk_{table}_{column}_{target}", ondelete=ondelete
    )


def _tags() -> None:
    op.create_table(
        "session_tags",
        sa.Column("session_id", Big, autoincrement=False, nullable=False),
        sa.Column("tag", Text, nullable=False),
        sa.PrimaryKeyConstraint("session_id", "tag", name="pk_session_tags"),
        _key("session_tags", "session_id", "sessions", "CASCADE"),
    )
    op.create_index("ix_session_tags_tag", "session_tags", ["tag", "session_id"])


def _journal() -> None:
    op.create_table(
        "changes",
        sa.Column("id", Big, nullable=False),
        sa.Column("action", Text, nullable=False),
        sa.Column("created_at", Epoch, nullable=False),
        sa.Column("undone_at", Epoch),
        sa.PrimaryKeyConstraint("id", name="pk_changes"),
    )
    op.create_table(
        "change_items",
        sa.Column("id", Big, nullable=False),
        sa.Column("change_id", Big, nullable=False),
        sa.Column("session_id", Big),
        sa.Column("field", Text, nullable=False),
        sa.Column("before", Json),
        sa.Column("after", Json),
        sa.PrimaryKeyConstraint("id", name="pk_change_items"),
        _key("change_items", "change_id", "changes", "CASCADE"),
        _key("change_items", "session_id", "sessions", "CASCADE"),
    )
    for name in ("change_id", "session_id"):
        op.create_index(f"ix_change_items_{name}", "change_items", [name])


def _searches_and_settings() -> None:
    op.create_table(
        "saved_searches",
        sa.Column("id", Big, nullable=False),
        sa.Column("name", Text, nullable=False),
        sa.Column("target", Text, nullable=False),
        sa.Column("created_at", Epoch, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_saved_searches"),
        sa.UniqueConstraint("name", name="uq_saved_searches_name"),
    )
    op.create_table(
        "settings",
        sa.Column("name", Text, nullable=False),
        sa.Column("value", Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_settings"),
    )


def _forgotten_and_masked() -> None:
    op.create_table(
        "forgotten",
        sa.Column("id", Big, nullable=False),
        sa.Column("origin_id", Big),
        sa.Column("session_hash", Text, nullable=False),
        sa.Column("family", sa.Boolean(), nullable=False),
        sa.Column("created_at", Epoch, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_forgotten"),
        sa.UniqueConstraint("origin_id", "session_hash", name="uq_forgotten_origin_id_session_hash"),
        _key("forgotten", "origin_id", "origins", "SET NULL"),
    )
    op.create_index("ix_forgotten_session_hash", "forgotten", ["session_hash"])
    op.create_table(
        "masks",
        sa.Column("id", Big, nullable=False),
        sa.Column("pattern", Text),
        sa.Column("salt", Text),
        sa.Column("digest", Text),
        sa.Column("shape", Text),
        sa.Column("created_at", Epoch, nullable=False),
        sa.Column("applied_at", Epoch),
        sa.PrimaryKeyConstraint("id", name="pk_masks"),
    )
